"""Axes and the text on them: text from users is shown as it is, and never read as mathematics."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Literal

import numpy as np

from gpuval.display.colors import LINES, text_on
from gpuval.display.tables import label_text, short_label
from gpuval.display.text import text_width
from gpuval.inputs.options import require_extra
from gpuval.numerics import NDArray

with require_extra("gpuval.plots", "plots"):
    from matplotlib import rcParams
    from matplotlib.axes import Axes as Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure
    from matplotlib.font_manager import FontProperties
    from matplotlib.text import Text

WIDEST_NAME = 24
"""Columns of a name on a plot; longer ones are shortened."""

_NOT_IN_XML = re.compile("[\ufffe\uffff]")
SMALLEST_SIZE = 5.5
"""The size of text in points below which it would not be read, and is left out."""
_SIZE_OF_MANY = 7.0
"""That of the names which stay where others are left out."""
_LINE, _COLUMN = 1.25, 0.62
"""The height of a line, and the width of a column, of text of size 1."""
_SMALLEST_SIDE, _LARGEST_SIDE = 2.8, 13.0
"""Of a figure, in inches."""

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
    width, height = (min(max(x, _SMALLEST_SIDE), _LARGEST_SIDE) for x in (width, height))
    if _IS_APART.get():
        return Figure(figsize=(width, height), layout="constrained").subplots()
    with require_extra("gpuval.plots", "plots"):
        from matplotlib import pyplot

    _, new = pyplot.subplots(figsize=(width, height), layout="constrained")
    return new


def name_on_plot(name: Any, widest: int = WIDEST_NAME) -> str:
    """A name, such as a label, in one short line; one that would not be seen is in quotes."""
    return short_label(_NOT_IN_XML.sub(lambda match: f"\\u{ord(match[0]):04x}", label_text(name)), widest)


def score_text(score: float) -> str:
    """A score in few letters: two decimals, or three digits where that is less."""
    text = f"{score:.2f}" if not abs(score) >= 1000 else f"{score:.3g}"
    return text.removeprefix("-") if text == "-0.00" else text


def others_text(number: int) -> str:
    """What stands for labels that are not shown by themselves."""
    return f"({number} other{'s' * (number != 1)})"


def draw_text(ax: Axes, x: float, y: float, text: str, **options: Any) -> Text:
    """Write text as it is."""
    return ax.text(x, y, text, **{**AS_IT_IS, **options})


def name_axes(ax: Axes, x: str, y: str) -> None:
    """Say what is along each axis."""
    ax.set_xlabel(x, **AS_IT_IS)
    ax.set_ylabel(y, **AS_IT_IS)


def points_along(ax: Axes, axis_name: Literal["x", "y"]) -> float:
    """The length of a side of the axes in points, as far as it is known before the layout."""
    box = ax.get_window_extent()
    return float(box.width if axis_name == "x" else box.height) * 72 / float(ax.figure.dpi)


def lay_out(ax: Axes) -> None:
    """Give the axes of a figure of ours the size that what is drawn leaves them."""
    figure: Any = ax.figure
    figure.get_layout_engine().execute(figure)


def size_of_text(key: str) -> float:
    """The size in points of a kind of text that the user's settings have, such as "xtick.labelsize"."""
    settings: Any = rcParams
    return float(FontProperties(size=settings[key]).get_size_in_points())


def width_in_points(texts: Iterable[str], size: float) -> float:
    """About how wide the widest of the texts is."""
    return max(map(text_width, texts), default=0) * _COLUMN * size


def label_ticks(axis: Axis, places: Sequence[float], texts: Sequence[str], *, keeps_last: bool = False) -> None:
    """Write names at places of an axis whose limits are set, the places being about equally far from each other.

    Where there is no room for all, text is smaller, then along the x axis upright, and then each second, third, ... one
    is there, with the last one, if that is to be kept.
    """
    axis_name: Literal["x", "y"] = "x" if axis.axis_name == "x" else "y"  # type: ignore[attr-defined]
    first, last = axis.get_view_interval()
    spacing = abs(places[-1] - places[0]) / (len(places) - 1) if len(places) > 1 else abs(last - first)
    room = points_along(axis.axes, axis_name) * spacing / (abs(last - first) or 1.0)
    size = min(size_of_text(f"{axis_name}tick.labelsize"), room / _LINE)
    if size < SMALLEST_SIZE:
        size = min(size_of_text(f"{axis_name}tick.labelsize"), _SIZE_OF_MANY)
    every = max(1, math.ceil(size * _LINE / room)) if room > 0 else 1
    kept = list(range(0, len(places), every))
    if keeps_last and kept[-1] != len(places) - 1:
        kept[-1] = len(places) - 1
    shown = [texts[i] for i in kept]
    style: dict[str, Any] = {"fontsize": size, **AS_IT_IS}
    if axis_name == "x" and width_in_points(shown, size) > 0.95 * room * every:
        angle = 45 if room * every >= 1.7 * size * _LINE else 90
        style |= {"rotation": angle, "ha": "right", "rotation_mode": "anchor", "va": "center" if angle == 90 else "top"}
    axis.set_ticks([places[i] for i in kept], labels=shown, **style)


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
    from matplotlib.colors import Colormap, to_hex

MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">")
LINE_STYLES = ("-", "--", "-.", ":")

NUMBERS = "Blues"
"""The map of numbers: of one hue, from white to dark; its lightness falls all the way."""


def line_style(place: int) -> dict[str, str]:
    """Colour, marker and dashes of a line by its place: no two of the first 90 have the same colour and marker."""
    return {
        "color": LINES[place % len(LINES)],
        "marker": MARKERS[place % len(MARKERS)],
        "linestyle": LINE_STYLES[place // len(LINES) % len(LINE_STYLES)],
    }


def map_of_numbers(*, falls: bool = False) -> Colormap:
    """The map of numbers: dark are the large ones, or, if it ``falls``, the small ones; there is none for NaN."""
    return colormaps[f"{NUMBERS}_r" if falls else NUMBERS].with_extremes(bad=(0.0, 0.0, 0.0, 0.0))


# Heatmaps with the names of rows and columns, numbers where there is room, and a colour bar.

_MOST_NUMBERS = 16
"""Rows and columns of a heatmap that has its numbers written into it."""


def size_of_heatmap(row_names: Sequence[str], column_names: Sequence[str]) -> tuple[float, float]:
    """Inches of a figure in which cells are about square, and names and the colour bar have room."""
    cell = min(max(9.0 / max(len(row_names), len(column_names), 1), 0.19), 0.62)
    beside = width_in_points(row_names, 9.0) / 72 + 1.6
    below = 0.7 * width_in_points(column_names, 9.0) / 72 + 0.8
    return min(cell * len(column_names), 9.5) + beside, min(cell * len(row_names), 9.5) + below


def draw_heatmap(
    ax: Axes,
    values: NDArray,
    texts: NDArray,
    row_names: Sequence[str],
    column_names: Sequence[str],
    *,
    limits: tuple[float, float],
    labels: tuple[str, str, str],
    falls: bool = False,
    keeps_last: tuple[bool, bool] = (False, False),
) -> None:
    """Draw cells, hatched where they are NaN; ``labels`` are of the x axis, the y axis and the colour bar."""
    n_rows, n_columns = values.shape
    colors = map_of_numbers(falls=falls)
    ax.grid(False)  # which a style may have, would strike the numbers through
    image = ax.imshow(values, cmap=colors, vmin=limits[0], vmax=limits[1], aspect="auto", interpolation="nearest")
    if np.isnan(values).any():
        ax.patch.set(hatch="////", facecolor="0.92", edgecolor="0.6")
    ax.set(xlim=(-0.5, n_columns - 0.5), ylim=(n_rows - 0.5, -0.5))
    bar = ax.figure.colorbar(image, ax=ax, pad=0.02, fraction=0.06, aspect=30)
    bar.set_label(labels[2], **AS_IT_IS)
    bar.outline.set_visible(False)
    ax.tick_params(length=0 if max(values.shape) > _MOST_NUMBERS else 2)
    label_ticks(ax.xaxis, range(n_columns), column_names, keeps_last=keeps_last[1])
    label_ticks(ax.yaxis, range(n_rows), row_names, keeps_last=keeps_last[0])
    name_axes(ax, labels[0], labels[1])
    if max(values.shape) <= _MOST_NUMBERS:
        _write_numbers(ax, image, values, texts)


def _write_numbers(ax: Axes, image: Any, values: NDArray, texts: NDArray) -> None:
    """Write the numbers into the cells, if there is room for the longest one."""
    width = points_along(ax, "x") / values.shape[1]
    height = points_along(ax, "y") / values.shape[0]
    longest = width_in_points(texts.ravel().tolist(), 1.0) or 1.0
    size = min(size_of_text("font.size"), 0.8 * width / longest, 0.6 * height)
    if size < SMALLEST_SIZE:
        return
    colors = image.cmap(image.norm(np.nan_to_num(values)))
    for (row, column), text in np.ndenumerate(texts):
        if text:
            color = text_on(to_hex(colors[row, column]))
            draw_text(ax, column, row, text, ha="center", va="center", fontsize=size, color=color)
