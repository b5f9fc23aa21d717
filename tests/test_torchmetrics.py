"""The metric of torchmetrics: the scores of one call, from a table."""

import pickle
import sys

import numpy as np
import pytest
import torch
from torchmetrics import MetricCollection

import gpuval
from gpuval.torchmetrics import ClusteringMetric

SIZES = {"n_classes": 6, "n_clusters": 5}


def batches(n=3, seed=0):
    rng = np.random.default_rng(seed)
    return [(torch.asarray(rng.integers(0, 5, 40)), torch.asarray(rng.integers(0, 6, 40))) for _ in range(n)]


def together(parts):
    preds, target = (torch.cat(x) for x in zip(*parts, strict=True))
    return target, preds


@pytest.mark.parametrize("name", ["adjusted_rand_score", "v_measure_score", "clustering_accuracy"])
def test_the_score_of_all_batches(name):
    metric = ClusteringMetric(name, **SIZES)
    parts = batches()
    for part in parts:
        step = metric(*part)  # the score of the batch alone
        assert float(step) == pytest.approx(float(getattr(gpuval, name)(part[1], part[0])), abs=1e-14)
    assert float(metric.compute()) == float(getattr(gpuval, name)(*together(parts), **SIZES))
    metric.reset()
    metric.update(*parts[0])
    assert float(metric.compute()) == float(getattr(gpuval, name)(*together(parts[:1]), **SIZES))


def test_several_measures():
    names = ["adjusted_rand_score", "normalized_mutual_info_score"]
    metric = ClusteringMetric(names, **SIZES)
    for part in batches():
        metric.update(*part)
    found = metric.compute()
    assert list(found) == names
    assert all(x.shape == () for x in found.values())
    assert set(ClusteringMetric("all", **SIZES)(*batches()[0])) == set(gpuval.METRICS)
    named = ClusteringMetric({"classes": lambda table: table.n_classes}, **SIZES)
    assert int(named(*batches()[0])["classes"]) == 6


def test_metrics_are_read_once():
    preds, target = batches()[0]
    metric = ClusteringMetric((name for name in ["ari", "nmi"]), **SIZES)
    for _ in range(2):
        assert list(metric(preds, target)) == ["adjusted_rand_score", "normalized_mutual_info_score"]
    assert list(pickle.loads(pickle.dumps(metric)).compute()) == list(metric.compute())
    given = {"ARI": "ari"}
    metric = ClusteringMetric(given, **SIZES)
    given["NMI"] = "nmi"
    assert list(metric(preds, target)) == ["ARI"]


def test_a_metric_of_all_metrics_travels():
    metric = ClusteringMetric(gpuval.METRICS, **SIZES)
    metric.update(*batches()[0])
    assert pickle.loads(pickle.dumps(metric)).compute() == metric.compute() == metric.clone().compute()


def test_functions_see_tensors_only():
    metric = ClusteringMetric({"log": lambda table: torch.log(table.total)}, **SIZES)
    assert float(metric(*batches()[0])["log"]) == pytest.approx(np.log(40), abs=1e-6)


def test_metrics_of_one_size_are_one_group():
    collection = MetricCollection(
        {
            "ARI": ClusteringMetric("adjusted_rand_score", **SIZES),
            "NMI": ClusteringMetric("normalized_mutual_info_score", **SIZES),
            "larger": ClusteringMetric("normalized_mutual_info_score", n_classes=7, n_clusters=5),
        }
    )
    parts = batches()
    for part in parts:
        collection.update(*part)
    assert sorted(map(len, collection.compute_groups.values())) == [1, 2]
    found = collection.compute()
    assert float(found["ARI"]) == float(gpuval.adjusted_rand_score(*together(parts), **SIZES))
    assert float(found["NMI"]) == pytest.approx(float(found["larger"]), abs=1e-14)


def test_no_more_memory_than_the_table():
    metric = ClusteringMetric(**SIZES)
    for part in batches(50):
        metric.update(*part)
    assert sum(getattr(metric, name).numel() for name in metric._defaults) == 6 * 5 + 1 + 4 + 1 + 1
    assert set(metric._reductions) == {"counts", "invalid", "furthest", "given", "ignored"}


def test_weights_and_ignored_labels():
    preds, target = batches(1)[0]
    for real in (False, True):
        weights = torch.arange(40) / 4 if real else torch.arange(40)
        metric = ClusteringMetric(**SIZES, ignore_labels=0, real_weights=real)
        metric.update(preds[:20], target[:20], weights[:20])
        metric.update(preds[20:], target[20:], weights[20:])
        wanted = gpuval.adjusted_rand_score(target, preds, sample_weight=weights, ignore_labels=0)
        assert float(metric.compute()) == pytest.approx(float(wanted), abs=1e-14)
        metric.reset()
        assert float(metric.counts.sum()) == 0
    with pytest.raises(TypeError, match="sample_weight must be of an integer type without real_weights=True"):
        ClusteringMetric(**SIZES).update(preds, target, torch.ones(40))


