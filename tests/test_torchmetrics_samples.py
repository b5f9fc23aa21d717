"""The metrics of samples and of graphs of torchmetrics: in loops, collections, files and processes."""

import copy
import functools
import io
import pickle
import re
from math import inf, isnan, nan

import numpy as np
import pytest
import torch
from backends import as_on_a_device, transfers_to_host
from torchmetrics import MetricCollection, MetricTracker

import gpuval
from gpuval.torchmetrics import GraphMetric, InternalMetric

SIZE = {"n_clusters": 2, "n_features": 2}
FIRST = torch.tensor([[0.0, 0.0], [6.0, 0.0]]), torch.tensor([0, 1])
SECOND = torch.tensor([[0.0, 2.0], [6.0, 2.0], [6.0, 1.0]]), torch.tensor([0, 1, 1])
"""Two clusters at 0 and 6, each with a scatter of 2 around its centre."""
INERTIA, BALL_HALL = pytest.approx(4.0), pytest.approx((2 / 2 + 2 / 3) / 2)

PATH = torch.tensor([[0.0, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 1], [0, 0, 1, 0]]).to_sparse()
"""Edges from 0 to 1 to 2 to 3."""
HALVES, EVEN, ONE = torch.tensor([0, 0, 1, 1]), torch.tensor([0, 1, 0, 1]), torch.tensor([0, 0, 0, 0])
"""With coverages of 2 of 3 edges, of none, and of all."""


def filled(metric):
    metric.update(*FIRST)
    metric.update(*SECOND)
    return metric


def random_batches(n, seed=0):
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 30, n)
    X = [torch.asarray(rng.normal(size=(size, 3))) + 1000 for size in sizes]
    return [(x, torch.asarray(rng.integers(0, 4, len(x))), torch.asarray(rng.random(len(x)))) for x in X]


# ---- samples ---------------------------------------------------------------------------------------


def test_all_batches():
    metric = InternalMetric("inertia", **SIZE)
    assert float(metric(*FIRST)) == 0
    assert float(metric(*SECOND)) == pytest.approx(0.5)
    assert float(metric.compute()) == INERTIA
    assert metric.compute().dtype == torch.float64
    metric.reset()
    assert float(metric(X=SECOND[0], labels=SECOND[1])) == pytest.approx(0.5)
    assert float(metric.compute()) == pytest.approx(0.5)


@pytest.mark.parametrize("weighs", [False, True])
def test_the_score_is_that_of_all_samples(weighs):
    batches = [x[: 2 + weighs] for x in random_batches(8)]
    metric = InternalMetric("all", n_clusters=4, n_features=3)
    for batch in batches:
        metric.update(*batch)
    X, labels, *weights = (torch.cat(x) for x in zip(*batches, strict=True))
    found = metric.compute()
    assert list(found) == ["ball_hall_index", "calinski_harabasz_score", "hartigan_index", "inertia", "xie_beni_index"]
    for name, score in found.items():
        exact = getattr(gpuval, name)(X, labels, **({"sample_weight": weights[0]} if weighs else {}))
        assert float(score) == pytest.approx(float(exact), rel=1e-12), name


def test_it_is_what_an_accumulator_has():
    metric, accumulator = InternalMetric("all", n_clusters=4, n_features=3), gpuval.InternalAccumulator(4)
    for X, labels, _ in random_batches(8):
        metric.update(X, labels)
        accumulator.update(X, labels)
    for name, score in metric.compute().items():
        assert float(score) == float(getattr(gpuval, name)(accumulator.moments)), name


def test_several_measures():
    found = filled(InternalMetric({"W": "wcss", "B": gpuval.ball_hall_index}, **SIZE)).compute()
    assert {name: float(x) for name, x in found.items()} == {"W": INERTIA, "B": BALL_HALL}


