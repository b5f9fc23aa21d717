"""Whatever takes two things with an index compares them: each pair of them, whether or not others have one."""

from __future__ import annotations

import inspect
from itertools import combinations

import anndata
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest

import gpuval
from gpuval import METRICS, Accumulator, Contingency, InternalAccumulator

RNG = np.random.default_rng(0)
N = 24
NAMES = [f"cell{i}" for i in RNG.permutation(N)]
SAMPLES = RNG.normal(size=(N, 3))
DISTANCES = np.abs(SAMPLES[:, None, 0] - SAMPLES[:, 0])


class DerivedSeries(pd.Series):
    """As other packages derive theirs."""


def named(values, columns=None):
    """The values with the names of the samples."""
    if np.ndim(values) == 1:
        return pd.Series(values, index=NAMES)
    return pd.DataFrame(values, index=NAMES, columns=columns)


def hard(n_groups):
    return np.arange(N) % n_groups


LABELS = {"labels_true": named(hard(3)), "labels_pred": named(RNG.permutation(hard(4)))}
WEIGHT = {"sample_weight": named(RNG.integers(1, 4, N))}
MEMBERSHIPS = {
    "memberships_true": named(RNG.dirichlet(np.ones(3), N)),
    "memberships_pred": named(RNG.dirichlet(np.ones(2), N)),
}
CLUSTERED = {"X": named(SAMPLES), "labels": named(hard(3))}
FAR = {"X": named(DISTANCES, NAMES), "labels": named(hard(3))}
BATCH = {"batch": named(RNG.permutation(hard(2)))}
FIRST, SECOND, THIRD = (named(RNG.permutation(hard(3))) for _ in range(3))


def compared(labels_true, a, b, sample_weight=None):
    return gpuval.compare(labels_true, {"a": a, "b": b}, ["rand_score"], sample_weight=sample_weight)["b"]["rand_score"]


def in_frame(labels_true, frame):
    return gpuval.compare(labels_true, frame, ["rand_score"])["0"]["rand_score"]


def in_pairs(first, second, third, sample_weight=None):
    return gpuval.pairwise([first, second, third], "rand_score", sample_weight=sample_weight)


def added_up(labels_true, labels_pred, sample_weight=None):
    accumulator = Accumulator()
    accumulator.update(labels_true, labels_pred, sample_weight)
    return accumulator.table.to_array()


def added_up_in_size(labels_true, labels_pred, sample_weight=None):
    accumulator = Accumulator(3, 4)
    accumulator.update(labels_true, labels_pred, sample_weight)
    return accumulator.table.to_array()


def memberships_added_up(memberships_true, memberships_pred, sample_weight=None):
    accumulator = Accumulator(3, 2)
    accumulator.update_memberships(memberships_true, memberships_pred, sample_weight)
    return accumulator.table.to_array()


def moments_added_up(X, labels, sample_weight=None):
    accumulator = InternalAccumulator()
    accumulator.update(X, labels, sample_weight)
    return gpuval.calinski_harabasz_score(accumulator.moments)


def of_distances(function):
    return lambda X, labels, **others: function(X, labels, metric="precomputed", **others)


FEW = np.where(hard(3) == 1, 0, RNG.permutation(hard(2)))
"""Batches, of which one label is in one alone."""
BEFORE_AND_AFTER = {
    "X_before": named(SAMPLES + 2.0 * hard(3)[:, None]),
    "X_after": named(SAMPLES),
    "covariate": named(hard(3)),
}


def of_a_quantity(X, covariate, sample_weight=None):
    return gpuval.pcr_score(X, covariate, kind="continuous", sample_weight=sample_weight)


def isolated_cells(X, labels, batch):
    return gpuval.isolated_labels_score(labels, batch, X=X)


def isolated_clusters(labels, batch, clusterings):
    return gpuval.isolated_labels_score(labels, batch, clusterings=clusterings)


