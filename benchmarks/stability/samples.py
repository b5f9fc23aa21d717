"""Samples whose number of clusters is known."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from benchmarks.workloads import NDArray

N_SAMPLES = 360


class Kind(NamedTuple):
    """A kind of data sets."""

    draw: Callable[[np.random.Generator, int], NDArray]
    """Of a generator and the number of samples: the samples."""
    answers: tuple[int, ...]
    """The numbers of clusters that are right. It is 1 without clusters; then to say none is right, too."""


def _around(centres: NDArray, shares: NDArray | None = None, spread: NDArray | float = 1.0) -> Kind:
    """Normally distributed groups around centres."""
    k = len(centres)
    sizes = np.full(k, 1 / k) if shares is None else shares

    def draw(random: np.random.Generator, n_samples: int) -> NDArray:
        counts = np.diff(np.round(np.concatenate([[0.0], np.cumsum(sizes)]) * n_samples).astype(int))
        found: NDArray = np.repeat(centres, counts, axis=0) + spread * random.normal(size=(n_samples, centres.shape[1]))
        return found

    return Kind(draw, (k,))


def _corners(n_corners: int, distance: float) -> NDArray:
    """Points of which each two have this distance."""
    return np.eye(n_corners) * distance / np.sqrt(2)


def _circle(n: int, radius: float) -> NDArray:
    angles = 2 * np.pi * np.arange(n) / n
    return radius * np.stack([np.cos(angles), np.sin(angles)], axis=1)


_NESTED = np.concatenate([place + _circle(3, 3.5) for place in _circle(3, 14.0)])

KINDS = {
    "separated": _around(_corners(4, 8.0)),
    "overlapping": _around(_corners(4, 3.5)),
    "unequal": _around(_corners(4, 6.0), np.asarray([0.6, 0.25, 0.1, 0.05])),
    "elongated": _around(np.asarray([[0.0, 0.0], [0.0, 5.0], [0.0, 10.0]]), spread=np.asarray([6.0, 0.8])),
    "nested": _around(_NESTED)._replace(answers=(3, 9)),
    "one Gaussian": _around(np.zeros((1, 5))),
    "uniform box": Kind(lambda random, n_samples: random.uniform(size=(n_samples, 2)), (1,)),
}
"""4 equally distant groups, far and near; of 60, 25, 10 and 5 % of the samples; 3 long ones; 3 groups of 3; none."""
