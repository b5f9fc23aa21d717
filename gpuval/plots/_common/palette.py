"""Colours that are told apart by all eyes: of categories, and of numbers from light to dark."""

from __future__ import annotations

from collections.abc import Sequence

from gpuval.inputs.options import needed

with needed("gpuval.plots", "plots"):
    from matplotlib import colormaps
    from matplotlib.colors import Colormap, to_rgb

CATEGORIES = ("#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#F0E442")
"""The colours of Okabe and Ito (2008) but for black, which is no colour on a dark page.

Neighbours, the last and the first among them, differ to eyes that lack one kind of cones, too; a test simulates them.
"""

LINE_COLORS = (*CATEGORIES[:-1], "#7F7F7F")
"""The same for lines, which yellow is too faint for."""

OTHERS = "#9A9A9A"
"""The colour of all others together."""

MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">")
LINE_STYLES = ("-", "--", "-.", ":")

NUMBERS = "Blues"
"""The map of numbers: of one hue, from white to dark; its lightness falls all the way."""

_DARK = 0.2
"""The relative luminance below which white is read more easily than black."""


def color_of(place: int) -> str:
    """The colour of a category by its place; after the last comes the first."""
    return CATEGORIES[place % len(CATEGORIES)]


def line_style(place: int) -> dict[str, str]:
    """Colour, marker and dashes of a line by its place: no two of the first 63 have the same colour and marker."""
    return {
        "color": LINE_COLORS[place % len(LINE_COLORS)],
        "marker": MARKERS[place % len(MARKERS)],
        "linestyle": LINE_STYLES[place // len(LINE_COLORS) % len(LINE_STYLES)],
    }


def map_of_numbers(*, falls: bool = False) -> Colormap:
    """The map of numbers: dark are the large ones, or, if it ``falls``, the small ones; there is none for NaN."""
    return colormaps[f"{NUMBERS}_r" if falls else NUMBERS].with_extremes(bad=(0.0, 0.0, 0.0, 0.0))


def text_on(color: Sequence[float]) -> str:
    """Black or white, whichever is read more easily on a colour."""
    red, green, blue = (x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in color[:3])
    return "white" if 0.2126 * red + 0.7152 * green + 0.0722 * blue < _DARK else "black"


def darker(color: str, share: float = 0.7) -> tuple[float, float, float]:
    """A colour that is darker: the edge of what is filled with it."""
    red, green, blue = to_rgb(color)
    return share * red, share * green, share * blue
