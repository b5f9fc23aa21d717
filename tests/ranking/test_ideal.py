"""Lists that lack relevant documents: the ideal of nDCG, numbers of relevant documents, queries without documents."""

from __future__ import annotations

from functools import partial
from math import log2

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import ranking_oracles as oracles
import torch
from backends import BACKENDS, as_on_a_device, transfers_to_host
from packages import pd, pl
from ranking_cases import IDEAL, N_QUERIES, exact, flat, of_each, rows, rows_of_ideal

import gpuval.ranking
from gpuval import ranking
from gpuval.ranking import Ranked, average_precision_score, ndcg_score, recall_at_n

MEASURES = {name: getattr(gpuval.ranking, name) for name in oracles.ORACLES}


# Five queries that were judged, of which a run misses one: values of the definitions, which pytrec_eval and ir_measures
# confirm query by query (nDCG, nDCG with exponential gains, AP and AP@2; gains of documents not judged are 0)

JUDGED = {"q1": [2, 1, 0, 1, 0], "q2": [1, 0, 1], "q3": [1], "q4": [0], "q6": [3, 1, 0, 2, 0]}
RUN = {
    "q1": ((0, 2, 0, 1, 0), (0.9, 0.8, 0.7, 0.6, 0.5)),
    "q2": ((0, 1, 1), (2, 1, 1)),
    "q4": ((0,), (1,)),
    "q6": ((0, 0, 1, 0, 0, 3, 2, 0), (9, 8, 7, 6, 5, 5, 4, 3)),
}
"""The relevances of the documents that were found, and their scores; q3 is missing, two documents of q6 are tied."""

QUERIES = np.asarray([q for q, (own, _) in RUN.items() for _ in own])
Y, S = (np.asarray([x for of_one in RUN.values() for x in of_one[i]], dtype=float) for i in (0, 1))

VALUES = {
    "ndcg": (ndcg_score, {}, [0.540585767945010221, 0.693426403617270793, 0, 0, 0.479068451044926283]),
    "ndcg@2": (ndcg_score, {"n": 2}, [0.479624933136262889, 0.386852807234541587, 0, 0, 0]),
    "exponential": (
        ndcg_score,
        {"gain": "exponential", "n": 10},
        [0.562455901550729118, 0.693426403617270793, 0, 0, 0.436580643552849396],
    ),
    "ap": (average_precision_score, {}, [1 / 3, 7 / 12, 0, 0, 79 / 210]),
    "ap@2": (average_precision_score, {"n": 2}, [1 / 4, 1 / 4, 0, 0, 0]),
    "ap@2 of trec": (average_precision_score, {"n": 2, "divisor": "relevant"}, [1 / 6, 1 / 4, 0, 0, 0]),
}


@pytest.mark.parametrize("call", VALUES)
def test_a_run_that_misses_documents_and_a_query(backend, call):
    measure, options, values = VALUES[call]
    arrays = backend.array(Y), backend.array(S)
    mean = sum(values) / 5
    if backend.finds_sizes:
        found = measure(*arrays, QUERIES, ideal=JUDGED, return_per_query=True, **options)
        backend.assert_close(found.score, mean)
        backend.assert_close(found.query_scores, values)
        assert found.queries.tolist() == list(JUDGED)
    codes = backend.array(np.asarray([list(JUDGED).index(q) for q in QUERIES]))
    padded = backend.array(np.asarray([[*x, *[0] * (5 - len(x))] for x in JUDGED.values()]))
    found = measure(*arrays, codes, n_queries=5, ideal=padded, return_per_query=True, **options)
    backend.assert_close(found.query_scores, values)
    backend.assert_at_home(found.score, arrays[0])


def test_lists_of_each_query_in_any_container():
    lists = [[2, 1], [3, 1, 1]]
    given = [[1, 0], [3, 1]]
    wanted = ndcg_score(given, ideal=np.asarray([[2.0, 1, 0], [1, 3, 1]]))
    for ideal in (
        lists,
        tuple(map(tuple, lists)),
        list(map(np.asarray, lists)),
        pd.Series(lists),
        pl.Series(lists),
        np.asarray([*lists, None], dtype=object)[:2],
        pd.DataFrame([[2, 1, 0], [1, 3, 1]]),
        torch.tensor([[2, 1, 0], [3, 1, 1]]).numpy(),
    ):
        assert ndcg_score(given, ideal=ideal) == wanted
    assert ndcg_score([3, 0], ideal=pl.Series([3, 2, 1])) == ndcg_score([3, 0], ideal=[3, 2, 1])


