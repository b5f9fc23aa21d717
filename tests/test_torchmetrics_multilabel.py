"""The metric of labels of torchmetrics: counts, sums, bins and scores, in loops, collections, files and processes."""

import copy
import functools
import io
import pickle
import re

import numpy as np
import pytest
import torch
from backends import as_on_a_device, transfers_to_host
from torch._dynamo.testing import CompileCounter
from torch_operations import TorchOperations
from torchmetrics import BootStrapper, MetricCollection, MetricTracker
from torchmetrics.classification import MultilabelAUROC, MultilabelF1Score
from torchmetrics.functional.classification import multiclass_recall

from gpuval import multilabel
from gpuval.torchmetrics import MultilabelMetric

N_CLASSES = 3
METRICS = ["f1", "hamming_loss", "roc_auc", "average_precision", "mse", "log_loss"]
AVERAGES = ["macro", "micro", "weighted", "samples"]


def batches(seed=0, sizes=(7, 1, 12), dtype=torch.float32):
    rng = np.random.default_rng(seed)
    return [
        (
            torch.asarray(rng.integers(0, 9, (n, N_CLASSES)) / 8, dtype=dtype),
            torch.asarray(rng.integers(0, 2, (n, N_CLASSES))),
        )
        for n in sizes
    ]


BATCHES = batches()
PREDS, TARGET = (torch.cat(x) for x in zip(*BATCHES, strict=True))


def close(exact):
    return pytest.approx(exact, abs=1e-14, nan_ok=True)


def filled(metric, parts=BATCHES):
    for part in parts:
        metric.update(*part)
    return metric


def expected(preds=PREDS, target=TARGET, metrics=METRICS, averages=AVERAGES, **options):
    scores = multilabel.evaluate(target.numpy(), preds.numpy(), metrics=metrics, averages=averages, **options)
    return {name: float(x) for name, x in scores.items()}


def numbers(found):
    return {name: float(x) for name, x in found.items()}


AUC = float(multilabel.roc_auc_score(TARGET, PREDS))


# ---- batches are one call --------------------------------------------------------------------------


@pytest.mark.parametrize("place", [torch.no_grad, as_on_a_device])
def test_all_batches(place):
    with place():
        metric = MultilabelMetric(METRICS, AVERAGES, n_classes=N_CLASSES)
        for part in BATCHES:
            assert numbers(metric(*part)) == close(expected(*part))
        found = metric.compute()
        assert numbers(found) == close(expected())
        assert all(x.dtype == torch.float64 and type(x) is torch.Tensor for x in found.values())
        metric.reset()
        assert numbers(metric(*BATCHES[0])) == close(expected(*BATCHES[0]))
        assert numbers(filled(metric, BATCHES[1:]).compute()) == close(expected())


@pytest.mark.parametrize("weights", [torch.rand(20, dtype=torch.float64), torch.arange(20)])
def test_weights_and_masks(weights):
    mask = torch.asarray(np.random.default_rng(1).random((20, N_CLASSES)) < 0.7)
    metric, start = MultilabelMetric(METRICS, AVERAGES, n_classes=N_CLASSES, on_undefined="skip"), 0
    for preds, target in BATCHES:
        own = slice(start, start := start + len(preds))
        metric.update(preds, target, mask=mask[own], sample_weight=weights[own])
    wanted = expected(mask=mask.numpy(), sample_weight=weights.numpy(), on_undefined="skip")
    assert numbers(metric.compute()) == close(wanted)


def test_weights_of_some_batches():
    metric = filled(MultilabelMetric("auc", "macro", n_classes=N_CLASSES))
    metric.update(*BATCHES[0], sample_weight=torch.full((7,), 2))
    wanted = multilabel.roc_auc_score(
        torch.cat([TARGET, BATCHES[0][1]]),
        torch.cat([PREDS, BATCHES[0][0]]),
        sample_weight=torch.cat([torch.ones(20), torch.full((7,), 2.0)]),
    )
    assert float(metric.compute()) == close(float(wanted))


def test_bins():
    """Scores are multiples of 1/8: one bin for each, in which all are tied."""
    options = {"n_classes": N_CLASSES, "n_bins": 9, "score_range": (-1 / 16, 17 / 16)}
    metric = filled(MultilabelMetric(METRICS, AVERAGES, **options))
    assert numbers(metric.compute()) == close(expected())
    assert not hasattr(metric, "scores") or "scores" not in metric._defaults


