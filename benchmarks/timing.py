"""Ratios of times that noisy cores can still tell: alternating runs, medians and quartiles."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

LONG = 20.0
"""Seconds of one run that make it the only one."""

FEWEST, MOST = 3, 301
"""Rounds, however long or short they are."""

Seconds = dict[str, list[float]]


class Spread(NamedTuple):
    """The median over the rounds and the quartiles."""

    median: float
    low: float
    high: float
    rounds: int


def spread(values: list[float]) -> Spread:
    """The median and the quartiles of one value or several."""
    low, median, high = statistics.quantiles(values, n=4) if len(values) > 1 else values * 3
    return Spread(median, low, high, len(values))


def quotients(seconds: Seconds, above: str, below: str) -> Spread:
    """How many times longer one call took than the other in the same round."""
    return spread([a / b for a, b in zip(seconds[above], seconds[below], strict=True)])


def timed(call: Callable[[], Any]) -> tuple[Any, float]:
    """The value of a call, and its seconds."""
    start = time.perf_counter()
    value = call()
    return value, time.perf_counter() - start


def in_turn(calls: Mapping[str, Callable[[], Any]], budget: float) -> Seconds:
    """Time calls that are warmed up in turn, round after round, until the budget of seconds is spent."""
    seconds: Seconds = {name: [] for name in calls}
    start, rounds = time.perf_counter(), 0
    while rounds < FEWEST or (rounds < MOST and time.perf_counter() - start < budget):
        for name, call in calls.items():
            seconds[name].append(timed(call)[1])
        rounds += 1
    return seconds


def imports_in_turn(modules: tuple[str, ...], rounds: int) -> Seconds:
    """Time ``import`` of the modules in new processes in turn, each less the time of an empty program."""
    seconds: Seconds = {module: [] for module in modules}
    for module in modules:
        _program(f"import {module}")  # compiles what is not compiled yet
    for _ in range(rounds):
        empty = _program("pass")
        for module in modules:
            seconds[module].append(_program(f"import {module}") - empty)
    return seconds


def _program(statement: str) -> float:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return timed(lambda: subprocess.run([sys.executable, "-c", statement], check=True, env=environment))[1]
