"""kBET: against its definition in fractions, worked values, limits, and SciPy's test of the same counts."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import scipy.stats
from backends import BACKENDS, transfers_to_host
from only_for import only_for
from wrong_calls import assert_raises, wrong_calls

import gpuval

N, K = 48, 9
RNG = np.random.default_rng(8)
INDICES = np.stack([RNG.permutation(np.delete(np.arange(N), i))[:K] for i in range(N)])
BATCH = RNG.integers(0, 3, N)
LABELS = RNG.permutation(np.repeat(np.arange(4), [20, 16, 11, 1]))
BATCH[LABELS == 2] = 1  # a label of one batch
NAN = float("nan")


def exact(i, batch, labels=None, include_self=True, ignored=()):
    """The statistic of a cell, the number of batches there are, and the statistic if all near were of the rarest batch.

    None if it is not tested.
    """
    labels = np.zeros(N, dtype=int) if labels is None else labels

    def counts(j):
        return labels[j] == labels[i] and batch[j] not in ignored and labels[j] not in ignored

    if not counts(i):
        return None
    among_all = Counter(batch[j] for j in range(N) if counts(j))
    near = [batch[j] for j in INDICES[i] if counts(j)]
    if not near or len(among_all) < 2:
        return None
    near = Counter([*near, batch[i]] if include_self else near)
    k, n = near.total(), among_all.total()
    expected = {b: Fraction(k * c, n) for b, c in among_all.items()}
    rarest = min(expected.values())
    statistic = sum((near[b] - e) ** 2 / e for b, e in expected.items())
    return statistic, len(among_all), (k - rarest) ** 2 / rarest + k - rarest


def statistics(*given, **how):
    found = [exact(i, *given, **how) for i in range(N)]
    return [NAN if x is None else float(x[0]) for x in found]


def rates(*given, alpha=0.05, **how):
    """The share of the accepted cells of each label, of those whose test can reject, by SciPy's quantile."""
    labels = given[1] if len(given) > 1 else np.zeros(N, dtype=int)
    found = []
    for label in np.unique(labels):
        tested = [x for i in np.flatnonzero(labels == label) if (x := exact(i, *given, **how)) is not None]
        most = [(x, largest, scipy.stats.chi2.ppf(1 - alpha, b - 1)) for x, b, largest in tested]
        accepted = [float(x) <= bound for x, largest, bound in most if float(largest) > bound]
        found.append(np.mean(accepted) if accepted else NAN)
    return found


def of(backend, indices=INDICES):
    return gpuval.Neighbors.from_knn(backend.array(indices), has_self=False)


def near(backend):
    return 1e-12 if backend.has_float64 else 2e-5


# Values


@pytest.mark.parametrize(
    ("around", "statistic", "p_value"),
    [
        ([0, 0, 0, 0, 0], Fraction(5, 2), 0.113846298006658),
        ([0, 0, 0, 1, 1], Fraction(1, 10), 0.751829634045849),
        ([0, 1, 1, 1, 1], Fraction(49, 10), 0.026856695507524),
    ],
)
def test_worked_values(backend, around, statistic, p_value):
    """Of five neighbours, where one cell in three is of batch 1."""
    batch = np.asarray([0, *around, *([0] * (7 - around.count(0))), *([1] * (4 - around.count(1)))])
    assert Counter(batch) == {0: 8, 1: 4}
    indices = (np.arange(12)[:, None] + np.arange(1, 6)) % 12
    given = of(backend, indices), backend.array(batch)
    how = {"include_self": False, "n_batches": 2}
    found = gpuval.kbet_samples(*given, **how)
    assert backend.numpy(found)[0] == pytest.approx(float(statistic), rel=near(backend))
    backend.assert_at_home(found, given[0].knn.indices, (12,))
    both = gpuval.kbet_samples(*given, **how, return_p_values=True)
    assert backend.numpy(both.p_value)[0] == pytest.approx(p_value, rel=1e3 * near(backend))
    backend.assert_at_home(both.p_value, given[0].knn.indices, (12,))


