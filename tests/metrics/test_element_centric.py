"""Element-centric similarity of each sample, of two labelings and of many: by its definition, on every backend."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations, product

import jax
import numpy as np
import pytest
import torch
from backends import BACKENDS, SIZE, N, assert_close, transfers_to_host
from only_for import only_for
from oracles import all_partitions
from packages import pd

import gpuval
from gpuval.engines.backends.numpy import NumpyBackend

F = Fraction
NAN = float("nan")
RNG = np.random.default_rng(31)
TRUE, PRED = RNG.integers(0, 5, N), RNG.integers(0, 6, N)
COUNTS = RNG.integers(0, 4, N)
REALS = RNG.random(N)
SIMOVICI = [1, 3, 2, 2, 3, 1, 2, 2, 3, 1, 3, 2], [2, 3, 2, 1, 3, 1, 3, 2, 3, 1, 3, 1]


def by_definition(true, pred, weights=None, ignored=()):
    """The weight that a sample's class shares with its cluster, of the larger of the two; NaN if it does not count."""
    weights = [F(w) for w in ([1] * len(true) if weights is None else np.asarray(weights).tolist())]
    samples = [(x, y, w) for x, y, w in zip(true, pred, weights, strict=True)]
    counted = [w > 0 and x not in ignored and y not in ignored for x, y, w in samples]
    cells, classes, clusters = Counter(), Counter(), Counter()
    for (x, y, w), counts in zip(samples, counted, strict=True):
        if counts:
            cells[x, y] += w
            classes[x] += w
            clusters[y] += w
    return [
        cells[x, y] / max(classes[x], clusters[y]) if counts else NAN
        for (x, y, _), counts in zip(samples, counted, strict=True)
    ]


WAYS = {
    "plain": (None, ()),
    "labels to ignore": (None, (3, 0)),
    "weights of integers": (COUNTS, ()),
    "real weights": (REALS, (2,)),
    "weights of 0": (np.where(COUNTS == 0, 0.0, REALS), (5,)),
}


@pytest.mark.by_default(once=True)
@pytest.mark.parametrize("way", WAYS)
def test_each_sample_has_what_the_definition_says(way, backend):
    weights, ignored = WAYS[way]
    building = {} if weights is None else {"sample_weight": backend.array(weights)}
    if ignored:
        building["ignore_labels"] = ignored
    expected = by_definition(TRUE, PRED, weights, ignored)
    true, pred = backend.array(TRUE), backend.array(PRED)
    sizes = [SIZE, {}] if backend.finds_sizes else [SIZE]
    for size in sizes:
        found = gpuval.element_centric_samples(true, pred, **building, **size)
        backend.assert_at_home(found, true, (N,))
        backend.assert_close(found, expected, f"{way}, {size}")
        score = float(backend.numpy(gpuval.element_centric_score(true, pred, **building, **size)))
        values, masses = backend.numpy(found), np.ones(N) if weights is None else weights
        is_there = ~np.isnan(values)
        mean = np.average(values[is_there], weights=masses[is_there])
        assert score == pytest.approx(mean, rel=1e-13 if backend.has_float64 else 1e-5)


@pytest.mark.parametrize("way", WAYS)
@only_for(lambda backend: backend.lists_cells and not backend.compiles)
def test_many_groups_are_sorted(way, backend):
    """As many as samples, and numbers that are far apart: no table of all cells."""
    weights, ignored = WAYS[way]
    n = 600  # with 545 classes and 275 clusters
    true, pred = np.arange(n) * 5_000, np.arange(n) // 2 * 9_000
    true[:N], pred[:N] = TRUE, PRED
    masses = None if weights is None else np.resize(weights, n)
    building = {} if masses is None else {"sample_weight": backend.array(masses)}
    found = gpuval.element_centric_samples(
        backend.array(true), backend.array(pred), ignore_labels=ignored or None, **building
    )
    backend.assert_close(found, by_definition(true, pred, masses, ignored), way)


def test_all_pairs_of_partitions_of_up_to_5_items():
    for n in range(1, 6):
        for true, pred in product(list(all_partitions(n)), repeat=2):
            found = gpuval.element_centric_samples(true, pred)
            assert_close(found, by_definition(true, pred), f"{true, pred}")


