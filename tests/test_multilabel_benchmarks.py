"""The benchmark of measures of several labels: it runs, and its matrices are such that every class has a score."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from benchmarks.multilabel.labels import Shape, matrices, vectors


def lines_of(table):
    command = [sys.executable, "-m", "benchmarks.multilabel", table, "--smoke"]
    ran = subprocess.run(command, capture_output=True, text=True, check=True, cwd=Path(__file__).parent.parent)
    return [[x.strip() for x in line.strip("|").split("|")] for line in ran.stdout.splitlines()[2:]]


def test_speed():
    lines = lines_of("speed")
    assert [len(line) for line in lines] == [7] * 35
    peers = [line[2] for line in lines]
    assert [peers.count(x) for x in ("scikit-learn", "torchmetrics", "not compared")] == [27, 4, 4]
    assert sum(float(line[3]) > 0 for line in lines if line[2] != "not compared") == 31


def test_memory():
    lines = lines_of("memory")
    assert len(lines) == 26
    assert len({(call, shape) for call, shape, *_ in lines}) == 26
    assert sum("weights" in call for call, *_ in lines) == 4


def test_stored():
    lines = lines_of("stored")
    assert [len(line) for line in lines] == [7] * 16
    beside = [line[6] for line in lines]
    assert sum(x.startswith("not taken") for x in beside) == 6
    assert beside.count("-") == 3


@pytest.mark.parametrize("shape", [Shape(400, 4), Shape(30, 50)])
def test_matrices(shape):
    true, pred, scores = matrices(shape)
    assert true.shape == pred.shape == scores.shape == shape
    assert true.any(axis=0).all()
    assert true.any(axis=1).all()
    assert not true.all(axis=0).any()
    assert pred.any()
    np.testing.assert_allclose(scores.sum(axis=1), 1)
    assert {x.dtype for x in matrices(shape).as_types(np.int64, np.float32)} == {np.dtype("i8"), np.dtype("f4")}


def test_vectors():
    true, pred = vectors(Shape(1000, 5))
    assert set(true.tolist()) == set(pred.tolist()) == set(range(5))
    assert 500 < (true == pred).sum() < 700
