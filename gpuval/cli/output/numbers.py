"""How counts and scores are written."""

from __future__ import annotations

import math
from typing import Any

from gpuval.cli.scoring.scored import Scores
from gpuval.evaluation.results.counts import COUNTS


def ends_of(x: Any) -> dict[str, Any]:
    """The ends of the interval of a score; nothing of a score, or a count, without one."""
    return {"low": x.low, "high": x.high} if hasattr(x, "low") else {}


def formatted(name: str, x: Any) -> str:
    """Six decimals, which are aligned in a column; a power of ten for a number that they would not show.

    A score with an interval is written with three, as the library does.
    """
    if name in COUNTS or ends_of(x):
        return str(x)
    is_plain = x == 0 or not math.isfinite(x) or 1e-4 <= abs(x) < 1e6
    return f"{x + 0.0:.6f}" if is_plain else f"{x:.5e}"


def names_of(scores: Scores) -> list[str]:
    """The counts and the metrics that every labeling has."""
    return list(next(iter(scores.values())))


def parts_of_key(labeling: str | tuple[str, ...]) -> tuple[str, ...]:
    """The name of a labeling, and the value of --by that its scores are of."""
    return labeling if isinstance(labeling, tuple) else (labeling,)
