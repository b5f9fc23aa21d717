"""The sections of a report: their sentences, figures and tables."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from gpuval.display.text import ARROWS, shorten_middle
from gpuval.measures.measure import Direction
from gpuval.reporting.figures import Figures, PageFigure
from gpuval.reporting.findings import (
    ReportMeasures,
    Scores,
    first_measure,
    measures_on_one_axis,
    names_of_best,
    rank_labelings,
    score_by_value,
    score_number,
    score_pairs,
    table_of_labeling,
)
from gpuval.reporting.overlaps import Overlaps, Spread
from gpuval.reporting.sentences import (
    about_best,
    about_causes,
    about_others,
    about_parts,
    count_text,
    measure_text,
    name_text,
    parts_text,
    quote_label,
    share_text,
)
from gpuval.results.evaluations import Comparison
from gpuval.results.inferences import BestLabeling
from gpuval.results.texts import EvaluationTexts, about_level, common_direction, measures_of

_MOST_PLOTTED, _MOST_LINES = 5, 12
"""The largest numbers of measures in the plot of scores, and of values of ``by`` in the plot of these."""

_MOST_PAIRED, _MOST_VALUES = 60, 40
"""The largest numbers of labelings whose pairs are shown, and of values of ``by`` in a table."""

_NOT_APART = "silhouettes of a random sample are not computed for each value."


@dataclass(frozen=True)
class _Section:
    """A part of the page with a heading of its own."""

    title: str
    sentences: Sequence[str] = ()
    figures: Sequence[PageFigure] = ()
    tables: Sequence[_PageTable] = ()


@dataclass
class Content:
    """The content of a report, filled in section by section."""

    asked: ReportMeasures
    comparison: Comparison
    truth: str | None
    """The name of the true labels."""
    by_name: str
    summary: list[str] = field(default_factory=list)
    sections: list[_Section] = field(default_factory=list)
    figures: Figures = field(default_factory=Figures)

    def __post_init__(self) -> None:
        measures = self.asked.measures
        self.scores: Scores = {name: x.shown() for name, x in self.comparison.items()}
        self.measure = first_measure(self.scores, measures.are_named)
        self.names = rank_labelings(self.scores, self.measure)
        self.ahead: BestLabeling | None = (self.comparison.leads or {}).get(self.measure)
        self.best = self.names[0] if self.ahead is None else self.ahead.name

    def add_scores(self) -> None:
        """All scores, and which labeling is best."""
        external, internal = self.asked.measures.external, self.asked.measures.internal
        agrees_with = None if self.measure in internal else self.truth
        self.summary.append(about_best(self.scores, self.measure, self.best, agrees_with, self.ahead))
        for measures, by in ((external, "other measures"), (internal, "internal measures")):
            others = [name for name in measures if name != self.measure]
            self._add(about_others(self.scores, others, self.best, by))
        figures = []
        if len(self.scores) > 1 and (plotted := measures_on_one_axis(self.scores, _MOST_PLOTTED)):
            against = f" against {quote_label(self.truth)}" if self.truth is not None else ""
            figures.append(self.figures.sweep(self.comparison, plotted, f"Scores of the labelings{against}"))
        table = _table_of_scores(self.names, self.scores, "Scores of each labeling", self._note())
        self.sections.append(_Section("Scores", (), figures, [table]))

    def _add(self, sentence: str | None) -> None:
        self.summary += [] if sentence is None else [sentence]

    def _note(self) -> str:
        """The note below the table of scores."""
        level = next((x.level for x in self.scores.values() if x.level is not None), None)
        said = [x.capitalize() + "." for x in about_level(level)]
        if self.asked.n_drawn is not None:
            said.append(
                f"Silhouettes are computed for {self.asked.n_drawn:,} samples, drawn at random, among all samples."
            )
        return " ".join(said)

    def add_apart(self) -> None:
        """The scores of one measure for each value of ``by``."""
        title = f"By {name_text(self.by_name)}"
        found = self.asked.name_apart(self.measure)
        if found is None:
            self.sections.append(_Section(title, [_NOT_APART.capitalize()]))
            return
        comparison = score_by_value(self.asked, found)
        scores = {key: x.shown() for key, x in comparison.items()}
        measure = first_measure(scores, are_named=True)
        values = list(dict.fromkeys(value for _, value in scores))
        of_best = {x: score_number(scores, (self.best, x), measure) for x in values if (self.best, x) in scores}
        self._add(about_parts(self.best, self.by_name, measure, of_best))
        name = measure_text(measure)
        is_other = found != self.asked.name_of_part(self.measure)
        said = [f"This section uses {name}, because {_NOT_APART}"] * is_other
        sizes = {value: x.counts.get("n_samples", 0) for (_, value), x in scores.items()}
        largest = set(sorted(values, key=lambda x: -sizes[x])[:_MOST_VALUES])
        shown = [value for value in values if value in largest]
        said += [f"Of {len(values)} values, the {len(shown)} with most samples are shown."] * (len(shown) < len(values))
        figures = []
        is_any_known = any(not math.isnan(score_number(scores, key, measure)) for key in scores)
        if len(self.names) > 1 and len(values) <= _MOST_LINES and is_any_known:
            figures.append(
                self.figures.sweep(comparison, [measure], f"{name} for each value of {quote_label(self.by_name)}")
            )
        caption = f"{name} of each labeling for the samples of each value of {quote_label(self.by_name)}"
        table = _table_by_value(self.names, shown, scores, measure, caption)
        self.sections.append(_Section(title, said, figures, [table]))

    def add_pairs(self) -> None:
        """How much the labelings agree with each other."""
        kept = self.names[:_MOST_PAIRED]
        labelings = {name: self.asked.given.labelings[name] for name in kept}
        if self.truth is not None:
            name = self.truth
            while name in labelings:
                name += " (true labels)"
            labelings = {name: self.asked.given.labels_true, **labelings}
        found = score_pairs(self.asked, labelings, "adjusted_rand_score")
        caption = "ARI of all pairs of labelings; similar labelings are next to each other"
        said = [f"The {len(kept)} best of {len(self.names)} labelings."] if len(kept) < len(self.names) else []
        self.sections.append(_Section("Agreement of all pairs", said, [self.figures.agreement(found, caption)]))

    def add_details(self, name: Any) -> None:
        """How one labeling divides the classes, and its silhouettes."""
        figures, tables, said = [], [], []
        if self.truth is not None:
            table = table_of_labeling(self.asked, name)
            overlaps = Overlaps.of(table)
            said = list(about_causes(name, overlaps.causes, 3))
            if name in [self.best]:  # NaN is in it, but does not equal itself
                self.summary.append(said[0])
            truth, of = quote_label(self.truth), quote_label(name)
            figures = [
                self.figures.confusion(table, f"Shares of each class of {truth} in the clusters of {of}"),
                self.figures.flow(
                    table,
                    f"How the classes of {truth} (left) are divided among the clusters of {of} (right)",
                ),
                self.figures.classes(overlaps, "Share of each class in its largest cluster"),
                self.figures.clusters(overlaps, "Share of each cluster that belongs to its main class"),
            ]
            tables = [_table_of_classes(overlaps), _table_of_clusters(overlaps)]
        figures += self._silhouettes(name)
        self.sections.append(_Section(f"{name_text(name)} in detail", said, figures, tables))

    def _silhouettes(self, name: Any) -> list[PageFigure]:
        """The plot of the silhouettes whose mean the table has, if that is known and weighs all samples equally."""
        measure, given = self.asked.silhouette, self.asked.given
        if measure is None or set(measure.options) - {"metric"} or given.sample_weight is not None:
            return []
        if math.isnan(score_number(self.scores, name, measure.name)):
            return []
        options = {**measure.options, "sample_size": self.asked.n_drawn, "random_state": self.asked.drawn_by}
        of = "the samples" if self.asked.n_drawn is None else f"{self.asked.n_drawn:,} samples"
        caption = f"Silhouettes of {of}, by the clusters of {quote_label(name)}"
        return [self.figures.silhouettes(given.X, *given.labelings_with_masks(name)[0], options, caption)]


# The tables of a report.

_MOST_ROWS = 500
"""The largest number of labels in a table; a note says how many more there are."""

_WIDEST_VALUE, _WIDEST_MEASURE = 20, 40
"""The largest widths of a value of ``by`` above its column, and of a measure, which is broken at its underscores."""


class _Head(NamedTuple):
    """The head of a column."""

    text: str
    is_number: bool = True
    about: str = ""
    """An explanation, shown as a tooltip; empty if there is none."""


class _Cell(NamedTuple):
    """A cell, and what it is sorted by."""

    text: str
    value: float | str
    beside: str = ""
    """Text that is shown after it in a fainter colour."""
    is_best: bool = False


class _PageTable(NamedTuple):
    """A table of which the first column is of names."""

    caption: str
    heads: Sequence[_Head]
    rows: Sequence[tuple[str, Sequence[_Cell]]]
    note: str = ""


def _table_of_scores(names: Sequence[Any], scores: Scores, caption: str, note: str) -> _PageTable:
    """A row for each labeling, in the order of the names; the best scores of each measure are marked."""
    best = _names_to_mark(scores)
    measures = measures_of(list(scores.values()))
    heads = [
        _Head("labeling", is_number=False),
        _Head("clusters"),
        _Head("samples"),
        *(_head(x, common_direction(x, scores.values())) for x in measures),
    ]
    rows = []
    for name in names:
        shown = scores[name]
        counts = [_count(shown.counts.get("n_clusters", "")), _samples(shown)]
        cells = [_score(shown, x, name in best.get(x, ())) for x in measures]
        rows.append((name_text(name), [*counts, *cells]))
    return _PageTable(caption, heads, rows, note)


def _names_to_mark(scores: Scores) -> dict[Any, list[Any]]:
    """The best labelings by each measure, which are marked; none if there is only one labeling."""
    return names_of_best(scores) if len(scores) > 1 else {}


def _head(measure: Any, direction: Direction) -> _Head:
    text = shorten_middle(name_text(measure), _WIDEST_MEASURE)
    return _Head(f"{text} {ARROWS[direction]}", about=f"{direction} is better") if direction else _Head(text)


def _count(number: Any) -> _Cell:
    return _Cell("", "") if number == "" else _Cell(count_text(number), float(number))


def _samples(shown: EvaluationTexts) -> _Cell:
    return _Cell(shown.samples, float(shown.counts.get("n_samples", 0)))


def _score(shown: EvaluationTexts, measure: Any, is_best: bool) -> _Cell:
    if measure not in shown.scores:
        return _Cell("", "")
    score = shown.scores[measure]
    return _Cell(score.text, _sort_key(score.number), score.interval, is_best)


def _sort_key(number: float) -> float | str:
    """A number as JavaScript reads it; "" for NaN, which is sorted after all others."""
    if math.isnan(number):
        return ""
    return number if math.isfinite(number) else f"{'-' * (number < 0)}Infinity"


def _table_by_value(
    names: Sequence[Any], values: Sequence[Any], scores: Mapping[Any, EvaluationTexts], measure: Any, caption: str
) -> _PageTable:
    """A row for each labeling and a column for each value of ``by``, of one measure."""
    said = {value: f"{shown.samples} samples" for (_, value), shown in scores.items() if shown.samples}
    heads = [
        _Head("labeling", is_number=False),
        *(_Head(shorten_middle(name_text(x), _WIDEST_VALUE), about=said.get(x, "")) for x in values),
    ]
    of_values: dict[Any, dict[Any, EvaluationTexts]] = {value: {} for value in values}
    for (name, value), shown in scores.items():
        if value in of_values:
            of_values[value][name] = shown
    best = {value: _names_to_mark(found).get(measure, []) for value, found in of_values.items()}
    nothing = _Cell("", "")
    rows = []
    for name in names:
        at = {value: scores.get((name, value)) for value in values}
        cells = [nothing if x is None else _score(x, measure, name in best[value]) for value, x in at.items()]
        rows.append((name_text(name), cells))
    return _PageTable(caption, heads, rows)


def _table_of_classes(overlaps: Overlaps) -> _PageTable:
    """Where the samples of each class are; the largest class first."""
    heads = [
        _Head("class", is_number=False),
        _Head("samples"),
        _Head("in its largest cluster", about="the share of the class that is in its largest cluster (recall)"),
        _Head("best F", about="the largest F-score with any cluster; 1 is best"),
        _Head("clusters", about="the number of clusters that hold samples of the class"),
        _Head("where its samples are", is_number=False),
    ]
    return _spread_table("Each class, and the clusters of its samples", heads, overlaps.class_spreads)


def _table_of_clusters(overlaps: Overlaps) -> _PageTable:
    """What each cluster holds; the largest cluster first."""
    heads = [
        _Head("cluster", is_number=False),
        _Head("samples"),
        _Head("of its main class", about="the share of the cluster that belongs to its main class (precision)"),
        _Head("best F", about="the largest F-score with any class; 1 is best"),
        _Head("classes", about="the number of classes that have samples in the cluster"),
        _Head("what it holds", is_number=False),
    ]
    return _spread_table("Each cluster, and the classes of its samples", heads, overlaps.cluster_spreads)


def _spread_table(caption: str, heads: Sequence[_Head], spreads: Sequence[Spread]) -> _PageTable:
    in_order = sorted(spreads, key=lambda spread: -spread.size)
    left_out = len(in_order) - _MOST_ROWS
    note = f"{count_text(left_out)} smaller ones are not shown." if left_out > 0 else ""
    return _PageTable(caption, heads, [(name_text(x.label), _spread_cells(x)) for x in in_order[:_MOST_ROWS]], note)


def _spread_cells(spread: Spread) -> list[_Cell]:
    share = spread.parts[0].share if spread.parts else math.nan
    said = parts_text(spread.parts, spread.n_parts) if spread.parts else ""
    return [
        _Cell(count_text(spread.size), spread.size),
        _Cell(share_text(share) if spread.parts else "", share if spread.parts else ""),
        _Cell(f"{spread.best_f:.3f}", spread.best_f),
        _Cell(count_text(spread.n_parts), float(spread.n_parts)),
        _Cell(said, said),
    ]
