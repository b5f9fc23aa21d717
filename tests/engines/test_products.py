"""Products of matrices keep all digits, on devices and with settings that would cut them off."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch
from backends import as_on_a_device, is_close
from internal_oracles import calinski_harabasz, davies_bouldin, distances, silhouette
from narrow_products import NarrowInTorch, narrow_in_jax
from slopes import gradient, slope

import gpuval
from gpuval import Contingency
from gpuval.engines.backends import backend_of, to_host

RNG = np.random.default_rng(0)
LABELS = np.repeat(np.arange(3), [3, 4, 5])
X = (RNG.normal(size=(12, 3)) + 1.5 * LABELS[:, None]).astype(np.float32)

INTERNAL = {
    "davies_bouldin_score": davies_bouldin,
    "calinski_harabasz_score": calinski_harabasz,
    "silhouette_score": lambda X, labels, weights=None: silhouette(distances(X, "euclidean"), labels, weights),
}


def soft(size):
    """Memberships of 30 samples."""
    u = RNG.random((30, size))
    return (u / u.sum(axis=1, keepdims=True)).astype(np.float32)


@pytest.fixture(params=["torch", "jax", "jax with a setting"])
def narrow(request):
    """What makes an array of a library whose products of 32 bits are narrow; JAX has no 64 bits then."""
    with as_on_a_device():
        if request.param == "torch":
            with NarrowInTorch():
                yield torch.asarray
        else:
            setting = "tensorfloat32" if "setting" in request.param else None
            with jax.enable_x64(False), jax.default_matmul_precision(setting), narrow_in_jax():
                yield jnp.asarray


def test_products_are_narrow_unless_more_is_asked_for(narrow):
    x, y = (narrow(RNG.random((9, 9)).astype(np.float32)) for _ in range(2))
    wanted = np.asarray(x, dtype=np.float64) @ np.asarray(y, dtype=np.float64)
    xp = backend_of(x).xp
    ways = [xp.matmul(x, y), x @ y, xp.tensordot(x, y, axes=1), xp.einsum("ij,jk->ik", x, y)]
    for found in ways:
        assert 1e-5 < np.abs(np.asarray(found) / wanted - 1).max() < 1e-3
    np.testing.assert_allclose(np.asarray(backend_of(x).matmul(x, y)), wanted, rtol=1e-6)


@pytest.mark.parametrize("name", INTERNAL)
@pytest.mark.parametrize("weights", [None, RNG.random(12).astype(np.float32)])
def test_measures_of_samples(name, weights, narrow):
    given = {} if weights is None else {"sample_weight": narrow(weights)}
    found = getattr(gpuval, name)(narrow(X), narrow(LABELS), **given)
    assert is_close(
        float(found), INTERNAL[name](X, LABELS.tolist(), None if weights is None else weights.tolist()), float64=False
    )


@pytest.mark.parametrize("weights", [None, RNG.random(30).astype(np.float32)])
def test_tables_of_memberships(weights, narrow):
    u, v = soft(3), soft(4)
    given = {} if weights is None else {"sample_weight": narrow(weights)}
    table = Contingency.from_memberships(narrow(u), narrow(v), **given)
    weighted = u.astype(np.float64) * (1 if weights is None else weights[:, None])
    np.testing.assert_allclose(to_host(table.counts), weighted.T @ v, rtol=2e-6)


def test_what_pairs_of_memberships_weigh(narrow):
    """Its sum over cells is a product of its own, less what each sample is paired with itself."""
    u, v = soft(3), soft(4)
    found = gpuval.rand_score(Contingency.from_memberships(narrow(u), narrow(v)))
    in_u, in_v = (x.astype(np.float64) @ x.T.astype(np.float64) for x in (u, v))  # of each pair, what is together
    agreement = in_u * in_v + (1 - in_u) * (1 - in_v)
    wanted = (agreement.sum() - np.trace(agreement)) / (30 * 29)
    assert float(found) == pytest.approx(wanted, abs=1e-5)


def test_gradients(narrow):
    """A product's derivative is made of products."""

    def score(points):
        return gpuval.davies_bouldin_score(points, narrow(LABELS), n_clusters=3)

    found = gradient(score, narrow(X))
    for place in ((0, 0), (5, 1), (11, 2)):
        wanted = slope(lambda points: davies_bouldin(points, LABELS.tolist()), X, place, 1e-4)
        assert float(found[place]) == pytest.approx(wanted, abs=1e-6)
