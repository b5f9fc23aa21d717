"""The two tiers of the tests: what ``pytest`` runs by default, and all, which ``pytest --full`` runs.

By default a case is left out if

- it is named in ``slow.txt``, as it took long when all were measured; or
- it has a backend and further parameters, and the plan of pairs gives it to other backends: with each choice of the
  other parameters run NumPy and one more backend, another one for the next choice. Where the arrays of two backends
  differ by their type or by where they lie, a fault of one is mostly a fault of the other.

A test with the mark ``definition``, of each measure against its definition, runs on all backends whatever it takes.

Each run adds what its cases took to a record in pytest's cache. A tool writes ``slow.txt`` from it::

    rm -rf .pytest_cache && pytest --full -n auto --dist worksteal
    python tests/tiers.py write

``python tests/tiers.py check`` fails where a case of the record took long and is not named, where a named one was not
run, and where a process held too much memory.
"""

from __future__ import annotations

import json
import sys
import zlib
from collections.abc import Collection
from functools import cache
from pathlib import Path
from typing import Any

RECORD = "gpuval/durations"
"""The name of the record in pytest's cache: seconds of processor time by case, and the most bytes of a process."""
FILE = Path(__file__).parent.parent / ".pytest_cache" / "v" / RECORD

LIST = Path(__file__).with_name("slow.txt")
SLOW, TOO_SLOW = 0.03, 1.0
"""Seconds of processor time: what is written into the list, and what must be in it. What a case takes depends on what
was compiled before it, so there is room between the two."""
MEMORY = 2_500_000_000
"""Bytes that a process of tests may hold."""


@cache
def slow() -> frozenset[str]:
    """The list: names of cases, and of functions of which all cases are slow."""
    return frozenset(LIST.read_text(encoding="utf-8").splitlines())


def is_named(case: str, names: Collection[str]) -> bool:
    """Whether a case, or the function that it is of, is among the names."""
    return case in names or function_of(case) in names


def function_of(case: str) -> str:
    return case.partition("[")[0]


def is_by_default(item: Any, backends: list[str]) -> bool:
    """Whether a case (an item of pytest) is of the default tier; ``backends`` are those on a CPU, NumPy first."""
    if item.get_closest_marker("definition") is not None:
        return True
    return not is_named(item.nodeid, slow()) and is_in_plan(item, backends)


def is_in_plan(item: Any, backends: list[str]) -> bool:
    """Whether the plan of pairs gives the case to its backend."""
    case = getattr(item, "callspec", None)
    if case is None or "backend" not in case.params or len(case.params) == 1:
        return True
    backend = case.params["backend"].name
    choice = [item.originalname, sorted((name, i) for name, i in case.indices.items() if name != "backend")]
    other = 1 + zlib.crc32(repr(choice).encode()) % (len(backends) - 1)
    return backend in (backends[0], backends[other]) or backend not in backends


def list_of(seconds: dict[str, float]) -> list[str]:
    """The list for these seconds by case."""
    quick = {function_of(case) for case, taken in seconds.items() if taken < SLOW}
    return sorted({x if function_of(x) in quick else function_of(x) for x in seconds if seconds[x] >= SLOW})


def faults(record: dict[str, Any], named: Collection[str]) -> list[str]:
    """What is wrong with the list or with the run of all tests that was recorded, as lines of text."""
    seconds, memory = record["seconds"], record["memory"]
    new = [x for x in sorted(seconds) if seconds[x] > TOO_SLOW and not is_named(x, named)]
    known = {*seconds, *map(function_of, seconds)}
    return [
        *(f"{x} took {seconds[x]:.1f} s and is not in {LIST.name}" for x in new),
        *(f"{x} is in {LIST.name} and was not run" for x in sorted(set(named) - known)),
        *([f"a process held {memory / 1e9:.2f} GB, more than {MEMORY / 1e9:.2f}"] if memory > MEMORY else []),
    ]


def main(command: str) -> str | None:
    record = json.loads(FILE.read_text(encoding="utf-8"))
    if command == "write":
        LIST.write_text("".join(f"{x}\n" for x in list_of(record["seconds"])), encoding="utf-8")
        return None
    if command != "check":
        return f"say write or check, not {command}"
    return "\n".join(faults(record, slow())) or None


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
