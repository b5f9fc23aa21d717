"""Moments batch by batch: any batches, in any order, are one call."""

from __future__ import annotations

import io
import pickle
from copy import deepcopy

import internal_oracles as oracles
import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch
from backends import BACKENDS, as_on_a_device, transfers_to_host
from only_for import only_for
from scipy import sparse
from torch_operations import TorchOperations

import gpuval
from gpuval import InternalAccumulator

RNG = np.random.default_rng(9)
N, D, K = 240, 3, 5
X = RNG.normal(size=(N, D)) + 3 * RNG.normal(size=(K, D))[RNG.integers(0, K, N)] + 100
LABELS = RNG.integers(0, K, N)
COPIES, SHARES = RNG.integers(0, 3, N), RNG.random(N)
WEIGHTS = {"none": None, "copies": COPIES, "shares": SHARES}


def expected(weights=None, rows=slice(None)):
    """The definition, of all samples at once."""
    if weights is not None and weights.dtype.kind == "i":
        return float(oracles.calinski_harabasz(*oracles.repeated(X[rows], LABELS[rows].tolist(), weights[rows])))
    return float(oracles.calinski_harabasz(X[rows], LABELS[rows].tolist(), None if weights is None else weights[rows]))


EXPECTED = {name: expected(weights) for name, weights in WEIGHTS.items()}


def batches(seed):
    """Random parts in random order; also single samples, and none."""
    rng = np.random.default_rng(seed)
    order = rng.permutation(N)
    parts = np.split(order, [1, *np.sort(rng.choice(np.arange(2, N), 7, replace=False)).tolist()])
    return [*parts[:3], order[:0], *parts[3:]]


def accumulated(backend, parts, weights=None, **settings):
    accumulator = InternalAccumulator(**settings)
    for rows in parts:
        given = [backend.array(X[rows]), backend.array(LABELS[rows])]
        accumulator.update(*given, *([] if weights is None else [backend.array(weights[rows])]))
    return accumulator


def score(backend, accumulator):
    return float(backend.numpy(gpuval.calinski_harabasz_score(accumulator.moments)))


def close(backend):
    return {"rel": 1e-12 if backend.has_float64 else 1e-4}


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("settings", [{}, {"n_clusters": K}])
@only_for(lambda backend, settings: backend.finds_sizes or backend.compiles or settings)
def test_any_batches_in_any_order_are_one_call(backend, settings, weights):
    if backend.compiles:
        parts = [np.split(np.random.default_rng(0).permutation(N), 4)]
        settings = {"n_clusters": K}
    else:
        parts = [batches(seed) for seed in range(4)]
    for part in parts:
        found = accumulated(backend, part, WEIGHTS[weights], **settings)
        assert score(backend, found) == pytest.approx(EXPECTED[weights], **close(backend))
        backend.assert_at_home(gpuval.calinski_harabasz_score(found.moments), backend.array(X))


@pytest.mark.parametrize("form", [sparse.csr_array, sparse.coo_array, sparse.csc_matrix])
def test_sparse_samples_are_accumulated(form):
    accumulator = InternalAccumulator()
    for rows in batches(5):
        accumulator.update(form(X[rows]), LABELS[rows])
    assert float(gpuval.calinski_harabasz_score(accumulator.moments)) == pytest.approx(EXPECTED["none"], rel=1e-12)


def test_labels_that_come_later():
    """Sorted by label, so that each batch has clusters that were not there before; and text."""
    order = np.argsort(LABELS, kind="stable")
    names = np.asarray(["x", "a", "", "q", "c"])
    for labels in (LABELS, LABELS * 10**6 - 5, names[LABELS], names.astype(object)[LABELS]):
        accumulator = InternalAccumulator()
        for rows in np.array_split(order, 9):
            accumulator.update(X[rows], labels[rows])
        found = gpuval.calinski_harabasz_score(accumulator.moments)
        assert found == pytest.approx(EXPECTED["none"], rel=1e-12)


