"""How often samples are together in several runs: worked values, and the definitions of all pairs, on every backend."""

from __future__ import annotations

from fractions import Fraction
from math import nan, sqrt

import numpy as np
import pytest
import run_cases
import torch
from backends import transfers_to_host
from only_for import only_for
from packages import da, pd
from run_cases import COARSE, FINE, LEFT, TEN

import gpuval
from gpuval.table import co_clustering
from gpuval.table.labelings import read_labelings

F = Fraction
EQUAL = (COARSE[0],) * 3
RNG = np.random.default_rng(49)
RANDOM = {
    "all in all runs": run_cases.random_runs(RNG, 30, 4, 0.0),
    "some left out": run_cases.random_runs(RNG, 30, 4, 0.3),
    "most left out": run_cases.random_runs(RNG, 30, 4, 0.8),
}
CASES = {"COARSE": COARSE, "FINE": FINE, "LEFT": LEFT, **RANDOM}
listed = only_for(lambda backend: backend.lists_cells)


def arrays(runs, backend):
    """Labels as arrays, -1 if left out."""
    return [backend.array([-1 if x is None else x for x in run]) for run in runs]


def with_nan(runs):
    """Labels as lists of floats, NaN if left out."""
    return [[nan if x is None else float(x) for x in run] for run in runs]


def drawn(monkeypatch):
    """From now on there are too many patterns to look at all pairs."""
    monkeypatch.setattr(co_clustering, "_MOST_PATTERNS", 1)


@pytest.fixture
def small_tiles(monkeypatch):
    """The random runs take several tiles and blocks, the others one."""
    monkeypatch.setattr(co_clustering, "_TILE", 16)
    monkeypatch.setattr(co_clustering, "_BLOCK", 60)


# Worked values


def test_the_definitions_have_the_worked_values():
    order = [1, F(2, 3), 0, 0, 0, F(2, 3), 0, 0, 0, F(1, 3), F(1, 3), F(1, 3), 1, F(2, 3), F(2, 3)]
    assert run_cases.frequencies(COARSE, range(6)) == order
    assert [run_cases.ambiguous(x) for x in (COARSE, FINE, LEFT, EQUAL)] == [F(7, 15), F(7, 15), F(8, 15), 0]
    assert run_cases.ambiguous(COARSE, 1 / 3, 2 / 3) == F(4, 15)
    assert run_cases.consensus(LEFT[0], LEFT) == [F(13, 18), F(2, 3)]
    of_coarse = [F(3, 4), F(3, 4), 0, F(7, 10), F(7, 10), F(2, 5)]
    assert [run_cases.silhouettes(COARSE[0], COARSE[1:], is_pooled=x) for x in (True, False)] == [of_coarse] * 2
    pooled, by_pairs = (run_cases.silhouettes(LEFT[0], LEFT[1:], is_pooled=x) for x in (True, False))
    assert pooled == [F(23, 32), F(2, 3), 0, F(5, 12), F(2, 3), F(3, 10)]
    assert by_pairs == [F(23, 32), F(1, 2), F(-1, 9), F(2, 5), F(2, 3), F(4, 13)]
    similarities = [run_cases.similarity(COARSE[r], COARSE[s]) for r, s in ((0, 1), (0, 2), (1, 2))]
    assert similarities == [F(23, 36), F(7, 9), F(17, 36)]


@pytest.mark.by_default(once=True)
@listed
@pytest.mark.parametrize("name", CASES)
def test_scores_of_runs(name, backend, small_tiles):
    runs = CASES[name]
    given = arrays(runs, backend)
    found = gpuval.proportion_of_ambiguous_pairs(given, ignore_labels=-1)
    backend.assert_at_home(found, given[0])
    backend.assert_close(found, run_cases.ambiguous(runs), name)
    if name != "most left out":  # there two runs have no sample in common
        found = gpuval.inconsistency_coefficient(given, ignore_labels=-1)
        backend.assert_at_home(found, given[0])
        backend.assert_close(found, run_cases.inconsistency(runs), name)


