"""The benchmark of stability: its tables have all rows, and samples and labels are what the tables say."""

import numpy as np
import pytest

from benchmarks.stability import __main__ as command
from benchmarks.stability import coverage, criteria, speed
from benchmarks.stability.samples import KINDS


def rows_of(table, capsys):
    assert command.main([table, "--smoke"]) == 0
    head, _, *rows = capsys.readouterr().out.splitlines()
    rows = [[x.strip() for x in row.strip("|").split("|")] for row in rows]
    assert {len(row) for row in rows} == {head.count("|") - 1}
    return rows


def test_speed(capsys):
    (row,) = rows_of("speed", capsys)
    assert row[:3] == ["2000", "3 x 3", "80% of them"]
    assert float(row[3]) > 0


def test_labels_of_runs():
    runs = speed.runs_of((1000, 2, 3), 0.8)
    assert list(runs) == [speed.FEWEST, speed.MOST]
    coarse, fine = runs.values()
    assert coarse.shape == fine.shape == (3, 1000)
    np.testing.assert_array_equal(coarse == -1, fine == -1)
    assert 0.7 < (coarse != -1).mean() < 0.9
    drawn = (fine[0] != -1) & (fine[1] != -1)
    assert 0.9 < (fine[0] == fine[1])[drawn].mean() < 1


def test_criteria(capsys):
    rows = rows_of("criteria", capsys)
    assert tuple(row[0] for row in rows) == criteria.CRITERIA
    assert len(rows[0]) == 1 + len(KINDS)
    silhouette = next(row for row in rows if row[0] == "silhouette")
    assert silhouette[1] == "1.00 (4)"


def test_a_cell_of_the_criteria():
    assert criteria._cell([3, 9, 3, 4], KINDS["nested"]) == "0.50, 0.25 (3)"
    assert criteria._cell([criteria.NONE, 1, criteria.NONE, 2], KINDS["uniform box"]) == "0.75 (none)"


@pytest.mark.parametrize("name", KINDS)
def test_samples(name):
    X = KINDS[name].draw(np.random.default_rng(0), 90)
    assert X.shape[0] == 90
    assert np.isfinite(X).all()
    assert len(np.unique(X, axis=0)) == 90


def test_coverage(capsys):
    rows = rows_of("coverage", capsys)
    assert [int(row[0]) for row in rows] == [*coverage.N_RUNS] * len(coverage.WAYS)
    assert all(0 <= float(x) <= 1 for row in rows for x in row[2:])


def test_the_true_agreement_is_the_mean_of_all_pairs():
    runs = np.stack([coverage._TRUE, coverage._TRUE, coverage._OTHER])
    once = coverage._mean_agreement(runs[1:])
    assert once < 1
    assert coverage._mean_agreement(runs) == pytest.approx((1 + 2 * once) / 3, rel=1e-12)
