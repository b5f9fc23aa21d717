"""The information of tables on the host comes from their non-empty cells, and the expected one point by point."""

import csv
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
import torch
from oracles import ORACLES, mp, real
from properties import rows_of

import gpuval
from gpuval import Contingency
from gpuval.engines.host import information
from gpuval.engines.host.information import expectation_sums, parts_of_joint_entropy
from gpuval.measures.measure import measures_in
from gpuval.metrics.external import information as information_measures
from gpuval.numerics.exact import LARGEST_ROOT
from gpuval.numerics.hypergeometric import mean_deviance_and_loss
from gpuval.numerics.size_nodes import SizeNodes

SCORES = [row for measure in measures_in(information_measures) for row in rows_of(measure) if row.compares_partitions]


def labels(n, k, agreeing=0.0, seed=0):
    rng = np.random.default_rng(seed)
    true, pred = rng.integers(0, k, (2, n))
    return true, np.where(rng.random(n) < agreeing, true, pred)


def counted(true, pred):
    counts = np.zeros((int(true.max()) + 1, int(pred.max()) + 1), dtype=np.int64)
    np.add.at(counts, (true, pred), 1)
    return counts


def shipped():
    """Cell types and clusters of the labels that ship with the package."""
    path = Path(gpuval.__file__).parent / "data" / "pbmc68k_reduced.csv"
    with path.open(encoding="utf-8") as file:
        rows = list(csv.reader(file))[1:]
    return tuple(np.unique([row[i] for row in rows], return_inverse=True)[1] for i in (-2, -1))


class SimpleTable(NamedTuple):
    """What the expected information reads of a table, or of a batch of them."""

    class_sizes: np.ndarray
    cluster_sizes: np.ndarray
    total: np.ndarray
    counts: np.ndarray

    @staticmethod
    def real(x):
        return x.astype(np.float64)


def is_accurate(value, wanted):
    error = abs(mp.mpf(float(value)) - wanted)
    return error <= 1e-14 * max(1, abs(wanted)) and error <= 1e-12 * abs(wanted) + mp.mpf("1e-40")


TABLES = {
    "nearly empty": counted(*labels(60, 30)),
    "nearly empty, nearly the same": counted(*labels(60, 30, agreeing=0.9)),
    "full, nearly independent": counted(*labels(600, 4)),
    "one sample": np.asarray([[1]]),
    "one class": np.asarray([[3, 0, 5]]),
    "one cluster": np.asarray([[3], [0], [5]]),
    "the same": np.diag([5, 1, 7]),
    "rows and columns that do not occur": np.asarray([[0, 0, 0], [0, 4, 2], [0, 0, 0], [0, 1, 3]]),
    "as independent as can be": np.outer([1, 2, 3], [4, 5, 6]),
    "independent, but for two samples": np.asarray([[5, 4, 6], [7, 11, 12], [12, 15, 18]]),
    "one giant class": np.asarray([[10**6, 1], [1, 0]]),
    "most samples of which squares fit": np.asarray([[LARGEST_ROOT - 10, 3], [2, 5]]),
    "one sample more": np.asarray([[LARGEST_ROOT - 9, 3], [2, 5]]),
}
"""Counts, of which some have empty rows and columns."""


@pytest.mark.parametrize("layout", ["dense", "cells"])
@pytest.mark.parametrize("name", TABLES)
def test_scores(name, layout):
    counts = TABLES[name]
    table = Contingency.from_counts(counts)
    table = table.listed() if layout == "cells" else table
    rows = [row for row in counts.tolist() if any(row)]
    occurring = [list(row) for row in zip(*[column for column in zip(*rows, strict=True) if any(column)], strict=True)]
    for score in SCORES:
        value = score.of_table(table)
        wanted = real(ORACLES[score.name](occurring, **score.options))
        assert is_accurate(value, wanted), f"{score}: {value!r}, exactly {mp.nstr(wanted, 20)}"


@pytest.mark.parametrize("as_labels", [np.asarray, torch.asarray])
@pytest.mark.parametrize(("n", "k"), [(60, 5), (60, 60), (200, 250), (150, 1000)])
def test_scores_of_batches(n, k, as_labels):
    """Full and nearly empty tables, dense and listed ones, of labels."""
    true, pred = labels(n, k, agreeing=0.3)
    counts = counted(np.unique(true, return_inverse=True)[1], np.unique(pred, return_inverse=True)[1]).tolist()
    for score in SCORES:
        value = score.of_labels(as_labels(true), as_labels(pred))
        assert is_accurate(value, real(ORACLES[score.name](counts, **score.options)))


