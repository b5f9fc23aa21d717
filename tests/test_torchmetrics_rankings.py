"""The ranking metric of torchmetrics: sums over queries, in loops, collections, files and processes."""

import copy
import functools
import io
import math
import pickle
import re
from fractions import Fraction

import pytest
import torch
from backends import as_on_a_device, transfers_to_host
from torch._dynamo.testing import CompileCounter
from torch_operations import TorchOperations
from torchmetrics import BootStrapper, MetricCollection, MetricTracker
from torchmetrics.retrieval import RetrievalMAP, RetrievalMRR

from gpuval import ranking
from gpuval.torchmetrics import RankingMetric

PREDS = torch.tensor([0.9, 0.3, 0.6, 0.5, 0.1, 0.8, 0.7])
TARGET = torch.tensor([0, 1, 1, 0, 1, 0, 1])
INDEXES = torch.tensor([0, 0, 4, 4, 4, 0, 0])
"""Query 0: scores .9 .8 .7 .3, relevant: third and fourth; query 4: .6 .5 .1, relevant: first and third."""
AP = [Fraction(1, 2) * (Fraction(1, 3) + Fraction(1, 2)), Fraction(1, 2) * (1 + Fraction(2, 3))]
RR = [Fraction(1, 3), Fraction(1)]
ROWS = torch.tensor([[0.9, 0.8, 0.7], [0.2, 0.3, 0.1]]), torch.tensor([[0, 1, 0], [1, 0, 0]])
"""A batch with the average precisions 1/2 and 1/2."""
MAP = (sum(AP) + 1) / 4
"""Of both batches."""


def close(exact):
    return pytest.approx(float(exact), abs=1e-15)


def filled(metric):
    metric.update(PREDS, TARGET, INDEXES)
    metric.update(*ROWS)
    return metric


def test_all_batches():
    metric = RankingMetric("map")
    assert float(metric(PREDS, TARGET, INDEXES)) == close(sum(AP) / 2)
    assert float(metric(PREDS, TARGET, indexes=INDEXES)) == close(sum(AP) / 2)
    metric.update(*ROWS)
    assert float(metric.compute()) == close((2 * sum(AP) + 1) / 6)
    assert metric.compute().dtype == torch.float64
    metric.reset()
    assert float(metric(*ROWS)) == 0.5
    assert float(filled(metric).compute()) == close((sum(AP) + 2) / 6)


def test_batches_without_queries_change_nothing():
    metric = RankingMetric("map")
    metric.update(torch.zeros((0, 2)), torch.zeros((0, 2), dtype=torch.int64))
    assert metric.compute().isnan()
    metric.update(torch.tensor([[0.5, 0.9]]), torch.tensor([[1, 0]]))
    metric.update(torch.zeros(0), torch.zeros(0), torch.zeros(0, dtype=torch.int64))
    assert float(metric.compute()) == 0.5


def test_several_measures():
    metric = filled(RankingMetric(["map", "mrr", "precision@1"]))
    found = metric.compute()
    assert list(found) == ["average_precision_score", "reciprocal_rank_score", "precision_at_n@1"]
    assert [float(x) for x in found.values()] == [close(MAP), close((sum(RR) + 1) / 4), 0.25]
    assert list(metric(*ROWS)) == list(found)
    assert len(RankingMetric(None)(*ROWS)) == 6
    assert list(RankingMetric({"nDCG": "ndcg@3"})(*ROWS)) == ["nDCG"]


def test_torchmetrics_own():
    """Equal where the definitions are: positive scores and no ties."""
    for name, other in (("map", RetrievalMAP()), ("mrr", RetrievalMRR())):
        other.update(PREDS, TARGET, INDEXES)
        metric = RankingMetric(name)
        metric.update(PREDS, TARGET, INDEXES)
        assert float(metric.compute()) == pytest.approx(float(other.compute()), abs=1e-6)


def test_scores_of_any_sign():
    """Below 0 torchmetrics takes documents for not retrieved."""
    other = RetrievalMAP()
    other.update(PREDS - 1, TARGET, INDEXES)
    metric = RankingMetric("map")
    metric.update(PREDS - 1, TARGET, INDEXES)
    assert float(metric.compute()) == close(sum(AP) / 2)
    assert float(other.compute()) == 0


