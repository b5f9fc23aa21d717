"""Labels and what is predicted of them, as several measures read both, and what a measure of them is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, Protocol

from gpuval.engines.backends import to_host
from gpuval.inputs.numbers import brought, host_view
from gpuval.measures.result import Formula, OnUndefined
from gpuval.multilabel._averages import (
    NO_ROWS,
    ColumnCounts,
    Quotients,
    Source,
    average_score,
    source_of_counts,
    source_of_curves,
    source_of_sums,
)
from gpuval.multilabel.arrays import What
from gpuval.multilabel.counts import LabelCounts, counts_of_entries, counts_of_labels
from gpuval.multilabel.entries import Columns, Of, is_vector
from gpuval.multilabel.label_sets import is_label_sets
from gpuval.multilabel.listed import ListedEntries
from gpuval.multilabel.reading import AnyEntries, read_entries, read_label_matrices
from gpuval.multilabel.thresholds import labels_of_scores, labels_of_stored
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
    formula: Formula
    on_undefined: OnUndefined
    """What 0/0 is by default."""

    def __call__(self, y_true: Any, y_score: Any = None, **options: Any) -> Any:
        """Evaluate the measure."""


class MeasureSetup(NamedTuple):
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
        return average_score(source, self.average_of(average), self.on_undefined)

    def score_of(self, counted: ColumnCounts, average: str | None) -> Array:
        """The score of counts."""
        return _score_of_counts(self.definition, self.options, counted, self.average_of(average), self.on_undefined)

    def average_of(self, average: str | None) -> str | None:
        """The average that was asked for, or that of the one score of the measure."""
        return average if self.definition.averages else self.definition.average


def _score_of_counts(
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
        means = [_score_of_counts(x.definition, {}, counted, "macro", on_undefined) for x in both]
        return function(*means, counted.of_classes.backend.xp, **options)
    source = source_of_counts(definition.formula, options, counted, definition.of_one_label)
    return average_score(source, average, on_undefined)


def source_of_entries(definition: Definition, options: dict[str, Any], entries: AnyEntries) -> Source:
    """What a measure of scores finds."""
    return (source_of_curves if definition.kind == "curves" else source_of_sums)(definition.formula, options, entries)


class LabelInputs:
    """Labels and what is predicted of them: read when a measure needs it, and once for all that do.

    Labels are predicted of scores if there are none. Of samples that are not all there are (``are_all``) none has to
    count. Of several measures ``of_probabilities`` are those that need probabilities, by their names in messages.
    ``building`` are ``mask``, ``sample_weight`` and ``ignore_labels``.
    """

    def __init__(
        self,
        y_true: Any,
        y_score: Any = None,
        y_pred: Any = None,
        *,
        threshold: Any = 0.5,
        at_least_one: bool = False,
        n_classes: int | None = None,
        are_all: bool = True,
        of_probabilities: tuple[str, ...] = (),
        **building: Any,
    ) -> None:
        self._true, self._score, self._pred = y_true, y_score, y_pred
        self._predicting = {"threshold": threshold, "at_least_one": at_least_one}
        self._n_classes, self._are_all, self._building = n_classes, are_all, building
        self._of_probabilities = of_probabilities
        self._entries: dict[What, AnyEntries] = {}
        self._counted: ColumnCounts | None = None
        self._sources: list[tuple[MeasureSetup, Source]] = []
        self._given: Array | None = None

    @property
    def label_counts(self) -> ColumnCounts:
        """The counts of predicted labels."""
        if self._counted is None:
            self._counted = self._count()
        return self._counted

    def entries(self, what: What) -> AnyEntries:
        """The entries of labels and scores, which are ``what``."""
        if what not in self._entries:
            self._entries[what] = self._read(self._score, "y_score", what)
            self._given = self._entries[what].given
        return self._entries[what]

    def score(self, wanted: MeasureSetup, average: str | None) -> Array:
        """The score of a measure: of shape (), or (n_classes,) without an average."""
        if wanted.definition.kind == "counts":
            return wanted.score_of(self.label_counts, average)
        return wanted.score(self.source(wanted), average)

    def source(self, wanted: MeasureSetup) -> Source:
        """What a measure finds, of columns of each kind once."""
        definition, options, _ = wanted
        if definition.kind == "counts":
            return source_of_counts(definition.formula, options, self.label_counts, definition.of_one_label)
        for known, source in self._sources:
            if known == wanted:
                return source
        found = source_of_entries(definition, options, self.entries(wanted.reads))
        source = Source(_Once(found, has_rows=not (is_vector(self._true) and is_vector(self._score))), found.weights)
        self._sources.append((wanted, source))
        return source

    def read(self, wanted: MeasureSetup) -> None:
        """Read what a measure needs."""
        self.source(wanted)

    # Of what has been read

    @property
    def prototype(self) -> Array:
        """What results are like."""
        assert self._given is not None
        return self._given

    def is_any_known(self) -> bool:
        """Whether a label counts, of matrices or of labels beside scores; of a device this waits for it."""
        if self._counted is not None and self._counted.entries is None:
            return bool(to_host((self._counted.of_classes.positives > 0).any()))
        counted = [] if self._counted is None else [self._counted.entries]
        return any(x is not None and x.is_any_known() for x in (*self._entries.values(), *counted))

    @property
    def classes(self) -> Any:
        """The label of each class: a range, if classes are columns."""
        if self._counted is None:
            return next(iter(self._entries.values())).classes
        return self._counted.of_classes.classes

    @property
    def support(self) -> Array:
        """How many samples have each class, or their weight."""
        if self._counted is None:
            return self._columns.n_positives
        counts = self._counted.of_classes
        if counts.false_negatives is None:
            return counts.real(counts.true_positives) * float("nan")
        return counts.true_positives + counts.false_negatives

    # Within

    @property
    def _columns(self) -> Columns:
        return next(iter(self._entries.values())).columns("classes")

    def _count(self) -> ColumnCounts:
        if isinstance(self._true, LabelCounts):
            _check_alone(y_score=self._score, y_pred=self._pred, n_classes=self._n_classes, **self._building)
            self._given = self._true.true_positives
            return ColumnCounts(self._true)
        if self._score is not None and self._pred is None:
            return self._count_predictions()
        if is_vector(self._true) and is_vector(self._pred) and not (self._score is not None and is_vector(self._score)):
            n_classes = self._n_classes if self._score is None else len(self.entries("scores").classes)
            counts, self._given = counts_of_labels(
                self._true, self._pred, n_classes=n_classes, **self._building, are_all=self._are_all
            )
            return ColumnCounts(counts)
        if self._score is None:
            entries = read_label_matrices(
                self._true, self._pred, self._n_classes, **self._building, are_all=self._are_all
            )
        else:
            entries = self._read(self._pred, "y_pred", "labels")
        self._given = entries.given
        return ColumnCounts(counts_of_entries(entries), entries)

    def _read(self, predicted: Any, name: str, what: What) -> AnyEntries:
        needed_by = self._of_probabilities if what == "probabilities" else ()
        n_classes = len(self.entries("scores").classes) if name == "y_pred" and is_label_sets(predicted) else None
        return read_entries(
            self._true,
            predicted,
            name,
            what,
            **self._building,
            are_all=self._are_all,
            needed_by=needed_by,
            n_classes=n_classes,
        )

    def _count_predictions(self) -> ColumnCounts:
        """The counts of labels that are predicted of scores."""
        entries = self.entries("scores")
        if isinstance(entries, ListedEntries):
            entries = entries.with_labels(*labels_of_stored(entries.predicted, **self._predicting))
            return ColumnCounts(counts_of_entries(entries), entries)
        labels = labels_of_scores(self._score, **self._predicting)
        is_on_host = entries.backend.on_host
        values = host_view(labels) if is_on_host else brought({"y_pred": labels}, entries.values)["y_pred"]
        assert values is not None
        entries = replace(entries, values=values if len(values.shape) == 2 else values[:, None])
        return ColumnCounts(counts_of_entries(entries), entries)


class _Once:
    """What a measure finds of columns of each kind, which is found when it is asked for."""

    def __init__(self, source: Source, *, has_rows: bool) -> None:
        self._source, self._has_rows = source, has_rows
        self._found: dict[Of, Quotients] = {}

    def __call__(self, of: Of) -> Quotients:
        if of == "samples" and not self._has_rows:
            raise ValueError(NO_ROWS)
        if of not in self._found:
            self._found[of] = self._source.of(of)
        return self._found[of]


def _check_alone(**given: Any) -> None:
    for name, x in given.items():
        if x is not None:
            raise TypeError(f"{name}= cannot be given with a LabelCounts: give it to LabelCounts.from_labels")
