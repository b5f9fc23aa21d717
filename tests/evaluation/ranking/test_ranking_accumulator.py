"""Means over queries batch by batch: any batches of whole queries, in any order, are one call."""

import copy
import functools
import io
import json
import pickle
import re
from fractions import Fraction

import numpy as np
import pytest
from backends import BACKENDS, as_on_a_device, jax_values_refused, transfers_to_host

from gpuval import ranking
from gpuval.evaluation.ranking.names import RANKING_MEASURES
from gpuval.ranking import Ranked, RankingAccumulator

METRICS = ["map", "mrr", "precision@2", "recall@2", "cg"]
ROWS = [
    [[0, 1, 2, 0], [0, 0, 0, 0], [3, 0, 0, 1]],
    [[0, 0, 0, 1], [1, 1, 1, 1], [0, 2, 0, 0]],
    [[1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 5, 1]],
]
"""Three batches of three queries: relevances in the order of the lists."""
SCORES = [0.9, 0.5, 0.25, 0.125]
WEIGHTS = [[1, 2, 0], [3, 1, 1], [0, 4, 2]]


def of_list(relevance):
    """The measures of one list, by their definitions; None if it has no relevant document."""
    hits = [x > 0 for x in relevance]
    ranks = [k for k, hit in enumerate(hits, 1) if hit]
    if not ranks:
        return [None] * 5
    return [
        sum(Fraction(sum(hits[:k]), k) for k in ranks) / len(ranks),
        Fraction(1, ranks[0]),
        Fraction(sum(hits[:2]), 2),
        Fraction(sum(hits[:2]), len(ranks)),
        Fraction(sum(relevance)),
    ]


def mean(lists, weights, skip):
    """The weighted mean of each measure; where it is not defined it is 0, or the list is left out."""
    found = []
    for values in zip(*map(of_list, lists), strict=True):
        pairs = [(x or 0, w) for x, w in zip(values, weights, strict=True) if not (skip and x is None)]
        found.append(Fraction(sum(x * w for x, w in pairs), sum(w for _, w in pairs)))
    return found


def flat(parts):
    return [x for part in parts for x in part]


def filled(backend, accumulator, batches=(0, 1, 2), weighed=True):
    for i in batches:
        weights = backend.array(np.asarray(WEIGHTS[i])) if weighed else None
        accumulator.update(backend.array(ROWS[i]), backend.array([SCORES] * 3), sample_weight=weights)
    return accumulator


def scores_of(accumulator):
    return {name: float(np.asarray(x)) for name, x in accumulator.scores.items()}


def expected(weighed=True, skip=False):
    return mean(flat(ROWS), flat(WEIGHTS) if weighed else [1] * 9, skip)


def test_batches_without_queries_change_nothing(backend):
    accumulator = RankingAccumulator(METRICS)
    relevance, scores = backend.array(np.zeros((0, 4), dtype=int)), backend.array(np.zeros((0, 4)))
    none = backend.array(np.zeros(0, dtype=int))
    accumulator.update(relevance, scores)
    assert all(np.isnan(backend.numpy(x)) for x in accumulator.scores.values())
    filled(backend, accumulator)
    accumulator.update(relevance, scores, sample_weight=backend.array(np.zeros(0)))
    accumulator.update(none, backend.array(np.zeros(0)), none)
    accumulator.update(none, backend.array(np.zeros(0)), none, n_queries=0)
    for score, exact in zip(accumulator.scores.values(), expected(), strict=True):
        backend.assert_close(score, exact)


def test_what_is_no_batch_without_queries():
    accumulator, nothing = RankingAccumulator(METRICS), np.zeros(0)
    accumulator.update([], [])
    with pytest.raises(ValueError, match=r"^y_true must have at least one document, got shape \(0,\)$"):
        accumulator.update(nothing, nothing)  # one query
    with pytest.raises(ValueError, match=r"^y_true must have at least one document, got shape \(0,\)$"):
        accumulator.update(nothing, nothing, nothing, n_queries=2)
    with pytest.raises(ValueError, match=r"^y_score must have the shape of y_true, \(0, 3\), got \(0, 2\)$"):
        accumulator.update(np.zeros((0, 3)), np.zeros((0, 2)))


