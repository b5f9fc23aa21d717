"""The metric of torchmetrics beside plain lists of labels: its states are shared, copied, sent, loaded and merged."""

import contextlib
import copy
import io
import itertools
import pickle
import warnings

import numpy as np
import pytest
import torch
from backends import as_on_a_device
from torch._dynamo.testing import CompileCounter
from torchmetrics import BootStrapper, MetricCollection, MetricTracker, MinMaxMetric
from torchmetrics.utilities.exceptions import TorchMetricsUserError

import gpuval
from gpuval.registry.families import full_name
from gpuval.torchmetrics import ClusteringMetric

SIZES = {"n_classes": 6, "n_clusters": 5}
NAMES = [full_name(short) for short in ("ari", "nmi", "acc")]


def batch(seed, n=40):
    rng = np.random.default_rng(seed)
    return torch.asarray(rng.integers(0, 5, n)), torch.asarray(rng.integers(0, 6, n))


def of_all(name, *parts, **options):
    """The score of the samples of all batches together."""
    preds, target = (torch.cat(x) for x in zip(*parts, strict=True))
    return pytest.approx(float(getattr(gpuval, name)(target, preds, **options)), abs=1e-13)


def assert_scores(found, *parts, **options):
    assert list(found) == list(NAMES)
    assert {name: float(x) for name, x in found.items()} == {name: of_all(name, *parts, **options) for name in NAMES}


def ari(**options):
    return ClusteringMetric("ari", **SIZES, **options)


def collection():
    """Two of one group, which hold the same states, and one that ignores a label."""
    return MetricCollection({"a": ari(), "n": ClusteringMetric("nmi", **SIZES), "without": ari(ignore_labels=2)})


def assert_collection(metrics, parts):
    found = {name: float(x) for name, x in metrics.compute().items()}
    assert found == {
        "a": of_all("adjusted_rand_score", *parts),
        "n": of_all("normalized_mutual_info_score", *parts),
        "without": of_all("adjusted_rand_score", *parts, ignore_labels=2),
    }


def saved(state):
    """What a file of PyTorch, of tensors alone, gives back."""
    file = io.BytesIO()
    torch.save(state, file)
    return torch.load(io.BytesIO(file.getvalue()), weights_only=True)


# ---- updates and steps -----------------------------------------------------------------------------


def test_steps_of_several_measures():
    metric = ClusteringMetric(["ari", "nmi", "acc"], **SIZES)
    parts = [batch(seed) for seed in range(4)]
    for part in parts:
        assert_scores(metric(*part), part)
    metric.update(*batch(9))
    assert_scores(metric.compute(), *parts, batch(9))


@pytest.mark.parametrize("dtype", [torch.int64, torch.int32, torch.uint8])
@pytest.mark.parametrize("as_step", [False, True])
def test_labels_that_are_overwritten_afterwards(as_step, dtype):
    """As a loader does that hands out the same memory for each batch."""
    metric, parts = ari(), [batch(seed) for seed in range(5)]
    preds, target = (torch.empty(40, dtype=dtype) for _ in range(2))
    for part in parts:
        preds.copy_(part[0])
        target.copy_(part[1])
        (metric if as_step else metric.update)(preds, target)
        preds.fill_(4)
        target.fill_(77)
    assert float(metric.compute()) == of_all("adjusted_rand_score", *parts)


@pytest.mark.parametrize("sizes", [(3, 40, 5000), (16383, 1, 1), (16384, 16385, 2), (40000, 3, 40000)])
def test_batches_of_many_sizes(sizes):
    metric, parts = ari(), [batch(i, n) for i, n in enumerate(sizes)]
    for i, part in enumerate(parts):
        metric.update(*part)
        assert int(metric.counts.sum()) == sum(sizes[: i + 1])
    metric.reset()
    for part in parts:
        metric.update(*part)
    assert float(metric.compute()) == of_all("adjusted_rand_score", *parts)