def test_batches_without_samples_change_nothing():
    metric = MultilabelMetric(["auc", "f1"], AVERAGES, n_classes=N_CLASSES)
    nothing = torch.zeros((0, N_CLASSES), dtype=torch.float64)
    metric.update(nothing, nothing.to(torch.int64))
    wanted = numbers(filled(MultilabelMetric(["auc", "f1"], AVERAGES, n_classes=N_CLASSES)).compute())
    assert numbers(filled(metric).compute()) == close(wanted)
    labels = MultilabelMetric("recall", "micro", n_classes=3)
    for true, pred in (([], []), ([0, 2], [0, 1])):
        labels.update(torch.tensor(pred, dtype=torch.int64), torch.tensor(true, dtype=torch.int64))
    assert float(labels.compute()) == 0.5


def test_one_score_or_several():
    assert float(filled(MultilabelMetric("auc", "macro", n_classes=N_CLASSES)).compute()) == close(AUC)
    assert list(filled(MultilabelMetric("log_loss", n_classes=N_CLASSES)).compute().shape) == []
    names = ["precision_macro", "precision_weighted", "precision_micro"]
    assert list(filled(MultilabelMetric("precision", n_classes=N_CLASSES)).compute()) == names
    assert list(filled(MultilabelMetric(["auc"], "macro", n_classes=N_CLASSES)).compute()) == ["roc_auc_macro"]
    named = MultilabelMetric({"F2": functools.partial(multilabel.f_score, beta=2)}, "macro", n_classes=N_CLASSES)
    assert numbers(filled(named).compute()) == close(
        {"F2_macro": float(multilabel.f_score(TARGET, multilabel.predicted_labels(PREDS), beta=2))}
    )


def test_vectors():
    """Of one class; of the class of each sample with a matrix of scores; and of one label for each sample."""
    one = MultilabelMetric("auc", "macro", n_classes=1)
    one.update(torch.tensor([0.5, -3.0, 70.0]), torch.tensor([1, 0, 0]))
    one.update(torch.tensor([0.25]), torch.tensor([1]))
    assert float(one.compute()) == 0.5
    classes = torch.tensor([0, 2, 1, 1, 0, 2, 0])
    of_scores = MultilabelMetric("auc", "macro", n_classes=3)
    of_scores.update(BATCHES[0][0], classes)
    wanted = multilabel.roc_auc_score(torch.nn.functional.one_hot(classes), BATCHES[0][0])
    assert float(of_scores.compute()) == close(float(wanted))
    labels = MultilabelMetric("hamming_loss", "micro", n_classes=3)
    labels.update(torch.tensor([0, 1]), torch.tensor([0, 2]))
    labels.update(torch.tensor([1, 1]), torch.tensor([1, 1]))
    assert float(labels.compute()) == 0.25  # one of four labels
    labels.update(torch.eye(3)[:1], torch.tensor([[1, 0, 0]]))
    assert float(labels.compute()) == close(2 / 15)  # two of 15 entries


def test_torchmetrics_own():
    """Equal where the definitions are: scores in [0, 1], none at the threshold."""
    preds = PREDS.clamp(0, 0.99)
    target, preds = TARGET, torch.where(preds == 0.5, 0.51, preds)
    for name, other in (("f1", MultilabelF1Score(N_CLASSES)), ("auc", MultilabelAUROC(N_CLASSES))):
        metric = MultilabelMetric(name, "macro", n_classes=N_CLASSES)
        metric.update(preds, target)
        other.update(preds, target)
        assert float(metric.compute()) == pytest.approx(float(other.compute()), abs=1e-6)


def test_no_sigmoid():
    """Large scores of 32 bits have all the sigmoid 1: they would be tied."""
    preds, target = torch.tensor([[100.0] * 2, [200.0] * 2, [300.0] * 2]), torch.tensor([[0] * 2, [1] * 2, [1] * 2])
    metric, other = MultilabelMetric("auc", "macro", n_classes=2), MultilabelAUROC(2)
    metric.update(preds, target)
    other.update(preds, target)
    assert float(metric.compute()) == 1.0
    assert float(other.compute()) == 0.5


def test_types_of_scores():
    for dtype in (torch.float16, torch.bfloat16, torch.float64, torch.int32):
        parts = [(preds.mul(8).to(dtype), target) for preds, target in BATCHES]
        for place in (torch.no_grad, as_on_a_device):
            with place():
                assert float(filled(MultilabelMetric("auc", "macro", n_classes=N_CLASSES), parts).compute()) == AUC
    mixed = MultilabelMetric("auc", "macro", n_classes=N_CLASSES)
    for (preds, target), dtype in zip(BATCHES, (torch.float32, torch.float64, torch.float32), strict=True):
        mixed.update(preds.to(dtype), target)
    assert float(mixed.compute()) == AUC


