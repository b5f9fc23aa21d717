"""``python -m benchmarks.neighbors speed|scib|benchmarker|benchmarker-speed``: tables in Markdown."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from benchmarks.neighbors import benchmarker, benchmarker_speed, scib, speed


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table that is asked for; the exit code is 1 if a value that should be equal is not."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.neighbors", description=__doc__)
    tables = parser.add_subparsers(dest="table", required=True)
    of_speed = tables.add_parser("speed", help="time beside scib-metrics and igraph, and memory")
    of_speed.add_argument("--rounds", type=int, default=7)
    of_speed.add_argument("--smoke", action="store_true", help="few cells")
    of_scib = tables.add_parser("scib", help="what scib-metrics says of the same cells, and why where it differs")
    of_benchmarker = tables.add_parser("benchmarker", help="what scib-metrics' Benchmarker says of AnnData")
    of_benchmarker.add_argument("--save", action="store_true", help="run the Benchmarker; else what it said is read")
    of_both = tables.add_parser("benchmarker-speed", help="time of the Benchmarker and of our call for the same")
    of_both.add_argument("--cells", type=int, default=100_000)
    of_both.add_argument("--only-first", action="store_true", help="neither its second call nor searches")
    asked = parser.parse_args(arguments)
    if asked.table == "speed":
        sizes = speed.SMOKE if asked.smoke else speed.SIZES
        for line in speed.lines(sizes, 1 if asked.smoke else asked.rounds):
            print(line, flush=True)
        return 0
    if asked.table == "benchmarker-speed":
        if word := benchmarker.absent():
            of_both.error(word)
        for line in benchmarker_speed.lines(asked.cells, asked.only_first):
            print(line, flush=True)
        return 0
    if asked.table == "benchmarker":
        if asked.save:
            if word := benchmarker.absent():
                of_benchmarker.error(word)
            benchmarker.save()
        compared = benchmarker.rows()
        for line in benchmarker.lines(compared):
            print(line, flush=True)
        return int(any(row.is_wrong for _, row in compared))
    if word := scib.absent():
        of_scib.error(word)
    found = scib.rows()
    for line in scib.lines(found):
        print(line, flush=True)
    return int(any(row.is_wrong for row in found))


if __name__ == "__main__":
    sys.exit(main())
