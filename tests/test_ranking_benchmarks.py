"""The benchmark of measures of rankings: it runs, and its documents are such."""

import subprocess
import sys
from pathlib import Path

import numpy as np

from benchmarks.ranking.documents import flat


def test_speed():
    command = [sys.executable, "-m", "benchmarks.ranking", "speed", "--smoke"]
    ran = subprocess.run(command, capture_output=True, text=True, check=True, cwd=Path(__file__).parent.parent)
    lines = ran.stdout.splitlines()
    wanted = ["| torchmetrics: flat"] * 4 + ["| gpuval: flat"] * 3 + ["| gpuval: rows"]
    wanted += ["| scikit-learn: average_precision_score", "| scikit-learn: ndcg_score"]
    assert [x.partition(",")[0] for x in lines[2:12]] == wanted
    assert len(lines) == 12 + 3 + 4


def test_documents():
    relevance, scores, queries = flat(np.asarray([3, 0, 40]))
    assert np.bincount(queries).tolist() == [3, 0, 40]
    assert len(set(scores.tolist())) == 43
    assert scores.min() > 0
    assert set(relevance.tolist()) <= {0, 1, 2, 3}
    assert len(set(flat(np.asarray([3, 40]), 4).scores.tolist())) == 4
