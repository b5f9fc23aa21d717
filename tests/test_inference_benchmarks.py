"""The benchmark of intervals and tests: its populations, its truths, and what it counts."""

from __future__ import annotations

import numpy as np
import pytest

import gpuval
from benchmarks.inference import coverage, speed, type_one
from benchmarks.inference.coverage import Row
from benchmarks.inference.populations import (
    POPULATIONS,
    Donors,
    adjusted_rand,
    equal,
    noisy,
    normalized_information,
)


def test_the_truth_is_the_score_of_ever_more_samples():
    for population in POPULATIONS:
        assert population.shares.sum() == pytest.approx(1)
        table = gpuval.Contingency.from_counts(np.rint(population.shares * 1e12 / 100).astype(np.int64))
        assert adjusted_rand(population.shares) == pytest.approx(float(gpuval.adjusted_rand_score(table)), abs=1e-7)
        information = float(gpuval.normalized_mutual_info_score(table))
        assert normalized_information(population.shares) == pytest.approx(information, abs=1e-7)


def test_noise_makes_the_score_that_is_asked_for():
    assert adjusted_rand(equal(7, 0.36)) == pytest.approx(0.36)
    assert adjusted_rand(noisy([0.5, 0.3, 0.2], 1.0)) == pytest.approx(0, abs=1e-15)


def test_donors_are_of_their_population():
    donors, random = Donors(n_donors=4000, n_samples=20), np.random.default_rng(0)
    true, pred, donor = donors.drawn(random)
    assert (np.bincount(donor) == 20).all()
    found = np.zeros((4, 4))
    np.add.at(found, (true, pred), 1 / len(true))
    np.testing.assert_allclose(found, donors.shares(), atol=0.004)


def test_a_row_counts_what_contains_the_truth():
    row = Row("3 x 3", 100, "bca", 0.36, 190, 200)
    assert str(row) == "| 3 x 3 | 100 | bca | 0.360 | 0.950 +- 0.030 |"
    estimates = [gpuval.ScoreEstimate(0.5, low, 0.6, 0.1, 0.0, 0.0, 0.95, "bca") for low in (0.3, 0.4)]
    (found,) = coverage._counted({"bca": estimates}, "3 x 3", 100, 0.36)
    assert (found.hits, found.n_data_sets) == (1, 2)


def test_small_runs_of_all_tables(monkeypatch):
    assert len(list(coverage.rows(2))) == 5 * len(POPULATIONS) + 4 + 3
    assert all(str(row).count("|") == type_one.HEAD.splitlines()[0].count("|") for row in type_one.rows(2))
    assert len(list(coverage.rows_of_groups(1))) == 3 * 6 * 5
    many = list(type_one.rows_of_many(1))
    assert all(row.count("|") == type_one.HEAD_OF_MANY.splitlines()[0].count("|") for row in many)
    monkeypatch.setattr(type_one, "_SIZES_OF_BEST", [(60, 4), (80, 6)])
    best = list(type_one.rows_of_best(1))
    assert all(row.count("|") == type_one.HEAD_OF_BEST.splitlines()[0].count("|") for row in best)
    assert len(best) == 2 * 2 * 3
    rows = list(speed.rows(500, 4, 1))
    assert all(row.count("|") == speed.HEAD.splitlines()[0].count("|") for row in rows)


def test_errors_of_best_labelings_are_counted():
    """Some is told apart, some interval has no 0, and Holm's method rejects: with a poor one, not with near copies."""
    true, places = np.arange(60) % 3, np.arange(60)
    poor = np.where(places == 9, 3, places // 5 % 4)
    for other, expected in ((np.where(places == 6, 1, true), [False] * 3), (poor, [True] * 3)):
        alike = {0: true, 1: other, 2: np.where(places == 8, 1, true)}
        best = gpuval.compare(true, alike, ["ari"], confidence_level=0.95, n_resamples=1, margin=0).best["ari"]
        assert type_one._errors(true, alike, "ari", best) == expected


def test_resampled_tables_have_the_standard_error_of_scipys_labels():
    own, other = speed.scipy_agrees(n_resamples=500)
    assert own == pytest.approx(other, rel=0.15)
