"""``python -m benchmarks.neighbors speed``: tables in Markdown."""

from __future__ import annotations

import argparse

from benchmarks.neighbors import speed


def main() -> None:
    """Print the table that is asked for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.neighbors", description=__doc__)
    parser.add_argument("table", choices=["speed"])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--smoke", action="store_true", help="few cells")
    given = parser.parse_args()
    for line in speed.lines(*((2000, 5000, 1) if given.smoke else (100_000, 1_000_000, given.rounds))):
        print(line, flush=True)


if __name__ == "__main__":
    main()