def test_ignored_labels_are_the_same_however_they_are_written():
    first, second = (InternalAccumulator(K, ignore_labels=x) for x in ([float("nan"), 3], (3.0, None)))
    first.update(X, LABELS)
    second.merge(first)
    second.load_state_dict(pickle.loads(pickle.dumps(first.state_dict())))
    found = float(gpuval.calinski_harabasz_score(second.moments))
    assert found == pytest.approx(expected(rows=LABELS != 3), rel=1e-12)


@pytest.mark.parametrize("settings", [{}, {"n_clusters": K}])
def test_ignored_labels(settings):
    rows = np.flatnonzero(~np.isin(LABELS, [0, 3]))
    for name in ("numpy", "torch", "strict"):
        backend = BACKENDS[name]
        with backend.mode():
            accumulator = accumulated(backend, batches(1), ignore_labels=[3, 0], **settings)
        assert score(backend, accumulator) == pytest.approx(expected(rows=rows), rel=1e-12)


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


@pytest.mark.parametrize("name", ["numpy", "torch", "strict", "jax"])
@pytest.mark.parametrize("settings", [{}, {"n_clusters": K}])
def test_merge(name, settings):
    backend = BACKENDS[name]
    parts = np.split(np.random.default_rng(0).permutation(N), 4)
    with backend.mode():
        first, second = (accumulated(backend, half, **settings) for half in (parts[:2], parts[2:]))
        before = score(backend, second)
        first.merge(second)
        first.merge(InternalAccumulator(**settings))
        empty = InternalAccumulator(**settings)
        empty.merge(first)
        assert score(backend, first) == score(backend, empty) == pytest.approx(EXPECTED["none"], **close(backend))
        assert score(backend, second) == before
        second.update(backend.array(X[:9]), backend.array(LABELS[:9]))  # which the others do not see
        assert score(backend, first) == score(backend, empty)


def test_moments_are_what_they_were():
    accumulator = accumulated(BACKENDS["numpy"], [np.arange(N)])
    moments = accumulator.moments
    accumulator.update(X[:50] * 7, LABELS[:50])
    assert gpuval.calinski_harabasz_score(moments) == pytest.approx(EXPECTED["none"], rel=1e-12)
    accumulator.reset()
    accumulator.update(X, LABELS)
    assert gpuval.calinski_harabasz_score(accumulator.moments) == pytest.approx(EXPECTED["none"], rel=1e-12)


def test_a_buffer_that_is_used_again():
    """What a batch was held in may be filled with the next one."""
    for like in (np.empty_like, lambda x: torch.empty(x.shape, dtype=torch.float64 if x.ndim == 2 else torch.int64)):
        accumulator, held = InternalAccumulator(n_clusters=K), None
        for rows in np.split(np.arange(N), 4):
            held = [like(X[rows]), like(LABELS[rows])] if held is None else held
            held[0][:], held[1][:] = (
                type(x)(y) if x is None else x.new_tensor(y) if hasattr(x, "new_tensor") else y
                for x, y in zip(held, (X[rows], LABELS[rows]), strict=True)
            )
            accumulator.update(*held)
        assert float(gpuval.calinski_harabasz_score(accumulator.moments)) == pytest.approx(EXPECTED["none"], rel=1e-12)


def through_pickle(state):
    return pickle.loads(pickle.dumps(state))


def through_torch(state):
    file = io.BytesIO()
    torch.save(state, file)
    file.seek(0)
    return torch.load(file, weights_only=True)


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("settings", [{}, {"n_clusters": K, "ignore_labels": 4}])
@pytest.mark.parametrize("name", ["numpy", "torch", "torch-host", "jax", "strict"])
def test_a_state_goes_on(name, settings, weights):
    """Also through ``torch.load`` with its safe default, for tensors and for NumPy's arrays."""
    backend, parts = BACKENDS[name], np.split(np.arange(N), 2)
    with backend.mode():
        whole = accumulated(backend, parts, WEIGHTS[weights], **settings)
        half = accumulated(backend, parts[:1], WEIGHTS[weights], **settings)
        ways = [deepcopy] if name == "strict" else [deepcopy, through_pickle]
        for through in [*ways, through_torch] if name.startswith(("torch", "numpy")) else ways:
            other = InternalAccumulator(**settings)
            other.load_state_dict(through(half.state_dict()))
            given = [backend.array(x[parts[1]]) for x in (X, LABELS)]
            other.update(*given, *([] if weights == "none" else [backend.array(WEIGHTS[weights][parts[1]])]))
            assert score(backend, other) == score(backend, whole)
        blank = InternalAccumulator(**settings)
        blank.load_state_dict(through_pickle(InternalAccumulator(**settings).state_dict()))
        with pytest.raises(ValueError):
            _ = blank.moments


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


