"""Internal measures inside jax.jit and torch.compile, and without a transfer, with the number of clusters given."""

from __future__ import annotations

import sys
from types import ModuleType

import array_api_strict as strict
import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch
from backends import as_on_a_device, jax_values_refused, transfers_to_host
from compiling import as_users_do
from internal_cases import calls_of
from torch._dynamo.testing import CompileCounter
from torch_operations import TorchOperations

import gpuval
from gpuval.engines.backends import to_host
from gpuval.metrics.internal import centres, dbcv, dunn, silhouette

RNG = np.random.default_rng(1)
N, D, K = 30, 4, 3
X, LABELS, WEIGHTS = RNG.normal(size=(N, D)), RNG.permutation(np.arange(N) % K), RNG.random(N)
DISTANCES = np.sqrt(((X[:, None] - X) ** 2).sum(axis=2))
METRICS = ("euclidean", "sqeuclidean", "cosine", "correlation", "cityblock", "precomputed")
CALLS = calls_of([centres, silhouette, dunn], METRICS) | {
    "silhouette_samples-euclidean": {"metric": "euclidean"},
    "silhouette_samples-cosine": {"metric": "cosine", "ignore_labels": 1},
}
WEIGHED = [call for call in calls_of([centres, silhouette], METRICS) if "precomputed" not in call]


IN_STEPS = calls_of([dbcv], ("euclidean", "cosine", "precomputed"))
IN_STEPS["dbcv_score-cosine"] |= {"ignore_labels": 1}
IN_STEPS["dbcv_score-precomputed"] |= {"n_features": D}
"""As many steps as samples: one loop in JAX, and in PyTorch a graph that takes too long to compile."""


def given(call):
    return DISTANCES if (CALLS | IN_STEPS)[call].get("metric") == "precomputed" else X


def score(call, samples, labels, weights=None):
    extra = {} if weights is None else {"sample_weight": weights}
    return getattr(gpuval, call.partition("-")[0])(samples, labels, n_clusters=K, **extra, **(CALLS | IN_STEPS)[call])


@pytest.mark.by_default(once=True)
@pytest.mark.parametrize("call", [*CALLS, *IN_STEPS])
def test_in_one_graph_of_jax(call):
    with jax.enable_x64(True):
        compiled = jax.jit(lambda x, y: score(call, x, y), compiler_options=as_users_do())
        found = compiled(jnp.asarray(given(call)), jnp.asarray(LABELS))
        np.testing.assert_allclose(np.asarray(found), score(call, given(call), LABELS), rtol=1e-11, atol=1e-13)
        assert isinstance(found, jax.Array)


@pytest.mark.parametrize("call", WEIGHED)
def test_weights_in_one_graph_of_jax(call):
    with jax.enable_x64(True):
        found = jax.jit(lambda x, y, w: score(call, x, y, w))(*map(jnp.asarray, (X, LABELS, WEIGHTS)))
        np.testing.assert_allclose(np.asarray(found), score(call, X, LABELS, WEIGHTS), rtol=1e-11)


@pytest.mark.parametrize("call", ["calinski_harabasz_score", "silhouette_score-euclidean"])
def test_samples_known_and_labels_not(call):
    """And the other way round: what a graph closes over is a constant of it."""
    with jax.enable_x64(True):
        samples, labels = jnp.asarray(X), jnp.asarray(LABELS)
        expected = score(call, X, LABELS)
        for found in (
            jax.jit(lambda y: score(call, samples, y))(labels),
            jax.jit(lambda x: score(call, x, labels))(samples),
            jax.jit(lambda x: score(call, x, LABELS))(samples),
        ):
            assert float(found) == pytest.approx(expected, rel=1e-11)


def test_many_labelings_by_vmap():
    """As many clusterings of the same samples."""
    labelings = np.stack([RNG.permutation(LABELS) for _ in range(5)])
    with jax.enable_x64(True):
        for call in ("calinski_harabasz_score", "silhouette_score-sqeuclidean"):
            many = jax.jit(jax.vmap(lambda x, y: score(call, x, y), in_axes=(None, 0)))
            found = many(jnp.asarray(X), jnp.asarray(labelings))
            np.testing.assert_allclose(found, [score(call, X, labels) for labels in labelings], rtol=1e-11)


def test_what_cannot_be_scored_is_nan_in_a_graph():
    with jax.enable_x64(True):
        for labels in (np.zeros(N, int), LABELS - 1, LABELS + 1):
            for call in ("calinski_harabasz_score", "silhouette_score-euclidean", "dunn_index-euclidean"):
                assert np.isnan(jax.jit(lambda x, y, call=call: score(call, x, y))(jnp.asarray(X), jnp.asarray(labels)))


@pytest.fixture
def fresh():
    torch._dynamo.reset()
    yield
    torch._dynamo.reset()


