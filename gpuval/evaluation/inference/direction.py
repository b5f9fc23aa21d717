"""Whether higher or lower scores of a function are better, for all comparisons and tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gpuval.evaluation.clustering.registry import measure_of
from gpuval.evaluation.results.directions import better


def direction_of(function: Callable[..., Any]) -> str:
    """Give "higher", "lower", or "" where none are.

    Of a measure, also one with options by ``functools.partial``, its own; of any other function "higher", whatever its
    name.
    """
    measure = measure_of(function)
    return "higher" if measure is None else better(measure)
