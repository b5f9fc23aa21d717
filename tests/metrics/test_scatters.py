"""Inertia, Ball-Hall, Hartigan, Xie-Beni and PBM: worked values, weights, single labels, and where others have none."""

from __future__ import annotations

from fractions import Fraction

import internal_oracles as oracles
import numpy as np
import pytest
from backends import BACKENDS, transfers_to_host
from hypothesis import given, settings
from hypothesis import strategies as st
from internal_cases import OF_CENTRES
from only_for import only_for

import gpuval

X9 = np.asarray([(3, 6), (1, 5), (4, 0), (2, 6), (13, 3), (15, 8), (15, 4), (9, 9), (9, 7)], dtype=float)
LABELS9 = np.asarray([0, 0, 0, 0, 1, 1, 1, 1, 1])
OF_MOMENTS = ("inertia", "ball_hall", "hartigan", "xie_beni")
WORKED = {
    "inertia": float(Fraction(1867, 20)),
    "ball_hall": float(Fraction(8063, 800)),
    "hartigan": 0.846021764047428,
    "xie_beni": 0.105955228666366,
    "xie_beni_of_samples": float(Fraction(1867, 20) / 9 / 37),
    "pbm": 82.6132085236350,
}
SEEN = "numpy", "torch-host", "jax-x64"
"""Backends whose arrays lie on the host, where values are looked at."""

OF_ANY = {"inertia": gpuval.inertia, "ball_hall": gpuval.ball_hall_index}


def sizes(backend, k):
    return [{}, {"n_clusters": k}] if backend.finds_sizes else [{"n_clusters": k}]


def close(backend, exact):
    return pytest.approx(exact, rel=1e-12, abs=1e-300) if backend.has_float64 else pytest.approx(exact, rel=1e-5)


@pytest.mark.parametrize("name", WORKED)
def test_worked_values(backend, name):
    assert WORKED[name] == pytest.approx(float(getattr(oracles, name)(X9, LABELS9.tolist())), rel=1e-14)
    given, labels = backend.array(X9), backend.array(LABELS9)
    for size in sizes(backend, 2):
        found = OF_CENTRES[name](given, labels, **size)
        backend.assert_at_home(found, given)
        assert float(backend.numpy(found)) == close(backend, WORKED[name])


def test_worked_values_by_hand():
    """In fractions: the squares are 29.75 and 63.6, and samples of both are apart by 37^(1/2) or more."""
    rows = [[Fraction(int(x)) for x in row] for row in X9]
    parts = [rows[:4], rows[4:]]
    means = [[sum(column) / len(part) for column in zip(*part, strict=True)] for part in parts]
    squares = [
        sum((a - b) ** 2 for x in part for a, b in zip(x, m, strict=True)) for part, m in zip(parts, means, strict=True)
    ]
    assert squares == [Fraction(119, 4), Fraction(318, 5)]
    assert sum(squares) == Fraction(1867, 20)
    assert (squares[0] / 4 + squares[1] / 5) / 2 == Fraction(8063, 800)
    apart = sum((a - b) ** 2 for a, b in zip(*means, strict=True))
    assert float(sum(squares) / 9 / apart) == pytest.approx(WORKED["xie_beni"], rel=1e-14)
    least = min(sum((a - b) ** 2 for a, b in zip(x, y, strict=True)) for x in parts[0] for y in parts[1])
    assert float(sum(squares) / 9 / least) == pytest.approx(WORKED["xie_beni_of_samples"], rel=1e-15)


def test_inertia_is_that_of_k_means():
    from sklearn.cluster import KMeans  # which is missing where there is little but a GPU

    rng = np.random.default_rng(0)
    X, weights = rng.normal(size=(100, 3)), rng.random(100)
    fitted = KMeans(4, n_init=1, random_state=0, tol=0).fit(X, sample_weight=weights)
    assert gpuval.inertia(X, fitted.labels_, sample_weight=weights) == pytest.approx(fitted.inertia_, rel=1e-12)


# ---- weights, labels, accumulators ---------------------------------------------------------------


@pytest.mark.parametrize("name", WORKED)
def test_weights(backend, name):
    rng = np.random.default_rng(1)
    copies, shares = rng.integers(0, 4, 9), rng.random(9)
    shares[3] = 0
    given, labels = backend.array(X9), backend.array(LABELS9)
    as_copies = float(getattr(oracles, name)(*oracles.repeated(X9, LABELS9.tolist(), copies)))
    as_shares = float(getattr(oracles, name)(X9, LABELS9.tolist(), shares))
    for size in sizes(backend, 2):
        for weights, wanted in ((copies, as_copies), (shares, as_shares)):
            found = OF_CENTRES[name](given, labels, sample_weight=backend.array(weights), **size)
            assert float(backend.numpy(found)) == close(backend, wanted)


