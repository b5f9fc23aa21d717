"""The result of ``gpuval.ranking.evaluate``: scores by their names, which print as a table and convert to pandas."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gpuval.display.mappings import NamedResults, Shown, ShownTable
from gpuval.display.safe_text import shown_name
from gpuval.engines.backends.trees import as_tree
from gpuval.evaluation.ranking.names import SHORT_RANKING_NAMES
from gpuval.evaluation.results.scores import equal, parts, plain, printed
from gpuval.inputs.options import needed
from gpuval.metrics.ranking._measures.public import QueryValues
from gpuval.table.labels import pandas_index

__all__ = ["RankingScores"]


@as_tree
@dataclass(frozen=True, eq=False, repr=False)
class RankingScores(NamedResults[Any, Any]):
    """Scores of a ranking by the names of their measures: the result of :func:`evaluate`. It prints as a table.

    The names are the full names of the measures, with "@n" if that was asked for, or the names that a mapping gave
    them. ``scores["map"]`` finds a score by the short name of its measure, too. For JAX and PyTorch it is a tree of its
    numbers, so a function under ``jax.jit`` can return it. Two results are equal if they have the same names and the
    same scores, on whatever devices the scores are.

    Examples
    --------
    >>> from gpuval import ranking
    >>> scores = ranking.evaluate([[1, 0, 0], [0, 0, 0]], [[0.1, 0.9, 0.5], [0.3, 0.2, 0.1]], metrics=["map", "mrr"])
    >>> scores
                              score  queries  undefined
    average_precision_score  0.1667        2          1
    reciprocal_rank_score    0.1667        2          1
    >>> round(float(scores["map"]), 4), scores.n_queries
    (0.1667, 2)
    """

    names: tuple[Any, ...]
    """The names of the scores."""
    values_of_names: list[Any]
    """The score of each name."""
    counts_of_undefined: list[Any]
    """For each name the number of queries for which its measure is not defined; None for your own function."""
    values_of_queries: list[Any] | None
    """For each name the value of each query, or None for your own function; only with ``return_per_query=True``."""
    queries: Any
    """The sorted queries with ``return_per_query=True``; else None."""
    shape: tuple[int]
    """The number of queries."""

    @property
    def n_queries(self) -> int:
        """The number of queries."""
        return self.shape[0]

    @property
    def n_undefined(self) -> dict[Any, Any]:
        """The number of queries for which each measure is not defined.

        For most measures these are the queries without a relevant document. ``on_undefined`` decides what such a query
        counts. Your own functions are not in this mapping.
        """
        counts = zip(self.names, self.counts_of_undefined, strict=True)
        return {name: count for name, count in counts if count is not None}

    def per_query(self, name: Any) -> QueryValues:
        """The score of one measure with the queries and the value of each query, as the measure itself returns them.

        Raises
        ------
        ValueError
            Without ``return_per_query=True`` in :func:`evaluate`.
        KeyError
            If there is no such name, or if it is the name of your own function.
        """
        if self.values_of_queries is None:
            raise ValueError("per_query() needs the values of queries; give return_per_query=True to evaluate")
        values = self.values_of_queries[self._place(name)]
        if values is None:
            raise KeyError(name)
        return QueryValues(self[name], self.queries, values)

    def _place(self, name: Any) -> int:
        for known in (name, _full(name)):
            if known in self.names:
                return self.names.index(known)
        raise KeyError(name)

    def __getitem__(self, name: Any) -> Any:
        return self.values_of_names[self._place(name)]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Mapping):
            return NotImplemented
        return set(self) == set(other) and all(equal(score, other[name]) for name, score in self.items())

    def _tables(self) -> Sequence[Shown]:
        undefined = self.n_undefined
        rows = []
        for name, score in parts(self):
            count = printed(undefined[name]) if name in undefined else ""
            rows.append([shown_name(name), printed(score), str(self.n_queries), count])
        return [ShownTable(["", "score", "queries", "undefined"], rows)]

    def to_dict(self) -> dict[Any, Any]:
        """The scores as Python numbers, and arrays as nested lists (copies to the host)."""
        return {name: plain(score) for name, score in parts(self)}

    def to_pandas(self) -> Any:
        """The scores as a pandas DataFrame (copies to the host).

        It has a row for each measure and the columns ``score``, ``n_queries`` and ``n_undefined``. ``n_undefined`` is
        missing for your own functions.
        """
        with needed("to_pandas()", "pandas"):
            import pandas as pd

        scores, undefined = self.to_dict(), self.n_undefined
        counts = [plain(undefined[name]) if name in undefined else None for name in scores]
        columns = {
            "score": list(scores.values()),
            "n_queries": self.n_queries,
            "n_undefined": pd.array(counts, dtype="Int64"),
        }
        return pd.DataFrame(columns, index=pandas_index(pd, list(scores), tupleize_cols=False))


def _full(name: Any) -> Any:
    """The full name of a measure, for its short one in any case, with what is after the "@"."""
    if not isinstance(name, str):
        return name
    key, at, digits = name.lower().partition("@")
    return f"{SHORT_RANKING_NAMES.get(key, key)}{at}{digits}"