def test_names_in_any_form():
    """A mapping, a Series of lists or of numbers, in any order; also of numbers on a device."""
    shuffled = {name: JUDGED[name] for name in ("q6", "q1", "q3", "q2", "q4")}
    for judged in (shuffled, pd.Series(shuffled), {name: np.asarray(x) for name, x in shuffled.items()}):
        scores = ranking.evaluate(Y, S, QUERIES, ideal=judged, metrics=["ndcg", "map"])
        assert scores.n_queries == 5
        assert scores["ndcg"] == pytest.approx(0.342616124521441459, abs=1e-15)
        assert scores["map"] == pytest.approx(181 / 700, abs=1e-15)
        assert scores.n_undefined["ndcg_score"] == 1  # q4, of which nothing is relevant; q3 is a miss
    counts = {name: sum(x > 0 for x in own) for name, own in shuffled.items()}
    table = pd.DataFrame({"query": QUERIES, "relevance": Y, "score": S}).sample(frac=1, random_state=0)
    for n_relevant in (counts, pd.Series(counts)):
        found = average_precision_score(table["relevance"], table["score"], table["query"], n_relevant=n_relevant)
        assert found == pytest.approx(181 / 700, abs=1e-15)
    numbers = np.asarray([int(q[1]) for q in QUERIES])
    by_number = {int(name[1]): x for name, x in JUDGED.items()}
    for backend in (BACKENDS["torch"], BACKENDS["jax-x64"]):
        with backend.mode():
            found = ndcg_score(*map(backend.array, (Y, S, numbers)), ideal=by_number, return_per_query=True)
            backend.assert_close(found.query_scores, VALUES["ndcg"][2])
            assert found.queries.tolist() == [1, 2, 3, 4, 6]
    weights = pd.Series({"q1": 1, "q2": 0, "q3": 1, "q4": 0, "q6": 0})
    found = ndcg_score(Y, S, QUERIES, ideal=JUDGED, sample_weight=weights)
    assert found == pytest.approx(0.540585767945010221 / 2, abs=1e-15)


def test_a_series_with_an_index_is_by_name_also_if_the_names_are_0_1_2():
    """What ``groupby`` gives of the queries 0, 1 and 2, of which a run has no document of 1."""
    table = pd.DataFrame({"q": [0, 0, 1, 2, 2, 2], "d": [2, 1, 3, 1, 1, 2]})
    judged = table.groupby("q")["d"].apply(list)
    run = [2, 0, 1], [0.9, 0.5, 0.8], [0, 0, 2]
    wanted = (2 / (2 + 1 / log2(3)) + 1 / (2.5 + 1 / log2(3))) / 3
    for ideal in (judged, judged.to_dict()):
        assert ndcg_score(*run, ideal=ideal) == pytest.approx(wanted, rel=1e-15)
    run = [1, 0, 1], *run[1:]
    wanted = recall_at_n(*run, n_relevant={0: 2, 1: 1, 2: 3})
    for n_relevant in (table["q"].value_counts(), table.groupby("q").size(), pd.Series([2, 1, 3], index=[0, 1, 2])):
        assert recall_at_n(*run, n_relevant=n_relevant) == wanted == pytest.approx((1 / 2 + 1 / 3) / 3, rel=1e-15)
    # Without an index it is in the order of the queries
    for n_relevant in (pd.Series([2, 4]), pd.Series([9, 2, 4])[1:].reset_index(drop=True)):
        assert recall_at_n([1, 0, 1], run[1], [5, 5, 7], n_relevant=n_relevant) == 3 / 8
    plain = pd.Series([2, 4])  # as pandas 3 has it of {0: 2, 1: 4}
    with pytest.raises(ValueError, match=r"n_relevant must be a mapping or an array .*, got queries from 0 to 2"):
        recall_at_n(*run, n_relevant=plain)
    assert recall_at_n(*run, n_relevant=plain.to_numpy()) == 3 / 8
    for queries in ([0, 0, 1], ["0", "0", "2"]):
        assert recall_at_n(*run[:2], queries, n_relevant=plain) == 3 / 8
    by_range = pd.Series([4, 2], index=pd.RangeIndex(1, -1, -1))
    assert recall_at_n(*run[:2], [0, 0, 1], n_relevant=by_range) == 3 / 8


