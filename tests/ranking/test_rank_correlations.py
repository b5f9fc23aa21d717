"""Rank correlations: the definitions in exact numbers over all pairs, SciPy, every backend, and what is refused."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations

import jax
import jax.numpy as jnp
import mpmath as mp
import numpy as np
import pytest
import torch
from backends import as_on_a_device, assert_close, jax_values_refused, transfers_to_host
from only_for import only_for
from packages import pd
from scipy import stats

from gpuval.ranking import evaluate, kendall_tau, spearman_rho, weighted_tau

NAN = math.nan
ROWS = [[1, 2, 3, 4, 5, 9], [1, 2, 2, 3, 5, 5], [-7, 7, 0, 0, 0, 1], [1, 1, 1, 1, 1, 1]]
OTHERS = [[3, 5, 2, 1, 4, 4], [2, 1, 3, 3, 3, 0], [4, 4, 1, 2, 2, 3], [1, 2, 3, 4, 5, 6]]
MASK = [[1, 1, 1, 1, 1, 0], [0, 1, 1, 1, 1, 0], [1, 1, 0, 1, 1, 1], [1, 0, 0, 0, 0, 0]]
WEIGHTS = [3, 1, 2, 0]


# Definitions


def sign(x):
    return (x > 0) - (x < 0)


def sums_of_pairs(x, y, weight):
    """The weights of pairs in the same order less those in opposite order, of those not tied in x, and in y."""
    pairs = list(combinations(range(len(x)), 2))
    signs = [(sign(x[i] - x[j]), sign(y[i] - y[j]), weight(i, j)) for i, j in pairs]
    return tuple(
        sum(z, Fraction(0)) for z in zip(*((a * b * w, a * a * w, b * b * w) for a, b, w in signs), strict=True)
    )


def by_mean(agreement, of_x, of_y):
    return mp.nan if 0 in (of_x, of_y) else agreement.numerator / mp.mpf(agreement.denominator) / root(of_x * of_y)


def root(x):
    return mp.sqrt(mp.mpf(x.numerator) / x.denominator)


def tau_b(x, y):
    return by_mean(*sums_of_pairs(x, y, lambda i, j: Fraction(1))) if len(x) > 1 else mp.nan


def tau_c(x, y):
    n, m = len(x), min(len(set(x)), len(set(y)))
    return mp.nan if m < 2 else 2 * m * sums_of_pairs(x, y, lambda i, j: Fraction(1))[0] / (n**2 * (m - 1))


def rho(x, y):
    """Pearson's correlation of mean ranks."""
    a, b = ([Fraction(sum(v < u for v in z) - sum(v > u for v in z)) for u in z] for z in (x, y))
    return by_mean(*(sum((p * q for p, q in zip(*z, strict=True)), Fraction(0)) for z in ((a, b), (a, a), (b, b))))


def tau_by(first, second):
    """Weighted tau with the ranks of the first numbers, then of the second ones."""

    def of(x, y):
        keys = list(zip(*((x, y) if first == "x" else (y, x)), range(len(x)), strict=True))
        ranks = {key[2]: rank for rank, key in enumerate(sorted(keys, reverse=True), 1)}
        if len(x) < 2:
            return mp.nan
        return by_mean(*sums_of_pairs(x, y, lambda i, j: Fraction(1, ranks[i]) + Fraction(1, ranks[j])))

    return of


def tau_of_both(x, y):
    return (tau_by("x", "y")(x, y) + tau_by("y", "x")(x, y)) / 2


CORRELATIONS = {
    "tau-b": (kendall_tau, {}, tau_b, stats.kendalltau),
    "tau-c": (kendall_tau, {"variant": "c"}, tau_c, lambda x, y: stats.kendalltau(x, y, variant="c")),
    "rho": (spearman_rho, {}, rho, stats.spearmanr),
    "weighted": (weighted_tau, {}, tau_of_both, stats.weightedtau),
    "weighted by x": (weighted_tau, {"ranks": "x"}, tau_by("x", "y"), lambda x, y: stats.weightedtau(x, y, rank=None)),
    "weighted by y": (weighted_tau, {"ranks": "y"}, tau_by("y", "x"), lambda x, y: stats.weightedtau(y, x, rank=None)),
}
each_correlation = pytest.mark.parametrize("name", CORRELATIONS)


def values_of(definition, rows=ROWS, others=OTHERS, mask=None):
    mask = [[1] * len(row) for row in rows] if mask is None else mask
    kept = [
        [[v for v, m in zip(z, own, strict=True) if m] for z in (x, y)]
        for x, y, own in zip(rows, others, mask, strict=True)
    ]
    return [definition(x, y) for x, y in kept]


# Values


