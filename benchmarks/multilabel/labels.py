"""Matrices of labels and scores, and vectors of one label for each sample."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from benchmarks.workloads import NDArray


class Shape(NamedTuple):
    """The samples and classes of a matrix."""

    n_samples: int
    n_classes: int

    def __str__(self) -> str:
        return f"{self.n_samples} x {self.n_classes}"


class Sizes(NamedTuple):
    """The matrices of a run."""

    long: Shape
    """Of many samples."""
    wide: Shape
    """Of many classes."""
    rows: Shape
    """Of as many samples as scikit-learn scores one by one in each round."""

    sparse: Shape
    """Of label sets and sparse matrices."""


SIZES = Sizes(Shape(1_000_000, 20), Shape(10_000, 1000), Shape(2000, 20), Shape(1_000_000, 100_000))
SMOKE = Sizes(Shape(400, 4), Shape(100, 20), Shape(50, 4), Shape(2000, 1000))


class Matrices(NamedTuple):
    """Labels, predicted labels, and scores, which are probabilities that sum to 1 in each row."""

    true: NDArray
    pred: NDArray
    scores: NDArray

    def as_types(self, labels: type, scores: type = np.float64) -> Matrices:
        """The same as numbers of these types."""
        return Matrices(self.true.astype(labels), self.pred.astype(labels), self.scores.astype(scores))


def matrices(shape: Shape) -> Matrices:
    """A tenth of the labels are positive, at least one in each row and each column; scores are higher for these."""
    random = np.random.default_rng(0)
    true = random.random(shape) < 0.1
    places = np.arange(max(shape))
    true[places % shape.n_samples, places % shape.n_classes] = True
    scores = random.random(shape) + 0.5 * true
    return Matrices(true, scores > 0.9, scores / scores.sum(axis=1, keepdims=True))


def vectors(shape: Shape) -> tuple[NDArray, NDArray]:
    """One label for each sample, and a predicted one, which half of the time is the same."""
    random = np.random.default_rng(1)
    true, other = random.integers(0, shape.n_classes, (2, shape.n_samples))
    return true, np.where(random.random(shape.n_samples) < 0.5, true, other)