@pytest.mark.by_default
@pytest.mark.parametrize("include_self", [True, False])
@pytest.mark.parametrize("by", ["all", "label"])
def test_the_definition(backend, include_self, by):
    labels = [] if by == "all" else [LABELS]
    sizes = {"n_batches": 4} if by == "all" else {"n_batches": 4, "n_labels": 5}
    given = {"labels": backend.array(x) for x in labels}
    how = {**given, **sizes, "include_self": include_self}
    neighbors, batch = of(backend), backend.array(BATCH)
    found = backend.numpy(gpuval.kbet_samples(neighbors, batch, **how))
    expected = statistics(BATCH, *labels, include_self=include_self)
    assert found == pytest.approx(expected, rel=near(backend), abs=near(backend), nan_ok=True)
    each = rates(BATCH, *labels, include_self=include_self)
    score = gpuval.kbet_score(neighbors, batch, **how)
    assert float(backend.numpy(score)) == pytest.approx(np.nanmean(each), rel=near(backend))
    backend.assert_at_home(score, neighbors.knn.indices)
    if by == "label":
        of_labels = gpuval.kbet_score(neighbors, batch, **how, return_per_label=True)
        assert backend.numpy(of_labels.label_scores) == pytest.approx([*each, NAN], rel=near(backend), nan_ok=True)
        assert np.isnan(each[2])
        assert np.isnan(each[3])
        assert float(backend.numpy(of_labels.score)) == float(backend.numpy(score))


@pytest.mark.parametrize("alpha", [0.001, 0.2, 0.9])
def test_levels(alpha):
    found = gpuval.kbet_score(gpuval.Neighbors.from_knn(INDICES), BATCH, alpha=alpha)
    assert found == pytest.approx(rates(BATCH, alpha=alpha)[0])


def test_p_values_are_those_of_scipy():
    found = gpuval.kbet_samples(gpuval.Neighbors.from_knn(INDICES), BATCH, return_p_values=True)
    expected = np.bincount(BATCH) * (K + 1) / N
    for i in range(0, N, 7):
        observed = np.bincount(BATCH[[i, *INDICES[i]]], minlength=3)
        test = scipy.stats.chisquare(observed, expected)
        assert found.statistic[i] == pytest.approx(test.statistic, rel=1e-12)
        assert found.p_value[i] == pytest.approx(test.pvalue, rel=1e-12)


def test_p_values_of_labels_have_their_own_degrees():
    found = gpuval.kbet_samples(gpuval.Neighbors.from_knn(INDICES), BATCH, labels=LABELS, return_p_values=True)
    for i in range(N):
        if (test := exact(i, BATCH, LABELS)) is None:
            assert np.isnan(found.p_value[i])
        else:
            assert found.p_value[i] == pytest.approx(scipy.stats.chi2.sf(float(test[0]), test[1] - 1), rel=1e-12)


@only_for(lambda backend: backend.finds_sizes)
def test_ignored_cells_do_not_count(backend):
    """Those of an ignored batch or label, nor as neighbours."""
    batch, labels = np.where(np.arange(N) % 5 == 0, 9, BATCH), np.where(np.arange(N) % 7 == 0, 8, LABELS)
    given = of(backend), backend.array(batch)
    found = gpuval.kbet_samples(*given, ignore_labels=9)
    expected = statistics(batch, ignored=(9,))
    assert backend.numpy(found) == pytest.approx(expected, rel=near(backend), abs=near(backend), nan_ok=True)
    found = gpuval.kbet_samples(*given, labels=backend.array(labels), ignore_labels=[8, 9])
    expected = statistics(batch, labels, ignored=(8, 9))
    assert backend.numpy(found) == pytest.approx(expected, rel=near(backend), abs=near(backend), nan_ok=True)


def test_text_to_ignore_may_be_that_of_labels_alone():
    labels = np.asarray(["B", "T", "N", "doublet"])[LABELS]
    found = gpuval.kbet_samples(gpuval.Neighbors.from_knn(INDICES), BATCH, labels=labels, ignore_labels="doublet")
    expected = statistics(BATCH, labels, ignored=("doublet",))
    assert found == pytest.approx(expected, rel=1e-12, abs=1e-12, nan_ok=True)


