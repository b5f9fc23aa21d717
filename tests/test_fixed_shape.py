"""The path of fixed shape, with the size of the table given: it traces, and what cannot be counted is NaN."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from backends import BACKENDS, Backend
from properties import SCORES

import gpuval
from gpuval import Contingency

SIZE = {"n_classes": 5, "n_clusters": 4}
TRACED = {str(row): row for row in SCORES if row.jits}
MATCHED = {str(row): row for row in SCORES if not row.jits}
ALL = TRACED | MATCHED


def _samples(n=40):
    rng = np.random.default_rng(12)
    return rng.integers(0, 4, n), rng.integers(0, 4, n), rng.integers(0, 4, n)


def numbers(backend: Backend, value) -> np.ndarray:
    return backend.numpy(value).astype(np.float64)


def assert_same(backend: Backend, value: np.ndarray, expected: np.ndarray) -> None:
    """Nearly: a compiler may fuse and reorder."""
    tolerance = 2e-14 if backend.has_float64 else 1e-5
    assert value.shape == expected.shape
    assert np.all(np.abs(value - expected) <= tolerance * np.maximum(1.0, np.abs(expected))), (value, expected)


# ---- jax.jit -------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["jax-x64", "jax"])
@pytest.mark.parametrize("row", TRACED)
def test_jit(row, mode):
    measure, backend = TRACED[row], BACKENDS[mode]
    with backend.mode():
        true, pred, weights = (backend.array(x) for x in _samples())
        functions = (
            lambda a, b, w: measure.of_labels(a, b, **SIZE),
            lambda a, b, w: measure.of_labels(a, b, sample_weight=w, ignore_labels=[3], **SIZE),
        )
        everything = jax.jit(lambda *x: [function(*x) for function in functions])
        for traced, function in zip(everything(true, pred, weights), functions, strict=True):
            assert_same(backend, numbers(backend, traced), numbers(backend, function(true, pred, weights)))
        outside = everything(backend.array([5] * 40), pred, weights)
        value = numbers(backend, outside[0])
        depends = not measure.of_one_labeling or measure.options.get("of") != "pred"
        assert np.all(np.isnan(value)) == depends


@pytest.mark.parametrize("row", MATCHED)
def test_jit_of_a_measure_with_a_host_step_says_so(row):
    measure = MATCHED[row]
    true, pred, _ = _samples()
    with pytest.raises(TypeError, match="inside jax"):
        jax.jit(lambda a, b: measure.of_labels(a, b, **SIZE))(jnp.asarray(true), jnp.asarray(pred))


def test_jit_without_the_size_says_so():
    true, pred, _ = _samples()
    with pytest.raises(TypeError, match="n_classes and n_clusters must be given"):
        jax.jit(gpuval.rand_score)(jnp.asarray(true), jnp.asarray(pred))


def test_vmap_gives_the_scores_of_each():
    with BACKENDS["jax-x64"].mode():
        rng = np.random.default_rng(1)
        true, preds = jnp.asarray(rng.integers(0, 4, 30)), jnp.asarray(rng.integers(0, 4, (3, 30)))
        scores = jax.vmap(lambda pred: gpuval.adjusted_rand_score(true, pred, **SIZE))(preds)
        each = [gpuval.adjusted_rand_score(true, pred, **SIZE) for pred in preds]
        assert np.array_equal(np.asarray(scores), np.asarray(each))


# ---- on every backend ----------------------------------------------------------------------------


@pytest.mark.parametrize("row", ALL)
def test_the_given_size_changes_nothing(row, backend):
    """As NumPy has it without: also with weights, and with labels that are ignored."""
    measure = ALL[row]
    true, pred, weights = _samples()
    device = backend.array(true), backend.array(pred)
    ways = [{}, {"sample_weight": weights}, {"ignore_labels": [3]}]
    if not needs_counts(row):
        ways.append({"sample_weight": weights / 4})
    for building in ways:
        expected = measure.of_labels(true, pred, **building)
        there = {name: backend.array(x) if name == "sample_weight" else x for name, x in building.items()}
        found = numbers(backend, measure.of_labels(*device, **there, **SIZE))
        if measure.values == "clusters":
            found = found[found > 0]
        assert_same(backend, found, numbers(BACKENDS["numpy"], expected))


def needs_counts(row: str) -> bool:
    """The null model of the expected mutual information is one of counts."""
    return row.startswith(("adjusted_mutual_info", "expected_mutual_info"))


OUTSIDE = {
    "a class too large": ([0, 1, 5, 2], [0, 1, 2, 3], None),
    "a cluster too large": ([0, 1, 2, 3], [0, 1, 2, 4], None),
    "a negative class": ([0, -1, 2, 3], [0, 1, 2, 3], None),
    "a negative cluster": ([0, 1, 2, 3], [0, 1, -2, 3], None),
    "labels that would wrap": ([0, 1, 256, 3], [0, 1, 2, 65536], None),
    "a negative weight": ([0, 1, 2, 3], [0, 1, 2, 3], [1.0, -1.0, 1.0, 1.0]),
    "a weight that is infinite": ([0, 1, 2, 3], [0, 1, 2, 3], [1.0, float("inf"), 1.0, 1.0]),
    "a weight that is not a number": ([0, 1, 2, 3], [0, 1, 2, 3], [1.0, float("nan"), 1.0, 1.0]),
    "a label that is not whole": ([0.0, 1.5, 2.0, 3.0], [0.0, 1.0, 2.0, 3.0], None),
    "a label that is not a number": ([0.0, float("nan"), 2.0, 3.0], [0.0, 1.0, 2.0, 3.0], None),
}


@pytest.mark.parametrize("fault", OUTSIDE)
def test_what_cannot_be_counted_is_never_a_wrong_number(fault, backend):
    """NaN on a device (an error, where the values are seen on the host anyway), and an error on NumPy."""
    true, pred, weights = OUTSIDE[fault]
    true, pred = backend.array(true), backend.array(pred)
    building = {**SIZE, "sample_weight": None if weights is None else backend.array(weights)}
    if backend.name == "numpy":
        for measure in ALL.values():
            if not measure.of_one_labeling:
                with pytest.raises(ValueError, match=r"labels_true|labels_pred|sample_weight"):
                    measure.of_labels(true, pred, **building)
        return
    table = Contingency.from_labels(true, pred, **building)
    for row, measure in TRACED.items():
        if weights is not None and needs_counts(row):
            continue  # weights that are not whole are an error, whatever they are
        value = numbers(backend, measure.of_table(table))
        assert np.all(np.isnan(value)), f"{row} is {value}"
    for measure in MATCHED.values():
        with pytest.raises(ValueError, match="could not be counted"):
            measure.of_table(table)


def test_a_fault_in_ignored_samples_is_none(backend):
    true, pred = backend.array([0, -1, 2, 2]), backend.array([0, 9, 1, 1])
    value = gpuval.adjusted_rand_score(true, pred, ignore_labels=[-1], **SIZE)
    backend.assert_close(value, 1)


def test_small_integers_do_not_wrap(backend):
    """Labels of 8 bits, in a table of more cells than 8 bits count."""
    true, pred = backend.of(np.asarray([0, 200, 200, 7], np.uint8)), backend.of(np.asarray([3, 255, 255, 0], np.uint8))
    backend.assert_close(gpuval.rand_score(true, pred, n_classes=201, n_clusters=256), 1)
    backend.assert_close(gpuval.clustering_accuracy(true, pred, n_classes=256, n_clusters=300), 1)


def test_booleans_are_labels(backend):
    true, pred = backend.of(np.asarray([True, True, False])), backend.of(np.asarray([False, False, True]))
    backend.assert_close(gpuval.rand_score(true, pred, n_classes=2, n_clusters=2), 1)
    if backend.name != "numpy":
        assert np.isnan(backend.numpy(gpuval.rand_score(true, pred, n_classes=1, n_clusters=2)))
