"""Scores of labels in a Zarr store that is larger than the memory of a worker: each chunk is counted in a process.

python examples/dask_zarr.py [--samples 20000000] [--chunks 16] [--store labels.zarr]
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import dask.array as da
import numpy as np
import zarr
from dask.distributed import Client, LocalCluster

import gpuval


def make_store(path: Path, samples: int, chunks: int) -> None:
    """Write two label arrays, chunk by chunk: about nine of ten samples are in the cluster of their class."""
    group = zarr.open_group(str(path), mode="w")
    size = -(-samples // chunks)
    arrays = [group.create_array(name, shape=(samples,), chunks=(size,), dtype="int32") for name in ("true", "pred")]
    rng = np.random.default_rng(0)
    for start in range(0, samples, size):
        true = rng.integers(0, 50, min(size, samples - start), dtype=np.int32)
        pred = np.where(rng.random(len(true)) < 0.9, true, rng.integers(0, 50, len(true), dtype=np.int32))
        arrays[0][start : start + size], arrays[1][start : start + size] = true, pred


def main(arguments: list[str] | None = None) -> dict[str, float]:
    """Make the store if it does not exist, and print the scores of its labels."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--samples", type=int, default=20_000_000)
    parser.add_argument("--chunks", type=int, default=16)
    parser.add_argument("--store", type=Path)
    asked = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        store = asked.store or Path(folder) / "labels.zarr"
        if not store.exists():
            make_store(store, asked.samples, asked.chunks)
        true, pred = (da.from_zarr(str(store), component=name) for name in ("true", "pred"))
        options = {"n_workers": 2, "threads_per_worker": 1, "memory_limit": "1GB", "dashboard_address": ":0"}
        with LocalCluster(**options) as cluster, Client(cluster):
            scores = gpuval.evaluate(true, pred, ["adjusted_rand_score", "normalized_mutual_info_score"])
    found = {name: float(score) for name, score in scores.items()}
    print(f"{len(true)} samples in {true.numblocks[0]} chunks:", found)
    return found


if __name__ == "__main__":
    main()