def whole(function):
    """One graph or an error."""
    return torch.compile(function, fullgraph=True, backend="eager")


@pytest.mark.by_default(once=True)
@pytest.mark.usefixtures("fresh")
@pytest.mark.parametrize("call", CALLS)
def test_in_one_graph_of_torch(call):
    samples, labels = torch.asarray(given(call)), torch.asarray(LABELS)
    found = whole(lambda x, y: score(call, x, y))(samples, labels)
    np.testing.assert_allclose(found.numpy(), score(call, given(call), LABELS), rtol=1e-11, atol=1e-13)


@pytest.mark.usefixtures("fresh")
@pytest.mark.parametrize("call", ["davies_bouldin_score", "dunn_index-cosine"])
def test_an_import_compiles_nothing_anew(call, monkeypatch):
    counter = CompileCounter()
    compiled = torch.compile(lambda x, y: score(call, x, y), fullgraph=True, backend=counter)
    compiled(torch.asarray(X), torch.asarray(LABELS))
    monkeypatch.setitem(sys.modules, "a_module_of_a_user", ModuleType("a_module_of_a_user"))
    compiled(torch.asarray(X), torch.asarray(LABELS))
    assert counter.frame_count == 1


@pytest.mark.usefixtures("fresh")
@pytest.mark.parametrize("call", WEIGHED)
def test_weights_and_gradients_in_one_graph_of_torch(call):
    samples = torch.tensor(X, requires_grad=True)
    found = whole(lambda x, y, w: score(call, x, y, w))(samples, *map(torch.asarray, (LABELS, WEIGHTS)))
    assert float(found.detach()) == pytest.approx(score(call, X, LABELS, WEIGHTS), rel=1e-11)
    found.backward()
    compiled, samples.grad = samples.grad, None
    score(call, samples, *map(torch.asarray, (LABELS, WEIGHTS))).backward()
    np.testing.assert_allclose(compiled.numpy(), samples.grad.numpy(), rtol=1e-9, atol=1e-13)


@pytest.mark.parametrize("call", CALLS)
def test_no_value_is_read(call):
    """No operation waits for the device, and nothing is copied to the host."""
    samples, labels = torch.asarray(given(call)), torch.asarray(LABELS)
    with as_on_a_device(), transfers_to_host() as copied, TorchOperations() as called:
        score(call, samples, labels)
    assert len(called.counter) > 5
    assert called.waits == 0
    assert not copied
    with as_on_a_device(), transfers_to_host() as copied:
        getattr(gpuval, call.partition("-")[0])(samples, labels, **CALLS[call])
    assert copied  # without the number of clusters; so it would be seen
    with TorchOperations() as called:
        float(samples[0, 0])
    assert called.waits


@pytest.mark.parametrize("call", [x for x in CALLS if "precomputed" not in x])
def test_nothing_leaves_a_second_device(call, monkeypatch):
    device = strict.Device("device1")
    samples, labels = (strict.asarray(x, device=device) for x in (X, LABELS))
    expected = score(call, X, LABELS)
    moves, move = [], strict._array_object.Array.to_device

    def spied(self, *args, **options):
        moves.append(args)
        return move(self, *args, **options)

    monkeypatch.setattr(strict._array_object.Array, "to_device", spied)
    found = score(call, samples, labels)
    assert found.device == device
    assert moves == []
    np.testing.assert_allclose(to_host(found), expected, rtol=1e-11, atol=1e-13)
    assert len(moves) == 1  # as it would be seen


@pytest.mark.parametrize(
    "call", ["silhouette_score-euclidean", "dunn_index-euclidean", "calinski_harabasz_score", "davies_bouldin_score"]
)
def test_nothing_is_transferred_in_jax(call):
    with jax.enable_x64(False):
        samples, labels = jnp.asarray(X, dtype=jnp.float32), jnp.asarray(LABELS, dtype=jnp.int32)
        with as_on_a_device(), transfers_to_host() as copied, jax_values_refused():
            found = score(call, samples, labels)
        assert not copied
        assert float(found) == pytest.approx(score(call, X, LABELS), rel=1e-4)
        with as_on_a_device(), transfers_to_host() as copied:
            getattr(gpuval, call.partition("-")[0])(samples, labels, **CALLS[call])
        assert copied  # without the number of clusters; so it would be seen


@pytest.mark.parametrize("read", [float, int, bool, lambda x: x.tolist(), lambda x: x.nonzero(), jax.device_get])
def test_a_value_that_is_read_in_jax_is_seen(read):
    value = jnp.asarray([1.0, 2.0])[1:] if read not in (float, int, bool) else jnp.asarray([1.0, 2.0])[1]
    with jax_values_refused(), pytest.raises(AssertionError, match="a value was read"):
        read(value)