@pytest.mark.by_default(once=True)
@listed
@pytest.mark.parametrize("name", CASES)
def test_scores_of_clusters_and_samples(name, backend, small_tiles):
    reference, *runs = CASES[name]
    first, *others = arrays([reference, *runs], backend)
    found = gpuval.cluster_consensus_scores(first, others, ignore_labels=-1)
    assert backend.numpy(found.clusters).tolist() == sorted(set(reference) - {None})
    backend.assert_at_home(found.scores, first, tuple(found.clusters.shape))
    backend.assert_close(found.scores, run_cases.consensus(reference, runs), name)
    for method in ("pooled", "pairs"):
        values = gpuval.co_clustering_silhouettes(first, others, method=method, ignore_labels=-1)
        backend.assert_at_home(values, first, (len(reference),))
        exact = run_cases.silhouettes(reference, runs, is_pooled=method == "pooled")
        backend.assert_close(values, exact, f"{name} {method}")


@listed
def test_clusters_found_again(backend):
    true, pred = arrays(TEN, backend)
    backend.assert_close(gpuval.class_jaccard_scores(true, pred).scores, [F(3, 4), F(3, 5), F(2, 3)])
    backend.assert_close(gpuval.prediction_strength_scores(true, pred).scores, [F(1, 2), 1, F(1, 3)])
    backend.assert_close(gpuval.prediction_strength_score(true, pred), F(1, 3))
    backend.assert_close(gpuval.prediction_strength_score(pred, true), F(3, 10))
    reference, *runs = arrays(LEFT, backend)
    for run, exact in zip(runs, (F(2, 3), 1, F(2, 3)), strict=True):
        backend.assert_close(gpuval.class_jaccard_scores(reference, run, ignore_labels=-1).scores, [exact] * 2)


def test_limits_of_ambiguous_frequencies():
    pac = gpuval.proportion_of_ambiguous_pairs
    assert pac(COARSE, low=1 / 3, high=2 / 3) == 4 / 15
    assert pac(COARSE, low=0, high=1) == 9 / 15
    assert pac(EQUAL) == 0
    assert pac([[0, 0]] * 9 + [[0, 1]]) == pac([[0, 0]] * 9 + [[0, 1]], high=0.95) == 1  # 9/10 is 0.9
    assert pac([[0, 1]] * 9 + [[0, 0]]) == 0


def test_samples_left_out_in_each_way():
    """As NaN, None and missing categories, and as a label to ignore."""
    frame = pd.DataFrame(
        {f"run {i}": pd.Categorical([x if x is None else str(x) for x in run]) for i, run in enumerate(LEFT)}
    )
    for given in (with_nan(LEFT), [np.asarray(run, dtype=object) for run in LEFT], frame):
        assert gpuval.proportion_of_ambiguous_pairs(given) == 8 / 15
    found = gpuval.cluster_consensus_scores(frame["run 0"], frame)
    assert found.clusters.tolist() == ["0", "1"]
    np.testing.assert_allclose(found.scores, [13 / 18, 2 / 3], rtol=1e-12)


# Too many patterns


@listed
def test_drawn_pairs(backend, monkeypatch):
    drawn(monkeypatch)
    for runs in (COARSE, LEFT):
        score, error = gpuval.proportion_of_ambiguous_pairs(
            arrays(runs, backend), n_pairs=20_000, random_state=3, ignore_labels=-1, return_standard_error=True
        )
        score, error = (float(backend.numpy(x)) for x in (score, error))
        exact = float(run_cases.ambiguous(runs))
        assert 0 < abs(score - exact) < 5 * error
        assert error == pytest.approx(sqrt(score * (1 - score) / 20_000), rel=1e-5)


def test_standard_error(monkeypatch):
    """It is 0 of all pairs, and else of the drawn pairs that a run has: about 2 of 3 here."""
    score = gpuval.proportion_of_ambiguous_pairs
    assert score(COARSE, return_standard_error=True).standard_error == 0
    drawn(monkeypatch)
    runs = with_nan(map(run_cases.labels, ("001x", "01xx", "10xx")))
    found = score(runs, n_pairs=10_000, random_state=0, return_standard_error=True)
    p = found.score
    assert abs(p - 1 / 3) < 0.05  # of three pairs that a run has, one is together in one of three runs
    assert found.standard_error == pytest.approx(sqrt(p * (1 - p) / 5_000), rel=0.05)  # half of the pairs


