"""Cells of blood: the measures of single cells beside what scib-metrics says of them.

The values are those of scib-metrics 0.5.10 with JAX 32 bits, of ``labels`` and ``batch`` as they are read here::

    silhouette_label(X, labels, rescale, metric=metric)
    silhouette_batch(X, labels, batch, rescale, metric=metric, between_cluster_distances=between)
"""

from __future__ import annotations

import csv
from pathlib import Path

import internal_oracles as oracles
import numpy as np
import pytest
import sklearn.metrics
from backends import BACKENDS

import gpuval

SCIB = {
    ("label", "euclidean", True): 0.550262451171875,
    ("batch", "euclidean", True, "nearest"): 0.8818230032920837,
    ("batch", "euclidean", True, "mean_other"): 0.8259856700897217,
    ("batch", "euclidean", True, "furthest"): 0.7484042644500732,
    ("label", "euclidean", False): 0.10052492469549179,
    ("batch", "euclidean", False, "nearest"): 0.11817698925733566,
    ("batch", "euclidean", False, "mean_other"): 0.1740143597126007,
    ("batch", "euclidean", False, "furthest"): 0.25159579515457153,
    ("label", "cosine", True): 0.6049073934555054,
    ("batch", "cosine", True, "nearest"): 0.7674967050552368,
    ("batch", "cosine", True, "mean_other"): 0.6919260025024414,
    ("batch", "cosine", True, "furthest"): 0.587885856628418,
    ("label", "cosine", False): 0.20981480181217194,
    ("batch", "cosine", False, "nearest"): 0.232503280043602,
    ("batch", "cosine", False, "mean_other"): 0.308074027299881,
    ("batch", "cosine", False, "furthest"): 0.41211414337158203,
}
"""Named by measure, metric, whether it was rescaled, and what batches are compared with."""


def cells():
    """The embedding, the types of the cells, and the clusters of another clustering, which stand for batches."""
    X = np.load(Path(__file__).parents[1] / "data" / "pbmc68k_reduced_pca.npz")["X_pca"]
    with (Path(gpuval.__file__).parent / "data" / "pbmc68k_reduced.csv").open() as file:
        rows = list(csv.DictReader(file))
    return X, *(np.asarray([row[name] for row in rows]) for name in ("bulk_labels", "louvain"))


X, LABELS, BATCH = cells()


def of(backend, call):
    name, metric, rescale, *between = call
    options = {"metric": metric, "rescale": rescale}
    if name == "label":
        return gpuval.silhouette_label(backend.of(X), LABELS, **options)
    return gpuval.silhouette_batch(backend.of(X), LABELS, BATCH, between_cluster_distances=between[0], **options)


@pytest.mark.parametrize("name", ["numpy", "torch", "torch-host", "strict-no-float64"])
@pytest.mark.parametrize("call", SCIB, ids=lambda call: "-".join(map(str, call)))
def test_scib_metrics_says_the_same(name, call):
    backend = BACKENDS[name]
    with backend.mode():
        assert float(backend.numpy(of(backend, call))) == pytest.approx(SCIB[call], abs=1e-5)


def test_the_numbers_are_of_this_data():
    """Another order of the cells would be seen."""
    backend = BACKENDS["numpy"]
    shuffled = np.random.default_rng(0).permutation(len(X))
    found = gpuval.silhouette_label(X[shuffled], LABELS)
    assert abs(found - float(of(backend, ("label", "euclidean", True)))) > 0.01
    assert X.shape == (700, 50)
    assert len(set(LABELS)) == 10


@pytest.mark.parametrize("metric", ["euclidean", "sqeuclidean", "cosine", "cityblock"])
def test_scikit_learn_says_the_same(metric):
    """In 64 bits, of each cell."""
    expected = sklearn.metrics.silhouette_samples(X.astype(float), LABELS, metric=metric)
    found = gpuval.silhouette_samples(X.astype(float), LABELS, metric=metric)
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-11)
    np.testing.assert_allclose(gpuval.silhouette_samples(X, LABELS, metric=metric), expected, atol=1e-5)


def test_centres_of_cells():
    names = LABELS.tolist()
    found = gpuval.calinski_harabasz_score(X, LABELS)
    assert found == pytest.approx(float(oracles.calinski_harabasz(X, names)), rel=1e-12)
    found = gpuval.davies_bouldin_score(X, LABELS)
    assert found == pytest.approx(float(oracles.davies_bouldin(X, names)), rel=1e-12)


def test_the_dunn_index_of_cells():
    from scipy.spatial.distance import cdist

    far, same = cdist(X.astype(float), X.astype(float)), LABELS[:, None] == LABELS
    assert gpuval.dunn_index(X, LABELS) == pytest.approx(far[~same].min() / far[same].max(), rel=1e-12)
