"""The path of fixed shape, with the size of the table given: it traces, and what cannot be counted is NaN."""

from __future__ import annotations

from functools import cache

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from backends import BACKENDS, SIZE, Backend, N
from compiling import as_users_do
from properties import SCORES, Measure, by_module, scores_of

import gpuval
from gpuval import Contingency

TRACED = {str(row): row for row in SCORES if row.jits}
MATCHED = {str(row): row for row in SCORES if not row.jits}
ALL = TRACED | MATCHED
OPTIMISED = ("adjusted_rand_score", "normalized_mutual_info_score", "purity_score")
GRAPHS = {**by_module(TRACED.values()), "as users do": [TRACED[name] for name in OPTIMISED]}
"""The rows that trace, by module, since each compilation of a table takes its time; and some whose graph is compiled as
users do. All graphs of tables are so in ``test_accuracy``."""


def _samples(n=N):
    rng = np.random.default_rng(12)
    return rng.integers(0, 4, n), rng.integers(0, 4, n), rng.integers(0, 4, n)


def numbers(backend: Backend, value) -> np.ndarray:
    return backend.numpy(value).astype(np.float64)


def assert_same(backend: Backend, value: np.ndarray, expected: np.ndarray, what: str) -> None:
    """Nearly: a compiler may fuse and reorder."""
    tolerance = 2e-14 if backend.has_float64 else 1e-5
    assert value.shape == expected.shape, what
    is_near = np.abs(value - expected) <= tolerance * np.maximum(1.0, np.abs(expected))
    assert np.all(is_near | np.isnan(value) & np.isnan(expected)), (what, value, expected)


# ---- jax.jit -------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["jax-x64", "jax"])
@pytest.mark.parametrize("graph", GRAPHS)
def test_jit(graph, mode):
    """Of labels, without and with weights and labels to ignore; what lies outside of the table is NaN."""
    rows, backend = GRAPHS[graph], BACKENDS[mode]

    def scores(true, pred, weights):
        weighted = scores_of(rows, true, pred, sample_weight=weights, ignore_labels=[3], **SIZE)
        return scores_of(rows, true, pred, **SIZE), weighted

    with backend.mode():
        true, pred, weights = (backend.array(x) for x in _samples())
        compiled = jax.jit(scores, compiler_options=as_users_do() if graph == "as users do" else None)
        for found, expected in zip(compiled(true, pred, weights), scores(true, pred, weights), strict=True):
            for row in map(str, rows):
                assert_same(backend, numbers(backend, found[row]), numbers(backend, expected[row]), row)
        outside = backend.array([max(SIZE.values())] * N)
        for side, labels in (("true", (outside, pred)), ("pred", (true, outside))):
            found, _ = compiled(*labels, weights)
            for row in rows:
                if not row.of_one_labeling or row.options.get("of", "true") == side:
                    assert np.all(np.isnan(numbers(backend, found[str(row)]))), f"{row}, {side}"


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


@cache
def tables(backend: Backend) -> list[tuple[Contingency, Contingency, dict, dict]]:
    """Of the same samples: NumPy's table with the size found, the backend's with the size given, and their options."""
    true, pred, weights = _samples()
    found = []
    for building in ({}, {"sample_weight": weights}, {"ignore_labels": [3]}, {"sample_weight": weights / 4}):
        there = {name: backend.array(x) if name == "sample_weight" else x for name, x in building.items()}
        given = Contingency.from_labels(backend.array(true), backend.array(pred), **there, **SIZE)
        found.append((Contingency.from_labels(true, pred, **building), given, building, there))
    return found


@pytest.mark.parametrize("row", ALL)
def test_the_given_size_changes_nothing(row, backend):
    """As NumPy has it without: also with weights, and with labels that are ignored."""
    measure, (true, pred, _) = ALL[row], _samples()
    for host, given, building, there in tables(backend)[: 3 if measure.of_counts else 4]:
        if measure.of_one_labeling:  # one vector of labels is counted in a way of its own
            expected = measure.of_labels(true, pred, **building)
            value = measure.of_labels(backend.array(true), backend.array(pred), **there, **SIZE)
        else:
            expected, value = measure.of_table(host), measure.of_table(given)
        found, expected = numbers(backend, value), numbers(BACKENDS["numpy"], expected)
        if measure.of_groups:  # without those of classes or clusters that do not occur
            sizes = backend.numpy(given.class_sizes if measure.values == "classes" else given.cluster_sizes)
            found = found[sizes > 0]
        assert_same(backend, found, expected, row)