def test_simovici():
    """Of the cells [[2, 1, 0], [2, 2, 1], [0, 0, 4]]: 1/2, 1/3, 2/5, 2/5, 1/5 and 4/5."""
    cells = {(1, 1): F(1, 2), (1, 2): F(1, 3), (2, 1): F(2, 5), (2, 2): F(2, 5), (2, 3): F(1, 5), (3, 3): F(4, 5)}
    expected = [cells[pair] for pair in zip(*SIMOVICI, strict=True)]
    assert_close(gpuval.element_centric_samples(*SIMOVICI), expected)
    assert sum(expected) / 12 == F(19, 36)


def test_labels_of_any_kind():
    true, pred = ["b", "a", "b", None], pd.Series([1.0, 2.0, 2.0, 1.0])
    found = gpuval.element_centric_samples(true, pred, ignore_labels=[None])
    assert_close(found, [F(1, 2), F(1, 2), F(1, 2), NAN])
    assert gpuval.element_centric_samples([], []).shape == (0,)


def test_identical_partitions_of_real_weights_have_1_at_most(backend, monkeypatch):
    """Also where the samples of a cell and those of its class are added up in different orders, as GPUs may do."""
    labels, weights = backend.array(TRUE), backend.array(RNG.random(N))
    found = [backend.numpy(gpuval.element_centric_samples(labels, labels, sample_weight=weights, **SIZE))]
    if backend.name == "numpy":
        n, total = 3000, NumpyBackend.total

        def backwards_for_groups(self, values, codes, size):
            step = 1 if size == n else -1
            return total(self, values[::step], codes[::step], size)

        monkeypatch.setattr(NumpyBackend, "total", backwards_for_groups)
        many = RNG.integers(0, 300, n)
        found.append(gpuval.element_centric_samples(many, many, sample_weight=RNG.random(n)))
        assert np.any(found[1] < 1)
    for values in found:
        assert np.all(values <= 1)
        assert np.all(values >= 1 - 1e-6)


@pytest.mark.parametrize("mode", ["jax-x64", "jax"])
def test_compiled_and_mapped(mode):
    backend = BACKENDS[mode]
    with backend.mode():
        true, pred, weights = (backend.array(x) for x in (TRUE, PRED, REALS))

        def values(true, pred, weights):
            return gpuval.element_centric_samples(true, pred, sample_weight=weights, ignore_labels=[2], **SIZE)

        expected = by_definition(TRUE, PRED, REALS if backend.has_float64 else REALS.astype(np.float32), [2])
        backend.assert_close(jax.jit(values)(true, pred, weights), expected)
        backend.assert_close(jax.vmap(values, (None, 0, None))(true, pred[None], weights)[0], expected)
        with pytest.raises(TypeError, match="n_classes and n_clusters must be given inside jax"):
            jax.jit(gpuval.element_centric_samples)(true, pred)


def test_one_graph_of_torch():
    def values(true, pred):
        return gpuval.element_centric_samples(true, pred, **SIZE)

    labels = torch.asarray(TRUE), torch.asarray(PRED)
    found = torch.compile(values, fullgraph=True, backend="eager")(*labels)
    torch.testing.assert_close(found, values(*labels))


def test_nothing_leaves_the_device_with_the_size_given(backend):
    true, pred = backend.array(TRUE), backend.array(PRED)
    with transfers_to_host() as copied:
        gpuval.element_centric_samples(true, pred, **SIZE)
    assert not copied


def test_a_label_outside_makes_all_of_them_nan_on_a_device(backend):
    true, pred = backend.array([0, 1, 9]), backend.array([0, 1, 2])
    if backend.name == "numpy":
        with pytest.raises(ValueError, match="labels_true must lie in"):
            gpuval.element_centric_samples(true, pred, **SIZE)
        return
    assert np.isnan(backend.numpy(gpuval.element_centric_samples(true, pred, **SIZE))).all()
    found = gpuval.element_centric_samples(true, pred, ignore_labels=[9], **SIZE)
    backend.assert_close(found, [1, 1, NAN])


