"""What users read of speeds, in the README, in ``docs/benchmarks.md`` and in the pages of ``results/``.

It is written from the rows of runs that are kept in ``results/``. ``python -m benchmarks.published`` writes it;
``--check`` only says whether it is as it would be written.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.cases import CASES
from benchmarks.compare import OURS
from benchmarks.growth import PICTURES, READING, Picture
from benchmarks.measures import ALL, AMI, ARI, CALINSKI_HARABASZ, DAVIES_BOULDIN, NMI, NMI_AND_ARI, SILHOUETTE, TABLE, V
from benchmarks.peers import PEERS
from benchmarks.report import markdown_table
from benchmarks.workloads import Workload

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "benchmarks" / "results"

RUNS = ("2026-11-24-labels", "2026-11-24-samples", "2026-11-24-steps")
"""The runs, each a file of ``python -m benchmarks --json`` with medians of times."""

GROWTH = "2026-11-30-growth"
"""The file of ``python -m benchmarks.growth --json``."""

LEGEND = """\
`peer / gpuval` is the time of the peer by that of gpuval; `gpuval / x` is the time of gpuval by that of x."""

COLUMNS = ("workload", "measure", "backend", "ratio of times", "median (quartiles)", "rounds", "target", "met", "note")


@dataclass(frozen=True)
class Line:
    """A line of tables for users: rows of one workload and measure, one for each opponent."""

    text: str
    workload: str
    measure: str
    opponents: tuple[str, ...]
    is_in_readme: bool = True


LARGE = "random-1e7-100x100-int64"
SMALL = "random-1e3-10x10-int64"
OTHERS = "scikit-learn", "torchmetrics", "igraph", "genieclust"

LINES = (
    Line("contingency table, 10 million samples, 100 x 100", LARGE, TABLE, ("scikit-learn", "genieclust")),
    Line("ARI, the same", LARGE, ARI, ("scikit-learn", "genieclust", "igraph", "torchmetrics")),
    Line("every measure, the same", LARGE, ALL, ("one measure",)),
    Line("AMI, 1 million samples, 1,000 x 1,000", "random-1e6-1000x1000-int64", AMI, ("scikit-learn", "genieclust")),
    Line("V-measure, 10 million, 10,000 x 10,000", "random-1e7-10000x10000-int64", V, ("scikit-learn",)),
    Line(
        "V-measure, 1 million, 100,000 x 100,000",
        "random-1e6-100000x100000-int64",
        V,
        ("scikit-learn",),
        is_in_readme=False,
    ),
    Line("ARI of text, 1 million samples", "object-1e6-50x50-int64", ARI, ("scikit-learn",)),
    Line("ARI of NumPy's text, the same", "fixed-1e6-50x50-int64", ARI, ("scikit-learn",), is_in_readme=False),
    Line(
        "ARI of categories of pandas, the same",
        "categorical-1e6-50x50-int64",
        ARI,
        ("scikit-learn",),
        is_in_readme=False,
    ),
    Line("ARI, 1,000 samples", SMALL, ARI, OTHERS),
    Line("NMI, 1,000 samples", SMALL, NMI, OTHERS),
    Line("NMI and ARI, 700 samples", "real-7e2-10x11-int64", NMI_AND_ARI, OTHERS, is_in_readme=False),
    Line("silhouette, 20,000 samples", "blobs-2e4-d50-k20-float32", SILHOUETTE, ("scikit-learn",)),
    Line(
        "Calinski-Harabasz, 1 million", "blobs-1e6-d50-k20-float32", CALINSKI_HARABASZ, ("scikit-learn", "torchmetrics")
    ),
    Line("Davies-Bouldin, 1 million", "blobs-1e6-d50-k20-float32", DAVIES_BOULDIN, ("scikit-learn", "torchmetrics")),
)
"""What users are shown of the runs."""

Lines = Mapping[str, Mapping[int, float]]
"""The seconds of lines of a picture, by the place along its x axis."""


def kept(run: Mapping[str, Any]) -> dict[str, Any]:
    """A run as it is kept: with the medians of times in place of each single one."""
    rows = [{**row, "seconds": {name: median(x) for name, x in row["seconds"].items()}} for row in run["rows"]]
    return {**run, "rows": rows}


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
        if line.is_in_readme
    )
    return markdown_table(("what, with NumPy", "times as fast as (aimed at)"), lines)


def _compared(row: Mapping[str, Any], opponent: str) -> str:
    if row["differs"]:
        return f"{opponent}: other value"
    number = _two_digits(row["ratio"]["median"])
    target = f" ({row['target']}{'' if row['met'] else ', missed'})" if row["target"] else ""
    if row["quotient"].startswith("gpuval / "):
        return f"{number} times the time of {opponent}{target}"
    return f"{opponent} {number}{target}"


def _two_digits(x: float) -> str:
    return f"{x:.2g}" if x < 10 else f"{x:.0f}"


def time_text(seconds: float) -> str:
    """A time in the unit in which it is read most easily."""
    unit, size = next((x for x in (("s", 1.0), ("ms", 1e-3)) if seconds >= 0.9995 * x[1]), ("µs", 1e-6))
    return f"{_two_digits(seconds / size)} {unit}"


def page(name: str, run: Mapping[str, Any]) -> str:
    """All rows of a run, with its command, machine and versions."""
    table = markdown_table(COLUMNS, (_cells(row) for row in run["rows"]))
    return "\n\n".join((f"# Measured: {name[11:]}", _conditions(run), f"    {run['command']}", LEGEND, table)) + "\n"


def page_of_growth(run: Mapping[str, Any]) -> str:
    """All points of the pictures."""
    titles = {picture.name: (picture.title, picture.along) for picture in PICTURES}
    rows = (
        (*titles[row["picture"]], f"{row['x']:,}", row["line"], *(time_text(row["seconds"][x]) for x in _QUARTILES))
        for row in run["rows"]
    )
    table = markdown_table(("what", "along", "at", "line", *_QUARTILES), rows)
    return "\n\n".join(("# Measured: growth", _conditions(run), f"    {run['command']}", table)) + "\n"


_QUARTILES = ("median", "low", "high")


def _conditions(run: Mapping[str, Any]) -> str:
    """When, on what and with which versions a run was."""
    machine, versions = run["machine"], ", ".join(f"{name} {x}" for name, x in run["versions"].items())
    threads = f"OMP_NUM_THREADS={machine['threads']}" if machine["threads"] else "all threads"
    return f"{run['date'][:10]}, {machine['cpus']} {machine['architecture']} cores, {threads}; {versions}."


def conditions(runs: Mapping[str, Mapping[str, Any]]) -> str:
    """A list of the conditions, with links to the pages of the runs under each."""
    names: dict[str, list[str]] = {}
    for name, run in runs.items():
        names.setdefault(_conditions(run), []).append(f"[{name[11:]}](benchmarks/{name[11:]}.md)")
    return "\n".join(f"- {', '.join(pages)}: {text}" for text, pages in names.items())


def instead(runs: Iterable[Mapping[str, Any]]) -> str:
    """What each line takes by gpuval, and by what users would run instead."""
    rows = [row for run in runs for row in run["rows"]]
    lines = (
        (line.text, opponent, *_times(row_of(rows, line, opponent), opponent))
        for line in LINES
        for opponent in line.opponents
        if opponent in PEERS
    )
    return markdown_table(("what", "instead of gpuval", "its time", "gpuval's", "times as long"), lines)


def slower(runs: Iterable[Mapping[str, Any]]) -> str:
    """All rows in which another library takes less time."""
    workloads = {case.workload.name: case.workload for case in CASES}
    rows = [
        (_described(workloads[row["workload"]]), f"`{row['measure']}`", row["backend"], peer, *_times(row, peer))
        for run in runs
        for row in run["rows"]
        for peer in row["quotient"].split(" / ")
        if peer in PEERS and row["ratio"] and _times_as_long(row) < 1
    ]
    head = ("labels", "what", "arrays of", "faster", "its time", "gpuval's", "times as long")
    return markdown_table(head, rows) if rows else "No other library was faster in any row."


def _described(workload: Workload) -> str:
    """The workload in the words of users."""
    if workload.n_features:
        return f"{workload.n_samples:,} samples of {workload.n_features:,} features"
    return f"{workload.n_samples:,}, {workload.n_classes:,} x {workload.n_clusters:,}"


def _times(row: Mapping[str, Any], opponent: str) -> tuple[str, str, str]:
    """The times of an opponent and of gpuval, and how many times as long the first takes."""
    if row["differs"]:
        return "other value", "–", "–"
    seconds = row.get("seconds", {})
    theirs, ours = (time_text(seconds[name]) if name in seconds else "–" for name in (opponent, OURS))
    return theirs, ours, _two_digits(_times_as_long(row))


def _times_as_long(row: Mapping[str, Any]) -> float:
    """The other's time by gpuval's."""
    ratio: float = row["ratio"]["median"]
    return 1 / ratio if row["quotient"].startswith(f"{OURS} / ") else ratio


def lines_of(run: Mapping[str, Any], picture: Picture) -> Lines:
    """The points of a picture by its lines: gpuval first, the floor last."""
    lines: dict[str, dict[int, float]] = {}
    for row in run["rows"]:
        if row["picture"] == picture.name:
            lines.setdefault(row["line"], {})[row["x"]] = row["seconds"]["median"]
    return {name: lines[name] for name in sorted(lines, key=lambda x: (x != OURS) + (x == READING))}


def growth(run: Mapping[str, Any]) -> str:
    """Each picture with a sentence; the build of the site draws them."""
    return "\n\n".join(_of_picture(picture, lines_of(run, picture)) for picture in PICTURES)


def _of_picture(picture: Picture, lines: Lines) -> str:
    at = sorted({x for points in lines.values() for x in points})
    text = f"Lines of time by {picture.along}, on logarithmic axes: {', '.join(lines)}"
    images = (
        f"![{text}](benchmarks/growth-{picture.name}-{x}.svg){{.only-{x} width=480px}}" for x in ("light", "dark")
    )
    times = (f"from {time_text(x[min(x)])} to {time_text(x[max(x)])} for {name}" for name, x in lines.items())
    sentence = f"From {at[0]:,} to {at[-1]:,} {picture.along} the time goes {', '.join(times)}."
    return "\n\n".join((f"### {picture.title}", "\n".join(images), sentence))


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
    grown = read(GROWTH)
    yield RESULTS / f"{GROWTH}.md", page_of_growth(grown)
    yield _with_blocks(ROOT / "README.md", {"speeds": speeds(runs.values())})
    blocks = {
        "instead": instead(runs.values()),
        "slower": slower(runs.values()),
        "growth": growth(grown),
        "conditions": conditions({**runs, GROWTH: grown}),
    }
    yield _with_blocks(ROOT / "docs" / "benchmarks.md", blocks)


def _with_blocks(path: Path, blocks: Mapping[str, str]) -> tuple[Path, str]:
    """A file, and its text with other words between its marks."""
    text = path.read_text(encoding="utf-8")
    for name, words in blocks.items():
        before, start, rest = text.partition(f"<!-- {name} -->\n")
        _, end, after = rest.partition(f"<!-- end of {name} -->")
        text = f"{before}{start}{words}\n{end}{after}"
    return path, text


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
