"""How long intervals and tests take, beside scikit-learn's scores and resampling of labels; one run, medians."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import scipy.stats
from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score

import gpuval
from benchmarks import timing
from benchmarks.calls import Call
from benchmarks.workloads import NDArray

N_RESAMPLES = 999

MANY_GROUPS, MOST_SAMPLES, FEW_RESAMPLES = 60, 10**4, 199
"""Of the bootstrap of AMI, whose expected information takes a sum for each pair of groups."""

HEAD = "| call | beside | ratio | quartiles | aimed at |\n| --- | --- | --- | --- | --- |"


def labels(n_samples: int, n_groups: int) -> tuple[NDArray, NDArray]:
    """Two labelings of which half of the labels agree."""
    random = np.random.default_rng(0)
    true = random.integers(0, n_groups, n_samples)
    return true, np.where(random.random(n_samples) < 0.5, true, random.integers(0, n_groups, n_samples))


def rows(n_samples: int, n_groups: int, rounds: int) -> Iterator[str]:
    """A line for each comparison."""
    true, pred = labels(n_samples, n_groups)
    random = np.random.default_rng(0)

    def shuffled() -> Any:
        return adjusted_rand_score(true, random.permutation(pred))

    def resampled() -> Any:
        """One resample as SciPy makes it: the scores of labels at drawn places."""
        at = random.integers(0, n_samples, n_samples)
        return adjusted_rand_score(true[at], pred[at]), normalized_mutual_info_score(true[at], pred[at])

    both = ["ari", "nmi"]
    one = partial(adjusted_rand_score, true, pred)
    call = "bootstrap of ARI and NMI, 999 resamples, BCa"
    bootstrap = partial(gpuval.bootstrap, both, true, pred, random_state=0)
    yield _row(call, "one ARI of scikit-learn", bootstrap, one, rounds, 1.0, "at most 20")
    yield _row(
        f"{call}: SciPy's takes, for n resamples of its jackknife and 999 others (extrapolated from one)",
        "that bootstrap",
        resampled,
        bootstrap,
        rounds,
        float(n_samples + N_RESAMPLES),
        "at least 500",
    )
    percentile = partial(gpuval.bootstrap, both, true, pred, random_state=0, method="percentile")
    yield _row(
        "the same with percentiles: SciPy's takes, for 999 resamples (extrapolated from one)",
        "that bootstrap",
        resampled,
        percentile,
        rounds,
        float(N_RESAMPLES),
        "",
    )
    jackknife = partial(gpuval.jackknife, None, true, pred)
    evaluate = partial(gpuval.evaluate, true, pred)
    yield _row("exact jackknife of the default measures", "evaluate", jackknife, evaluate, rounds, 1.0, "at most 30")
    permutation = partial(gpuval.permutation_test, "ari", true, pred, random_state=0)
    yield _row(
        "shuffled labels and scikit-learn's ARI, 999 times (extrapolated from one)",
        "permutation_test of ARI, 999 tables",
        shuffled,
        permutation,
        rounds,
        float(N_RESAMPLES),
        "at least 200",
    )
    n_of_these = min(n_samples, MOST_SAMPLES)
    many = labels(n_of_these, MANY_GROUPS)
    ami, ari = (partial(gpuval.bootstrap, x, *many, n_resamples=FEW_RESAMPLES, random_state=0) for x in ("ami", "ari"))
    name = f"bootstrap of AMI, {n_of_these:,} samples, {MANY_GROUPS} x {MANY_GROUPS}, {FEW_RESAMPLES} resamples"
    yield _row(name, "that of ARI", ami, ari, rounds, 1.0, "at most 3")
    moments = partial(gpuval.permutation_test, "ari", true, pred, method="moments")
    own = partial(gpuval.adjusted_rand_score, true, pred)
    yield _row("p of ARI by exact moments", "adjusted_rand_score", moments, own, rounds, 1.0, "at most 5")


def _row(
    call: str, beside: str, above: Callable[[], Any], below: Callable[[], Any], rounds: int, times: float, aim: str
) -> str:
    calls = {"above": Call(above), "below": Call(below)}
    for each in calls.values():
        each.run()
    found = timing.quotients(timing.in_turn(calls, 0.0, rounds, timing.PAUSE), "above", "below")
    median, low, high = (times * x for x in (found.median, found.low, found.high))
    return f"| {call} | {beside} | {median:.3g} | {low:.3g} to {high:.3g} | {aim} |"


def scipy_agrees(n_samples: int = 60, n_resamples: int = 2000) -> tuple[float, float]:
    """The standard error of ARI, all pairs, and that of SciPy's bootstrap of the labels: the same but for chance."""
    true, pred = labels(n_samples, 4)
    own = gpuval.bootstrap("ari", true, pred, pairs="all", n_resamples=n_resamples, random_state=0)
    other = scipy.stats.bootstrap(
        (true, pred),
        adjusted_rand_score,
        paired=True,
        vectorized=False,
        n_resamples=n_resamples,
        method="percentile",
        random_state=0,
    )
    return float(own.standard_error), float(other.standard_error)
