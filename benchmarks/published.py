"""The tables of speeds in the README and on the site, written from the rows of runs that are kept in ``results/``.

``python -m benchmarks.published`` writes them; ``--check`` only says whether they are as it would write them.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.measures import ALL, AMI, ARI, CALINSKI_HARABASZ, DAVIES_BOULDIN, NMI, SILHOUETTE, TABLE, V
from benchmarks.report import markdown_table

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "benchmarks" / "results"

RUNS = ("2026-11-24-labels", "2026-11-24-samples", "2026-11-24-steps")
"""The runs, each a file of ``python -m benchmarks --json`` without the single times."""


LEGEND = """\
`peer / gpuval` is the time of the peer by that of gpuval; `gpuval / x` is the time of gpuval by that of x."""

COLUMNS = ("workload", "measure", "backend", "ratio of times", "median (quartiles)", "rounds", "target", "met", "note")


@dataclass(frozen=True)
class Line:
    """A line of the README's table: rows of one workload and measure, one for each opponent."""

    text: str
    workload: str
    measure: str
    opponents: tuple[str, ...]


LARGE = "random-1e7-100x100-int64"
SMALL = "random-1e3-10x10-int64"

LINES = (
    Line("contingency table, 10 million samples, 100 x 100", LARGE, TABLE, ("scikit-learn", "genieclust")),
    Line("ARI, the same", LARGE, ARI, ("scikit-learn", "genieclust", "igraph", "torchmetrics")),
    Line("every measure, the same", LARGE, ALL, ("one measure",)),
    Line("AMI, 1 million samples, 1,000 x 1,000", "random-1e6-1000x1000-int64", AMI, ("scikit-learn", "genieclust")),
    Line("V-measure, 10 million, 10,000 x 10,000", "random-1e7-10000x10000-int64", V, ("scikit-learn",)),
    Line("ARI of text, 1 million samples", "object-1e6-50x50-int64", ARI, ("scikit-learn",)),
    Line("ARI, 1,000 samples", SMALL, ARI, ("scikit-learn", "torchmetrics", "igraph", "genieclust")),
    Line("NMI, 1,000 samples", SMALL, NMI, ("scikit-learn", "torchmetrics", "igraph", "genieclust")),
    Line("silhouette, 20,000 samples", "blobs-2e4-d50-k20-float32", SILHOUETTE, ("scikit-learn",)),
    Line(
        "Calinski-Harabasz, 1 million", "blobs-1e6-d50-k20-float32", CALINSKI_HARABASZ, ("scikit-learn", "torchmetrics")
    ),
    Line("Davies-Bouldin, 1 million", "blobs-1e6-d50-k20-float32", DAVIES_BOULDIN, ("scikit-learn", "torchmetrics")),
)
"""What the README shows of the runs."""


def kept(run: Mapping[str, Any]) -> dict[str, Any]:
    """A run as it is kept: without the time of each single call."""
    return {**run, "rows": [{name: x for name, x in row.items() if name != "seconds"} for row in run["rows"]]}


def read(name: str) -> dict[str, Any]:
    """A run that is kept."""
    found: dict[str, Any] = json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))
    return found


def row_of(rows: Iterable[Mapping[str, Any]], line: Line, opponent: str) -> Mapping[str, Any]:
    """The row of NumPy's arrays that compares a line's measure with an opponent."""
    return next(
        row
        for row in rows
        if (row["workload"], row["measure"], row["backend"]) == (line.workload, line.measure, "numpy")
        and opponent in row["quotient"].split(" / ")
    )


def speeds(runs: Iterable[Mapping[str, Any]]) -> str:
    """The README's table: how many times as fast gpuval is, and in brackets the target, if there is one."""
    rows = [row for run in runs for row in run["rows"]]
    lines = (
        (line.text, ", ".join(_compared(row_of(rows, line, opponent), opponent) for opponent in line.opponents))
        for line in LINES
    )
    return markdown_table(("what, with NumPy", "times as fast as (aimed at)"), lines)


def _compared(row: Mapping[str, Any], opponent: str) -> str:
    if row["differs"]:
        return f"{opponent}: other value"
    number = f"{row['ratio']['median']:.2g}" if row["ratio"]["median"] < 10 else f"{row['ratio']['median']:.0f}"
    target = f" ({row['target']}{'' if row['met'] else ', missed'})" if row["target"] else ""
    if row["quotient"].startswith("gpuval / "):
        return f"{number} times the time of {opponent}{target}"
    return f"{opponent} {number}{target}"


def page(name: str, run: Mapping[str, Any]) -> str:
    """All rows of a run, with its command, machine and versions."""
    machine, versions = run["machine"], ", ".join(f"{name} {x}" for name, x in run["versions"].items())
    threads = f"OMP_NUM_THREADS={machine['threads']}" if machine["threads"] else "all threads"
    parts = (
        f"# Measured: {name[11:]}",
        f"{run['date'][:10]}, {machine['cpus']} {machine['architecture']} cores, {threads}; {versions}.",
        f"    {run['command']}",
        LEGEND,
        markdown_table(COLUMNS, (_cells(row) for row in run["rows"])),
    )
    return "\n\n".join(parts) + "\n"


def _cells(row: Mapping[str, Any]) -> Sequence[str]:
    ratio, met = row["ratio"], {True: "yes", False: "no", None: ""}[row["met"]]
    median = f"{ratio['median']:.3g} ({ratio['low']:.3g} to {ratio['high']:.3g})" if ratio else ""
    rounds = str(ratio["rounds"]) if ratio else ""
    names = (row["workload"], row["measure"], row["backend"], row["quotient"])
    return (*names, median, rounds, row["target"] or "", met, row["note"])


def texts() -> Iterator[tuple[Path, str]]:
    """Every file that has something of the runs, and its text as it should be."""
    runs = {name: read(name) for name in RUNS}
    for name, run in runs.items():
        yield RESULTS / f"{name}.md", page(name, run)
    before, start, rest = (ROOT / "README.md").read_text(encoding="utf-8").partition("<!-- speeds -->\n")
    _, end, after = rest.partition("<!-- end of speeds -->")
    yield ROOT / "README.md", f"{before}{start}{speeds(runs.values())}\n{end}{after}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the files, or check them: the exit code is 1 if one is not as it should be."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.published", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing, and fail if a file would change")
    parser.add_argument(
        "--keep", nargs=2, metavar=("PATH", "RUN"), help="keep the rows of a file, and write nothing else"
    )
    asked = parser.parse_args(arguments)
    if asked.keep:
        path, name = asked.keep
        text = json.dumps(kept(json.loads(Path(path).read_text(encoding="utf-8"))), indent=1)
        (RESULTS / f"{name}.json").write_text(text + "\n", encoding="utf-8")
        return 0
    changed = [path for path, text in texts() if not path.exists() or path.read_text(encoding="utf-8") != text]
    if asked.check:
        for path in changed:
            print(f"{path.relative_to(ROOT)} is not what python -m benchmarks.published writes", file=sys.stderr)
        return int(bool(changed))
    for path, text in texts():
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
