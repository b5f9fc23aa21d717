"""Compare gpuval with its peers, with the floor and with itself, and print one table: ``python -m benchmarks``."""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Mapping, Sequence
from fnmatch import fnmatch
from pathlib import Path
from typing import Protocol, TypeVar

from benchmarks import device, gpu, report
from benchmarks.arguments import command_text, names, names_of
from benchmarks.backends import BACKENDS
from benchmarks.case import Case
from benchmarks.cases import CASES, SMOKE
from benchmarks.compare import Options, Row, rows_of, start_rows
from benchmarks.peers import PEERS


class _MayBeAbsent(Protocol):
    def absent(self) -> str | None: ...


T = TypeVar("T", bound=_MayBeAbsent)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the chosen cases; the exit code is 1 if a smoke run finds another value, or compares none."""
    parser = _parser()
    asked = parser.parse_args(arguments)
    command = command_text("benchmarks", arguments)
    if asked.gpu:
        return _on_gpu(asked, command, parser)
    cases = [case for case in (SMOKE if asked.smoke else CASES) if _is_chosen(case, asked.workloads)]
    if not cases:
        known = sorted({case.workload.name for case in (SMOKE if asked.smoke else CASES)})
        parser.error(f"--workloads must match one of {', '.join(known)}, got {','.join(asked.workloads)}")
    workloads, without_workloads = _present({case.workload.name: case.workload for case in cases})
    backends, without_backends = _present(_those(BACKENDS, asked.backends or _named(cases)))
    peers, without_peers = _present(_those(PEERS, asked.peers or list(PEERS)))
    absent = {**without_backends, **without_peers, **without_workloads}
    print(", ".join(f"{name} {version}" for name, version in report.versions().items()))
    for name, word in absent.items():
        print(f"{name} skipped: {word}")
    print(report.LEGEND)
    print(report.header(), flush=True)
    for peer in peers.values():
        warnings.filterwarnings("ignore", module=peer.module)
    options = Options(0.2 if asked.smoke else asked.budget, not asked.no_memory)
    rows: list[Row] = []

    def keep() -> None:  # after each row, so that a run that is stopped has what it found
        if asked.json:
            report.write_json(asked.json, rows, absent, command)

    def show(row: Row) -> None:
        rows.append(row)
        print(report.line(row), flush=True)
        keep()

    keep()
    if not asked.workloads:
        for row in start_rows(3 if asked.smoke else 25):
            show(row)
    for case in (case for case in cases if case.workload.name in workloads):
        for name, backend in backends.items():
            if name in (asked.backends or case.backends) and backend.offers(case.workload, case.measure):
                for row in rows_of(case, backend, peers.values(), options):
                    show(row)
    return _failed(rows) if asked.smoke else 0


def _on_gpu(asked: argparse.Namespace, command: str, parser: argparse.ArgumentParser) -> int:
    """Run the cases of a GPU; the exit code is 1 if a value differs."""
    try:
        found = device.gpu()
    except (ImportError, RuntimeError) as error:
        parser.error(f"--gpu needs a GPU and CuPy: {error}")
    bench = gpu.Bench(found, gpu.SMOKE if asked.smoke or device.STANDS_IN else gpu.sizes_for(found))
    known = {"name": found.name, "copied_bytes_per_second": bench.bandwidth}
    print(", ".join(f"{name} {version}" for name, version in report.versions().items()))
    print(f"{found.name}; a copy reads and writes {bench.bandwidth / 1e12:.3g} TB/s")
    print(report.header(), flush=True)
    rows: list[Row] = []
    for row in bench.rows():
        rows.append(row)
        print(report.line(row), flush=True)
        if asked.json:
            report.write_json(asked.json, rows, {}, command, known)
    return int(any(row.differs for row in rows))


def _failed(rows: Sequence[Row]) -> int:
    """What a smoke run ends with."""
    different = [row for row in rows if row.differs]
    for row in different:
        print(f"FAILED: {row.workload}, {row.measure}, {row.quotient}: {row.note}", file=sys.stderr)
    compared = any(row.ratio and not PEERS.keys().isdisjoint(row.quotient.split(" / ")) for row in rows)
    if not (compared or different):
        print("FAILED: no value was compared with a peer's", file=sys.stderr)
    return 1 if different or not compared else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--gpu", action="store_true", help="the cases of a GPU instead")
    parser.add_argument("--smoke", action="store_true", help="small sizes; fails if a peer returns another value")
    parser.add_argument("--workloads", type=names, metavar="PATTERN,...", help="such as random-*,good-1e7-*")
    parser.add_argument("--backends", type=names_of(BACKENDS), metavar="NAME,...", help=", ".join(BACKENDS))
    parser.add_argument("--peers", type=names_of(PEERS), metavar="NAME,...", help=", ".join(PEERS))
    parser.add_argument("--budget", type=float, default=5.0, metavar="SECONDS", help="for the rounds of a row (5)")
    parser.add_argument("--no-memory", action="store_true", help="do not measure memory")
    parser.add_argument("--json", type=Path, metavar="PATH", help="write the rows, versions and machine")
    return parser


def _named(cases: Sequence[Case]) -> list[str]:
    """The backends that any case has, in order."""
    return [name for name in BACKENDS if any(name in case.backends for case in cases)]


def _is_chosen(case: Case, patterns: Sequence[str] | None) -> bool:
    return patterns is None or any(fnmatch(case.workload.name, pattern) for pattern in patterns)


def _those(known: Mapping[str, T], chosen: Sequence[str]) -> dict[str, T]:
    return {name: known[name] for name in chosen}


def _present(known: Mapping[str, T]) -> tuple[dict[str, T], dict[str, str]]:
    """What is there, and a word on each that is not."""
    words = {name: one.absent() for name, one in known.items()}
    return {name: one for name, one in known.items() if not words[name]}, {x: word for x, word in words.items() if word}


if __name__ == "__main__":
    sys.exit(main())