# The list 3 0 of a query with the relevances 3, 2, 1


def test_a_list_that_lacks_the_second_best():
    wanted = 3 / (3 + 2 / log2(3) + 1 / 2)
    for ideal in ([3, 2, 1], [1, 3, 2, 0, 0], [[3, 2, 1]], np.asarray([1.0, 2, 3]), pd.Series([3, 2, 1])):
        assert ndcg_score([3, 0], ideal=ideal) == pytest.approx(wanted, rel=1e-15)
    assert wanted == pytest.approx(0.6300, abs=5e-5)
    assert ndcg_score([3, 0], ideal=[3, 2, 1], n=1) == 1
    assert ndcg_score([3, 0], ideal=[3, 2, 1], n=2) == pytest.approx(3 / (3 + 2 / log2(3)), rel=1e-15)
    assert ndcg_score([3, 2, 1], ideal=[1, 2, 3]) == 1
    assert ndcg_score([3, 0], ideal=[3, 2, 1, -1], ignore_relevance=-1) == pytest.approx(wanted, rel=1e-15)
    assert recall_at_n([3, 0], ideal=[3, 2, 1]) == pytest.approx(1 / 3, rel=1e-15)
    assert ndcg_score([0.1, 0.0], ideal=[0.1, 0.1]) == pytest.approx(1 / (1 + 1 / log2(3)), rel=1e-15)
    found = ndcg_score(np.asarray([0.1, 0], dtype=np.float32), ideal=[0.1, 0.1])  # 0.1 of 32 bits is another number
    assert found == pytest.approx(1 / (1 + 1 / log2(3)), rel=1e-15)


@pytest.mark.parametrize("discount", ["log2", "jarvelin"])
@pytest.mark.parametrize("n_relevant", [2, 127, 128, 129, 3000, 100_000])
def test_a_number_of_relevant_documents_is_enough_for_0_and_1(backend, n_relevant, discount):
    from math import fsum

    def share(k):
        return 1 / (log2(k + 1) if discount == "log2" else max(1, log2(k)))

    for n in (None, 2, 200):
        best = fsum(map(share, range(1, min(n or n_relevant, n_relevant) + 1)))
        found = ndcg_score(backend.array([0, 1, 0]), n_relevant=n_relevant, n=n, discount=discount)
        backend.assert_close(found, share(2) / best)
        found = ndcg_score(
            backend.array([[0, 1, 0]]),
            n_relevant=backend.array([n_relevant]),
            n=n,
            discount=discount,
            gain="exponential",
        )
        backend.assert_close(found, share(2) / best)


def test_a_number_of_relevant_documents_of_a_list_that_has_all():
    """Then nothing is missing, and relevances may be any; nor does it matter what is, if nothing was found."""
    assert ndcg_score([3, 0, 2], n_relevant=2) == ndcg_score([3, 0, 2])
    found = ndcg_score([[3, 0], [0, 0]], n_relevant=[1, 2], return_per_query=True)
    assert found.query_scores.tolist() == [1, 0]
    assert ndcg_score([[3, 0], [1, 0]], n_relevant=[1, 2], sample_weight=[1, 0]) == 1
    assert np.isnan(
        ndcg_score([[3, 0], [1, 0]], n_relevant=[1, 2], sample_weight=[1, 0], return_per_query=True).query_scores[1]
    )


