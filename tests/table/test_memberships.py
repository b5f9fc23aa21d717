"""Tables of soft memberships: those of labels, of shares, of nothing, and their gradients."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch
from known_tables import INTEGERS, OTHER, check, one_hot
from properties import MEASURES

import gpuval
from gpuval import Contingency
from gpuval.engines.backends import to_host


def test_one_hot_memberships_are_labels(backend):
    u, v = one_hot(INTEGERS, 8), one_hot(OTHER, 8)
    table = Contingency.from_memberships(backend.array(u), backend.array(v))
    check(table, INTEGERS, OTHER)
    weights = [1, 2, 0, 4, 5, 6, 7]
    weighted = Contingency.from_memberships(
        backend.array(u), backend.array(v), sample_weight=backend.array(np.array(weights))
    )
    check(weighted, INTEGERS, OTHER, weights)
    hard = Contingency.from_labels(INTEGERS, OTHER)
    for name in ("adjusted_rand_score", "v_measure_score"):
        backend.assert_close(getattr(gpuval, name)(table), getattr(gpuval, name)(hard), name)


def soft(rng, n, size):
    u = rng.random((n, size))
    return u / u.sum(axis=1, keepdims=True)


def test_soft_memberships(backend):
    rng = np.random.default_rng(0)
    u, v, w = soft(rng, 30, 3), soft(rng, 30, 4), rng.random(30)
    tolerance = {"rtol": 1e-14 if backend.has_float64 else 1e-5}
    table = Contingency.from_memberships(backend.array(u), backend.array(v))
    np.testing.assert_allclose(to_host(table.counts), u.T @ v, **tolerance)
    table = Contingency.from_memberships(backend.array(u), backend.array(v), sample_weight=backend.array(w))
    np.testing.assert_allclose(to_host(table.counts), (u * w[:, None]).T @ v, **tolerance)


def test_memberships_without_samples_or_groups():
    assert Contingency.from_memberships(np.ones((0, 2)), np.ones((0, 3))).to_array().tolist() == [[0.0] * 3] * 2
    assert Contingency.from_memberships(np.ones((3, 0)), np.ones((3, 2))).to_array().shape == (0, 2)


DIFFERENTIABLE = [
    row.name for row in MEASURES if row.compares_partitions and row.jits and not row.options and not row.needs_counts
]


def differences(function, u, step=1e-6):
    """The gradient by central differences."""
    gradient = np.zeros_like(u)
    for place in np.ndindex(u.shape):
        shift = np.zeros_like(u)
        shift[place] = step
        gradient[place] = (function(u + shift) - function(u - shift)) / (2 * step)
    return gradient


@pytest.mark.parametrize("name", DIFFERENTIABLE)
def test_gradients(name):
    score = getattr(gpuval, name)
    rng = np.random.default_rng(1)
    u, v = soft(rng, 12, 7), soft(rng, 12, 8)
    expected = differences(lambda x: score(Contingency.from_memberships(v, x)), u)
    assert np.abs(expected).max() > 1e-4

    tensor = torch.tensor(u, requires_grad=True)
    score(Contingency.from_memberships(torch.tensor(v), tensor)).backward()
    np.testing.assert_allclose(tensor.grad.numpy(), expected, atol=1e-8, rtol=1e-5)

    with jax.enable_x64(True):
        gradient = jax.grad(lambda x: score(Contingency.from_memberships(jnp.asarray(v), x)))(jnp.asarray(u))
        np.testing.assert_allclose(gradient, expected, atol=1e-8, rtol=1e-5)


@pytest.mark.parametrize("name", DIFFERENTIABLE)
def test_gradients_are_finite_where_cells_are_empty(name):
    score = getattr(gpuval, name)
    u, v = one_hot(np.resize(INTEGERS, 12), 8), one_hot(np.resize(OTHER, 12), 7)
    tensor = torch.tensor(u, requires_grad=True)
    score(Contingency.from_memberships(tensor, torch.tensor(v))).backward()
    assert tensor.grad.isfinite().all()
    with jax.enable_x64(True):
        gradient = jax.grad(lambda x: score(Contingency.from_memberships(x, jnp.asarray(v))))(jnp.asarray(u))
        assert np.isfinite(np.asarray(gradient)).all()
