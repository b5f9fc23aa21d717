"""Axes and the text on them: text from users is shown as it is, and never read as mathematics."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Literal

import numpy as np

from gpuval.display.label_tables import label_text, seen_name
from gpuval.display.safe_text import text_width
from gpuval.inputs.options import needed

with needed("gpuval.plots", "plots"):
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
def apart_from_pyplot() -> Iterator[None]:
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
    with needed("gpuval.plots", "plots"):
        from matplotlib import pyplot

    _, new = pyplot.subplots(figsize=(width, height), layout="constrained")
    return new


def name_on_plot(name: Any, widest: int = WIDEST_NAME) -> str:
    """A name, such as a label, in one short line; one that would not be seen is in quotes."""
    return seen_name(_NOT_IN_XML.sub(lambda match: f"\\u{ord(match[0]):04x}", label_text(name)), widest)


def score_text(score: float) -> str:
    """A score in few letters: two decimals, or three digits where that is less."""
    text = f"{score:.2f}" if not abs(score) >= 1000 else f"{score:.3g}"
    return text.removeprefix("-") if text == "-0.00" else text


def others_text(number: int) -> str:
    """What stands for labels that are not shown by themselves."""
    return f"({number} other{'s' * (number != 1)})"


def put_text(ax: Axes, x: float, y: float, text: str, **options: Any) -> Text:
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


def without_overlap(centres: Sequence[float], weights: Sequence[float], distance: float) -> list[int]:
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
