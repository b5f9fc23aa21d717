"""Every example runs, at a small size."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"
RUNS = {
    "deep_clustering_torch.py": (["--small", "--epochs", "2", "--pretrain", "2"], ["epoch 1: ACC", "scikit-learn"]),
    "deep_clustering_jax.py": (["--small", "--epochs", "2", "--pretrain", "2"], ["epoch 1: ARI"]),
    "many_processes_torch.py": (["--epochs", "2"], ["epoch 1: 1797 samples"]),
    "dask_zarr.py": (["--samples", "100001", "--chunks", "5"], ["100001 samples in 5 chunks", "adjusted_rand_score"]),
}


def test_all_examples_are_run():
    assert set(RUNS) == {path.name for path in EXAMPLES.glob("*.py")}


@pytest.mark.parametrize("name", RUNS)
def test_example(name):
    arguments, words = RUNS[name]
    with_processes = ["-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]
    command = [sys.executable, *(with_processes if "processes" in name else []), str(EXAMPLES / name), *arguments]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    ran = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=300)
    assert ran.returncode == 0, ran.stderr
    for word in words:
        assert word in ran.stdout