def test_ignored_labels_and_weights():
    metric = InternalMetric("inertia", **SIZE, ignore_labels=1)
    X = torch.tensor([[0.0, 0.0], [0.0, 3.0], [9.0, 9.0]], requires_grad=True)
    metric.update(X, torch.tensor([0, 0, 1]), torch.tensor([2.0, 1.0, 5.0]))
    assert float(metric.compute()) == pytest.approx(2 * 1 + 4)
    assert not metric.moments.requires_grad


def test_scores_that_are_not_defined():
    metric = InternalMetric(["ch", "inertia"], **SIZE)
    assert {name: float(x) for name, x in metric(FIRST[0], ONE[:2]).items()} == {
        "calinski_harabasz_score": pytest.approx(nan, nan_ok=True),
        "inertia": pytest.approx(18.0),
    }
    metric.update(FIRST[0] + 20, torch.tensor([1, 1]))
    assert float(metric.compute()["calinski_harabasz_score"]) > 0  # both batches together have two clusters
    raising = InternalMetric(functools.partial(gpuval.hartigan_index, on_degenerate="raise"), **SIZE)
    raising.update(FIRST[0], ONE[:2])
    with pytest.raises(ValueError, match="more than one cluster"):
        raising.compute()


def test_an_update_reads_no_value_and_memory_does_not_grow():
    metric = InternalMetric("ch", **SIZE)
    with as_on_a_device(), transfers_to_host() as copied:
        for _ in range(3):
            metric.update(*FIRST)
            metric.update(*SECOND, sample_weight=torch.ones(3))
        metric.compute()
    assert not copied
    assert {name: tuple(getattr(metric, name).shape) for name in metric._defaults} == {
        "settings": (4,),
        "moments": (2 * (2 * 2 + 3) + 2,),
    }


def test_what_is_wrong_on_a_device_is_nan():
    metric = InternalMetric(["inertia", "ch"], **SIZE)
    with as_on_a_device():
        metric.update(FIRST[0], FIRST[1] + 7)
        metric.update(*SECOND)
        assert all(x.isnan() for x in metric.compute().values())


def test_a_collection():
    """Metrics with one state are one group only if they measure the same."""
    metrics = MetricCollection(
        {
            "one": InternalMetric("inertia", **SIZE),
            "same": InternalMetric("wcss", **SIZE),
            "other": InternalMetric("ball_hall_index", **SIZE),
            "fewer": InternalMetric("inertia", **SIZE, ignore_labels=0),
        }
    )
    metrics.update(*FIRST)
    metrics.update(*SECOND)
    assert sorted(map(len, metrics.compute_groups.values())) == [1, 1, 2]
    found = {name: float(x) for name, x in metrics.compute().items()}
    assert found == {"one": INERTIA, "same": INERTIA, "other": BALL_HALL, "fewer": pytest.approx(2.0)}


COPIES = [copy.copy, copy.deepcopy, InternalMetric.clone, lambda x: pickle.loads(pickle.dumps(x))]


@pytest.mark.parametrize("copied", COPIES)
def test_a_copy_amid_batches(copied):
    metric = InternalMetric("inertia", **SIZE)
    metric.update(*FIRST)
    other = copied(metric)
    other.update(*SECOND)
    assert float(other.compute()) == INERTIA
    assert float(metric.compute()) == 0


def through_a_file(metric, other):
    """The state of a metric in another one."""
    own, others = (torch.nn.ModuleDict({"m": x}) for x in (metric, other))
    for module in (own, others):
        module["m"].persistent(True)
    file = io.BytesIO()
    torch.save(own.state_dict(), file)
    others.load_state_dict(torch.load(io.BytesIO(file.getvalue()), weights_only=True))
    return other