def test_arguments_by_name():
    metric, (preds, target) = ari(), batch(0)
    metric.update(preds=preds, target=target)
    metric.update(target=target, preds=preds)
    step = metric(target=target, preds=preds, sample_weight=torch.full((40,), 2))
    assert float(step) == of_all("adjusted_rand_score", (preds, target), sample_weight=torch.full((40,), 2))
    assert int(metric.counts.sum()) == 40 + 40 + 80
    for call in (metric, metric.update):
        with pytest.raises(TypeError, match="missing 1 required positional argument: 'target'"):
            call(preds)
        with pytest.raises(ValueError, match=r"must have as many samples as labels_true \(3\), got 40"):
            call(preds, target[:3])


def test_a_step_and_the_score_have_one_shape():
    """As torchmetrics makes one element a number."""
    functions = {
        "one": lambda table: table.total.reshape(1) * 2.0,
        "three": lambda table: table.total * torch.ones(3),
    }
    metric = ClusteringMetric(functions, **SIZES)
    step, score = metric(*batch(0)), metric.compute()
    for found in (step, score):
        assert found["one"].shape == ()
        assert float(found["one"]) == 80
        assert found["three"].tolist() == [40, 40, 40]


@pytest.mark.parametrize("mode", [torch.no_grad, torch.inference_mode])
def test_modes_without_gradients(mode):
    metrics, parts = collection(), []
    for seed in range(0, 12, 4):
        with mode():
            metrics.update(*batch(seed))
            metrics(*batch(seed + 1))
            metrics.reset() if not seed else None
        parts += [] if not seed else [batch(seed), batch(seed + 1)]
        metrics.update(*batch(seed + 2))
        metrics(*batch(seed + 3))
        parts += [batch(seed + 2), batch(seed + 3)]
    assert_collection(metrics, parts)


def test_no_samples():
    metric = ari()
    step = metric(*(x[:0] for x in batch(0)))  # without a warning, which would be an error here
    assert np.isnan(float(step))
    with pytest.warns(
        UserWarning, match=r"^ClusteringMetric\(adjusted_rand_score, .* has had no samples: its value is"
    ):
        assert np.isnan(float(metric.compute()))
    metric.update(*batch(1))
    assert float(metric.compute()) == of_all("adjusted_rand_score", batch(1))
    several = ClusteringMetric(["ari", "acc"], **SIZES)
    with pytest.warns(UserWarning, match="has had no samples|was called before the"):
        found = several.compute()
    assert list(found) == ["adjusted_rand_score", "clustering_accuracy"]
    assert all(np.isnan(float(x)) for x in found.values())


# ---- groups, copies and files ----------------------------------------------------------------------


def test_ignored_labels_are_the_same_however_they_are_written():
    nan = float("nan")
    metric, other = (
        ClusteringMetric("purity", n_classes=2, n_clusters=2, ignore_labels=x) for x in ([nan, -1], [-1.0, nan, nan])
    )
    for one in (metric, other):
        one.update(torch.tensor([0, 1, 0]), torch.tensor([0, 1, -1]))
    metric.merge_state(other)
    assert float(metric.compute()) == 1


def test_labels_to_ignore_of_one_side():
    """In a collection of both, in steps and updates, with a checkpoint; an iterator is read once."""
    parts = [batch(seed) for seed in range(4)]
    given = {"true": {"true": [1, 2]}, "same": {"true": iter([2, 1]), "pred": []}, "both": [1, 2]}
    metrics = MetricCollection({name: ari(ignore_labels=x) for name, x in given.items()})
    for part in parts:
        metrics.update(*part)
    assert {tuple(group) for group in metrics.compute_groups.values()} == {("both",), ("same", "true")}
    found = {name: float(x) for name, x in metrics.compute().items()}
    preds, target = (torch.cat(x) for x in zip(*parts, strict=True))
    keep = (target != 1) & (target != 2)
    expected = of_all("adjusted_rand_score", (preds[keep], target[keep]))
    both = of_all("adjusted_rand_score", *parts, ignore_labels=[1, 2])
    assert found == {"true": expected, "same": expected, "both": both}
    metric = ari(ignore_labels={"true": [1, 2]})
    keep = (parts[0][1] != 1) & (parts[0][1] != 2)
    assert float(metric(*parts[0])) == of_all("adjusted_rand_score", tuple(x[keep] for x in parts[0]))
    assert "ignore_labels={'true': [1, 2]}" in repr(metric)
    metric.merge_state(saved(metrics["same"].metric_state))
    with pytest.raises(ValueError, match=r"same ignore_labels=\{'true': \[1, 2\]\}, got that of one with others"):
        metric.merge_state(metrics["both"])


