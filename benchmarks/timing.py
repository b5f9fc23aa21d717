"""Ratios of times that two noisy cores can still tell: alternating runs, medians and quartiles."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import NamedTuple


class Ratio(NamedTuple):
    """How many times longer the other takes: the median over pairs of runs, and the quartiles."""

    median: float
    low: float
    high: float


def compared(other: Callable[[], object], ours: Callable[[], object], rounds: int) -> Ratio:
    """Time both in turn, after one run each to warm up."""
    other(), ours()
    return _quartiles([_seconds(other) / _seconds(ours) for _ in range(rounds)])


def compared_imports(other: str, ours: str, rounds: int) -> Ratio:
    """Time ``python -c`` of both statements in turn, each less the time of an empty program."""
    ratios = []
    for _ in range(rounds):
        empty, theirs, own = (_seconds(lambda s=s: _program(s)) for s in ("pass", other, ours))
        ratios.append((theirs - empty) / (own - empty))
    return _quartiles(ratios)


def _program(statement: str) -> None:
    subprocess.run([sys.executable, "-c", statement], check=True)


def _seconds(run: Callable[[], object]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def _quartiles(ratios: list[float]) -> Ratio:
    low, median, high = statistics.quantiles(ratios, n=4)
    return Ratio(median, low, high)
