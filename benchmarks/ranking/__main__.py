"""``python -m benchmarks.ranking speed``: tables in Markdown."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from benchmarks.ranking import speed


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table that is asked for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ranking", description=__doc__)
    tables = parser.add_subparsers(dest="table", required=True)
    of_speed = tables.add_parser("speed", help="time beside torchmetrics, scikit-learn and one sort, and memory")
    of_speed.add_argument("--rounds", type=int, default=7)
    of_speed.add_argument("--smoke", action="store_true", help="few queries")
    asked = parser.parse_args(arguments)
    sizes = speed.SMOKE if asked.smoke else speed.SIZES
    for line in speed.lines(sizes, 1 if asked.smoke else asked.rounds):
        print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