@pytest.mark.parametrize(
    ("x", "y", "exact"),
    [
        ([1, 2, 3, 4, 5], [3, 5, 2, 1, 4], ["-0.2", "-0.2", "-0.113138686131386861"]),
        ([1, 2, 2, 3, 5], [2, 1, 3, 3, 3], ["0.503952630678969636", "0.630893268144044856", "0.585440691395410163"]),
        ([1, 2], [2, 1], [-1, -1, -1]),
        ([1, 1, 1], [1, 2, 3], [NAN, NAN, NAN]),
    ],
)
def test_worked_values(x, y, exact):
    for correlation, value in zip((kendall_tau, spearman_rho, weighted_tau), exact, strict=True):
        assert_close(np.asarray(correlation(x, y)), mp.mpf(value), correlation.__name__)


@each_correlation
def test_definitions_and_scipy_of_tied_vectors(name):
    correlation, options, definition, peer = CORRELATIONS[name]
    rng = np.random.default_rng(5)
    for _ in range(60):
        n, most = int(rng.integers(1, 12)), int(rng.integers(1, 9))
        x, y = rng.integers(0, most, n).tolist(), rng.integers(0, most, n).tolist()
        found = np.asarray(correlation(np.asarray(x), np.asarray(y), **options))
        assert_close(found, definition(x, y), f"{x} {y}")
    x, y = rng.integers(0, 90, 700), rng.normal(size=700).round(1)
    assert_close(np.asarray(correlation(x, y, **options)), mp.mpf(float(peer(x, y).statistic)))


@each_correlation
def test_equal_and_reversed_orders_have_exactly_1(name):
    correlation, options, *_ = CORRELATIONS[name]
    for n in range(2, 40):
        x = np.arange(n) ** 2
        assert float(correlation(x, x, **options)) == 1.0
        assert float(correlation(x, -x, **options)) == -1.0
        tied = x // 7
        if name != "tau-c" and tied.any():
            assert float(correlation(tied, 2.5 * tied, **options)) == 1.0


def test_counts_are_exact_where_there_are_many_pairs():
    n = 200_000  # 2 * 10^10 pairs, of which floats of 32 bits, and integers, hold no number
    swapped = np.arange(n)
    swapped[[0, 1]] = 1, 0
    exact = 1 - Fraction(4, n * (n - 1))
    assert float(kendall_tau(np.arange(n), swapped)) == float(exact)
    assert float(kendall_tau(torch.arange(n), torch.from_numpy(swapped))) == float(exact)


# Queries, on every backend


@each_correlation
def test_rows(backend, name):
    correlation, options, definition, _ = CORRELATIONS[name]
    x, y = backend.array(ROWS), backend.array(OTHERS)
    score, queries, of_queries = correlation(x, y, on_undefined="skip", return_per_query=True, **options)
    values = values_of(definition)
    backend.assert_close(of_queries, [*values[:3], NAN])
    backend.assert_close(score, sum(values[:3]) / 3)
    backend.assert_at_home(score, x)
    assert backend.numpy(queries).tolist() == [0, 1, 2, 3]


@each_correlation
def test_masks_and_weights(backend, name):
    correlation, options, definition, _ = CORRELATIONS[name]
    x, y, mask, weights = (backend.array(z) for z in (ROWS, OTHERS, np.asarray(MASK, dtype=bool), WEIGHTS))
    found = correlation(x, y, mask=mask, sample_weight=weights, return_per_query=True, **options)
    values = values_of(definition, mask=MASK)
    backend.assert_close(found.query_scores, values)
    backend.assert_close(found.score, (3 * values[0] + values[1] + 2 * values[2]) / 6)


@pytest.mark.parametrize("given", ["found", "n_queries"])
def test_queries_in_any_order(backend, given):
    order = np.random.default_rng(2).permutation(24)
    x, y = (backend.array(np.asarray(z).reshape(-1)[order]) for z in (ROWS, OTHERS))
    queries = backend.array((np.repeat([4, 0, 2, 1], 6) if given == "found" else np.repeat([3, 0, 2, 1], 6))[order])
    options = {} if given == "found" else {"n_queries": 5}
    for name in ("tau-b", "rho", "weighted"):
        correlation, _, definition, _ = CORRELATIONS[name]
        found = correlation(x, y, queries, return_per_query=True, **options)
        a, b, c, d = values_of(definition)
        backend.assert_close(found.query_scores, [b, d, c, a] if given == "found" else [b, d, c, a, NAN], name)