def test_labels_outside_are_told():
    from backends import as_on_a_device

    with as_on_a_device():
        metric = ClusteringMetric(**SIZES)
        metric.update(torch.asarray([0, 9]), torch.asarray([0, 0]))
        with pytest.raises(ValueError, match=r"got 1 samples .* labels_pred from 0 to 9"):
            metric.compute()


@pytest.mark.parametrize("options", [{}, {"ignore_labels": 7}, {"real_weights": True}])
def test_in_and_out_of_inference_mode(options):
    """As torchmetrics and Lightning call it: states are copied in inference mode and used outside, and back."""
    from backends import as_on_a_device

    parts = batches()
    with as_on_a_device():
        metric = ClusteringMetric(**SIZES, **options)
        with torch.inference_mode():
            metric(*parts[0])
            metric.reset()
            metric(*parts[0])
        metric.update(*parts[1])
        with torch.inference_mode():
            metric.update(*parts[2])
    assert float(metric.compute()) == pytest.approx(float(gpuval.adjusted_rand_score(*together(parts))), abs=1e-14)


def test_metrics_that_ignore_other_labels_are_apart():
    """Also if the first batch has none of them."""
    first = torch.asarray([1, 2, 3, 4]), torch.asarray([1, 2, 1, 2])
    later = torch.asarray([0, 0, 1]), torch.asarray([0, 1, 5])
    given = {"a": 5, "b": 0, "c": None}
    collection = MetricCollection({name: ClusteringMetric(**SIZES, ignore_labels=x) for name, x in given.items()})
    collection.update(*first)
    collection.update(*later)
    for name, value in collection.compute().items():
        wanted = gpuval.adjusted_rand_score(*together([first, later]), ignore_labels=given[name])
        assert float(value) == pytest.approx(float(wanted), abs=1e-14)


@pytest.mark.parametrize("real", [False, True])
def test_another_type_of_the_module_changes_no_sum(real):
    metric = ClusteringMetric(**SIZES, real_weights=real)
    metric.update(torch.zeros(5001, dtype=torch.int64), torch.zeros(5001, dtype=torch.int64))
    module = torch.nn.ModuleDict({"metric": metric}).to(torch.float16)
    module["metric"].set_dtype(torch.float16)
    assert float(module["metric"].counts[0, 0]) == 5001
    assert metric.counts.dtype == (torch.float64 if real else torch.int64)


def test_a_checkpoint_of_another_size_and_other_arrays():
    other = ClusteringMetric(n_classes=9, n_clusters=9)
    other.persistent(True)
    metric = ClusteringMetric(**SIZES)
    metric.persistent(True)
    with pytest.raises(ValueError, match=r"state must have counts of shape \(9, 9\), got \(6, 5\)"):
        other.load_state_dict(metric.state_dict())
    with pytest.raises(TypeError, match="preds and target must be tensors of PyTorch, got ndarray and ndarray"):
        metric.update(np.zeros(3, int), np.zeros(3, int))


def test_it_travels():
    metric = ClusteringMetric(**SIZES)
    metric.persistent(True)
    metric.update(*batches()[0])
    wanted = float(metric.compute())
    assert float(pickle.loads(pickle.dumps(metric)).compute()) == wanted
    other = ClusteringMetric(**SIZES)
    other.persistent(True)
    other.load_state_dict(metric.state_dict())
    other._update_count = 1
    assert float(other.compute()) == wanted
    assert float(metric.clone().compute()) == wanted


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"metrics": "adjusted_rand", **SIZES}, "did you mean"),
        ({"n_classes": 0, "n_clusters": 3}, "n_classes must be a positive integer"),
    ],
)
def test_bad_input(options, message):
    with pytest.raises(ValueError, match=message):
        ClusteringMetric(**options)


@pytest.mark.parametrize("real", [False, True])
def test_none_left(real):
    """Of a batch that is fine; of all of them it is an error, and of none at all it is NaN."""
    metric = ClusteringMetric(**SIZES, ignore_labels=0, real_weights=real)
    zeros, ones = torch.zeros(3, dtype=torch.int64), torch.ones(3, dtype=torch.int64)
    metric.update(zeros, ones)
    metric.update(ones, ones, torch.zeros(3, dtype=torch.float64 if real else torch.int64))
    with pytest.raises(ValueError, match="must leave at least one sample, got none left of 6"):
        metric.compute()
    metric.update(ones, ones)
    assert float(metric.compute()) == 1
    metric.reset()
    metric.update(zeros[:0], ones[:0])
    with pytest.warns(UserWarning, match="has had no samples: its value is NaN"):
        assert np.isnan(float(metric.compute()))


ODD = {
    "sparse": (torch.ones(2, dtype=torch.int64).to_sparse(), "preds must be a dense tensor, got one of layout"),
    "nested": (torch.nested.nested_tensor([torch.ones(2)], layout=torch.jagged), "got a nested one"),
    "meta": (
        torch.ones(2, dtype=torch.int64, device="meta"),
        "preds must have values, got a tensor on the device",
    ),
}