@pytest.mark.parametrize("as_queries", [False, True])
def test_batches_without_a_weight_change_nothing(backend, as_queries):
    """Whatever their documents have, NaN among it; if no batch has a weight there is no mean."""
    accumulator = RankingAccumulator(METRICS)
    weights = backend.array(np.zeros(3))
    wrong = np.where(np.asarray(ROWS[0]) == 0, np.nan, ROWS[0]), np.asarray([SCORES] * 3)

    def update_without_weight():
        for relevance in (np.asarray(ROWS[0]), wrong[0]):
            arrays = [np.ravel(x) if as_queries else x for x in (relevance, wrong[1])]
            queries = [np.repeat([0, 1, 2], len(SCORES))] if as_queries else []
            options = {"n_queries": 3} if as_queries and not backend.finds_sizes else {}
            accumulator.update(*map(backend.array, arrays + queries), sample_weight=weights, **options)

    update_without_weight()
    assert all(np.isnan(backend.numpy(x)) for x in accumulator.scores.values())
    filled(backend, accumulator)
    update_without_weight()
    for score, exact in zip(accumulator.scores.values(), expected(), strict=True):
        backend.assert_close(score, exact)


def test_weights_of_a_batch_are_checked_though_none_is_above_0():
    accumulator = RankingAccumulator("map")
    with pytest.raises(ValueError, match=r"^sample_weight must have a weight for each query \(2\), got 1$"):
        accumulator.update([[1, 0], [0, 1]], sample_weight=[0])
    with pytest.raises(ValueError, match=r"^sample_weight must be above 0 for at least one query, got none of 1$"):
        ranking.average_precision_score([[1, 0]], sample_weight=[0])


def test_queries_without_documents():
    accumulator = RankingAccumulator(["map", "ndcg"])
    accumulator.update([1, 0], n_relevant=1)
    accumulator.update([], n_relevant=np.asarray(3))
    accumulator.update(np.zeros((2, 0)), ideal=[[2, 1], [3]])
    accumulator.update([], n_relevant=[])  # no query
    assert scores_of(accumulator) == {"average_precision_score": 0.25, "ndcg_score": 0.25}
    accumulator.update([3, 0], ideal=[3, 2, 1])
    wanted = (1 + 3 / (3 + 2 / np.log2(3) + 1 / 2)) / 5
    assert scores_of(accumulator)["ndcg_score"] == pytest.approx(wanted, rel=1e-15)
    accumulator = RankingAccumulator("recall")
    accumulator.update([1, 0], None, ["a", "a"], n_relevant={"a": 2, "b": 1})
    assert scores_of(accumulator) == {"recall_at_n": 0.25}


@pytest.mark.parametrize("weighed", [False, True])
@pytest.mark.parametrize("undefined", ["zero", "skip"])
def test_batches_are_one_call(backend, undefined, weighed):
    accumulator = filled(backend, RankingAccumulator(METRICS, on_undefined=undefined), weighed=weighed)
    wanted = expected(weighed, undefined == "skip")
    for score, exact in zip(accumulator.scores.values(), wanted, strict=True):
        backend.assert_close(score, exact)
        backend.assert_at_home(score, backend.array(SCORES))
    assert list(accumulator.scores) == [
        "average_precision_score",
        "reciprocal_rank_score",
        "precision_at_n@2",
        "recall_at_n@2",
        "cumulative_gain",
    ]


def test_vectors_with_their_queries(backend):
    """Unsorted; with ``n_queries`` where the numbers of queries are not to be found out."""
    accumulator, order = RankingAccumulator(METRICS), np.asarray([7, 3, 11, 0, 5, 9, 2, 10, 1, 8, 6, 4])
    for rows in ROWS:
        queries = backend.array(np.repeat(np.arange(3), 4)[order])
        given = backend.array(np.asarray(rows).reshape(-1)[order]), backend.array(np.asarray(SCORES * 3)[order])
        accumulator.update(*given, queries, n_queries=3)
    for score, exact in zip(accumulator.scores.values(), expected(weighed=False), strict=True):
        backend.assert_close(score, exact)


