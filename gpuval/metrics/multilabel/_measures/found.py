"""What measures find of labels and predictions: quotients of classes, of samples, and of all entries."""

from __future__ import annotations

import functools
import operator
from typing import Any

from gpuval.metrics._common.options import Formula
from gpuval.metrics.multilabel._labels.columns import Columns, Of
from gpuval.metrics.multilabel._labels.counts import Counts, counts_of_columns, joined_counts
from gpuval.metrics.multilabel._labels.entries import Entries
from gpuval.metrics.multilabel._measures.averages import Found, Source
from gpuval.numerics import Array

NO_ROWS = "average must be another than 'samples' without matrices, whose rows the samples are"


class ColumnCounts:
    """The counts of the classes, of the samples, and of all entries, each found once, when they are asked for."""

    def __init__(self, counts: Counts, entries: Entries | None = None) -> None:
        self._found: dict[Of, Counts] = {"classes": counts}
        self.entries = entries

    @property
    def of_classes(self) -> Counts:
        """Those of the classes."""
        return self._found["classes"]

    @property
    def weights(self) -> Array | None:
        """The weights of the samples, real; None if all have the same, or there are no samples."""
        return None if self.entries is None else real_weights(self.entries)

    def of(self, of: Of) -> Counts:
        """Those of columns of one kind; samples need the entries that were counted."""
        if of not in self._found:
            self._found[of] = self.of_classes.total() if of == "entries" else self._of_samples()
        return self._found[of]

    def _of_samples(self) -> Counts:
        if self.entries is None:
            raise ValueError(NO_ROWS)
        return joined_counts(self.entries.of_blocks(lambda block: counts_of_columns(block.columns("samples"))))


def found_of_counts(
    formula: Formula, options: dict[str, Any], counted: ColumnCounts, of_one_label: Formula | None = None
) -> Source:
    """What a formula of counts finds; ``of_one_label`` is that of all entries where each sample has one label."""

    def found(of: Of) -> Found:
        counts = counted.of(of)
        own = of_one_label if of == "entries" and counts.is_multiclass and of_one_label is not None else formula
        numerators, denominators = own(counts, **options)
        positives = None if counts.false_negatives is None else counts.positives
        return Found(numerators, denominators, positives, counts.broken)

    return Source(found, counted.weights)


def found_of_sums(formula: Formula, options: dict[str, Any], entries: Entries) -> Source:
    """What a formula finds of columns where both parts of a quotient add up over the entries."""

    def found(of: Of) -> Found:
        columns: Of = "samples" if of == "samples" else "classes"
        first, *others = entries.of_blocks(lambda block: _of_columns(formula, options, block.columns(columns)))
        if of == "samples":
            return first.joined(*others)
        by_class = functools.reduce(operator.add, others, first)
        return by_class if of == "classes" else by_class.total()

    return Source(found, real_weights(entries))


def found_of_curves(formula: Formula, options: dict[str, Any], entries: Entries) -> Source:
    """What a formula finds of columns that are one whole each."""

    def found(of: Of) -> Found:
        columns = entries.columns(of)
        if of != "entries":
            return _of_columns(formula, options, columns)
        numerators, denominators = formula(columns, **options)
        weights = entries.backend.xp.ones_like(denominators)  # of the only column, which no mean depends on
        return Found(numerators, denominators, weights, columns.broken)

    return Source(found, real_weights(entries))


def real_weights(entries: Entries) -> Array | None:
    """The weights of the samples as real numbers."""
    return None if entries.weights is None else entries.backend.as_real(entries.weights, entries.values)


def _of_columns(formula: Formula, options: dict[str, Any], columns: Columns) -> Found:
    numerators, denominators = formula(columns, **options)
    return Found(numerators, denominators, columns.real(columns.n_positives), columns.broken)
