"""What is known of the scores of a function: whether higher or lower ones are better, and the ends of their range."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

from gpuval.evaluation.clustering.registry import measure_of
from gpuval.evaluation.results.directions import better, range_of_measure


def direction_of(function: Callable[..., Any]) -> str:
    """Give "higher", "lower", or "" where none are.

    Of a measure, also one with options by ``functools.partial``, its own; of any other function "higher", whatever its
    name.
    """
    measure = measure_of(function)
    return "higher" if measure is None else better(measure)


def range_of(function: Callable[..., Any]) -> tuple[float, float]:
    """The lowest and the highest score of a measure, with its options; none are known of any other function."""
    measure = measure_of(function)
    if measure is None:
        return -math.inf, math.inf
    options: dict[str, Any] = {}
    while isinstance(function, functools.partial):
        options = function.keywords | options
        function = function.func
    return range_of_measure(measure, options)
