"""What measures compute from labels and predictions, and the averages over classes, samples or all entries."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from gpuval.engines.backends import OfOneLibrary, backend_of
from gpuval.inputs.options import check_option
from gpuval.measures.result import Formula, OnUndefined, value_if_undefined
from gpuval.multilabel.counts import Counts, counts_of_columns, join_counts
from gpuval.multilabel.entries import Columns, Of
from gpuval.multilabel.listed import ListedEntries
from gpuval.multilabel.reading import AnyEntries
from gpuval.numerics import Array
from gpuval.numerics.stable import means_of, ratio, sum_with_weights

Average = Literal["macro", "weighted", "micro", "samples", "geometric", "macro_of_means"]


@dataclass(frozen=True)
class Quotients(OfOneLibrary):
    """Quotients of columns, and what their mean needs."""

    _like = "numerators"

    numerators: Array
    denominators: Array
    """Real, shape (k,): a column whose denominator is 0 has no value."""
    positives: Array | None
    """The weight of the positive entries of each column, real: the weight of a class in the mean "weighted".

    None where counts were given without it.
    """
    broken: Array | None
    """Which columns are NaN, as something is wrong with them; None if none is."""

    def __add__(self, other: Quotients) -> Quotients:
        """Those of columns that have the rows of both."""
        sums = (x + y for x, y in zip(self._numbers(), other._numbers(), strict=True))
        numerators, denominators, positives = sums
        both = [x.broken for x in (self, other) if x.broken is not None]
        return Quotients(numerators, denominators, positives, both[0] | both[-1] if both else None)

    def total(self) -> Quotients:
        """That of all entries as one column, where both parts of a quotient add up."""
        xp = self.backend.xp
        numerator, denominator, positives = (xp.reshape(xp.sum(x), (1,)) for x in self._numbers())
        broken = None if self.broken is None else xp.reshape(xp.any(self.broken), (1,))
        return Quotients(numerator, denominator, positives, broken)

    def joined(self, *others: Quotients) -> Quotients:
        """Those of the columns of all, which lie on the host."""
        if not others:
            return self
        parts = zip(*(x._numbers() for x in (self, *others)), strict=True)
        numerators, denominators, positives = (self.backend.xp.concat(x) for x in parts)
        return Quotients(numerators, denominators, positives, None)

    def _numbers(self) -> tuple[Array, Array, Array]:
        return self.numerators, self.denominators, self.positives


@dataclass(frozen=True)
class Source:
    """What a measure finds, of columns of any kind."""

    of: Callable[[Of], Quotients]
    """The quotients of columns of one kind."""
    weights: Array | None
    """The weights of the samples, real; None if all have the same."""


def check_average(average: Any, allowed: tuple[str | None, ...]) -> None:
    """Check that a measure has this average."""
    if isinstance(average, str) and average == "binary":
        names = ", ".join(map(repr, allowed))
        raise ValueError(f"average must be one of {names}, got 'binary'; average=None gives the value of each class")
    check_option("average", average, allowed)


def average_score(source: Source, average: str | None, on_undefined: OnUndefined) -> Array:
    """The score: of shape (), or (n_classes,) without an average."""
    if average in (None, "micro"):
        values = _values_of(source.of("entries" if average == "micro" else "classes"), on_undefined)
        return values if average is None else values[0, ...]
    values, weights = values_to_average(source, average, on_undefined)
    return _mean_of_columns(values, weights, on_undefined, backend_of(values).xp, is_geometric=average == "geometric")


def values_to_average(source: Source, average: str | None, on_undefined: OnUndefined) -> tuple[Array, Array]:
    """The values of classes or samples that a score is the mean of, and their weights."""
    found = source.of("samples" if average == "samples" else "classes")
    values, xp = _values_of(found, on_undefined), found.backend.xp
    weights = xp.ones_like(values)
    if average == "weighted":
        weights = found.positives
        if weights is None:
            raise ValueError(
                'false_negatives must be given to LabelCounts.from_counts for average="weighted", got None'
            )
    elif average == "samples" and source.weights is not None:
        weights = source.weights
    if on_undefined == "skip":
        weights = xp.where(found.denominators != 0, weights, 0.0)
    return values, weights if found.broken is None else xp.where(found.broken, 1.0, weights)


def means_of_samples(sums: Array, on_undefined: OnUndefined) -> Array:
    """The means of sums over samples; where no sample has a weight what ``on_undefined`` says, as for columns."""
    return means_of(sums, backend_of(sums).xp, value_if_undefined(on_undefined))


def _values_of(found: Quotients, on_undefined: OnUndefined) -> Array:
    """The value of each column; where there is none what ``on_undefined`` says, NaN where it is to be left out."""
    xp = found.backend.xp
    values = ratio(found.numerators, found.denominators, xp, value_if_undefined(on_undefined))
    return values if found.broken is None else xp.where(found.broken, float("nan"), values)


def _mean_of_columns(
    values: Array, weights: Array, on_undefined: OnUndefined, xp: Any, *, is_geometric: bool = False
) -> Array:
    """The mean of the values that have a weight; if none has, what ``on_undefined`` says."""
    counts = weights != 0
    is_zero = counts & (values == 0)
    if is_geometric:
        values = xp.log(xp.where(is_zero, 1.0, values))
    mean = ratio(*sum_with_weights(values, weights, xp), xp, value_if_undefined(on_undefined))
    if not is_geometric:
        return mean
    has_mean = xp.any(counts)
    found = xp.exp(xp.where(has_mean, mean, 0.0)) * xp.astype(~xp.any(is_zero), mean.dtype)  # NaN, if a value is NaN
    return xp.where(has_mean, found, mean)


# What measures compute from labels and predictions: quotients of classes, of samples, and of all entries.

NO_ROWS = "average must be another than 'samples' without matrices, whose rows the samples are"


class ColumnCounts:
    """The counts of the classes, of the samples, and of all entries, each found once, when they are asked for."""

    def __init__(self, counts: Counts, entries: AnyEntries | None = None) -> None:
        self._found: dict[Of, Counts] = {"classes": counts}
        self.entries = entries

    @property
    def of_classes(self) -> Counts:
        """Those of the classes."""
        return self._found["classes"]

    @property
    def weights(self) -> Array | None:
        """The weights of the samples, real; None if all have the same, or there are no samples."""
        return None if self.entries is None else _real_weights(self.entries)

    def of(self, of: Of) -> Counts:
        """Those of columns of one kind; samples need the entries that were counted."""
        if of not in self._found:
            self._found[of] = self.of_classes.total() if of == "entries" else self._count_samples()
        return self._found[of]

    def _count_samples(self) -> Counts:
        if self.entries is None:
            raise ValueError(NO_ROWS)
        return join_counts(self.entries.map_blocks(lambda block: counts_of_columns(block.columns("samples"))))


def source_of_counts(
    formula: Formula, options: dict[str, Any], counted: ColumnCounts, of_one_label: Formula | None = None
) -> Source:
    """What a formula of counts finds; ``of_one_label`` is that of all entries where each sample has one label."""

    def quotients(of: Of) -> Quotients:
        counts = counted.of(of)
        own = of_one_label if of == "entries" and counts.is_multiclass and of_one_label is not None else formula
        numerators, denominators = own(counts, **options)
        positives = None if counts.false_negatives is None else counts.positives
        return Quotients(numerators, denominators, positives, counts.broken)

    return Source(quotients, counted.weights)


def source_of_sums(formula: Formula, options: dict[str, Any], entries: AnyEntries) -> Source:
    """What a formula finds of columns where both parts of a quotient add up over the entries."""

    def quotients(of: Of) -> Quotients:
        columns: Of = "samples" if of == "samples" else "classes"
        first, *others = entries.map_blocks(lambda block: _column_quotients(formula, options, block.columns(columns)))
        if of == "samples":
            return first.joined(*others)
        by_class = functools.reduce(operator.add, others, first)
        return by_class if of == "classes" else by_class.total()

    return Source(quotients, _real_weights(entries))


def source_of_curves(formula: Formula, options: dict[str, Any], entries: AnyEntries) -> Source:
    """What a formula finds of columns that are one whole each."""

    def quotients(of: Of) -> Quotients:
        if of == "samples" and isinstance(entries, ListedEntries):
            first, *others = entries.map_blocks(lambda block: _column_quotients(formula, options, block.columns(of)))
            return first.joined(*others)
        columns = entries.columns(of)
        if of != "entries":
            return _column_quotients(formula, options, columns)
        numerators, denominators = formula(columns, **options)
        weights = entries.backend.xp.ones_like(denominators)  # of the only column, which no mean depends on
        return Quotients(numerators, denominators, weights, columns.broken)

    return Source(quotients, _real_weights(entries))


def _real_weights(entries: AnyEntries) -> Array | None:
    """The weights of the samples as real numbers."""
    return None if entries.weights is None else entries.backend.as_real(entries.weights, entries.values)


def _column_quotients(formula: Formula, options: dict[str, Any], columns: Columns) -> Quotients:
    numerators, denominators = formula(columns, **options)
    return Quotients(numerators, denominators, columns.real(columns.n_positives), columns.broken)
