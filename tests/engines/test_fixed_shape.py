"""The path of fixed shape, with the size of the table given: it traces, and what cannot be counted is NaN."""

from __future__ import annotations

from functools import cache

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from backends import BACKENDS, SIZE, Backend, N
from compiling import as_users_do, output_on_devices
from properties import MEASURES, SCORES, Row, by_module, scores_of

import gpuval
from gpuval import Contingency

TRACED = {str(row): row for row in SCORES if row.jits}
MATCHED = {str(row): row for row in SCORES if not row.jits}
ALL = TRACED | MATCHED
OPTIMISED = {
    row.family.title: row
    for row in sorted(TRACED.values(), key=lambda row: -row.usual)
    if row.usual and not row.options and not row.needs_counts
}
"""The most usual measure of each family."""
GRAPHS = {**by_module(ALL.values()), "as users do": [*OPTIMISED.values()]}
"""The rows, by module, since each compilation of a table takes its time; and some whose graph is compiled as
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


@pytest.mark.by_default(once=True)
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


@pytest.mark.parametrize("row", [row for row in MEASURES if not row.jits and str(row) not in ALL])
def test_jit_of_what_is_no_score_and_has_a_host_step_says_so(row):
    true, pred, _ = _samples()
    with pytest.raises(TypeError, match=f"^{row.name} looks at values on the host, and inside jax.jit"):
        jax.jit(lambda a, b: row.of_labels(a, b, **SIZE))(jnp.asarray(true), jnp.asarray(pred))


def accuracy(true, pred, weights=None):
    return gpuval.clustering_accuracy(true, pred, sample_weight=weights, **SIZE)


@pytest.mark.parametrize("mode", ["jax-x64", "jax"])
def test_a_host_step_of_batches(mode):
    """With vmap, inside jit and outside, of labels on one side or on both; with scan; each as NumPy has it."""
    backend = BACKENDS[mode]
    rng = np.random.default_rng(1)
    true, preds, weights = rng.integers(0, 4, 30), rng.integers(0, 4, (3, 30)), rng.random((3, 30))
    expected = [gpuval.clustering_accuracy(true, pred) for pred in preds]
    weighted = [gpuval.clustering_accuracy(true, x, sample_weight=w) for x, w in zip(preds, weights, strict=True)]
    with backend.mode():
        y, p, w = (backend.array(x) for x in (true, preds, weights))
        counts = jnp.stack([Contingency.from_labels(y, x, **SIZE).to_array() for x in p])
        one_side, weighing = jax.vmap(accuracy, in_axes=(None, 0)), jax.vmap(accuracy, in_axes=(None, 0, 0))
        _, steps = jax.jit(lambda p: jax.lax.scan(lambda none, x: (none, accuracy(y, x)), None, p))(p)
        of_counts = jax.jit(lambda x: gpuval.clustering_accuracy(Contingency.from_counts(x)))(counts)
        for found in (one_side(y, p), jax.jit(one_side)(y, p), steps, of_counts):
            assert found.dtype == backend.array(1.0).dtype
            backend.assert_close(found, expected)
        backend.assert_close(jax.vmap(accuracy)(jnp.stack([y] * 3), p), expected)
        backend.assert_close(jax.jit(weighing)(y, p, w), weighted)
        both = jax.vmap(lambda x: one_side(x, p))(p)
        backend.assert_close(both.ravel(), [gpuval.clustering_accuracy(a, b) for a in preds for b in preds])
        outside = jax.jit(one_side)(y, p.at[1, 0].set(99))  # NaN for one table, and no error for the others
        assert np.isnan(outside[1])
        backend.assert_close(outside[::2], expected[::2])


def test_a_host_step_in_evaluations_and_comparisons():
    true, pred, other = _samples()
    names = ["acc", "psi", "nmi"]

    def scores(a, b, c):
        compared = gpuval.compare(a, {"pred": b, "other": c}, names, **SIZE)
        return dict(gpuval.evaluate(a, b, names, **SIZE)), {x: dict(compared[x]) for x in compared}

    with BACKENDS["jax-x64"].mode():
        evaluated, compared = jax.jit(scores)(*map(jnp.asarray, (true, pred, other)))
    expected = {x: dict(gpuval.evaluate(true, y, names)) for x, y in (("pred", pred), ("other", other))}
    for found, wanted in ((evaluated, expected["pred"]), *((compared[x], expected[x]) for x in expected)):
        assert {x: float(y) for x, y in found.items()} == pytest.approx(wanted, abs=1e-14)


def test_no_derivative_goes_through_a_host_step():
    """It is 0, inside jit and outside, and other scores of the table have theirs."""
    with BACKENDS["jax-x64"].mode():
        rng = np.random.default_rng(3)
        u, v = (jax.nn.softmax(jnp.asarray(rng.normal(size=(10, 3))), axis=1) for _ in range(2))

        def score(u, share=1.0):
            table = Contingency.from_memberships(u, v)
            return share * gpuval.clustering_accuracy(table) + gpuval.normalized_mutual_info_score(table)

        without = jax.grad(lambda u: score(u, 0.0))(u)
        assert float(jnp.abs(without).max()) > 1e-6
        for derivative in (jax.grad(score), jax.jit(jax.grad(score)), jax.jacfwd(score)):
            np.testing.assert_allclose(derivative(u), without, rtol=1e-12)
        assert float(score(u)) == pytest.approx(
            float(gpuval.clustering_accuracy(Contingency.from_memberships(np.asarray(u), np.asarray(v))))
            + float(score(u, 0.0)),
            abs=1e-14,
        )


def test_a_host_step_of_several_devices():
    """Of the labels of each device, and of the table of all."""
    found = output_on_devices(
        """
import jax, jax.numpy as jnp, numpy as np, gpuval
from jax.sharding import Mesh, NamedSharding, PartitionSpec
mesh = Mesh(jax.devices(), ("part",))
rng = np.random.default_rng(0)
true, pred = rng.integers(0, 3, 40), rng.integers(0, 4, 40)
score = lambda a, b: gpuval.clustering_accuracy(a, b, n_classes=3, n_clusters=4)
split = NamedSharding(mesh, PartitionSpec("part"))
print(float(jax.jit(score)(jax.device_put(true, split), jax.device_put(pred, split))), score(true, pred))
parts = true.reshape(4, 10), pred.reshape(4, 10)
for x, *labels in zip(jax.pmap(score)(*parts), *parts):
    print(float(x), score(*labels))
"""
    )
    pairs = np.asarray(found, dtype=float).reshape(5, 2)
    np.testing.assert_allclose(pairs[:, 0], pairs[:, 1], rtol=1e-6)


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
    for host, given, building, there in tables(backend)[: 3 if measure.needs_counts else 4]:
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


def measures_of(fault: str) -> dict[str, Row]:
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
        elif OUTSIDE[fault][2] is None or not measure.needs_counts:  # else an error, whatever the weights are
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
