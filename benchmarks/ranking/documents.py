"""Documents of queries: flat and in any order, of which some are relevant."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from benchmarks.workloads import NDArray


class Flat(NamedTuple):
    """Relevance, score and query of each document, arrays or tensors."""

    relevance: Any
    scores: Any
    queries: Any


def flat(lengths: NDArray, n_scores: int | None = None) -> Flat:
    """Documents in any order, a tenth of them relevant by 1 to 3; ``n_scores`` scores above 0, or all distinct."""
    random = np.random.default_rng(0)
    queries = random.permutation(np.repeat(np.arange(len(lengths)), lengths))
    relevance = (random.random(len(queries)) < 0.1) * random.integers(1, 4, len(queries))
    if n_scores is not None:
        return Flat(relevance, random.integers(1, n_scores + 1, len(queries)) / n_scores, queries)
    return Flat(relevance, random.permutation(np.arange(1, len(queries) + 1)) / len(queries), queries)
