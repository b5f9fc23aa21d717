"""Matchings by each objective: as good as the best of all, on every backend; and tables in their order with labels."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from only_for import only_for
from oracles import ORACLES

import gpuval
from gpuval import Contingency

F = Fraction

OBJECTIVES = {
    "count": lambda n, a, b: F(n),
    "recall": lambda n, a, b: F(n, a),
    "precision": lambda n, a, b: F(n, b),
    "f": lambda n, a, b: F(2 * n, a + b),
}
SPLIT = [[60, 40], [2, 0]]
"""A large class that is split, and a small one within one of its parts."""


def value_of(table, pairs, objective):
    """The sum of the objective over pairs of rows and columns."""
    rows, columns = [sum(row) for row in table], [sum(column) for column in zip(*table, strict=True)]
    return sum((OBJECTIVES[objective](table[i][j], rows[i], columns[j]) for i, j in pairs if table[i][j]), F(0))


def best_value(table, objective):
    """The largest sum over all matchings."""
    n_rows, n_columns = len(table), len(table[0])
    if n_rows > n_columns:
        ways = (zip(order, range(n_columns), strict=True) for order in permutations(range(n_rows), n_columns))
    else:
        ways = (zip(range(n_rows), order, strict=True) for order in permutations(range(n_columns), n_rows))
    return max(value_of(table, way, objective) for way in ways)


def random_tables():
    """Without empty rows and columns: each has a sample more on a wrapped diagonal."""
    rng = np.random.default_rng(3)
    for shape in ((3, 5), (5, 3), (4, 4)):
        counts = rng.integers(0, 4, shape) * rng.integers(0, 12, shape)
        for place in range(max(shape)):
            counts[place % shape[0], place % shape[1]] += 1
        yield counts.tolist()


TABLES = [SPLIT, *random_tables()]


@pytest.mark.by_default(once=True)
@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("layout", ["dense", "cells"])
@only_for(lambda backend, layout: backend.lists_cells or (layout == "dense" and backend.finds_sizes))
def test_no_matching_is_better(objective, layout, backend):
    for counts in TABLES:
        table = Contingency.from_counts(backend.array(counts))
        table = table.listed() if layout == "cells" else table
        found = gpuval.match_labels(table, objective=objective)
        assert type(found.counts) is type(backend.array([1]))
        classes, clusters, shared = (backend.numpy(x).tolist() for x in found)
        assert shared == [counts[i][j] for i, j in zip(classes, clusters, strict=True)]
        assert all(shared)
        assert len(set(classes)) == len(set(clusters)) == len(classes)
        best = best_value(counts, objective)
        assert value_of(counts, zip(classes, clusters, strict=True), objective) == best
        order = backend.numpy(gpuval.normalizing_permutation(table, objective=objective)).tolist()
        matched = [(i, j) for i, j in enumerate(order[: len(counts)]) if j < len(counts[0])]
        assert value_of(counts, matched, objective) == best
        matrix = backend.numpy(gpuval.normalized_confusion_matrix(table, objective=objective))
        padded = np.pad(counts, ((0, 0), (0, len(order) - len(counts[0]))))
        assert np.array_equal(matrix, padded[:, order])


def test_the_split_class():
    """Counts 60 + 0 or 40 + 2; recalls 60/100 + 0 or 40/100 + 2/2."""
    table = Contingency.from_counts(SPLIT)
    for objective, order, counts in (("count", [0, 1], [60]), ("recall", [1, 0], [40, 2])):
        assert gpuval.normalizing_permutation(table, objective=objective).tolist() == order
        assert gpuval.match_labels(table, objective=objective).counts.tolist() == counts
    assert gpuval.match_labels(table).counts.tolist() == [60]
    assert (value_of(SPLIT, [(0, 1), (1, 0)], "recall"), best_value(SPLIT, "recall")) == (F(7, 5), F(7, 5))


@pytest.mark.parametrize("counts", TABLES, ids=str)
def test_the_recall_is_that_of_the_normalised_accuracy(counts):
    """It is the mean recall R, rescaled: (R - 1/k) / (1 - 1/k)."""
    import genieclust.compare_partitions as genieclust

    table, k = Contingency.from_counts(counts), max(len(counts), len(counts[0]))
    matched = gpuval.match_labels(table, objective="recall")
    pairs = zip(matched.classes.tolist(), matched.clusters.tolist(), strict=True)
    recall = value_of(counts, pairs, "recall") / len(counts)
    expected = (recall - F(1, k)) / (1 - F(1, k))
    assert expected == ORACLES["normalized_clustering_accuracy"](counts)
    assert gpuval.normalized_clustering_accuracy(table) == pytest.approx(float(expected), rel=1e-14)
    if len(counts) == len(counts[0]):  # genieclust takes no others
        assert genieclust.normalized_clustering_accuracy(np.asarray(counts)) == pytest.approx(float(expected))


@pytest.mark.parametrize("counts", [x for x in TABLES if len(x) <= len(x[0])], ids=str)
def test_genieclust_has_the_matrix_of_counts(counts):
    import genieclust.compare_partitions as genieclust

    order = genieclust.normalizing_permutation(np.asarray(counts))
    table = Contingency.from_counts(counts)
    assert value_of(counts, enumerate(order[: len(counts)]), "count") == best_value(counts, "count")
    found = gpuval.normalized_confusion_matrix(table)
    if len(counts) == len(counts[0]):  # else columns that are matched with none may lie in another order
        assert np.array_equal(found, np.asarray(counts)[:, order])
    true, pred = (np.repeat(x.ravel(), np.ravel(counts)) for x in np.indices(np.shape(counts)))
    theirs = genieclust.normalized_confusion_matrix(true, pred)
    assert np.trace(found[:, : len(counts)]) == np.trace(theirs[:, : len(counts)])


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_labels_stay_with_the_matrix(objective):
    true = np.repeat(["large", "small", "third"], [100, 2, 3])
    pred = np.repeat([30, 10, 30, 10], [60, 40, 2, 3])
    samples = list(zip(true.tolist(), pred.tolist(), strict=True))
    plain = gpuval.contingency_matrix(true, pred, as_frame=True)
    frame = gpuval.normalized_confusion_matrix(true, pred, objective=objective, as_frame=True)
    assert frame.index.to_list() == ["large", "small", "third"]
    assert {*frame.columns} == {10, 30, None}
    for one in (plain, frame[[10, 30]]):
        for name, row in one.iterrows():
            assert all(row[label] == samples.count((name, label)) for label in (10, 30))
    matched = gpuval.match_labels(true, pred, objective=objective)
    order = frame.columns.to_list()
    for name, label in zip(matched.classes.tolist(), matched.clusters.tolist(), strict=True):
        assert order.index(label) == frame.index.get_loc(name)
    permuted = gpuval.normalizing_permutation(true, pred, objective=objective)
    assert plain.columns[permuted[permuted < 2]].to_list() == [x for x in order if x is not None]


def test_wrong_objectives():
    for of in (gpuval.match_labels, gpuval.normalizing_permutation, gpuval.normalized_confusion_matrix):
        with pytest.raises(
            ValueError, match="objective must be one of 'count', 'recall', 'precision', 'f', got 'best'"
        ):
            of([0, 1], [0, 1], objective="best")