def test_arguments_of_a_batch():
    metric = RankingMetric("recall@1", ignore_relevance=-1, on_undefined="skip", ties="stable")
    preds, target = torch.tensor([[1.0, 1.0, 2.0]] * 3), torch.tensor([[1, 0, -1], [0, 0, 0], [0, 1, 0]])
    metric.update(preds, target, sample_weight=torch.tensor([3.0, 2.0, 1.0], requires_grad=True))
    assert float(metric.compute()) == 0.75
    metric.reset()
    metric.update(preds, target, mask=torch.tensor([[True, True, False]] * 3), n_relevant=2)
    assert float(metric.compute()) == close(Fraction(1, 6))


def test_lists_that_lack_documents_and_batches_without_a_weight():
    metric = RankingMetric(["ndcg", "recall"])
    metric.update(torch.tensor([[2.0, 1.0]]), torch.tensor([[3, 0]]), ideal=torch.tensor([[3, 2, 1]]))
    metric.update(torch.tensor([[2.0, 1.0]]), torch.tensor([[1, 0]]), sample_weight=torch.zeros(1))
    metric.update(torch.zeros(0), torch.zeros(0), n_relevant=2)
    found = metric.compute()
    assert float(found["ndcg_score"]) == pytest.approx(3 / (3 + 2 / math.log2(3) + 1 / 2) / 2, rel=1e-15)
    assert float(found["recall_at_n"]) == close(Fraction(1, 6))


def test_an_update_reads_no_value_and_memory_does_not_grow():
    metric, indexes = RankingMetric(None), torch.tensor([0, 0, 1, 1, 1, 0, 0])
    with as_on_a_device(), transfers_to_host() as copied, TorchOperations() as called:
        for _ in range(3):
            metric.update(PREDS, TARGET, indexes, n_queries=2)
            metric.update(*ROWS)
        metric.compute()
    assert called.counter
    assert called.waits == 0
    assert not copied
    assert {name: tuple(getattr(metric, name).shape) for name in metric._defaults} == {
        "settings": (4,),
        "sums": (2, 2, 6),
    }
    with as_on_a_device(), transfers_to_host() as copied:
        metric.update(PREDS, TARGET, indexes)
    assert copied  # so it would be seen


def test_what_is_wrong_on_a_device_is_nan():
    metric = RankingMetric("map")
    with as_on_a_device():
        metric.update(PREDS, TARGET, INDEXES, n_queries=3)
    assert metric.compute().isnan()


def test_modes_without_gradients():
    metric = RankingMetric("map")
    with torch.inference_mode():
        metric.update(PREDS, TARGET, INDEXES)
        metric.reset()
        metric(PREDS, TARGET, INDEXES)
    metric.update(*ROWS)
    assert float(metric.compute()) == close(MAP)
    with as_on_a_device():
        metric.update(ROWS[0].clone().requires_grad_() * 2, ROWS[1])
    assert not metric.sums.requires_grad


def test_a_collection():
    """Metrics with one state are one group only if they measure the same: here all values of the first batch agree."""
    metrics = MetricCollection(
        {
            "one": RankingMetric("precision@1"),
            "same": RankingMetric("precision@1"),
            "other": RankingMetric("hit_rate@1"),
            "two": RankingMetric("precision@2"),
            "skip": RankingMetric("precision@1", on_undefined="skip"),
        }
    )
    first = torch.tensor([[2.0, 1.0]]), torch.tensor([[1, 1]])
    metrics.update(*first)
    metrics.update(torch.tensor([[2.0, 1.0]]), torch.tensor([[1, 0]]))
    metrics.update(torch.tensor([[2.0, 1.0]]), torch.tensor([[0, 0]]))
    assert sorted(map(len, metrics.compute_groups.values())) == [1, 1, 1, 2]
    found = {name: float(x) for name, x in metrics.compute().items()}
    wanted = {"one": 2 / 3, "same": 2 / 3, "other": 2 / 3, "two": 0.5, "skip": 1.0}
    assert found == {name: close(x) for name, x in wanted.items()}
    step = metrics(preds=first[0], target=first[1], indexes=None)
    assert {name: float(x) for name, x in step.items()} == dict.fromkeys(wanted, 1.0)