def test_batches_of_different_queries():
    """Of any lengths and names."""
    accumulator = RankingAccumulator("map")
    accumulator.update([1, 0, 1], [0.3, 0.2, 0.1], ["b", "b", "a"])
    accumulator.update([0, 1], [0.3, 0.2])
    accumulator.update(Ranked.from_scores([[0, 0, 1]], [[3, 2, 1]]))
    assert scores_of(accumulator)["average_precision_score"] == pytest.approx(float(Fraction(17, 24)), abs=1e-15)
    # 17/24 = (1 + 1 + 1/2 + 1/3)/4


def test_settings_are_those_of_each_measure():
    tied = [[0, 1, -1]], [[0.5, 0.5, 0.9]]
    for ties, exact in ((None, Fraction(3, 4)), ("average", Fraction(3, 4)), ("stable", Fraction(1, 2))):
        accumulator = RankingAccumulator("mrr", ties=ties, ignore_relevance=-1)
        accumulator.update(*tied)
        assert scores_of(accumulator) == {"reciprocal_rank_score": exact}
    partial = functools.partial(ranking.dcg_score, gain="exponential", n=1, on_undefined="one")
    accumulator = RankingAccumulator({"gain": partial, "default": "dcg@1"})
    accumulator.update([[3, 0], [0, 0]], [[2, 1], [2, 1]])
    assert scores_of(accumulator) == {"gain": 4.0, "default": 1.5}  # (2^3 - 1 + 1)/2 and (3 + 0)/2


def test_arguments_of_a_batch():
    accumulator = RankingAccumulator(["recall@1"])
    accumulator.update([[1, 0, 0]], [[3, 2, 1]], mask=[[True, True, False]], n_relevant=4)
    accumulator.update([[1, 1], [0, 1]], [[2, 1], [2, 1]], n_relevant=[2, 1], sample_weight=[2, 1])
    assert scores_of(accumulator) == {"recall_at_n@1": (1 / 4 + 2 * 1 / 2) / 4}


def first_relevance(ranked):
    """A value for each query, as users may have: the relevance of the first document."""
    return ranking.cumulative_gain(ranked, n=1, return_per_query=True).query_scores


def test_functions_of_users(backend):
    accumulator = filled(backend, RankingAccumulator({"first": first_relevance}), weighed=True)
    exact = Fraction(sum(x[0] * w for x, w in zip(flat(ROWS), flat(WEIGHTS), strict=True)), sum(flat(WEIGHTS)))
    backend.assert_close(accumulator.scores["first"], exact)


def test_functions_that_do_not_add_up():
    accumulator = RankingAccumulator(ranking.hit_rate)
    accumulator.update([[1]])
    for function, error, message in (
        (
            lambda ranked: 1.0,
            TypeError,
            "metrics must give an array of numpy with a value for each query to be added up, got float of <lambda>",
        ),
        (
            lambda ranked: np.ones(3),
            ValueError,
            "metrics must give a value for each query, shape (1,), to be added up, got shape (3,) of <lambda>",
        ),
    ):
        with pytest.raises(error, match=f"^{re.escape(message)}$"):
            RankingAccumulator(function).update([[1]])


# ---- sums ------------------------------------------------------------------------------------------


def test_nothing_of_a_batch_is_kept(backend):
    accumulator = RankingAccumulator(METRICS)
    for _ in range(3):
        filled(backend, accumulator)
        arrays = [x for x in vars(accumulator).values() if hasattr(x, "shape")]
        assert sorted(tuple(x.shape) for x in arrays) == [(0,), (2, 2, 5)]
        assert all(getattr(x, "base", None) is None or x.base.size <= 20 for x in arrays)


def test_a_tensor_that_is_kept_has_no_memory_of_a_batch():
    import torch

    for place in (as_on_a_device, lambda: BACKENDS["torch-host"].mode()):
        with place():
            accumulator = RankingAccumulator("map")
            accumulator.update(torch.ones(4, 1000), torch.ones(4, 1000))
            assert accumulator._given.untyped_storage().nbytes() == 0