def test_both_layouts_give_the_same_digits():
    for n, k, agreeing in ((50, 3, 0.0), (1024, 100, 0.0), (1024, 100, 0.8), (300, 200, 0.5)):
        dense = Contingency.from_labels(*labels(n, k, agreeing), layout="dense")
        listed = Contingency.from_labels(*labels(n, k, agreeing), layout="cells")
        for score in SCORES:
            assert score.of_table(dense) == score.of_table(listed)


@pytest.mark.parametrize("layout", ["dense", "cells"])
def test_only_non_empty_cells_are_read(layout, monkeypatch):
    """1,024 independent samples of 100 x 100 labels: nine cells of ten are empty."""
    true, pred = labels(1024, 100)
    table = Contingency.from_labels(true, pred, layout=layout)
    pairs = sorted({*zip(true.tolist(), pred.tolist(), strict=True)})
    row, counts, own, met, sizes = information._read_cells(table, slice(0, 100))
    assert row.tolist() == [i for i, _ in pairs]
    assert own.tolist() == [int((true == i).sum()) for i, _ in pairs]
    assert met.tolist() == [int((pred == j).sum()) for _, j in pairs]
    assert sizes.tolist() == np.bincount(true).tolist()
    assert counts.tolist() == [int(((true == i) & (pred == j)).sum()) for i, j in pairs]
    monkeypatch.setattr(information, "_MOST", len(pairs) - 1)
    assert (parts_of_joint_entropy(table) is None) == (layout == "cells")
    assert parts_of_joint_entropy(Contingency.from_counts(table.to_array()[:20, :9] + 1)) is not None
    full = Contingency.from_counts(np.minimum(table.to_array(), 1) + 1)
    monkeypatch.setattr(information, "_BLOCK", 700)  # seven rows at once
    assert is_accurate(parts_of_joint_entropy(full)[0], ORACLES["mutual_info_score"](full.to_array().tolist()))


def test_deviances_are_those_of_non_empty_cells(monkeypatch):
    counts = np.kron(np.eye(2, dtype=np.int64), np.ones((10, 10), dtype=np.int64))
    counts[0, 10:] = counts[10:, 0] = 1
    seen, deviance = [], information.deviance_of_counts
    recorded = lambda k, *others: seen.append(k.size) or deviance(k, *others)  # noqa: E731
    monkeypatch.setattr(information, "deviance_of_counts", recorded)
    value = gpuval.mutual_info_score(Contingency.from_counts(counts + np.ones_like(counts)))
    assert is_accurate(value, ORACLES["mutual_info_score"]((counts + 1).tolist()))
    assert seen == [400]
    seen.clear()
    counts = counts + np.kron(1 - np.eye(2, dtype=np.int64), np.eye(10, dtype=np.int64)) + 40
    counts[3, 4:8] = 0
    value = gpuval.mutual_info_score(Contingency.from_counts(counts))
    assert is_accurate(value, ORACLES["mutual_info_score"](counts.tolist()))
    assert seen == [396]


@pytest.mark.parametrize(
    ("counts", "is_found"),
    [
        ([[3, 1], [0, 2]], True),
        ([[3.0, 1.0], [0.0, 2.0]], False),
        ([[[3, 1], [0, 2]]], False),
        ([[0, 0], [0, 0]], False),
        ([[LARGEST_ROOT]], True),
        ([[LARGEST_ROOT, 1]], False),
    ],
)
def test_tables_of_which_it_is_found(counts, is_found):
    assert (parts_of_joint_entropy(Contingency.from_counts(np.asarray(counts))) is not None) == is_found


def test_small_tables_need_no_quadrature(monkeypatch):
    """The labels that ship with the package, and batches: what is asked for is the sum over points."""
    tables = [shipped(), labels(256, 10), labels(1024, 100), labels(4096, 1000)]
    wanted = [gpuval.adjusted_mutual_info_score(*x) for x in tables]
    monkeypatch.setattr(information, "mean_deviance_and_loss", None)
    assert [gpuval.adjusted_mutual_info_score(*x) for x in tables] == wanted
    with pytest.raises(TypeError, match="not callable"):
        gpuval.adjusted_mutual_info_score(*labels(100_000, 3))


