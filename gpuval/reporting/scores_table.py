"""The table of scores: what counts the same, trade-offs, other agreement, and scores without labels."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from typing import Any, NamedTuple

from gpuval.display.digits import HIGHEST, TIED, count_text, interval_text, score_text
from gpuval.display.names import natural_order, short_names
from gpuval.display.text import shorten_middle
from gpuval.measures.measure import Direction, Measure
from gpuval.reporting.sentences import name_text
from gpuval.reporting.tables import EMPTY, Bar, Cell, Head, PageTable, Row, Span, csv_text, sort_key
from gpuval.results.columns import COMPARED, INTERNAL, OTHERS, TRADE_OFF, Column, decimals_of_columns, head_of_column
from gpuval.results.evaluations import ReferenceChoice

MOST_FIRST = 12
"""How many labelings are shown first of more than ``_MOST_ROWS``."""

_MOST_ROWS, _MOST_COLUMNS, _MOST_BESIDE = 15, 10, 12
"""Labelings of which all are shown; columns of the first table; labelings that are columns of the second."""

_WIDEST_HEAD, _WIDEST_LABELING = 12, 32
"""The widest name above a column, and beside a row."""

_COMPARED = "Compared"
"""What the measures that are compared are called, if it is not known what counts the same in any of them."""


class Numbers(NamedTuple):
    """A score and its interval; NaN where there is none."""

    score: float
    low: float
    high: float

    @property
    def has_interval(self) -> bool:
        """Whether both ends are known."""
        return not (math.isnan(self.low) or math.isnan(self.high))


UNKNOWN = Numbers(math.nan, math.nan, math.nan)


def span_of_numbers(numbers: Sequence[Numbers]) -> tuple[float, float] | None:
    """The lowest and the highest end of finite intervals, and of scores without any; None if there are none."""
    ends = [x for n in numbers for x in ((n.low, n.high) if n.has_interval else (n.score,)) if math.isfinite(x)]
    return (min(ends), max(ends)) if ends else None


class Compared(NamedTuple):
    """A measure by which labelings are compared: a voice of the verdict."""

    measure: Any
    counts: str
    """What it counts alike, such as "each cell"."""
    best: Any
    best_set: tuple[Any, ...] | None
    """The labelings that are not told apart from the best one; None without intervals."""


@dataclass(frozen=True)
class ScoresOfLabelings:
    """All that the tables of scores show."""

    names: Sequence[Any]
    """The labelings, the best one by the first measure first."""
    numbers: Mapping[Any, Mapping[Any, Numbers]]
    """By the measure the numbers of each labeling."""
    measures: Mapping[Any, Measure | None]
    """By the name of each measure what is declared of it; None for a function of a user."""
    compared: Sequence[Compared]
    trade_off: Sequence[Any]
    others: Sequence[Any]
    """Other measures of agreement that were asked for."""
    inside: Sequence[Any]
    """Internal measures."""
    of_what: str
    """What internal measures are of, such as "10 features"."""
    clusters: Mapping[Any, Any]
    samples: Mapping[Any, Any]
    units: str
    """What samples are called, such as "cells"."""
    chosen: Any
    """The labeling that the page is about."""
    references: Mapping[Any, ReferenceChoice] = field(default_factory=dict)
    """Of several references those that the scores of each labeling are of."""

    @cached_property
    def first_names(self) -> list[Any]:
        """The labelings that are shown first: all of a few, else the best ones and each that may be the best."""
        if len(self.names) <= _MOST_ROWS:
            return list(self.names)
        kept = {self.chosen, *(x for voice in self.compared for x in voice.best_set or (voice.best,))}
        kept |= set(self.names[:MOST_FIRST])
        return [name for name in self.names if name in kept]

    @cached_property
    def _decimals(self) -> dict[Any, int]:
        columns = {}
        for measure, found in self.numbers.items():
            ends = [x.low for x in found.values()], [x.high for x in found.values()]
            columns[measure] = Column([x.score for x in found.values()], *ends, self.measures[measure])
        return decimals_of_columns(columns)

    def decimals_of(self, measure: Any) -> int:
        """How many decimals the scores of a measure have."""
        return self._decimals[measure]

    def _better(self, measure: Any) -> Direction:
        known = self.measures[measure]
        return "" if known is None else known.better

    def text_of(self, measure: Any, name: Any) -> str:
        """A score as the table has it."""
        return score_text(self._number(measure, name).score, self.decimals_of(measure))

    def _number(self, measure: Any, name: Any) -> Numbers:
        return self.numbers[measure].get(name, UNKNOWN)

    def table(self, caption: str, note: str) -> PageTable:
        """A row for each labeling, the best one by the first measure first."""
        n_before = 1 + self._shows_clusters + self.shows_samples + bool(self.references)
        room = _MOST_COLUMNS - n_before
        groups: list[tuple[str, list[Any]]] = [
            (COMPARED if any(x.counts for x in self.compared) else _COMPARED, self._measures_compared),
            (TRADE_OFF, list(self.trade_off)),
            (OTHERS, list(self.others)),
            (f"{INTERNAL} ({self.of_what})" if self.of_what else INTERNAL, list(self.inside)),
        ]
        columns: list[tuple[str, Any]] = [(title, x) for title, measures in groups for x in measures][:room]
        spans = [Span("", n_before)]
        spans += [Span(title, len(list(some))) for title, some in groupby(columns, key=lambda x: x[0])]
        measures = [measure for _, measure in columns]
        begins = {next(iter(some))[1] for _, some in groupby(columns, key=lambda x: x[0])}
        heads = [
            Head("labeling", is_number=False),
            *([Head("clusters", kind="count")] * self._shows_clusters),
            *([Head(self.units, kind="count")] * self.shows_samples),
            *([Head("reference", is_number=False, about="The one that fits best")] * bool(self.references)),
            *(self._head(x, begins=x in begins) for x in measures),
        ]
        first = set(map(id, self.first_names))
        names = [name_text(name) for name in self.names]
        rows = [
            Row(
                short,
                [*self._counts(name), *(self._cell(x, name) for x in measures)],
                about=whole if whole != short else "",
                is_chosen=name in (self.chosen,),
                is_first=id(name) in first,
            )
            for name, whole, short in zip(self.names, names, short_names(names, _WIDEST_LABELING), strict=True)
        ]
        return PageTable(caption, heads, rows, spans if measures else (), note, "scores", len(rows) >= 25)

    @cached_property
    def _measures_compared(self) -> list[Any]:
        return [x.measure for x in self.compared]

    @property
    def _shows_clusters(self) -> bool:
        return any(x != "" for x in self.clusters.values())

    @property
    def shows_samples(self) -> bool:
        """Whether labelings are of different numbers of samples."""
        return len(set(self.samples.values())) > 1

    def _counts(self, name: Any) -> list[Cell]:
        found = [self.clusters[name]] * self._shows_clusters + [self.samples[name]] * self.shows_samples
        cells = [EMPTY if x == "" else Cell(count_text(x), x) for x in found]
        if name in self.references:
            text = name_text(self.references[name].lead)
            cells.append(Cell(text, text))
        return cells

    def _head(self, measure: Any, *, begins: bool) -> Head:
        voice = next((x for x in self.compared if x.measure == measure), None)
        better = self._better(measure)
        about = name_text(measure) + (f": {better} is better" if better else "")
        return Head(
            head_of_column(measure, self.measures[measure]),
            about=about,
            below="" if voice is None else voice.counts,
            better=better,
            kind="" if voice is None else "score" if self._limits(measure) is None else "voice",
            begins=begins,
            is_sorted=bool(self.compared) and measure == self.compared[0].measure and bool(better),
        )

    def _limits(self, measure: Any) -> tuple[float, float] | None:
        """The ends of the scale of a column; None without intervals."""
        known = [x for x in self.numbers[measure].values() if x.has_interval]
        return span_of_numbers(known)

    def _cell(self, measure: Any, name: Any) -> Cell:
        x = self._number(measure, name)
        if math.isnan(x.score):
            return EMPTY
        n_decimals = self.decimals_of(measure)
        text, value = score_text(x.score, n_decimals), sort_key(x.score)
        voice = next((v for v in self.compared if v.measure == measure), None)
        if voice is None:
            return Cell(text, value)
        mark, fill = self._mark(voice, name, text)
        if not x.has_interval:
            return Cell(text, value, mark=mark, fill=fill)
        low, high = self._limits(measure) or (x.low, x.high)
        width = high - low or 1.0
        bar = Bar(*((y - low) / width if high > low else 0.5 for y in (x.low, x.high, x.score)))
        return Cell(text, value, interval_text(x.low, x.high, n_decimals), mark, fill, bar)

    def _mark(self, voice: Compared, name: Any, text: str) -> tuple[str, str]:
        """The sign of a place: the highest, not told apart from it, or neither."""
        if len(self.names) < 2:
            return "", ""
        if name is voice.best or name == voice.best:
            return HIGHEST, "best"
        if text == self.text_of(voice.measure, voice.best) and (voice.best_set is None or name in voice.best_set):
            return HIGHEST, "best"
        return (TIED, "tie") if voice.best_set is not None and name in voice.best_set else ("", "")

    def all_measures(self, caption: str) -> PageTable | None:
        """A row for each measure, those of a family beside each other; None for too many labelings."""
        if len(self.names) > _MOST_BESIDE:
            return None
        in_order = [self.names[place] for place in natural_order(self.names)]
        heads = [Head("measure", is_number=False), Head("family", is_number=False, kind="words")]
        heads += [Head(shorten_middle(name_text(x), 2 * _WIDEST_HEAD), about=name_text(x)) for x in in_order]
        families = {measure: _family_of(self.measures[measure]) for measure in self.numbers}
        order = list(dict.fromkeys(families.values()))
        rows = []
        for measure in sorted(self.numbers, key=lambda x: order.index(families[x])):
            cells = [Cell(families[measure], families[measure])]
            for name in in_order:
                x = self._number(measure, name)
                text = EMPTY if math.isnan(x.score) else self._whole_cell(measure, x)
                cells.append(text)
            title = head_of_column(measure, self.measures[measure])
            full = name_text(measure)
            rows.append(Row(full if title == full else f"{title} · {full}", cells))
        return PageTable(caption, heads, rows, kind="all")

    def _whole_cell(self, measure: Any, x: Numbers) -> Cell:
        n_decimals = self.decimals_of(measure)
        beside = interval_text(x.low, x.high, n_decimals) if x.has_interval else ""
        return Cell(score_text(x.score, n_decimals), sort_key(x.score), beside)

    @cached_property
    def csv(self) -> str:
        """All scores and the ends of their intervals, with all digits."""
        heads: list[Any] = ["labeling", "clusters", self.units]
        with_ends = {m: any(x.has_interval for x in found.values()) for m, found in self.numbers.items()}
        for measure, has_ends in with_ends.items():
            heads += [str(measure), f"{measure}.low", f"{measure}.high"][: 3 if has_ends else 1]
            heads += [f"{measure}.reference"] * bool(self.references)
        rows = []
        for name in self.names:
            row = [name_text(name), self.clusters[name], self.samples[name]]
            for measure, has_ends in with_ends.items():
                row += list(self._number(measure, name))[: 3 if has_ends else 1]
                row += [self.references[name].of_measures.get(measure, "")] if name in self.references else []
            rows.append(row)
        return csv_text(heads, rows)


def _family_of(measure: Measure | None) -> str:
    return "own function" if measure is None else measure.family.title