def test_names_and_order_do_not_matter():
    neighbors = gpuval.Neighbors.from_knn(INDICES)
    found = gpuval.kbet_samples(neighbors, BATCH)
    assert gpuval.kbet_samples(neighbors, np.asarray([7, 3, 5])[BATCH]) == pytest.approx(found, rel=1e-13)
    assert np.array_equal(gpuval.kbet_samples(gpuval.Neighbors.from_knn(INDICES[:, ::-1]), BATCH), found)


def test_the_cell_itself_counts_once_wherever_it_is_found():
    wider = np.insert(INDICES, 0, np.arange(N), axis=1)
    found = gpuval.kbet_samples(gpuval.Neighbors.from_knn(wider), BATCH)
    assert np.array_equal(found, gpuval.kbet_samples(gpuval.Neighbors.from_knn(INDICES), BATCH))


def test_batches_in_their_shares_are_no_further_than_rounding():
    """A hundred neighbours of which each batch has exactly its share: 0, not what is left of a difference."""
    n = 300
    batch, indices = np.arange(n) % 3, (np.arange(n)[:, None] + np.arange(1, 100)) % n
    found = gpuval.kbet_samples(gpuval.Neighbors.from_knn(indices), batch, include_self=False)
    assert np.array_equal(found, np.zeros(n))


# Degenerate


def test_one_batch_has_no_score(backend):
    given = of(backend), backend.array(np.zeros(N, dtype=int))
    assert np.isnan(backend.numpy(gpuval.kbet_samples(*given, n_batches=1))).all()
    assert np.isnan(backend.numpy(gpuval.kbet_score(*given, n_batches=1)))
    assert np.isnan(backend.numpy(gpuval.kbet_score(*given, n_batches=3)))