def test_a_collection_of_groups():
    metrics, parts = collection(), [batch(seed) for seed in range(8)]
    metrics(*parts[0])
    metrics.update(*parts[1])
    assert sorted(map(len, metrics.compute_groups.values())) == [1, 2]
    metrics.update(*parts[2])
    for part in parts[3:5]:  # each of a group adds the batch, to states that all of them hold
        step = metrics(*part)
        assert float(step["a"]) == of_all("adjusted_rand_score", part)
        assert float(step["n"]) == of_all("normalized_mutual_info_score", part)
    assert_collection(metrics, parts[:5])
    metrics.update(*parts[5])
    for name, metric in metrics.items():
        assert int(metric.counts.sum()) == sum(
            int(((t != 2) & (p != 2)).sum()) if name == "without" else 40 for p, t in parts[:6]
        )
    assert float(metrics["n"].compute()) == of_all("normalized_mutual_info_score", *parts[:6])
    metrics.update(*parts[6])
    metrics(*parts[7])
    assert_collection(metrics, parts)
    metrics.reset()
    metrics(*parts[3])
    assert_collection(metrics, parts[3:4])


def test_a_member_of_a_group_alone():
    a, n = ari(), ClusteringMetric("nmi", **SIZES)
    metrics, parts = MetricCollection({"a": a, "n": n}), [batch(seed) for seed in range(5)]
    for part in parts[:3]:
        metrics.update(*part)
    assert float(n.compute()) == of_all("normalized_mutual_info_score", *parts[:3])
    a(*parts[3])
    n(*parts[4])
    assert float(a.compute()) == of_all("adjusted_rand_score", *parts[:4])
    assert float(n.compute()) == of_all("normalized_mutual_info_score", *parts[:3], parts[4])


def test_a_state_that_is_held_stays_as_it_is():
    metric = ari()
    for seed, go_on in enumerate([metric.update, metric, metric.update, lambda *x: metric.update(*x, x[0] * 0 + 1)]):
        held = metric.metric_state
        go_on(*batch(seed))
        assert int(metric.counts.sum()) == 40 * (seed + 1)
        assert int(held["counts"].sum()) == 40 * seed
    metric.counts = held["counts"]
    metric.update(*batch(9))
    assert int(metric.counts.sum()) == 160
    assert int(held["counts"].sum()) == 120


@pytest.mark.parametrize("is_loaded", [True, False])
def test_counts_whose_memory_is_in_another_order(is_loaded):
    """As those of a table that was transposed."""
    source, metric = ari(), ari()
    source.update(*batch(0))
    counts = source.counts.T.contiguous().T
    if is_loaded:
        source.persistent(True)
        metric.persistent(True)
        metric.load_state_dict(source.state_dict() | {"counts": counts})
    else:
        metric.counts = counts
    metric.update(*batch(1))
    assert float(metric.compute()) == of_all("adjusted_rand_score", batch(0), batch(1))
    assert int(counts.sum()) == 40
    metric.reset()
    assert int(metric.counts.sum()) == 0


def pickled(x):
    return pickle.loads(pickle.dumps(x))


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, ClusteringMetric.clone, pickled])
def test_a_copy_amid_batches(copied):
    metric = ari()
    metric.update(*batch(0))
    metric(*batch(1))
    other = copied(metric)
    metric(*batch(2))
    other(*batch(3))
    assert float(metric.compute()) == of_all("adjusted_rand_score", batch(0), batch(1), batch(2))
    assert float(other.compute()) == of_all("adjusted_rand_score", batch(0), batch(1), batch(3))


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, pickled])
def test_a_state_of_a_copy_that_is_held_stays_as_it_is(copied):
    metric = ari()
    metric.update(*batch(0))
    kept = [metric.counts]
    other = copied(metric)
    kept.append(other.counts)
    other.update(*batch(1))
    metric.update(*batch(1))
    assert [int(x.sum()) for x in (*kept, metric.counts, other.counts)] == [40, 40, 80, 80]


