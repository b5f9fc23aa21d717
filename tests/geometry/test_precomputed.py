"""Distances that are given, in whatever way: read by blocks of rows, and never all at once."""

from __future__ import annotations

import functools
import re

import anndata
import internal_oracles as oracles
import numpy as np
import pandas as pd
import pytest
import torch
from backends import BACKENDS
from internal_cases import BY_METRIC, case, precomputed
from scipy import sparse

import gpuval
from gpuval.geometry.distances.precomputed import DistanceMatrix

D, LABELS = precomputed("normal"), case("normal")[1]
N = len(LABELS)
GRAPH = np.where(D < 2.5, D, 0)  # of neighbours: most pairs have no entry


def mapped(path, values):
    file = np.lib.format.open_memmap(path / "d.npy", mode="w+", dtype=values.dtype, shape=values.shape)
    file[:] = values
    file.flush()
    return np.load(path / "d.npy", mmap_mode="r")


class Blocks:
    """A function of start and stop, which remembers what it was asked for."""

    def __init__(self, values):
        self.values, self.asked = values, []

    def __call__(self, start, stop):
        self.asked.append((start, stop))
        return self.values[start:stop]


WAYS = {
    "array": lambda d, _: d,
    "lists": lambda d, _: d.tolist(),
    "frame": lambda d, _: pd.DataFrame(d),
    "columns first": lambda d, _: np.asfortranarray(d),
    "mapped": lambda d, path: mapped(path, d),
    "csr": lambda d, _: sparse.csr_array(d),
    "csc": lambda d, _: sparse.csc_matrix(d),
    "coo": lambda d, _: sparse.coo_array(d),
    "torch": lambda d, _: torch.asarray(d),
    "function": lambda d, _: Blocks(d),
    "function of lists": lambda d, _: Blocks(d.tolist()),
    "function of sparse rows": lambda d, _: Blocks(sparse.csr_array(d)),
    "function of tensors": lambda d, _: Blocks(torch.asarray(d)),
    "function of float32": lambda d, _: Blocks(d.astype(np.float32)),
}


@pytest.fixture(params=[256, 7, 1])
def height(request, monkeypatch):
    monkeypatch.setattr(DistanceMatrix, "height", request.param)
    return request.param


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.usefixtures("height")
def test_in_whatever_way(way, tmp_path):
    labels = torch.asarray(LABELS) if way in ("torch", "function of tensors") else LABELS
    close = {"rtol": 1e-5, "atol": 1e-5} if "float32" in way else {"rtol": 1e-12, "atol": 1e-12}
    assert_scores(WAYS[way](D, tmp_path), labels, D, close)


@functools.cache  # the same distances come in many ways
def by_definition(distances):
    """The silhouettes and the Dunn index."""
    D = oracles.exact(distances)
    return [float(x) for x in oracles.silhouettes(D, LABELS.tolist())], float(oracles.dunn(D, LABELS.tolist()))


def assert_scores(made, labels, distances, close, **options):
    """All measures of distances, made up in some way, beside the definitions."""
    options = {"metric": "precomputed"} | options
    expected, dunn = by_definition(tuple(map(tuple, distances.tolist())))
    np.testing.assert_allclose(np.asarray(gpuval.silhouette_samples(made, labels, **options)), expected, **close)
    for size in (None, N):
        score = float(gpuval.silhouette_score(made, labels, sample_size=size, **options))
        np.testing.assert_allclose(score, np.mean(expected), **close)
    score = float(gpuval.silhouette_label(made, labels, **options))
    np.testing.assert_allclose(score, (np.mean(expected) + 1) / 2, **close)
    score = float(gpuval.dunn_index(made, labels, **options))
    np.testing.assert_allclose(score, dunn, **close)


# ---- sparse distances with entries for some pairs only -------------------------------------------

SPARSE = {
    **{
        name: lambda d, name=name: sparse.coo_array(d).asformat(name)
        for name in ("csr", "csc", "coo", "lil", "dok", "dia", "bsr")
    },
    "matrix": sparse.csr_matrix,
    "blocks": lambda d: sparse.bsr_array(d, blocksize=(4, 4)),
    "32 bits": lambda d: sparse.csr_array(d.astype(np.float32)),
    "function": lambda d: Blocks(sparse.csr_array(d)),
    "function of columns": lambda d: Blocks(sparse.lil_array(d)),
    "view of AnnData": lambda d: view_of(sparse.csr_matrix(d)),
}
CLOSE = {"rtol": 1e-12, "atol": 1e-12}


