"""Silhouettes of single cells: those of each label, and what a sample of the cells tells of all."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from math import comb

import internal_cases as cases
import internal_oracles as oracles
import numpy as np
import pytest
import torch
from backends import BACKENDS
from only_for import only_for

import gpuval
from gpuval.geometry.distances.products import ProductsOfGroups

RNG = np.random.default_rng(11)
SIZES = [90, 50, 24, 6, 5, 4]
LABELS = RNG.permutation(np.repeat(np.arange(len(SIZES)), SIZES))
N = len(LABELS)
BATCH = RNG.integers(0, 3, N)
BATCH[LABELS == 3] = 1  # a label of one batch
BATCH[LABELS == 5] = [0, 1, 2, 3]  # and one each of whose cells is of its own
X = RNG.normal(size=(N, 3)) + RNG.normal(size=(len(SIZES), 3))[LABELS] + 0.7 * RNG.normal(size=(4, 3))[BATCH]
SCORED = [0, 1, 2, 4]
"""The labels with a silhouette of their batches."""

NUMPY = BACKENDS["numpy"]


def of_labels(X, labels, batch, **options):
    return gpuval.silhouette_label(X, labels, **options)


FUNCTIONS = {"label": of_labels, "batch": gpuval.silhouette_batch}


# ---- of each label -------------------------------------------------------------------------------


def exact_by_label(function, case, metric, bits):
    """By the definitions: of each label the mean of its silhouettes, of types or of batches; None if it has none."""
    labels, D = cases.case(case)[1].tolist(), cases.distances(case, metric, bits)
    if function == "label":
        each = oracles.silhouettes(D, labels)
        by_label = {label: [(1 + each[i]) / 2 for i in rows] for label, rows in oracles.members(labels).items()}
    else:
        of_batches = oracles.silhouettes_by_label(D, labels, cases.batches(case).tolist())
        by_label = {label: [1 - abs(s) for s in values] for label, values in of_batches.items()}
    return {label: oracles.mean(values) if values else None for label, values in sorted(by_label.items())}


@pytest.mark.by_default(once=True)
@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
@pytest.mark.parametrize("function", FUNCTIONS)
@only_for(lambda backend, metric: backend.finds_sizes and (not backend.compiles or metric != "cosine"))
def test_scores_of_each_label(backend, function, metric):
    bits = 64 if backend.has_float64 else 32
    for case in ("normal",) if backend.compiles else ("normal", "duplicates", "singles"):
        X, labels = cases.case(case, bits)
        given, of_each, batch = backend.of(X), backend.array(labels), backend.array(cases.batches(case))
        options = {"metric": metric, "return_per_label": True}
        found = FUNCTIONS[function](given, of_each, batch, **options)
        expected = exact_by_label(function, case, metric, bits)
        assert backend.numpy(found.labels).tolist() == list(expected)
        assert type(found.labels) is type(given)
        for vector in (found.label_scores, found.label_standard_errors):
            backend.assert_at_home(vector, given, (len(expected),))
        close = 1e-12 if backend.has_float64 else 1e-5
        wanted = np.asarray([np.nan if x is None else float(x) for x in expected.values()])
        np.testing.assert_allclose(backend.numpy(found.label_scores), wanted, rtol=0, atol=close)
        errors = np.where(np.isnan(wanted) & (function == "batch"), np.nan, 0)
        np.testing.assert_array_equal(backend.numpy(found.label_standard_errors), errors)
        for score in (found.score, found.standard_error):
            backend.assert_at_home(score, given)
        whole = FUNCTIONS[function](given, of_each, batch, metric=metric)
        assert float(backend.numpy(found.score)) == float(backend.numpy(whole))
        assert float(backend.numpy(found.standard_error)) == 0


@pytest.mark.parametrize("function", FUNCTIONS)
def test_without_rescaling(function):
    rescaled, plain = (
        FUNCTIONS[function](X, LABELS, BATCH, rescale=rescale, return_per_label=True, sample_size=60, random_state=2)
        for rescale in (True, False)
    )
    scores, shrunk = (2 * rescaled.label_scores - 1, 2) if function == "label" else (1 - rescaled.label_scores, 1)
    np.testing.assert_allclose(plain.label_scores, scores, rtol=0, atol=1e-14)
    np.testing.assert_allclose(plain.label_standard_errors, shrunk * rescaled.label_standard_errors, rtol=1e-13)
    assert plain.standard_error == pytest.approx(shrunk * rescaled.standard_error, rel=1e-13)


NAMES = np.asarray(["p", "q", "r", "s", "t", "u"])
KINDS = {
    "text": (NAMES[LABELS], list("pqrstu")),
    "list of text": (NAMES[LABELS].tolist(), list("pqrstu")),
    "categories": (None, list("pqrstu")),
    "numbers with gaps": (LABELS * 3 - 2, [-2, 1, 4, 7, 10, 13]),
    "numbers far apart": (LABELS * 10**12, [x * 10**12 for x in range(6)]),
    "floats": (LABELS.astype(float), list(range(6))),
    "list of numbers": (LABELS.tolist(), list(range(6))),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("function", FUNCTIONS)
def test_labels_of_any_kind(function, kind):
    """They come with their scores, and of those that have no cells there is nothing."""
    labels, expected = KINDS[kind]
    if labels is None:
        import pandas as pd  # only here: a machine with a GPU may have none

        labels = pd.Categorical(NAMES[LABELS], [*"pqrstu", "unused"])
    wanted = FUNCTIONS[function](X, LABELS, BATCH, return_per_label=True)
    for given in (X, torch.asarray(X)):
        found = FUNCTIONS[function](given, labels, BATCH, return_per_label=True)
        assert found.labels.tolist() == expected
        np.testing.assert_allclose(np.asarray(found.label_scores), wanted.label_scores, rtol=1e-13)
        is_text = isinstance(expected[0], str)
        assert type(found.labels) is (np.ndarray if is_text else type(given))


def test_labels_that_are_ignored_are_not_there():
    batch = np.where(LABELS == 1, -1, BATCH)  # all cells of a label in batches that do not count
    for function, others, rows in (
        (of_labels, BATCH, LABELS != 4),
        (gpuval.silhouette_batch, BATCH, LABELS != 4),
        (gpuval.silhouette_batch, batch, LABELS != 1),
    ):
        ignored = 4 if others is BATCH else -1
        found = function(X, LABELS, others, ignore_labels=ignored, return_per_label=True)
        wanted = function(X[rows], LABELS[rows], others[rows], return_per_label=True)
        assert found.labels.tolist() == sorted(set(LABELS[rows].tolist()))
        np.testing.assert_array_equal(found.labels, wanted.labels)
        np.testing.assert_allclose(found.label_scores, wanted.label_scores, rtol=1e-13)


@pytest.mark.parametrize("sample_size", [None, 3])
def test_no_score_has_its_labels(sample_size):
    for function, labels in ((of_labels, [7, 8, 3, 9]), (gpuval.silhouette_batch, [7, 7, 3, 3])):
        options = {"on_degenerate": "nan", "sample_size": sample_size}
        found = function(X[:4], labels, [0, 1, 2, 3], return_per_label=True, **options)
        assert found.labels.tolist() == sorted(set(labels))
        assert np.isnan([found.score, found.standard_error, *found.label_scores, *found.label_standard_errors]).all()
        assert found.label_scores.shape == found.label_standard_errors.shape == found.labels.shape
        two = function(X[:4], labels, [0, 1, 2, 3], return_standard_error=True, **options)
        assert two._fields == ("score", "standard_error")
        assert np.isnan(two).all()


def test_of_precomputed_distances():
    """Of an array, of tensors and of a function that gives them."""
    D = np.sqrt(((X[:, None, :] - X[None, :, :]) ** 2).sum(axis=2))
    wanted = gpuval.silhouette_label(X, LABELS, return_per_label=True, sample_size=40, random_state=0)
    for given in (D, torch.asarray(D), lambda start, stop: torch.asarray(D[start:stop])):
        options = {"metric": "precomputed", "sample_size": 40, "random_state": 0}
        found = gpuval.silhouette_label(given, LABELS, return_per_label=True, **options)
        for value, expected in zip(found, wanted, strict=True):
            np.testing.assert_allclose(np.asarray(value), expected, rtol=1e-9)


# ---- of a sample ---------------------------------------------------------------------------------


class Scripted(np.random.Generator):
    """A generator that draws what it is told to."""

    def __init__(self, draws):
        super().__init__(np.random.PCG64(0))
        self.draws = list(draws)

    def choice(self, a, size, replace=True):
        assert replace is False
        draw = self.draws.pop(0)
        assert len(draw) == size
        return np.asarray(a)[list(draw)] if np.ndim(a) else np.asarray(draw)


FEW = np.asarray([0] * 7 + [1] * 4 + [2] * 2)
FEW_BATCHES = np.asarray([0, 0, 1, 1, 2, 0, 1, 0, 0, 1, 1, 0, 0])
FEW_CELLS = np.random.default_rng(5).integers(0, 9, (len(FEW), 2)).astype(float)
EACH = {
    "label": ({"stratified": True, "sample_size": 7}, {0: (7, 3), 1: (4, 2), 2: (2, 2)}),
    "batch": ({"sample_size": 6}, {0: (7, 3), 1: (4, 3)}),
}
"""Of each label how many cells there are, and how many are drawn: in proportion and at least two, or equally many."""


@pytest.mark.parametrize("function", FUNCTIONS)
def test_over_all_draws_nothing_is_biased(function):
    """The mean of the estimates is the score; and the mean of the squared standard errors is their variance.

    Of the score as of each label: all draws there are have the same probability, and are gone through.
    """
    options, strata = EACH[function]
    every = list(product(*(combinations(range(n), take) for n, take in strata.values())))
    assert len(every) == np.prod([comb(n, take) for n, take in strata.values()])
    draws = [
        FUNCTIONS[function](FEW_CELLS, FEW, FEW_BATCHES, return_per_label=True, random_state=Scripted(x), **options)
        for x in every
    ]
    full = FUNCTIONS[function](FEW_CELLS, FEW, FEW_BATCHES, return_per_label=True)
    for score, error in (("score", "standard_error"), ("label_scores", "label_standard_errors")):
        found = np.asarray([getattr(x, score) for x in draws])
        squares = np.asarray([getattr(x, error) for x in draws]) ** 2
        np.testing.assert_allclose(found.mean(axis=0), getattr(full, score), rtol=1e-13)
        np.testing.assert_allclose(squares.mean(axis=0), found.var(axis=0), rtol=1e-12, atol=1e-28)
    assert found.var(axis=0)[0] > 1e-4


class Counted(np.random.Generator):
    """A generator that notes how many it draws of how many."""

    def __init__(self):
        super().__init__(np.random.PCG64(0))
        self.number = {}

    def choice(self, a, size, replace=True):
        self.number[int(a)] = int(size)
        return super().choice(a, size, replace)


@pytest.mark.parametrize("size", [8, 9, 17, 20, 21, 35, 36, 80, 130, 168, 169])
def test_labels_are_drawn_from_equally_often(size):
    """As often as their cells allow: none is drawn from more than once more often than one that has cells left."""
    random = Counted()
    gpuval.silhouette_batch(X, LABELS, BATCH, sample_size=size, random_state=random)
    number = random.number
    assert sorted(number) == sorted(SIZES[x] for x in SCORED)
    assert sum(number.values()) == size
    assert all(min(n, 2) <= take <= n for n, take in number.items())
    assert max(number.values()) <= 1 + min((take for n, take in number.items() if take < n), default=max(SIZES))


def test_over_all_draws_of_any_labels_nothing_is_biased():
    """Where strata are not asked for, the estimate of a label is right on average over the draws with its cells."""
    every = list(combinations(range(len(FEW)), 4))
    draws = [
        gpuval.silhouette_label(
            FEW_CELLS, FEW, sample_size=4, random_state=Scripted([x]), return_per_label=True, rescale=False
        )
        for x in every
    ]
    full = gpuval.silhouette_label(FEW_CELLS, FEW, return_per_label=True, rescale=False)
    scores, squares = np.asarray([x.score for x in draws]), np.asarray([x.standard_error for x in draws]) ** 2
    assert scores.mean() == pytest.approx(full.score, rel=1e-13)
    assert squares.mean() == pytest.approx(scores.var(), rel=1e-12)
    number = np.asarray([[(FEW[list(x)] == label).sum() for label in range(3)] for x in every])
    means = np.asarray([x.label_scores for x in draws])
    errors = np.asarray([x.label_standard_errors for x in draws])
    np.testing.assert_array_equal(np.isnan(means), number == 0)
    np.testing.assert_array_equal(np.isnan(errors), number < 2)
    for label in range(3):
        for times in range(1, 1 + min(4, np.count_nonzero(label == FEW))):
            of = number[:, label] == times
            found = means[of, label]
            np.testing.assert_allclose(found.mean(), full.label_scores[label], rtol=1e-12)
            if times > 1:
                np.testing.assert_allclose((errors[of, label] ** 2).mean(), found.var(), rtol=1e-11, atol=1e-30)


def test_a_standard_error_is_that_of_its_definition():
    """In fractions: cells on a line, whose silhouettes are quotients of integers."""
    cells, labels, batch = [0, 1, 3, 7, 2, 9, 4, 4, 8], [0] * 5 + [1] * 4, [0, 0, 1, 1, 0, 1, 0, 1, 1]
    drawn = {0: (0, 2, 3), 1: (1, 3)}
    means, squares = [], []
    for label, places in drawn.items():
        rows = [i for i, x in enumerate(labels) if x == label]
        values = [abs(_silhouette(cells, batch, rows, rows[place])) for place in places]
        n = len(values)
        means.append(sum(values) / n)
        variance = sum((x - means[-1]) ** 2 for x in values) / (n - 1)
        squares.append((1 - Fraction(n, len(rows))) * variance / n)
    found = gpuval.silhouette_batch(
        np.asarray(cells, float)[:, None],
        labels,
        batch,
        sample_size=5,
        random_state=Scripted(drawn.values()),
        return_per_label=True,
    )
    np.testing.assert_allclose(found.label_scores, [float(1 - x) for x in means], rtol=1e-14)
    np.testing.assert_allclose(found.label_standard_errors**2, [float(x) for x in squares], rtol=1e-13)
    assert found.score == pytest.approx(float(1 - sum(means) / 2), rel=1e-14)
    assert found.standard_error**2 == pytest.approx(float(sum(squares) / 4), rel=1e-13)


def _silhouette(cells, batch, rows, i):
    def mean_to(others):
        return Fraction(sum(abs(cells[i] - cells[j]) for j in others), len(others))

    own = [j for j in rows if batch[j] == batch[i] and j != i]
    if not own:
        return Fraction(0)
    a, b = mean_to(own), mean_to([j for j in rows if batch[j] != batch[i]])
    return (b - a) / max(a, b)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_all_of_them_are_no_estimate(function):
    n = N if function == "label" else sum(SIZES[x] for x in SCORED)
    whole = FUNCTIONS[function](X, LABELS, BATCH, return_per_label=True)
    found = FUNCTIONS[function](X, LABELS, BATCH, return_per_label=True, sample_size=n)
    for value, expected in zip(found, whole, strict=True):
        np.testing.assert_allclose(value, expected, rtol=1e-13)
    assert found.standard_error == 0


@pytest.mark.parametrize("how", [{}, {"metric": "cosine", "between_cluster_distances": "mean_other"}], ids=str)
def test_the_standard_error_covers_what_it_says(how):
    """Of 300 draws: within 1.96 standard errors of the estimate is the score of all in about 95 of 100.

    Of labels of which more than a few cells are drawn: with two, a standard error is not known well itself.
    """
    rows = np.isin(LABELS, [0, 1, 2])
    given = X[rows], LABELS[rows], BATCH[rows]
    full, random = gpuval.silhouette_batch(*given, **how), np.random.default_rng(1)
    options = {"sample_size": 80, "random_state": random, "return_standard_error": True, **how}
    found = np.asarray([gpuval.silhouette_batch(*given, **options) for _ in range(300)])
    spread = found[:, 0].std(ddof=1)
    assert spread > 1e-3
    assert abs(found[:, 0].mean() - full) < 4 * spread / np.sqrt(300)
    assert np.sqrt((found[:, 1] ** 2).mean()) == pytest.approx(spread, rel=0.15)
    assert 0.9 < (abs(found[:, 0] - full) < 1.96 * found[:, 1]).mean() < 0.99


@only_for(lambda backend: backend.finds_sizes and not backend.compiles)  # for each shape that is drawn
def test_every_backend_draws_the_same(backend):
    given = backend.array(X), backend.array(LABELS), backend.array(BATCH)
    options = {"sample_size": 60, "random_state": 4, "return_per_label": True}
    for function, how in ((of_labels, {}), (of_labels, {"stratified": True}), (gpuval.silhouette_batch, {})):
        expected = function(X, LABELS, BATCH, **options, **how)
        found = function(*given, **options, **how)
        for value, wanted in zip(found, expected, strict=True):
            assert type(value) is (type(given[0]) if backend is not NUMPY else type(wanted))
            np.testing.assert_allclose(
                backend.numpy(value), wanted, rtol=1e-10 if backend.has_float64 else 1e-4, atol=1e-7
            )


def test_the_same_seed_draws_the_same():
    def score(random_state):
        return gpuval.silhouette_batch(X, LABELS, BATCH, sample_size=50, random_state=random_state)

    assert score(3) == score(3) == score(np.random.default_rng(3))
    assert score(3) != score(4)


def test_cells_are_compared_with_all_of_their_label(monkeypatch):
    """And what is not drawn, or has no score, is no row of a tile."""
    seen, tile = [], ProductsOfGroups.tile

    def spied(self, prepared, columns):
        found = tile(self, prepared, columns)
        seen.append(found.shape)
        return found

    monkeypatch.setattr(ProductsOfGroups, "tile", spied)
    gpuval.silhouette_batch(X, LABELS, BATCH, sample_size=11)  # up to half of the cells of each label
    columns = np.asarray([SIZES[x] for x in SCORED])
    assert sorted({x for _, x in seen}) == sorted(columns.tolist())
    assert sum(rows for rows, _ in seen) == 11
    assert sorted(rows for rows, _ in seen) == [2, 3, 3, 3]


class Unread:
    """Cells of which nothing may be read."""

    def __getattr__(self, name):
        raise AssertionError(f"{name} is read before the options are checked")


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("option", [{"sample_size": 2.5}, {"sample_size": 9, "random_state": -1}], ids=str)
def test_options_are_checked_before_the_work(function, option):
    with pytest.raises((TypeError, ValueError), match=f"^{list(option)[-1]} must be"):
        FUNCTIONS[function](Unread(), LABELS, BATCH, **option)