# ---- states ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("n_bins", [None, 5])
def test_an_update_reads_no_value(n_bins):
    metric = MultilabelMetric([*METRICS, "mapr", "mpr"], AVERAGES, n_classes=N_CLASSES, n_bins=n_bins, ignore_labels=-1)
    weights = torch.rand(7)
    with as_on_a_device(), transfers_to_host() as copied, TorchOperations() as called:
        for _ in range(2):
            metric.update(*BATCHES[0])
            metric.update(*BATCHES[0], mask=BATCHES[0][1] < 9, sample_weight=weights)
            metric.update(BATCHES[0][0], torch.tensor([0, 1, 2, 0, 1, 2, 0]))
    assert called.counter
    assert called.waits == 0
    assert not copied


def test_memory_of_bins_does_not_grow():
    metric = MultilabelMetric(METRICS, AVERAGES, n_classes=N_CLASSES, n_bins=5)
    sizes = {name: tuple(getattr(metric, name).shape) for name in metric._defaults}
    for _ in range(3):
        filled(metric)
    assert {name: tuple(getattr(metric, name).shape) for name in metric._defaults} == sizes
    assert sizes["bins"] == (2, N_CLASSES, 5)


def test_what_is_wrong_on_a_device_is_nan():
    with as_on_a_device():
        metric = filled(MultilabelMetric(["auc", "f1"], ["macro", "samples"], n_classes=N_CLASSES))
        metric.update(torch.full((1, 3), 0.5), torch.tensor([[1, 0, 7]]))
        filled(metric)
        assert all(x.isnan() for x in metric.compute().values())


def test_modes_without_gradients():
    for place in (torch.no_grad, as_on_a_device):
        with place():
            metric = MultilabelMetric(METRICS, AVERAGES, n_classes=N_CLASSES)
            with torch.inference_mode():
                metric.update(*BATCHES[0])
                metric.reset()
                metric(*BATCHES[0])
            with torch.enable_grad():
                metric.update(BATCHES[1][0].clone().requires_grad_() * 1, BATCHES[1][1])
            metric.update(*BATCHES[2])
            assert numbers(metric.compute()) == close(expected())
            states = [getattr(metric, name) for name in metric._defaults]
            tensors = [x for state in states for x in (state if isinstance(state, list) else [state])]
            assert not any(x.requires_grad for x in tensors)


def test_a_collection():
    """Metrics with one state are one group only if they measure the same."""
    options = {"n_classes": N_CLASSES}
    metrics = MetricCollection(
        {
            "one": MultilabelMetric("precision", "macro", **options),
            "same": MultilabelMetric("precision", "macro", **options),
            "other": MultilabelMetric("recall", "macro", **options),
            "micro": MultilabelMetric("precision", "micro", **options),
            "auc": MultilabelMetric("auc", "macro", **options),
            "same auc": MultilabelMetric("auc", "macro", **options),
        }
    )
    for part in BATCHES:
        metrics.update(*part)
    assert sorted(map(len, metrics.compute_groups.values())) == [1, 1, 2, 2]
    found, labels = metrics.compute(), multilabel.predicted_labels(PREDS)
    assert float(found["one"]) == float(found["same"]) == close(float(multilabel.precision_score(TARGET, labels)))
    assert float(found["auc"]) == float(found["same auc"]) == AUC


def saved(state):
    file = io.BytesIO()
    torch.save(state, file)
    return torch.load(io.BytesIO(file.getvalue()), weights_only=True)


@pytest.mark.parametrize("n_bins", [None, 9])
@pytest.mark.parametrize(
    "copied", [copy.copy, copy.deepcopy, MultilabelMetric.clone, lambda x: pickle.loads(pickle.dumps(x))]
)
def test_a_copy_amid_batches(copied, n_bins):
    options = {"n_classes": N_CLASSES, "n_bins": n_bins, "score_range": (-1 / 16, 17 / 16)}
    metric = filled(MultilabelMetric(METRICS, AVERAGES, **options), BATCHES[:1])
    other = copied(metric)
    assert numbers(filled(other, BATCHES[1:]).compute()) == close(expected())
    assert numbers(metric.compute()) == close(expected(*BATCHES[0]))
    other.reset()
    assert numbers(metric.compute()) == close(expected(*BATCHES[0]))


