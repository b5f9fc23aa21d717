"""Scores of many labelings: those of separate calls, from one pass over the distances."""

from __future__ import annotations

import internal_oracles as oracles
import numpy as np
import pytest
from scipy import sparse

import gpuval
from gpuval.geometry.distances.products import ProductsOfGroups
from gpuval.geometry.means import pairs

RNG = np.random.default_rng(4)
N, K = 60, 5
X = RNG.normal(size=(N, 3)) + 2 * RNG.normal(size=(K, 3))[np.arange(N) % K]
LABELINGS = {
    "own": np.arange(N) % K,
    "coarse": np.arange(N) % 2,
    "fine": np.arange(N) % 10,
    "noisy": np.where(RNG.random(N) < 0.2, RNG.integers(0, K, N), np.arange(N) % K),
    "unrelated": RNG.integers(0, 4, N),
}
WEIGHTS = RNG.integers(0, 4, N)
METRICS = ["euclidean", "sqeuclidean", "cosine", "correlation", "cityblock", "precomputed"]


def given(metric):
    return np.asarray(oracles.distances(X, "euclidean"), dtype=np.float64) if metric == "precomputed" else X


@pytest.mark.parametrize("metric", METRICS)
def test_those_of_the_definition(metric):
    distances = oracles.distances(X, metric) if metric != "precomputed" else oracles.exact(given(metric))
    expected = [float(oracles.silhouette(distances, labels.tolist())) for labels in LABELINGS.values()]
    found = gpuval.silhouette_scores(given(metric), LABELINGS, metric=metric)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)


def test_a_label_to_ignore_that_some_labelings_can_hold():
    labelings = {"text": np.asarray(["x", "y"] * 30), "numbers": np.arange(N) % K}
    found = gpuval.silhouette_scores(X, labelings, ignore_labels=3)
    alone = [gpuval.silhouette_score(X, labelings["text"])]
    alone += [gpuval.silhouette_score(X, labelings["numbers"], ignore_labels=3)]
    np.testing.assert_allclose(found, alone, rtol=0, atol=1e-12)
    with pytest.raises(TypeError, match=r"^ignore_labels must be of a type that labelings\['text'\] could hold, got 3"):
        gpuval.silhouette_scores(X, {"text": labelings["text"]}, ignore_labels=3)


OPTIONS = {
    "nothing": {},
    "weights": {"sample_weight": WEIGHTS},
    "real weights": {"sample_weight": WEIGHTS / 4},
    "ignored": {"ignore_labels": 3},
    "sampled": {"sample_size": 20, "random_state": 3},
    "sampled with weights": {"sample_size": 20, "random_state": 3, "sample_weight": WEIGHTS / 4},
}


@pytest.mark.by_default
@pytest.mark.parametrize("options", OPTIONS)
def test_those_of_separate_calls(backend, options):
    options = OPTIONS[options]
    if "sample_size" in options and not (backend.finds_sizes and backend.sorts):
        options = {x: y for x, y in options.items() if x not in ("sample_size", "random_state")}
    sizes = {} if backend.finds_sizes else {"n_clusters": 10}
    x = backend.array(X)
    labelings = {name: backend.array(labels) for name, labels in LABELINGS.items()}
    options = {k: backend.array(v) if isinstance(v, np.ndarray) else v for k, v in options.items()} | sizes
    found = gpuval.silhouette_scores(x, labelings, **options)
    separate = [gpuval.silhouette_score(x, labels, **options) for labels in labelings.values()]
    backend.assert_at_home(found, x, (len(labelings),))
    expected = [float(backend.numpy(score)) for score in separate]
    np.testing.assert_allclose(backend.numpy(found), expected, rtol=0, atol=1e-12 if backend.has_float64 else 1e-5)


@pytest.mark.parametrize("size", [7, 16, 64])
@pytest.mark.parametrize("sums", [0, 1 << 28])
def test_in_small_tiles(monkeypatch, size, sums):
    expected = gpuval.silhouette_scores(X, LABELINGS, sample_weight=WEIGHTS)
    monkeypatch.setattr(pairs, "_WHOLE", ())
    monkeypatch.setattr(pairs, "_SIZE", size)
    monkeypatch.setattr(pairs, "_SUMS", sums)
    monkeypatch.setattr(pairs, "_bytes", lambda X: 0)
    np.testing.assert_allclose(gpuval.silhouette_scores(X, LABELINGS, sample_weight=WEIGHTS), expected, atol=1e-13)


