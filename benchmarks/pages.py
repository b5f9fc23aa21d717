"""How long the report of many cells takes: ``python -m benchmarks.pages --cells 1000000 --labelings 30``.

The cells are written into a file of AnnData, of which ``gpuval report`` makes the page in a process of its own, as a
user does; what it took is compared with a minute, and with the time of reading the columns and the embedding alone.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

N_CLASSES, N_BATCHES, N_FEATURES = 30, 10, 50
_MINUTE = 60.0

_READ = """
import sys, anndata
cells = anndata.read_h5ad(sys.argv[1], backed="r")
cells.obs, cells.obsm["X_pca"][:]
"""


def write_cells(path: Path, n_cells: int, n_labelings: int) -> None:
    """Write cells of normally distributed types, and clusters that split and mix these more and more."""
    import pandas as pd
    from anndata import AnnData

    random = np.random.default_rng(0)
    types = random.integers(0, N_CLASSES, n_cells)
    X = random.normal(size=(n_cells, N_FEATURES)) + 2 * random.normal(size=(N_CLASSES, N_FEATURES))[types]
    columns = {
        "cell_type": pd.Categorical.from_codes(types, [f"type {i}" for i in range(N_CLASSES)]),
        "batch": pd.Categorical.from_codes(
            random.integers(0, N_BATCHES, n_cells), [f"batch {i}" for i in range(N_BATCHES)]
        ),
    }
    for i in range(n_labelings):
        size = 10 + 4 * i
        usual = random.integers(0, size, (N_CLASSES, 3))[types, random.integers(0, 3, n_cells)]
        clusters = np.where(random.random(n_cells) < 0.2, random.integers(0, size, n_cells), usual)
        columns[f"leiden_{(i + 1) / 10}"] = pd.Categorical.from_codes(clusters, [str(x) for x in range(size)])
    obs = pd.DataFrame(columns, index=[f"cell {i}" for i in range(n_cells)])
    AnnData(obs=obs, obsm={"X_pca": X.astype(np.float32)}).write_h5ad(path)


def seconds_of(*command: str | Path) -> float:
    """How long a process takes that must succeed."""
    start = time.perf_counter()
    subprocess.run([str(x) for x in command], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def main() -> int:
    """Print a table in Markdown; the exit code is 1 where a page of the size that is aimed at takes a minute."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.pages", description=__doc__)
    parser.add_argument("--cells", type=int, default=1_000_000)
    parser.add_argument("--labelings", type=int, default=30)
    parser.add_argument("--smoke", action="store_true", help="few cells and labelings")
    given = parser.parse_args()
    n_cells, n_labelings = (2000, 3) if given.smoke else (given.cells, given.labelings)
    with TemporaryDirectory() as folder:
        cells, page = Path(folder) / "cells.h5ad", Path(folder) / "report.html"
        write_cells(cells, n_cells, n_labelings)
        options = ["--true", "cell_type", "--pred", "leiden_*", "--embedding", "X_pca", "--by", "batch", "-o", page]
        read = seconds_of(sys.executable, "-c", _READ, cells)
        seconds = seconds_of(sys.executable, "-m", "gpuval", "report", cells, *options)
        print("| cells | labelings | page, MB | seconds | of a minute | times reading by anndata |")
        print("| ---: | ---: | ---: | ---: | ---: | ---: |")
        numbers = page.stat().st_size / 1e6, seconds, seconds / _MINUTE, seconds / read
        print(f"| {n_cells} | {n_labelings} | {' | '.join(f'{x:.2f}' for x in numbers)} |")
    return int(seconds >= _MINUTE)


if __name__ == "__main__":
    sys.exit(main())