@pytest.mark.parametrize("n_bins", [None, 9])
def test_a_checkpoint_of_a_module(n_bins):
    options = {"n_classes": N_CLASSES, "n_bins": n_bins, "score_range": (-1 / 16, 17 / 16)}
    metric, other = (torch.nn.ModuleDict({"m": MultilabelMetric(METRICS, AVERAGES, **options)}) for _ in range(2))
    for module in (metric, other):
        module["m"].persistent(True)
    filled(metric["m"], BATCHES[:2])
    state = saved(metric.state_dict())
    other.load_state_dict(state)
    for x in state.values():
        for y in x if isinstance(x, list) else [x]:
            y[...] = 0
    assert numbers(filled(other["m"], BATCHES[2:]).compute()) == close(expected())


@pytest.mark.parametrize("n_bins", [None, 9])
def test_merged(n_bins):
    options = {"n_classes": N_CLASSES, "n_bins": n_bins, "score_range": (-1 / 16, 17 / 16)}
    metric, *others = (filled(MultilabelMetric(METRICS, AVERAGES, **options), [x]) for x in BATCHES)
    metric.merge_state(others[0])
    metric.merge_state(others[1].metric_state)
    assert numbers(metric.compute()) == close(expected())


def test_moved_and_of_another_type():
    metric = filled(MultilabelMetric(METRICS, AVERAGES, n_classes=N_CLASSES))
    module = torch.nn.ModuleDict({"m": metric}).to("cpu").half()
    metric.set_dtype(torch.float16)
    assert module["m"].sums.dtype == torch.float64
    assert metric.labels[0].dtype == torch.uint8
    assert numbers(metric.compute()) == close(expected())
    with torch.device("meta"):
        assert MultilabelMetric("auc", n_classes=2).support.device.type == "meta"


def test_a_tracker_and_a_bootstrap():
    tracker = MetricTracker(MultilabelMetric("auc", "macro", n_classes=N_CLASSES))
    assert tracker.maximize is True
    for part in (BATCHES[0], BATCHES[2]):
        tracker.increment()
        tracker.update(*part)
    assert [float(x) for x in tracker.compute_all()] == [
        float(multilabel.roc_auc_score(target, preds)) for preds, target in (BATCHES[0], BATCHES[2])
    ]
    boots = BootStrapper(
        MultilabelMetric("mse", "micro", n_classes=1), num_bootstraps=3, sampling_strategy="multinomial"
    )
    boots.update(torch.full((4, 1), 0.5), torch.ones(4, 1))
    assert float(boots.compute()["mean"]) == 0.25


def test_direction_and_text():
    def metric(*args, **options):
        return MultilabelMetric(*args, n_classes=2, **options)

    assert metric(["auc", "f1"]).higher_is_better is True
    assert metric(["hamming_loss", "mse", "mae", "log_loss"]).higher_is_better is False
    assert metric(["auc", "mse"]).higher_is_better is None
    assert repr(metric("auc", "macro")) == "MultilabelMetric(roc_auc_macro, n_classes=2)"
    several = metric(["auc", "mse"], ["macro", "micro"], n_bins=10, ignore_labels=-1, on_undefined="skip")
    assert repr(several) == (
        "MultilabelMetric([roc_auc_macro, roc_auc_micro, mean_squared_error_macro, mean_squared_error_micro], "
        "n_classes=2, n_bins=10, ignore_labels=(-1,), on_undefined='skip')"
    )


def test_plots():
    pytest.importorskip("matplotlib").use("agg")
    metric = filled(MultilabelMetric("auc", "macro", n_classes=N_CLASSES))
    _, axes = metric.plot()
    assert "roc_auc_macro" in axes.get_title() + axes.get_ylabel() + str(axes.get_legend_handles_labels())


@pytest.mark.parametrize("place", [as_on_a_device, torch.no_grad])
def test_an_update_is_compiled_once(place):
    """For each shape. All batches twice have the scores of all once."""
    with place():
        metric = MultilabelMetric(
            ["f1", "auc", "mse"], AVERAGES, n_classes=N_CLASSES, n_bins=9, score_range=(-1 / 16, 17 / 16)
        )
        counter = CompileCounter()
        step = torch.compile(lambda x, y: metric.update(x, y), backend=counter, fullgraph=True)
        for part in BATCHES * 2:
            step(*part)
        assert numbers(metric.compute()) == close(expected(metrics=["f1", "auc", "mse"]))
        assert counter.frame_count == len(BATCHES)


def test_a_compiled_update_moves_what_is_kept_to_the_host():
    class Watched(MultilabelMetric):
        is_moved = False

        def _move_list_states_to_cpu(self):
            self.is_moved = True
            super()._move_list_states_to_cpu()

    metric = Watched("auc", n_classes=N_CLASSES, compute_on_cpu=True)
    torch.compile(lambda x, y: metric.update(x, y), backend="eager")(*BATCHES[0])
    assert metric.is_moved