def test_seeds(monkeypatch):
    drawn(monkeypatch)
    first, again, other = (
        gpuval.proportion_of_ambiguous_pairs(FINE, n_pairs=501, random_state=x)
        for x in (1, np.random.default_rng(1), 2)
    )
    assert first == again != other


@listed
def test_consensus_of_too_many_patterns(backend, monkeypatch):
    """Runs that have all samples have the same consensus; else pairs count by the runs that have them."""
    drawn(monkeypatch)
    for runs in CASES.values():
        reference, *others = arrays(runs, backend)
        found = gpuval.cluster_consensus_scores(reference, others, ignore_labels=-1).scores
        backend.assert_close(found, run_cases.pooled_consensus(runs[0], runs[1:]))
    assert run_cases.pooled_consensus(COARSE[0], COARSE) == run_cases.consensus(COARSE[0], COARSE)


def test_frequencies_and_their_counts():
    """As sweeps take them: the frequencies that occur, and how many pairs have each."""
    read = read_labelings({str(i): run for i, run in enumerate(with_nan(LEFT))}, None, (None,), None, None)
    found = co_clustering.pair_frequencies(read, 1, np.random.default_rng(0))
    exact = run_cases.frequencies(LEFT, range(6))
    assert dict(zip(found.values, found.counts, strict=True)) == {float(x): exact.count(x) for x in exact}
    assert (found.n_pairs, found.is_exact) == (15, True)
    assert found.mean() == pytest.approx(float(sum(exact) / 15), rel=1e-15)


