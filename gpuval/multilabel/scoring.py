"""Computes scores from the state of all batches, and bounds of the error of scores from bins."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from gpuval.engines.backends import backend_of
from gpuval.multilabel._averages import ColumnCounts, Quotients, Source, average_score, means_of_samples
from gpuval.multilabel._inputs import source_of_entries
from gpuval.multilabel.counts import LabelCounts
from gpuval.multilabel.curves import auc_of_bins, average_precision_of_bins, average_precision_score, roc_auc_score
from gpuval.multilabel.entries import Entries, Of
from gpuval.multilabel.settings import MultilabelSettings
from gpuval.multilabel.state import NEGATIVE, POSITIVE, MultilabelState, join_rows, number_of
from gpuval.numerics import Array

OfBins = Callable[[Array, Array], tuple[Array, Array]]
"""From the positive and the negative entries by bin to a value for each row, and the largest error."""


class StateScores:
    """The scores of what is held: what several of them read is found once."""

    def __init__(self, settings: MultilabelSettings, held: MultilabelState) -> None:
        self._settings, self._label_state = settings, held
        self._entries: Entries | None = None
        self._sources: dict[str, Source] = {}

    def counts(self) -> LabelCounts:
        """How often each class is predicted, rightly and wrongly."""
        held = self._label_state
        four = number_of(held.state, "counts")
        right, wrong, missed, left = (four[i, ...] for i in range(4))
        return LabelCounts(right, wrong, missed, left, held.classes, held.is_multiclass, self._broken_of("labels"))

    def value(self, name: str, average: str | None) -> Array:
        """The score of a measure and an average: of each class, for None of a measure that has averages."""
        wanted = self._settings.wanted(name)
        if average == "samples":
            place = self._settings.of_samples.index(name)
            return means_of_samples(self._label_state.state["samples"], wanted.on_undefined)[place, ...]
        if wanted.definition.kind == "counts":
            return wanted.score_of(ColumnCounts(self.counts()), average)
        if name not in self._sources:
            self._sources[name] = self._source(name)
        return wanted.score(self._sources[name], average)

    def error(self, name: str, average: str | None) -> Array:
        """How far the exact score is at most from that of bins: the errors of its classes on average."""
        undefined = self._settings.wanted(name).on_undefined
        source = Source(lambda of: self._bin_quotients(name, of)[1], None)
        return average_score(source, average, "zero" if undefined == "one" else undefined)

    # Within

    def _source(self, name: str) -> Source:
        wanted = self._settings.wanted(name)
        if wanted.definition.kind == "sums":
            return self._sum_source(name)
        if self._settings.n_bins is not None:
            return Source(lambda of: self._bin_quotients(name, of)[0], None)
        if self._entries is None:
            self._entries = self._all_entries()
        return self._curve_source(source_of_entries(wanted.definition, wanted.options, self._entries))

    def _sum_source(self, name: str) -> Source:
        """A measure whose quotients add up."""
        sums = self._label_state.state["sums"][:, self._settings.names_of_kind("sums").index(name), ...]
        total = sums[0, ...] + sums[1, ...]
        numerators, denominators, positives = (total[i, ...] for i in range(3))
        broken = self._broken_of(self._settings.measures[name].reads)
        found = Quotients(numerators, denominators, positives, broken)
        return Source(lambda of: found if of == "classes" else found.total(), None)

    def _curve_source(self, source: Source) -> Source:
        """A measure of all scores, of which that of the classes is found once."""
        known: dict[Of, Quotients] = {}

        def quotients(of: Of) -> Quotients:
            if of not in known:
                known[of] = replace(source.of(of), broken=self._broken_columns(of))
            return known[of]

        return Source(quotients, None)

    def _bin_quotients(self, name: str, of: Of) -> tuple[Quotients, Quotients]:
        """A measure of scores that are known by bin: its values, and their errors."""
        bins = number_of(self._label_state.state, "bins")
        backend = backend_of(bins)
        bins = bins if of == "classes" else backend.sum(bins, 1)[:, None, :]
        value, error = _OF_BINS[self._settings.measures[name].measure.__name__](bins[0, ...], bins[1, ...])
        xp = backend.xp
        has_value = backend.as_real(~xp.isnan(value), bins)
        positives = backend.as_real(backend.sum(bins[0, ...], -1), bins)
        broken = self._broken_columns(of)
        parts = (xp.where(has_value != 0, x, 0.0) for x in (value, error))
        of_values, of_errors = (Quotients(x, has_value, positives, broken) for x in parts)
        return of_values, of_errors

    def _all_entries(self) -> Entries:
        """The entries of all batches."""
        scores, labels, weights = join_rows(self._label_state.state["rows"])
        if not scores.shape[0]:  # a row that does not count, as a curve is of some
            scores, labels = (backend_of(x).zeros_beside((1, x.shape[1]), x.dtype, x) for x in (scores, labels))
            weights = None
        return Entries(scores, labels == POSITIVE, labels == NEGATIVE, weights, None, None, self._label_state.given)

    def _broken_of(self, kind: Any) -> Array | None:
        """For which classes something is wrong with predictions of one kind."""
        broken = self._label_state.state.get("broken")
        return None if broken is None else broken[self._settings.kinds.index(kind), ...]

    def _broken_columns(self, of: Of) -> Array | None:
        broken = self._broken_of("scores")
        if broken is None or of == "classes":
            return broken
        xp = backend_of(broken).xp
        return xp.reshape(xp.any(broken), (1,))


def _average_precision(positives: Array, negatives: Array) -> tuple[Array, Array]:
    value, lower, upper = average_precision_of_bins(positives, negatives)
    return value, backend_of(value).xp.maximum(upper - value, value - lower)


_OF_BINS: dict[str, OfBins] = {
    roc_auc_score.__name__: auc_of_bins,
    average_precision_score.__name__: _average_precision,
}