@pytest.mark.parametrize("name", ["numpy", "torch"])
def test_a_state_is_a_copy(name):
    backend = BACKENDS[name]
    with backend.mode():
        accumulator = accumulated(backend, [np.arange(N)], n_clusters=K)
        state = accumulator.state_dict()
        overwrite(state["places"])
        assert score(backend, accumulator) == pytest.approx(EXPECTED["none"], rel=1e-12)
        state = accumulator.state_dict()
        other = InternalAccumulator(K)
        other.load_state_dict(state)
        overwrite(state["spreads"])
        assert score(backend, other) == pytest.approx(EXPECTED["none"], rel=1e-12)


def overwrite(stored):
    """Write into an array of a state: of NumPy, into the list of its values."""
    if isinstance(stored, dict):
        stored["values"][:] = [0.0] * len(stored["values"])
    else:
        stored[:] = 0


def test_broken_labels_are_told_in_the_end():
    """On a device with the number of clusters given, nothing is looked at: the score is NaN."""
    backend = BACKENDS["torch"]
    with backend.mode():
        accumulator = accumulated(backend, [np.arange(N)], n_clusters=K)
        accumulator.update(backend.array(X[:3]), backend.array([0, K, 1]))
        accumulator.update(backend.array(X[:3]), backend.array([0, 1, 1]))
        assert np.isnan(score(backend, accumulator))
        assert np.isnan(score(backend, _loaded(accumulator, n_clusters=K)))


def _loaded(accumulator, **settings):
    other = InternalAccumulator(**settings)
    other.load_state_dict(accumulator.state_dict())
    return other


def test_memory_is_that_of_the_centres():
    """Nothing of a batch is kept."""
    accumulator = InternalAccumulator(K)
    accumulator.update(X, LABELS)
    held = [x for x in vars(accumulator.moments).values() if hasattr(x, "shape")]
    assert max(x.size for x in held) == K * D
    assert max((x if x.base is None else x.base).size for x in held) < N


def test_gradients_are_not_kept():
    samples, labels = torch.asarray(X).requires_grad_(), torch.asarray(LABELS)
    with as_on_a_device():
        accumulator = InternalAccumulator(K)
        accumulator.update(samples, labels)
        assert not accumulator.moments.places.requires_grad
        with torch.inference_mode():
            accumulator.update(torch.asarray(X), labels)
        accumulator.update(torch.asarray(X), labels)
        assert not accumulator.moments.places.is_inference()


def test_what_it_says_of_itself():
    accumulator = InternalAccumulator()
    assert repr(accumulator) == "InternalAccumulator(growing)"
    accumulator = InternalAccumulator(3)
    assert repr(accumulator) == "InternalAccumulator(3 clusters)"
    accumulator.update(torch.asarray(X[:3]), torch.asarray([0, 1, 2]))
    assert repr(accumulator) == "InternalAccumulator(3 clusters, torch)"


@pytest.mark.parametrize("weights", WEIGHTS)
def test_an_update_reads_no_value(weights):
    """No operation waits for the device."""
    given = [torch.asarray(x) for x in (X, LABELS, WEIGHTS[weights]) if x is not None]
    accumulator = InternalAccumulator(K, ignore_labels=2)
    with as_on_a_device(), transfers_to_host() as copied, TorchOperations() as called:
        accumulator.update(*given)
        accumulator.update(*given)
        gpuval.calinski_harabasz_score(accumulator.moments)
    assert called.counter
    assert not copied
    assert called.waits == 0
    with TorchOperations() as called:
        float(given[0][0, 0])
    assert called.waits  # as it would be seen
    with as_on_a_device(), transfers_to_host() as copied:
        InternalAccumulator().update(*given)
    assert copied  # without the number of clusters; so it would be seen