# ---- what is refused -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            lambda x: x.update(PREDS.tolist(), TARGET),
            TypeError,
            "preds and target must be tensors of PyTorch, got list and Tensor",
        ),
        (
            lambda x: x.update(PREDS.to("meta"), TARGET.to("meta")),
            ValueError,
            (
                "preds and target must be on the device of the metric (cpu), got meta; move the metric there by "
                ".to('meta')"
            ),
        ),
        (lambda x: x(PREDS, TARGET[:3]), ValueError, "y_score must have the shape of y_true, (3, 3), got (20, 3)"),
        (lambda x: x(PREDS[:, :2], TARGET[:, :2]), ValueError, "y_true must be of n_classes=3 classes, got 2"),
        (
            lambda x: x(PREDS.argmax(1), TARGET[:, 0]),
            ValueError,
            "preds must have a score for each of the 3 classes, needed by roc_auc, got shape (20,)",
        ),
        (lambda x: x(PREDS / 0, TARGET), ValueError, None),
        *(
            (
                call,
                TypeError,
                "preds must have scores of one dtype in all batches, or floats, got torch.float32 and torch.int64",
            )
            for call in (
                lambda x: x((PREDS * 8).long(), TARGET),
                lambda x: x.update((PREDS * 8).long(), TARGET),
                lambda x: x.merge_state(filled(x.clone(), []).metric_state | {"scores": [(PREDS * 8).long()]}),
            )
        ),
        (
            lambda x: MultilabelMetric("auc", n_classes=0),
            ValueError,
            "n_classes must be a positive integer, got 0",
        ),
        (
            lambda x: MultilabelMetric("auc", n_classes=2, n_bins=0),
            ValueError,
            "n_bins must be at least 1, got 0",
        ),
        (
            lambda x: x.merge_state(MultilabelMetric("auc", "macro", n_classes=2)),
            ValueError,
            None,
        ),
        (
            lambda x: x.merge_state(MultilabelMetric("auc", "micro", n_classes=3)),
            ValueError,
            (
                "state must be of a metric with the same metrics, averages, n_bins, score_range, threshold, "
                "at_least_one, ignore_labels, n_classes and on_undefined, got that of one with others"
            ),
        ),
        (
            lambda x: x.merge_state(x.metric_state | {"scores": PREDS}),
            TypeError,
            "state must have scores as a list of tensors, got Tensor",
        ),
    ],
)
def test_what_is_refused_changes_nothing(call, error, message):
    metric = filled(MultilabelMetric("auc", "macro", n_classes=N_CLASSES))
    before = {name: getattr(metric, name) for name in metric._defaults}
    with pytest.raises(error, match=message and f"^{re.escape(message)}$"):
        call(metric)
    assert all(getattr(metric, name) is x for name, x in before.items())
    assert float(metric.compute()) == AUC


def test_before_an_update():
    """Also of measures that are 0 where something is 0/0, as nothing has been seen."""
    for n_bins in (None, 5):
        metric = MultilabelMetric("all", AVERAGES, n_classes=2, n_bins=n_bins)
        with pytest.warns(UserWarning, match="was called before the ``update`` method"):
            found = metric.compute()
        assert all(x.isnan() for x in found.values())
        metric.update(torch.zeros(3, 2), torch.zeros(3, 2))
        assert float(metric.compute()["f1_macro"]) == 0
    of_one_label = MultilabelMetric("f1", "macro", n_classes=2)
    of_one_label.update(torch.asarray([0, 1]), torch.asarray([0, 1]))
    assert float(of_one_label.compute()) == 1


def test_only_true_labels_are_unknown():
    """A prediction of the class that is ignored is a wrong one, as for torchmetrics: 2 of 3 samples are right."""
    true, predicted = [0, 1, 1, 2], [0, 1, 0, 2]
    tensors = torch.tensor(predicted), torch.tensor(true)
    assert float(multiclass_recall(*tensors, num_classes=3, average="micro", ignore_index=0)) == pytest.approx(2 / 3)
    assert multilabel.recall_score(true, predicted, average="micro", ignore_labels=0) == 2 / 3
    counts = multilabel.LabelCounts.from_labels(true, predicted, ignore_labels=0, n_classes=3)
    assert counts.false_positives.tolist() == [1, 0, 0]
    accumulator = multilabel.MultilabelAccumulator("recall", "micro", ignore_labels=[0], n_classes=3)
    accumulator.update(true, y_pred=predicted)
    assert float(accumulator.scores["recall_micro"]) == 2 / 3