def test_the_gradient_by_weights():
    """Of the samples 0, 0, 0 in clusters 0, 0, 1 with weights w: (w0 + w1) / (w0 + w1 + w2) of the first."""
    weights = torch.tensor([1.0, 2.0, 5.0], dtype=torch.float64, requires_grad=True)
    true, pred = torch.tensor([0, 0, 0]), torch.tensor([0, 0, 1])
    gpuval.element_centric_samples(true, pred, sample_weight=weights, n_classes=1, n_clusters=2)[0].backward()
    np.testing.assert_allclose(weights.grad.numpy(), [5 / 64, 5 / 64, -3 / 64], rtol=1e-13)


# ---- many labelings ------------------------------------------------------------------------------

MANY = [(0, 0, 0, 1, 1, 1), (0, 0, 1, 1, 1, 1), (0, 0, 0, 1, 1, 2)]


@only_for(lambda backend: backend.finds_sizes)
def test_three_labelings(backend):
    expected = [F(7, 9), F(7, 9), F(1, 2), F(23, 36), F(23, 36), F(4, 9)]
    labelings = [backend.array(x) for x in MANY]
    for given in (labelings, {f"run {i}": x for i, x in enumerate(labelings)}):
        found = gpuval.element_centric_consistency(given)
        backend.assert_at_home(found, labelings[0], (6,))
        backend.assert_close(found, expected)
    assert sum(expected) / 6 == F(17, 27)


def mean_over_pairs(labelings, weights, ignored):
    """Of those in which a sample has a value."""
    of_pairs = [by_definition(x, y, weights, ignored) for x, y in combinations(labelings, 2)]
    there = [[x for x in values if x == x] for values in zip(*of_pairs, strict=True)]
    return [sum(x) / len(x) if x else NAN for x in there]


@pytest.mark.parametrize("way", WAYS)
@only_for(lambda backend: backend.finds_sizes and not backend.compiles)
def test_the_mean_is_over_the_pairs_that_have_the_sample(way, backend):
    weights, ignored = WAYS[way]
    building = {} if weights is None else {"sample_weight": backend.array(weights)}
    labelings = [TRUE, PRED, (TRUE + PRED) % 4, TRUE // 2]
    found = gpuval.element_centric_consistency(
        [backend.array(x) for x in labelings], ignore_labels=ignored or None, **building
    )
    backend.assert_close(found, mean_over_pairs(labelings, weights, ignored), way)


def test_a_data_frame_of_names():
    frame = pd.DataFrame({"a": list("xxy"), "b": [1, 1, 2], "c": list("qrr")})
    assert_close(gpuval.element_centric_consistency(frame), mean_over_pairs([frame[x] for x in frame], None, ()))


# ---- wrong calls ---------------------------------------------------------------------------------


def test_wrong_calls():
    import dask.array as da

    labels = [0, 0, 1]
    table = gpuval.Contingency.from_labels(labels, labels)
    held = da.from_array(np.asarray(labels), chunks=2)
    for call, message in (
        (lambda: gpuval.element_centric_samples(table, labels), "labels_true must be a vector"),
        (lambda: gpuval.element_centric_samples(held, labels), r"labels_true must be in memory, got data of Dask"),
        (lambda: gpuval.element_centric_samples(labels, held), r"labels_pred must be in memory, got data of Dask"),
        (lambda: gpuval.element_centric_consistency([labels, held]), r"labelings\[1\] must be in memory, got"),
        (
            lambda: gpuval.evaluate(labels, labels, [gpuval.element_centric_samples]),
            "element_centric_samples gives a value for each sample: gpuval.element_centric_samples",
        ),
    ):
        with pytest.raises(TypeError, match=message):
            call()
    for call, message in (
        (lambda: gpuval.element_centric_samples(labels, labels, ignore_labels=[0, 1]), "ignore_labels must leave"),
        (
            lambda: gpuval.element_centric_samples(labels, labels, sample_weight=[0, 0, 0]),
            "sample_weight must be above",
        ),
        (lambda: gpuval.element_centric_samples(labels, labels, n_classes=2), "n_classes and n_clusters must be given"),
        (
            lambda: gpuval.element_centric_consistency([labels]),
            "labelings must have at least two label vectors, got 1",
        ),
        (
            lambda: gpuval.element_centric_consistency([labels] * 2, sample_weight=[1, -1, 1]),
            "sample_weight must be finite and not negative, got -1",
        ),
    ):
        with pytest.raises(ValueError, match=message):
            call()
