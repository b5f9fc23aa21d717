"""The measures of an evaluation, and what they give for a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from gpuval.measures.result import as_result
from gpuval.numerics import Array
from gpuval.registry.facts import Direction
from gpuval.registry.families import formula_of, is_measure
from gpuval.registry.requests import Metrics, read_metrics
from gpuval.results.evaluations import Evaluation
from gpuval.results.scores import SampleCounts, is_score
from gpuval.results.texts import directions_of
from gpuval.table.contingency import Contingency

_FOR_COUNTS_ONLY = (
    "adjusted_bcubed_f_score",
    "adjusted_bcubed_precision_score",
    "adjusted_bcubed_recall_score",
    "adjusted_mutual_info_score",
    "expected_mutual_info",
    "standardized_rand_score",
)
"""Measures that are defined for tables of counts only."""


@dataclass(frozen=True)
class TableMeasures:
    """Measures of a table by their names."""

    functions: Mapping[Any, Callable[..., Any]]
    are_named: bool
    """Whether each was asked for: then one that is not defined for a table raises, else it is left out."""
    directions: Mapping[Any, Direction] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "directions", directions_of(self.functions))

    @classmethod
    def read(cls, metrics: Metrics) -> TableMeasures:
        """Those that ``metrics`` stands for."""
        return cls(*read_metrics(metrics))

    @property
    def are_formulas(self) -> bool:
        """Whether an engine may evaluate all of them."""
        return all(formula_of(x) is not None for x in self.functions.values())

    def evaluate(self, table: Contingency, n_given: int | None, like: Array | None = None) -> Evaluation:
        """The scores of a table, in its library or in that of ``like``.

        ``n_given`` is of how many samples some may have been left out, if that is known.
        """
        table = table.with_none_left_invalid()
        shared = table.engine.for_evaluation(table)  # once, so that measures share statistics
        left_out = () if self.are_named or table.is_integer else _FOR_COUNTS_ONLY
        functions = {name: function for name, function in self.functions.items() if name not in left_out}
        formulas = {name: formula_of(function) for name, function in functions.items()}
        at_once = {name: formula for name, formula in formulas.items() if formula is not None}
        found = dict(zip(at_once, shared.engine.scores(tuple(at_once.values()), shared), strict=True))
        tables = {name: shared if is_measure(function) else table for name, function in functions.items()}
        scores = {name: _score(f, name, tables[name], found.get(name)) for name, f in functions.items()}
        scores = {name: as_result(score, like) for name, score in scores.items()}
        return Evaluation(scores, counted=SampleCounts.of_table(table, n_given), directions=self.directions)


def _score(function: Callable[..., Any], name: Any, table: Contingency, found: Any) -> Any:
    """The score, if the engine has not found it with others."""
    score = function(table) if found is None else found
    if not is_score(score):
        raise TypeError(
            f"metrics must give a number, an array, or a tuple of these for a table, got {type(score).__name__} from "
            f"{name!r}"
        )
    return score