def test_many_samples_of_few_patterns():
    """Each pattern with its own pairs, in whole numbers: of 600,000 samples there are 1.8e11 pairs."""
    runs = np.repeat(np.asarray(COARSE), 100_000, axis=1)
    pairs = 6 * 100_000
    same, other = 6 * 100_000 * 99_999 // 2, 100_000**2
    assert gpuval.proportion_of_ambiguous_pairs(list(runs)) == 7 * other / (pairs * (pairs - 1) // 2)
    assert same + 15 * other == pairs * (pairs - 1) // 2


# Some samples


@listed
def test_silhouettes_of_some_samples(backend):
    first, *others = arrays(RANDOM["some left out"], backend)
    options = {"method": "pairs", "ignore_labels": -1}
    everything = backend.numpy(gpuval.co_clustering_silhouettes(first, others, **options))
    found = backend.numpy(gpuval.co_clustering_silhouettes(first, others, sample_size=5, random_state=2, **options))
    chosen = np.flatnonzero(~np.isnan(found))
    assert len(chosen) == 5
    np.testing.assert_allclose(found[chosen], everything[chosen], rtol=1e-12 if backend.has_float64 else 1e-5)


def test_silhouettes_where_nothing_is_near():
    """0 of a cluster of one sample, of a single cluster, and where both distances are 0; NaN without a run."""
    values = gpuval.co_clustering_silhouettes
    for method in ("pooled", "pairs"):
        assert values([0, 1, 1], [[0, 1, 1]], method=method).tolist() == [0, 1, 1]
        assert values([0, 0, 0], [[0, 1, 1]], method=method).tolist() == [0, 0, 0]
        assert values([0, 0, 1], [[5, 5, 5]], method=method).tolist() == [0, 0, 0]
        np.testing.assert_array_equal(values([0, 0, 1, nan], [[5, 5, nan, 6]], method=method), [0, 0, nan, nan])
        np.testing.assert_array_equal(values([nan, nan], [[0, 1]], method=method), [nan, nan])
        assert values([], [[]], method=method).shape == (0,)


def test_labels_far_apart():
    """Labels that do not occur cost nothing, and clusters of one sample have no pair."""
    runs = [[0, 1, 0, 1], [7, 7, 7, nan]]
    for method in ("pooled", "pairs"):
        found = gpuval.co_clustering_silhouettes([5, 60_000, 5, 60_000], runs, method=method)
        np.testing.assert_array_equal(found, gpuval.co_clustering_silhouettes([0, 1, 0, 1], runs, method=method))
    scores = gpuval.cluster_consensus_scores([5, 60_000, 5, 7], runs)
    assert scores.clusters.tolist() == [5, 7, 60_000]
    np.testing.assert_array_equal(scores.scores, [1, nan, nan])
    assert len(gpuval.cluster_consensus_scores([nan, nan], [[0, 1]]).scores) == 0


def test_inconsistency_by_the_shares_of_partitions():
    """1 / p' S p, where a partition that occurs twice, with other labels, has the share 2/4."""
    runs = [COARSE[0], COARSE[1], [9 - x for x in COARSE[0]], COARSE[2]]
    shares = [F(2, 4), F(1, 4), F(1, 4)]
    total = sum(
        p * q * run_cases.similarity(x, y)
        for p, x in zip(shares, COARSE, strict=True)
        for q, y in zip(shares, COARSE, strict=True)
    )
    assert gpuval.inconsistency_coefficient(runs) == pytest.approx(float(1 / total), rel=1e-14)
    assert gpuval.inconsistency_coefficient(EQUAL) == 1


# What is asked of arguments

PAC, SILHOUETTES = gpuval.proportion_of_ambiguous_pairs, gpuval.co_clustering_silhouettes


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: PAC([COARSE[0]]), "labelings must have at least two label vectors, got 1"),
        (
            lambda: gpuval.inconsistency_coefficient([COARSE[0]]),
            "labelings must have at least two label vectors, got 1",
        ),
        (lambda: SILHOUETTES(COARSE[0], []), "labelings must have at least one label vector, got none"),
        (lambda: PAC([[0, 1], [0, 1, 1]]), r"labelings\[1\] must have as many samples as labelings\[0\] \(2\), got 3"),
        (lambda: SILHOUETTES([0, 1], [[0, 1, 1]]), r"labelings\[0\] must have as many samples as labels \(2\), got 3"),
        (lambda: PAC(COARSE, low=0.9, high=0.9), "low and high must be from 0 to 1, and low below high, got low=0.9"),
        (lambda: PAC(COARSE, low=-0.1), "low and high must be from 0 to 1, and low below high, got low=-0.1"),
        (lambda: PAC(COARSE, n_pairs=0), "n_pairs must be a positive integer, got 0"),
        (
            lambda: PAC([[0, nan], [nan, 1]]),
            "labelings must have two samples that one of them does not leave out, got none",
        ),
        (lambda: PAC([[0], [1]]), "labelings must have two samples that one of them does not leave out, got none of 1"),
        (
            lambda: SILHOUETTES(COARSE[0], COARSE, method="exact"),
            "method must be one of 'pooled', 'pairs', got 'exact'",
        ),
        (
            lambda: SILHOUETTES(COARSE[0], COARSE, sample_size=2),
            "sample_size must be given with method='pairs' only, got 2",
        ),
        (
            lambda: SILHOUETTES([0, 1, nan], [[0, 1, 1]], method="pairs", sample_size=3),
            r"sample_size must be from 1 to the number of samples \(2\), got 3",
        ),
    ],
)
def test_wrong_values(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: PAC([da.from_array(np.zeros(3, int))] * 2), r"labelings\[0\] must be in memory, got data of Dask"),
        (lambda: SILHOUETTES(COARSE[0], [torch.zeros(6)]), "labels and labelings"),
        (lambda: PAC(COARSE, low="0.1"), "low must be a number, got '0.1'"),
        (lambda: PAC(COARSE, return_standard_error=1), "return_standard_error must be True or False, got 1"),
        (lambda: PAC(COARSE, ignore_labels={"true": 0}), "ignore_labels must be one label or a sequence of labels"),
    ],
)
def test_wrong_types(call, message):
    with pytest.raises(TypeError, match=message):
        call()


def test_transfers():
    """Of samples nothing is copied to the host but sizes, and counts of pairs."""
    given = [torch.asarray(run) for run in np.tile(np.asarray(COARSE), 50)]
    with transfers_to_host() as copied:
        gpuval.proportion_of_ambiguous_pairs(given)
        gpuval.co_clustering_silhouettes(given[0], given)
    assert max(x.numel() for x in copied) < 100
