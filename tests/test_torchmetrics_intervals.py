"""The metric of intervals of torchmetrics: sums over samples, in loops, collections, files and processes."""

import copy
import functools
import io
import pickle
import re
from fractions import Fraction
from math import inf

import pytest
import torch
from backends import as_on_a_device, transfers_to_host
from torch._dynamo.testing import CompileCounter
from torch_operations import TorchOperations
from torchmetrics import MetricCollection, MetricTracker

from gpuval.intervals import inclusion_score, jaccard_score
from gpuval.torchmetrics import IntervalMetric

FIRST = torch.tensor([[1, 7], [0, 4], [5, 6]]), torch.tensor([[0, 4], [0, 4], [0, 4]])
"""Predicted intervals and true ones, with intersections of 3 of 7, 4 of 4, and 0 of 5."""
SECOND = torch.tensor([[0, 2]]), torch.tensor([[0, 4]])
"""An intersection of 2 of 4."""
JACCARD = [Fraction(3, 7), Fraction(1), Fraction(0), Fraction(1, 2)]
SIMPSON = [Fraction(3, 4), Fraction(1), Fraction(0), Fraction(1)]
OF_FIRST, OF_BOTH = sum(JACCARD[:3]) / 3, sum(JACCARD) / 4


def close(exact):
    return pytest.approx(float(exact), abs=1e-15)


def filled(metric):
    metric.update(*FIRST)
    metric.update(*SECOND)
    return metric


def test_all_batches():
    metric = IntervalMetric("jaccard")
    assert float(metric(*FIRST)) == close(OF_FIRST)
    assert float(metric(*SECOND)) == 0.5
    assert float(metric.compute()) == close(OF_BOTH)
    assert metric.compute().dtype == torch.float64
    metric.reset()
    assert float(metric(preds=SECOND[0], target=SECOND[1])) == 0.5
    assert float(metric.compute()) == 0.5


def test_predictions_are_first():
    metric = IntervalMetric([inclusion_score, functools.partial(inclusion_score, of="pred")])
    found = metric(*SECOND)
    assert {name: float(x) for name, x in found.items()} == {
        "inclusion_score": 0.5,  # of the true interval, of length 4
        "inclusion_score(of='pred')": 1.0,
    }


def test_several_measures():
    found = filled(IntervalMetric(["jaccard", "simpson"])).compute()
    wanted = {"jaccard_score": OF_BOTH, "simpson_score": sum(SIMPSON) / 4}
    assert {name: float(x) for name, x in found.items()} == {name: close(x) for name, x in wanted.items()}
    assert len(IntervalMetric()(*SECOND)) == 6
    assert list(IntervalMetric({"IoU": "jaccard"})(*SECOND)) == ["IoU"]


def test_arguments_of_a_batch():
    metric = IntervalMetric("jaccard", on_undefined="skip")
    weights = torch.tensor([7.0, 1.0, 2.0], requires_grad=True)
    metric.update(FIRST[0].double().requires_grad_(), FIRST[1], sample_weight=weights)
    assert not metric.sums.requires_grad
    assert float(metric.compute()) == close(Fraction(3 + 1, 10))
    metric.update(*FIRST, mask=torch.tensor([False, True, False]))
    assert float(metric.compute()) == close(Fraction(3 + 1 + 1, 11))
    metric.update(torch.tensor([[1, inf]]), torch.tensor([[0, inf]]))
    assert float(metric.compute()) == close(Fraction(3 + 1 + 1, 11))


def test_an_update_reads_no_value_and_memory_does_not_grow():
    metric = IntervalMetric()
    with as_on_a_device(), transfers_to_host() as copied, TorchOperations() as called:
        for _ in range(3):
            metric.update(*FIRST, sample_weight=torch.ones(3))
            metric.update(*SECOND, mask=torch.tensor([True]))
        metric.compute()
    assert called.counter
    assert called.waits == 0
    assert not copied
    shapes = {name: tuple(getattr(metric, name).shape) for name in metric._defaults}
    assert shapes == {"settings": (4,), "sums": (2, 2, 6)}


def test_what_is_wrong_on_a_device_is_nan():
    metric = IntervalMetric("jaccard")
    with as_on_a_device():
        metric.update(FIRST[0].flip(1), FIRST[1])
    assert metric.compute().isnan()


def test_a_collection():
    """Metrics with one state are one group only if they measure the same: here all values of the first batch agree."""
    metrics = MetricCollection(
        {
            "one": IntervalMetric("jaccard"),
            "same": IntervalMetric("jaccard"),
            "other": IntervalMetric("simpson"),
            "skip": IntervalMetric("jaccard", on_undefined="skip"),
        }
    )
    metrics.update(SECOND[1], SECOND[1])
    metrics.update(*SECOND)
    assert sorted(map(len, metrics.compute_groups.values())) == [1, 1, 2]
    found = {name: float(x) for name, x in metrics.compute().items()}
    assert found == {"one": 0.75, "same": 0.75, "other": 1.0, "skip": 0.75}


@pytest.mark.parametrize(
    "copied", [copy.copy, copy.deepcopy, IntervalMetric.clone, lambda x: pickle.loads(pickle.dumps(x))]
)
def test_a_copy_amid_batches(copied):
    metric = IntervalMetric("jaccard")
    metric.update(*FIRST)
    other = copied(metric)
    other.update(*SECOND)
    assert float(other.compute()) == close(OF_BOTH)
    assert float(metric.compute()) == close(OF_FIRST)