@pytest.mark.parametrize("going_on", ["lender", "borrower", "borrower alone"])
def test_a_state_that_was_written_into_another_metric_stays_as_it_is(going_on):
    metric, other = ari(), ari()
    metric.update(*batch(0))
    other.counts = metric.counts
    held = other.counts
    if going_on == "borrower alone":
        del metric
    else:
        kept = other if going_on == "lender" else metric
    going = metric if going_on == "lender" else other
    going.update(*batch(1))
    assert int(going.counts.sum()) == 80
    assert int(held.sum()) == 40
    assert going_on == "borrower alone" or int(kept.counts.sum()) == 40


def test_states_of_a_group_that_are_held_stay_as_they_are():
    a, n = ari(), ClusteringMetric("nmi", **SIZES)
    metrics = MetricCollection({"a": a, "n": n})
    metrics.update(*batch(0))
    metrics.update(*batch(1))
    for metric in (a, n):
        held, before = metric.counts, int(metric.counts.sum())
        metrics.compute()
        metrics.update(*batch(3))
        assert int(held.sum()) == before
        assert int(a.counts.sum()) == int(n.counts.sum()) == before + 40


def test_a_group_goes_on_in_the_same_memory():
    """A copy of a table of many labels takes longer than many batches."""
    group = [ari(), ClusteringMetric("nmi", **SIZES), ClusteringMetric("vi", **SIZES)]
    metrics = MetricCollection({metric.metrics: metric for metric in group})
    metrics.update(*batch(0))
    for seed in range(1, 4):
        metrics.update(*batch(seed))
        places = {vars(metric)["_state_counts"].data_ptr() for metric in group}
        assert len(places) == 1
        metrics.compute()
        metrics.update(*batch(0), batch(0)[0] * 0 + 1)
        assert {vars(metric)["_state_counts"].data_ptr() for metric in group} == places
    copied = pickled(metrics)
    copied.update(*batch(0))
    assert [int(x.counts.sum()) for x in (*group, *copied.values())] == [280, 280, 280, 320, 320, 320]
    assert type(copy.deepcopy(group[0]._update_count)) is int


def test_what_waits_is_not_in_a_file():
    """Which would have as many labels as a buffer holds, and not load without code of this package."""
    metric = ari()
    metric.persistent(True)
    metric.update(*batch(0))
    for given in (metric.metric_state, metric.state_dict(), metric.state_dict(keep_vars=True)):
        assert int(saved(given)["counts"].sum()) == 40
        metric.update(*batch(0))
        metric.reset()
        metric.update(*batch(0))
    assert len(pickle.dumps(metric)) < 10_000


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(2, 2)
        self.metric = ari(ignore_labels=2)
        self.metrics = collection()
        self.metric.persistent(True)
        self.metrics.persistent(True)


def test_a_checkpoint_of_a_module():
    model, other, parts = Model(), Model(), [batch(seed) for seed in range(3)]
    for part in parts:
        model.metric(*part)
        model.metrics.update(*part)
    state = saved(model.state_dict())
    other.metric.update(*batch(9))
    other.metric.compute()
    other.load_state_dict(state)
    other.metric(*batch(4))
    other.metrics.update(*batch(4))
    assert float(other.metric.compute()) == of_all("adjusted_rand_score", *parts, batch(4), ignore_labels=2)
    assert_collection(other.metrics, [*parts, batch(4)])
    assert int(state["metrics.a.counts"].sum()) == 120  # which other has gone on from


@pytest.mark.by_default
def test_two_metrics_that_load_one_state_go_on_by_themselves():
    """Compiled updates add in the memory of the state."""
    metric, others = ari(), (ari(), ari())
    metric.persistent(True)
    metric.update(*batch(0))
    state = metric.state_dict()
    for i, other in enumerate(others):
        other.load_state_dict(state)
        torch.compile(other.update, backend="eager")(*batch(1 + i))
    for i, other in enumerate(others):
        assert float(other.compute()) == of_all("adjusted_rand_score", batch(0), batch(1 + i))


