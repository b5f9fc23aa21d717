"""Pictures of how the time grows, from what ``benchmarks.growth`` saves: SVG, for light and for dark pages."""

from __future__ import annotations

from collections.abc import Mapping
from io import StringIO
from typing import Any

import numpy as np
from matplotlib import rc_context, style

from benchmarks.compare import OURS
from benchmarks.growth import READING
from benchmarks.published import Lines, time_text
from gpuval.display.colors import DARK_GROUND, LINES
from gpuval.plots._axes import MARKERS, SMALLEST_TEXT, axes_to_draw_on, count_on_plot, detach_from_pyplot
from gpuval.plots._canvas import ink, settle
from gpuval.plots._line_ends import LineEnd, spread_ends, write_ends

WIDTH, HEIGHT = 3.75, 2.7
"""Inches of a picture that is as wide as a phone, where its text is not yet too small."""

_COLORS = LINES[0], LINES[3], LINES[2]
"""The three that differ most."""


def draw(along: str, lines: Lines, *, dark: bool) -> str:
    """The SVG of lines of seconds, each with its name at its end; both axes are logarithmic."""
    with style.context("default"), rc_context(_colors(dark)), detach_from_pyplot():
        ax = axes_to_draw_on(None, WIDTH, HEIGHT)
        ends = []
        for i, (name, points) in enumerate(lines.items()):
            is_floor = name == READING
            color = ink(0.65) if is_floor else _COLORS[i % len(_COLORS)]
            at, seconds = np.asarray(list(points)), np.log10(list(points.values()))
            ax.plot(at, seconds, color=color, marker=MARKERS[i], markersize=4, linestyle=":" if is_floor else "-")
            ends.append(LineEnd(name, ink(), float(at[-1]), float(seconds[-1]), name == OURS))
        _mark(ax, lines)
        ax.set_xlabel(along)
        names = write_ends(ax, ends, {name: name.replace(",000", "k").replace(" the labels", "") for name in lines})
        settle(ax)
        spread_ends(ax, ends, names, 0.0)
        with StringIO() as file:
            ax.figure.savefig(file, format="svg", transparent=True, metadata={"Date": None})
            return file.getvalue()


def _colors(dark: bool) -> Mapping[str, Any]:
    text, ground = ("#e6eaf0", DARK_GROUND) if dark else ("#1c2330", "#ffffff")
    of_text = dict.fromkeys(("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color"), text)
    return {**of_text, "axes.facecolor": ground, "font.size": SMALLEST_TEXT, "svg.hashsalt": "gpuval"}


def _mark(ax: Any, lines: Lines) -> None:
    """Ticks at what was measured, and at the tenfolds of seconds, or between them if there are few."""
    at = sorted({x for points in lines.values() for x in points})
    ax.set_xscale("log")
    ax.set_xticks(at, [count_on_plot(x).replace(".0", "") for x in at], minor=False)
    ax.set_xticks([], minor=True)
    low, high = ax.get_ylim()
    parts = (1,) if high - low > 2 else (1, 2, 5)
    ticks = [x * 10.0**i for i in range(int(np.floor(low)), int(np.ceil(high))) for x in parts]
    ax.set_yticks(np.log10(ticks), map(time_text, ticks))
    ax.set_ylim(low, high)
    ax.spines[["top", "right"]].set_visible(False)
    ax.grid(axis="y", color=ink(0.15), linewidth=0.6)
    ax.set_axisbelow(True)
