"""Axes and the text on them: text from users is shown as it is, and never read as mathematics."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from typing import Any, Literal

import numpy as np

from gpuval.display.colors import DARK_GROUND, text_on
from gpuval.display.names import short_names
from gpuval.display.tables import label_text, short_label
from gpuval.display.text import text_width
from gpuval.inputs.options import as_number, require_extra

with require_extra("gpuval.plots", "plots"):
    from matplotlib import rcParams
    from matplotlib.axes import Axes as Axes
    from matplotlib.figure import Figure
    from matplotlib.font_manager import FontProperties
    from matplotlib.text import Text
    from matplotlib.textpath import text_to_path
    from matplotlib.ticker import MaxNLocator

WIDEST_NAME = 24
"""Columns of a name on a plot; longer ones are shortened."""
_NARROWEST_NAME = 6
"""Columns of a name where there is little room."""

_NOT_IN_XML = re.compile("[\ufffe\uffff]")
_LINE = 1.25
"""The height of a line of text of size 1."""
_MEASURED = 20.0
"""The size in which text is measured."""
SMALLEST_SIDE, LARGEST_SIDE = 2.8, 13.0
"""Of a figure, in inches."""

SMALLEST_TEXT = 8.25
"""The size of text in points, 11 pixels of a page, below which it is not easily read."""

NARROW = 330.0
"""The width in points below which a figure is narrow, as on a phone, and does without some words."""

AS_IT_IS: dict[str, Any] = {"parse_math": False, "usetex": False}
"""Options of text that is of users."""


_IS_APART: ContextVar[bool] = ContextVar("figures are apart from pyplot", default=False)


@contextmanager
def detach_from_pyplot() -> Iterator[None]:
    """Within this context, new figures are not those of pyplot: only the caller keeps and shows them."""
    before = _IS_APART.set(True)
    try:
        yield
    finally:
        _IS_APART.reset(before)


def axes_to_draw_on(ax: Any, width: float, height: float) -> Axes:
    """The axes that were given, or those of a new figure of about this size, in inches."""
    if ax is not None:
        if not isinstance(ax, Axes):
            raise TypeError(f"ax must be a matplotlib Axes, got {type(ax).__name__}")
        return ax
    width, height = (min(max(x, SMALLEST_SIDE), LARGEST_SIDE) for x in (width, height))
    if _IS_APART.get():
        return Figure(figsize=(width, height), layout="constrained").subplots()
    with require_extra("gpuval.plots", "plots"):
        from matplotlib import pyplot

    _, new = pyplot.subplots(figsize=(width, height), layout="constrained")
    return new


def width_of_figure(ax: Any, width: Any, own: float) -> float:
    """The width in inches of a new figure: what is asked for, or else its own one."""
    if width is None:
        return min(max(own, SMALLEST_SIDE), LARGEST_SIDE)
    if ax is not None:
        raise TypeError(f"width must not be given together with ax, got {width!r}")
    inches = as_number("width", width)
    if not SMALLEST_SIDE <= inches <= LARGEST_SIDE:
        raise ValueError(f"width must be from {SMALLEST_SIDE} to {LARGEST_SIDE:g} inches, got {width!r}")
    return inches


def name_on_plot(name: Any, widest: int = WIDEST_NAME) -> str:
    """A name, such as a label, in one short line; one that would not be seen is in quotes."""
    return short_label(_NOT_IN_XML.sub(lambda match: f"\\u{ord(match[0]):04x}", label_text(name)), widest)


def names_on_plot(names: Iterable[Any], widest: int = WIDEST_NAME) -> list[str]:
    """Names that stand beside each other, each in one short line, so that no two different ones become equal."""
    texts = [_NOT_IN_XML.sub(lambda match: f"\\u{ord(match[0]):04x}", label_text(name)) for name in names]
    return [text if text_width(text.strip()) else f"'{text}'" for text in short_names(texts, widest)]


def names_within(names: Sequence[Any], size: float, room: float) -> list[str]:
    """Names on a plot, in text of this size, in as many columns as take no more room (in points), and at least in 6."""
    for widest in range(WIDEST_NAME, _NARROWEST_NAME, -1):
        found = names_on_plot(names, widest)
        if width_in_points(found, size) <= room:
            return found
    return names_on_plot(names, _NARROWEST_NAME)


def short_score(score: float) -> str:
    """A score in few letters: two decimals, or three digits where that is less."""
    text = f"{score:.2f}" if not abs(score) >= 1000 else f"{score:.3g}"
    return text.removeprefix("-") if text == "-0.00" else text


def count_on_plot(count: float) -> str:
    """A number of samples, or a weight, in few letters: 519, 3.2k, 22.1k, 1.2M."""
    for size, unit in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if count >= 0.99995 * size:
            return f"{count / size:.1f}{unit}"
    return f"{count:,.0f}" if count % 1 == 0 else f"{count:.3g}"


def whole_count(count: float) -> str:
    """A number of samples with all its digits, or a weight with three."""
    return f"{count:,.0f}" if count % 1 == 0 else f"{count:,.3g}" if count < 1000 else f"{count:,.1f}"


def share_on_plot(share: float) -> str:
    """A share in whole percent."""
    return "<1 %" if 0 < share < 0.01 else f"{round(100 * share)} %"


def others_text(number: int) -> str:
    """What stands for labels that are not shown by themselves."""
    return f"({number} other{'s' * (number != 1)})"


def draw_text(ax: Axes, x: float, y: float, text: str, **options: Any) -> Text:
    """Write text as it is."""
    return ax.text(x, y, text, **{**AS_IT_IS, **options})


def thin_out_ticks(ax: Axes, length: float) -> None:
    """Have no more ticks along the x axis than have room on so many points."""
    ax.xaxis.set_major_locator(MaxNLocator(nbins=min(max(int(length / 45), 1), 8), steps=[1, 2, 2.5, 5, 10]))


def name_axes(ax: Axes, x: str, y: str) -> None:
    """Say what is along each axis."""
    ax.set_xlabel(x, **AS_IT_IS)
    ax.set_ylabel(y, **AS_IT_IS)


def points_along(ax: Axes, axis_name: Literal["x", "y"]) -> float:
    """The length of a side of the axes in points, as far as it is known before the layout."""
    box = ax.get_window_extent()
    return float(box.width if axis_name == "x" else box.height) * 72 / float(ax.figure.dpi)


def room_on(ax: Any) -> tuple[float, float]:
    """The width and the height in points that axes of the user have, as far as they are known before they are drawn on.

    They leave nothing beside them yet, if their figure has a layout.
    """
    ax = axes_to_draw_on(ax, SMALLEST_SIDE, SMALLEST_SIDE)
    figure: Any = ax.figure
    while figure.figure not in (None, figure):
        figure = figure.figure
    if (engine := figure.get_layout_engine()) is not None:
        for axis in (ax.xaxis, ax.yaxis):
            axis.set_visible(False)
        engine.execute(figure)
        for axis in (ax.xaxis, ax.yaxis):
            axis.set_visible(True)
    return points_along(ax, "x"), points_along(ax, "y")


def points_of_height(ax: Axes) -> float:
    """The height of a figure of ours in points."""
    figure: Any = ax.figure
    return 72 * float(figure.get_figheight())


def lay_out(ax: Axes) -> None:
    """Give the axes of a figure of ours the size that what is drawn leaves them."""
    figure: Any = ax.figure
    figure.get_layout_engine().execute(figure)


def size_of_text(key: str) -> float:
    """The size in points of a kind of text that the user's settings have, such as "xtick.labelsize"."""
    settings: Any = rcParams
    return float(FontProperties(size=settings[key]).get_size_in_points())