@pytest.mark.parametrize("name", ["torch", "jax", "strict"])
def test_what_is_not_known_is_nan_on_a_device(name):
    backend = BACKENDS[name]
    with backend.mode():
        given = backend.array([[3, 0], [1, 0], [0, 0]])
        found = ndcg_score(given, n_relevant=backend.array([1, 2, 2]), return_per_query=True)
        assert np.isnan(backend.numpy(found.query_scores)).tolist() == [False, True, False]
        found = ndcg_score(given, ideal=backend.array([[2, 3], [2, 2], [2, 2]]), return_per_query=True)
        assert np.isnan(backend.numpy(found.query_scores)).tolist() == [False, True, False]


# Queries without documents


@pytest.mark.parametrize("name", MEASURES)
def test_a_query_without_documents_is_a_miss(backend, name):
    """In rows, in vectors with queries, and alone; with nothing relevant it has no value."""
    measure = partial(MEASURES[name], on_undefined="one", return_per_query=True)
    relevance, scores = backend.array([[1, 0], [0, 0], [0, 0]]), backend.array([[2.0, 1], [0, 0], [0, 0]])
    mask = backend.array([[True, True], [False, False], [False, False]])
    ideal = backend.array([[1, 0], [2, 1], [0, 0]])
    first = float(oracles.of_scores(name, (1, 0), None))
    backend.assert_close(measure(relevance, scores, mask=mask, ideal=ideal).query_scores, [first, 0, 1])
    numbers = backend.array([1, 2, 0])
    backend.assert_close(measure(relevance, scores, mask=mask, n_relevant=numbers).query_scores, [first, 0, 1])
    given = relevance[0, ...], scores[0, ...], backend.array([0, 0])
    backend.assert_close(measure(*given, n_queries=3, n_relevant=numbers).query_scores, [first, 0, 1])
    for shape, more in (((0,), {"n_relevant": 3}), ((0,), {"ideal": [3, 1]}), ((2, 0), {"n_relevant": 3})):
        nothing = backend.of(np.zeros(shape, dtype=np.float32))
        for y_score in (None, nothing):
            found = measure(nothing, y_score, **more)
            backend.assert_close(found.query_scores, [0] * (shape[0] or 1))
            backend.assert_at_home(found.score, nothing)
    found = measure(*(x[:0] for x in given), n_queries=3, n_relevant=numbers)
    backend.assert_close(found.query_scores, [0, 0, 1])


def test_lists_of_python_without_documents():
    assert recall_at_n([], n_relevant=3) == 0
    assert ndcg_score([], ideal=[3, 2]) == 0
    assert ndcg_score([], [], [], ideal={"a": [1]}) == 0
    assert ranking.evaluate([], n_relevant=2, metrics="all").to_dict()["recall_at_n"] == 0
    assert np.isnan(ranking.concordance_ratio([], n_relevant=3))  # it has no pair
    assert ranking.expected_reciprocal_rank([], n_relevant=3) == 0
    for given in (([],), ([[]],), (np.zeros((0, 3)),)):
        with pytest.raises(ValueError, match="y_true must have at least one document"):
            ndcg_score(
                *given, **({"n_relevant": 1} if np.shape(given[0])[:1] == (0,) and np.ndim(given[0]) == 2 else {})
            )


def test_the_largest_relevance_may_be_missing_from_all_lists():
    assert ranking.expected_reciprocal_rank([1, 0], ideal=[3, 1]) == 1 / 8
    assert ranking.expected_reciprocal_rank([1, 0]) == 1 / 2


# Compiled


def test_jit_and_vmap():
    with jax.enable_x64(True):
        backend = BACKENDS["jax-x64"]
        relevance, scores, mask = map(jnp.asarray, rows())
        ideal = jnp.asarray(rows_of_ideal())
        of_rows = jax.jit(lambda y, s, m, best: ndcg_score(y, s, mask=m, ideal=best, n=3))
        backend.assert_close(of_rows(relevance, scores, mask, ideal), exact("ndcg_score", {"n": 3}, ideal=IDEAL))
        each = jax.vmap(lambda y, s, m, best: ndcg_score(y, s, mask=m, ideal=best))(relevance, scores, mask, ideal)
        backend.assert_close(each, oracles.filled(of_each("ndcg_score", {}, ideal=IDEAL), "zero"))
        of_ones = jax.jit(lambda y, number: ndcg_score(y, n_relevant=number))
        wanted = oracles.of_scores("ndcg_score", (0, 1, 0), None, n_relevant=300)
        backend.assert_close(of_ones(jnp.asarray([0, 1, 0]), jnp.asarray([300])), wanted)
        found = jax.jit(lambda y, s, m: average_precision_score(y, s, mask=m, n=2, divisor="found"))
        backend.assert_close(
            found(relevance, scores, mask), exact("average_precision_score", {"n": 2, "divisor": "found"})
        )


