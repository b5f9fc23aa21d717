"""``python -m benchmarks.stability speed|criteria|coverage``: tables in Markdown."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from benchmarks.stability import coverage, criteria, speed


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table that is asked for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.stability", description=__doc__)
    tables = parser.add_subparsers(dest="table", required=True)
    of_speed = tables.add_parser("speed", help="time and memory of stability, from label vectors")
    of_speed.add_argument("--samples", type=int, nargs="+", default=[100_000, 1_000_000])
    of_speed.add_argument("--settings", type=int, default=20)
    of_speed.add_argument("--runs", type=int, default=10)
    of_criteria = tables.add_parser("criteria", help="how often each criterion finds a known number of clusters")
    of_criteria.add_argument("--sets", type=int, default=20, help="data sets of each kind")
    of_coverage = tables.add_parser("coverage", help="how often an interval contains the true agreement of runs")
    of_coverage.add_argument("--sets", type=int, default=500, help="data sets in each row")
    for table in (of_speed, of_criteria, of_coverage):
        table.add_argument("--smoke", action="store_true", help="one small set")
    asked = parser.parse_args(arguments)
    if asked.table == "speed":
        sizes = [(n, asked.settings, asked.runs) for n in asked.samples]
        lines = speed.lines([(2000, 3, 3)], [0.8]) if asked.smoke else speed.lines(sizes)
    elif asked.table == "criteria":
        lines = criteria.lines(1 if asked.smoke else asked.sets, criteria.SMOKE if asked.smoke else criteria.EFFORT)
    else:
        lines = coverage.lines(3, 50) if asked.smoke else coverage.lines(asked.sets)
    for line in lines:
        print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
