"""What a measure of labels is, and the score that it gives."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Protocol

from gpuval.metrics._common.options import Formula, OnUndefined
from gpuval.metrics.multilabel._labels.entries import Entries
from gpuval.metrics.multilabel._labels.given_arrays import What
from gpuval.metrics.multilabel._measures.averages import Source, averaged
from gpuval.metrics.multilabel._measures.found import ColumnCounts, found_of_counts, found_of_curves, found_of_sums
from gpuval.numerics import Array

Kind = Literal["counts", "sums", "curves"]
"""What formulas read: counts of predicted labels; columns whose parts add up; or columns that are one whole each."""

OfMeans = tuple["LabelMeasure", "LabelMeasure", Callable[..., Array]]

AVERAGES = ("macro", "weighted", "micro", "samples", None)


@dataclass(frozen=True)
class Definition:
    """What a measure of labels is."""

    formula: Formula
    """What gives a numerator and a denominator for each column."""
    kind: Kind
    reads: What
    averages: tuple[str | None, ...]
    """What ``average`` may be; none for a measure that has one score and no such option."""
    average: str | None
    """What it is by default."""
    on_undefined: OnUndefined
    """What 0/0 is by default."""
    of_means: OfMeans | None = None
    """Two measures and a function of their macro means, for the average "macro_of_means"."""
    of_one_label: Formula | None = None
    """The formula of all entries at once, if each sample has one label and that is another one."""
    of_counts: tuple[str, ...] = ()
    """Which counts that may be unknown the formula reads, with its default options."""

    def reads_with(self, options: Mapping[str, Any]) -> What:
        """What predictions must be for a measure with options."""
        return "numbers" if options.get("from_logits") else self.reads


class LabelMeasure(Protocol):
    """A measure of labels and of what is predicted."""

    __name__: str
    definition: Definition

    def __call__(self, y_true: Any, y_score: Any = None, **options: Any) -> Any:
        """Evaluate the measure."""


class Wanted(NamedTuple):
    """A measure whose scores are wanted."""

    definition: Definition
    options: dict[str, Any]
    """Those of its formula."""
    on_undefined: OnUndefined

    @property
    def reads(self) -> What:
        """What its predictions must be."""
        return self.definition.reads_with(self.options)

    def score(self, source: Source, average: str | None) -> Array:
        """The score of what it finds: of a measure of one score alone that, whatever the average."""
        return averaged(source, self.average_of(average), self.on_undefined)

    def score_of(self, counted: ColumnCounts, average: str | None) -> Array:
        """The score of counts."""
        return score_of_counts(self.definition, self.options, counted, self.average_of(average), self.on_undefined)

    def average_of(self, average: str | None) -> str | None:
        """The average that was asked for, or that of the one score of the measure."""
        return average if self.definition.averages else self.definition.average


def score_of_counts(
    definition: Definition,
    options: dict[str, Any],
    counted: ColumnCounts,
    average: str | None,
    on_undefined: OnUndefined,
) -> Array:
    """The score of a measure of counts."""
    if average == "macro_of_means":
        assert definition.of_means is not None
        *both, function = definition.of_means
        means = [score_of_counts(x.definition, {}, counted, "macro", on_undefined) for x in both]
        return function(*means, counted.of_classes.backend.xp, **options)
    source = found_of_counts(definition.formula, options, counted, definition.of_one_label)
    return averaged(source, average, on_undefined)


def source_of_entries(definition: Definition, options: dict[str, Any], entries: Entries) -> Source:
    """What a measure of scores finds."""
    return (found_of_curves if definition.kind == "curves" else found_of_sums)(definition.formula, options, entries)
