"""The sections of a report: what is said, shown and listed in each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from gpuval.evaluation.results.evaluations import Comparison
from gpuval.evaluation.results.shown_scores import ShownEvaluation, about_level
from gpuval.reporting.found.overlaps import Overlaps
from gpuval.reporting.found.ranked import first_measure, in_order_of
from gpuval.reporting.found.scoring import WhatToReport, measure_apart, scored_apart, scored_pairs, table_of_labeling
from gpuval.reporting.page.figures import Figures, PageFigure
from gpuval.reporting.page.tables import (
    PageTable,
    table_apart,
    table_of_classes,
    table_of_clusters,
    table_of_scores,
)
from gpuval.reporting.words.names import measure_text, name_text, quoted
from gpuval.reporting.words.sentences import about_best, about_causes, about_others, about_parts

_MOST_PAIRED, _MOST_VALUES = 60, 40
"""The labelings whose pairs are shown, and the values of ``by``."""


@dataclass(frozen=True)
class Section:
    """A part of the page with a heading of its own."""

    title: str
    sentences: Sequence[str] = ()
    figures: Sequence[PageFigure] = ()
    tables: Sequence[PageTable] = ()


@dataclass
class Content:
    """What a report says: filled in section by section."""

    asked: WhatToReport
    comparison: Comparison
    truth: str | None
    """What the true labels are called."""
    by_name: str
    summary: list[str] = field(default_factory=list)
    sections: list[Section] = field(default_factory=list)
    figures: Figures = field(default_factory=Figures)

    def __post_init__(self) -> None:
        self.scores: Mapping[Any, ShownEvaluation] = {name: x.shown() for name, x in self.comparison.items()}
        self.measure = first_measure(self.scores, self.asked.asked.are_named)
        self.names = in_order_of(self.scores, self.measure)
        ahead = (self.comparison.best or {}).get(self.measure)
        self.best = self.names[0] if ahead is None else ahead.name

    def add_scores(self) -> None:
        """All scores, and which labeling is best."""
        self.summary.append(about_best(self.scores, self.comparison, self.measure, self.best, self.truth))
        external, internal = (
            [name for name in measures if name != self.measure]
            for measures in (self.asked.asked.external, self.asked.asked.internal)
        )
        self._add(about_others(self.scores, external, self.best, "other measures"))
        self._add(about_others(self.scores, internal, self.best, "the samples alone"))
        caption = "Scores of each labeling"
        table = table_of_scores(self.names, self.scores, caption, self._note())
        figures = []
        if len(self.scores) > 1 and (measures := self._plotted()):
            against = f" against {quoted(self.truth)}" if self.truth is not None else ""
            figures.append(self.figures.sweep(self.comparison, measures, f"Scores of the labelings{against}"))
        self.sections.append(Section("Scores", (), figures, [table]))

    def _add(self, sentence: str | None) -> None:
        self.summary += [] if sentence is None else [sentence]

    def _note(self) -> str:
        """What is to be said of the numbers of the table."""
        level = next((x.level for x in self.scores.values() if x.level is not None), None)
        said = [x.capitalize() + "." for x in about_level(level)]
        size = self.asked.silhouette_sample_size
        if size is not None and any("sample_size" in x.keywords for x in self.asked.internal.values()):
            said.append(f"Silhouettes are those of {size:,} samples, drawn at random, among all samples.")
        return " ".join(said)

    def _plotted(self) -> list[Any]:
        """The measures of the plot: those of which some are known well enough for one axis."""
        return [name for name in _ON_ONE_AXIS if all(name in x.scores for x in self.scores.values())][:_MOST_PLOTTED]

    def add_apart(self) -> None:
        """The scores of one measure for each value of ``by``."""
        measure = measure_apart(self.asked, self.measure)
        if measure is None:
            self.sections.append(Section(f"By {name_text(self.by_name)}", ["Silhouettes are not found apart."]))
            return
        comparison = scored_apart(self.asked, measure)
        scores = {key: x.shown() for key, x in comparison.items()}
        values = list(dict.fromkeys(value for _, value in scores))
        sizes = {value: x.counts.get("n_samples", 0) for (_, value), x in scores.items()}
        shown = sorted(sorted(values, key=lambda x: -sizes[x])[:_MOST_VALUES], key=values.index)
        of_best = {x: scores[self.best, x].scores[measure].number for x in shown if (self.best, x) in scores}
        self._add(about_parts(self.best, self.by_name, measure, of_best))
        name = measure_text(measure)
        caption = f"{name} of each labeling for the samples of each value of {quoted(self.by_name)}"
        left_out = len(values) - len(shown)
        said = [f"Of {len(values)} values, the {len(shown)} with most samples are shown."] if left_out else []
        figures = []
        if len(self.names) > 1 and len(shown) <= _MOST_LINES:
            caption_of_plot = f"{name} for each value of {quoted(self.by_name)}"
            figures.append(self.figures.sweep(comparison, [measure], caption_of_plot))
        table = table_apart(self.names, shown, scores, measure, caption)
        self.sections.append(Section(f"By {name_text(self.by_name)}", said, figures, [table]))

    def add_pairs(self) -> None:
        """How much the labelings agree with each other."""
        kept = self.names[:_MOST_PAIRED]
        labelings = {name: self.asked.labelings[name] for name in kept}
        if self.truth is not None:
            name = self.truth if self.truth not in labelings else f"{self.truth} (true labels)"
            labelings = {name: self.asked.labels_true, **labelings}
        found = scored_pairs(self.asked, labelings, "adjusted_rand_score")
        caption = "ARI of all pairs of labelings; those that are alike stand together"
        said = [f"The {len(kept)} best of {len(self.names)} labelings."] if len(kept) < len(self.names) else []
        self.sections.append(Section("Agreement of all pairs", said, [self.figures.agreement(found, caption)]))

    def add_details(self, name: Any) -> None:
        """What one labeling makes of the classes, and how its clusters lie in space."""
        figures, tables, said = [], [], []
        if self.asked.has_truth:
            table = table_of_labeling(self.asked, name)
            overlaps = Overlaps.of(table)
            said = list(about_causes(name, overlaps.causes, 3))
            if name == self.best:
                self.summary.append(next(iter(about_causes(name, overlaps.causes))))
            classes = quoted(self.truth) if self.truth is not None else "the classes"
            figures = [
                self.figures.confusion(table, f"Shares of each class of {classes} in the clusters of {quoted(name)}"),
                self.figures.flow(table, f"From {classes} on the left to the clusters of {quoted(name)} on the right"),
                self.figures.classes(overlaps, "Share of each class in its largest cluster"),
                self.figures.clusters(overlaps, "Share of each cluster that is of its main class"),
            ]
            tables = [table_of_classes(overlaps), table_of_clusters(overlaps)]
        if self.asked.X is not None and self.asked.internal and self.scores[name].counts.get("n_clusters", 0) > 1:
            figures.append(self._silhouettes(name))
        self.sections.append(Section(f"{name_text(name)} in detail", said, figures, tables))

    def _silhouettes(self, name: Any) -> PageFigure:
        size = self.asked.silhouette_sample_size
        options = {
            "sample_size": size,
            "random_state": self.asked.random_state,
            "ignore_labels": self.asked.ignore_labels,
        }
        of = "samples" if size is None else f"{size:,} samples"
        caption = f"Silhouettes of {of}, by the clusters of {quoted(name)}"
        return self.figures.silhouettes(self.asked.X, self.asked.labelings[name], options, caption)


_ON_ONE_AXIS = (
    "adjusted_rand_score",
    "adjusted_mutual_info_score",
    "homogeneity_score",
    "completeness_score",
    "normalized_mutual_info_score",
    "v_measure_score",
    "silhouette_score",
)
"""The measures that are plotted, if they are asked for: the first ones of these."""

_MOST_PLOTTED, _MOST_LINES = 5, 12
