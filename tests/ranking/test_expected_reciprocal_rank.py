"""Expected reciprocal rank: the definition over all orders of tied documents, on every backend, and what it refuses."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import groupby, permutations, product

import numpy as np
import pytest
from backends import BACKENDS, as_on_a_device, assert_close, transfers_to_host
from only_for import only_for
from oracles import mp

from gpuval.ranking import Ranked, RankingAccumulator, evaluate, expected_reciprocal_rank

RELEVANCES = [[3, 2, 3, 0, 1, 2], [0, 0, 1, 3, 0, 2], [1, 1, 0, 0, 2, 2], [0, 0, 0, 0, 0, 0]]
SCORES = [[6, 5, 4, 3, 2, 1], [2, 2, 2, 2, 1, 1], [1, 1, 1, 1, 1, 1], [3, 3, 2, 2, 1, 1]]
MISSING = [[True] * 6, [True] * 6, [True, True, False, True, True, True], [True] * 6]


def of_one_order(relevances, most, n):
    """The definition: of the documents in the order of their list."""
    total, reached = Fraction(0), Fraction(1)
    for k, g in enumerate(relevances[:n], 1):
        p = Fraction(2**g - 1, 2**most)
        total += reached * p / k
        reached *= 1 - p
    return total


def orders(relevances, scores):
    """The relevances in all orders in which the scores do not rise."""
    by_score = sorted(zip(scores, relevances, strict=True), reverse=True)
    groups = [[g for _, g in own] for _, own in groupby(by_score, key=lambda x: x[0])]
    for parts in product(*(permutations(group) for group in groups)):
        yield [g for part in parts for g in part]


def definition(relevances, scores, most, n=None):
    values = [of_one_order(x, most, n) for x in orders(relevances, scores)]
    return sum(values) / len(values)


def exact(most=3, n=None, counted=None):
    found = []
    for i, (relevances, scores) in enumerate(zip(RELEVANCES, SCORES, strict=True)):
        kept = [j for j in range(6) if counted is None or counted[i][j]]
        found.append(definition([relevances[j] for j in kept], [scores[j] for j in kept], most, n))
    return found


def test_worked_values():
    assert of_one_order([1, 1, 1], 1, None) == Fraction(2, 3)  # and not 2/9: the sum is a mean already
    assert of_one_order([3, 2, 3, 0, 1, 2], 3, None) == Fraction(181273, 196608)
    assert_close(np.asarray(expected_reciprocal_rank([1, 1, 1])), Fraction(2, 3))
    assert_close(np.asarray(expected_reciprocal_rank([3, 2, 3, 0, 1, 2])), Fraction(181273, 196608))


@pytest.mark.by_default(once=True)
@pytest.mark.parametrize("options", [{}, {"n": 3}, {"max_relevance": 5}, {"n": 9, "max_relevance": 3.0}])
def test_definition(backend, options):
    relevances, scores = backend.array(RELEVANCES), backend.array(SCORES)
    values = exact(int(options.get("max_relevance", 3)), options.get("n"))
    score, _, of_queries = expected_reciprocal_rank(relevances, scores, return_per_query=True, **options)
    backend.assert_close(of_queries, values)
    backend.assert_close(score, sum(values) / 4)
    backend.assert_at_home(score, relevances)


def test_documents_that_do_not_count(backend):
    mask = backend.of(np.asarray(MISSING))
    found = expected_reciprocal_rank(
        backend.array(RELEVANCES), backend.array(SCORES), mask=mask, return_per_query=True, max_relevance=3
    )
    backend.assert_close(found.query_scores, exact(counted=MISSING))


def test_vectors_with_the_query_of_each_document(backend):
    order = np.random.default_rng(0).permutation(24)
    queries = np.repeat(np.arange(4), 6)[order]
    relevances, scores = (np.asarray(x).reshape(-1)[order] for x in (RELEVANCES, SCORES))
    given = {} if backend.finds_sizes else {"n_queries": 4}
    found = expected_reciprocal_rank(
        backend.array(relevances), backend.array(scores), backend.array(queries), return_per_query=True, **given
    )
    backend.assert_close(found.query_scores, exact())


def test_many_ties_of_numpy():
    rng = np.random.default_rng(1)
    for _ in range(60):
        length = int(rng.integers(1, 7))
        relevances, scores = rng.integers(0, 4, length).tolist(), rng.integers(0, 3, length).tolist()
        for n in (None, 1, 2, 5):
            found = expected_reciprocal_rank(relevances, scores, n=n, max_relevance=4)
            assert_close(np.asarray(found), definition(relevances, scores, 4, n), f"{relevances} {scores} {n}")


def test_small_chances_keep_their_digits():
    relevances, scores = [1, 0, 2, 1, 0], [1, 1, 1, 1, 0]
    found = expected_reciprocal_rank(relevances, scores, max_relevance=40)
    value = definition(relevances, scores, 40)
    assert abs(Fraction(float(found)) / value - 1) < Fraction(1, 10**14)


@pytest.mark.parametrize("most", [12.756858745472266, 1.2292057180858407, 19.10885061964363])
def test_irrelevant_documents_never_satisfy(backend, most):
    """Also where 2^-m is not the same number in Python as in the library: there 2^0 / 2^m - 2^-m is not 0."""
    for relevances in ([0] * 15 + [1.0], [1.0] + [0] * 15):
        found = expected_reciprocal_rank(backend.array([relevances]), n=15, max_relevance=most)
        value = relevances[0] / mp.mpf(2) ** most
        assert abs(float(backend.numpy(found)) - value) <= value * (1e-14 if backend.has_float64 else 1e-5)


def test_relevances_beyond_the_powers_of_floats():
    found = expected_reciprocal_rank([2000, 0, 1999])
    assert float(found) == 1.0  # to all digits: 2^-2000 is 0 in a float


def test_the_largest_relevance_is_that_of_all_queries_and_blocks(monkeypatch):
    whole = expected_reciprocal_rank(RELEVANCES, SCORES, return_per_query=True).query_scores
    monkeypatch.setattr("gpuval.ranking.ranked._BLOCK", 6)
    ranked = Ranked.from_scores(RELEVANCES, SCORES)
    assert len(list(ranked.lists())) == 4
    assert expected_reciprocal_rank(ranked, return_per_query=True).query_scores.tolist() == whole.tolist()
    assert_close(np.asarray(expected_reciprocal_rank(RELEVANCES[2:], SCORES[2:])), sum(exact(2)[2:]) / 2)


@only_for(lambda backend: backend.name != "numpy")  # which looks, and raises: see below
def test_a_relevance_above_the_largest_is_nan_where_values_are_not_looked_at(backend):
    with as_on_a_device():
        found = expected_reciprocal_rank(
            backend.array(RELEVANCES), backend.array(SCORES), max_relevance=2, return_per_query=True
        )
    values = exact(2)
    backend.assert_close(found.query_scores, [float("nan"), float("nan"), *values[2:]])


def test_a_query_that_cannot_be_read_leaves_the_others_as_they_are(backend):
    if backend.name in ("numpy", "torch-host"):
        with pytest.raises(ValueError, match="y_true must be finite and not negative, got nan at row 1, column 2"):
            expected_reciprocal_rank(backend.array(_with_nan()), backend.array(SCORES))
        return
    with as_on_a_device():
        found = expected_reciprocal_rank(backend.array(_with_nan()), backend.array(SCORES), return_per_query=True)
    values = exact()
    backend.assert_close(found.query_scores, [values[0], float("nan"), *values[2:]])


def _with_nan():
    relevances = np.asarray(RELEVANCES, dtype=float)
    relevances[1, 2] = np.nan
    return relevances


@pytest.mark.parametrize(
    ("value", "error", "message"),
    [
        (2, ValueError, "max_relevance must be at least the largest relevance, 3.0, got 2.0"),
        (-1, ValueError, "max_relevance must be finite and not negative, got -1"),
        (float("inf"), ValueError, "max_relevance must be finite and not negative, got inf"),
        ("3", TypeError, "max_relevance must be a number, got '3'"),
    ],
)
def test_wrong_largest_relevances(value, error, message):
    with pytest.raises(error) as raised:
        expected_reciprocal_rank(RELEVANCES, SCORES, max_relevance=value)
    assert str(raised.value) == message


PROBABILITIES = [[0.5, 0.0, 1.0, 0.25, 0.75, 0.5], [0.125, 0.25, 0.0, 0.5, 0.5, 1.0]]


def of_probabilities(chances, scores, n=None):
    """The mean over all orders of the definition, with the given probabilities."""
    found = []
    for order in orders(chances, scores):
        total, reached = Fraction(0), Fraction(1)
        for k, p in enumerate(map(Fraction, order[:n]), 1):
            total, reached = total + reached * p / k, reached * (1 - p)
        found.append(total)
    return sum(found) / len(found)


@pytest.mark.parametrize("n", [None, 4, 9])
def test_given_probabilities_and_a_factor(backend, n):
    chances, scores = backend.array(PROBABILITIES), backend.array(SCORES[:2])
    options = {"n": n, "relevance": "probability"}
    values = [of_probabilities(*x, n) for x in zip(PROBABILITIES, SCORES, strict=False)]
    found = expected_reciprocal_rank(chances, scores, return_per_query=True, **options)
    backend.assert_close(found.query_scores, values)
    mask = backend.array(np.asarray([[True] * 6, [True] * 5 + [False]]))
    values[1] = of_probabilities(PROBABILITIES[1][:5], SCORES[1][:5], n)
    found = expected_reciprocal_rank(chances, scores, mask=mask, divide_by_n=True, return_per_query=True, **options)
    most = 9 if n is None else n
    backend.assert_close(found.query_scores, [values[0] / min(most, 6), values[1] / min(most, 5)])


def test_options_of_probabilities_wherever_a_measure_is_taken():
    measure = partial(expected_reciprocal_rank, relevance="probability", divide_by_n=True)
    exact = sum(of_probabilities(*x) for x in zip(PROBABILITIES, SCORES, strict=False)) / 12
    found = evaluate(PROBABILITIES, SCORES[:2], metrics={"err": measure})
    assert_close(np.asarray(found["err"]), exact)
    accumulator = RankingAccumulator({"err": measure})  # which needs no max_relevance
    for chances, scores in zip(PROBABILITIES, SCORES, strict=False):
        accumulator.update([chances], [scores])
    assert_close(np.asarray(accumulator.scores["err"]), exact)


@only_for(lambda backend: backend.name != "numpy")
def test_what_is_no_probability_is_nan_on_a_device(backend):
    with as_on_a_device():
        found = expected_reciprocal_rank(
            backend.array([[0.5, 1.5], [0.5, 1.0]]), None, relevance="probability", return_per_query=True
        )
    backend.assert_close(found.query_scores, [mp.nan, 0.75])


@pytest.mark.parametrize(
    ("chances", "options", "error", "message"),
    [
        (
            [0.5, 1.5],
            {},
            ValueError,
            'y_true must hold probabilities, from 0 to 1, with relevance="probability", got up to 1.5',
        ),
        ([0.5, -0.5], {}, ValueError, "y_true must be finite and not negative, got -0.5 at position 1; "),
        (
            [0.5],
            {"max_relevance": 1},
            TypeError,
            'max_relevance= cannot be given with relevance="probability", of which the largest is 1, got 1',
        ),
        ([0.5], {"divide_by_n": 1}, TypeError, "divide_by_n must be True or False, got 1"),
        ([0.5], {"relevance": "chance"}, ValueError, "relevance must be one of 'grade', 'probability', got 'chance'"),
    ],
)
def test_what_is_refused_of_probabilities(chances, options, error, message):
    with pytest.raises(error) as raised:
        expected_reciprocal_rank(chances, **{"relevance": "probability"} | options)
    assert str(raised.value).startswith(message)


def test_nothing_leaves_a_device(backend):
    """For lists of up to 256 documents."""
    relevances, scores = backend.array([[1] * 256]), backend.array([[0] * 256])
    with as_on_a_device(), transfers_to_host() as copied:
        expected_reciprocal_rank(relevances, scores)
    assert copied == []


LONG = 300
"""More documents than the steps that are always taken."""


@pytest.mark.parametrize("name", ["torch", "jax", "strict"])
def test_as_many_steps_as_the_largest_group_of_tied_documents(name, monkeypatch):
    """For that the size of the group leaves the device, but in JAX."""
    backend, taken = BACKENDS[name], []
    queries, scores = np.repeat(np.arange(4), 6), np.asarray(SCORES).reshape(-1)
    relevances, counts = np.asarray(RELEVANCES).reshape(-1), np.ones(24, dtype=bool)
    spare = np.zeros(LONG - 24, dtype=int)
    given = [np.concat([x, spare.astype(x.dtype)]) for x in (relevances, scores, queries, counts)]
    with backend.mode(), as_on_a_device():
        *arrays, mask = (backend.of(x) for x in given)
        ranked = Ranked.from_scores(*arrays, n_queries=4, mask=mask)
        repeated = ranked.backend.repeated
        monkeypatch.setattr(
            type(ranked.backend), "repeated", lambda _, step, state, n: taken.append(int(n)) or repeated(step, state, n)
        )
        with transfers_to_host() as copied:
            found = expected_reciprocal_rank(ranked, return_per_query=True)
        assert len(copied) == (name != "jax")
        backend.assert_close(found.query_scores, exact())
    assert taken[1:] == [6]  # after the steps of the products


def test_few_steps_of_each_group_of_a_long_vector(backend):
    """Of one list of 300 documents 2 are tied."""
    relevances, scores = [i % 4 for i in range(LONG)], [0, *range(0, 1 - LONG, -1)]
    with as_on_a_device():
        found = expected_reciprocal_rank(backend.array(relevances), backend.array(scores))
    orders = relevances, [relevances[1], relevances[0], *relevances[2:]]
    backend.assert_close(found, sum(of_one_order(x, 3, None) for x in orders) / 2)


def test_compiled_by_jax():
    import jax

    with jax.enable_x64(True):
        relevances, scores = jax.numpy.asarray(RELEVANCES), jax.numpy.asarray(SCORES)
        values = exact()
        assert_close(np.asarray(jax.jit(expected_reciprocal_rank)(relevances, scores)), sum(values) / 4)
        each = jax.jit(jax.vmap(lambda x, y: expected_reciprocal_rank(x, y, max_relevance=3)))(relevances, scores)
        assert_close(np.asarray(each), values)


def test_compiled_by_torch():
    import torch

    compiled = torch.compile(expected_reciprocal_rank, fullgraph=True, backend="eager")
    found = compiled(torch.tensor(RELEVANCES), torch.tensor(SCORES))
    assert_close(found.numpy(), sum(exact()) / 4)


def test_long_lists_in_torch_vmap():
    import torch

    relevances = torch.ones(2, LONG)
    with pytest.raises(TypeError, match="and inside torch"):
        torch.func.vmap(lambda x: expected_reciprocal_rank(x, x))(relevances)
    found = torch.func.vmap(lambda x: expected_reciprocal_rank(x, x, ties="stable"))(relevances)
    assert_close(found.numpy(), [of_one_order([1] * LONG, 1, None)] * 2)
