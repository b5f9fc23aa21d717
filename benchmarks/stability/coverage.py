"""How often intervals of the mean agreement of runs contain what many runs have."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import sqrt

import numpy as np

import gpuval
from benchmarks.workloads import NDArray

HEAD = """\
| runs | how runs differ | ARI of two runs | jackknife over runs | mean of pairs ± 1.96 sd / sqrt(pairs) |
| ---: | --- | ---: | ---: | ---: |"""

N_SAMPLES, N_RUNS = 200, (3, 5, 10, 20)
N_CLUSTERS = 4
N_MANY = 1000
"""Runs of which the mean agreement stands for the true one."""

Run = Callable[[np.random.Generator], NDArray]

_TRUE = np.arange(N_SAMPLES) % N_CLUSTERS
_OTHER = np.where(np.arange(N_SAMPLES) % 40 < 6, (_TRUE + 1) % N_CLUSTERS, _TRUE)


def _with_noise(labels: NDArray, share: float, random: np.random.Generator) -> NDArray:
    return np.where(random.random(N_SAMPLES) < share, random.integers(N_CLUSTERS, size=N_SAMPLES), labels)


WAYS: dict[str, Run] = {
    "some are worse than others": lambda random: _with_noise(_TRUE, random.beta(1.0, 3.0), random),
    "two solutions alternate": lambda random: _with_noise(_TRUE if random.random() < 0.5 else _OTHER, 0.02, random),
}


def lines(n_sets: int, n_many: int = N_MANY) -> Iterator[str]:
    """A line for each number of runs and way to differ."""
    yield HEAD
    for name, draw in WAYS.items():
        random = np.random.default_rng(0)
        truth = _mean_agreement(np.stack([draw(random) for _ in range(n_many)]))
        for n_runs in N_RUNS:
            hits = np.mean([_contain(truth, [draw(random) for _ in range(n_runs)]) for _ in range(n_sets)], axis=0)
            yield f"| {n_runs} | {name} | {truth:.2f} | {hits[0]:.2f} | {hits[1]:.2f} |"


def _mean_agreement(runs: NDArray) -> float:
    """The mean adjusted Rand index of all pairs of runs."""
    members, n = np.eye(N_CLUSTERS)[runs], len(runs)
    tables = (np.matmul(of_run.T, members).astype(np.int64) for of_run in members)
    total = sum(gpuval.adjusted_rand_score(gpuval.Contingency.from_counts(x)).sum() for x in tables)
    return float(total - n) / (n * (n - 1))  # without those of a run with itself


def _contain(truth: float, runs: list[NDArray]) -> tuple[bool, bool]:
    """Whether the interval of stability contains the truth, and that which takes pairs for independent."""
    scores = gpuval.stability({N_CLUSTERS: runs}, metrics="ari", n_pairs=1000, n_resamples=1, random_state=0)[
        N_CLUSTERS
    ].scores["ari"]
    of_pairs = scores.pairs[np.triu_indices(len(runs), 1)]
    error = float(of_pairs.std(ddof=1)) / sqrt(len(of_pairs))
    return scores.low <= truth <= scores.high, abs(scores.mean - truth) <= 1.96 * error
