"""LISI: against its definition in 40 digits, worked values, limits, and what leaves it as it is."""

from __future__ import annotations

from bisect import bisect_left
from functools import cache

import hypothesis
import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch
from backends import BACKENDS, transfers_to_host
from hypothesis import strategies as st
from mpmath import mp
from only_for import only_for
from wrong_calls import assert_raises, wrong_calls

import gpuval
from gpuval.geometry.neighbors.perplexity import weights_of, weights_on_host

N, K = 40, 12
RNG = np.random.default_rng(3)
INDICES = np.stack([RNG.permutation(np.delete(np.arange(N), i))[:K] for i in range(N)])
DISTANCES = np.sort(RNG.gamma(4.0, 1.0, (N, K)), axis=1)
LABELS = RNG.integers(0, 4, N)
NAN = float("nan")


def exact(distances, labels, perplexity):
    return _exact(tuple(distances.tolist()), tuple(labels), perplexity)


@cache
def _exact(distances, labels, perplexity):
    """The index of one cell from the definition, with the limits where no beta has the entropy."""
    d, p = [mp.mpf(float(x)) for x in distances], mp.mpf(perplexity)
    least = min(d)
    tied = [x == least for x in d]

    def weights(beta):
        found = [mp.exp(-beta * (x - least)) for x in d]
        total = mp.fsum(found)
        return [w / total for w in found]

    def entropy(beta):
        """-sum w log w, where log w = -beta (x - least) - log(total)."""
        far = [x - least for x in d]
        found = [mp.exp(-beta * x) for x in far]
        return mp.log(mp.fsum(found)) + beta * mp.fdot(found, far) / mp.fsum(found)

    if len(d) <= p:
        share = [mp.mpf(1) / len(d)] * len(d)
    elif sum(tied) >= p:
        share = [mp.mpf(x) / sum(tied) for x in tied]
    else:
        power = bisect_left(range(-2000, 2000), True, key=lambda e: entropy(mp.mpf(2) ** e) <= mp.log(p)) - 2000
        ends = (power - 1) * mp.log(2) - mp.mpf("1e-3"), power * mp.log(2) + mp.mpf("1e-3")
        share = weights(mp.exp(mp.findroot(lambda u: entropy(mp.exp(u)) - mp.log(p), ends, solver="anderson")))
    return 1 / sum(sum(w for w, x in zip(share, labels, strict=True) if x == label) ** 2 for label in set(labels))


@pytest.fixture(autouse=True)
def digits():
    with mp.workdps(40):
        yield


def of(backend, indices=INDICES, distances=DISTANCES):
    return gpuval.Neighbors.from_knn(backend.array(indices), backend.array(distances), has_self=False)


def near(backend):
    return 1e-12 if backend.has_float64 else 2e-5


# Values


def test_the_worked_value(backend):
    """The value of a root to 16 digits; that of a beta within 1e-5 of the entropy is 1.71437445."""
    indices = (np.arange(7)[:, None] + np.arange(1, 7)) % 7
    neighbors = of(backend, indices, np.tile(np.arange(1.0, 7), (7, 1)))
    labels = np.zeros(7, dtype=int)
    labels[indices[0]] = [0, 1, 0, 1, 1, 0]
    found = gpuval.lisi_samples(neighbors, backend.array(labels), perplexity=3, n_labels=2)
    assert backend.numpy(found)[0] == pytest.approx(1.714376548215473, rel=near(backend))
    backend.assert_at_home(found, neighbors.knn.indices, (7,))


@pytest.mark.by_default
@pytest.mark.parametrize("perplexity", [None, 1, 1.25, 3, 7.5, 11.999, 12])
def test_the_definition(backend, perplexity):
    neighbors = of(backend)
    found = backend.numpy(gpuval.lisi_samples(neighbors, backend.array(LABELS), perplexity=perplexity, n_labels=4))
    p = 4 if perplexity is None else perplexity
    given = DISTANCES if backend.has_float64 else DISTANCES.astype(np.float32)
    expected = [float(exact(given[i], LABELS[INDICES[i]].tolist(), p)) for i in range(0, N, 5)]
    assert found[::5] == pytest.approx(expected, rel=near(backend))


HARD = {
    "far apart": np.sort(10.0 ** RNG.uniform(-200, 200, (3, 30)), axis=1),
    "orders": np.sort(10.0 ** RNG.uniform(-12, 3, (3, 30)), axis=1),
    "nearly equal": np.sort(1 + 1e-9 * RNG.random((3, 30)), axis=1),
    "whole": np.sort(RNG.integers(0, 6, (3, 30)).astype(float), axis=1),
    "two kinds": np.sort(np.where(RNG.random((3, 30)) < 0.3, 1e-7 * RNG.random((3, 30)), 1 + RNG.random((3, 30))), 1),
    "small": 1e-200 * np.sort(RNG.random((3, 30)), axis=1),
    "large": 1e200 * np.sort(RNG.random((3, 30)), axis=1),
}