def view_of(d):
    """As `adata[cells].obsp["distances"]` is."""
    return anndata.AnnData(np.zeros((N, 1)), obsp={"distances": d})[np.arange(N)].obsp["distances"]


@pytest.mark.parametrize("way", SPARSE)
@pytest.mark.usefixtures("height")
def test_a_graph_of_neighbours_is_no_matrix_of_distances(way):
    """Whatever its format: the pair that it names has no entry."""
    for measure in BY_METRIC:
        with pytest.raises(ValueError, match="got a sparse matrix without an entry for samples") as raised:
            measure(SPARSE[way](GRAPH), LABELS, metric="precomputed")
        i, j = map(int, re.findall(r"samples (\d+) and (\d+)", str(raised.value))[0])
        assert i != j
        assert GRAPH[i, j] == 0
        assert "absent=" in str(raised.value)


@pytest.mark.parametrize("absent", [2.5, 7, np.float32(2.75), 0, 0.0])
@pytest.mark.parametrize("way", SPARSE)
@pytest.mark.usefixtures("height")
def test_how_far_samples_without_an_entry_are_apart(way, absent):
    filled = np.where(GRAPH > 0, GRAPH, float(absent))
    np.fill_diagonal(filled, 0)
    close = {"rtol": 1e-5, "atol": 1e-5} if way == "32 bits" else CLOSE
    assert_scores(SPARSE[way](GRAPH), LABELS, filled, close, absent=absent)


@pytest.mark.parametrize("way", [x for x in SPARSE if x not in ("blocks", "bsr")])
def test_absent_changes_nothing_where_all_have_an_entry(way):
    """On the diagonal there need not be one."""
    close = {"rtol": 1e-5, "atol": 1e-5} if way == "32 bits" else CLOSE
    assert_scores(SPARSE[way](D), LABELS, D, close, absent=1e9)
    stored = SPARSE[way](D + np.eye(N))
    if way in ("csr", "matrix"):
        stored.setdiag(0)
        assert stored.nnz == N * N
        assert_scores(stored, LABELS, D, close, absent=1e9)


def test_distances_of_0_are_entries_too():
    """Of equal samples: a matrix of the distances that are not 0 lacks theirs."""
    near = D.copy()
    near[3, 5] = near[5, 3] = 0
    for absent in (None, 9.0):
        row, column = np.nonzero(~np.eye(N, dtype=bool))
        for form in (sparse.csr_array, sparse.csc_array, sparse.coo_array, lambda x: sparse.lil_array(x).tocsr()):
            explicit = sparse.coo_array((near[row, column], (row, column)), shape=near.shape)
            assert_scores(form(explicit), LABELS, near, CLOSE, absent=absent)
    with pytest.raises(ValueError, match="without an entry for samples 3 and 5,"):
        gpuval.silhouette_score(sparse.csr_array(near), LABELS, metric="precomputed")


def test_entries_stored_twice_are_their_sum():
    row, column = np.nonzero(~np.eye(N, dtype=bool))
    raw = sparse.csr_array(
        (
            np.repeat(D[row, column] / 2, 2),
            np.repeat(column, 2),
            np.concatenate([[0], np.cumsum(np.full(N, 2 * (N - 1)))]),
        ),
        shape=D.shape,
    )
    assert not raw.has_canonical_format
    assert_scores(raw, LABELS, D, CLOSE, absent=100)
    assert not raw.has_canonical_format  # it is the caller's


def test_what_does_not_count_needs_no_entry():
    """Neither its row nor its column."""
    counted = LABELS != 2
    partial = np.where(counted[:, None] & counted, D, 0)
    alone = D[np.ix_(counted, counted)]
    for form in (sparse.csr_array(partial), Blocks(sparse.csr_array(partial))):
        for measure in (gpuval.silhouette_score, gpuval.dunn_index):
            found = measure(form, LABELS, metric="precomputed", ignore_labels=2)
            assert found == pytest.approx(measure(alone, LABELS[counted], metric="precomputed"), rel=1e-12)
        found = gpuval.silhouette_score(form, LABELS, metric="precomputed", sample_weight=counted)
        assert found == pytest.approx(gpuval.silhouette_score(alone, LABELS[counted], metric="precomputed"), rel=1e-12)
        with pytest.raises(ValueError, match="without an entry"):
            gpuval.silhouette_score(form, LABELS, metric="precomputed", ignore_labels=1)