LABELED = LABELS | WEIGHT
WEIGHED = CLUSTERED | WEIGHT
CALLS = {
    "adjusted_rand_score": (gpuval.adjusted_rand_score, LABELED),
    "evaluate": (lambda *args, **how: gpuval.evaluate(*args, ["rand_score"], **how)["rand_score"], LABELED),
    "compare": (compared, {"labels_true": FIRST, "a": SECOND, "b": THIRD} | WEIGHT),
    "pairwise": (in_pairs, {"first": FIRST, "second": SECOND, "third": THIRD} | WEIGHT),
    "contingency_matrix": (gpuval.contingency_matrix, LABELED),
    "pair_confusion_matrix": (gpuval.pair_confusion_matrix, LABELED),
    "cohen_kappa_score": (gpuval.cohen_kappa_score, LABELED),
    "entropy": (gpuval.entropy, {"labels": FIRST} | WEIGHT),
    "from_labels": (lambda *args, **how: Contingency.from_labels(*args, **how).to_array(), LABELED),
    "from_memberships": (
        lambda *args, **how: Contingency.from_memberships(*args, **how).to_array(),
        MEMBERSHIPS | WEIGHT,
    ),
    "Accumulator": (added_up, LABELED),
    "Accumulator of given size": (added_up_in_size, LABELED),
    "update_memberships": (memberships_added_up, MEMBERSHIPS | WEIGHT),
    "InternalAccumulator": (moments_added_up, WEIGHED),
    "silhouette_samples": (gpuval.silhouette_samples, WEIGHED),
    "silhouette_score": (gpuval.silhouette_score, WEIGHED),
    "silhouette_score of distances": (of_distances(gpuval.silhouette_score), FAR | WEIGHT),
    "silhouette_label": (gpuval.silhouette_label, CLUSTERED),
    "silhouette_label of distances": (of_distances(gpuval.silhouette_label), FAR),
    "silhouette_batch": (gpuval.silhouette_batch, CLUSTERED | BATCH),
    "pcr_score": (gpuval.pcr_score, {"X": named(SAMPLES), "covariate": named(hard(3))} | WEIGHT),
    "pcr_score of a quantity": (of_a_quantity, {"X": named(SAMPLES), "covariate": named(RNG.normal(size=N))} | WEIGHT),
    "pcr_comparison_score": (gpuval.pcr_comparison_score, BEFORE_AND_AFTER | WEIGHT),
    "isolated_labels_score": (isolated_cells, CLUSTERED | {"batch": named(FEW)}),
    "isolated_labels_score of a clustering": (
        isolated_clusters,
        {"labels": named(hard(3)), "batch": named(FEW), "clusterings": named(RNG.permutation(hard(4)))},
    ),
    "dunn_index": (gpuval.dunn_index, CLUSTERED),
    "dunn_index of distances": (of_distances(gpuval.dunn_index), FAR),
    "davies_bouldin_score": (gpuval.davies_bouldin_score, WEIGHED),
    "calinski_harabasz_score": (gpuval.calinski_harabasz_score, WEIGHED),
}
OF_LABELINGS = {
    "a": "labelings['a']",
    "b": "labelings['b']",
    "first": "labelings[0]",
    "second": "labelings[1]",
    "third": "labelings[2]",
}
PAIRS = [(call, *pair) for call, (_, arguments) in CALLS.items() for pair in combinations(arguments, 2)]


def called(call, arguments):
    """The weights by their name, all else by its place."""
    arguments = dict(arguments)
    others = {"sample_weight": arguments.pop("sample_weight")} if "sample_weight" in arguments else {}
    return CALLS[call][0](*arguments.values(), **others)


def turned(x):
    """The same samples in another order, columns of distances as well."""
    return x.iloc[::-1, ::-1] if x.ndim == 2 and list(x.columns) == NAMES else x.iloc[::-1]