def test_what_is_loaded_or_merged_is_computed_anew():
    metric, other = ari(), ari()
    metric.persistent(True)
    other.persistent(True)
    metric.update(*batch(0))
    other.update(*batch(1))
    metric.compute()
    metric.merge_state(other)
    assert float(metric.compute()) == of_all("adjusted_rand_score", batch(0), batch(1))
    metric.load_state_dict(other.state_dict())
    assert float(metric.compute()) == of_all("adjusted_rand_score", batch(1))
    metric.merge_state(saved(other.metric_state))
    assert float(metric.compute()) == of_all("adjusted_rand_score", batch(1), batch(1))
    assert int(other.counts.sum()) == 40


REFUSED = {
    "other size": ({}, {"n_clusters": 1}, r"counts of shape \(6, 5\), got \(6, 1\)"),
    "fractions into integers": ({}, {"real_weights": True}, "counts of torch.int64, got torch.float64"),
    "integers into fractions": ({"real_weights": True}, {}, "self_pairs, got ignored, counts"),
    "other labels": ({"ignore_labels": 1}, {"ignore_labels": [1, 2]}, "the same ignore_labels=1, got that of one with"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_metric_of_other_settings_is_not_merged(case):
    own, its, message = REFUSED[case]
    metric, other = ari(**own), ClusteringMetric("ari", **{**SIZES, **its})
    metric.update(*batch(0))
    other.update(torch.tensor([0, 0, 0]), batch(1)[1][:3])
    before = copy.deepcopy(metric.metric_state)
    with pytest.raises(ValueError, match=message):
        metric.merge_state(other)
    with pytest.raises(ValueError, match="state must have given, got"):
        metric.merge_state({name: x for name, x in before.items() if name != "given"})
    for name, state in metric.metric_state.items():
        assert torch.equal(state, before[name]), name


def test_a_checkpoint_of_other_labels_to_ignore():
    metric, other = ari(ignore_labels=1), ari()
    for x in (metric, other):
        x.persistent(True)
        x.update(*batch(0))
    with pytest.raises(ValueError, match="state must be of a metric with the same ignore_labels=1, got that of one"):
        metric.load_state_dict(other.state_dict())
    assert float(metric.compute()) == of_all("adjusted_rand_score", batch(0), ignore_labels=1)


def test_it_is_made_on_the_device_of_the_context():
    with torch.device("meta"):
        metric = ari(real_weights=True)
    assert {x.device for x in metric.metric_state.values()} == {metric.device} == {torch.device("meta")}


def test_moved_and_of_another_type():
    metric = ari()
    metric.update(*batch(0))
    module = torch.nn.ModuleList([metric]).to("cpu").double().half()
    metric = metric.double().to(torch.device("cpu"))
    metric.update(*batch(1))
    assert module[0] is metric
    assert metric.counts.dtype == torch.int64
    assert float(metric.compute()) == of_all("adjusted_rand_score", batch(0), batch(1))


# ---- other metrics around it -----------------------------------------------------------------------


def test_arithmetic_of_metrics():
    metric = (ari() + ClusteringMetric("nmi", **SIZES)) * 2 - 1
    metric.update(*batch(0))
    scores = [float(of_all(name, batch(1)).expected) for name in NAMES[:2]]
    assert float(metric(*batch(1))) == pytest.approx(2 * sum(scores) - 1, abs=1e-13)
    scores = [float(of_all(name, batch(0), batch(1)).expected) for name in NAMES[:2]]
    assert float(metric.compute()) == pytest.approx(2 * sum(scores) - 1, abs=1e-13)
    ratio = ClusteringMetric(["ari", "nmi"], **SIZES)["normalized_mutual_info_score"]
    ratio.update(*batch(0))
    assert float(ratio.compute()) == of_all("normalized_mutual_info_score", batch(0))


@pytest.mark.parametrize("of_several", [False, True])
def test_a_tracker(of_several):
    tracker = MetricTracker(collection() if of_several else ari(), maximize=[True] * 3 if of_several else None)
    for seed in range(3):
        tracker.increment()
        tracker.update(*batch(seed))
        tracker(*batch(seed + 10))
    found = tracker.compute_all()
    wanted = [of_all("adjusted_rand_score", batch(seed), batch(seed + 10)) for seed in range(3)]
    assert (found["a"] if of_several else found).tolist() == wanted
    if not of_several:
        assert tracker.best_metric() == max(x.expected for x in wanted)


def test_the_least_and_the_largest():
    metric, scores = MinMaxMetric(ari()), []
    for seed in range(3):
        scores.append(float(of_all("adjusted_rand_score", batch(seed)).expected))
        found = {name: float(x) for name, x in metric(*batch(seed)).items()}
        assert found == pytest.approx({"raw": scores[-1], "max": max(scores), "min": min(scores)}, abs=1e-13)


def test_a_bootstrap():
    """Each copy has samples of its own, drawn from each batch."""
    torch.manual_seed(0)
    metric = BootStrapper(ari(), num_bootstraps=3, raw=True, sampling_strategy="multinomial")
    for seed in range(3):
        metric.update(*batch(seed))
    tables = [x.counts for x in metric.metrics]
    assert [int(x.sum()) for x in tables] == [120, 120, 120]
    scores = [float(gpuval.adjusted_rand_score(gpuval.Contingency.from_counts(x))) for x in tables]
    assert metric.compute()["raw"].tolist() == pytest.approx(scores, abs=1e-13)
    assert len(set(scores)) == 3


# ---- other processes -------------------------------------------------------------------------------


def gathered_with(other):
    """As torchmetrics gathers a state of two processes, of which the other one has that of ``other``."""
    names = itertools.cycle(other.metric_state)
    return lambda x, group=None: [x, other.metric_state[next(names)]]


def test_states_are_synchronised_by_hand():
    metric, other = ari(sync_on_compute=False), ari()
    metric.update(*batch(0))
    other.update(*batch(1))
    metric.sync(dist_sync_fn=gathered_with(other), distributed_available=lambda: True)
    with pytest.raises(TorchMetricsUserError, match="shouldn't be synced when performing"):
        metric(*batch(2))
    assert int(metric.counts.sum()) == 80
    metric.unsync()
    assert int(metric.counts.sum()) == 40
    metric.sync(dist_sync_fn=gathered_with(other), distributed_available=lambda: True)
    assert float(metric.compute()) == of_all("adjusted_rand_score", batch(0), batch(1))  # which ends it
    metric(*batch(2))
    assert int(metric.counts.sum()) == 80
    assert float(metric.compute()) == of_all("adjusted_rand_score", batch(0), batch(2))


@pytest.mark.parametrize("on_step", [False, True])
def test_scores_of_two_processes(on_step):
    other = ari()
    metric = ari(dist_sync_on_step=on_step, distributed_available_fn=lambda: True, dist_sync_fn=gathered_with(other))
    other.update(*batch(0))
    metric.update(*batch(1))
    step = float(metric(*batch(2)))
    assert step == of_all("adjusted_rand_score", *([batch(0)] if on_step else []), batch(2))
    assert float(metric.compute()) == of_all("adjusted_rand_score", batch(0), batch(1), batch(2))
    assert int(metric.counts.sum()) == 80


def test_labels_outside_in_two_processes():
    """The message has the range of the labels of both."""
    with as_on_a_device():
        other = ari()
        metric = ari(distributed_available_fn=lambda: True, dist_sync_fn=gathered_with(other))
        metric.update(torch.asarray([0, 9]), torch.asarray([0, 0]))
        other.update(torch.asarray([-3, 0]), torch.asarray([0, 0]))
        with pytest.raises(ValueError, match=r"got 2 samples .* labels_pred from -3 to 9"):
            metric.compute()


def test_other_labels_to_ignore_in_another_process():
    metric, other = ari(ignore_labels=1), ari(ignore_labels=2)
    metric.update(*batch(0))
    other.update(*batch(1))
    before = copy.deepcopy(metric.metric_state)
    with pytest.raises(ValueError, match="ignore_labels must be the same in all processes, got different ones"):
        metric.sync(dist_sync_fn=gathered_with(other), distributed_available=lambda: True)
    for name, state in metric.metric_state.items():
        assert torch.equal(state, before[name]), name
    metric.update(*batch(2))
    assert float(metric.compute()) == of_all("adjusted_rand_score", batch(0), batch(2), ignore_labels=1)


@pytest.mark.parametrize("bad", [torch.tensor([0, 7, 1]), torch.tensor([0.5, 1.0, 2.0])])
def test_a_step_of_all_processes_that_is_refused_changes_nothing(bad):
    metric = ClusteringMetric("acc", n_classes=3, n_clusters=3, dist_sync_on_step=True)
    metric.update(torch.tensor([2]), torch.tensor([2]))
    labels = torch.tensor([0, 1, 2])
    assert metric(labels, labels) == 1
    with pytest.raises((ValueError, TypeError)):
        metric(bad, labels)
    assert (int(metric.counts.sum()), int(metric.invalid), metric.update_count) == (4, 0, 2)
    assert metric(torch.tensor([0, 0]), torch.tensor([0, 1])) == 0.5
    assert float(metric.compute()) == pytest.approx(5 / 6)


def test_a_group_with_steps_of_all_processes():
    metrics = MetricCollection(
        {"a": ari(dist_sync_on_step=True), "n": ClusteringMetric("nmi", **SIZES, dist_sync_on_step=True)}
    )
    for seed in range(3):
        metrics.update(*batch(seed))
        metrics(*batch(seed + 10))
    parts = [batch(seed) for seed in (0, 1, 2, 10, 11, 12)]
    assert float(metrics.compute()["a"]) == of_all("adjusted_rand_score", *parts)
    assert float(metrics.compute()["n"]) == of_all("normalized_mutual_info_score", *parts)


# ---- torch.compile ---------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{}, {"ignore_labels": 2}, {"real_weights": True}])
@pytest.mark.parametrize("in_between", ["nothing", "updates", "scores", "steps"])
def test_an_update_is_compiled_once(in_between, options):
    torch._dynamo.reset()
    counter, metric, parts = CompileCounter(), ari(**options), []
    compiled = torch.compile(metric.update, fullgraph=True, backend=counter)
    for seed in range(12):
        compiled(*batch(seed))
        parts.append(batch(seed))
        assert metric.update_called
        if in_between in ("updates", "steps"):
            parts.append(batch(seed + 20, 7))
            (metric if in_between == "steps" else metric.update)(*parts[-1])
        if in_between != "nothing":
            assert float(metric.compute()) == of_all("adjusted_rand_score", *parts, **without(options))
    assert counter.frame_count <= 2
    assert float(metric.compute()) == of_all("adjusted_rand_score", *parts, **without(options))
    metric.reset()
    assert not metric.update_called
    torch._dynamo.reset()


def test_steps_and_scores_that_are_compiled_have_all_labels():
    """They break the graph: also labels that came before, outside of it, are counted."""
    torch._dynamo.reset()
    metric, group = ari(), collection()
    group.update(*batch(0))
    parts = [batch(0)]
    for seed in range(1, 9, 2):
        metric.update(*parts[-1])
        group.update(*batch(seed))
        step = torch.compile(metric, backend="eager")(*batch(seed))
        assert float(step) == of_all("adjusted_rand_score", batch(seed))
        torch.compile(group, backend="eager")(*batch(seed + 1))
        parts += [batch(seed), batch(seed + 1)]
        assert float(torch.compile(metric.compute, backend="eager")()) == of_all("adjusted_rand_score", *parts[:-1])
    assert_collection(group, parts)
    torch._dynamo.reset()


def without(options):
    return {name: x for name, x in options.items() if name == "ignore_labels"}


# ---- sequences -------------------------------------------------------------------------------------


class Alone:
    """A metric, and the list of its batches."""

    def __init__(self, rng, **options):
        self.rng, self.options, self.metric, self.parts = rng, options, ari(**options), []
        self.metric.persistent(True)

    def some(self):
        return batch(int(self.rng.integers(1 << 30)), int(self.rng.choice([1, 7, 300, 9000, 20000])))

    def update(self):
        self.parts.append(self.some())
        self.metric.update(*self.parts[-1])

    def update_by_name(self):
        self.parts.append(self.some())
        self.metric.update(target=self.parts[-1][1], preds=self.parts[-1][0])

    def weights(self):
        self.parts.append(self.some())
        self.metric.update(*self.parts[-1], torch.ones(len(self.parts[-1][0]), dtype=torch.int64))

    def inference(self):
        with torch.inference_mode():
            (self.update if self.rng.integers(2) else self.step)()

    def step(self):
        part = self.some()
        left = not self.options or bool(((part[0] != 2) & (part[1] != 2)).any())
        score = float(self.metric(*part))
        assert score == of_all("adjusted_rand_score", part, **self.options) if left else np.isnan(score)
        self.parts.append(part)

    def refused(self):
        with pytest.raises(ValueError, match="labels must be in"):
            self.metric(torch.tensor([0, 5]), torch.tensor([0, 1]))

    def reset(self):
        self.metric.reset()
        self.parts = []

    def copied(self):
        kept = self.metric
        self.metric = [copy.copy, copy.deepcopy, pickled][self.rng.integers(3)](kept)
        kept(*self.some())

    def loaded(self):
        state = saved(self.metric.state_dict())
        self.metric = ari(**self.options)
        self.metric.persistent(True)
        self.metric.load_state_dict(state)

    def merged(self):
        other, part = ari(**self.options), self.some()
        other.update(*part)
        self.metric.merge_state(other if self.rng.integers(2) else other.metric_state)
        self.parts.append(part)

    def synchronised(self):
        other, part = ari(**self.options), self.some()
        other.update(*part)
        options = {"dist_sync_fn": gathered_with(other), "distributed_available": lambda: True}
        with self.metric.sync_context(**options):
            assert int(self.metric.counts.sum()) == sum(map(self.count, [*self.parts, part]))

    def count(self, part):
        return int(((part[0] != 2) & (part[1] != 2)).sum()) if self.options else len(part[0])

    def read(self):
        assert int(self.metric.counts.sum()) == sum(map(self.count, self.parts))

    def compute(self):
        if any(map(self.count, self.parts)):
            with warnings.catch_warnings():  # torchmetrics': a metric that has loaded its states has had no update
                warnings.filterwarnings("ignore", "The ``compute`` method", UserWarning)
                assert float(self.metric.compute()) == of_all("adjusted_rand_score", *self.parts, **self.options)


@pytest.mark.parametrize("options", [{}, {"ignore_labels": 2}])
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("place", [contextlib.nullcontext, as_on_a_device])
def test_any_sequence(seed, options, place):
    rng = np.random.default_rng(seed)
    moves = [x for x in vars(Alone) if x[0] != "_" and x not in ("some", "count")]
    with place():
        alone = Alone(rng, **options)
        for move in [*rng.choice(moves, 60), "compute"]:
            getattr(alone, move)()


@pytest.mark.parametrize("seed", range(8))
def test_any_sequence_of_a_collection(seed):
    rng, metrics, parts = np.random.default_rng(seed), collection(), []
    moves = "update", "step", "compute", "items", "one", "clone", "pickle", "reset", "load"
    for i in range(60):
        move, part = rng.choice(moves), batch(i)
        if move in ("update", "step"):
            (metrics.update if move == "update" else metrics)(*part)
            parts.append(part)
        elif move == "compute" and parts:
            assert_collection(metrics, parts)
        elif move == "items":
            assert {name: int(x.given) for name, x in metrics.items()}["a"] == 0
        elif move == "one" and parts:
            assert float(metrics["n"].compute()) == of_all("normalized_mutual_info_score", *parts)
        elif move in ("clone", "pickle"):
            kept, metrics = metrics, metrics.clone() if move == "clone" else pickled(metrics)
            kept.update(*part)
        elif move == "reset" and rng.integers(2):
            metrics.reset()
            parts = []
        elif move == "load" and parts:
            metrics.persistent(True)
            state, metrics = saved(metrics.state_dict()), collection()
            metrics.load_state_dict(state)
            metrics.update(*part)
            parts.append(part)
    metrics.update(*batch(99))
    assert_collection(metrics, [*parts, batch(99)])
