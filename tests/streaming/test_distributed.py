"""``Accumulator.all_reduce`` in processes of ``torch.distributed``: what they assert is in ``distributed_worker``."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

import gpuval

HERE = Path(__file__).parent


def run(scenario, tmp_path, processes=4):
    """What each process printed, its errors, and its exit code."""
    paths = os.pathsep.join(
        [str(HERE.parent), str(Path(gpuval.__file__).parents[1])]
    )  # the package that is tested here
    environment = {**os.environ, "PYTHONPATH": paths, "OMP_NUM_THREADS": "1"}
    command = [sys.executable, str(HERE / "distributed_worker.py"), scenario, str(processes), str(tmp_path)]
    codes = subprocess.run(command, stdout=subprocess.PIPE, text=True, env=environment, timeout=120).stdout.split()
    assert len(codes) == processes
    printed = ([(tmp_path / f"{stream}{i}").read_text() for stream in ("stdout", "stderr")] for i in range(processes))
    return [(*texts, int(code)) for texts, code in zip(printed, codes, strict=True)]


def assert_done(results):
    """The errors of all processes, as one that fails ends the connections of the others."""
    errors = "\n".join(f"process {i}: {text}" for i, (_, text, _) in enumerate(results))
    assert [(out.split()[-1:], code) for out, _, code in results] == [(["done"], 0)] * len(results), errors


def test_every_process_has_the_sums_of_all(tmp_path):
    """Of all accumulators: in the same processes, as most of their time is the import of PyTorch."""
    tables = "sizes,weights,heavy,growing,text,ordered,objects,booleans,narrow,nothing,none_left,unsigned,outside"
    tables += ",different,group"
    moments = "goes_on,one_cluster,weights,nothing,outside,different,group"
    names = [*tables.split(","), "internal", *(f"internal_{x}" for x in moments.split(","))]
    names += ["ranked", "ranked_nothing", "ranked_different", "intervals", "intervals_different"]
    names += ["multilabel", *(f"multilabel_{x}" for x in ("vectors", "nothing", "outside", "different"))]
    assert_done(run(",".join(names), tmp_path))


def test_the_metric_of_every_process_is_that_of_all(tmp_path):
    names = "metric,metric_different,metric_of_nothing,ranking_metric,multilabel_metric,interval_metric,internal_metric"
    assert_done(run(names, tmp_path, 2))


def test_a_process_that_fails_is_told_to_the_others(tmp_path):
    start = time.perf_counter()
    results = run("failing", tmp_path, 3)
    assert time.perf_counter() - start < 60
    for rank, (out, errors, code) in enumerate(results):
        if rank == 1:
            assert "a fault of its own" in errors
            assert code == 1
        else:
            assert out.startswith("told:"), errors


def test_without_processes():
    """A run of one process has all samples already."""
    for accumulator in (gpuval.Accumulator(2, 2), gpuval.Accumulator(), gpuval.InternalAccumulator(2)):
        assert accumulator.all_reduce() is accumulator
        with pytest.raises(RuntimeError, match=r"torch\.distributed must be initialised before all_reduce"):
            accumulator.all_reduce(group="a group")
