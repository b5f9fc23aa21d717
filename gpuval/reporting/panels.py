"""Small panels of dots with intervals, as SVG that a page holds as it is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from typing import NamedTuple

_WIDTH, _LEFT, _RIGHT, _TOP, _ROW, _BOTTOM = 264, 92, 14, 8, 19, 22
"""Of a panel in pixels: its width, the room at its sides, above the rows, the height of a row, and of the ticks."""

_RADIUS = 4


class Dot(NamedTuple):
    """A score and its interval, beside its name."""

    name: str
    about: str
    """All in words."""
    score: float
    low: float
    high: float
    """NaN without an interval."""
    of_all: float
    """The score of all samples, which a thin line marks."""
    is_hollow: bool


class GroupPanel(NamedTuple):
    """The dots of one group."""

    name: str
    size: str
    finding: str
    dots: Sequence[Dot]
    ticks: Sequence[float]
    """The first and the last are the ends of the scale."""
    about: str
    """What it shows, for those who do not see it."""
    is_small: bool

    @property
    def svg(self) -> str:
        """The picture."""
        left = min(_LEFT, max(34, 7 * max(len(dot.name) for dot in self.dots) + 12))
        height = _TOP + _ROW * len(self.dots) + _BOTTOM
        low, high = self.ticks[0], self.ticks[-1]

        def x(number: float) -> str:
            return f"{left + (number - low) / (high - low) * (_WIDTH - left - _RIGHT):.1f}"

        parts = [f'<svg class="panel" width="{_WIDTH}" height="{height}" viewBox="0 0 {_WIDTH} {height}" role="img">']
        parts[0] = parts[0].replace(' role="img"', f' role="img" aria-label="{escape(self.about)}"')
        end = height - _BOTTOM
        for tick, text in zip(self.ticks, tick_texts(self.ticks), strict=True):
            parts.append(f'<path class="grid" d="M{x(tick)} {_TOP}V{end}"/>')
            parts.append(f'<text x="{x(tick)}" y="{height - 6}" text-anchor="middle">{text}</text>')
        for row, dot in enumerate(self.dots):
            y = _TOP + _ROW * (row + 0.5)
            parts.append(f'<g><title>{escape(dot.about)}</title><text x="{left - 8}" y="{y + 4}" text-anchor="end">')
            parts[-1] += f"{escape(dot.name)}</text>"
            if math.isfinite(dot.of_all):
                parts[-1] += f'<path class="all" d="M{x(dot.of_all)} {y - _ROW / 2 + 2}V{y + _ROW / 2 - 2}"/>'
            if math.isfinite(dot.low) and math.isfinite(dot.high):
                parts[-1] += f'<path class="interval" d="M{x(dot.low)} {y}H{x(dot.high)}"/>'
            if math.isfinite(dot.score):
                kind = "few" if self.is_small else "hollow" if dot.is_hollow else "dot"
                parts[-1] += f'<circle class="{kind}" cx="{x(dot.score)}" cy="{y}" r="{_RADIUS}"/>'
            parts[-1] += "</g>"
        return "".join([*parts, "</svg>"])


def nice_ticks(low: float, high: float, most: int = 5) -> list[float]:
    """Round numbers at equal steps, the first not above ``low`` and the last not below ``high``.

    Examples
    --------
    >>> nice_ticks(0.22, 0.71)
    [0.2, 0.4, 0.6, 0.8]
    >>> nice_ticks(0.5, 0.5)
    [0.4, 0.45, 0.5, 0.55, 0.6]
    """
    if high <= low:
        step = 10.0 ** math.floor(math.log10(abs(low) or 1.0))
        step = min(step, 0.1) if abs(low) <= 1 else step
        low, high = low - step, high + step
    width = (high - low) / (most - 1)
    power = 10.0 ** math.floor(math.log10(width))
    for step in (power * x for x in (1, 2, 2.5, 5, 10, 20, 25)):
        first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
        if last - first < most:
            return [float(f"{place * step:.12g}") for place in range(first, last + 1)]
    raise AssertionError((low, high))


def tick_texts(ticks: Sequence[float]) -> list[str]:
    """The ticks with as many decimals as tell them apart."""
    n_decimals = next(
        n for n in range(13) if all(math.isclose(round(x, n), x, abs_tol=1e-12) for x in ticks) or n == 12
    )
    return [f"{x:,.{n_decimals}f}".replace("-", "\N{MINUS SIGN}") for x in ticks]