def test_many_small_batches_lose_no_digits():
    """In 32 bits 2^24 + 1 = 2^24: the sum of weights of more queries than that would stand still."""
    backend = BACKENDS["strict-no-float64"]
    accumulator = RankingAccumulator("hit_rate")
    accumulator.update(backend.array([[1]]), sample_weight=backend.array(np.asarray([2.0**24])))
    for _ in range(100):
        accumulator.update(backend.array([[0]]), sample_weight=backend.array(np.asarray([1.0])))
    other = RankingAccumulator("hit_rate")
    for _ in range(10):
        other.merge(accumulator)
    wanted = Fraction(2**24, 2**24 + 100)
    for one in (accumulator, other):
        assert abs(float(backend.numpy(one.scores["hit_rate"])) - wanted) < 2**-23
    assert 1 - wanted > 2**-18  # it would be 1, if the sum stood still


def test_gains_without_bound():
    accumulator = RankingAccumulator("cg")
    with pytest.raises(ValueError, match=r"floats of 64 bits hold cumulative_gain, got up to 1\.5e\+308"):
        accumulator.update([[1.5e308, 1.5e308]])
    for _ in range(2):
        accumulator.update([[1.5e308]])
    assert list(scores_of(accumulator).values()) == [1.5e308]  # the mean is a float, as the sum over the queries is not


def test_queries_that_all_are_left_out():
    accumulator = RankingAccumulator(["map", "cg"], on_undefined="skip")
    accumulator.update([[0, 0]])
    assert np.isnan(scores_of(accumulator)["average_precision_score"])
    accumulator.update([[1, 0]])
    assert scores_of(accumulator) == {"average_precision_score": 1.0, "cumulative_gain": 1.0}


def test_merge(backend):
    first, second = (filled(backend, RankingAccumulator(METRICS), batches) for batches in ([0], [1, 2]))
    before = scores_of(second) if backend.name == "numpy" else None
    empty = RankingAccumulator(METRICS)
    empty.merge(first)
    empty.merge(RankingAccumulator(METRICS))
    empty.merge(second)
    for score, exact in zip(empty.scores.values(), expected(), strict=True):
        backend.assert_close(score, exact)
    assert before is None or scores_of(second) == before


def test_reset_and_copies():
    backend = BACKENDS["numpy"]
    accumulator = filled(backend, RankingAccumulator(METRICS), [0])
    copies = [copy.copy(accumulator), copy.deepcopy(accumulator), pickle.loads(pickle.dumps(accumulator))]
    filled(backend, accumulator, [1, 2])
    whole = scores_of(accumulator)
    for one in copies:
        assert scores_of(one) != whole
        assert scores_of(filled(backend, one, [1, 2])) == whole
    accumulator.reset()
    assert scores_of(filled(backend, accumulator)) == whole


def test_scores_stay_as_they_were():
    backend = BACKENDS["torch"]
    with backend.mode():
        accumulator = filled(backend, RankingAccumulator(METRICS), [0])
        before = accumulator.scores
        kept = [float(x) for x in before.values()]
        filled(backend, accumulator, [1])
        assert [float(x) for x in before.values()] == kept


def test_what_it_says_of_itself():
    accumulator = RankingAccumulator(["ndcg@10", "map"])
    assert repr(accumulator) == "RankingAccumulator([ndcg_score@10, average_precision_score])"
    accumulator.update([[1, 0]])
    assert repr(accumulator) == "RankingAccumulator([ndcg_score@10, average_precision_score], numpy)"


# ---- on a device -----------------------------------------------------------------------------------


OF_ANY_BATCH = sorted(set(RANKING_MEASURES) - {"expected_reciprocal_rank"})
"""The measures that need nothing that only all batches together tell."""


def test_an_update_reads_no_value():
    import torch
    from torch_operations import TorchOperations

    rows, scores, weights = torch.asarray(ROWS[0]), torch.asarray([SCORES] * 3), torch.asarray(WEIGHTS[0])
    queries = torch.arange(3).repeat_interleave(4)
    reciprocal = functools.partial(ranking.expected_reciprocal_rank, max_relevance=9)
    accumulator = RankingAccumulator([*OF_ANY_BATCH, reciprocal], ignore_relevance=-1)
    with as_on_a_device(), transfers_to_host() as copied, TorchOperations() as called:
        for _ in range(2):
            accumulator.update(rows, scores, sample_weight=weights, mask=rows < 9)
            accumulator.update(rows.reshape(-1), scores.reshape(-1), queries, n_queries=3, n_relevant=12)
        found = accumulator.scores
    assert called.counter
    assert called.waits == 0
    assert not copied
    assert all(type(x) is torch.Tensor for x in found.values())
    with as_on_a_device(), transfers_to_host() as copied:
        accumulator.update(rows.reshape(-1), scores.reshape(-1), queries)
    assert copied  # to find out how many queries there are; so it would be seen