def test_only_rows_that_are_read_need_entries():
    """Of a sample of the rows, all columns."""
    partial, read = D.copy(), []

    def blocks(start, stop):
        read.extend(range(start, stop))
        return sparse.csr_array(partial[start:stop])

    drawn = {"metric": "precomputed", "sample_size": 6, "random_state": 0}
    expected = gpuval.silhouette_score(blocks, LABELS, **drawn)
    others = np.setdiff1d(np.arange(N), read[1:])
    partial[others] = 0
    assert gpuval.silhouette_score(sparse.csr_array(partial), LABELS, **drawn) == expected


# ---- the ways to read ----------------------------------------------------------------------------


def test_a_function_is_asked_for_each_row_once(height):
    for function in (gpuval.silhouette_samples, gpuval.dunn_index):
        blocks = Blocks(D)
        function(blocks, LABELS, metric="precomputed")
        first, *asked = blocks.asked
        assert first == (0, 1)
        rows = sorted(row for start, stop in asked for row in range(start, stop))
        assert rows == list(range(N))
        assert max(stop - start for start, stop in asked) <= height


@pytest.mark.usefixtures("height")
def test_only_rows_that_were_drawn_are_read():
    blocks = Blocks(D)
    gpuval.silhouette_score(blocks, LABELS, metric="precomputed", sample_size=6, random_state=0)
    _, *asked = blocks.asked
    assert sum(stop - start for start, stop in asked) == 6


@pytest.mark.usefixtures("height")
def test_what_is_not_symmetric():
    """Rows are what a sample sees: scikit-learn's silhouettes, too, are of rows."""
    rng = np.random.default_rng(3)
    odd = rng.random((N, N)) + 0.5
    np.fill_diagonal(odd, 0)
    for form in (odd, sparse.csr_array(odd), lambda start, stop: odd[start:stop]):
        found = gpuval.silhouette_samples(form, LABELS, metric="precomputed")
        expected = [float(x) for x in oracles.silhouettes(oracles.exact(odd), LABELS.tolist())]
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


@pytest.mark.usefixtures("height")
@pytest.mark.parametrize("name", ["numpy", "torch"])
def test_the_dunn_index_of_what_is_not_symmetric(name):
    """The smallest and the largest of all, above the diagonal and below it, wherever tiles end."""
    backend, rng = BACKENDS[name], np.random.default_rng(4)
    for _ in range(4):
        odd = rng.random((N, N)) + 0.5
        np.fill_diagonal(odd, 0)
        expected = float(oracles.dunn(oracles.exact(odd), LABELS.tolist()))
        with backend.mode():
            found = gpuval.dunn_index(backend.array(odd), backend.array(LABELS), metric="precomputed")
        assert float(found) == pytest.approx(expected, rel=1e-12)


@pytest.mark.usefixtures("height")
def test_whole_numbers():
    whole = np.round(10 * D).astype(int)
    expected = [float(x) for x in oracles.silhouettes(oracles.exact(whole), LABELS.tolist())]
    for form in (whole, whole.astype(np.uint8), sparse.csr_array(whole), whole.tolist()):
        np.testing.assert_allclose(gpuval.silhouette_samples(form, LABELS, metric="precomputed"), expected, atol=1e-13)


def test_a_sparse_matrix_is_not_made_dense(monkeypatch):
    """Only so many rows as are read at once."""
    seen, dense = [], sparse.csr_array.toarray

    def spied(self, *args, **options):
        seen.append(self.shape[0])
        return dense(self, *args, **options)

    monkeypatch.setattr(sparse.csr_array, "toarray", spied)
    monkeypatch.setattr(DistanceMatrix, "height", 9)
    gpuval.silhouette_samples(sparse.csr_array(GRAPH), LABELS, metric="precomputed", absent=3)
    gpuval.dunn_index(sparse.csr_array(GRAPH), LABELS, metric="precomputed", absent=3)
    assert seen
    assert max(seen) <= 9


def test_a_frame_of_sparse_columns_is_sparse():
    """Also of neighbours: what is not stored is no distance of 0."""
    frame = pd.DataFrame.sparse.from_spmatrix(sparse.csr_array(np.where(np.median(D) > D, D, 0)))
    with pytest.raises(ValueError, match="without an entry for samples"):
        gpuval.silhouette_score(frame, LABELS, metric="precomputed")
    found = gpuval.silhouette_score(frame, LABELS, metric="precomputed", absent=9.0)
    far = np.where((np.median(D) > D) | np.eye(len(D), dtype=bool), D, 9.0)
    assert found == gpuval.silhouette_score(far, LABELS, metric="precomputed")
