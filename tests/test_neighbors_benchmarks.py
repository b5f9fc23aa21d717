"""The benchmark of measures of neighbours: it runs, and its neighbours are such."""

import subprocess
import sys
from pathlib import Path

import numpy as np

import gpuval
from benchmarks.neighbors.speed import nearest


def test_speed():
    command = [sys.executable, "-m", "benchmarks.neighbors", "speed", "--smoke"]
    ran = subprocess.run(command, capture_output=True, text=True, check=True, cwd=Path(__file__).parent.parent)
    lines = ran.stdout.splitlines()
    wanted = ["| scib-metrics: LISI"] * 2 + ["| scib-metrics: kBET"] * 3 + ["| igraph: modularity"]
    assert [x.partition(",")[0] for x in lines[2:8]] == wanted
    assert lines[-1].startswith("Memory")


def test_neighbours_are_such_as_a_search_finds():
    indices, distances = nearest(300, 20)
    neighbors = gpuval.Neighbors.from_knn(indices, distances)
    assert repr(neighbors) == "Neighbors(n_samples=300, n_neighbors=19)"
    assert neighbors.knn.self_is_first
    assert (np.diff(distances, axis=1) >= 0).all()