def test_a_checkpoint_and_a_sum():
    metric = InternalMetric("inertia", **SIZE)
    metric.update(*FIRST)
    other = through_a_file(metric, InternalMetric("inertia", **SIZE))
    other.update(*SECOND)
    assert float(other.compute()) == INERTIA
    whole = InternalMetric("inertia", **SIZE)
    whole.update(*SECOND)
    whole.merge_state(metric)
    assert float(whole.compute()) == INERTIA
    message = (
        "state must be of a metric with the same metrics, n_clusters, n_features and ignore_labels, got that of one "
        "with others"
    )
    with pytest.raises(ValueError, match=f"^{message}$"):
        through_a_file(metric, InternalMetric("inertia", **SIZE, ignore_labels=1))
    with pytest.raises(ValueError, match=r"^state must have moments of shape \(23,\), got \(16,\)$"):
        InternalMetric("inertia", n_clusters=3, n_features=2).merge_state(
            {"settings": metric.settings, "moments": metric.moments}
        )


def test_moved_and_tracked():
    metric = filled(InternalMetric("inertia", **SIZE))
    assert torch.nn.ModuleDict({"m": metric}).to("cpu").half()["m"].moments.dtype == torch.float64
    assert float(metric.compute()) == INERTIA
    tracker = MetricTracker(InternalMetric("inertia", **SIZE))
    assert tracker.maximize is False
    for part in (FIRST, SECOND):
        tracker.increment()
        tracker.update(*part)
    assert [float(x) for x in tracker.compute_all()] == [0.0, pytest.approx(0.5)]


def test_direction_and_text():
    assert InternalMetric("ch", **SIZE).higher_is_better is True
    assert InternalMetric(["inertia", "xie_beni_index"], **SIZE).higher_is_better is False
    assert InternalMetric("all", **SIZE).higher_is_better is None
    assert repr(InternalMetric("WCSS", **SIZE)) == "InternalMetric(inertia, n_clusters=2, n_features=2)"
    several = InternalMetric(["ch", "inertia"], **SIZE, ignore_labels=1)
    assert repr(several) == (
        "InternalMetric([calinski_harabasz_score, inertia], n_clusters=2, n_features=2, ignore_labels=[1])"
    )


def synchronised(parts, states):
    """The score of the first of several metrics, after what torchmetrics does to synchronise them."""

    def gathered(x, group=None):
        name = next(name for name in states if getattr(parts[0], name) is x)
        return [getattr(one, name) for one in parts]

    parts[0].sync(dist_sync_fn=gathered, distributed_available=lambda: True)
    return parts[0].compute()


def test_of_two_processes():
    """As torchmetrics synchronises: the states of all are put one upon another and reduced."""
    parts = [InternalMetric("inertia", **SIZE, sync_on_compute=False), InternalMetric("inertia", **SIZE)]
    parts[0].update(*FIRST)
    parts[1].update(*SECOND)
    assert float(synchronised(parts, ("settings", "moments"))) == INERTIA
    parts[1] = InternalMetric("ch", **SIZE)
    with pytest.raises(ValueError, match="must be the same in all processes, got different ones"):
        synchronised(parts, ("settings", "moments"))


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda x: x.update(FIRST[0].tolist(), FIRST[1]), TypeError, "X must be a tensor of PyTorch, got list"),
        (
            lambda x: x.update(FIRST[0].to("meta"), FIRST[1]),
            ValueError,
            "X must be on the device of the metric (cpu), got meta; move the metric there by .to('meta')",
        ),
        (lambda x: x(FIRST[0][:, :1], FIRST[1]), ValueError, "X must have n_features=2 features, got 1"),
        (lambda x: x(FIRST[0], FIRST[1][:1]), ValueError, "labels must have as many samples as X (2), got 1"),
        (lambda x: x(FIRST[0] * inf, FIRST[1]), ValueError, "X must be finite, got nan in row 0, column 0"),
        (
            lambda x: InternalMetric("dunn", **SIZE),
            ValueError,
            (
                "metrics must be names or functions of measures of InternalMetric, got 'dunn'; there are "
                "ball_hall_index, calinski_harabasz_score, hartigan_index, inertia, xie_beni_index"
            ),
        ),
        (
            lambda x: InternalMetric("ch", n_clusters=0, n_features=1),
            ValueError,
            "n_clusters must be a positive integer, got 0",
        ),
    ],
)
def test_what_is_refused_changes_nothing(call, error, message):
    metric = InternalMetric("inertia", **SIZE)
    metric.update(*FIRST)
    before = metric.moments
    with pytest.raises(error, match=f"^{re.escape(message)}"):
        call(metric)
    assert metric.moments is before
    metric.update(*SECOND)
    assert float(metric.compute()) == INERTIA


