"""The table that is printed and the JSON that is written."""

from __future__ import annotations

import importlib.metadata
import json
import os
import platform
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import gpuval
from benchmarks.compare import OURS, Row
from benchmarks.peers import PEERS

CUPY = ("cupy", "cupy-cuda12x", "cupy-cuda13x")
LIBRARIES = ("numpy", "scipy", "array-api-compat", "pandas", "torch", "jax", *CUPY, *PEERS)

COLUMNS = {
    "workload": 32,
    "measure": 41,
    "backend": 10,
    "quotient": 24,
    "median (quartiles)": 24,
    "rounds": 6,
    "x floor": 7,
    "memory": 15,
    "target": 7,
    "met": 3,
    "note": 0,
}

LEGEND = """\
median (quartiles): of the quotient of times in one round; x floor: gpuval's time by that of reading both arrays once;
memory: the peak beyond the inputs as a share of them, gpuval's and the other's."""


def header() -> str:
    """The names of the columns."""
    return _line(COLUMNS)


def line(row: Row) -> str:
    """A row of the table."""
    ratio = row.ratio
    shares = [f"{share:.1%}" for share in row.memory.values()]
    return _line(
        [
            row.workload,
            row.measure,
            row.backend,
            row.quotient,
            f"{ratio.median:.3g} ({ratio.low:.3g} to {ratio.high:.3g})" if ratio else "-",
            str(ratio.rounds) if ratio else "-",
            f"{row.to_floor:.1f}" if row.to_floor else "-",
            ", ".join(shares) or "-",
            str(row.target or ""),
            {True: "yes", False: "no", None: "" if row.target is None else "-"}[row.met],
            row.note,
        ]
    )


def versions() -> dict[str, str]:
    """The versions of the libraries that are installed."""
    found = {OURS: gpuval.__version__, "python": platform.python_version()}
    for name in LIBRARIES:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


def write_json(
    path: Path, rows: Iterable[Row], absent: Mapping[str, str], command: str, gpu: Mapping[str, Any] | None = None
) -> None:
    """Write the rows, and what is needed to read them later."""
    path.write_text(json.dumps(record(rows, absent, command, gpu), indent=1) + "\n", encoding="utf-8")


def record(
    rows: Iterable[Row], absent: Mapping[str, str], command: str, gpu: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """The rows with the versions, the machine and the command."""
    return {
        "command": command,
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": {
            "platform": f"{platform.system()}, {platform.machine()}",
            "architecture": platform.machine(),
            "processor": _processor(),
            "cpus": os.cpu_count(),
            "threads": os.environ.get("OMP_NUM_THREADS"),
            "gpu": gpu,
        },
        "versions": versions(),
        "tolerances": {name: peer.tolerance for name, peer in PEERS.items()},
        "absent": dict(absent),
        "rows": [_as_json(row) for row in rows],
    }


def _processor() -> str | None:
    """The name of the processor, which Linux has in a file."""
    path = Path("/proc/cpuinfo")
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    found = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(found, platform.processor() or None)


def _as_json(row: Row) -> dict[str, Any]:
    ratio = row.ratio._asdict() if row.ratio else None
    return {**asdict(row), "ratio": ratio, "target": str(row.target) if row.target else None, "met": row.met}


def markdown_table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of Markdown."""
    lines = [columns, ["---"] * len(columns), *([cell.replace("|", "\\|") for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _line(cells: Iterable[str]) -> str:
    return "  ".join(cell.ljust(width) for cell, width in zip(cells, COLUMNS.values(), strict=True)).rstrip()