def saved(state):
    file = io.BytesIO()
    torch.save(state, file)
    return torch.load(io.BytesIO(file.getvalue()), weights_only=True)


@pytest.mark.parametrize(
    "copied", [copy.copy, copy.deepcopy, RankingMetric.clone, lambda x: pickle.loads(pickle.dumps(x))]
)
def test_a_copy_amid_batches(copied):
    metric = RankingMetric("map")
    metric.update(PREDS, TARGET, INDEXES)
    other = copied(metric)
    other.update(*ROWS)
    assert float(other.compute()) == close(MAP)
    assert float(metric.compute()) == close(sum(AP) / 2)


def test_a_checkpoint_of_a_module():
    metric, other = (torch.nn.ModuleDict({"m": RankingMetric("map")}) for _ in range(2))
    for module in (metric, other):
        module["m"].persistent(True)
    metric["m"].update(PREDS, TARGET, INDEXES)
    state = saved(metric.state_dict())
    other.load_state_dict(state)
    state["m.sums"][...] = 0
    other["m"].update(*ROWS)
    assert float(other["m"].compute()) == close(MAP)


def test_merged():
    metric, other = RankingMetric("map"), RankingMetric("map")
    metric.update(PREDS, TARGET, INDEXES)
    other.update(*ROWS)
    metric.merge_state(other)
    metric.merge_state(other.metric_state)
    assert float(metric.compute()) == close((sum(AP) + 2) / 6)


def test_ignored_relevances_are_the_same_however_they_are_written():
    target = torch.tensor([[0, 1, float("nan")], [1, -1, 0]])
    nan = float("nan")
    metric, other = (RankingMetric("map", ignore_relevance=x) for x in ([-1, nan], (x for x in [nan, -1.0])))
    other = other.clone()  # which copies no generator
    assert repr(other) == repr(metric) == "RankingMetric(average_precision_score, ignore_relevance=(None, -1))"
    for one in (metric, other):
        one.update(ROWS[0], target)
        one.update(ROWS[0], target)
    metric.merge_state(other)
    assert float(metric.compute()) == 0.75  # of the lists 0 1 and 1 0: (1/2 + 1)/2
    with pytest.raises(
        ValueError, match=r"^state must be of a metric with the same metrics, ties, ignore_relevance and"
    ):
        metric.merge_state(RankingMetric("map", ignore_relevance=-1))


def test_moved_and_of_another_type():
    metric = filled(RankingMetric("map"))
    module = torch.nn.ModuleDict({"m": metric}).to("cpu").half()
    metric.set_dtype(torch.float16)
    assert module["m"].sums.dtype == torch.float64
    assert float(metric.compute()) == close(MAP)
    with torch.device("meta"):
        assert RankingMetric("map").sums.device.type == "meta"


def test_a_tracker_and_a_bootstrap():
    tracker = MetricTracker(RankingMetric("map"))
    assert tracker.maximize is True
    for part in ((PREDS, TARGET, INDEXES), ROWS):
        tracker.increment()
        tracker.update(*part)
    assert [float(x) for x in tracker.compute_all()] == [close(sum(AP) / 2), 0.5]
    boots = BootStrapper(
        RankingMetric("map"), num_bootstraps=3, sampling_strategy="multinomial"
    )  # never without a query
    boots.update(*ROWS)
    assert float(boots.compute()["mean"]) == 0.5


def test_direction_and_text():
    assert RankingMetric(["map", "ndcg@3"]).higher_is_better is True
    assert RankingMetric(lambda ranked: ranked.relevance).higher_is_better is None
    assert repr(RankingMetric("ndcg@3")) == "RankingMetric(ndcg_score@3)"
    several = RankingMetric(["ndcg", "map"], ties="stable", ignore_relevance=-1, on_undefined="skip")
    assert repr(several) == (
        "RankingMetric([ndcg_score, average_precision_score], ties='stable', ignore_relevance=(-1,), "
        "on_undefined='skip')"
    )


def test_plots():
    pytest.importorskip("matplotlib").use("agg")
    metric = filled(RankingMetric("map"))
    for value in (None, [metric(*ROWS), metric(*ROWS)]):
        _, axes = metric.plot(value)
        assert "average_precision_score" in axes.get_title() + axes.get_ylabel() + str(axes.get_legend_handles_labels())