@pytest.mark.parametrize("name", WORKED)
def test_ignored_labels_and_clusters_without_samples(backend, name):
    X, labels = np.concatenate([X9, [[1e3, 1e3]]]), np.asarray([*LABELS9 + 1, -1])
    for size in sizes(backend, 5):
        found = OF_CENTRES[name](backend.array(X), backend.array(labels), ignore_labels=-1, **size)
        assert float(backend.numpy(found)) == close(backend, WORKED[name])


@pytest.mark.parametrize("name", OF_ANY)
def test_of_each_label(backend, name):
    given, labels = backend.array(X9), backend.array(10 * LABELS9 + 5)
    squares = [29.75, 63.6] if name == "inertia" else [29.75 / 4, 63.6 / 5]
    for size in sizes(backend, 20):
        found = OF_ANY[name](given, labels, return_per_label=True, **size)
        assert found._fields == ("score", "labels", "label_scores")
        assert float(backend.numpy(found.score)) == close(backend, WORKED[name])
        assert type(found.labels) is type(labels)
        assert backend.numpy(found.labels).tolist() == [5, 15]
        backend.assert_at_home(found.label_scores, given, (2,))
        assert backend.numpy(found.label_scores) == close(backend, squares)


def test_labels_of_batches_are_sorted():
    """In whatever order they came, and of their own type."""
    for labels, wanted in ((LABELS9, [0, 1]), (np.asarray(["b", "a"])[LABELS9], ["a", "b"])):
        accumulator = gpuval.InternalAccumulator()
        for part in (slice(4, 9), slice(0, 4)):
            accumulator.update(X9[part], labels[part].tolist())
        found = gpuval.inertia(accumulator.moments, return_per_label=True)
        assert found.labels.tolist() == wanted
        order = [29.75, 63.6] if wanted == [0, 1] else [63.6, 29.75]
        np.testing.assert_allclose(found.label_scores, order, rtol=1e-12)
        assert (found.labels.dtype.kind in "iu") == (wanted == [0, 1])


@pytest.mark.parametrize("name", OF_MOMENTS)
@only_for(lambda backend: backend.finds_sizes)
def test_moments(backend, name):
    accumulator = gpuval.InternalAccumulator(2)
    for part in (slice(0, 2), slice(2, 6), slice(6, 9)):
        accumulator.update(backend.array(X9[part]), backend.array(LABELS9[part]))
    found = OF_CENTRES[name](accumulator.moments)
    backend.assert_at_home(found, backend.array(X9))
    assert float(backend.numpy(found)) == close(backend, WORKED[name])


# ---- degenerate cases ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", OF_ANY)
def test_any_number_of_clusters(backend, name):
    """One cluster is where an elbow begins; single samples have no scatter; of no samples there is none."""
    given = backend.array(X9)
    mean = X9.mean(axis=0)
    whole = float(((X9 - mean) ** 2).sum()) / (1 if name == "inertia" else 9)
    for size in sizes(backend, 9):
        one = OF_ANY[name](given, backend.array(np.zeros(9, dtype=int)), **size)
        assert float(backend.numpy(one)) == close(backend, whole)
        assert float(backend.numpy(OF_ANY[name](given, backend.array(np.arange(9)), **size))) == 0
        none = OF_ANY[name](given[:0, :], backend.array(np.zeros(0, dtype=int)), **size)
        assert float(backend.numpy(none)) == 0


TWO = [0, 0, 1, 1]
IN_PLACES = {
    "on their centres": [[0.0], [0.0], [3.0], [3.0]],
    "centres are one": [[0.0], [2.0], [0.0], [2.0]],
    "all in one place": [[2.0], [2.0], [2.0], [2.0]],
}
EXTREME = {
    "hartigan": (np.inf, -np.inf, 0.0),
    "xie_beni": (0.0, np.inf, np.inf),
    "xie_beni_of_samples": (0.0, np.inf, np.inf),
    "pbm": (np.inf, 0.0, 0.0),
}


@pytest.mark.parametrize("name", EXTREME)
@pytest.mark.parametrize("case", IN_PLACES)
def test_samples_and_centres_in_one_place(backend, name, case):
    wanted = dict(zip(IN_PLACES, EXTREME[name], strict=True))[case]
    for size in sizes(backend, 2):
        found = OF_CENTRES[name](backend.array(IN_PLACES[case]), backend.array(TWO), **size)
        assert float(backend.numpy(found)) == wanted


