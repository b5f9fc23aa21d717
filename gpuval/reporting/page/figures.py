"""The plots of a report, as SVG."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from gpuval.engines.backends import to_host
from gpuval.evaluation.results.evaluations import Comparison
from gpuval.evaluation.results.pairwise_scores import PairwiseScores
from gpuval.inputs.options import needed
from gpuval.metrics._common.labelled import ClassScores, ClusterScores
from gpuval.numerics import NDArray
from gpuval.reporting.found.overlaps import Overlaps, Spread
from gpuval.reporting.page.svg import STYLE, as_svg
from gpuval.table.contingency import Contingency
from gpuval.table.labelings import Labeling
from gpuval.table.labels import labels_on_host


class PageFigure(NamedTuple):
    """A plot, and what it shows."""

    svg: str
    caption: str


class Figures:
    """Draws the plots of one report; the ids within each begin with its number."""

    def __init__(self) -> None:
        import gpuval.plots

        self._plots = gpuval.plots
        self._n_drawn = 0

    def sweep(self, comparison: Comparison, measures: Sequence[Any], caption: str) -> PageFigure:
        """The scores of all labelings."""
        return self._drawn(self._plots.SweepDisplay.from_comparison(comparison, measures), caption)

    def agreement(self, scores: PairwiseScores, caption: str) -> PageFigure:
        """The scores of all pairs of labelings."""
        return self._drawn(self._plots.AgreementDisplay.from_pairwise(scores), caption)

    def confusion(self, table: Contingency, caption: str) -> PageFigure:
        """The share of each class in each cluster."""
        return self._drawn(self._plots.ConfusionDisplay.from_table(table), caption)

    def flow(self, table: Contingency, caption: str) -> PageFigure:
        """How the samples of the classes are divided among the clusters."""
        return self._drawn(self._plots.FlowDisplay.from_table(table), caption)

    def classes(self, overlaps: Overlaps, caption: str) -> PageFigure:
        """The share of each class in its largest cluster."""
        return self._bars(ClassScores, overlaps.class_spreads, "share in its largest cluster", caption)

    def clusters(self, overlaps: Overlaps, caption: str) -> PageFigure:
        """The share of each cluster that belongs to its main class."""
        return self._bars(ClusterScores, overlaps.cluster_spreads, "share of its main class", caption)

    def silhouettes(
        self, X: Any, labeling: Labeling, counts: NDArray, options: Mapping[str, Any], caption: str
    ) -> PageFigure:
        """The silhouettes of the samples of each cluster, of the samples that count."""
        assert labeling.codes is not None
        codes = np.where(counts, to_host(labeling.codes.codes), -1)
        display = self._plots.SilhouetteDisplay.from_samples(X, codes, ignore_labels=[-1], **options)
        names = labels_on_host(labeling.codes.values).tolist()
        display.clusters = [names[code] for code in display.clusters]
        return self._drawn(display, caption)

    def _bars(self, kind: Callable[..., Any], spreads: Sequence[Spread], score: str, caption: str) -> PageFigure:
        labels = np.empty(len(spreads), dtype=object)
        labels[:] = [x.label for x in spreads]
        shares = np.asarray([x.parts[0].share if x.parts else np.nan for x in spreads])
        return self._drawn(self._plots.LabelScoresDisplay.from_scores(kind(labels, shares)), caption, score_name=score)

    def _drawn(self, display: Any, caption: str, **options: Any) -> PageFigure:
        with needed("gpuval.report", "report"):
            from matplotlib import style

            from gpuval.plots._common.axes import apart_from_pyplot

        self._n_drawn += 1
        with style.context(["default", STYLE]), warnings.catch_warnings(), apart_from_pyplot():
            # The text of a report stays text, which browsers draw: matplotlib's font need not have its letters.
            warnings.filterwarnings("ignore", "Glyph .* missing from font", UserWarning)
            figure = display.plot(**options).figure_
            return PageFigure(as_svg(figure, f"figure{self._n_drawn}", caption), caption)
