"""Compare this checkout of gpuval with another one, call by call: ``python -m benchmarks.against PATH``.

Two processes have a call, one with the gpuval of each checkout, and take turns, so that both meet the same noise; a
ratio is of times of one round. What is measured is what this checkout has: of the other one only public functions are
called.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from fnmatch import fnmatch
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from benchmarks import one_checkout, report, timing
from benchmarks.arguments import names, names_of
from benchmarks.backends import BACKENDS
from benchmarks.case import CPU, Case, Target, at_most
from benchmarks.cases import CASES, SMOKE
from benchmarks.compare import START, STARTS, Row
from benchmarks.workloads import Workload

HERE, THERE = "here", "there"
ROOT = Path(__file__).resolve().parent.parent

LONGEST = 30.0
"""Seconds of a row after which no further round begins, and no further pair of processes."""

Checkouts = Mapping[str, Path]


class CallError(Exception):
    """A checkout has no value for a call."""


@dataclass(frozen=True)
class Options:
    """In how many pairs of processes a call is measured, and the rounds and seconds of each pair."""

    pairs: int = 3
    rounds: int = 10
    budget: float = 0.5


class Compared(Protocol):
    """What is measured with both checkouts."""

    @property
    def names(self) -> tuple[str, str, str]:
        """The workload, the measure and the backend of its row."""

    def measured(self, checkouts: Checkouts, options: Options) -> tuple[timing.Seconds, bool]:
        """Seconds of both checkouts, and whether both have the same value."""


@dataclass(frozen=True)
class Start:
    """A program in new processes, of which user and system time are measured, less that of an empty one."""

    name: str

    @property
    def names(self) -> tuple[str, str, str]:
        """The names of its row."""
        return START, self.name, "numpy"

    def measured(self, checkouts: Checkouts, options: Options) -> tuple[timing.Seconds, bool]:
        """Run all programs in turn; they have no value."""
        text = STARTS[self.name][0]
        programs = {who: f"import sys; sys.path.insert(0, {str(path)!r}); {text}" for who, path in checkouts.items()}
        return timing.programs_in_turn(programs, options.pairs * options.rounds), True


@dataclass(frozen=True)
class Call:
    """A measure of a workload on a backend, in processes that take turns."""

    workload: Workload
    measure: str
    backend: str

    @property
    def names(self) -> tuple[str, str, str]:
        """The names of its row."""
        return self.workload.name, self.measure, self.backend

    def measured(self, checkouts: Checkouts, options: Options) -> tuple[timing.Seconds, bool]:
        """Start pairs of processes, one after the other, and let each pair take turns."""
        seconds: timing.Seconds = {who: [] for who in checkouts}
        described, are_same = json.dumps([asdict(self.workload), self.measure, self.backend]), True
        until, pairs = time.perf_counter() + LONGEST, 0
        while pairs < options.pairs and (pairs == 0 or time.perf_counter() < until):
            pairs += 1
            processes = {who: Process(who, path, described) for who, path in checkouts.items()}
            try:
                values = [process.answer("value") for process in processes.values()]
                are_same &= _are_same(*values)
                _take_turns(processes, seconds, options, until)
            finally:
                for process in processes.values():
                    process.end()
        return seconds, are_same


class Process:
    """A process of one of the checkouts, which times the call when it is asked to."""

    def __init__(self, who: str, checkout: Path, described: str) -> None:
        command = [sys.executable, "-P", one_checkout.__file__, str(checkout), described]
        pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        self.who, self.process = who, subprocess.Popen(command, text=True, **pipes)

    def answer(self, name: str) -> Any:
        """What the process writes next, under this name."""
        assert self.process.stdout
        line = self.process.stdout.readline()
        answer = json.loads(line) if line else {"error": "the process ended"}
        if "error" in answer:
            raise CallError(f"fails {self.who}: {answer['error']}")
        return answer[name]

    def seconds(self) -> float:
        """Have the call timed once, in seconds."""
        assert self.process.stdin
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return float(self.answer("seconds"))

    def end(self) -> None:
        """Kill the process."""
        self.process.kill()
        self.process.communicate()


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure what is chosen and print it by its ratio; the exit code is 1 if a row is slower, differs or fails."""
    parser = _parser()
    asked = parser.parse_args(arguments)
    command = " ".join(["python -m benchmarks.against", *(sys.argv[1:] if arguments is None else arguments)])
    checkouts = {HERE: ROOT, THERE: asked.path.resolve()}
    if not (checkouts[THERE] / "gpuval" / "__init__.py").exists():
        parser.error(f"PATH must be a folder that has the package gpuval, got {asked.path}")
    rows: dict[Compared, Row] = {}
    options, target = Options(asked.pairs, asked.rounds, asked.budget), at_most(asked.bound)
    chosen = list(_chosen(SMOKE if asked.smoke else CASES, asked.backends, asked.rows))
    if not chosen:
        parser.error("--rows must match a row, such as random-1e3-*/adjusted_rand_score/numpy")
    for _ in range(1 + asked.again):
        for compared in chosen:
            if compared in rows and rows[compared].met is not False:
                continue
            rows[compared] = _row(compared, checkouts, options, target, rows.get(compared))
            print(report.line(rows[compared]), file=sys.stderr, flush=True)
            if asked.json:  # after each row, so that a run that is stopped has what it found
                report.write_json(asked.json, _by_ratio(rows.values()), {}, command)
    print("\n".join([report.header(), *map(report.line, _by_ratio(rows.values()))]))
    return int(not all(row.met and not row.differs for row in rows.values()))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.against", description=__doc__)
    parser.add_argument("path", type=Path, metavar="PATH", help="another checkout of the repository")
    parser.add_argument("--rows", type=names, default=["*"], metavar="PATTERN,...", help="of workload/measure/backend")
    parser.add_argument(
        "--backends", type=names_of(BACKENDS), default=list(CPU), metavar="NAME,...", help=f"({','.join(CPU)})"
    )
    parser.add_argument("--pairs", type=int, default=Options.pairs, metavar="N", help="of processes for a row (3)")
    parser.add_argument("--rounds", type=int, default=Options.rounds, metavar="N", help="of a pair, at most (10)")
    parser.add_argument("--budget", type=float, default=Options.budget, metavar="SECONDS", help="of a pair (0.5)")
    parser.add_argument("--bound", type=float, default=1.05, metavar="RATIO", help="that no row may exceed (1.05)")
    parser.add_argument("--again", type=int, default=2, metavar="N", help="how often rows above it are repeated (2)")
    parser.add_argument("--smoke", action="store_true", help="small sizes")
    parser.add_argument("--json", type=Path, metavar="PATH", help="write the rows, versions and machine")
    return parser


