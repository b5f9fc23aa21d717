"""What a sample of silhouettes costs beside all of them: ``python -m benchmarks.internal.sampled``.

The exit code is 1 if a sample takes longer than 1.3 times its share of the time for all samples and ``PASSES`` passes
over all samples, each of the time of the Calinski-Harabasz index.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from functools import partial

import gpuval
from benchmarks import timing
from benchmarks.workloads import around_centres

SHARES = (0.01, 0.03, 0.1, 0.3)
MOST, PASSES = 1.3, 20
SIZE, SMALL = (100_000, 50, 20), (10_000, 10, 10)
ROUNDS = 5


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a line for each share."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.internal.sampled", description=__doc__)
    parser.add_argument("--smoke", action="store_true", help="few samples, whose times are not judged")
    asked = parser.parse_args(arguments)
    X, labels = around_centres(1, *(SMALL if asked.smoke else SIZE), "float64")
    score = partial(gpuval.silhouette_score, X, labels)
    everything, one_pass = _least(score), _least(partial(gpuval.calinski_harabasz_score, X, labels))
    print(f"all samples: {everything:.3f} s, one pass: {one_pass:.4f} s")
    is_slow = False
    for share in SHARES:
        taken, alone = (
            _least(partial(score, sample_size=int(share * len(X)), random_state=0, sample_among=among))
            for among in ("all", "sample")
        )
        allowed = MOST * share * everything + PASSES * one_pass
        is_slow |= taken > allowed
        print(
            f"{share:.0%}: {taken:.3f} s, {taken / everything / share:.2f} times the share, at most {allowed:.3f} s; "
            f"among itself {alone:.3f} s"
        )
    return int(is_slow and not asked.smoke)


def _least(function: Callable[[], object]) -> float:
    """The shortest of some runs after the first."""
    function()
    return min(timing.timed(function)[1] for _ in range(ROUNDS))


if __name__ == "__main__":
    sys.exit(main())
