"""The intervals that their measures are tested on: of one shape, as JAX compiles for each."""

from __future__ import annotations

from math import inf
from typing import Any

import interval_oracles as oracles
import numpy as np

DEGENERATE = (
    ((0, 4), (1, 7)),
    ((1, 7), (0, 4)),
    ((0, 4), (0, 4)),
    ((0, 4), (1, 3)),
    ((0, 4), (0, 1)),
    ((0, 4), (4, 5)),  # touching
    ((0, 4), (5, 7)),
    ((2, 2), (2, 2)),  # points
    ((2, 2), (3, 3)),
    ((2, 2), (0, 4)),
    ((0, 4), (4, 4)),
    ((0, inf), (0, inf)),
    ((-inf, inf), (-inf, inf)),
    ((0, inf), (-2, 2)),
    ((-2, 2), (-inf, 1)),
    ((-inf, inf), (0.5, 1)),
    ((3, 3), (0, inf)),
    ((0, inf), (-5, -1)),
    ((inf, inf), (0, inf)),  # a point at infinity
    ((-inf, -inf), (-inf, -inf)),
    ((0, 4), (inf, inf)),
)
"""Every way in which intervals lie to one another; each has a value."""

UNDEFINED = (((0, inf), (1, inf)), ((-inf, inf), (0, inf)), ((-inf, 0), (1, inf)))
"""Those that both are of infinite length."""

N_RANDOM = 16


def random_pairs() -> list[tuple[oracles.Interval, oracles.Interval]]:
    """Intervals whose ends any float holds, many of which have something in common."""
    ends = np.sort(np.random.default_rng(7).integers(-64, 64, (N_RANDOM, 2, 2)) / 8, axis=-1)
    return [(tuple(true), tuple(pred)) for true, pred in ends.tolist()]


PAIRS = (*DEGENERATE, *random_pairs())
N = len(PAIRS)
WEIGHTS = tuple(np.random.default_rng(8).integers(0, 5, N) / 4)
MASK = tuple(bool(x) for x in np.random.default_rng(9).integers(0, 3, N))


def arrays(pairs: Any = PAIRS) -> tuple[np.ndarray, np.ndarray]:
    """The true intervals and the predicted ones."""
    true, pred = (np.asarray(x, dtype=float) for x in zip(*pairs, strict=True))
    return true, pred


def values(call: str, pairs: Any = PAIRS) -> list[Any]:
    """The value of each sample by definition."""
    name, options = oracles.CALLS[call]
    return [oracles.of_sample(name, *pair, **options) for pair in pairs]
