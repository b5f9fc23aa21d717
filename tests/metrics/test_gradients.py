"""Scores of soft memberships have gradients: right ones, and finite ones where the partitions are degenerate."""

from __future__ import annotations

import jax
import numpy as np
import pytest
import torch
from compiling import COMPILERS
from properties import MEASURES
from slopes import slopes

from gpuval import Contingency

SMOOTH = {
    str(row): row
    for row in MEASURES
    if row.jits and row.values == "one" and not row.reads_names and not row.needs_counts
}
"""One number, found on the device, of tables that need not be of counts."""

DEGENERATE = {
    "the same": (np.eye(3)[[0, 0, 1, 1, 2, 2]],) * 2,
    "one class": (np.eye(3)[[0] * 6], np.eye(3)[[0, 0, 1, 1, 2, 2]]),
    "one cluster": (np.eye(3)[[0, 0, 1, 1, 2, 2]], np.eye(3)[[0] * 6]),
    "one of both": (np.eye(2)[[0] * 4],) * 2,
    "single samples": (np.eye(4),) * 2,
    "single samples, one cluster": (np.eye(4), np.eye(4)[[0] * 4]),
    "independent": (np.eye(2)[[0, 0, 1, 1]], np.eye(2)[[0, 1, 0, 1]]),
}


def soft():
    rng = np.random.default_rng(8)
    return rng.dirichlet(np.ones(3), 9), rng.dirichlet(np.ones(4), 9)


def torch_gradients(measure, u, v):
    u, v = (torch.tensor(x, requires_grad=True) for x in (u, v))
    value = measure.of_table(Contingency.from_memberships(u, v))
    value.backward()
    return [np.zeros(x.shape) if x.grad is None else x.grad.numpy() for x in (u, v)]


def slopes_of_both(measure, u, v):
    def score(u, v):
        return measure.of_table(Contingency.from_memberships(u, v))

    return slopes(lambda x: score(x, v), u, 1e-6), slopes(lambda x: score(u, x), v, 1e-6)


@pytest.mark.parametrize("row", SMOOTH)
def test_the_gradient_is_that_of_the_score(row):
    u, v = soft()
    for found, expected in zip(torch_gradients(SMOOTH[row], u, v), slopes_of_both(SMOOTH[row], u, v), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-7 * max(1, np.abs(expected).max()))


@pytest.mark.parametrize("case", DEGENERATE)
@pytest.mark.parametrize("row", SMOOTH)
def test_the_gradient_is_finite(row, case):
    for gradient in torch_gradients(SMOOTH[row], *DEGENERATE[case]):
        assert np.isfinite(gradient).all()


@pytest.mark.parametrize("row", ["adjusted_rand_score", "v_measure_score", "bcubed_f_score"])
@pytest.mark.parametrize("compiled", COMPILERS)
def test_jax_has_the_gradient_of_torch(row, compiled):
    u, v = soft()
    with jax.enable_x64(True):
        gradient = jax.grad(lambda *x: SMOOTH[row].of_table(Contingency.from_memberships(*x)), argnums=(0, 1))
        found = jax.jit(gradient, compiler_options=COMPILERS[compiled]())(u, v)
    for ours, expected in zip(found, torch_gradients(SMOOTH[row], u, v), strict=True):
        np.testing.assert_allclose(np.asarray(ours), expected, rtol=1e-12, atol=1e-14)


def test_jax_has_second_derivatives():
    """As differences of gradients tell, also where a cell is far from its expectation, or none lies outside of it."""
    with jax.enable_x64(True):
        score = jax.jit(jax.grad(lambda *x: SMOOTH["v_measure_score"].of_table(Contingency.from_memberships(*x))))
        second = jax.jit(jax.jacrev(score))
        for smallest in (0.0, 1e-20, 0.01):
            u, v = (np.eye(2)[x] * (1 - 2 * smallest) + smallest for x in ([0, 0, 1, 1, 1, 0], [0, 1, 1, 1, 1, 0]))
            found = np.asarray(second(u, v))
            assert np.isfinite(found).all()
            for place in np.argwhere(u > 0.5):
                step = np.zeros_like(u)
                step[tuple(place)] = 1e-5
                expected = (score(u + step, v) - score(u - step, v)) / 2e-5
                np.testing.assert_allclose(found[:, :, *place], expected, atol=1e-7)


def test_a_score_of_matching_carries_no_gradient():
    from gpuval import clustering_accuracy

    u, v = (torch.tensor(x, requires_grad=True) for x in soft())
    assert not clustering_accuracy(Contingency.from_memberships(u, v)).requires_grad