@pytest.mark.parametrize("kind", HARD)
@pytest.mark.parametrize("perplexity", [1.0001, 2, 10, 10.5, 29, 29.9999])
def test_distances_that_are_hard(kind, perplexity):
    labels = RNG.integers(0, 3, (3, 30))

    def index(weights):
        sums = np.stack([(weights * (labels == x)).sum(1) for x in range(3)], axis=1)
        return sums.sum(1) ** 2 / (sums * sums).sum(1)

    expected = [float(exact(d, x.tolist(), perplexity)) for d, x in zip(HARD[kind], labels, strict=True)]
    with np.errstate(over="ignore"):
        standard = weights_of(HARD[kind], perplexity, np)
    assert index(weights_on_host(HARD[kind], perplexity)) == pytest.approx(expected, abs=1e-9)
    assert index(standard) == pytest.approx(expected, abs=1e-9)


def test_common_distances_need_few_steps():
    """What the quick way of NumPy finds is what the other one does, and it is not the other one that finds it."""
    from gpuval.geometry.neighbors import perplexity as module

    distances = np.sort(RNG.gamma(20.0, 1.0, (500, 90)), axis=1)
    quick, is_exact = module._approximate_weights(module._rescale_on_host(distances, 30), 30)
    assert is_exact.mean() > 0.99
    quick = quick[is_exact]
    standard = weights_of(distances, 30, np)[is_exact]
    assert np.abs(quick / quick.sum(1)[:, None] - standard / standard.sum(1)[:, None]).max() < 1e-12


def test_columns_in_any_order():
    order = np.random.default_rng(0).permutation(K)
    found = gpuval.lisi_samples((INDICES[:, order], DISTANCES[:, order]), LABELS)
    assert found == pytest.approx(gpuval.lisi_samples((INDICES, DISTANCES), LABELS), rel=1e-13)


@hypothesis.given(st.integers(-600, 600), st.permutations(range(4)), st.floats(1, K))
@hypothesis.settings(max_examples=40)
def test_neither_units_nor_names_matter(exponent, names, perplexity):
    found = gpuval.lisi_samples((INDICES, DISTANCES), LABELS, perplexity=perplexity)
    other = gpuval.lisi_samples((INDICES, DISTANCES * 2.0**exponent), np.asarray(names)[LABELS], perplexity=perplexity)
    assert other == pytest.approx(found, rel=1e-11)
    assert found.min() >= 1
    assert found.max() <= 4


def test_samples_themselves_are_left_out():
    given = np.insert(INDICES, 0, np.arange(N), axis=1), np.insert(DISTANCES, 0, 0.0, axis=1)
    assert np.array_equal(gpuval.lisi_samples(given, LABELS), gpuval.lisi_samples((INDICES, DISTANCES), LABELS))


@only_for(lambda backend: backend.sorts)
def test_more_labels_than_neighbours(backend):
    """Labels are renumbered within each row."""
    labels = np.arange(N) // 2 * 37
    few = np.unique(labels, return_inverse=True)[1]
    found = gpuval.lisi_samples(of(backend), backend.array(labels), perplexity=5, n_labels=37 * N)
    other = gpuval.lisi_samples(of(backend), backend.array(few), perplexity=5, n_labels=N)
    assert backend.numpy(found) == pytest.approx(backend.numpy(other), rel=near(backend))


# Limits


EQUAL = np.tile((np.arange(5)[:, None] + np.arange(1, 5)) % 5, (1, 1))


@pytest.mark.parametrize(
    ("row", "perplexity", "share"),
    [
        ([2.0, 2, 2, 2], 3, [1, 1, 1, 1]),
        ([1.0, 2, 3, 4], 4, [1, 1, 1, 1]),
        ([1.0, 2, 3, 4], 1, [1, 0, 0, 0]),
        ([1.0, 1, 3, 4], 1, [1, 1, 0, 0]),
        ([0.0, 0, 0, 4], 2, [1, 1, 1, 0]),
        ([0.0, 0, 3, 4], 2, [1, 1, 0, 0]),
    ],
    ids=["equal", "all", "nearest", "tied nearest", "more ties", "as many ties"],
)
def test_limits(backend, row, perplexity, share):
    labels = np.asarray([0, 1, 2, 3, 4])
    neighbors = of(backend, EQUAL, np.tile(row, (5, 1)))
    found = gpuval.lisi_samples(neighbors, backend.array(labels), perplexity=perplexity, n_labels=5)
    assert backend.numpy(found) == pytest.approx([sum(share)] * 5, rel=near(backend))