OUTSIDE = {
    "a class too large": ([0, 1, 8, 2], [0, 1, 2, 3], None),
    "a cluster too large": ([0, 1, 2, 3], [0, 1, 2, 7], None),
    "a negative class": ([0, -1, 2, 3], [0, 1, 2, 3], None),
    "a negative cluster": ([0, 1, 2, 3], [0, 1, -2, 3], None),
    "labels that would wrap": ([0, 1, 256, 3], [0, 1, 2, 65536], None),
    "a negative weight": ([0, 1, 2, 3], [0, 1, 2, 3], [1.0, -1.0, 1.0, 1.0]),
    "a weight that is infinite": ([0, 1, 2, 3], [0, 1, 2, 3], [1.0, float("inf"), 1.0, 1.0]),
    "a weight that is not a number": ([0, 1, 2, 3], [0, 1, 2, 3], [1.0, float("nan"), 1.0, 1.0]),
    "a label that is not whole": ([0.0, 1.5, 2.0, 3.0], [0.0, 1.0, 2.0, 3.0], None),
    "a label that is not a number": ([0.0, float("nan"), 2.0, 3.0], [0.0, 1.0, 2.0, 3.0], None),
}


ALL_MEASURES_OF = ("a class too large", "a weight that is not a number")
"""Any fault makes the table one that is not valid, of counts or of weights: to a measure all are the same."""


def table_with(fault: str, backend) -> tuple[list, dict]:
    """The labels with a fault, many times over, and how a table is built of them."""
    *labels, weights = ([*x] * (N // 4) if x else None for x in OUTSIDE[fault])
    building = {**SIZE, "sample_weight": None if weights is None else backend.array(weights)}
    return [backend.array(x) for x in labels], building


def measures_of(fault: str) -> dict[str, Measure]:
    if fault in ALL_MEASURES_OF:
        return ALL
    return {name: ALL[name] for name in ("rand_score", "entropy", "mutual_info_score", "clustering_accuracy")}


@pytest.mark.parametrize("fault", OUTSIDE)
def test_what_cannot_be_counted_is_never_a_wrong_number(fault, backend):
    """NaN on a device (an error, where the values are seen on the host anyway), and an error on NumPy."""
    labels, building = table_with(fault, backend)
    if backend.name == "numpy":
        for measure in measures_of(fault).values():
            if not measure.of_one_labeling:
                with pytest.raises(ValueError, match=r"labels_true|labels_pred|sample_weight"):
                    measure.of_labels(*labels, **building)
        return
    table = Contingency.from_labels(*labels, **building)
    for row, measure in measures_of(fault).items():
        if row in MATCHED:
            with pytest.raises(ValueError, match="could not be counted"):
                measure.of_table(table)
        elif OUTSIDE[fault][2] is None or not measure.of_counts:  # else an error, whatever the weights are
            value = numbers(backend, measure.of_table(table))
            assert np.all(np.isnan(value)), f"{row} is {value}"


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


@pytest.mark.parametrize("row", ["adjusted_rand_score", "v_measure_score", "purity_score"])
def test_what_jax_converts_is_not_copied_once_more(row):
    """Its arrays cannot be written into, so that a copy would only cost memory."""
    labels = jnp.asarray(_samples()[0])
    traced = jax.make_jaxpr(lambda x: getattr(gpuval, row)(x, x, n_classes=4, n_clusters=4))(labels)
    assert "convert_element_type" in str(traced)
    assert " copy" not in str(traced)
    assert " copy" in str(jax.make_jaxpr(lambda x: jnp.array(x, copy=True))(labels))  # as it would be seen