@pytest.mark.parametrize("derived", [False, True])
@pytest.mark.parametrize(("call", "one", "other"), PAIRS)
def test_each_pair(call, one, other, derived):
    """These two have an index, and what else there is has none."""
    given = {name: x if name in (one, other) else x.to_numpy() for name, x in CALLS[call][1].items()}
    if derived and isinstance(given[other], pd.Series):
        given[other] = DerivedSeries(given[other])
    expected = called(call, {name: np.asarray(x) for name, x in given.items()})
    np.testing.assert_allclose(called(call, given), expected, rtol=1e-12)
    given[other] = turned(given[other])
    first, second = (OF_LABELINGS.get(name, name) for name in (one, other))
    with pytest.raises(ValueError) as raised:
        called(call, given)
    assert str(raised.value) == (
        f"{first} and {second} must have the same index, got {NAMES[0]!r} and {NAMES[-1]!r} at position 0; align the "
        "Series, or pass their .to_numpy()"
    )


@pytest.mark.parametrize("call", CALLS)
def test_all_aligned(call):
    given = CALLS[call][1]
    expected = called(call, {name: x.to_numpy() for name, x in given.items()})
    np.testing.assert_allclose(called(call, given), expected, rtol=1e-12)
    found = called(call, {name: turned(x) for name, x in given.items()})
    np.testing.assert_allclose(found, expected[::-1] if call == "silhouette_samples" else expected, rtol=1e-12)


def test_a_frame_of_labelings():
    frame = pd.DataFrame({"0": SECOND, "1": THIRD})
    assert in_frame(FIRST, frame) == gpuval.rand_score(FIRST, SECOND)
    with pytest.raises(ValueError, match="must have the same index"):
        in_frame(FIRST[::-1], frame)


@pytest.mark.parametrize("name", METRICS)
def test_every_measure(name):
    if "labels_pred" in inspect.signature(METRICS[name]).parameters:
        with pytest.raises(ValueError, match="labels_true and labels_pred must have the same index"):
            METRICS[name](FIRST, SECOND[::-1])
    else:
        with pytest.raises(ValueError, match="labels and sample_weight must have the same index"):
            METRICS[name](FIRST, sample_weight=SECOND[::-1])


# ---- what others derive from pandas --------------------------------------------------------------


def view():
    """Some cells of an AnnData: its frames are of a class of its own."""
    whole = anndata.AnnData(
        SAMPLES,
        pd.DataFrame({"type": hard(3)}, index=NAMES),
        obsm={"pca": named(SAMPLES), "soft": MEMBERSHIPS["memberships_true"]},
    )
    part = whole[NAMES]
    assert not type(part.obsm["pca"]).__module__.startswith("pandas")
    return part


def test_frames_of_a_view_of_cells():
    cells = view()
    assert gpuval.dunn_index(cells.obsm["pca"], cells.obs["type"]) == gpuval.dunn_index(SAMPLES, hard(3))
    with pytest.raises(ValueError, match="X and labels must have the same index"):
        gpuval.dunn_index(cells.obsm["pca"], cells.obs["type"][::-1])
    with pytest.raises(ValueError, match="memberships_true and memberships_pred must have the same index"):
        Contingency.from_memberships(cells.obsm["soft"], MEMBERSHIPS["memberships_pred"][::-1])


def test_nullable_numbers_in_a_view_of_cells():
    whole = anndata.AnnData(
        SAMPLES, obsm={"pca": pd.DataFrame(SAMPLES, index=list(map(str, range(N)))).convert_dtypes()}
    )
    assert gpuval.dunn_index(whole[:].obsm["pca"], hard(3)) == gpuval.dunn_index(SAMPLES, hard(3))


# ---- Dask, costs ---------------------------------------------------------------------------------


