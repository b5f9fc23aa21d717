"""``python -m benchmarks.multilabel speed|memory|stored``: tables in Markdown."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from benchmarks.multilabel import memory, speed, stored
from benchmarks.multilabel.labels import SIZES, SMOKE


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table that is asked for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.multilabel", description=__doc__)
    tables = parser.add_subparsers(dest="table", required=True)
    of_speed = tables.add_parser("speed", help="time beside scikit-learn and torchmetrics")
    of_speed.add_argument("--rounds", type=int, default=5)
    of_memory = tables.add_parser("memory", help="memory beyond labels and scores")
    of_stored = tables.add_parser("stored", help="time and memory of label sets and sparse matrices")
    for table in (of_speed, of_memory, of_stored):
        table.add_argument("--smoke", action="store_true", help="small matrices")
    asked = parser.parse_args(arguments)
    sizes = SMOKE if asked.smoke else SIZES
    if asked.table == "speed":
        lines = speed.lines(sizes, 1 if asked.smoke else asked.rounds)
    else:
        lines = memory.lines(sizes) if asked.table == "memory" else stored.lines(sizes.sparse)
    for line in lines:
        print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
