"""The plots of a report, as SVG."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Mapping, Sequence
from typing import Any
from xml.etree import ElementTree

import numpy as np

from gpuval.display.text import visible
from gpuval.engines.backends import to_host
from gpuval.inputs.options import require_extra
from gpuval.numerics import NDArray
from gpuval.reporting.sections import PageFigure
from gpuval.results.evaluations import Comparison, PairwiseScores
from gpuval.table.contingency import Contingency
from gpuval.table.labelings import Labeling
from gpuval.table.labels import labels_on_host


class Figures:
    """Draws the plots of one report; the ids within each begin with its number."""

    def __init__(self) -> None:
        import gpuval.plots

        self._plots = gpuval.plots
        self._n_drawn = 0

    def sweep(self, comparison: Comparison, measures: Sequence[Any], caption: str) -> PageFigure:
        """The scores of all labelings."""
        return self._draw(self._plots.SweepDisplay.from_comparison(comparison, measures), caption)

    def agreement(self, scores: PairwiseScores, caption: str) -> PageFigure:
        """The scores of all pairs of labelings."""
        return self._draw(self._plots.AgreementDisplay.from_pairwise(scores), caption)

    def confusion(self, table: Contingency, caption: str) -> PageFigure:
        """The share of each class in each cluster."""
        return self._draw(self._plots.ConfusionDisplay.from_table(table), caption)

    def silhouettes(
        self, X: Any, labeling: Labeling, counts: NDArray, options: Mapping[str, Any], caption: str
    ) -> PageFigure:
        """The silhouettes of the samples of each cluster, of the samples that count."""
        assert labeling.codes is not None
        codes = np.where(counts, to_host(labeling.codes.codes), -1)
        display = self._plots.SilhouetteDisplay.from_samples(X, codes, ignore_labels=[-1], **options)
        names = labels_on_host(labeling.codes.values).tolist()
        display.clusters = [names[code] for code in display.clusters]
        return self._draw(display, caption)

    def _draw(self, display: Any, caption: str, **options: Any) -> PageFigure:
        with require_extra("gpuval.report", "report"):
            from matplotlib import style

            from gpuval.plots._axes import detach_from_pyplot

        self._n_drawn += 1
        with style.context(["default", STYLE]), warnings.catch_warnings(), detach_from_pyplot():
            # The text of a report stays text, which browsers draw: matplotlib's font need not have its letters.
            warnings.filterwarnings("ignore", "Glyph .* missing from font", UserWarning)
            figure = display.plot(**options).figure_
            return PageFigure(as_svg(figure, f"figure{self._n_drawn}", caption), caption)


# Figures of matplotlib as SVG within a page: with a description, and in the colours of the page.

_SVG = "http://www.w3.org/2000/svg"

INK, PAPER = "#010203", "#fdfcfb"
"""The colours of text and lines, and of the ground, in figures: those of the page are put in their place."""

_COLOURS = {INK: "currentColor", PAPER: "var(--ground)"}

_FONTS = re.compile(r"font-family: [^;]*;? ?")
"""The fonts of text, left out as it is in that of the page."""

STYLE: Any = {
    "svg.fonttype": "none",  # text stays text: it is searched, read aloud, and no letter is without a shape
    "svg.hashsalt": "gpuval",
    "font.family": ["sans-serif"],
    "font.size": 9.0,
    **dict.fromkeys(["text.color", "axes.labelcolor", "axes.edgecolor", "axes.titlecolor", "legend.labelcolor"], INK),
    **dict.fromkeys(["xtick.color", "ytick.color", "xtick.labelcolor", "ytick.labelcolor", "lines.color"], INK),
    **dict.fromkeys(["figure.facecolor", "axes.facecolor", "savefig.facecolor", "figure.edgecolor"], PAPER),
    **dict.fromkeys(["legend.facecolor", "legend.edgecolor", "savefig.edgecolor"], PAPER),
}
"""What is drawn in another way than by matplotlib's own style."""


def as_svg(figure: Any, prefix: str, description: str) -> str:
    """A figure as one element of HTML, which a screen reader reads as an image with this description.

    All ids in it begin with the prefix, as an id must not be there twice within a page.
    """
    file = io.StringIO()
    unsaid = dict.fromkeys(["Date", "Creator", "Format", "Type"])
    figure.savefig(file, format="svg", bbox_inches="tight", metadata=unsaid)
    root = ElementTree.fromstring(file.getvalue())
    for part in list(root):
        if part.tag in (f"{{{_SVG}}}metadata", f"{{{_SVG}}}title"):
            root.remove(part)
    for element in root.iter():
        element.tag = _local_name(element.tag)  # HTML knows these elements, and has no namespaces
        attributes = {_local_name(name): value for name, value in element.attrib.items()}
        element.attrib.clear()
        element.attrib.update({name: _adapt_value(name, value, prefix) for name, value in attributes.items()})
    width, height = (float(root.attrib.pop(x).removesuffix("pt")) for x in ("width", "height"))
    root.set("style", f"width:{width / 72 * 96:.0f}px;aspect-ratio:{width:.0f}/{height:.0f}")
    root.set("role", "img")
    root.set("aria-label", visible(description))
    text = ElementTree.tostring(root, encoding="unicode")
    return re.sub(r'<defs>\s*<style type="text/css">.*?</style>\s*</defs>', "", text, count=1, flags=re.DOTALL)


def _local_name(name: str) -> str:
    return name.rpartition("}")[2]


def _adapt_value(name: str, value: str, prefix: str) -> str:
    """The value of an attribute, with ids that begin with the prefix, and the colours and the font of the page."""
    if name == "id":
        return f"{prefix}-{value}"
    if name == "href" and value.startswith("#"):
        return f"#{prefix}-{value[1:]}"
    value = re.sub(r"url\(#([^)]+)\)", rf"url(#{prefix}-\1)", value)
    if name in ("style", "fill", "stroke"):
        for colour, of_page in _COLOURS.items():
            value = value.replace(colour, of_page)
    return _FONTS.sub("", value) if name == "style" else value