def test_an_update_of_jax_reads_no_value():
    backend = BACKENDS["jax"]
    with backend.mode(), jax_values_refused(), transfers_to_host() as copied:
        _ = filled(backend, RankingAccumulator(METRICS)).scores
    assert not copied


@pytest.mark.parametrize("name", ["torch", "jax"])
def test_what_is_wrong_on_a_device_is_nan(name):
    backend = BACKENDS[name]
    with backend.mode():
        for wrong in (
            {"y_true": [[1, -1]]},
            {"y_score": [[np.nan, 1.0]]},
            {"y_true": [1, 0], "y_score": [2.0, 1.0], "queries": [0, 1], "n_queries": 1},
            {"sample_weight": [-1.0]},
            {"n_relevant": [0]},
        ):
            given = {"y_true": [[1, 0]], "y_score": [[2.0, 1.0]]} | wrong
            given = {x: backend.array(y) if isinstance(y, list) else y for x, y in given.items()}
            accumulator = RankingAccumulator(["map", "precision@1"], on_undefined="skip")
            accumulator.update(backend.array([[1, 0]]), backend.array([[2.0, 1.0]]))
            accumulator.update(**given)
            assert all(np.isnan(backend.numpy(x)) for x in accumulator.scores.values()), wrong


def test_gradients_and_inference_mode_are_not_kept():
    import torch

    with as_on_a_device():
        accumulator = RankingAccumulator("map")
        scores = torch.tensor([[0.5, 0.2]], requires_grad=True)
        accumulator.update(torch.tensor([[0, 1]]), scores * 2, sample_weight=torch.ones(1, requires_grad=True))
        assert not accumulator._sums.requires_grad
        with torch.inference_mode():
            accumulator.update(torch.tensor([[1, 0]]), torch.tensor([[0.5, 0.2]]))
        assert not accumulator._sums.is_inference()
        accumulator.update(torch.tensor([[1, 0]]), torch.tensor([[0.5, 0.2]]))
        first = RankingAccumulator("map")
        with torch.inference_mode():
            first.update(torch.tensor([[1, 0]]), torch.tensor([[0.5, 0.2]]))
        assert not first._sums.is_inference()
        assert not first._given.is_inference()
    assert scores_of(accumulator) == pytest.approx({"average_precision_score": 5 / 6}, abs=1e-15)


def test_inside_of_jax():
    import jax

    x = jax.numpy.asarray([[1.0, 0.0]])
    inside = RankingAccumulator("map")

    def loss(scores):
        inside.update(x, scores, sample_weight=scores[:, 0])
        return scores.sum()

    jax.grad(loss)(x)
    assert scores_of(inside) == {"average_precision_score": 1.0}
    message = (
        "an accumulator cannot be updated inside jax.jit or jax.vmap: return the values of the queries from there "
        "(return_per_query=True), or update it with a Ranked that was made there"
    )
    with pytest.raises(TypeError, match=f"^{re.escape(message)}"):
        jax.jit(lambda x: inside.update(x, x))(x)
    made = jax.jit(Ranked.from_scores)(x, x)
    inside.update(made)
    assert scores_of(inside) == {"average_precision_score": 1.0}


@pytest.mark.parametrize("place", [as_on_a_device, BACKENDS["torch-host"].mode])
def test_an_update_is_compiled(place):
    """Also where the sums lie in NumPy outside of the graph."""
    import torch

    with place():
        accumulator = filled(BACKENDS["torch-host"], RankingAccumulator(METRICS), [0], weighed=False)
        step = torch.compile(lambda x, y: accumulator.update(x, y), backend="eager")
        for i in (1, 2):
            step(torch.asarray(ROWS[i]), torch.asarray([SCORES] * 3))
        wanted = [float(x) for x in expected(weighed=False)]
        assert list(scores_of(accumulator).values()) == pytest.approx(wanted, abs=1e-14)


# ---- checkpoints -----------------------------------------------------------------------------------


def pickled(x):
    return pickle.loads(pickle.dumps(x))


