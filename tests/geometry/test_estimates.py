"""Silhouettes of a sample of the samples: what is drawn, and what it tells of all."""

from __future__ import annotations

import functools
import math
from collections import Counter

import numpy as np
import pytest
from backends import BACKENDS
from only_for import only_for
from packages import sk

import gpuval
from gpuval.engines.backends.torch import TorchBackend
from gpuval.geometry import sampling
from gpuval.geometry.points import read_points

RNG = np.random.default_rng(4)
SIZES = [150, 70, 40, 8, 2, 1]
LABELS = RNG.permutation(np.repeat(np.arange(len(SIZES)), SIZES))
X = RNG.normal(size=(len(LABELS), 3)) + 1.5 * RNG.normal(size=(len(SIZES), 3))[LABELS]
WEIGHTS = RNG.gamma(2.0, size=len(LABELS))
N, DRAWS = len(LABELS), 200
KINDS = {
    "plain": {},
    "stratified": {"stratified": True},
    "weighted": {"sample_weight": WEIGHTS},
    "stratified, weighted": {"stratified": True, "sample_weight": WEIGHTS},
    "integers": {"sample_weight": RNG.integers(1, 5, N)},
    "ignored": {"ignore_labels": [1]},
    "precomputed": {"metric": "precomputed"},
    "cosine": {"metric": "cosine"},
    "cityblock, stratified": {"metric": "cityblock", "stratified": True},
}


def given(options):
    if options.get("metric") == "precomputed":
        return np.sqrt(((X[:, None, :] - X[None, :, :]) ** 2).sum(axis=2))
    return X


@pytest.mark.parametrize("kind", KINDS)
def test_all_of_them_are_no_estimate(kind):
    options = dict(KINDS[kind])
    full = {name: value for name, value in options.items() if name != "stratified"}
    expected = gpuval.silhouette_score(given(options), LABELS, **full)
    n = N - SIZES[1] if kind == "ignored" else N
    found = gpuval.silhouette_score(given(options), LABELS, sample_size=n, return_standard_error=True, **options)
    assert found.score == pytest.approx(expected, rel=1e-12)
    assert found.standard_error == 0
    whole = gpuval.silhouette_score(given(options), LABELS, return_standard_error=True, **full)
    assert (whole.score, whole.standard_error) == (expected, 0)
    assert whole._fields == ("score", "standard_error")


@pytest.mark.parametrize("kind", KINDS)
def test_estimates_are_right_on_average_and_know_how_far_off_they_are(kind):
    """Over many draws: the mean is that of all samples, and the spread is what the standard error says.

    A quotient of sums, as with weights, is off by less than a tenth of its spread here.
    """
    options = KINDS[kind]
    full = {name: value for name, value in options.items() if name != "stratified"}
    expected = float(gpuval.silhouette_score(given(options), LABELS, **full))
    random = np.random.default_rng(0)
    draws = np.asarray(
        [
            gpuval.silhouette_score(
                given(options), LABELS, sample_size=60, random_state=random, return_standard_error=True, **options
            )
            for _ in range(DRAWS)
        ]
    )
    spread = draws[:, 0].std(ddof=1)
    assert spread > 1e-3
    assert abs(draws[:, 0].mean() - expected) < 4 * spread / np.sqrt(DRAWS)
    assert np.sqrt((draws[:, 1] ** 2).mean()) == pytest.approx(spread, rel=0.15)


def test_standard_errors_by_hand(backend):
    """Of n values out of N, with the variance s^2: s^2 / n * (1 - n / N) is that of their mean."""
    values = backend.array([1.0, 3.0, 8.0])  # s^2 = 13
    one = sampling.estimate_cluster_mean(values, 5)
    backend.assert_close(one.score, 4)
    backend.assert_close(one.standard_error, math.sqrt(13 / 3 * (1 - 3 / 5)))
    values = backend.array([1.0, 5.0, 6.0, 3.0, 10.0])  # of two strata s^2 = 2 and 7, and the means are 2 and 7
    strata, sizes = np.asarray([0, 1, 1, 0, 1]), np.asarray([4, 6])
    sample = sampling.RowSample(np.arange(5), strata, sizes, backend.array([4.0, 6.0]))
    two = sampling.estimate_mean(values, None, sample)
    backend.assert_close(two.score, 0.4 * 2 + 0.6 * 7)
    variances = 2 / 2 * (1 - 2 / 4), 7 / 3 * (1 - 3 / 6)
    backend.assert_close(two.standard_error, math.sqrt(0.4**2 * variances[0] + 0.6**2 * variances[1]))