def width_in_points(texts: Iterable[str], size: float, *, bold: bool = False) -> float:
    """How wide the widest of the texts is in the font of the user's settings."""
    family = tuple(rcParams["font.family"])
    return max((_width_of(text, family, bold) for text in texts), default=0.0) * size


@lru_cache(8192)
def _width_of(text: str, family: tuple[str, ...], bold: bool) -> float:
    """How wide a text of size 1 is."""
    font = FontProperties(family=list(family), size=_MEASURED, weight="bold" if bold else "normal")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of letters that the font lacks; matplotlib warns when it draws them
        width, _, _ = text_to_path.get_text_width_height_descent(text, font, ismath=False)
    return float(width) / _MEASURED


def texts_that_fit(centres: Sequence[float], weights: Sequence[float], distance: float) -> list[int]:
    """Which of the texts at these places have room, the weightier ones first: no two are nearer than ``distance``."""
    taken: list[float] = []
    kept = []
    for i in np.argsort(-np.asarray(weights, dtype=float), kind="stable").tolist():
        if all(abs(centres[i] - x) >= distance for x in taken):
            taken.append(centres[i])
            kept.append(i)
    return sorted(kept)


def line_height(size: float) -> float:
    """The height in points of a line of text of this size."""
    return _LINE * size


# Lines that are told apart, and the colours of numbers from light to dark.

with require_extra("gpuval.plots", "plots"):
    from matplotlib import colormaps
    from matplotlib.colors import Colormap, LinearSegmentedColormap, to_hex, to_rgba

MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">")

NUMBERS = "Blues"
"""The map of numbers: of one hue, from white to dark; its lightness falls all the way."""
_ON_DARK = (DARK_GROUND, "#0B4F8A", "#4292C6", "#C6DBEF")
"""The same from a dark ground to light."""


def map_of_numbers(*, falls: bool = False, dark: bool = False) -> Colormap:
    """The map of numbers: from the ground to a strong tone, or, if it ``falls``, from that to the ground.

    There is no colour for NaN.
    """
    rises = LinearSegmentedColormap.from_list("numbers on dark", _ON_DARK) if dark else colormaps[NUMBERS]
    return (rises.reversed() if falls else rises).with_extremes(bad=(0.0, 0.0, 0.0, 0.0))


def is_dark(ax: Axes) -> bool:
    """Whether text on the ground of the axes has to be light."""
    grounds = (ax.get_facecolor(), ax.figure.get_facecolor(), "white")
    seen = next(color for color in grounds if to_rgba(color)[3] > 0.5)
    return text_on(to_hex(seen)) == "white"