def through_torch(state):
    import torch

    file = io.BytesIO()
    torch.save(state, file)
    return torch.load(io.BytesIO(file.getvalue()), weights_only=True)


@pytest.mark.parametrize("name", ["numpy", "torch", "torch-host", "jax", "strict"])
def test_a_state_goes_on(name):
    backend, settings = BACKENDS[name], {"ties": "stable", "ignore_relevance": [7, -1], "on_undefined": "skip"}
    with backend.mode():
        whole = filled(backend, RankingAccumulator(METRICS, **settings))
        half = filled(backend, RankingAccumulator(METRICS, **settings), [0, 1])
        ways = [copy.deepcopy] if name == "strict" else [copy.deepcopy, pickled]
        for through in [*ways, through_torch] if name.startswith(("torch", "numpy")) else ways:
            other = RankingAccumulator(METRICS, **settings)
            other.load_state_dict(through(half.state_dict()))
            found, wanted = filled(backend, other, [2]).scores, whole.scores
            assert [float(backend.numpy(x)) for x in found.values()] == [
                float(backend.numpy(x)) for x in wanted.values()
            ]
            assert [type(x) for x in found.values()] == [type(x) for x in wanted.values()]
        other.load_state_dict(RankingAccumulator(METRICS, **settings).state_dict())
        with pytest.raises(ValueError, match=r"^an accumulator must have had an update before its scores are read"):
            _ = other.scores


NAN = float("nan")


@pytest.mark.parametrize("through", [lambda x: json.loads(json.dumps(x)), pickled, through_torch])
@pytest.mark.parametrize(
    "ignored", [[NAN, -1, 0.5], np.asarray([0.5, NAN, -1.0, NAN]), (Fraction(1, 2), None, np.asarray(-1))]
)
def test_ignored_relevances_are_the_same_however_they_are_written(ignored, through):
    """Also NaN, which is not equal to itself, and no longer the same object after it was in a file."""
    whole, half = (RankingAccumulator("mrr", ignore_relevance=x) for x in ([-1, NAN, 0.5], ignored))
    half.update([[NAN, -1, 0.5, 0, 1]])
    half.update([[1, NAN, -1, 0.5, 0]])
    whole.load_state_dict(through(half.state_dict()))
    whole.merge(half)
    assert scores_of(whole) == {"reciprocal_rank_score": 0.75}  # (1/2 + 1)/2
    for others in ([-1, 0.5], [-1, NAN, 0.25], None):
        other = RankingAccumulator("mrr", ignore_relevance=others)
        with pytest.raises(ValueError, match=r"the same ignore_relevance to be merged, got \[None, -1, 0.5\] and \["):
            half.merge(other)
        with pytest.raises(ValueError, match=r"the same ignore_relevance=\[.*\], got \[None, -1, 0.5\]$"):
            other.load_state_dict(through(half.state_dict()))


@pytest.mark.parametrize("name", ["numpy", "torch"])
def test_a_state_is_a_copy(name):
    backend = BACKENDS[name]
    with backend.mode():
        accumulator = filled(backend, RankingAccumulator(METRICS))
        before = [float(x) for x in accumulator.scores.values()]
        for _ in range(2):
            state = accumulator.state_dict()
            accumulator.load_state_dict(state)
            if name == "numpy":
                state["sums"]["values"][:] = [0.0] * 20
            else:
                state["sums"][...] = 0
        assert [float(x) for x in accumulator.scores.values()] == before