def test_torch_compile():
    torch._dynamo.reset()
    relevance, scores, mask = map(torch.asarray, rows())
    ideal = torch.asarray(rows_of_ideal())

    def of_rows(y, s, m, best, number):
        given = {"mask": m, "n": 2}
        return (
            ndcg_score(y, s, ideal=best, **given),
            average_precision_score(y, s, divisor="found", **given),
            ndcg_score(y > 0, s, n_relevant=number, mask=m),
        )

    found = torch.compile(of_rows, fullgraph=True, backend="eager")(
        relevance, scores, mask, ideal, torch.tensor([9] * 5)
    )
    backend = BACKENDS["torch-host"]
    backend.assert_close(found[0], exact("ndcg_score", {"n": 2}, ideal=IDEAL))
    backend.assert_close(found[1], exact("average_precision_score", {"n": 2, "divisor": "found"}))
    backend.assert_close(found[2], float(ndcg_score(rows()[0] > 0, rows()[1], mask=rows()[2], n_relevant=9)))
    torch._dynamo.reset()


def test_nothing_of_an_ideal_leaves_the_device():
    backend = BACKENDS["torch"]
    with backend.mode(), transfers_to_host() as copied:
        arrays = [backend.array(x) for x in flat()]
        given = Ranked.from_scores(*arrays, n_queries=N_QUERIES, ideal=backend.array(rows_of_ideal()))
        for measure in MEASURES.values():
            measure(given)
        average_precision_score(given, n=3, divisor="found")
        ndcg_score(arrays[0] > 0, arrays[1], arrays[2], n_queries=N_QUERIES, n_relevant=backend.array([9] * N_QUERIES))
    assert copied == []


def test_a_gradient_of_what_is_given_is_none():
    with as_on_a_device():
        ideal = torch.tensor([3.0, 2, 1], requires_grad=True)
        assert not ndcg_score(torch.tensor([3.0, 0]), ideal=ideal).requires_grad


# Divisors of average precision


def test_divisors():
    given = [0, 1, 1, 1, 0]
    found = [average_precision_score(given, n=2, divisor=x) for x in ("cutoff", "relevant", "found")]
    assert found == pytest.approx([1 / 4, 1 / 6, 1 / 2], rel=1e-15)
    scores = ranking.evaluate(
        [given, given],
        metrics={
            "trec": partial(average_precision_score, n=2, divisor="relevant"),
            "found": partial(average_precision_score, n=2, divisor="found"),
            "ours": "map@2",
        },
    )
    assert list(scores.to_dict().values()) == pytest.approx([1 / 6, 1 / 2, 1 / 4], rel=1e-15)
    assert average_precision_score([0, 0, 1], n=2, divisor="found") == 0


def test_found_hits_of_large_groups_of_tied_documents():
    """The first of g tied documents is a hit with the probability h/g, and of any n the mean is by their number."""
    from fractions import Fraction
    from math import comb

    g, h, n = 3000, 1200, 700
    relevance = np.arange(g) < h
    assert average_precision_score(relevance, np.zeros(g), n=1, divisor="found") == pytest.approx(h / g, rel=1e-12)
    # With x hits at n places, the sum of precisions has the mean x/n sum 1/k + x (x - 1)/(n (n - 1)) sum (k - 1)/k.
    first = sum(Fraction(1, k) for k in range(1, n + 1))
    second = n - first
    exact = sum(
        Fraction(comb(h, x) * comb(g - h, n - x), comb(g, n)) * (first / n + Fraction(x - 1, n * (n - 1)) * second)
        for x in range(1, n + 1)
    )
    found = average_precision_score(relevance, np.zeros(g), n=n, divisor="found")
    assert found == pytest.approx(float(exact), rel=1e-11)
