"""``python -m benchmarks.sweep``: how many times as long the silhouettes of 20 labelings take as those of one."""

from __future__ import annotations

import argparse
from functools import partial

import numpy as np

import gpuval
from benchmarks import timing
from benchmarks.calls import Call
from benchmarks.workloads import NDArray, blobs

LABELINGS, CLUSTERS = 20, 20
LONG = 60.0
"""Seconds that a row takes at most, but for three rounds."""

SIZES = (5000, 50), (5000, 300), (20_000, 50)


def labelings(kind: str, X: NDArray, labels: NDArray) -> list[NDArray]:
    """As many labelings of a kind.

    "unrelated" to each other; "noisy", one in 20 labels of blobs is another; or "nearest", of so many samples that are
    drawn, the nearest: labelings that have much in common.
    """
    rng, n = np.random.default_rng(1), len(X)
    if kind == "unrelated":
        return [rng.integers(0, CLUSTERS, n) for _ in range(LABELINGS)]
    if kind == "noisy":
        return [np.where(rng.random(n) < 0.05, rng.integers(0, CLUSTERS, n), labels) for _ in range(LABELINGS)]
    drawn = (X[rng.choice(n, CLUSTERS, replace=False)] for _ in range(LABELINGS))
    return [((centres**2).sum(axis=1) - 2 * X @ centres.T).argmin(axis=1) for centres in drawn]


def row(n_samples: int, n_features: int, dtype: str, kind: str, rounds: int) -> str:
    """A line of the table."""
    X, labels = blobs(n_samples, n_features, CLUSTERS, dtype).codes()
    many = labelings(kind, X, labels)
    calls = {
        "many": Call(partial(gpuval.silhouette_scores, X, many)),
        "one": Call(partial(gpuval.silhouette_score, X, many[0])),
    }
    for call in calls.values():
        call.run()
    found = timing.quotients(timing.in_turn(calls, 0.0, rounds, timing.PAUSE), "many", "one")
    return (
        f"| {n_samples} x {n_features} | {dtype} | {kind} | {found.median:.2f} | {found.low:.2f} to {found.high:.2f} |"
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--smoke", action="store_true", help="few samples")
    given = parser.parse_args()
    sizes = ((300, 5),) if given.smoke else SIZES
    print("| samples | type | labelings | many / one | quartiles |\n| --- | --- | --- | --- | --- |")
    for size in sizes:
        for dtype in ("float32", "float64"):
            for kind in ("unrelated", "noisy", "nearest"):
                print(row(*size, dtype, kind, given.rounds), flush=True)


if __name__ == "__main__":
    main()