def test_strata_make_it_more_exact():
    spreads = []
    for stratified in (False, True):
        draws = [
            gpuval.silhouette_score(X, LABELS, sample_size=60, stratified=stratified, random_state=seed)
            for seed in range(DRAWS)
        ]
        spreads.append(np.std(draws))
    assert spreads[1] < spreads[0]


def test_the_same_seed_draws_the_same():
    def score(random_state, **options):
        return gpuval.silhouette_score(X, LABELS, sample_size=50, random_state=random_state, **options)

    for options in ({}, {"stratified": True}, {"metric": "cityblock"}):
        assert score(3, **options) == score(3, **options)
        assert score(3, **options) != score(4, **options)
        assert score(np.random.default_rng(3), **options) == score(3, **options)
    assert score(None) != score(None)


@only_for(lambda backend: backend.name != "jax")  # which compiles for each shape that is drawn
def test_every_backend_draws_the_same(backend):
    size = {} if backend.finds_sizes else {"n_clusters": len(SIZES)}
    for kind in ("plain", "stratified, weighted", "cosine"):
        options = KINDS[kind]
        asked = {"sample_size": 50, "random_state": 1, "return_standard_error": True}
        expected = gpuval.silhouette_score(X, LABELS, **asked, **options)
        weights = {"sample_weight": backend.array(WEIGHTS)} if "sample_weight" in options else {}
        arguments = backend.array(X), backend.array(LABELS)
        found = gpuval.silhouette_score(*arguments, **asked, **(options | weights), **size)
        for value, wanted in zip(found, expected, strict=True):
            backend.assert_at_home(value, arguments[0])
            assert float(backend.numpy(value)) == pytest.approx(wanted, rel=1e-10 if backend.has_float64 else 1e-4)


def drawn(size, stratified, seed=0, labels=LABELS, **options):
    points = read_points(np.zeros((len(labels), 1)), labels, **options)
    return sampling.draw_sample(points, size, seed, stratified)


@pytest.mark.parametrize("stratified", [False, True])
def test_what_is_drawn(stratified):
    """Different samples, all of which count, and each as often as any other of its cluster."""
    times = Counter()
    for seed in range(300):
        rows = drawn(60, stratified, seed, ignore_labels=[0]).rows
        assert len(set(rows.tolist())) == 60
        assert (LABELS[rows] != 0).all()
        times.update(rows.tolist())
    for label in (1, 2, 3) if stratified else ([1, 2, 3, 4, 5],):
        rows = np.flatnonzero(np.isin(LABELS, label))
        counts = np.asarray([times[row] for row in rows.tolist()])
        share = counts.mean() / 300
        if share == 1:
            continue
        bound = 5 * np.sqrt(300 * share * (1 - share))
        assert abs(counts - counts.mean()).max() < bound


@pytest.mark.parametrize("size", [11, 20, 60, 137, 200, 265, N])
def test_clusters_are_drawn_from_in_proportion(size):
    """At least two of each, and of those with more no more and no less than their share, rounded."""
    counts = np.bincount(LABELS[drawn(size, True).rows], minlength=len(SIZES))
    assert counts.sum() == size
    assert (counts >= np.minimum(SIZES, 2)).all()
    assert (counts <= SIZES).all()
    shares = np.asarray(SIZES) * size / N
    large = shares > 4
    assert (counts[large] <= np.ceil(shares[large])).all()
    assert (np.diff(counts) <= 0).all()


@pytest.mark.parametrize("size", [6, 9, 20, 30])
def test_nothing_is_drawn_of_clusters_without_samples(size):
    labels = np.asarray([1] * 20 + [4] * 5 + [7] * 5)
    found = drawn(size, True, labels=labels)
    assert found.sizes.tolist() == [20, 0, 0, 5, 0, 0, 5]
    counts = np.bincount(labels[found.rows], minlength=8)
    assert counts.sum() == size
    assert (counts[[1, 4, 7]] >= 2).all()


def test_too_few_for_two_of_each():
    with pytest.raises(ValueError) as raised:
        drawn(10, True)
    assert str(raised.value) == ("sample_size must be at least 11 (two of each cluster) with stratified=True, got 10")


def test_distances_are_to_all_samples(monkeypatch):
    """What is drawn is compared with everything, and only what is drawn costs anything."""
    from gpuval.geometry.distances.products import ProductsOfGroups

    seen, tile = [], ProductsOfGroups.tile

    def spied(self, prepared, columns):
        found = tile(self, prepared, columns)
        seen.append(found.size)
        return found

    monkeypatch.setattr(ProductsOfGroups, "tile", spied)
    gpuval.silhouette_score(X, LABELS, sample_size=20, random_state=0)
    assert sum(seen) == 20 * N