@pytest.mark.parametrize("of", [np.asarray, torch.asarray], ids=["numpy", "torch"])
def test_what_moments_give_out_is_not_the_accumulator(of):
    rng = np.random.default_rng(0)
    accumulator = gpuval.InternalAccumulator()
    accumulator.update(of(rng.normal(size=(12, 2))), of(np.arange(12) % 3))
    score = float(gpuval.calinski_harabasz_score(accumulator.moments))
    for name in ("masses", "places", "offsets", "spreads", "errors"):
        getattr(accumulator.moments, name)[...] = 55
    assert float(gpuval.calinski_harabasz_score(accumulator.moments)) == score


def test_batches_inside_a_derivative_of_jax():
    """Their values are taken, and no derivative goes through them: the score is the one outside."""
    inside, outside = InternalAccumulator(K), InternalAccumulator(K)
    x, labels, weights = map(jax.numpy.asarray, (X, LABELS, SHARES))

    def loss(x, weights):
        inside.update(x, labels, weights)
        return jax.numpy.sum(x * x) + jax.numpy.sum(weights)

    of_x, of_weights = jax.grad(loss, argnums=(0, 1))(x, weights)
    np.testing.assert_array_equal(of_x, 2 * x)
    assert (of_weights == 1).all()
    outside.update(x, labels, weights)
    scores = [float(gpuval.calinski_harabasz_score(each.moments)) for each in (inside, outside)]
    assert scores[0] == scores[1]


BROKEN = [
    ("masses", np.ones(7), ValueError, r"masses of shape \(5,\), got \(7,\)"),
    ("masses", np.full(K, -1.0), ValueError, "masses of numbers that are finite and at least 0, got -1.0 to -1.0"),
    ("masses", np.full(K, np.nan), ValueError, "masses of numbers that are finite and at least 0, got nan"),
    ("masses", None, TypeError, "masses as an array, got NoneType"),
    ("places", np.ones((3, 5)), ValueError, r"places of shape \(5, 5\), got \(3, 5\)"),
    ("offsets", np.full((K, D), np.inf), ValueError, "offsets of numbers that are finite, got inf to inf"),
    ("spreads", np.ones((K, 1)), ValueError, r"spreads of shape \(5,\), got \(5, 1\)"),
    ("spreads", np.full(K, -1.0), ValueError, "spreads of numbers that are finite and at least 0, got -1.0 to -1.0"),
    ("errors", np.full(K, np.nan), ValueError, "errors of numbers that are finite and at least 0, got nan"),
    ("n_counted", np.asarray(["a"]), ValueError, r"n_counted of shape \(\), got \(1,\)"),
    ("given", None, TypeError, "given as an array, got NoneType"),
]


@pytest.mark.parametrize(("name", "value", "error", "message"), BROKEN)
def test_a_state_that_is_broken_changes_nothing(name, value, error, message):
    accumulator, other = accumulated(BACKENDS["numpy"], batches(1), n_clusters=K), InternalAccumulator(K)
    other.load_state_dict(accumulator.state_dict())
    with pytest.raises(error, match=f"state must have {message}"):
        other.load_state_dict(accumulator.state_dict() | {name: value})
    assert score(BACKENDS["numpy"], other) == score(BACKENDS["numpy"], accumulator)


def test_labels_of_a_state_are_a_list():
    accumulator, other = accumulated(BACKENDS["numpy"], batches(1)), InternalAccumulator()
    other.load_state_dict(accumulator.state_dict())
    with pytest.raises(TypeError, match="state must have values as a list of labels, got int"):
        other.load_state_dict(accumulator.state_dict() | {"values": 3})
    with pytest.raises(ValueError, match=r"state must have masses of shape \(3,\), got \(5,\)"):
        other.load_state_dict(accumulator.state_dict() | {"values": ["a", "b", "c"]})
