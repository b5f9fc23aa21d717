"""Distances that are given, in whatever way: read by blocks of rows, and never all at once."""

from __future__ import annotations

import internal_oracles as oracles
import numpy as np
import pandas as pd
import pytest
import torch
from backends import BACKENDS
from internal_cases import case, precomputed
from scipy import sparse

import gpuval
from gpuval.internal._precomputed import Precomputed

D, LABELS = precomputed("normal"), case("normal")[1]
N = len(LABELS)
SPARSE = np.where(D < 2.5, D, 0)  # what is not stored is a distance of 0


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
    monkeypatch.setattr(Precomputed, "height", request.param)
    return request.param


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.usefixtures("height")
def test_in_whatever_way(way, tmp_path):
    for distances in (D, SPARSE):
        exact = oracles.given(distances)
        labels = torch.asarray(LABELS) if way in ("torch", "function of tensors") else LABELS
        close = {"rtol": 1e-5, "atol": 1e-5} if "float32" in way else {"rtol": 1e-12, "atol": 1e-12}
        made = WAYS[way](distances, tmp_path)
        found = np.asarray(gpuval.silhouette_samples(made, labels, metric="precomputed"))
        expected = [float(x) for x in oracles.silhouettes(exact, LABELS.tolist())]
        np.testing.assert_allclose(found, expected, **close)
        found = float(gpuval.dunn_index(made, labels, metric="precomputed"))
        np.testing.assert_allclose(found, float(oracles.dunn(exact, LABELS.tolist())), **close)
        found = float(gpuval.silhouette_score(made, labels, metric="precomputed", sample_size=N))
        np.testing.assert_allclose(found, np.mean(expected), **close)


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
        expected = [float(x) for x in oracles.silhouettes(oracles.given(odd), LABELS.tolist())]
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


@pytest.mark.usefixtures("height")
@pytest.mark.parametrize("name", ["numpy", "torch"])
def test_the_dunn_index_of_what_is_not_symmetric(name):
    """The smallest and the largest of all, above the diagonal and below it, wherever tiles end."""
    backend, rng = BACKENDS[name], np.random.default_rng(4)
    for _ in range(4):
        odd = rng.random((N, N)) + 0.5
        np.fill_diagonal(odd, 0)
        expected = float(oracles.dunn(oracles.given(odd), LABELS.tolist()))
        with backend.mode():
            found = gpuval.dunn_index(backend.array(odd), backend.array(LABELS), metric="precomputed")
        assert float(found) == pytest.approx(expected, rel=1e-12)


@pytest.mark.usefixtures("height")
def test_whole_numbers():
    whole = np.round(10 * D).astype(int)
    expected = [float(x) for x in oracles.silhouettes(oracles.given(whole), LABELS.tolist())]
    for form in (whole, whole.astype(np.uint8), sparse.csr_array(whole), whole.tolist()):
        np.testing.assert_allclose(gpuval.silhouette_samples(form, LABELS, metric="precomputed"), expected, atol=1e-13)


def test_a_sparse_matrix_is_not_made_dense(monkeypatch):
    """Only so many rows as are read at once."""
    seen, dense = [], sparse.csr_array.toarray

    def spied(self, *args, **options):
        seen.append(self.shape[0])
        return dense(self, *args, **options)

    monkeypatch.setattr(sparse.csr_array, "toarray", spied)
    monkeypatch.setattr(Precomputed, "height", 9)
    gpuval.silhouette_samples(sparse.csr_array(SPARSE), LABELS, metric="precomputed")
    gpuval.dunn_index(sparse.csr_array(SPARSE), LABELS, metric="precomputed")
    assert seen
    assert max(seen) <= 9


@pytest.mark.usefixtures("height")
def test_rounding_on_the_diagonal_is_allowed():
    """As in scikit-learn: of up to 100 units in the last place of 1."""
    near = D.copy()
    near[3, 3] = 50 * np.finfo(float).eps
    np.testing.assert_allclose(
        gpuval.silhouette_samples(near, LABELS, metric="precomputed"),
        gpuval.silhouette_samples(D, LABELS, metric="precomputed"),
        atol=1e-13,
    )
