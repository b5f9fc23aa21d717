"""Labels, how often each pair of them occurs by a count in plain Python, and checks of tables against that."""

from __future__ import annotations

import math
from collections import Counter
from functools import cache

import numpy as np
from packages import pd

from gpuval import Contingency
from gpuval.engines.backends import to_host
from gpuval.engines.cells import SparseCells
from gpuval.registry.families import DEFAULT_METRICS

LAYOUTS = ("dense", "cells")

INTEGERS = [3, 1, 3, 0, 1, 7, 3]
OTHER = [2, 2, 2, 0, 5, 5, 0]
STRINGS = ["b", "a", "b", "cc", "a", "", "b"]


# Tables


def values(labels):
    """The labels of a side of a table as a list."""
    return list(labels) if isinstance(labels, range) else to_host(labels).tolist()


def cells_of(table):
    """The non-empty cells by their labels."""
    classes, clusters, counts = values(table.classes), values(table.clusters), to_host(table.counts)
    if isinstance(table.cells, SparseCells):
        rows, columns = (to_host(x).tolist() for x in (table.cells.class_of, table.cells.cluster_of))
    else:
        rows, columns = (x.tolist() for x in np.nonzero(counts))
        counts = counts[rows, columns]
    found = [(classes[i], clusters[j]) for i, j in zip(rows, columns, strict=True)]
    assert len(set(found)) == len(found)
    return dict(zip(found, counts.tolist(), strict=True))


def pairs_of(labels_true, labels_pred, weights=None):
    """The oracle: how many samples have each pair of labels."""
    count = Counter()
    for pair, weight in zip(zip(labels_true, labels_pred, strict=True), weights or [1] * len(labels_true), strict=True):
        count[pair] += weight
    return {pair: n for pair, n in count.items() if n}


def check(table, labels_true, labels_pred, weights=None, order=sorted):
    """Raise unless ``table`` is that of the labels, in all its fields."""
    table = table.compact()
    expected = pairs_of(labels_true, labels_pred, weights)
    classes, clusters = (order({pair[side] for pair in expected}) for side in (0, 1))
    assert values(table.classes) == classes
    assert values(table.clusters) == clusters
    assert cells_of(table) == expected
    full = np.array([[expected.get((i, j), 0) for j in clusters] for i in classes]).reshape(len(classes), len(clusters))
    np.testing.assert_array_equal(to_host(table.to_array()), full)
    np.testing.assert_array_equal(to_host(table.class_sizes), full.sum(axis=1))
    np.testing.assert_array_equal(to_host(table.cluster_sizes), full.sum(axis=0))
    assert to_host(table.total) == full.sum()


def triples_of(table):
    """The non-empty cells by their labels, as users read them."""
    host = (np.asarray(x).tolist() for x in table.triples())
    return {(a, b): n for a, b, n in zip(*host, strict=True)}


def check_labels(held_true, held_pred, labels_true, labels_pred, order=sorted, **options):
    """Check the tables of labels as they are held, in every layout and either way round."""
    for layout in (None, *LAYOUTS):
        table = Contingency.from_labels(held_true, held_pred, layout=layout, **options)
        check(table, labels_true, labels_pred, order=order)
        check(
            Contingency.from_labels(held_pred, held_true, layout=layout, **options),
            labels_pred,
            labels_true,
            order=order,
        )


def assert_same_tables(one, other):
    """Raise unless two tables are the same, bit for bit."""
    for name in ("counts", "class_sizes", "cluster_sizes", "total", "n_classes", "n_clusters"):
        a, b = to_host(getattr(one, name)), to_host(getattr(other, name))
        assert a.dtype == b.dtype
        np.testing.assert_array_equal(a, b)
    assert values(one.classes) == values(other.classes)
    assert values(one.clusters) == values(other.clusters)


def one_hot(labels, size):
    return np.eye(size)[labels]


# Nothing left

NO_SAMPLE = "ignore_labels must leave at least one sample of labels_true and labels_pred, got none left of 4"
NO_WEIGHT = "sample_weight must be above 0 for at least one sample of labels_true and labels_pred"

# Many labelings

VECTORS = {
    "integers": np.array([0, 0, 1, 1, 2, 2, -1]),
    "strings": np.array(list("aabbcc?")),
    "far apart": np.array([10**12, 10**12, 10**12 + 1, -1, 5, 5, 5]),
    "floats": np.array([0.0, 0.0, 1.0, math.nan, 1.0, -1.0, 3.0]),
    "booleans": np.array([True, False, True, True, False, False, True]),
}


@cache
def labelings():
    """The vectors, and one of categories; the same objects each time."""
    return VECTORS | {"categories": pd.Categorical(["x", "y", None, "x", "y", "z", "x"])}


IGNORED = [-1, None, "?"]

SCORES = DEFAULT_METRICS


def of_pair(options, first, second):
    """The options of one call: a label to ignore of a type that neither vector has would be an error there."""
    if options.get("ignore_labels") is not IGNORED:
        return options
    are_text = [x is labelings()["strings"] or x is labelings()["categories"] for x in (first, second)]
    return options | {"ignore_labels": [None] + [-1] * (not all(are_text)) + ["?"] * any(are_text)}
