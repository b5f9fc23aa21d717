"""Moments of pair counts and standardised scores, against the enumeration of all tables of their sizes."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from backends import SIZE
from null_distributions import SIMOVICI, SIZES, all_tables, information_of, moments, pairs_within
from oracles import mp, real, variance_of_pairs_together

import gpuval
from gpuval import Contingency
from gpuval.numerics import permutation_moments
from gpuval.numerics.permutation_moments import exact_moments, variance_of_information, variance_of_pairs
from gpuval.table.resampling import permuted_tables

S = Contingency.from_counts(SIMOVICI)
TRUE, PRED = [0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 1, 2]


def sized(classes, clusters):
    """Some table of these sizes."""
    return as_table(next(iter(all_tables(classes, clusters))), classes, clusters)


def as_table(rows, classes, clusters):
    return Contingency.from_counts(np.asarray(rows, dtype=int).reshape(len(classes), len(clusters)))


def close(value, wanted, tolerance=1e-12):
    return abs(mp.mpf(float(value)) - real(wanted)) <= tolerance * max(1, abs(real(wanted)))


# ---- Simovici's table ----------------------------------------------------------------------------


def test_the_tables_of_these_sizes_are_all():
    tables = all_tables((3, 5, 4), (4, 3, 5))
    assert len(tables) == 95
    assert sum(tables.values()) == 1
    assert tables[SIMOVICI] == Fraction(1, 308)


def test_the_moments_of_simovici():
    mean, variance, skewness = gpuval.pair_count_moments(S)
    assert close(mean, Fraction(361, 66))
    assert close(variance, Fraction(66871, 21780))
    assert close(skewness, real(Fraction(5550775, 1006236)) / real(Fraction(66871, 21780)) ** 1.5)
    assert close(skewness, 1.02537767873475)


def test_the_standardized_scores_of_simovici():
    assert close(gpuval.standardized_rand_score(S), 2.01475394266331)
    assert close(gpuval.standardized_mutual_info_score(S), 1.79230369884980)
    assert close(variance_of_information(S.class_sizes, S.cluster_sizes), 0.0188822394012479822, 1e-14)


# ---- all tables of their sizes -------------------------------------------------------------------


@pytest.mark.parametrize("sizes", SIZES, ids=str)
def test_moments_are_those_of_all_tables(sizes):
    tables = all_tables(*sizes)
    mean, variance, third = moments(list(map(pairs_within, tables)), list(tables.values()))
    assert exact_moments(*sizes) == (mean, variance, third)
    assert variance_of_pairs_together(*map(list, sizes)) == variance
    found = gpuval.pair_count_moments(sized(*sizes))
    assert close(found.mean, mean, 1e-14)
    assert close(found.variance, variance, 1e-14)
    assert (found.variance == 0) == (variance == 0)
    if variance:
        assert close(found.skewness, real(third) / real(variance) ** 1.5, 1e-13)
    else:
        assert math.isnan(found.skewness)


@pytest.mark.parametrize("sizes", SIZES, ids=str)
def test_the_variance_of_the_information_is_that_of_all_tables(sizes):
    tables = all_tables(*sizes)
    mean, variance, _ = moments(list(map(information_of, tables)), list(map(real, tables.values())))
    assert close(variance_of_information(*(np.asarray(x, dtype=int) for x in sizes)), variance, 1e-14)
    for rows in tables:
        found = gpuval.standardized_mutual_info_score(as_table(rows, *sizes))
        if variance < 1e-40:
            assert math.isnan(found)
        else:
            assert close(found, (information_of(rows) - mean) / mp.sqrt(variance))


# ---- large tables --------------------------------------------------------------------------------

LARGE = {
    "a large group": ([10**8 - 2, 2], [10**8 - 3, 1, 1, 1]),
    "one left beside": ([10**9 - 1, 1], [10**9 - 2, 1, 1]),
    "nearly equal": ([10**5, 10**5 - 1, 10**5 + 1], [10**5] * 3),
    "flat but for one": ([999] * 1000 + [1000], [999000, 1000]),
    "one larger, and one left beside": ([10**6] * 100 + [10**6 + 1], [101 * 10**6, 1]),
    "many samples": ([3 * 10**9, 10**9, 6 * 10**9], [5 * 10**9] * 2),
    "powers": ([4**k for k in range(13)], [(4**13 - 1) // 3 - 100, 60, 40]),
    "single samples": ([1] * 1000 + [2], [500, 502]),
}


@pytest.mark.parametrize("name", LARGE)
def test_nothing_cancels_in_the_variance(name):
    a, b = (np.asarray(x, dtype=float) for x in LARGE[name])
    found, is_settled = variance_of_pairs(a, b, np.asarray(a.sum()), np)
    assert close(found / float(exact_moments(*LARGE[name])[1]), 1, 1e-14)
    assert not is_settled


def test_the_textbook_variance_cancels():
    """What the test above can find."""
    a, b = (np.asarray(x, dtype=float) for x in LARGE["a large group"])
    n = a.sum()
    p2, p3 = ([np.sum(x * (x - 1)) for x in (a, b)], [np.sum(x * (x - 1) * (x - 2)) for x in (a, b)])
    disjoint = [x * x - 4 * y - 2 * x for x, y in zip(p2, p3, strict=True)]
    pairs, triples, quadruples = n * (n - 1), n * (n - 1) * (n - 2), n * (n - 1) * (n - 2) * (n - 3)
    value = 2 * p2[0] * p2[1] / pairs + 4 * p3[0] * p3[1] / triples + disjoint[0] * disjoint[1] / quadruples
    value = (value - (p2[0] * p2[1] / pairs) ** 2) / 4
    assert not close(value / float(exact_moments(*LARGE["a large group"])[1]), 1, 1e-2)


def pearson_variance(a, b):
    """Haldane's variance of sum (n_ij - mu_ij)^2 / mu_ij over all tables, divided by (2n)^2."""
    n, r, m = sum(a), len(a), len(b)
    v = [Fraction((k - 1) * (n - k), n - 1) for k in (r, m)]
    s = [(n * sum(Fraction(1, x) for x in sizes) - k * k) / (n - 2) for sizes, k in ((a, r), (b, m))]
    variance = Fraction(2 * n, n - 3) * (v[0] - s[0]) * (v[1] - s[1]) + Fraction(n * n, n - 1) * s[0] * s[1]
    return variance / (2 * n) ** 2


