"""What tables do: layouts, frames, their text, and tables that are large."""

from __future__ import annotations

import tracemalloc

import jax.numpy as jnp
import numpy as np
import pandas as pd
import pytest
import torch
from known_tables import INTEGERS, LAYOUTS, OTHER, STRINGS, assert_same_tables, pairs_of

import gpuval
from gpuval import Contingency, contingency_matrix
from gpuval.engines.backends import NUMPY
from gpuval.engines.cells import DenseCells, SparseCells
from gpuval.inputs.codes import Codes


def test_the_layouts_are_one_table():
    dense = Contingency.from_labels(STRINGS, OTHER, layout="dense")
    listed = Contingency.from_labels(STRINGS, OTHER, layout="cells")
    assert isinstance(dense.cells, DenseCells)
    assert isinstance(listed.cells, SparseCells)
    assert_same_tables(dense.listed(), listed)
    assert_same_tables(listed.dense(), dense)
    assert dense.dense() is dense
    assert listed.listed() is listed
    assert dense.compact() is dense
    for table in (dense, listed):
        assert_same_tables(table.transposed().dense(), Contingency.from_labels(OTHER, STRINGS, layout="dense"))
        assert_same_tables(table.transposed().listed(), Contingency.from_labels(OTHER, STRINGS, layout="cells"))
        assert_same_tables(table.transposed().transposed(), table)


def test_the_smaller_layout_is_chosen():
    few, many = np.arange(1000) % 7, np.arange(1000)
    assert isinstance(Contingency.from_labels(few, few).cells, DenseCells)
    assert isinstance(Contingency.from_labels(many, many).cells, SparseCells)


def test_to_pandas():
    for layout in LAYOUTS:
        frame = Contingency.from_labels(STRINGS, OTHER, layout=layout).to_pandas()
        expected = pd.crosstab(pd.Series(STRINGS, name="class"), pd.Series(OTHER, name="cluster"))
        pd.testing.assert_frame_equal(frame, expected, check_index_type=False)
    frame = Contingency.from_labels(torch.tensor([0, 0, 1]), torch.tensor([7, 7, 8])).to_pandas()
    assert frame.to_dict() == {7: {0: 2, 1: 0}, 8: {0: 0, 1: 1}}


def test_repr():
    first, *counts = repr(Contingency.from_labels(STRINGS, OTHER)).splitlines()
    assert first == "Contingency(4 classes x 3 clusters, dense, numpy)"
    assert len(counts) == 1 + 4
    listed = Contingency.from_labels(torch.tensor(INTEGERS), torch.tensor(OTHER), layout="cells")
    assert repr(listed).splitlines()[0] == "Contingency(4 classes x 3 clusters, 6 cells, torch)"
    batch = Contingency.from_counts(jnp.ones((5, 2, 3)))
    assert repr(batch) == "Contingency(2 classes x 3 clusters, dense, jax, batch of (5,))"


def test_contingency_matrix_is_the_count():
    for hold in (list, np.array, pd.Series, pd.Categorical):
        matrix = contingency_matrix(hold(INTEGERS), hold(OTHER))
        expected = pairs_of(INTEGERS, OTHER)
        assert matrix.tolist() == [[expected.get((i, j), 0) for j in sorted(set(OTHER))] for i in sorted(set(INTEGERS))]


# Large tables


def test_a_hundred_thousand_classes_and_clusters_fit():
    size, n = 100_000, 1_000_000
    rng = np.random.default_rng(0)
    true = rng.permutation(np.repeat(rng.integers(-(2**62), 2**62, size), n // size))
    pred = rng.integers(0, size, n)
    tracemalloc.start()
    try:
        table = Contingency.from_labels(true, pred)
        score = gpuval.adjusted_rand_score(table)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 400e6, f"{peak / 1e6:.0f} MB"
    assert isinstance(table.cells, SparseCells)
    assert abs(score) < 1e-3
    pairs, counts = np.unique(np.stack([true, pred], axis=1), axis=0, return_counts=True)
    np.testing.assert_array_equal(table.counts, counts)
    np.testing.assert_array_equal(np.asarray(table.classes)[table.cells.class_of], pairs[:, 0])
    np.testing.assert_array_equal(np.asarray(table.clusters)[table.cells.cluster_of], pairs[:, 1])
    np.testing.assert_array_equal(table.class_sizes, np.full(size, n // size))


def test_codes_whose_product_overflows():
    true, pred = [3, 3, 1, 0, 1, 3], [1, 1, 2, 0, 2, 0]
    codes = [Codes(np.array(x), 2**40, range(2**40)) for x in (true, pred)]
    from gpuval.engines.engine import sparse_cells

    for weights in (None, np.array([1, 2, 3, 4, 5, 6])):
        cells, _ = sparse_cells(*(x.codes for x in codes), (2**40, 2**40), weights, NUMPY)
        found = zip(cells.class_of.tolist(), cells.cluster_of.tolist(), strict=True)
        expected = pairs_of(true, pred, None if weights is None else weights.tolist())
        assert dict(zip(found, cells.counts.tolist(), strict=True)) == expected


@pytest.mark.parametrize("kind", [list, np.asarray, pd.Series, lambda x: pd.Series(x, dtype="boolean"), torch.tensor])
def test_booleans_are_the_labels_0_and_1(kind):
    table = Contingency.from_labels(kind([True, False, True]), kind([False, False, True]))
    assert [list(table.classes), list(table.clusters)] == [[0, 1], [0, 1]]


def test_booleans_as_categories_stay_what_they_are():
    table = Contingency.from_labels(pd.Categorical([True, False]), pd.Categorical([False, True]))
    assert [list(table.classes), list(table.clusters)] == [[False, True], [False, True]]
    assert "False" in repr(table)
