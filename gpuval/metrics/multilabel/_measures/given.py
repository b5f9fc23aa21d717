"""Labels and what is predicted of them, as several measures read both."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from gpuval.engines.backends import to_host
from gpuval.inputs.matrices.together import brought, host_view
from gpuval.metrics.multilabel._labels.columns import Columns, Of
from gpuval.metrics.multilabel._labels.counts import counts_of_entries, counts_of_labels
from gpuval.metrics.multilabel._labels.entries import Entries, is_vector, read_entries, read_label_matrices
from gpuval.metrics.multilabel._labels.given_arrays import What
from gpuval.metrics.multilabel._labels.predicting import labels_of_scores
from gpuval.metrics.multilabel._measures.averages import Found, Source
from gpuval.metrics.multilabel._measures.definition import Wanted, source_of_entries
from gpuval.metrics.multilabel._measures.found import NO_ROWS, ColumnCounts, found_of_counts
from gpuval.metrics.multilabel.label_counts import LabelCounts
from gpuval.numerics import Array


class GivenLabels:
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
        self._entries: dict[What, Entries] = {}
        self._counted: ColumnCounts | None = None
        self._sources: list[tuple[Wanted, Source]] = []
        self._given: Array | None = None

    @property
    def counted(self) -> ColumnCounts:
        """The counts of predicted labels."""
        if self._counted is None:
            self._counted = self._count()
        return self._counted

    def entries(self, what: What) -> Entries:
        """The entries of labels and scores, which are ``what``."""
        if what not in self._entries:
            self._entries[what] = self._read(self._score, "y_score", what)
            self._given = self._entries[what].given
        return self._entries[what]

    def score(self, wanted: Wanted, average: str | None) -> Array:
        """The score of a measure: of shape (), or (n_classes,) without an average."""
        if wanted.definition.kind == "counts":
            return wanted.score_of(self.counted, average)
        return wanted.score(self.source(wanted), average)

    def source(self, wanted: Wanted) -> Source:
        """What a measure finds, of columns of each kind once."""
        definition, options, _ = wanted
        if definition.kind == "counts":
            return found_of_counts(definition.formula, options, self.counted, definition.of_one_label)
        for known, source in self._sources:
            if known == wanted:
                return source
        found = source_of_entries(definition, options, self.entries(wanted.reads))
        source = Source(_Once(found, has_rows=not (is_vector(self._true) and is_vector(self._score))), found.weights)
        self._sources.append((wanted, source))
        return source

    def read(self, wanted: Wanted) -> None:
        """Read what a measure needs."""
        self.source(wanted)

    # Of what has been read

    @property
    def given(self) -> Array:
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
        return range(int(self._columns.values.shape[1])) if self._counted is None else self._counted.of_classes.classes

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
            return self._predicted()
        if is_vector(self._true) and is_vector(self._pred) and not (self._score is not None and is_vector(self._score)):
            n_classes = self._n_classes if self._score is None else int(self.entries("scores").values.shape[1])
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

    def _read(self, predicted: Any, name: str, what: What) -> Entries:
        needed_by = self._of_probabilities if what == "probabilities" else ()
        return read_entries(
            self._true, predicted, name, what, **self._building, are_all=self._are_all, needed_by=needed_by
        )

    def _predicted(self) -> ColumnCounts:
        """The counts of labels that are predicted of scores."""
        entries = self.entries("scores")
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
        self._found: dict[Of, Found] = {}

    def __call__(self, of: Of) -> Found:
        if of == "samples" and not self._has_rows:
            raise ValueError(NO_ROWS)
        if of not in self._found:
            self._found[of] = self._source.of(of)
        return self._found[of]


def _check_alone(**given: Any) -> None:
    for name, x in given.items():
        if x is not None:
            raise TypeError(f"{name}= cannot be given with a LabelCounts: give it to LabelCounts.from_labels")