def test_each_pair_is_gone_through_once(monkeypatch):
    seen, tile = [], ProductsOfGroups.tile

    def spied(self, prepared, columns):
        found = tile(self, prepared, columns)
        seen.append(found.size)
        return found

    monkeypatch.setattr(pairs, "_WHOLE", ())
    monkeypatch.setattr(pairs, "_SIZE", 10)
    monkeypatch.setattr(ProductsOfGroups, "tile", spied)
    gpuval.silhouette_scores(X, LABELINGS)
    assert sum(seen) == (N * N + 6 * 10 * 10) / 2  # with the pairs of samples of a block both ways


def test_labelings_in_whatever_form():
    import pandas as pd  # only here: a machine with a GPU may have none

    expected = gpuval.silhouette_scores(X, LABELINGS)
    texts = {name: [f"type {x}" for x in labels] for name, labels in LABELINGS.items()}
    for labelings in (list(LABELINGS.values()), tuple(LABELINGS.values()), pd.DataFrame(LABELINGS), texts):
        assert np.array_equal(gpuval.silhouette_scores(X, labelings), expected)
    assert np.array_equal(gpuval.silhouette_scores(X.tolist(), LABELINGS), expected)


def test_sparse_samples():
    for metric in ("euclidean", "cosine", "sqeuclidean"):
        expected = gpuval.silhouette_scores(X, LABELINGS, metric=metric)
        found = gpuval.silhouette_scores(sparse.csr_array(X), LABELINGS, metric=metric)
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)


def test_what_one_labeling_ignores_counts_in_another():
    """A sample that is no number counts nowhere, one that is ignored once counts elsewhere."""
    a, b = LABELINGS["own"].copy(), LABELINGS["coarse"].copy()
    a[:10], b[5:12] = -1, -1
    x = X.copy()
    x[5:10] = np.nan
    found = gpuval.silhouette_scores(x, [a, b], ignore_labels=-1)
    expected = [gpuval.silhouette_score(x, labels, ignore_labels=-1) for labels in (a, b)]
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)
    assert np.isfinite(found).all()


def test_degenerate_labelings():
    labelings = {"one": np.zeros(N, dtype=int), "own": LABELINGS["own"], "each": np.arange(N)}
    with pytest.raises(ValueError, match=r"labelings\['one'\] must have more than one cluster"):
        gpuval.silhouette_scores(X, labelings)
    found = gpuval.silhouette_scores(X, labelings, on_degenerate="nan")
    assert np.array_equal(np.isnan(found), [True, False, True])
    assert found[1] == pytest.approx(gpuval.silhouette_score(X, LABELINGS["own"]), abs=1e-13)
    assert np.isnan(gpuval.silhouette_scores(X, {"one": labelings["one"]}, on_degenerate="nan")).all()


@pytest.mark.parametrize(
    ("labelings", "options", "error", "text"),
    [
        ([], {}, ValueError, "labelings must have at least one label vector, got none"),
        (3, {}, TypeError, "labelings must be a mapping or a sequence of label vectors, got int"),
        (
            {"a": LABELINGS["own"][1:]},
            {},
            ValueError,
            r"\['a'\] must have as many samples as X \(60\), got 59",
        ),
        (LABELINGS, {"sample_size": 1}, ValueError, "sample_size must be from 2 to the number of samples"),
        (LABELINGS, {"random_state": -1, "sample_size": 9}, ValueError, "seeds must not be negative, got -1"),
        (LABELINGS, {"metric": "chebyshev"}, ValueError, "metric must be"),
        (
            [LABELINGS["own"], LABELINGS["unrelated"]],
            {"sample_size": 9, "ignore_labels": 1},
            ValueError,
            "labelings must ignore the same samples with sample_size",
        ),
    ],
)
def test_wrong_calls(labelings, options, error, text):
    with pytest.raises(error, match=text):
        gpuval.silhouette_scores(X, labelings, **options)