def test_what_an_undefined_query_counts():
    x, y = [[1, 2], [1, 1], [2, 1]], [[1, 2], [1, 2], [2, 1]]
    found = {name: float(kendall_tau(x, y, on_undefined=name)) for name in ("zero", "one", "skip", "nan")}
    assert found == {"zero": 2 / 3, "one": 1.0, "skip": 1.0, "nan": pytest.approx(NAN, nan_ok=True)}
    assert math.isnan(kendall_tau([1], [1]))
    assert math.isnan(kendall_tau([], []))
    assert math.isnan(kendall_tau([1, 2], [1, 2], mask=[False, False]))


def test_names_of_queries_and_numbers_of_other_kinds():
    found = kendall_tau(
        pd.Series([1.5, 2.5, 0.0]), pd.Series([True, False, True]), ["b", "b", "a"], return_per_query=True
    )
    assert found.to_pandas().round(6).to_dict() == {"a": pytest.approx(NAN, nan_ok=True), "b": -1.0}
    large = np.asarray([2**64 - 1, 2**64 - 2, 0], dtype=np.uint64)
    assert float(kendall_tau(large, [-np.inf, 0.0, np.inf])) == -1.0


# Where values are not looked at


@only_for(lambda backend: backend.name != "numpy")
def test_nothing_leaves_a_device_and_nan_is_one_of_its_query(backend):
    x = backend.array([[1.0, NAN, 2.0], [1.0, 2.0, 3.0], [NAN, 2.0, 3.0]])
    y = backend.array([[1.0, 2.0, 3.0], [1.0, 3.0, 2.0], [3.0, 1.0, 2.0]])
    mask = backend.array([[True, True, True], [True, True, True], [False, True, True]])
    with as_on_a_device(), transfers_to_host() as copied:
        found = [f(x, y, mask=mask, return_per_query=True) for f in (kendall_tau, spearman_rho, weighted_tau)]
    assert copied == []
    for own, value in zip(found, (Fraction(1, 3), Fraction(1, 2), tau_of_both([1, 2, 3], [1, 3, 2])), strict=True):
        backend.assert_close(own.query_scores, [NAN, value, 1])
        backend.assert_close(own.score, NAN)


@each_correlation
def test_jit_and_vmap(name):
    correlation, options, definition, _ = CORRELATIONS[name]
    x, y = jnp.asarray(ROWS[:3]), jnp.asarray(OTHERS[:3])
    values = values_of(definition)[:3]
    with jax.enable_x64(True), jax_values_refused():
        of_rows = jax.jit(lambda x, y: correlation(x, y, **options))(x, y)
        of_each = jax.jit(jax.vmap(lambda x, y: correlation(x, y, **options)))(x, y)
    assert_close(np.asarray(of_rows), sum(values) / 3)
    assert_close(np.asarray(of_each), values)


# What is refused

WRONG = {
    "lengths": (([1, 2, 3], [1, 2]), {}, ValueError, "y must have the shape of x, (3,), got (2,)"),
    "NaN": (([1.0, NAN], [1, 2]), {}, ValueError, "x must hold numbers, got nan at position 1"),
    "NaN in y": (([[1, 2]], [[1, NAN]]), {}, ValueError, "y must hold numbers, got nan at row 0, column 1"),
    "text": ((["a", "b"], [1, 2]), {}, TypeError, "x must hold numbers, got dtype <U1"),
    "no y": (([1, 2], None), {}, TypeError, "y must be a vector, or a matrix with a row for each query, got None"),
    "a variant": (([1, 2], [1, 2]), {"variant": "a"}, ValueError, "variant must be one of 'b', 'c', got 'a'"),
    "a mask": (([1, 2], [1, 2]), {"mask": [True]}, ValueError, "mask must have the shape of x, (2,), got (1,)"),
    "ragged rows": (
        ([[1], [1, 2]], [[1], [1, 2]]),
        {},
        ValueError,
        """x must have rows of one length, got rows of different lengths; give vectors with the query of each item \
(queries=), or pad the rows and give mask=""",
    ),
    "queries of rows": (
        ([[1, 2]], [[1, 2]], [0, 0]),
        {},
        ValueError,
        "queries must be left out where x has a row for each query, got x of shape (1, 2)",
    ),
    "weights": (
        ([[1, 2]], [[1, 2]]),
        {"sample_weight": [-1]},
        ValueError,
        "sample_weight must be finite and not negative, got -1",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_refused(case):
    given, options, kind, message = WRONG[case]
    with pytest.raises(kind) as error:
        kendall_tau(*given, **options)
    assert str(error.value) == message


def test_a_correlation_is_no_measure_of_a_ranking():
    with pytest.raises(ValueError, match=r"gpuval\.ranking\.kendall_tau takes no Ranked; call it by itself"):
        evaluate([1, 0], [0.5, 0.1], metrics="kendall_tau")
    with pytest.raises(ValueError, match="ranks must be one of 'both', 'x', 'y', got 'z'"):
        weighted_tau([1, 2], [1, 2], ranks="z")