def _chosen(cases: Iterable[Case], backends: Sequence[str], patterns: Sequence[str]) -> Iterator[Compared]:
    """What a pattern fits."""
    calls = dict.fromkeys((case.workload, case.measure) for case in cases if case.is_timed)
    every: list[Compared] = [*map(Start, STARTS)]
    every += [Call(*call, name) for call in calls for name in backends if BACKENDS[name].offers(*call)]
    for compared in every:
        name = "/".join(compared.names)
        if compared.names[2] in backends and any(fnmatch(name, pattern) for pattern in patterns):
            yield compared


def _row(compared: Compared, checkouts: Checkouts, options: Options, target: Target, before: Row | None) -> Row:
    """The row of what is measured now, and of what was measured before."""
    row = partial(Row, *compared.names, f"{HERE} / {THERE}", target=target)
    try:
        seconds, are_same = compared.measured(checkouts, options)
    except (CallError, subprocess.CalledProcessError) as error:
        return row(note=str(error), differs=True)
    if before:
        seconds = {who: before.seconds[who] + found for who, found in seconds.items()}
    differs = not are_same or bool(before and before.differs)
    ratio, note = timing.quotients(seconds, HERE, THERE), "the values differ" if differs else ""
    return row(ratio=ratio, note=note, differs=differs, seconds=seconds)


def _take_turns(processes: Mapping[str, Process], seconds: timing.Seconds, options: Options, until: float) -> None:
    """At least once, and as often as :data:`timing.FEWEST` unless the row is at its end."""
    start, rounds = time.perf_counter(), 0
    while rounds < options.rounds:
        now = time.perf_counter()
        if rounds and (now > until or (rounds >= timing.FEWEST and now > start + options.budget)):
            break
        for who, process in processes.items():
            seconds[who].append(process.seconds())
        rounds += 1


def _are_same(a: Sequence[float], b: Sequence[float]) -> bool:
    """Whether values are the same to the last digit; all NaN are the same."""
    return len(a) == len(b) and all(x == y or (x != x and y != y) for x, y in zip(a, b, strict=True))


def _by_ratio(rows: Iterable[Row]) -> list[Row]:
    """The slowest ones first, after those without a ratio."""
    return sorted(rows, key=lambda row: -row.ratio.median if row.ratio else float("-inf"))


if __name__ == "__main__":
    sys.exit(main())