@pytest.mark.parametrize("metric", ["euclidean", "cosine", "cityblock"])
@pytest.mark.parametrize("stratified", [False, True])
def test_a_sample_among_itself_is_the_score_of_the_drawn_rows(metric, stratified):
    rows = drawn(20, stratified, seed=3).rows
    options = {"sample_size": 20, "random_state": 3, "stratified": stratified, "sample_among": "sample"}
    ours = gpuval.silhouette_score(X, LABELS, metric=metric, **options)
    theirs = sk.silhouette_score(X[rows], LABELS[rows], metric=metric)
    assert float(ours) == pytest.approx(theirs, abs=1e-12)


def test_a_sample_among_itself_by_every_library(backend):
    options = {"sample_size": 20, "random_state": 3, "sample_among": "sample"}
    expected = gpuval.silhouette_score(X, LABELS, **options)
    found = gpuval.silhouette_score(backend.array(X), backend.array(LABELS), **options)
    assert float(found) == pytest.approx(float(expected), abs=1e-5)


def test_a_sample_among_itself_in_evaluate():
    measure = functools.partial(gpuval.silhouette_score, sample_size=20, random_state=3, sample_among="sample")
    found = gpuval.evaluate(None, LABELS, {"asw": measure}, X=X)
    assert found["asw"] == measure(X, LABELS)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"sample_among": "drawn", "sample_size": 9}, "sample_among must be one of 'all', 'sample', got 'drawn'"),
        ({"sample_among": "sample"}, "sample_size must be given with sample_among='sample', got None"),
        (
            {"sample_among": "sample", "sample_size": 9, "return_standard_error": True},
            "return_standard_error must be False with sample_among='sample', whose bias is not known, got True",
        ),
        (
            {"sample_among": "sample", "sample_size": 9, "metric": "precomputed"},
            "metric must be a distance of samples with sample_among='sample', got 'precomputed'",
        ),
    ],
)
def test_what_a_sample_among_itself_has_not(options, message):
    with pytest.raises(ValueError) as raised:
        gpuval.silhouette_score(X, LABELS, **options)
    assert str(raised.value) == message


def test_a_sample_of_one_cluster_has_no_score():
    labels = np.r_[np.zeros(N - 1, dtype=int), 1]
    options = {"sample_size": 4, "random_state": 0, "sample_among": "sample"}
    assert np.isnan(gpuval.silhouette_score(X, labels, on_degenerate="nan", **options))
    with pytest.raises(ValueError, match="labels must have more than one cluster"):
        gpuval.silhouette_score(X, labels, **options)


def test_nothing_is_drawn_from_global_state():
    np.random.seed(0)
    before = np.random.get_state()[1].copy()
    gpuval.silhouette_score(X, LABELS, sample_size=20)
    np.testing.assert_array_equal(np.random.get_state()[1], before)


def test_an_estimate_of_a_device_lies_there():
    backend = BACKENDS["strict"]
    arguments = backend.array(X), backend.array(LABELS)
    found = gpuval.silhouette_score(*arguments, sample_size=20, return_standard_error=True)
    for value in found:
        backend.assert_at_home(value, arguments[0])


@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
def test_the_rows_of_a_sample_go_to_the_device_once(metric, monkeypatch):
    backend, moved, from_host = BACKENDS["torch"], [], TorchBackend.from_host
    monkeypatch.setattr(TorchBackend, "from_host", lambda self, x, like: moved.append(x) or from_host(self, x, like))
    samples, labels, weights = (backend.array(x) for x in (X, LABELS, WEIGHTS))
    with backend.mode():
        gpuval.silhouette_score(samples, labels, metric=metric, sample_size=37, sample_weight=weights)
    assert sum(np.shape(x) == (37,) and len(set(x.tolist())) == 37 for x in moved) == 1


@pytest.mark.parametrize(
    ("option", "named"),
    [
        ({"sample_size": 2.5}, "sample_size"),
        ({"sample_size": 2, "random_state": -1}, "random_state"),
        ({"random_state": "seed"}, "random_state"),
        ({"stratified": True}, "sample_size"),
    ],
    ids=str,
)
def test_options_are_checked_also_where_there_is_no_score(option, named):
    with pytest.raises((TypeError, ValueError), match=f"^{named} must be"):
        gpuval.silhouette_score([[0.0], [1.0], [2.0]], [0, 0, 0], on_degenerate="nan", **option)
