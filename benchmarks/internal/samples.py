"""The samples and labels of a point, as gpuval gets them and as scikit-learn does: the same numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from benchmarks.internal.points import Point
from benchmarks.workloads import NDArray, Pair, around_centres

ENTRIES = 50
"""Of a row of sparse text."""


@dataclass(frozen=True)
class Given:
    """Samples (or distances) and labels for each side."""

    ours: Pair
    theirs: Pair


def given(point: Point) -> Given:
    """The same for the same point, whenever it is asked for."""
    return KINDS[point.kind](point)


def _blobs(point: Point, dtype: str) -> Pair:
    """Samples that differ as much within clusters as the centres of these do."""
    return around_centres(1, point.n_samples, point.n_features, point.n_clusters, dtype)


def _same(made: Callable[[Point], Pair]) -> Callable[[Point], Given]:
    def on_both_sides(point: Point) -> Given:
        pair = made(point)
        return Given(pair, pair)

    return on_both_sides


def _distances(point: Point) -> Pair:
    from sklearn.metrics import pairwise_distances

    X, labels = _blobs(point, "float64")
    distances = pairwise_distances(X).astype(point.dtype)
    distances = np.maximum(distances, distances.T)  # symmetric, as some of these were rounded in another way
    np.fill_diagonal(distances, 0)
    return distances, labels


def _sorted(point: Point) -> Pair:
    distances, labels = _distances(point)
    order = np.argsort(labels, kind="stable")
    return np.ascontiguousarray(distances[np.ix_(order, order)]), labels[order]


def _far(offset: float) -> Callable[[Point], Pair]:
    """Two groups, as of two modalities, apart by so many standard deviations in each feature; labels are random."""

    def made(point: Point) -> Pair:
        rng = np.random.default_rng(0)
        X = rng.standard_normal((point.n_samples, point.n_features))
        X += offset * (rng.random(point.n_samples) < 0.5)[:, None]
        return X.astype(point.dtype), rng.integers(0, point.n_clusters, point.n_samples)

    return made


def _text(point: Point) -> Pair:
    """Rows as of TF-IDF: few words, of which the labels say half, each row of norm 1."""
    from scipy import sparse

    rng = np.random.default_rng(0)
    n, d, k = point.n_samples, point.n_features, point.n_clusters
    labels = rng.integers(0, k, n)
    entries = min(ENTRIES, d // 10)
    topics = rng.integers(0, d, (k, 10 * entries))
    of_topic = np.take_along_axis(topics[labels], rng.integers(0, 10 * entries, (n, entries)), axis=1)
    words = np.where(rng.random((n, entries)) < 0.5, of_topic, rng.integers(0, d, (n, entries)))
    values = rng.random((n, entries)) + 0.1
    values /= np.linalg.norm(values, axis=1, keepdims=True)
    shape, rows = (n, d), np.repeat(np.arange(n), entries)
    return sparse.csr_matrix((values.ravel().astype(point.dtype), (rows, words.ravel())), shape), labels


def _tenth(point: Point) -> Pair:
    """A tenth of the entries filled, with numbers that are not negative."""
    from scipy import sparse

    X, labels = _blobs(point, point.dtype)
    is_filled = np.random.default_rng(1).random(X.shape) < 0.1
    return sparse.csr_matrix(np.abs(X) * is_filled), labels


def _gradient(point: Point) -> Given:
    X, labels = _blobs(point, point.dtype)
    samples, groups = _tensors(X, labels)
    return Given((samples.requires_grad_(), groups), (X, labels))


def _tensor(point: Point) -> Given:
    """Tensors of a dtype that NumPy need not have; scikit-learn gets their numbers in 32 bits."""
    import torch

    samples, labels = _tensors(*_blobs(point, "float32"))
    samples = samples.to(getattr(torch, point.dtype))
    return Given((samples, labels), (samples.float().numpy(), labels.numpy()))


def _tensors(X: NDArray, labels: NDArray) -> Pair:
    import torch

    return torch.asarray(X, copy=True), torch.asarray(labels)


KINDS: Mapping[str, Callable[[Point], Given]] = {
    "blobs": _same(lambda point: _blobs(point, point.dtype)),
    "distances": _same(_distances),
    "distances, sorted": _same(_sorted),
    "far 30": _same(_far(30)),
    "far 1000": _same(_far(1000)),
    "sparse text": _same(_text),
    "sparse tenth": _same(_tenth),
    "gradient": _gradient,
    "tensor": _tensor,
}
"""What makes the samples of each kind."""