def test_the_chi_square_of_simovici():
    assert pearson_variance((3, 5, 4), (4, 3, 5)) * 24**2 == Fraction(309304, 45375)


@pytest.mark.parametrize("n", [10**6, 10**9])
def test_large_cells_make_the_information_half_a_chi_square(n):
    a, b = [n // 2, n // 4, n // 4], [n // 5 * 2, n // 5 * 3]
    assert close(variance_of_information(*map(np.asarray, (a, b))) / float(pearson_variance(a, b)), 1, 100 / n)


def test_differences_of_k_log_k():
    def exactly(m, k):
        with mp.workdps(250):
            values = [(k + i) * mp.log(k + i) if k + i else mp.mpf(0) for i in range(m + 1)]
            return sum((-1) ** i * math.comb(m, i) * x for i, x in enumerate(values))

    for m in (2, 3, 10, 40, 96):
        k = np.asarray([0, 1, 7, 256, 257, 1000], dtype=float)
        found = permutation_moments._difference(m, k)
        for x, y in zip(found, k.astype(int).tolist(), strict=True):
            if y <= 256 or m <= 10:  # beyond, parts of higher degrees are less than rounding
                assert close(x / exactly(m, y), 1, 1e-12), (m, y)


# ---- random tables -------------------------------------------------------------------------------


def test_sampling_is_near_and_gives_the_same_for_one_seed():
    exact = float(gpuval.standardized_mutual_info_score(S))
    draw = [
        gpuval.standardized_mutual_info_score(S, method="sampling", n_resamples=20_000, random_state=s)
        for s in (0, 0, 1)
    ]
    assert draw[0] == draw[1] != draw[2]
    for x in draw:
        assert abs(x / exact - 1) < 5 / math.sqrt(2 * 20_000)


@pytest.mark.by_default
def test_the_variance_of_two_draws_is_right_on_average():
    """Of two draws it is half their squared difference: divided by 2, and not by 1, it would be half as large."""
    exact = float(gpuval.standardized_mutual_info_score(S))
    found = [
        gpuval.standardized_mutual_info_score(S, method="sampling", n_resamples=2, random_state=seed)
        for seed in range(400)
    ]
    assert np.nansum((exact / np.asarray(found)) ** 2) / 400 == pytest.approx(1, abs=0.35)  # nan of equal draws


def test_permuted_labels_give_the_same_law(monkeypatch):
    """As for tables of more cells than samples."""
    monkeypatch.setattr(permuted_tables, "dense_is_better", lambda *_: False)
    found = gpuval.standardized_mutual_info_score(S, method="sampling", n_resamples=5000, random_state=0)
    assert abs(found / 1.79230369884980 - 1) < 5 / math.sqrt(2 * 5000)


def test_many_distinct_sizes_are_sampled(monkeypatch):
    drawn = []
    sums = permuted_tables.NullModel.sums
    monkeypatch.setattr(permuted_tables.NullModel, "sums", lambda *x: drawn.append(x) or sums(*x))
    gpuval.standardized_mutual_info_score(S)
    assert not drawn
    monkeypatch.setattr("gpuval.metrics.external.standardized._SECONDS_OF_TERM", 1.0)
    gpuval.standardized_mutual_info_score(S)
    assert len(drawn) == 1


# ---- everywhere ----------------------------------------------------------------------------------


@pytest.mark.by_default
def test_backends(backend):
    """Moments and the standardised information; the standardised Rand score is among the measures."""
    labels = [backend.array(x) for x in (TRUE, PRED)]
    wanted = gpuval.pair_count_moments(TRUE, PRED), gpuval.standardized_mutual_info_score(TRUE, PRED)
    found = gpuval.pair_count_moments(*labels, **SIZE), gpuval.standardized_mutual_info_score(*labels, **SIZE)
    for part, other in zip((*found[0], found[1]), (*wanted[0], wanted[1]), strict=True):
        backend.assert_at_home(part, labels[0])
        assert abs(backend.numpy(part) - other) < (1e-13 if backend.has_float64 else 1e-4)


def test_a_batch_gives_each():
    counts = np.asarray([SIMOVICI, np.eye(3, dtype=int) * 4, np.zeros((3, 3), int)])
    for score in (gpuval.standardized_mutual_info_score, lambda x: np.stack(gpuval.pair_count_moments(x), -1)):
        batch, each = score(Contingency.from_counts(counts)), [score(Contingency.from_counts(x)) for x in counts]
        np.testing.assert_allclose(batch, each, rtol=1e-13, atol=1e-14)


def test_the_skewness_is_not_known_in_a_graph():
    import jax

    with jax.enable_x64(True):
        found = jax.jit(lambda x: gpuval.pair_count_moments(Contingency.from_counts(x)))(jax.numpy.asarray(SIMOVICI))
        assert close(found.variance, Fraction(66871, 21780))
        assert math.isnan(found.skewness)