@pytest.mark.parametrize("metric", [gpuval.dunn_index, gpuval.silhouette_score, len, gpuval.rand_score])
def test_functions_that_moments_do_not_tell_are_refused(metric):
    with pytest.raises(TypeError, match=f"measures of InternalMetric, got {metric.__name__} of "):
        InternalMetric(metric, **SIZE)


@pytest.mark.parametrize(
    ("measure", "options", "error", "message"),
    [
        (gpuval.inertia, {"foo": 3}, TypeError, "inertia() got an unexpected keyword argument 'foo'"),
        (gpuval.xie_beni_index, {"separation": "all"}, ValueError, "separation must be one of"),
        (gpuval.hartigan_index, {"on_degenerate": "zero"}, ValueError, "on_degenerate must be one of"),
        (gpuval.inertia, {"n_clusters": 3}, TypeError, "n_clusters= must be given to the metric or its update, got it"),
        (
            gpuval.inertia,
            {"return_per_label": True},
            TypeError,
            "return_per_label= must be given to the measure itself",
        ),
        (gpuval.modularity_score, {"resolution": "x"}, TypeError, "resolution must be a number, got 'x'"),
        (gpuval.coverage_score, {"ignore_labels": -1}, TypeError, "ignore_labels= must be given to the metric or its"),
        (gpuval.coverage_score, {"n_labels": 3}, TypeError, "n_labels= must be given to the metric or its update"),
    ],
)
def test_options_are_checked_when_a_metric_is_made(measure, options, error, message):
    make = (
        functools.partial(InternalMetric, **SIZE)
        if measure.__module__.startswith("gpuval.metrics.int")
        else GraphMetric
    )
    with pytest.raises(error, match=f"^{re.escape(message)}"):
        make(functools.partial(measure, **options))


@pytest.mark.parametrize("metric", [InternalMetric(None, **SIZE), GraphMetric(None)], ids=["moments", "graphs"])
def test_the_docstring_names_all_measures(metric):
    every = type(metric)("all", **(SIZE if isinstance(metric, InternalMetric) else {}))
    assert set(re.findall(r'"(\w+_(?:score|index)|inertia)"', type(metric).__doc__)) == set(every._functions)


def test_the_default_is_one_measure_and_none_is_the_same_by_its_name():
    assert InternalMetric(**SIZE)._is_one
    assert list(InternalMetric(None, **SIZE)._functions) == ["calinski_harabasz_score"]
    assert list(GraphMetric(None)._functions) == ["modularity_score"]


# ---- graphs ----------------------------------------------------------------------------------------


def test_the_mean_over_graphs():
    metric = GraphMetric("coverage_score")
    with pytest.warns(UserWarning, match="before the ``update`` method"):
        assert isnan(float(GraphMetric("coverage_score").compute()))
    found = [float(metric(PATH, labels)) for labels in (HALVES, EVEN, ONE)]
    assert found == [pytest.approx(2 / 3), 0.0, 1.0]
    assert float(metric.compute()) == pytest.approx(5 / 9)
    metric.reset()
    metric.update(PATH, HALVES, n_labels=2)
    assert float(metric.compute()) == pytest.approx(2 / 3)