SUMS = {"dtype": "<f8", "shape": [2, 2, 1], "values": [1.0, 2.0, 0.0, 0.0]}


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        (None, TypeError, "state must be a mapping, as state_dict() gives it, got NoneType"),
        (
            {"metrics": ["map"]},
            ValueError,
            (
                "state must be of an accumulator with the same metrics=['average_precision_score: "
                "average_precision_score()'], got ['map']"
            ),
        ),
        (
            {"ties": "stable"},
            ValueError,
            "state must be of an accumulator with the same ties=None, got stable",
        ),
        (
            {"on_undefined": "skip"},
            ValueError,
            "state must be of an accumulator with the same on_undefined=None, got skip",
        ),
        (
            {"ignore_relevance": [0]},
            ValueError,
            "state must be of an accumulator with the same ignore_relevance=[], got [0]",
        ),
        ({"sums": 3}, TypeError, "state must have sums as an array, got int"),
        (
            {"sums": {**SUMS, "shape": [4, 1]}},
            ValueError,
            "state must have sums of shape (2, 2, 1), got (4, 1)",
        ),
        ({"sums": {**SUMS, "dtype": "<i8"}}, ValueError, "state must have sums of floats, got dtype int64"),
        ({"given": np.ones(3)}, ValueError, "state must have given of shape (0,), got (3,)"),
    ],
)
def test_a_state_that_is_broken_changes_nothing(change, error, message):
    accumulator = RankingAccumulator("map")
    accumulator.update([[0, 1]])
    state = None if change is None else accumulator.state_dict() | change
    with pytest.raises(error, match=f"^{re.escape(message)}$"):
        accumulator.load_state_dict(state)
    assert scores_of(accumulator) == {"average_precision_score": 0.5}
    without = accumulator.state_dict()
    del without["given"]
    message = "state must have given, got metrics, ties, ignore_relevance, on_undefined, sums"
    with pytest.raises(ValueError, match=f"^{message}$"):
        accumulator.load_state_dict(without)


# ---- what is refused -------------------------------------------------------------------------------


def test_batches_that_do_not_go_together():
    import torch

    accumulator = RankingAccumulator("map")
    accumulator.update([[0, 1]])
    with pytest.raises(
        TypeError, match=r"^y_true must be of the array library of the accumulator \(numpy\), got torch$"
    ):
        accumulator.update(torch.tensor([[1, 0]]))
    strict = BACKENDS["strict"]
    on_device = RankingAccumulator("map")
    on_device.update(strict.array([[0, 1]]))
    with pytest.raises(ValueError, match=r"^y_true must be on the device of the accumulator \(.*device1.*\), got "):
        on_device.update(BACKENDS["strict-fixed-shapes"].array([[1, 0]]))
    with pytest.raises(
        TypeError, match=r"^other must be of the array library of the accumulator \(numpy\), got array_api_strict$"
    ):
        accumulator.merge(on_device)
    with pytest.raises(ValueError, match=r"^y_true must be finite and not negative, got -1 at row 0, column 1"):
        accumulator.update([[1, -1]])
    assert scores_of(accumulator) == {"average_precision_score": 0.5}


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            lambda x: x.merge(3),
            TypeError,
            "other must be a RankingAccumulator, got int",
        ),
        (
            lambda x: x.merge(RankingAccumulator("map", ties="stable")),
            ValueError,
            "accumulators must have the same ties to be merged, got None and stable",
        ),
        (
            lambda x: x.merge(RankingAccumulator("mrr")),
            ValueError,
            (
                "accumulators must have the same metrics to be merged, got ['average_precision_score: "
                "average_precision_score()'] and ['reciprocal_rank_score: reciprocal_rank_score()']"
            ),
        ),
        (
            lambda x: x.scores,
            ValueError,
            "an accumulator must have had an update before its scores are read, got none",
        ),
        (
            lambda x: RankingAccumulator("map", ties="mean"),
            ValueError,
            "ties must be one of 'average', 'stable', got 'mean'",
        ),
        (
            lambda x: RankingAccumulator("map", on_undefined="none"),
            ValueError,
            "on_undefined must be one of 'zero', 'one', 'nan', 'skip', got 'none'",
        ),
        (
            lambda x: x.update(Ranked.from_scores([[1]]), [[1]]),
            TypeError,
            "y_score= cannot be given with a Ranked: give it to Ranked.from_scores",
        ),
        (
            lambda x: RankingAccumulator("map", ties="stable").update(Ranked.from_scores([[1]])),
            TypeError,
            "ties= cannot be given with a Ranked: give it to Ranked.from_scores",
        ),
    ],
)
def test_whole_messages(call, error, message):
    with pytest.raises(error, match=f"^{re.escape(message)}$"):
        call(RankingAccumulator("map"))


def test_one_process_is_itself():
    accumulator = RankingAccumulator("map")
    assert accumulator.all_reduce() is accumulator
    with pytest.raises(RuntimeError, match=r"^torch\.distributed must be initialised before all_reduce"):
        accumulator.all_reduce(group=object())
