"""On the host the size of a table may be given at no cost: few samples of a large table are listed, in any library."""

import functools

import numpy as np
import pytest
from backends import BACKENDS

import gpuval
from gpuval import Contingency
from gpuval.engines.cells import SparseCells

K, N = 300, 200
"""More cells than a table of few samples has otherwise."""

LIBRARIES = ("numpy", "torch-host", "jax", "jax-x64")
SCORES = ["ari", "nmi", "ami", "v", "purity", "acc", "fmi", "psi", "bcubed"]


def labels(seed=0, n=N):
    rng = np.random.default_rng(seed)
    true = rng.integers(0, K, n)
    return true, np.where(rng.random(n) < 0.5, true, rng.integers(0, K, n)), rng.integers(0, 4, n)


def ways(weights):
    return {
        "plain": {},
        "copies": {"sample_weight": weights},
        "shares": {"sample_weight": weights / 3},
        "ignored": {"ignore_labels": [3, 7, K - 1]},
        "both": {"ignore_labels": 7, "sample_weight": weights / 3},
    }


WAYS = tuple(ways(np.zeros(1)))


@functools.cache
def given(name, way):
    """The labels in a library, and how their table is built."""
    backend = BACKENDS[name]
    true, pred, weights = labels()
    building = ways(weights)[way]
    if "sample_weight" in building:
        building["sample_weight"] = backend.array(building["sample_weight"])
    return backend.array(true), backend.array(pred), building


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", LIBRARIES)
def test_scores_are_those_without_the_size(name, way):
    backend = BACKENDS[name]
    with backend.mode():
        true, pred, building = given(name, way)
        # The expectation of counts takes long in 32 bits, and is of the sums of the table, however that was built.
        with_ami = ("plain", "copies", "ignored") if backend.has_float64 else ("plain",)
        metrics = [x for x in SCORES if x != "ami" or way in with_ami]
        found = gpuval.evaluate(true, pred, metrics, n_classes=K, n_clusters=K, **building)
        wanted = gpuval.evaluate(*labels()[:2], metrics, **ways(labels()[2])[way])
        for metric in metrics:
            assert type(found[metric]) is (np.float64 if name == "numpy" else type(true))
            error = abs(float(found[metric]) - float(wanted[metric]))
            assert error <= (2e-14 if backend.has_float64 else 1e-5), metric


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", ["numpy", "torch-host", "jax-x64"])
def test_few_samples_of_a_large_table_are_listed(name, way):
    backend = BACKENDS[name]
    with backend.mode():
        true, pred, building = given(name, way)
        table = Contingency.from_labels(true, pred, n_classes=K, n_clusters=K, **building)
        assert isinstance(table.cells, SparseCells)
        assert table.cells.counts.shape[0] <= N
        assert type(table.counts) is type(true)
        found = Contingency.from_labels(true, pred, **building)
        assert float(table.total) == pytest.approx(float(found.total), rel=1e-15)
        dense = Contingency.from_labels(true, pred, n_classes=K, n_clusters=K, layout="dense", **building)
        np.testing.assert_array_equal(backend.numpy(table.to_array()), backend.numpy(dense.to_array()))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", ["torch-host", "jax-x64"])
def test_no_score_makes_all_cells(name, way, monkeypatch):
    def all_cells(*_):
        raise AssertionError("a table of all cells is made")

    backend = BACKENDS[name]
    with backend.mode():
        true, pred, building = given(name, way)
        monkeypatch.setattr("gpuval.table.building._dense_table", all_cells)
        monkeypatch.setattr("gpuval.engines.engine._dense_cells", all_cells)
        for metric in ("ari", "nmi", "acc"):
            gpuval.evaluate(true, pred, [metric], n_classes=K, n_clusters=K, **building)
        with pytest.raises(AssertionError, match="all cells"):  # as it would be told
            Contingency.from_labels(true, pred, n_classes=K, n_clusters=K, layout="dense", **building)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", ["torch-host", "jax-x64"])
def test_labels_outside_are_nan(name, way):
    """As they are in a table of all cells."""
    backend = BACKENDS[name]
    with backend.mode():
        true, pred, building = given(name, way)
        true = backend.array(np.where(np.arange(N) == 5, K, labels()[0]))
        building = {x: y for x, y in building.items() if x != "sample_weight"}
        assert np.isnan(float(gpuval.adjusted_rand_score(true, pred, n_classes=K, n_clusters=K, **building)))
        table = Contingency.from_labels(true, pred, n_classes=K, n_clusters=K, **building)
        assert int(table.invalid) == 1
        with pytest.raises(ValueError, match="1 samples or cells could not be counted"):
            gpuval.clustering_accuracy(table)


@pytest.mark.parametrize("name", ["torch-host", "jax-x64"])
def test_none_left_of_a_large_table_is_nan(name):
    backend = BACKENDS[name]
    with backend.mode():
        true, pred, _ = given(name, "plain")
        size = {"n_classes": K, "n_clusters": K}
        for building in ({"ignore_labels": list(range(K))}, {"sample_weight": backend.array(np.zeros(N))}):
            assert np.isnan(float(gpuval.normalized_mutual_info_score(true, pred, **building, **size)))
        assert float(gpuval.normalized_mutual_info_score(true[:0], pred[:0], **size)) == 1


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "int32", "int64", "bool"])
def test_labels_of_every_type(dtype):
    import torch

    rng = np.random.default_rng(3)
    true, pred = (rng.integers(0, 2 if dtype == "bool" else 100, N).astype(dtype) for _ in range(2))
    wanted = gpuval.normalized_mutual_info_score(true, pred)
    for library in (np.asarray, torch.asarray):
        found = gpuval.normalized_mutual_info_score(library(true), library(pred), n_classes=K, n_clusters=K)
        assert float(found) == pytest.approx(float(wanted), abs=1e-14)