def test_the_default_perplexity():
    """A third of the columns of a search that finds the cell itself."""
    for k, perplexity in ((1, 1), (2, 1), (4, 1), (5, 2), (7, 2), (8, 3), (12, 4)):
        given = INDICES[:, :k], DISTANCES[:, :k]
        assert np.array_equal(
            gpuval.lisi_samples(given, LABELS), gpuval.lisi_samples(given, LABELS, perplexity=perplexity)
        )


@only_for(lambda backend: backend.finds_sizes)
def test_ignored_cells_are_no_neighbours(backend):
    ignored = np.where(np.arange(N) % 3 == 0, 4, LABELS)
    found = backend.numpy(gpuval.lisi_samples(of(backend), backend.array(ignored), perplexity=3, ignore_labels=4))
    for i in range(0, N, 7):
        if ignored[i] == 4:
            assert np.isnan(found[i])
            continue
        stays = ignored[INDICES[i]] != 4
        given = DISTANCES if backend.has_float64 else DISTANCES.astype(np.float32)
        expected = exact(given[i][stays], ignored[INDICES[i]][stays].tolist(), 3)
        assert found[i] == pytest.approx(float(expected), rel=near(backend))


def test_a_cell_without_neighbours_that_count_has_no_value():
    indices, distances = [[1], [2], [0]], [[1.0], [1.0], [1.0]]
    found = gpuval.lisi_samples((indices, distances), [0, 1, 9], ignore_labels=9)
    assert np.array_equal(found, [1, NAN, NAN], equal_nan=True)
    assert gpuval.ilisi_score((indices, distances), [0, 1, 9], ignore_labels=9) == 0


# Scores


def medians(found, labels):
    n = len(set(labels.tolist()))
    x = np.median(found)
    return (x - 1) / (n - 1), (n - x) / (n - 1)


def test_scores_are_medians(backend):
    neighbors, labels = of(backend), backend.array(LABELS)
    expected = [float(exact(DISTANCES[i], LABELS[INDICES[i]].tolist(), 4)) for i in range(N)]
    ilisi, clisi = medians(expected, LABELS)
    found = gpuval.ilisi_score(neighbors, labels, n_batches=4), gpuval.clisi_score(neighbors, labels, n_labels=4)
    assert [float(backend.numpy(x)) for x in found] == pytest.approx([ilisi, clisi], rel=10 * near(backend))
    for x in found:
        backend.assert_at_home(x, neighbors.knn.indices)
    raw = gpuval.ilisi_score(neighbors, labels, n_batches=4, scale=False)
    assert float(backend.numpy(raw)) == pytest.approx(np.median(expected), rel=near(backend))
    assert backend.numpy(gpuval.clisi_score(neighbors, labels, n_labels=4, scale=False)) == backend.numpy(raw)


def test_labels_without_cells_are_not_counted(backend):
    neighbors, labels = of(backend), backend.array(LABELS)
    found = (gpuval.ilisi_score(neighbors, labels, n_batches=size) for size in (4, 6))
    first, other = (float(backend.numpy(x)) for x in found)
    assert first == pytest.approx(other, rel=near(backend))  # XLA compiles each number of labels, and may sum otherwise


def test_each_label(backend):
    neighbors, labels = of(backend), backend.array(LABELS)
    given = gpuval.clisi_score(neighbors, labels, n_labels=5, return_per_label=True)
    samples = backend.numpy(gpuval.lisi_samples(neighbors, labels, n_labels=5))
    expected = [(4 - np.median(samples[x == LABELS])) / 3 for x in range(4)]
    assert backend.numpy(given.label_scores) == pytest.approx([*expected, NAN], rel=10 * near(backend), nan_ok=True)
    assert backend.numpy(given.labels).tolist() == [0, 1, 2, 3, 4]
    if backend.finds_sizes:
        found = gpuval.clisi_score(neighbors, labels, return_per_label=True)
        assert backend.numpy(found.label_scores) == pytest.approx(expected, rel=10 * near(backend))
        assert backend.numpy(found.labels).tolist() == [0, 1, 2, 3]
    of_four = gpuval.clisi_score(neighbors, labels, n_labels=4)
    assert float(backend.numpy(given.score)) == pytest.approx(float(backend.numpy(of_four)), rel=10 * near(backend))