@pytest.mark.parametrize("case", ODD)
def test_tensors_that_cannot_be_read(case):
    tensor, message = ODD[case]
    metric, labels = ClusteringMetric(**SIZES), torch.asarray([0, 1])
    with pytest.raises(TypeError, match=message):
        metric.update(tensor, labels)
    with pytest.raises(TypeError, match=message.replace("preds", "target")):
        metric.update(labels, tensor)
    assert int(metric.counts.sum()) == 0


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("counts", -torch.ones(6, 5, dtype=torch.int64), "counts that are finite and not negative, got -1"),
        ("counts", torch.ones(6, 5), r"counts of torch.int64, got torch.float32"),
        ("furthest", torch.zeros(3, dtype=torch.int64), r"furthest of shape \(4,\), got \(3,\)"),
        ("given", torch.zeros(3, dtype=torch.int64), r"given of shape \(\), got \(3,\)"),
    ],
)
def test_a_state_that_is_refused_changes_nothing(name, value, message):
    metric = ClusteringMetric(**SIZES)
    metric.persistent(True)
    metric.update(*batches()[0])
    with pytest.raises(ValueError, match=f"state must have {message}"):
        metric.load_state_dict({**metric.state_dict(), name: value})
    assert int(metric.counts.sum()) == 40


def test_a_step_of_padding_has_no_score_and_loses_nothing():
    metric = ClusteringMetric(["ari", "acc"], n_classes=3, n_clusters=3, ignore_labels=[-1])
    assert metric(torch.tensor([0, 1, 2]), torch.tensor([0, 1, 2]))["adjusted_rand_score"] == 1
    padding = metric(torch.tensor([0, 1, 2]), torch.tensor([-1, -1, -1]))
    assert list(padding) == ["adjusted_rand_score", "clustering_accuracy"]
    assert all(x.isnan() for x in padding.values())
    assert metric.counts.sum() == 3
    assert metric.compute()["clustering_accuracy"] == 1


def test_a_step_that_is_refused_changes_nothing():
    metric = ClusteringMetric(n_classes=3, n_clusters=3)
    metric(torch.tensor([0, 1, 2]), torch.tensor([0, 1, 2]))
    for preds in (torch.tensor([0, 7, 1]), torch.tensor([0.5, 1.0, 2.0]), [0, 1, 2]):
        with pytest.raises((ValueError, TypeError)):
            metric(preds, torch.tensor([0, 1, 2]))
        assert (metric.counts.sum(), metric._update_count, metric.invalid) == (3, 1, 0)
    assert metric(torch.tensor([0, 1, 1]), torch.tensor([0, 1, 1])) == 1
    assert metric.compute() == 1


@pytest.mark.parametrize(
    ("metrics", "higher"),
    [
        ("ari", True),
        ("variation_of_information", False),
        (["ari", "nmi"], True),
        (["ari", "variation_of_information"], None),
        ({"own": lambda table: table.total}, None),
        ({"ARI": "ari", "own": lambda table: table.total}, None),
    ],
)
def test_what_is_better(metrics, higher):
    assert ClusteringMetric(metrics, **SIZES).higher_is_better is higher


def test_it_says_what_it_measures():
    assert repr(ClusteringMetric("ari", **SIZES)) == "ClusteringMetric(adjusted_rand_score, n_classes=6, n_clusters=5)"
    several = ClusteringMetric({"ARI": "ari", "V": "v"}, **SIZES, ignore_labels=[0, 1], real_weights=True)
    settings = "n_classes=6, n_clusters=5, ignore_labels=[0, 1], real_weights=True"
    assert repr(several) == f"ClusteringMetric([ARI, V], {settings})"


@pytest.fixture
def pyplot():
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot

    yield matplotlib.pyplot
    matplotlib.pyplot.close("all")


def points(axes):
    """What the lines of a plot go through, by their names in the legend."""
    return {line.get_label(): line.get_ydata().tolist() for line in axes.get_lines()}


def test_a_plot_of_one_measure(pyplot):
    metric = ClusteringMetric("ari", **SIZES)
    steps = [metric(*part) for part in batches()]
    (line,) = points(metric.plot()[1]).values()
    assert line == [float(metric.compute())]
    (line,) = points(metric.plot(steps[0])[1]).values()
    assert line == [float(steps[0])]
    _, own = pyplot.subplots()
    _, axes = metric.plot(steps, ax=own)
    assert axes is own
    assert axes.get_ylabel() == "adjusted_rand_score"
    (line,) = points(axes).values()
    assert line == [float(x) for x in steps]


def test_a_plot_of_several_measures(pyplot):
    metric = ClusteringMetric(["ari", "nmi"], **SIZES)
    steps = [metric(*part) for part in batches()]
    scores = metric.compute()
    found = points(metric.plot()[1])
    assert {name: found[name] for name in scores} == {name: [float(x)] for name, x in scores.items()}
    found = points(metric.plot(steps)[1])
    assert {name: found[name] for name in scores} == {name: [float(x[name]) for x in steps] for name in scores}


def test_a_plot_without_matplotlib(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match=r'^plot\(\) needs matplotlib: pip install "gpuval\[plots\]"$'):
        ClusteringMetric("ari", **SIZES).plot(torch.tensor(0.5))
