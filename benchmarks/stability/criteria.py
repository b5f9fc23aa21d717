"""How often each criterion finds the number of clusters of samples in which it is known, with k-means."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from sklearn.cluster import KMeans

import gpuval
from benchmarks.report import markdown_table
from benchmarks.stability.samples import KINDS, N_SAMPLES, Kind
from benchmarks.workloads import NDArray


class Effort(NamedTuple):
    """How much is computed for a data set."""

    n_samples: int
    most: int
    """The numbers of clusters are 1 up to this."""
    n_runs: int
    n_references: int
    n_splits: int
    n_starts: int
    """Of k-means."""


EFFORT = Effort(N_SAMPLES, 10, 20, 20, 5, 3)
SMOKE = Effort(90, 4, 3, 2, 1, 1)

NONE = "none"
"""What a criterion says that takes no number."""

CRITERIA = (
    "most stable, ECS",
    "finest as stable as that",
    "most stable, ARI",
    "least PAC",
    "silhouette",
    "Calinski-Harabasz",
    "Davies-Bouldin",
    "elbow by the chord",
    "gap statistic",
    "prediction strength",
)


def lines(n_sets: int, effort: Effort) -> Iterator[str]:
    """The table: a row for each criterion, a column for each kind of samples."""
    found = {name: _answers(kind, n_sets, effort) for name, kind in KINDS.items()}
    heads = ["criterion", *(f"{name}: {_right(kind)}" for name, kind in KINDS.items())]
    rows = [
        [criterion, *(_cell([x[criterion] for x in found[name]], kind) for name, kind in KINDS.items())]
        for criterion in CRITERIA
    ]
    yield markdown_table(heads, rows)


def _answers(kind: Kind, n_sets: int, effort: Effort) -> list[Mapping[str, int | str]]:
    return [answers(kind.draw(np.random.default_rng(seed), effort.n_samples), effort, seed) for seed in range(n_sets)]


def answers(X: NDArray, effort: Effort, seed: int) -> dict[str, int | str]:
    """The number of clusters that each criterion takes."""
    fit, numbers = KMeans(n_init=effort.n_starts), range(1, effort.most + 1)
    runs = gpuval.repeat_clustering(fit, X, numbers, n_runs=effort.n_runs, random_state=seed)
    found = gpuval.stability(runs, random_state=seed)
    most_stable, by_ari = found.best["element_centric_score"], found.best["adjusted_rand_score"]
    says_nothing = len(most_stable.best_set) == len(numbers) - 1  # if no setting is told apart from the best one
    ambiguous = {k: x.ambiguous for k, x in found.items() if k > 1}
    full = {k: labels for k, labels in runs.full.items() if k > 1}
    gap = gpuval.gap_statistic(fit, X, numbers, n_references=effort.n_references, random_state=seed)
    strength = gpuval.prediction_strength(fit, X, numbers, n_splits=effort.n_splits, random_state=seed)
    silhouettes = dict(zip(full, gpuval.silhouette_scores(X, full).tolist(), strict=True))
    ratios = {k: float(gpuval.calinski_harabasz_score(X, labels)) for k, labels in full.items()}
    spreads = {k: float(gpuval.davies_bouldin_score(X, labels)) for k, labels in full.items()}
    taken = (
        most_stable.name,
        None if says_nothing else max(most_stable.best_set),
        by_ari.name,
        min(ambiguous, key=ambiguous.__getitem__),
        max(silhouettes, key=silhouettes.__getitem__),
        max(ratios, key=ratios.__getitem__),
        min(spreads, key=spreads.__getitem__),
        gap.bends()["chord"],
        gap.choice,
        strength.choice,
    )
    return {name: NONE if x is None else x for name, x in zip(CRITERIA, taken, strict=True)}


def _right(kind: Kind) -> str:
    return "1 or none" if kind.answers == (1,) else " or ".join(map(str, kind.answers))


def _cell(taken: Sequence[int | str], kind: Kind) -> str:
    """The share of data sets with each right answer, and the answer that is the most frequent."""
    counts = Counter(taken)
    if kind.answers == (1,):
        right = f"{(counts[1] + counts[NONE]) / len(taken):.2f}"
    else:
        right = ", ".join(f"{counts[answer] / len(taken):.2f}" for answer in kind.answers)
    return f"{right} ({counts.most_common(1)[0][0]})"