def test_text_as_labels():
    found = gpuval.clisi_score((INDICES, DISTANCES), np.asarray(list("BTKN"))[LABELS], return_per_label=True)
    assert found.labels.tolist() == ["B", "K", "N", "T"]


def test_one_label_has_no_score():
    given = (INDICES, DISTANCES), np.zeros(N, dtype=int)
    assert np.array_equal(gpuval.lisi_samples(*given), np.ones(N))
    assert np.isnan(gpuval.ilisi_score(*given))
    assert np.isnan(gpuval.clisi_score(*given))
    assert gpuval.ilisi_score(*given, scale=False) == 1


def test_no_cells():
    given = (np.zeros((0, 3), dtype=int), np.zeros((0, 3))), np.zeros(0, dtype=int)
    assert gpuval.lisi_samples(*given).shape == (0,)
    assert np.isnan(gpuval.ilisi_score(*given))


def test_a_score_of_numpy_is_a_float():
    assert type(gpuval.ilisi_score((INDICES, DISTANCES), LABELS)) is np.float64


# Devices


@pytest.mark.parametrize("name", ["strict", "strict-no-x64", "torch", "jax"])
def test_with_sizes_given_nothing_leaves_a_device(name):
    backend = BACKENDS[name]
    with backend.mode(), transfers_to_host() as copied:
        neighbors, labels = of(backend), backend.array(LABELS)
        found = [gpuval.ilisi_score(neighbors, labels, n_batches=4), gpuval.clisi_score(neighbors, labels, n_labels=4)]
        wrong = gpuval.clisi_score(neighbors, backend.array(LABELS + 1), n_labels=4)
        assert not copied
        assert np.isfinite([backend.numpy(x) for x in found]).all()
        assert np.isnan(backend.numpy(wrong))


def test_compiled():
    indices, distances = np.insert(INDICES, 0, np.arange(N), axis=1), np.insert(DISTANCES, 0, 0.0, axis=1)

    def score(indices, distances, labels):
        neighbors = gpuval.Neighbors.from_knn(indices, distances, has_self=True)
        return gpuval.ilisi_score(neighbors, labels, n_batches=4), gpuval.lisi_samples(neighbors, labels, n_labels=4)

    with jax.enable_x64(True):
        found, samples = jax.jit(score)(*map(jnp.asarray, (indices, distances, LABELS)))
        assert float(found) == pytest.approx(gpuval.ilisi_score((INDICES, DISTANCES), LABELS), rel=1e-12)
        assert np.asarray(samples) == pytest.approx(gpuval.lisi_samples((INDICES, DISTANCES), LABELS), rel=1e-12)
        wrong, _ = jax.jit(score)(jnp.asarray(indices).at[3, 4].set(-1), jnp.asarray(distances), jnp.asarray(LABELS))
        assert np.isnan(wrong)


def test_distances_are_constants_to_derivatives():
    distances = torch.tensor(DISTANCES, requires_grad=True)
    found = gpuval.ilisi_score((torch.tensor(INDICES), distances), torch.tensor(LABELS))
    assert not found.requires_grad


# Wrong calls


GIVEN = INDICES, DISTANCES
WRONG = f"""
lisi_samples(GIVEN, LABELS, perplexity=0.5)
    ValueError: perplexity must be from 1 to the number of neighbours ({K}), got 0.5
lisi_samples(GIVEN, LABELS, perplexity=13)
    ValueError: perplexity must be from 1 to the number of neighbours ({K}), got 13
ilisi_score(GIVEN, LABELS, perplexity=float("nan"))
    ValueError: perplexity must be from 1 to the number of neighbours ({K}), got nan
clisi_score(GIVEN, LABELS, perplexity="30")
    TypeError: perplexity must be a number, got '30'
lisi_samples(Neighbors.from_knn(INDICES), LABELS)
    ValueError: neighbors must have distances for LISI, got indices alone; give
    Neighbors.from_knn(indices, distances)
lisi_samples(GIVEN, LABELS[:3])
    ValueError: labels must have as many samples as neighbors ({N}), got 3
ilisi_score(GIVEN, LABELS[:3])
    ValueError: batch must have as many samples as neighbors ({N}), got 3
clisi_score(GIVEN, LABELS, n_labels=2)
    ValueError: labels must lie in [0, n_labels) = [0, 2), got 3
lisi_samples(GIVEN, LABELS, ignore_labels="doublet")
    TypeError: ignore_labels must be of a type that labels could hold, got 'doublet' of type str; their
    labels are numbers
"""


@pytest.mark.parametrize(("call", "error"), wrong_calls(WRONG))
def test_wrong_calls(call, error):
    assert_raises(call, error, globals())
