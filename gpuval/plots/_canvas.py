"""Axes whose units are points, and text that is measured before it is placed on them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from gpuval.inputs.options import require_extra
from gpuval.plots._axes import (
    AS_IT_IS,
    LARGEST_SIDE,
    SMALLEST_SIDE,
    SMALLEST_TEXT,
    Axes,
    axes_to_draw_on,
    lay_out,
    line_height,
    name_on_plot,
    points_along,
    width_in_points,
    width_of_figure,
)
from gpuval.plots._margins import wrap_to

with require_extra("gpuval.plots", "plots"):
    from matplotlib import rcParams
    from matplotlib.colors import to_hex, to_rgb

_PADDING = 6.0
"""The points that the layout of matplotlib leaves free on both sides of a figure together."""
_WIDEST_WORD = 60
"""Columns of a word in lines of text."""
_SLACK = 1.04
"""What text may be wider than measured, as letters are fitted to pixels."""


def room_across(ax: Any, width: float | None, own: float) -> float:
    """The points across a new figure: of the width that is asked for, in inches, or of its own one, in points."""
    return 72 * width_of_figure(ax, width, (own + _PADDING) / 72) - _PADDING


def figure_of_panels(n: int, n_columns: int, width: float, ratio: float, below: float) -> list[Axes]:
    """Axes of a new figure in rows, whose height is so many times their width; the points below them are left free."""
    n_rows = -(-n // n_columns)
    panel = (72 * width - _PADDING) / n_columns
    height = min((n_rows * (ratio * panel + 36) + below) / 72, LARGEST_SIDE)
    first = axes_to_draw_on(None, width, height)
    figure: Any = first.figure
    figure.set_size_inches(width, height)
    first.remove()
    figure.get_layout_engine().set(rect=(0.0, below / 72 / height, 1.0, 1.0 - below / 72 / height))
    axes: list[Axes] = figure.subplots(n_rows, n_columns, squeeze=False).ravel().tolist()
    for ax in axes[n:]:
        ax.remove()
    return axes[:n]


def axes_in_points(ax: Any, width: float, height: float) -> tuple[Axes, float, float]:
    """Axes without a frame whose units are points from the upper left corner, and their width and height.

    They are those that were given, or those of a new figure in which they have about this size.
    """
    ax = axes_to_draw_on(ax, (width + _PADDING) / 72, (height + _PADDING) / 72)
    ax.set_axis_off()
    ax.grid(False)
    settle(ax)
    width, height = points_along(ax, "x"), points_along(ax, "y")
    ax.set(xlim=(0.0, width), ylim=(height, 0.0))
    return ax, width, height


def settle(ax: Axes) -> None:
    """Give axes the size that what is drawn leaves them, if their figure has a layout."""
    figure: Any = ax.figure
    while (whole := getattr(figure, "_parent", None)) is not None:  # of a part of a figure
        figure = whole
    if (engine := figure.get_layout_engine()) is not None:
        engine.execute(figure)


def grow_to(ax: Axes, height: float) -> None:
    """Make the axes of a figure of ours so many points high, as far as the figure may be."""
    for _ in range(2):  # what is below may change with the size
        lay_out(ax)
        figure: Any = ax.figure
        more = (height - points_along(ax, "y")) / 72
        figure.set_figheight(min(max(figure.get_figheight() + more, SMALLEST_SIDE / 2), LARGEST_SIDE))
    lay_out(ax)


def size_in_points(text: str, size: float, *, bold: bool = False) -> tuple[float, float]:
    """The width and the height of a line of text."""
    return _SLACK * width_in_points([text], size, bold=bold), line_height(size)


def name_that_fits(name: Any, room: float, size: float, *, bold: bool = False, widest: int = 24) -> str:
    """A name, shortened in its middle to so many columns at most, and to the room in points."""
    text = name_on_plot(name, widest)
    while widest > 2 and size_in_points(text, size, bold=bold)[0] > room:
        widest -= 1
        text = name_on_plot(name, widest)
    return text


def fold(text: str, size: float, room: float, *, bold: bool = False) -> list[str]:
    """A sentence in lines that fit into the room in points, its long words shortened."""
    words = (name_that_fits(x, room, size, bold=bold, widest=_WIDEST_WORD) for x in text.split(" "))
    return wrap_to(" ".join(words), size * (1.1 if bold else 1.0), room / _SLACK)


class Box(NamedTuple):
    """A rectangle, such as that of a text."""

    left: float
    low: float
    right: float
    high: float

    def covers(self, other: Box) -> bool:
        """Whether they have a common part."""
        return self.left < other.right and other.left < self.right and self.low < other.high and other.low < self.high

    def is_within(self, other: Box) -> bool:
        """Whether the other one has all of it."""
        return (
            other.left <= self.left and self.right <= other.right and other.low <= self.low and self.high <= other.high
        )


_SIDES = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1))


def boxes_about(
    point: tuple[float, float], size: tuple[float, float], away: float, *, above_first: bool = False
) -> Iterator[tuple[Box, str, str]]:
    """Boxes of this size beside, above and below a point, each with the alignment of text in it."""
    (x, y), (width, height) = point, size
    for side, level in sorted(_SIDES, key=lambda x: -x[1]) if above_first else _SIDES:
        left = x + side * away - width * (1 - side) / 2
        low = y + level * away - height * (1 - level) / 2
        yield (
            Box(left, low, left + width, low + height),
            {1: "left", 0: "center", -1: "right"}[side],
            {1: "bottom", 0: "center", -1: "top"}[level],
        )


def write_near(
    ax: Axes, text: str, point: tuple[float, float], at: tuple[float, float], taken: list[Box], **options: Any
) -> bool:
    """Write a text beside a point where nothing else is, or not at all; whether there was a place.

    ``at`` is the point on the axes, in points of text, where ``taken`` is what is taken. The place is added to it.
    Options besides those of text are ``nearest``, the points between both, and ``above_first``.
    """
    size = size_in_points(text, SMALLEST_TEXT, bold=options.get("fontweight") == "bold")
    whole = Box(0.0, 0.0, points_along(ax, "x"), points_along(ax, "y"))
    nearest, above_first = options.pop("nearest", 6.0), options.pop("above_first", False)
    for away in (nearest, 2 * nearest):
        for box, horizontal, vertical in boxes_about(at, size, away, above_first=above_first):
            if box.is_within(whole) and not any(map(box.covers, taken)):
                taken.append(box)
                side = {"left": 1, "center": 0, "right": -1}[horizontal]
                level = {"bottom": 1, "center": 0, "top": -1}[vertical]
                style: dict[str, Any] = {"fontsize": SMALLEST_TEXT, "ha": horizontal, "va": vertical, **options}
                shift = side * away, level * away
                ax.annotate(text, point, shift, textcoords="offset points", **{**AS_IT_IS, **style})
                return True
    return False


# Colours of the page: of what is written, of the ground, and between both.


def is_dark_page() -> bool:
    """Whether text is light, as it is on a dark page."""
    return _lightness(rcParams["text.color"]) > 0.5


def ground() -> str:
    """The colour of the page."""
    color = rcParams["axes.facecolor"]
    if color in ("none", "auto") or (_lightness(color) > 0.5) is is_dark_page():
        return "#000000" if is_dark_page() else "#ffffff"
    return to_hex(color)


def ink(share: float = 1.0) -> str:
    """The colour of text, or one that is so much of it and otherwise ground."""
    return mix(ground(), rcParams["text.color"], share)


def mix(first: Any, second: Any, share: float) -> str:
    """A colour that has this share of the second one."""
    red, green, blue = (a + share * (b - a) for a, b in zip(to_rgb(first), to_rgb(second), strict=True))
    return to_hex((red, green, blue))


def _lightness(color: Any) -> float:
    red, green, blue = to_rgb(color)
    return 0.3 * red + 0.6 * green + 0.1 * blue
