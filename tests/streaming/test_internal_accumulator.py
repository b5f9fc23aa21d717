"""Moments batch by batch: of samples of any form and type, and of labels that come later."""

from __future__ import annotations

import internal_oracles as oracles
import jax.numpy as jnp
import numpy as np
import pytest
import torch
from backends import BACKENDS
from scipy import sparse

import gpuval
from gpuval import InternalAccumulator

RNG = np.random.default_rng(9)
N, D, K = 240, 3, 5
X = RNG.normal(size=(N, D)) + 3 * RNG.normal(size=(K, D))[RNG.integers(0, K, N)] + 100
LABELS = RNG.integers(0, K, N)
EXPECTED = float(oracles.calinski_harabasz(X, LABELS.tolist()))


def batches(seed):
    """Random parts in random order; also single samples, and none."""
    rng = np.random.default_rng(seed)
    order = rng.permutation(N)
    parts = np.split(order, [1, *np.sort(rng.choice(np.arange(2, N), 7, replace=False)).tolist()])
    return [*parts[:3], order[:0], *parts[3:]]


@pytest.mark.parametrize("form", [sparse.csr_array, sparse.coo_array, sparse.csc_matrix])
def test_sparse_samples_are_accumulated(form):
    accumulator = InternalAccumulator()
    for rows in batches(5):
        accumulator.update(form(X[rows]), LABELS[rows])
    assert float(gpuval.calinski_harabasz_score(accumulator.moments)) == pytest.approx(EXPECTED, rel=1e-12)


def test_labels_that_come_later():
    """Sorted by label, so that each batch has clusters that were not there before; and text."""
    order = np.argsort(LABELS, kind="stable")
    names = np.asarray(["x", "a", "", "q", "c"])
    for labels in (LABELS, LABELS * 10**6 - 5, names[LABELS], names.astype(object)[LABELS]):
        accumulator = InternalAccumulator()
        for rows in np.array_split(order, 9):
            accumulator.update(X[rows], labels[rows])
        found = gpuval.calinski_harabasz_score(accumulator.moments)
        assert found == pytest.approx(EXPECTED, rel=1e-12)


@pytest.mark.parametrize("settings", [{}, {"n_clusters": K}])
def test_ignored_labels(settings):
    rows = np.flatnonzero(~np.isin(LABELS, [0, 3]))
    for name in ("numpy", "torch", "strict"):
        backend = BACKENDS[name]
        with backend.mode():
            accumulator = InternalAccumulator(ignore_labels=[3, 0], **settings)
            for part in batches(1):
                accumulator.update(backend.array(X[part]), backend.array(LABELS[part]))
            found = float(backend.numpy(gpuval.calinski_harabasz_score(accumulator.moments)))
        wanted = float(oracles.calinski_harabasz(X[rows], LABELS[rows].tolist()))
        assert found == pytest.approx(wanted, rel=1e-12)


def test_far_from_the_origin():
    """The first batch says where the origin is: the others may lie anywhere."""
    accumulator = InternalAccumulator()
    for label, place in enumerate((0.0, 1e6, -1e6)):
        accumulator.update(X + place, LABELS + K * label)
    samples = np.concatenate([X, X + 1e6, X - 1e6])
    labels = np.concatenate([LABELS, LABELS + K, LABELS + 2 * K]).tolist()
    found = gpuval.calinski_harabasz_score(accumulator.moments)
    assert found == pytest.approx(float(oracles.calinski_harabasz(samples, labels)), rel=1e-12)
    samples, accumulator = X + 2.0**30, InternalAccumulator()
    for rows in np.split(np.arange(N), 4):
        accumulator.update(samples[rows], LABELS[rows])
    found = gpuval.calinski_harabasz_score(accumulator.moments)
    assert found == pytest.approx(float(oracles.calinski_harabasz(samples, LABELS.tolist())), rel=1e-12)


@pytest.mark.parametrize("of", [torch.asarray, jnp.asarray], ids=["torch", "jax"])
@pytest.mark.parametrize("is_loaded", [False, True])
@pytest.mark.parametrize("types", [("float32", "bfloat16"), ("bfloat16", "float32"), ("bfloat16", "bfloat16")])
def test_batches_of_types_that_numpy_does_not_have(of, types, is_loaded):
    """On the host all moments lie in NumPy, whatever the types of the batches are; also after a checkpoint."""
    samples, halves = np.round(X * 4) / 4, np.split(np.arange(N), 2)
    accumulator = InternalAccumulator(K)
    for rows, dtype in zip(halves, types, strict=True):
        accumulator.update(as_type(of(samples[rows].astype(np.float32)), dtype), of(LABELS[rows]))
        assert type(accumulator.moments.masses) is np.ndarray
        accumulator = _loaded(accumulator, n_clusters=K) if is_loaded else accumulator
    rounded = [as_type(torch.asarray(samples[rows]), x).double().numpy() for rows, x in zip(halves, types, strict=True)]
    wanted = float(oracles.calinski_harabasz(np.concatenate(rounded), LABELS.tolist()))
    found = gpuval.calinski_harabasz_score(accumulator.moments)
    assert type(found) is type(of(samples))
    assert float(found) == pytest.approx(wanted, rel=1e-12 if of is torch.asarray else 1e-5)


def as_type(x, dtype):
    return x.to(getattr(torch, dtype)) if isinstance(x, torch.Tensor) else x.astype(dtype)


def _loaded(accumulator, **settings):
    other = InternalAccumulator(**settings)
    other.load_state_dict(accumulator.state_dict())
    return other
