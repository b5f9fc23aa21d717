"""Compare internal measures with scikit-learn's over sizes, distances and dtypes: ``python -m benchmarks.internal``.

A line is printed for each point, and the table is written in Markdown after each group. ``--cells`` keeps what was
measured in a file, from which a run that was stopped goes on.
"""

from __future__ import annotations

import argparse
import json
import sys
import warnings
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

from benchmarks import report
from benchmarks.arguments import names_of
from benchmarks.internal.cell import PEER, Cell, measured_again
from benchmarks.internal.points import GROUPS, SMOKE, Point
from benchmarks.internal.table import line, markdown
from benchmarks.peers import PEERS

RESULTS = Path(__file__).resolve().parent.parent / "results"


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the chosen groups; the exit code is 1 if a score is another one than scikit-learn's, or none is left."""
    parser = _parser()
    asked = parser.parse_args(arguments)
    if word := PEERS[PEER].absent():
        parser.error(f"it needs {PEER}: {word}")
    command = " ".join(["python -m benchmarks.internal", *(sys.argv[1:] if arguments is None else arguments)])
    known = SMOKE if asked.smoke else GROUPS
    chosen = {name: known[name] for name in asked.groups or known}
    kept = _read(asked.cells) if asked.cells and asked.cells.exists() else {}
    path = asked.markdown or (None if asked.smoke else RESULTS / f"{datetime.now(UTC):%Y-%m-%d}-internal.md")
    rounds, again = (1, 0) if asked.smoke else (asked.rounds, asked.again)
    found: dict[str, list[Cell]] = {name: [] for name in chosen}
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", module=PEERS[PEER].module)
        for name, points in chosen.items():
            for point in points:
                if point not in kept:
                    kept[point] = measured_again(point, rounds, asked.seconds, again)
                    _keep(kept[point], asked.cells)
                found[name].append(kept[point])
                print(line(kept[point]), flush=True)
            if path:
                path.write_text(markdown(found, report.record([], {}, command)), encoding="utf-8")
    cells = [cell for group in found.values() for cell in group]
    return int(any(cell.is_wrong for cell in cells) or not any(cell.ratio for cell in cells))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.internal", description=__doc__)
    parser.add_argument("--groups", type=names_of(GROUPS), metavar="NAME,...", help=", ".join(GROUPS))
    parser.add_argument("--rounds", type=int, default=15, metavar="N", help="of a point, at most (15)")
    parser.add_argument(
        "--seconds", type=float, default=20.0, metavar="N", help="of a point: long ones have few rounds (20)"
    )
    parser.add_argument("--again", type=int, default=2, metavar="N", help="how often slower points are repeated (2)")
    parser.add_argument("--smoke", action="store_true", help="small sizes, one round, and no table unless --markdown")
    parser.add_argument("--cells", type=Path, metavar="PATH", help="keep cells here, and do not measure these again")
    parser.add_argument("--markdown", type=Path, metavar="PATH", help="the table (benchmarks/results/DATE-internal.md)")
    return parser


def _read(path: Path) -> dict[Point, Cell]:
    cells = (_cell(json.loads(text)) for text in path.read_text(encoding="utf-8").splitlines())
    return {cell.point: cell for cell in cells}


def _cell(fields: dict[str, object]) -> Cell:
    return Cell(Point(**fields.pop("point")), **fields)


def _keep(cell: Cell, path: Path | None) -> None:
    if path:
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(cell)) + "\n")


if __name__ == "__main__":
    sys.exit(main())
