"""Labels on a cluster of Dask's processes, of which one dies: the table is exact all the same."""

import os
import signal
import threading
import time

import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from dask.distributed import Client, LocalCluster

import gpuval
from benchmarks import larger_than_memory


@pytest.fixture(scope="module")
def client():
    options = {"n_workers": 2, "threads_per_worker": 1, "memory_limit": "1GB", "dashboard_address": ":0"}
    with LocalCluster(**options) as cluster, Client(cluster) as client:
        yield client


def some(n):
    rng = np.random.default_rng(0)
    return rng.integers(0, 20, n), rng.integers(0, 30, n)


def slowly(block):
    time.sleep(0.1)
    return block


def test_a_worker_dies(client):
    true, pred = some(40_000)
    labels = [da.from_array(x, chunks=1000).map_blocks(slowly, dtype=x.dtype) for x in (true, pred)]
    before = set(client.run(os.getpid).values())
    killer = threading.Timer(1.0, os.kill, (min(before), signal.SIGKILL))
    killer.start()
    table = gpuval.Contingency.from_labels(*labels)
    killer.join()
    np.testing.assert_array_equal(table.to_array(), gpuval.Contingency.from_labels(true, pred).to_array())
    client.wait_for_workers(2, timeout=60)
    assert min(before) not in client.run(os.getpid).values()  # it did die


@pytest.mark.parametrize("chunks", [(700, 700), (700, 900)])
def test_bits_are_those_of_one_call(chunks, client):
    true, pred = some(10_000)
    labels = [da.from_array(x, chunks=size) for x, size in zip((true, pred), chunks, strict=True)]
    scores = gpuval.evaluate(*labels, metrics="all")
    assert dict(scores) == dict(gpuval.evaluate(true, pred, metrics="all"))
    futures = [x.persist() for x in labels]
    expected = gpuval.rand_score(true, pred)
    assert gpuval.rand_score(*futures) == expected
    if chunks[0] == chunks[1]:
        assert gpuval.rand_score(*(list(x.to_delayed()) for x in futures)) == expected


def test_series_and_an_accumulator(client):
    true, pred = some(5000)
    names = np.asarray([f"type {i}" for i in range(20)])
    frame = dd.from_pandas(pd.DataFrame({"true": names[true], "pred": pred}), npartitions=7)
    accumulator = gpuval.Accumulator()
    for _ in range(2):
        accumulator.update(frame["true"], frame["pred"])
    assert float(gpuval.adjusted_rand_score(accumulator.table)) == pytest.approx(
        gpuval.adjusted_rand_score(np.tile(true, 2), np.tile(pred, 2)), abs=1e-15
    )


@pytest.mark.parametrize("kill", [False, True])
def test_the_script_for_labels_that_are_larger_than_memory(kill, capsys):
    arguments = ["--samples", "2000003", "--chunks", "16", "--limit", "100", *(["--kill", "0.02"] if kill else [])]
    assert larger_than_memory.main(arguments) == 0
    printed = capsys.readouterr().out
    assert "the table is exact" in printed
    assert ("a worker was ended" in printed or "before a worker" in printed) == kill


def test_the_script_for_many_blocks(capsys):
    assert larger_than_memory.main(["--blocks", "9", "--rounds", "1"]) == 0
    assert "x Dask's sum" in capsys.readouterr().out