@pytest.mark.parametrize("name", EXTREME)
def test_fewer_than_two_clusters_or_as_many_as_samples(backend, name):
    given = backend.array(X9[:4])
    for labels in ([0, 0, 0, 0], [0, 1, 2, 3]):
        for size in sizes(backend, 4):
            found = OF_CENTRES[name](given, backend.array(labels), on_degenerate="nan", **size)
            backend.assert_at_home(found, given)
            assert np.isnan(float(backend.numpy(found)))
        if backend.finds_sizes:
            with pytest.raises(ValueError, match=r"^labels must have more than one cluster, and one with two samples"):
                OF_CENTRES[name](given, backend.array(labels))


@pytest.mark.parametrize("name", WORKED)
@only_for(lambda backend: backend.name not in SEEN)
def test_wrong_labels_on_a_device_are_nan(backend, name):
    given, labels = backend.array(X9), backend.array(LABELS9)
    with transfers_to_host() as copied:
        found = OF_CENTRES[name](given, labels + 1, n_clusters=2)
        right = OF_CENTRES[name](given, labels, n_clusters=2)
    assert copied == []
    assert np.isnan(float(backend.numpy(found)))
    assert float(backend.numpy(right)) == close(backend, WORKED[name])


@pytest.mark.parametrize("name", OF_MOMENTS)
@pytest.mark.parametrize("unit", [1e-200, 1e150, 1e200])
def test_units_beyond_squares(name, unit):
    """Of a ratio nothing; what has a unit is 0, or infinite with NumPy's warning."""
    X = X9 * unit
    if name in OF_ANY:
        with np.errstate(over="ignore"):
            wanted = 0.0 if unit < 1 else WORKED[name] * np.float64(unit) ** 2
            assert OF_CENTRES[name](X, LABELS9) == pytest.approx(wanted, rel=1e-12)
    else:
        assert OF_CENTRES[name](X, LABELS9) == pytest.approx(WORKED[name], rel=1e-11)


# ---- what must not change them -------------------------------------------------------------------

POWER = {"inertia": 2, "ball_hall": 2, "hartigan": 0, "xie_beni": 0, "xie_beni_of_samples": 0, "pbm": 2}
"""Of the unit."""


@pytest.mark.parametrize("name", WORKED)
@settings(max_examples=40)
@given(st.integers(0, 2**32 - 1))
def test_they_are_those_of_other_names_places_and_units(name, seed):
    rng = np.random.default_rng(seed)
    k, d = int(rng.integers(2, 5)), int(rng.integers(1, 5))
    labels = np.concatenate([np.arange(k), rng.integers(0, k, int(rng.integers(2, 30)))])
    X = rng.normal(size=(len(labels), d)) + 2 * labels[:, None]
    measure = OF_CENTRES[name]
    score = float(measure(X, labels))
    unit = 2.0 ** rng.integers(-60, 60)
    turned, _ = np.linalg.qr(rng.normal(size=(d, d)))
    order = rng.permutation(len(labels))
    names = rng.permutation(1000)[:k]
    for samples, of_each, wanted in (
        (X, names[labels], score),
        (X[order], labels[order], score),
        (X + 64 * rng.normal(size=d), labels, score),
        (X @ turned, labels, score),
        (X * unit, labels, score * unit ** POWER[name]),
    ):
        assert float(measure(samples, of_each)) == pytest.approx(wanted, rel=1e-9, abs=1e-9 * unit ** POWER[name])


def test_hartigan_ranks_as_calinski_harabasz():
    rng = np.random.default_rng(8)
    X = rng.normal(size=(50, 3))
    labelings = [rng.permutation(np.arange(50) % 4) for _ in range(20)]
    ranks = [np.argsort([f(X, y) for y in labelings]) for f in (gpuval.hartigan_index, gpuval.calinski_harabasz_score)]
    assert (ranks[0] == ranks[1]).all()


def test_directions():
    names = {"inertia", "ball_hall_index", "xie_beni_index", "hartigan_index", "pbm_index", "dbcv_score"}
    lower = {x for x in names if gpuval.INTERNAL_METRICS[x].measure.better == "lower"}
    assert lower == {
        "inertia",
        "ball_hall_index",
        "xie_beni_index",
    }


def test_strings_as_labels():
    found = gpuval.ball_hall_index(X9, np.asarray(["x", "y"])[LABELS9], return_per_label=True)
    assert found.labels.tolist() == ["x", "y"]
    assert BACKENDS["numpy"].numpy(found.label_scores) == pytest.approx([29.75 / 4, 63.6 / 5], rel=1e-12)