def test_partitions_of_dask():
    """Their indexes are compared where they are."""
    parts = [dd.from_pandas(x, npartitions=1, sort=False) for x in (FIRST, SECOND, SECOND[::-1])]
    assert gpuval.rand_score(*parts[:2]) == gpuval.rand_score(FIRST, SECOND)
    with pytest.raises(ValueError, match="labels_true and labels_pred must have the same index"):
        gpuval.rand_score(parts[0], parts[2])
    samples = dd.from_pandas(named(SAMPLES), npartitions=1, sort=False)
    weights = dd.from_pandas(WEIGHT["sample_weight"], npartitions=1, sort=False)
    for measure in (gpuval.calinski_harabasz_score, gpuval.davies_bouldin_score):
        expected = measure(SAMPLES, FIRST, sample_weight=WEIGHT["sample_weight"])
        assert measure(samples, parts[0], sample_weight=weights) == pytest.approx(expected, rel=1e-12)
        with pytest.raises(ValueError, match="X and labels must have the same index"):
            measure(samples, parts[2])


COSTS = pd.DataFrame([[0, 1, 5], [1, 0, 2], [5, 2, 0]], index=["low", "mid", "top"], columns=["low", "mid", "top"])
RATED = ["low", "mid", "top", "top", "mid", "low"], ["low", "top", "top", "mid", "mid", "top"]


def test_costs_by_the_names_of_the_labels():
    """In any order; a frame without names is in the order of the labels, if these have one."""
    expected = gpuval.cohen_kappa_score(*RATED, weights=COSTS.to_numpy(), labels=list(COSTS))
    assert gpuval.cohen_kappa_score(*RATED, weights=COSTS) == expected
    unnamed = pd.DataFrame(COSTS.to_numpy())
    assert gpuval.cohen_kappa_score(*RATED, weights=unnamed, labels=list(COSTS)) == expected
    with pytest.raises(
        ValueError, match="weights without the names of the labels must be for labels that have one order"
    ):
        gpuval.cohen_kappa_score(*RATED, weights=unnamed)
    for frame in (COSTS.iloc[::-1], COSTS.iloc[[1, 0, 2], [2, 0, 1]]):
        assert gpuval.cohen_kappa_score(*RATED, weights=frame) == pytest.approx(expected, rel=1e-14)
    for frame, got in (
        (COSTS.iloc[:2, :2], "none for 'top'"),
        (COSTS.rename(columns={"mid": "Mid"}), "none for 'mid'"),
        (COSTS.assign(other=0), "['low', 'mid', 'top'] and ['low', 'mid', 'top', 'other']"),
    ):
        with pytest.raises(ValueError) as raised:
            gpuval.cohen_kappa_score(*RATED, weights=frame)
        assert str(raised.value) == f"weights must have each label once in its index and in its columns, got {got}"


@pytest.mark.parametrize("labels", [[0, 1, 2], [3, 4, 5], [-1, 4, 9]])
def test_costs_by_numbers(labels):
    """The labels themselves, or places from 0."""
    true, pred = (np.asarray(labels)[np.asarray(x)] for x in ([0, 1, 2, 2, 1, 0], [0, 2, 2, 1, 1, 2]))
    expected = gpuval.cohen_kappa_score(*RATED, weights=COSTS)
    for index in (labels, range(3)):
        costs = pd.DataFrame(COSTS.to_numpy(), index=index, columns=index)
        assert gpuval.cohen_kappa_score(true, pred, weights=costs) == pytest.approx(expected, rel=1e-14)
    costs = pd.DataFrame(COSTS.to_numpy(), index=labels, columns=labels).iloc[::-1, ::-1]
    assert gpuval.cohen_kappa_score(true, pred, weights=costs) == pytest.approx(expected, rel=1e-14)
    costs = pd.DataFrame(COSTS.to_numpy(), index=[7, 8, 10], columns=[7, 8, 10])
    with pytest.raises(ValueError, match=f"weights must have each label once in .*, got none for {labels[0]}"):
        gpuval.cohen_kappa_score(true, pred, weights=costs)