def test_an_update_is_compiled_once():
    for place in (as_on_a_device, torch.no_grad):
        with place():
            metric = RankingMetric("map")
            counter = CompileCounter()
            step = torch.compile(lambda x, y, metric=metric: metric.update(x, y), backend=counter, fullgraph=True)
            for _ in range(3):
                step(*ROWS)
            step(ROWS[0] * 2, ROWS[1] * 0)
            assert float(metric.compute()) == close(Fraction(3, 8))
            assert counter.frame_count == 1


def test_of_two_processes():
    """As torchmetrics synchronises: the states of all are put one upon another and reduced."""
    parts = [RankingMetric("map", sync_on_compute=False), RankingMetric("map")]
    parts[0].update(PREDS, TARGET, INDEXES)
    parts[1].update(*ROWS)

    def gathered(x, group=None):
        name = next(name for name in ("settings", "sums") if getattr(parts[0], name) is x)
        return [getattr(one, name) for one in parts]

    options = {"dist_sync_fn": gathered, "distributed_available": lambda: True}
    parts[0].sync(**options)
    assert float(parts[0].compute()) == close(MAP)  # which ends it
    parts[0].update(*ROWS)
    assert float(parts[0].compute()) == close(MAP)  # of its own queries
    parts[1] = RankingMetric("map", ties="stable")
    message = "metrics, ties, ignore_relevance and on_undefined must be the same in all processes, got different ones"
    with pytest.raises(ValueError, match=f"^{message}$"):
        parts[0].sync(**options)


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
        (lambda x: x.update(PREDS, TARGET[:3]), ValueError, "y_score must have the shape of y_true, (3,), got (7,)"),
        (
            lambda x: x.update(PREDS, TARGET - 1),
            ValueError,
            "y_true must be finite and not negative, got -1 at position 0; ignore_relevance= leaves documents out",
        ),
        (
            lambda x: x.update(TARGET, PREDS - 0.5),
            ValueError,
            (
                "y_true must be finite and not negative, got -0.19999998807907104 at position 1; y_true holds the "
                "relevances, y_score the scores: exchange them if they are the other way round"
            ),
        ),
        (
            lambda x: x(PREDS, TARGET, INDEXES[:2]),
            ValueError,
            "queries must have the query of each document (7), got 2",
        ),
        (lambda x: RankingMetric("map", ties=1), ValueError, "ties must be one of 'average', 'stable', got 1"),
        (
            lambda x: RankingMetric("map", on_undefined=1),
            ValueError,
            "on_undefined must be one of 'zero', 'one', 'nan', 'skip', got 1",
        ),
        (
            lambda x: RankingMetric("mapp"),
            ValueError,
            "metrics must be names of measures of rankings, got 'mapp'; did you mean map or ap?",
        ),
        (
            lambda x: x.merge_state(RankingMetric("mrr")),
            ValueError,
            (
                "state must be of a metric with the same metrics, ties, ignore_relevance and on_undefined, got that of "
                "one with others"
            ),
        ),
        (
            lambda x: x.merge_state({"settings": x.settings}),
            ValueError,
            "state must have sums, got settings",
        ),
        (
            lambda x: x.merge_state({"settings": x.settings, "sums": x.sums[..., :0]}),
            ValueError,
            "state must have sums of shape (2, 2, 1), got (2, 2, 0)",
        ),
        (
            lambda x: x.merge_state({"settings": x.settings, "sums": x.sums.float()}),
            ValueError,
            "state must have sums of torch.float64, got torch.float32",
        ),
    ],
)
def test_what_is_refused_changes_nothing(call, error, message):
    metric = RankingMetric("map")
    metric.update(PREDS, TARGET, INDEXES)
    before = metric.sums
    with pytest.raises(error, match=f"^{re.escape(message)}$"):
        call(metric)
    assert metric.sums is before
    assert float(metric.compute()) == close(sum(AP) / 2)


def test_before_an_update():
    with pytest.warns(UserWarning, match="was called before the ``update`` method"):
        assert RankingMetric("map").compute().isnan()
    partial = functools.partial(ranking.ndcg_score, n=2)
    assert list(RankingMetric([partial])(*ROWS)) == ["ndcg_score(n=2)"]
