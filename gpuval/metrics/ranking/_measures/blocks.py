"""The means over the queries of rows that Dask holds, of which each block gives sums."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from gpuval.engines import sum_over_blocks
from gpuval.engines.backends import backend_of, to_host
from gpuval.metrics.ranking.ranked import Ranked
from gpuval.numerics import Array
from gpuval.numerics.stable import added_sums, means_of


@dataclass(frozen=True)
class _BlockSums:
    """Sums for means over the queries of some blocks."""

    sums: Array | None
    """None if no query has a weight."""
    n_queries: int

    def __add__(self, other: _BlockSums) -> _BlockSums:
        n_queries = self.n_queries + other.n_queries
        if self.sums is None or other.sums is None:
            return _BlockSums(other.sums if self.sums is None else self.sums, n_queries)
        return _BlockSums(added_sums(self.sums, other.sums, backend_of(self.sums).xp), n_queries)


def check_gives_means(return_per_query: bool) -> None:
    """Check that the values of queries are not asked for, which blocks do not give."""
    if return_per_query:
        raise TypeError("return_per_query must be False where Dask holds y_true, as blocks give sums alone: compute it")


def means_over_blocks(
    add_up: Callable[[Ranked], Array], y_true: Any, y_score: Any, building: dict[str, Any]
) -> tuple[Array, int]:
    """The means of rows of which Dask holds whole ones in each block, and their number.

    ``add_up`` gives the sums of a ranking.
    """
    rows = {"y_true": y_true, "y_score": y_score, "mask": building["mask"]}
    for name in ("queries", "n_queries"):
        if building[name] is not None:
            raise TypeError(
                f"{name} must be left out where Dask holds y_true, as the documents of a query may lie in several "
                "blocks: compute y_true, y_score and queries, or give a row for each query"
            )
    for name, x in rows.items():
        if hasattr(x, "chunks") and x.ndim != 2:
            raise ValueError(
                f"{name} must have a row for each query where Dask holds it, got shape {x.shape}: compute it, or give "
                "rows"
            )
    of_queries = ("sample_weight", "n_relevant", "ideal")
    by_query = {name: building[name] for name in of_queries if hasattr(building[name], "__len__")}
    whole = {name: x for name, x in building.items() if name not in (*by_query, "mask") and x is not None}
    build = functools.partial(_sums_of_block, add_up=add_up, whole=whole)
    found = sum_over_blocks(build, {**rows, **by_query}, (*rows, "ideal"))
    if found.sums is None:
        raise ValueError(f"sample_weight must be above 0 for at least one query, got none of {found.n_queries}")
    return means_of(found.sums, backend_of(found.sums).xp), found.n_queries


def _sums_of_block(add_up: Callable[[Ranked], Array], whole: dict[str, Any], **block: Any) -> _BlockSums:
    """The sums of a block, which may have no queries, or none with a weight."""
    n_queries, weights = len(block["y_true"]), block.get("sample_weight")
    if not n_queries or (weights is not None and not bool(to_host((weights != 0).any()))):
        return _BlockSums(None, n_queries)  # of all rows of a ranking that is an error, of some it is none
    return _BlockSums(add_up(Ranked.from_scores(**block, **whole)), n_queries)
