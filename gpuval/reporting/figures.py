"""The plots of a report, each drawn for several widths."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np

from gpuval.display.colors import OTHERS
from gpuval.engines.backends import to_host
from gpuval.inputs.options import require_extra
from gpuval.numerics import NDArray
from gpuval.reporting.coordinates import Coordinates
from gpuval.reporting.sections import Form, PageFigure
from gpuval.reporting.svg import STYLE, as_svg, share_pictures
from gpuval.results.evaluations import Comparison, PairwiseScores
from gpuval.results.settings import Stability
from gpuval.table.contingency import Contingency
from gpuval.table.labelings import Labeling
from gpuval.table.labels import labels_on_host

_WIDTHS: Mapping[Form, float] = {"full": 12.3, "wide": 7.3, "narrow": 3.54}
"""Inches, of 96 pixels: of a page of 1200 pixels, of one of 640 or a sheet of A4, and of a phone."""

_TWO: tuple[Form, ...] = ("wide", "narrow")


_MOST_SHAPES = 4000
"""Ribbons and parts of clusters in a tree of which anything can be seen."""


class Figures:
    """Draws the plots of one report; the ids within each begin with its number."""

    def __init__(self) -> None:
        import gpuval.plots

        self._plots = gpuval.plots
        self._n_drawn = 0

    def sweep(self, comparison: Comparison, measures: Sequence[Any], caption: str, about: str) -> PageFigure:
        """The scores of all labelings."""
        return self._draw(self._plots.SweepDisplay.from_comparison(comparison, measures), caption, about)

    def stability(self, found: Stability, kind: Literal["curve", "clusters"], caption: str, about: str) -> PageFigure:
        """How stable settings are, or their clusters."""
        return self._draw(self._plots.StabilityDisplay(found), caption, about, kind=kind)

    def tree(
        self,
        labelings: Mapping[Any, Any],
        labels_true: Any,
        always: Sequence[Any],
        which_count: Mapping[str, Any],
        caption: str,
        colors: Mapping[Any, str] | None,
    ) -> PageFigure | None:
        """How clusters split and merge from one labeling to the next; None where that is too much for one picture."""
        display = self._plots.TreeDisplay.from_labelings(labelings, labels_true, always=always, **which_count)
        if _n_shapes(display) > _MOST_SHAPES:
            return None
        if colors:
            display.colors = [colors.get(label, OTHERS) for label in display.classes]
        return self._draw(display, caption)

    def embedding(
        self,
        coordinates: Coordinates,
        sides: Sequence[Labeling],
        counts: NDArray,
        names: Sequence[str],
        colors: Mapping[Any, str],
        caption: str,
        *,
        has_units: bool,
    ) -> PageFigure:
        """The samples that count, in the colours of their classes and of their clusters."""
        codes, labels = zip(*(_codes_of(side, counts) for side in sides), strict=True)
        more = {"cluster_codes": codes[1], "clusters": labels[1]} if len(sides) > 1 else {}
        display = self._plots.EmbeddingDisplay(
            coordinates.points[counts],
            codes[0],
            labels[0],
            **more,
            colors=[colors.get(label, OTHERS) for label in labels[0]] if colors else None,
            axis_names=coordinates.names,
            names=(names[0], names[1] if len(names) > 1 else ""),
            has_units=has_units,
        )
        return self._draw(display, caption, forms=("full", *_TWO))

    def agreement(self, scores: PairwiseScores, caption: str) -> PageFigure:
        """The scores of all pairs of labelings."""
        return self._draw(self._plots.AgreementDisplay.from_pairwise(scores), caption)

    def confusion(self, table: Contingency, units: str, caption: str, colors: Mapping[Any, str] | None) -> PageFigure:
        """The share of each class in each cluster."""
        return self._draw(self._plots.ConfusionDisplay.from_table(table, colors=colors), caption, unit=units)

    def silhouettes(
        self,
        X: Any,
        labeling: Labeling,
        counts: NDArray,
        options: Mapping[str, Any],
        colors: Mapping[Any, str],
        units: str,
        caption: str,
    ) -> PageFigure:
        """The silhouettes of the samples of each cluster, of the samples that count."""
        codes = np.where(counts, to_host(labeling.encoded.codes), -1)
        display = self._plots.SilhouetteDisplay.from_samples(X, codes, ignore_labels=[-1], **options)
        names = labels_on_host(labeling.encoded.values).tolist()
        display.clusters = [names[code] for code in display.clusters]
        if colors:
            display.colors = [colors.get(label, OTHERS) for label in display.clusters]
        return self._draw(display, caption, unit=units)

    def _draw(
        self, display: Any, caption: str, about: str = "", forms: Sequence[Form] = _TWO, **options: Any
    ) -> PageFigure:
        """A plot in several forms; ``about`` is said of it in place of its caption to those who do not see it."""
        with require_extra("gpuval.report", "report"):
            from matplotlib import style

            from gpuval.plots._axes import detach_from_pyplot

        self._n_drawn += 1
        drawn = []
        with style.context(["default", STYLE]), warnings.catch_warnings(), detach_from_pyplot():
            # The text of a report stays text, which browsers draw: matplotlib's font need not have its letters.
            warnings.filterwarnings("ignore", "Glyph .* missing from (current )?font", UserWarning)
            warnings.filterwarnings("ignore", "Matplotlib currently does not support", UserWarning)
            for form in forms:
                figure = display.plot(width=_WIDTHS[form], **options).figure_
                drawn.append((form, as_svg(figure, f"figure{self._n_drawn}-{form}", about or caption)))
        shared = share_pictures([svg for _, svg in drawn], f"figure{self._n_drawn}")
        return PageFigure([(form, svg) for (form, _), svg in zip(drawn, shared, strict=True)], caption)


def _codes_of(side: Labeling, counts: NDArray) -> tuple[NDArray, list[Any]]:
    """The codes of the samples that count, and the labels of the codes."""
    return to_host(side.encoded.codes)[counts], labels_on_host(side.encoded.values).tolist()


def _n_shapes(display: Any) -> int:
    """How many ribbons and parts of clusters a tree has."""
    ribbons = [np.count_nonzero(100 * x >= np.minimum(x.sum(axis=0), x.sum(axis=1)[:, None])) for x in display.shared]
    return int(sum(ribbons)) + int(sum(map(np.count_nonzero, display.class_counts or ())))