def test_a_checkpoint_and_a_sum():
    metric, other = (torch.nn.ModuleDict({"m": IntervalMetric("jaccard")}) for _ in range(2))
    for module in (metric, other):
        module["m"].persistent(True)
    metric["m"].update(*FIRST)
    file = io.BytesIO()
    torch.save(metric.state_dict(), file)
    other.load_state_dict(torch.load(io.BytesIO(file.getvalue()), weights_only=True))
    other["m"].update(*SECOND)
    assert float(other["m"].compute()) == close(OF_BOTH)
    metric["m"].merge_state(other["m"])
    assert float(metric["m"].compute()) == close((6 * OF_FIRST + Fraction(1, 2)) / 7)


def test_moved_and_tracked():
    metric = filled(IntervalMetric("jaccard"))
    module = torch.nn.ModuleDict({"m": metric}).to("cpu").half()
    assert module["m"].sums.dtype == torch.float64
    assert float(metric.compute()) == close(OF_BOTH)
    tracker = MetricTracker(IntervalMetric("jaccard"))
    assert tracker.maximize is True
    for part in (FIRST, SECOND):
        tracker.increment()
        tracker.update(*part)
    assert [float(x) for x in tracker.compute_all()] == [close(OF_FIRST), 0.5]


def test_direction_and_text():
    assert IntervalMetric().higher_is_better is True
    assert repr(IntervalMetric("jaccard")) == "IntervalMetric(jaccard_score)"
    several = IntervalMetric(["jaccard", "ochiai"], on_undefined="skip")
    assert repr(several) == "IntervalMetric([jaccard_score, ochiai_score], on_undefined='skip')"


def test_an_update_is_compiled_once():
    for place in (as_on_a_device, torch.no_grad):
        with place():
            metric = IntervalMetric("jaccard")
            counter = CompileCounter()
            step = torch.compile(lambda x, y, metric=metric: metric.update(x, y), backend=counter, fullgraph=True)
            for _ in range(3):
                step(*FIRST)
            step(FIRST[1], FIRST[1].clone())
            assert float(metric.compute()) == close((3 * OF_FIRST + 1) / 4)
            assert counter.frame_count == 1
            step(FIRST[1], FIRST[1])  # one tensor twice is another graph
            assert float(metric.compute()) == close((3 * OF_FIRST + 2) / 5)


def test_of_two_processes():
    """As torchmetrics synchronises: the states of all are put one upon another and reduced."""
    parts = [IntervalMetric("jaccard", sync_on_compute=False), IntervalMetric("jaccard")]
    parts[0].update(*FIRST)
    parts[1].update(*SECOND)

    def gathered(x, group=None):
        name = next(name for name in ("settings", "sums") if getattr(parts[0], name) is x)
        return [getattr(one, name) for one in parts]

    options = {"dist_sync_fn": gathered, "distributed_available": lambda: True}
    parts[0].sync(**options)
    assert float(parts[0].compute()) == close(OF_BOTH)  # which ends it
    parts[1] = IntervalMetric("simpson")
    message = "metrics and on_undefined must be the same in all processes, got different ones"
    with pytest.raises(ValueError, match=f"^{message}$"):
        parts[0].sync(**options)


# ---- what is refused -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            lambda x: x.update(FIRST[0].tolist(), FIRST[1]),
            TypeError,
            "preds and target must be tensors of PyTorch, got list and Tensor",
        ),
        (
            lambda x: x.update(FIRST[0].to("meta"), FIRST[1].to("meta")),
            ValueError,
            (
                "preds and target must be on the device of the metric (cpu), got meta; move the metric there by "
                ".to('meta')"
            ),
        ),
        (
            lambda x: x(FIRST[0][:2], FIRST[1]),
            ValueError,
            "pred_intervals must have as many samples as true_intervals (3), got 2",
        ),
        (
            lambda x: x.update(FIRST[0].flip(1), FIRST[1]),
            ValueError,
            "pred_intervals must have no end below its start, got [7, 1] in row 0; mask= leaves samples out",
        ),
        (
            lambda x: IntervalMetric("iouu"),
            ValueError,
            (
                "metrics must be names or functions of measures of gpuval.intervals, got 'iouu'; there are "
                "braun_blanquet, inclusion, jaccard, kulczynski, mean_inclusion, ochiai, simpson, sorensen"
            ),
        ),
        (
            lambda x: IntervalMetric(jaccard_score, on_undefined=0),
            ValueError,
            "on_undefined must be one of 'zero', 'one', 'nan', 'skip', got 0",
        ),
        (
            lambda x: x.merge_state(IntervalMetric("simpson")),
            ValueError,
            "state must be of a metric with the same metrics and on_undefined, got that of one with others",
        ),
        (
            lambda x: x.merge_state({"settings": x.settings, "sums": x.sums[..., :0]}),
            ValueError,
            "state must have sums of shape (2, 2, 1), got (2, 2, 0)",
        ),
    ],
)
def test_what_is_refused_changes_nothing(call, error, message):
    metric = IntervalMetric("jaccard")
    metric.update(*FIRST)
    before = metric.sums
    with pytest.raises(error, match=f"^{re.escape(message)}$"):
        call(metric)
    assert metric.sums is before
    assert float(metric.compute()) == close(OF_FIRST)
