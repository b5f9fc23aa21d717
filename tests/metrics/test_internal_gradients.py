"""Scores of samples have gradients by the samples: right ones, and finite ones where samples are equal."""

from __future__ import annotations

import functools

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch
from compiling import COMPILERS
from internal_cases import calls_of
from scipy import sparse
from slopes import slopes

import gpuval
from gpuval.metrics.internal import centres, dunn, silhouette

RNG = np.random.default_rng(5)
N, D, K = 12, 3, 3
LABELS = np.arange(N) % K
X = RNG.normal(size=(N, D)) + RNG.normal(size=(K, D))[LABELS]
METRICS = ("euclidean", "sqeuclidean", "cosine", "correlation", "cityblock")
CALLS = calls_of([centres, silhouette, dunn], METRICS) | {
    "silhouette_score-weighted": {"sample_weight": RNG.random(N)},
}


def score(call, samples, labels, **size):
    options = dict(CALLS[call])
    if "sample_weight" in options and not isinstance(samples, np.ndarray):
        weights = options["sample_weight"]
        options["sample_weight"] = torch.asarray(weights) if isinstance(samples, torch.Tensor) else jnp.asarray(weights)
    return getattr(gpuval, call.partition("-")[0])(samples, labels, **options, **size)


def by_torch(call, samples, **size):
    samples = torch.tensor(samples, requires_grad=True)
    value = score(call, samples, torch.asarray(LABELS), **size)
    value.backward()
    return float(value.detach()), samples.grad.numpy()


@pytest.mark.parametrize("size", [{}, {"n_clusters": K}])
@pytest.mark.parametrize("call", CALLS)
def test_the_gradient_is_that_of_the_score(call, size):
    value, found = by_torch(call, X, **size)
    assert value == pytest.approx(float(score(call, X, LABELS)), rel=1e-12)
    expected = slopes(lambda x: score(call, x, LABELS), X, 1e-6)
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6 * np.abs(expected).max())
    assert np.abs(expected).max() > 1e-3  # so that there is something to be right about


@pytest.mark.parametrize(
    "call",
    [
        *("calinski_harabasz_score", "davies_bouldin_score", "dunn_index-euclidean"),
        *(f"silhouette_score-{x}" for x in ("euclidean", "sqeuclidean", "cosine", "correlation")),
    ],
)
@pytest.mark.parametrize("compiled", COMPILERS)
def test_jax_has_the_gradient_of_torch(call, compiled):
    with jax.enable_x64(True):
        labels = jnp.asarray(LABELS)
        gradient = jax.grad(lambda x: score(call, x, labels, n_clusters=K))
        found = jax.jit(gradient, compiler_options=COMPILERS[compiled]())(jnp.asarray(X))
    np.testing.assert_allclose(np.asarray(found), by_torch(call, X)[1], rtol=1e-10, atol=1e-12)


def test_a_gradient_of_each_sample():
    """The silhouettes themselves, against the chain rule: their mean's gradient is the mean of theirs."""
    samples = torch.tensor(X, requires_grad=True)
    gpuval.silhouette_samples(samples, torch.asarray(LABELS)).sum().backward()
    np.testing.assert_allclose(samples.grad.numpy() / N, by_torch("silhouette_score-euclidean", X)[1], rtol=1e-12)


FLAT = {
    "pairs of equal samples": np.repeat(X[: N // 2], 2, axis=0),
    "equal samples in clusters": np.tile(X[:K], (N // K, 1)),
    "all equal": np.tile(X[:1], (N, 1)),
    "zeros": np.zeros((N, D)),
    "some zeros": np.where(np.arange(N)[:, None] % 4 == 0, 0.0, X),
    "some constant": np.where(np.arange(N)[:, None] % 4 == 0, 0.1, X),
    "equal in a feature": np.column_stack([np.ones(N), X[:, 1:]]),
}


@pytest.mark.parametrize("case", FLAT)
@pytest.mark.parametrize("call", CALLS)
def test_the_gradient_is_finite(call, case):
    """Where a distance is 0 it has none: then 0 takes its place, and nothing is NaN. An infinite score has none."""
    value, gradient = by_torch(call, FLAT[case], n_clusters=K)
    assert np.isfinite(gradient).all() or value == np.inf


@pytest.mark.parametrize(
    "call",
    ["silhouette_score-euclidean", "davies_bouldin_score", "silhouette_score-cosine", "silhouette_score-correlation"],
)
@pytest.mark.parametrize("compiled", COMPILERS)
def test_the_gradient_of_jax_is_finite(call, compiled):
    with jax.enable_x64(True):
        gradient = jax.grad(lambda x: score(call, x, jnp.asarray(LABELS), n_clusters=K))
        gradient = jax.jit(gradient, compiler_options=COMPILERS[compiled]())
        for case, samples in FLAT.items():
            assert np.isfinite(np.asarray(gradient(jnp.asarray(samples)))).all(), case


def test_it_can_be_descended():
    """Steps along the gradient of the silhouette bring the clusters apart."""
    samples = torch.tensor(X, requires_grad=True)
    labels = torch.asarray(LABELS)
    before = float(gpuval.silhouette_score(samples.detach(), labels))
    optimiser = torch.optim.SGD([samples], lr=5.0)
    for _ in range(20):
        optimiser.zero_grad()
        (-gpuval.silhouette_score(samples, labels, n_clusters=K)).backward()
        optimiser.step()
    assert float(gpuval.silhouette_score(samples.detach(), labels)) > before + 0.2


OF_WEIGHTS = {
    call: functools.partial(getattr(gpuval, call.partition("-")[0]), **options)
    for call, options in calls_of([centres, silhouette], METRICS).items()
}


@pytest.mark.parametrize("size", [{}, {"n_clusters": K}])
@pytest.mark.parametrize("name", OF_WEIGHTS)
def test_weights_alone_have_a_gradient(name, size):
    """Of samples that have none, of the library of the weights or of NumPy."""
    measure, shares = OF_WEIGHTS[name], RNG.random(N)
    expected = slopes(lambda w: float(measure(X, LABELS, sample_weight=w)), shares, 1e-6)
    assert np.abs(expected).max() > 1e-3
    for samples in (torch.asarray(X), X):
        weights = torch.tensor(shares, requires_grad=True)
        measure(samples, torch.asarray(LABELS), sample_weight=weights, **size).backward()
        np.testing.assert_allclose(weights.grad.numpy(), expected, rtol=1e-5, atol=1e-6 * np.abs(expected).max())
    with jax.enable_x64(True):
        given = jnp.asarray(X), jnp.asarray(LABELS)
        gradient = jax.grad(lambda w: measure(*given, sample_weight=w, **size))(jnp.asarray(shares))
    np.testing.assert_allclose(np.asarray(gradient), expected, rtol=1e-5, atol=1e-6 * np.abs(expected).max())


@pytest.mark.parametrize("samples", [sparse.csr_array(X), X.tolist()], ids=["sparse", "lists"])
@pytest.mark.parametrize("name", OF_WEIGHTS)
def test_a_gradient_of_weights_is_not_lost(name, samples):
    weights = torch.rand(N, requires_grad=True)
    with pytest.raises(
        TypeError, match="sample_weight must have known values and no gradient if X is of another library"
    ):
        OF_WEIGHTS[name](samples, torch.asarray(LABELS), sample_weight=weights)


def test_weights_that_are_not_known_need_a_size():
    with pytest.raises(TypeError, match="n_clusters must be given inside"):
        jax.jit(lambda w: gpuval.davies_bouldin_score(jnp.asarray(X), jnp.asarray(LABELS), sample_weight=w))(
            jnp.ones(N)
        )