@pytest.mark.parametrize("of_a", [True, False])
@pytest.mark.parametrize("agreeing", [0.0, 1.0])
def test_point_by_point_and_quadrature_agree(agreeing, of_a, monkeypatch):
    """Over whole tables, with sizes on both sides of the border between the two."""
    for n, k in ((300, 7), (5000, 80), (20_000, 3000)):
        table = Contingency.from_labels(*labels(n, k, agreeing))
        point_by_point = expectation_sums(table, np.bool_(of_a))
        with monkeypatch.context() as patched:
            patched.setattr(information, "deviance_and_loss_of_short_windows", lambda *_: None)
            np.testing.assert_allclose(point_by_point, expectation_sums(table, np.bool_(of_a)), rtol=1e-14)


@pytest.mark.parametrize("skew", [0, 1, 2])
def test_fewer_sizes_have_the_sums_of_all(skew, monkeypatch):
    """Alike and skewed sizes, of tables and of batches of them, in which either loss may be the smaller one."""
    rng = np.random.default_rng(skew)
    for n, k in ((30_000, 40), (10**6, 90), (10**9, 90)):
        shares = 1 / np.arange(1, k + 1) ** skew
        rows, columns = (rng.multinomial(n, x / x.sum(), 3) for x in (shares, shares[: k // 2]))
        columns = np.pad(columns, ((0, 0), (0, 2)))
        singles = []
        for i in range(3):
            table = SimpleTable(rows[i], columns[i], np.int64(n), np.empty((k, k)))
            fewer = expectation_sums(table, np.bool_(i % 2))
            with monkeypatch.context() as patched:
                patched.setattr(information.SizeNodes, "fewer", lambda self: self)
                every = expectation_sums(table, np.bool_(i % 2))
            np.testing.assert_allclose(fewer, every, rtol=4e-15)
            singles.append(fewer)
        batch = SimpleTable(rows, columns, np.full(3, n), np.broadcast_to(0, (3, 999, 999)))
        found = expectation_sums(batch, np.arange(3) % 2 == 1)
        np.testing.assert_allclose(np.transpose(found), singles, rtol=4e-15)


def test_what_fewer_sizes_miss_is_bounded():
    """The bound of each size holds, and is no larger than asked for; sizes that are few stay as they are."""
    sizes = np.unique(np.random.default_rng(0).integers(900, 1800, 300)).astype(float)
    each = SizeNodes(sizes, np.eye(len(sizes)), 0.0)
    fewer, n = each.fewer(), 4000.0
    assert len(fewer.sizes) < 40
    assert 0 < fewer.missed.max() < 2.0**-50
    for b in (1.0, 7.0, 1500.0, 3900.0):
        for of_a in (True, False):
            pairs = [(x[:, None], np.array([b]), n, np.bool_(of_a), np) for x in (sizes, fewer.sizes)]
            for every, few in zip(*(mean_deviance_and_loss(*pair) for pair in pairs), strict=True):
                np.testing.assert_allclose(fewer.times @ few, every, rtol=2e-14)
    assert len(SizeNodes(sizes[:20], np.ones((1, 20)), 0.0).fewer().sizes) == 20


def test_batches_of_unequal_numbers_of_samples():
    rows, of_a = np.asarray([[3, 4, 0, 0, 0, 0], [3, 5, 1, 0, 0, 0]]), np.asarray([True, False])
    found = expectation_sums(SimpleTable(rows, rows, rows.sum(axis=1), np.empty((2, 6, 6))), of_a)
    for i in range(2):
        single = expectation_sums(SimpleTable(rows[i], rows[i], rows[i].sum(), np.empty((6, 6))), of_a[i])
        np.testing.assert_array_equal([x[i] for x in found], single)


def test_many_small_tables_have_the_scores_of_each():
    """All pairs of sizes at once, where the tables have few cells and many sizes together."""
    counts = np.random.default_rng(4).integers(0, 3000, (40, 3, 4))
    found = gpuval.adjusted_mutual_info_score(Contingency.from_counts(counts))
    singles = [gpuval.adjusted_mutual_info_score(Contingency.from_counts(x)) for x in counts]
    np.testing.assert_allclose(found, singles, rtol=0, atol=1e-14)


def test_groups_that_do_not_occur_expect_nothing():
    true, pred = labels(500, 6)
    table = Contingency.from_labels(true, pred)
    larger = Contingency.from_labels(true, pred, n_classes=9, n_clusters=20)
    assert expectation_sums(table, np.True_) == expectation_sums(larger, np.True_)
    real_weights = Contingency.from_counts(larger.counts.astype(float))
    np.testing.assert_allclose(expectation_sums(real_weights, np.True_), expectation_sums(table, np.True_), rtol=1e-15)