def test_a_test_that_cannot_reject_is_none(backend):
    """Two batches that are far apart: a neighbourhood of up to 3 cells could be of one of them by chance."""
    for k, wanted in ((1, NAN), (2, NAN), (3, 0)):
        indices = [[(i // 30) * 30 + (i + j) % 30 for j in range(1, k + 1)] for i in range(60)]
        batch = backend.array(np.repeat([0, 1], 30))
        backend.assert_close(gpuval.kbet_score(of(backend, indices), batch, n_batches=2), wanted)


def test_all_cells_are_ignored(backend):
    given, labels = (of(backend, [[1], [0]]), backend.array([0, 0])), backend.array([1, 1])
    assert np.isnan(backend.numpy(gpuval.kbet_score(*given, ignore_labels=0, n_batches=1)))
    assert np.isnan(backend.numpy(gpuval.kbet_samples(*given, ignore_labels=0, n_batches=1))).all()
    if backend.finds_sizes:
        found = gpuval.kbet_score(*given, labels=labels, ignore_labels=[0, 1], return_per_label=True)
        assert tuple(found.label_scores.shape) == (0,)
        assert np.isnan(backend.numpy(gpuval.kbet_samples(*given, ignore_labels=0))).all()


def test_labels_are_of_the_library_of_the_neighbours(backend):
    how = {"labels": backend.array(LABELS), "return_per_label": True}
    for sizes in ({"n_batches": 3, "n_labels": 4}, {}) if backend.finds_sizes else ({"n_batches": 3, "n_labels": 4},):
        found = gpuval.kbet_score(of(backend), backend.array(BATCH), **how, **sizes)
        assert type(found.labels) is type(found.label_scores) is type(backend.array(BATCH))


def test_no_cells():
    given = gpuval.Neighbors.from_knn(np.zeros((0, 3), dtype=int)), np.zeros(0, dtype=int)
    assert gpuval.kbet_samples(*given).shape == (0,)
    assert np.isnan(gpuval.kbet_score(*given))


# Devices


@pytest.mark.parametrize("name", ["strict", "strict-no-x64", "torch", "jax"])
def test_with_sizes_given_nothing_leaves_a_device(name):
    backend = BACKENDS[name]
    sizes = {"n_batches": 3, "n_labels": 4}
    with backend.mode(), transfers_to_host() as copied:
        neighbors, batch, labels = of(backend), backend.array(BATCH), backend.array(LABELS)
        found = [
            gpuval.kbet_score(neighbors, batch, n_batches=3),
            gpuval.kbet_score(neighbors, batch, labels=labels, return_per_label=True, **sizes).score,
        ]
        wrong = [
            gpuval.kbet_score(neighbors, backend.array(BATCH + 1), n_batches=3),
            gpuval.kbet_score(neighbors, batch, labels=backend.array(LABELS + 1), **sizes),
        ]
        assert not copied
        assert np.isfinite([backend.numpy(x) for x in found]).all()
        assert np.isnan([backend.numpy(x) for x in wrong]).all()


def test_compiled():
    def score(indices, batch, labels):
        neighbors = gpuval.Neighbors.from_knn(indices, has_self=True)
        return gpuval.kbet_score(neighbors, batch, labels=labels, n_batches=3, n_labels=4)

    wider = np.insert(INDICES, 0, np.arange(N), axis=1)
    expected = gpuval.kbet_score(gpuval.Neighbors.from_knn(INDICES), BATCH, labels=LABELS)
    with jax.enable_x64(True):
        given = [jnp.asarray(x) for x in (wider, BATCH, LABELS)]
        assert float(jax.jit(score)(*given)) == pytest.approx(expected)
        known = jax.jit(lambda labels: score(wider, BATCH, labels))  # labels alone are not known
        assert float(known(given[2])) == pytest.approx(expected)
        assert np.isnan(jax.jit(score)(given[0].at[2, 1].set(-1), *given[1:]))
        with pytest.raises(TypeError, match=r"^return_p_values must be False inside jax\.jit or jax\.vmap, got True;"):
            jax.jit(lambda x: gpuval.kbet_samples(x, BATCH, n_batches=3, return_p_values=True))(
                gpuval.Neighbors.from_knn(given[0])
            )


# Wrong calls


NEIGHBORS = gpuval.Neighbors.from_knn(INDICES)
WRONG = f"""
kbet_score(NEIGHBORS, BATCH, n_labels=2)
    TypeError: n_labels must be None without labels, got 2
kbet_score(NEIGHBORS, BATCH, include_self="no")
    TypeError: include_self must be True or False, got 'no'
ilisi_score(NEIGHBORS, BATCH, scale="no")
    TypeError: scale must be True or False, got 'no'
kbet_score(NEIGHBORS, BATCH, alpha=0)
    ValueError: alpha must be above 0 and below 1, got 0
kbet_score(NEIGHBORS, BATCH, alpha=1.0)
    ValueError: alpha must be above 0 and below 1, got 1.0
kbet_score(NEIGHBORS, BATCH, alpha="0.05")
    TypeError: alpha must be a number, got '0.05'
kbet_score(NEIGHBORS, BATCH, return_per_label=True)
    ValueError: labels must be given with return_per_label=True, got None
kbet_samples(NEIGHBORS, BATCH[:5])
    ValueError: batch must have as many samples as neighbors ({N}), got 5
kbet_samples(NEIGHBORS, BATCH, labels=LABELS[:5])
    ValueError: labels must have as many samples as neighbors ({N}), got 5
kbet_score(NEIGHBORS, BATCH, ignore_labels="doublet")
    TypeError: ignore_labels must be of a type that batch could hold, got 'doublet' of type str; their
    labels are numbers
kbet_score(NEIGHBORS, BATCH, labels=LABELS, ignore_labels="doublet")
    TypeError: ignore_labels must be of a type that batch or labels could hold, got 'doublet' of type
    str; their labels are numbers
"""


@pytest.mark.parametrize(("call", "error"), wrong_calls(WRONG))
def test_wrong_calls(call, error):
    assert_raises(call, error, globals())
