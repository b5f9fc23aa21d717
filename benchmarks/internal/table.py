"""The table of all cells in Markdown: what is needed to read it later, a summary, and the cells group by group."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from benchmarks.compare import OURS
from benchmarks.internal.cell import PEER, SLOWER, Cell
from benchmarks.internal.reasons import reason
from benchmarks.report import markdown_table

LEGEND = f"""\
A ratio is {PEER}'s time by gpuval's, the median of the rounds: below 1 gpuval is slower. Samples and labels
are the same on both sides, and a cell has a ratio only where both scores are the same. `benchmarks/internal/samples.py`
says what the kinds are."""

COLUMNS = ("measure", "metric", "kind", "n", "d", "k", "dtype", f"{PEER}, ms", "gpuval, ms", "ratio", "rounds", "note")


def markdown(groups: Mapping[str, Sequence[Cell]], record: Mapping[str, Any]) -> str:
    """All groups, and before them the date, the device, the versions and the command of ``report.record``."""
    facts = {
        "date": record["date"],
        "device": ", ".join(f"{name} {value}" for name, value in record["machine"].items() if value is not None),
        "versions": ", ".join(f"{name} {version}" for name, version in record["versions"].items()),
        "command": f"`{record['command']}`",
    }
    parts = [
        f"# Internal measures against {PEER}",
        "\n".join(f"- {name}: {fact}" for name, fact in facts.items()),
        LEGEND,
        "## Summary",
        markdown_table(("group", "points", "least", "median", f"below {SLOWER}", "wrong"), _summary(groups)),
    ]
    for name, cells in groups.items():
        parts += [f"## {name[0].upper()}{name[1:]}", markdown_table(COLUMNS, map(_row, cells))]
    return "\n\n".join(parts) + "\n"


def line(cell: Cell) -> str:
    """A cell as it is printed when it has been measured."""
    ratio = f"{cell.ratio.median:.3g}" if cell.ratio else "-"
    return f"{cell.point.name}: {ratio} {note(cell)}".rstrip()


def note(cell: Cell) -> str:
    """What was found instead of a ratio, or why it is small."""
    is_slower = cell.ratio is not None and cell.ratio.median < SLOWER
    return cell.note or (reason(cell.point) if is_slower else "")


def _summary(groups: Mapping[str, Sequence[Cell]]) -> Iterable[Sequence[str]]:
    every = [cell for cells in groups.values() for cell in cells]
    for name, cells in (*groups.items(), ("all", every)):
        ratios = [cell.ratio.median for cell in cells if cell.ratio]
        found = [f"{min(ratios):.2f}", f"{statistics.median(ratios):.2f}"] if ratios else ["-", "-"]
        slower, wrong = sum(x < SLOWER for x in ratios), sum(cell.is_wrong for cell in cells)
        yield name, str(len(cells)), *found, str(slower), str(wrong)


def _row(cell: Cell) -> Sequence[str]:
    point, ratio = cell.point, cell.ratio
    sizes = map(str, (point.n_samples, point.n_features, point.n_clusters))
    timed = ["-"] * 4
    if ratio:
        times = (f"{1000 * statistics.median(cell.seconds[who]):.3g}" for who in (PEER, OURS))
        timed = [*times, f"{ratio.median:.2f}", str(ratio.rounds)]
    return point.measure, point.metric or "-", point.kind, *sizes, point.dtype, *timed, note(cell)
