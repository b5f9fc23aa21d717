"""The lists that measures of rankings are tested on: of few shapes, as JAX compiles for each."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from math import nan
from typing import Any

import numpy as np
import ranking_oracles as oracles
from backends import Backend

LISTS = (
    ((0, 2, 0, 1, 3, 0), (0.5, 0.5, 0.25, 0.5, 1, 0.25)),
    ((1,), (2,)),
    ((0, 0, 0), (-1, 2, 2)),
    ((0, 1, 1, 0), (0.5, 0.5, 0.5, 0.5)),
    ((2, 0, 1, 0, 0.5, 0), (-1, -2, 4, -2, -1, -3)),
)
"""Relevances and scores, all of which every float holds, of queries with ties of every kind; one has none relevant."""

N_QUERIES, LONGEST = len(LISTS), 6
N_RELEVANT = (5, 1, 2, 2, 4)
"""At least as many as each list has; with them the third has a value, too."""
IDEAL = ((3, 2, 0.5, 2, 1), (1,), (1, 2), (1, 1), (0.5, 1, 2, 1))
"""The relevances of as many relevant documents, which have all of the lists and others."""
WEIGHTS = (0.5, 3, 0, 1.25, 2)

CALLS: dict[str, tuple[str, dict[str, Any]]] = {
    f"{name} {n}": (name, {} if n is None else {"n": n}) for name in oracles.ORACLES for n in (None, 3, 9)
}
CALLS |= {
    f"{name} exponential {n}": (name, {"gain": "exponential", "n": n})
    for name in ("cumulative_gain", "dcg_score", "ndcg_score")
    for n in (None, 2)
}
CALLS |= {
    f"{name} jarvelin {gain}": (name, {"gain": gain, "discount": "jarvelin"})
    for name in ("dcg_score", "ndcg_score")
    for gain in ("linear", "exponential")
}
CALLS |= {
    f"average_precision_score {divisor} {n}": ("average_precision_score", {"divisor": divisor, "n": n})
    for divisor in ("relevant", "found")
    for n in (None, 2, 3)
}
"""Each measure with its options, also with more documents than a list has."""


def exact(
    name: str,
    options: Mapping[str, Any],
    *,
    ties: str = "average",
    weights: Any = None,
    n_relevant: Any = None,
    ideal: Any = None,
    on_undefined: str = "zero",
) -> Any:
    """The mean over the queries by definition."""
    values = of_each(name, options, ties=ties, n_relevant=n_relevant, ideal=ideal)
    return oracles.of_queries(values, weights, on_undefined)


def of_each(
    name: str, options: Mapping[str, Any], *, ties: str = "average", n_relevant: Any = None, ideal: Any = None
) -> list[Any]:
    """The value of each query by definition; None if it has none."""
    numbers = n_relevant if isinstance(n_relevant, tuple) else (n_relevant,) * N_QUERIES
    ideals = (None,) * N_QUERIES if ideal is None else ideal
    known = zip(numbers, ideals, strict=True)
    return [_of_list(i, name, tuple(options.items()), ties, *of_one) for i, of_one in enumerate(known)]


@cache
def _of_list(
    i: int, name: str, options: tuple[tuple[str, Any], ...], ties: str, n_relevant: int | None, ideal: Any
) -> Any:
    relevances, scores = LISTS[i]
    if ties == "stable":
        relevances, scores = oracles.stable(relevances, scores), None
    return oracles.of_scores(name, relevances, scores, n_relevant=n_relevant, ideal=ideal, **dict(options))


def flat(ids: Any = range(N_QUERIES), seed: int = 4) -> tuple[np.ndarray, np.ndarray, Any]:
    """Relevances, scores and queries in any order, but that of tied documents of a query."""
    ids = list(ids)
    queries = [i for i, (relevances, _) in enumerate(LISTS) for _ in relevances]
    np.random.default_rng(seed).shuffle(queries)
    rest = [iter(zip(*x, strict=True)) for x in LISTS]
    documents = [next(rest[i]) for i in queries]
    relevance, scores = (np.asarray(x, dtype=float) for x in zip(*documents, strict=True))
    return relevance, scores, np.asarray([ids[i] for i in queries])


def rows() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Relevances and scores in rows, which are padded with what could not be evaluated, and the mask."""
    relevance, scores = np.full((N_QUERIES, LONGEST), -7.0), np.full((N_QUERIES, LONGEST), nan)
    mask = np.zeros((N_QUERIES, LONGEST), dtype=bool)
    for i, (own, own_scores) in enumerate(LISTS):
        relevance[i, : len(own)], scores[i, : len(own)], mask[i, : len(own)] = own, own_scores, True
    return relevance, scores, mask


def rows_of_ideal() -> np.ndarray:
    """The relevances of IDEAL in rows that end in zeros."""
    return np.asarray([[*own, *[0] * (LONGEST - len(own))] for own in IDEAL], dtype=float)


def given(backend: Backend, form: str) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The lists as arguments: "flat" with sizes given, "rows", or "found", whose queries have gaps between them."""
    if form == "rows":
        *arrays, mask = map(backend.array, rows())
        return tuple(arrays), {"mask": mask}
    if form == "found":
        return tuple(map(backend.array, flat((-3, 0, 7, 8, 1000)))), {}
    return tuple(map(backend.array, flat())), {"n_queries": N_QUERIES}


def forms(backend: Backend) -> tuple[str, ...]:
    return ("flat", "rows", "found") if backend.finds_sizes else ("flat", "rows")


# ---- batches ---------------------------------------------------------------------------------------

BATCHED_METRICS = ["map", "mrr", "precision@2", "recall@2", "cg"]
BATCHED_ROWS = np.asarray(
    [
        *([0, 1, 2, 0], [0, 0, 0, 0], [3, 0, 0, 1]),
        *([0, 0, 0, 1], [1, 1, 1, 1], [0, 2, 0, 0]),
        *([1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 5, 1]),
    ]
)
"""Three batches of three queries: relevances in the order of the lists."""
BATCHED_SCORES = np.asarray([[0.9, 0.5, 0.25, 0.125]] * 9)
BATCHED_WEIGHTS = np.asarray([1, 2, 0, 3, 1, 1, 0, 4, 2])


def _of_batched_list(relevance: list[int]) -> list[Fraction | None]:
    """The values of ``BATCHED_METRICS`` of one list, by their definitions; None if it has no relevant document."""
    hits = [x > 0 for x in relevance]
    ranks = [k for k, hit in enumerate(hits, 1) if hit]
    if not ranks:
        return [None] * 5
    return [
        sum(Fraction(sum(hits[:k]), k) for k in ranks) / len(ranks),
        Fraction(1, ranks[0]),
        Fraction(sum(hits[:2]), 2),
        Fraction(sum(hits[:2]), len(ranks)),
        Fraction(sum(relevance)),
    ]


def batched_means(*, weighed: bool = True, skip: bool = False) -> list[Fraction]:
    """The weighted mean of each of ``BATCHED_METRICS``; where it is not defined it is 0, or the list is left out."""
    means, weights = [], BATCHED_WEIGHTS.tolist() if weighed else [1] * 9
    for values in zip(*map(_of_batched_list, BATCHED_ROWS.tolist()), strict=True):
        pairs = [(x or 0, w) for x, w in zip(values, weights, strict=True) if not (skip and x is None)]
        means.append(Fraction(sum(x * w for x, w in pairs), sum(w for _, w in pairs)))
    return means
