"""Ratios of times that noisy cores can still tell: alternating runs, medians and quartiles."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from benchmarks.calls import Call

TURN = 0.02
"""Seconds of a turn: short calls are repeated until these are over, long ones run once."""

PAUSE = 0.1
"""Seconds between turns of libraries whose threads stay awake for a while after a call, in the other's time."""

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


def turn(call: Call) -> float:
    """Seconds of the fastest of the calls that fit into a turn, which other programs disturb least."""
    call.reset()
    start, seconds = time.perf_counter(), []
    while not seconds or time.perf_counter() - start < TURN:
        seconds.append(timed(call.run)[1])
    return min(seconds)


def in_turn(calls: Mapping[str, Call], budget: float, most: int = MOST, pause: float = 0.0) -> Seconds:
    """Time calls that are warmed up in turn, for ``most`` rounds or until the budget of seconds is spent."""
    seconds: Seconds = {name: [] for name in calls}
    start, rounds = time.perf_counter(), 0
    while rounds < min(FEWEST, most) or (rounds < most and time.perf_counter() - start < budget):
        for name, call in calls.items():
            time.sleep(pause)
            seconds[name].append(turn(call))
        rounds += 1
    return seconds


def programs_in_turn(programs: Mapping[str, str], rounds: int) -> Seconds:
    """User and system time of programs in turn, each run in a new process, less the time of an empty program."""
    seconds: Seconds = {name: [] for name in programs}
    for program in programs.values():
        _processor_time(program)  # writes the compiled files that are not there yet
    for _ in range(rounds):
        empty = _processor_time("pass")
        for name, program in programs.items():
            seconds[name].append(_processor_time(program) - empty)
    return seconds


def _processor_time(program: str) -> float:
    """User and system time of a new process from its start to the end of the program, of all its threads."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-c", f"{program}\nimport time\nprint(time.process_time())"]
    ran = subprocess.run(command, check=True, env=environment, stdout=subprocess.PIPE, text=True)
    return float(ran.stdout)