def test_several_measures_of_graphs():
    finer = functools.partial(gpuval.modularity_score, resolution=2.0)
    metric = GraphMetric({"one": "modularity_score", "two": finer, "connected": gpuval.graph_connectivity_score})
    for labels in (HALVES, EVEN):
        metric.update(PATH, labels)
    wanted = {  # sums over the labels of what is inside of the 6 ends of edges, less g (3 / 6)^2 for each of two labels
        "one": (4 / 6 - 1 / 2 + 0 - 1 / 2) / 2,
        "two": (4 / 6 - 1 + 0 - 1) / 2,
        "connected": (1 + 1 / 2) / 2,
    }
    assert {name: float(x) for name, x in metric.compute().items()} == {x: pytest.approx(y) for x, y in wanted.items()}
    assert len(GraphMetric("all")(PATH, HALVES)) == 4


def test_graphs_of_other_libraries_and_ignored_labels():
    scipy = pytest.importorskip("scipy.sparse").csr_array(PATH.to_dense().numpy())
    metric = GraphMetric("coverage_score", ignore_labels=-1)
    metric.update(scipy, torch.tensor([0, 0, -1, -1]))
    assert float(metric.compute()) == 1
    assert metric.sums.dtype == torch.float64


def test_states_of_graphs():
    metric, other = GraphMetric("coverage_score"), GraphMetric("coverage_score", sync_on_compute=False)
    metric.update(PATH, HALVES)
    other.update(PATH, EVEN)
    for copied in (*COPIES, lambda x: through_a_file(x, GraphMetric("coverage_score"))):
        one = copied(metric)
        one.update(PATH, EVEN)
        assert float(one.compute()) == pytest.approx(1 / 3)
        one.merge_state(other)
        assert float(one.compute()) == pytest.approx(2 / 9)
    assert float(synchronised([other, metric], ("settings", "sums"))) == pytest.approx(1 / 3)
    with pytest.raises(ValueError, match=r"^state must be of a metric with the same metrics and ignore_labels"):
        metric.merge_state(GraphMetric("performance_score"))


def test_an_update_of_graphs_reads_no_value():
    metric = GraphMetric(["coverage_score", "performance_score"])
    with as_on_a_device():
        path = gpuval.Neighbors.from_connectivities(PATH)  # which is checked
    with as_on_a_device(), transfers_to_host() as copied:
        metric.update(path, HALVES, n_labels=2)
        metric.update(path, EVEN + 5, n_labels=2)
        assert all(x.isnan() for x in metric.compute().values())  # labels beyond their number
    assert not copied


def test_direction_and_text_of_graphs():
    assert GraphMetric().higher_is_better is True
    assert repr(GraphMetric(ignore_labels=[-1])) == "GraphMetric(modularity_score, ignore_labels=[-1])"


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda x: x.update(PATH, [0, 0, 1, 1]), TypeError, "labels must be a tensor of PyTorch, got list"),
        (lambda x: x(PATH, HALVES[:3]), ValueError, "labels must have as many samples as graph (4), got 3"),
        (lambda x: GraphMetric("conductance_scores"), ValueError, "metrics must be names or functions of measures of"),
        (lambda x: GraphMetric("ari"), ValueError, "metrics must be names or functions of measures of GraphMetric"),
    ],
)
def test_what_is_refused_of_graphs(call, error, message):
    metric = GraphMetric("coverage_score")
    metric.update(PATH, ONE)
    before = metric.sums
    with pytest.raises(error, match=f"^{re.escape(message)}"):
        call(metric)
    assert metric.sums is before


@pytest.mark.parametrize("metric", [filled(InternalMetric(["ch", "inertia"], **SIZE)), GraphMetric("coverage_score")])
def test_a_plot(metric):
    pyplot = pytest.importorskip("matplotlib.pyplot")
    if isinstance(metric, GraphMetric):
        metric.update(PATH, HALVES)
    figure, _ = metric.plot()
    assert figure.axes
    pyplot.close(figure)
