"""The two tiers of the tests: what ``pytest`` runs by default, and all, which ``pytest --full`` runs.

By default a test function runs

- on two backends with each choice of its other parameters, if it has a backend and others: on the first that it is for,
  mostly NumPy, and on one more that changes with the choice. Where the arrays of two backends differ by their type or
  by where they lie, a fault of one is mostly a fault of the other.
- with some of these cases, if all would take longer than its ``SHARE`` of time: as many as fit, and at least one, but
  none if a single case takes longer than ``LONGEST``. ``slow.txt`` has the functions for which that is so, with the
  seconds of processor time that a case takes.

A test with the mark ``by_default`` runs whatever it takes, on all backends: with all choices of its other parameters
or, if the mark says ``once=True``, with one of them each. These are the tests of each measure against its definition,
of one compiled graph of each kind, and some that alone find a fault of ``faults.txt``.

Each run adds what its cases took to a record in pytest's cache, without what was compiled for later cases, too. A tool
writes ``slow.txt`` from it::

    rm -rf .pytest_cache ~/.cache/gpuval-tests && pytest --full -n auto --dist worksteal
    python tests/tiers.py write

``python tests/tiers.py check`` fails where the cases of a function took long and it is not named, where one that is
named was not run, and where a process held too much memory. What is long goes by the times of the list: on a processor
on which most of its functions take twice their seconds, the limits are twice as long.
"""

from __future__ import annotations

import json
import sys
import zlib
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from statistics import mean, median
from typing import Any

RECORD = "gpuval/durations"
"""The name of the record in pytest's cache: seconds of processor time by case, and the most bytes of a process."""
CACHE = Path(__file__).parent.parent / ".pytest_cache"
"""Where records are. Runs beside each other need a cache each, which must be a folder in this one."""

LIST = Path(__file__).with_name("slow.txt")
SHARE, LONGEST = 0.05, 0.09
"""Seconds for the cases of a function that run by default, and for one of them."""
TOO_LONG, CASE_TOO_LONG = 5.0, 20.0
"""Seconds for the cases of a function that is not in the list, if each took as long as the median one, and for one of
them, on a processor as fast as that of the list. There is room between these and ``SHARE``, as the first case of a
process that imports, draws or traces something takes longer."""
MEMORY = 2_500_000_000
"""Bytes that a process of tests may hold."""


@cache
def slow() -> dict[str, float]:
    """The list: the seconds of a case by function."""
    lines = (line.rpartition(" ") for line in LIST.read_text(encoding="utf-8").splitlines())
    return {function: float(seconds) for function, _, seconds in lines}


def by_default(items: list[Any]) -> list[Any]:
    """The cases (items of pytest) of the default tier, in their order."""
    chosen: set[str] = set()
    for function, cases in _by_function(items, lambda item: item.nodeid).items():
        mark = cases[0].get_closest_marker("by_default")
        if mark is None:
            chosen.update(some_of(on_two_backends(cases), slow().get(function, 0.0)))
        elif mark.kwargs.get("once"):
            chosen.update(one_of_each_backend(cases))
        else:
            chosen.update(case.nodeid for case in cases)
    return [item for item in items if item.nodeid in chosen]


def on_two_backends(cases: list[Any]) -> list[str]:
    """The names of those cases of a function that run on the first backend or on one more, by the other parameters."""
    of_choices: dict[str, list[str]] = {}
    for case in cases:
        indices = dict(case.callspec.indices) if hasattr(case, "callspec") else {}
        is_one_of_several = indices.pop("backend", None) is not None and bool(indices)
        choice = repr((case.originalname, sorted(indices.items()))) if is_one_of_several else case.nodeid
        of_choices.setdefault(choice, []).append(case.nodeid)
    return [
        name
        for choice, (first, *others) in of_choices.items()
        for name in (first, *([others[zlib.crc32(choice.encode()) % len(others)]] if others else []))
    ]


def one_of_each_backend(cases: list[Any]) -> list[str]:
    """The name of one case of a function for each backend: another choice of its other parameters for the next."""
    of_each: dict[str, list[str]] = {}
    for case in cases:
        of_each.setdefault(str(case.callspec.params.get("backend")), []).append(case.nodeid)
    return [names[i % len(names)] for i, names in enumerate(of_each.values())]


def some_of(names: list[str], seconds: float) -> list[str]:
    """Of the cases of a function, which take so many seconds each, those that fit into its share: always the same."""
    if seconds > LONGEST:
        return []
    n_cases = max(1, int(SHARE / seconds)) if seconds else len(names)
    return sorted(names, key=lambda name: zlib.crc32(name.encode()))[:n_cases]


def list_of(seconds: Mapping[str, float]) -> dict[str, float]:
    """The list for these seconds by case."""
    times = _by_function(seconds.items(), lambda pair: pair[0])
    sums = {function: sum(taken for _, taken in pairs) for function, pairs in times.items()}
    return {function: sums[function] / len(times[function]) for function in sorted(sums) if sums[function] > SHARE}


def complaints(record: Mapping[str, Any], named: Mapping[str, float]) -> list[str]:
    """What is wrong with the list or with the run of all tests that was recorded, as lines of text."""
    of_cases, memory = _by_function(record["seconds"].items(), lambda pair: pair[0]), record["memory"]
    times = {function: sorted(taken for _, taken in x) for function, x in of_cases.items()}
    new = {function: x for function, x in sorted(times.items()) if function not in named}
    ratios = [mean(times[function]) / seconds for function, seconds in named.items() if function in times]
    longer = max(1.0, median(ratios)) if ratios else 1.0
    most, most_of_case = TOO_LONG * longer, CASE_TOO_LONG * longer
    long = {function: x for function, x in new.items() if len(x) * median(x) > most or x[-1] > most_of_case}
    return [
        *(f"{function} takes {sum(taken):.1f} s and is not in {LIST.name}" for function, taken in long.items()),
        *(f"{function} is in {LIST.name} and was not run" for function in sorted(set(named) - set(times))),
        *([f"a process held {memory / 1e9:.2f} GB, more than {MEMORY / 1e9:.2f}"] if memory > MEMORY else []),
    ]


def _by_function(cases: Iterable[Any], name_of: Callable[[Any], str]) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for case in cases:
        found.setdefault(name_of(case).partition("[")[0], []).append(case)
    return found


def recorded() -> dict[str, Any]:
    """The record of all runs."""
    records = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(CACHE.glob(f"**/v/{RECORD}"))]
    seconds = {name: taken for record in records for name, taken in record["seconds"].items()}
    return {"seconds": seconds, "memory": max((record["memory"] for record in records), default=0)}


def main(command: str) -> str | None:
    record = recorded()
    if not record["seconds"]:
        return f"no run of the tests is recorded in {CACHE}"
    if command == "write":
        lines = (f"{function} {seconds:.2g}\n" for function, seconds in list_of(record["seconds"]).items())
        LIST.write_text("".join(lines), encoding="utf-8")
        return None
    if command != "check":
        return f"say write or check, not {command}"
    return "\n".join(complaints(record, slow())) or None


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
