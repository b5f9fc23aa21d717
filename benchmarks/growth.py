"""How the time grows with samples, clusters and threads, in one run: ``python -m benchmarks.growth --json PATH``.

``PICTURES`` says what is measured; ``benchmarks.pictures`` draws it from the file.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks import report, timing
from benchmarks.arguments import command_text
from benchmarks.backends import BACKENDS
from benchmarks.calls import Call
from benchmarks.case import FLOOR, Case
from benchmarks.compare import Options, rows_of
from benchmarks.measures import ARI, SILHOUETTE, V
from benchmarks.peers import PEERS
from benchmarks.workloads import Workload, blobs

READING = "reading the labels"
"""The floor, in words."""


@dataclass(frozen=True)
class Picture:
    """What the time grows with, and what is measured: a case for each place along the x axis, or for each line."""

    name: str
    title: str
    along: str
    cases: tuple[tuple[int, Case], ...] = ()
    of_threads: tuple[Workload, ...] = ()


def _random(n_samples: int, n_groups: int) -> Workload:
    return Workload("random", n_samples, n_groups, n_groups)


def _pictures(samples: Sequence[int], clusters: Sequence[int], of_blobs: Sequence[int]) -> tuple[Picture, ...]:
    """The pictures of so many samples, of so many clusters of a tenth of the most samples, and of so many distances."""
    most, peers = samples[-1], ("scikit-learn", "genieclust")
    return (
        Picture(
            "samples",
            "With more samples: ARI, 100 x 100 clusters",
            "samples",
            tuple((n, Case(_random(n, 100), ARI, {FLOOR: None}, peers=peers)) for n in samples),
        ),
        Picture(
            "clusters",
            f"With more clusters: V-measure of {most // 10:,} samples",
            "clusters of each labeling",
            tuple((k, Case(_random(most // 10, k), V, peers=("scikit-learn",))) for k in clusters),
        ),
        Picture(
            "threads",
            f"With more threads: ARI of {most:,} samples",
            "threads",
            of_threads=tuple(_random(most, k) for k in (100, 10_000)),
        ),
        Picture(
            "silhouettes",
            "With more samples: silhouette, 50 features in 32 bits",
            "samples",
            tuple((n, Case(blobs(n, 50, 20), SILHOUETTE, peers=("scikit-learn",))) for n in of_blobs),
        ),
    )


PICTURES = _pictures([10**i for i in range(3, 8)], [10**i for i in range(1, 6)], [1000, 3000, 10_000, 20_000, 50_000])
SMOKE = _pictures([1000, 10_000], [10, 100], [300, 1000])


@dataclass(frozen=True)
class Point:
    """A time: on which line of which picture, and where along it."""

    picture: str
    line: str
    x: int
    seconds: timing.Spread


def points_of(picture: Picture, options: Options, rounds: int) -> Iterator[Point]:
    """The times of a picture."""
    for x, case in picture.cases:
        seconds: timing.Seconds = {}
        peers = [PEERS[name] for name in case.peers or () if not PEERS[name].absent()]
        for row in rows_of(case, BACKENDS["numpy"], peers, options):
            if row.differs:
                raise ValueError(f"{case.workload.name}, {case.measure}, {row.quotient}: {row.note}")
            for name, found in row.seconds.items():
                if name != FLOOR or FLOOR in case.targets:
                    seconds.setdefault(READING if name == FLOOR else name, []).extend(found)
        for name, found in seconds.items():
            yield Point(picture.name, name, x, timing.spread(found))
    for workload in picture.of_threads:
        of_threads: dict[int, list[float]] = {n: [] for n in _numbers_of_threads()}
        for _ in range(rounds):
            for n, found in of_threads.items():
                found += _in_a_process(workload, n)
        for n, found in of_threads.items():
            yield Point(picture.name, f"{workload.n_classes:,} x {workload.n_clusters:,}", n, timing.spread(found))


def _numbers_of_threads() -> list[int]:
    """Powers of two, and all cores."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return sorted({*(2**i for i in range(cores.bit_length())), cores})


def _in_a_process(workload: Workload, n_threads: int) -> list[float]:
    """Seconds of ARI in a new process that has so many threads."""
    command = [sys.executable, "-m", "benchmarks.growth", "--once", json.dumps(asdict(workload))]
    environment = {**os.environ, "OMP_NUM_THREADS": str(n_threads)}
    root = Path(__file__).parent.parent
    ran = subprocess.run(command, check=True, cwd=root, env=environment, stdout=subprocess.PIPE, text=True)
    found: list[float] = json.loads(ran.stdout)
    return found


def _once(workload: Workload) -> list[float]:
    numpy = BACKENDS["numpy"]
    call: Call = numpy.call(ARI, numpy.labels(workload.labels(workload.codes())), workload)
    call.value()
    return timing.in_turn({ARI: call}, 0.0)[ARI]


def write(path: Path, points: Iterable[Point], command: str) -> None:
    """Write the points, and what is needed to read them later."""
    rows = [{**asdict(point), "seconds": point.seconds._asdict()} for point in points]
    text = json.dumps({**report.record((), {}, command), "rows": rows}, indent=1)
    path.write_text(text + "\n", encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.growth", description=__doc__)
    parser.add_argument("--smoke", action="store_true", help="small sizes")
    parser.add_argument("--budget", type=float, default=2.0, metavar="SECONDS", help="for the rounds of a row (2)")
    parser.add_argument("--json", type=Path, metavar="PATH", help="write the times, versions and machine")
    parser.add_argument("--once", type=json.loads, help=argparse.SUPPRESS)
    asked = parser.parse_args(arguments)
    if asked.once:
        print(json.dumps(_once(Workload(**asked.once))))
        return 0
    command = command_text("benchmarks.growth", arguments)
    warnings.filterwarnings("ignore", module="sklearn")
    options = Options(0.0 if asked.smoke else asked.budget, with_memory=False)
    points: list[Point] = []
    for picture in SMOKE if asked.smoke else PICTURES:
        for point in points_of(picture, options, 1 if asked.smoke else 3):
            points.append(point)
            print(f"{picture.name:12} {point.line:20} {point.x:>10,} {point.seconds.median:10.3g} s", flush=True)
        if asked.json:  # after each picture, so that a run that is stopped has what it found
            write(asked.json, points, command)
    return 0


if __name__ == "__main__":
    sys.exit(main())
