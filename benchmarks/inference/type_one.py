"""How often tests reject labels that have nothing to do with one another, at 5 % and at 1 %."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

import gpuval

SIZES = {
    "3 x 3, equal": ([50] * 3, [50] * 3),
    "10 x 5, equal": ([15] * 10, [30] * 5),
    "3 x 3, unequal": ([90, 5, 5], [50, 25, 25]),
    "20 x 20, powers": ([int(100 / (k + 1)) + 1 for k in range(20)],) * 2,
}
"""Class and cluster sizes."""

LEVELS = (0.05, 0.01)
N_RESAMPLES = 999

HEAD = f"""\
| sizes | test | {" | ".join(f"rejected at {x:g}, and its 95 % error" for x in LEVELS)} |
| --- | --- | --- | --- |"""


class Row(NamedTuple):
    """The p-values of one test for tables of given sizes."""

    sizes: str
    test: str
    p_values: Any

    def __str__(self) -> str:
        shares = [float(np.mean(self.p_values <= level)) for level in LEVELS]
        n = len(self.p_values)
        cells = [f"{x:.4f} +- {1.96 * (x * (1 - x) / n) ** 0.5:.4f}" for x in shares]
        return f"| {self.sizes} | {self.test} | {' | '.join(cells)} |"


NOISES = (0.1, 0.2, 0.4)
"""The share of samples whose cluster is drawn without a look at the class."""

HEAD_OF_MANY = """\
| units | noise | measure | some p (family-wise) <= 0.05, and its 95 % error |
| --- | --- | --- | --- |"""


def rows_of_many(n_data_sets: int, seed: int = 0) -> Iterator[str]:
    """How often ``compare_many_scores`` finds a difference of four clusterings that are equally good."""
    for n_groups, n_samples, n_classes in ((0, 60, 3), (0, 200, 4), (5, 200, 4), (10, 200, 4)):
        for noise in NOISES:
            random, wrong = np.random.default_rng(seed), dict.fromkeys(("ARI", "NMI"), 0)
            for _ in range(n_data_sets):
                true, *alike = _equally_good(random, n_groups, n_samples, n_classes, noise)
                groups = np.arange(n_samples) % n_groups if n_groups else None
                for measure in wrong:
                    found = gpuval.compare_many_scores(true, alike, measure, method="jackknife", groups=groups)
                    wrong[measure] += bool((found.p_family_wise <= 0.05).any())
            for measure, count in wrong.items():
                share = count / n_data_sets
                error = 1.96 * (share * (1 - share) / n_data_sets) ** 0.5
                units = f"{n_groups} groups" if n_groups else f"{n_samples} samples"
                yield f"| {units} | {noise} | {measure} | {share:.3f} +- {error:.3f} |"


def _equally_good(
    random: np.random.Generator, n_groups: int, n_samples: int, n_classes: int, noise: float
) -> list[Any]:
    """Classes, and four clusterings of the same noise; with groups, each has its own noise in each group."""
    true = random.integers(0, n_classes, n_samples)
    alike = []
    for _ in range(4):
        share = noise * random.uniform(0, 2, n_groups)[np.arange(n_samples) % n_groups] if n_groups else noise
        alike.append(np.where(random.random(n_samples) < share, random.integers(0, n_classes, n_samples), true))
    return [true, *alike]


HEAD_OF_BEST = """\
| samples | labelings | noise in common | measure | some told apart | some interval without 0 | Holm's of L - 1 |
| --- | --- | --- | --- | --- | --- | --- |"""

_SIZES_OF_BEST = [(n, n_labelings) for n in (60, 300, 3000) for n_labelings in (4, 10, 30)]
_CLASSES = (0.35, 0.25, 0.2, 0.12, 0.08)
_NOISE = 0.3


def rows_of_best(n_data_sets: int, seed: int = 0) -> Iterator[str]:
    """How often ``compare`` tells labelings that are equally good apart from the best one, without a margin.

    The last column is what Holm's method would do with the same p-values, each alone, of the L - 1 comparisons with the
    best of L labelings, as if it had been chosen before.
    """
    measures = {"AMI": "ami", "ARI": "ari", "NCA": "nca"}
    for in_common in (0.0, 0.5):
        for n_samples, n_labelings in _SIZES_OF_BEST:
            random = np.random.default_rng(seed)
            wrong = {name: np.zeros(3) for name in measures}
            for _ in range(n_data_sets):
                true, alike = _noisy_copies(random, n_samples, n_labelings, in_common)
                best = gpuval.compare(
                    true, alike, measures.values(), confidence_level=0.95, n_resamples=1, margin=0
                ).best
                for name, short in measures.items():
                    wrong[name] += _errors(true, alike, short, best[short])
            for name, counts in wrong.items():
                shares = counts / n_data_sets
                errors = 1.96 * (shares * (1 - shares) / n_data_sets) ** 0.5
                cells = [f"{share:.3f} +- {error:.3f}" for share, error in zip(shares, errors, strict=True)]
                yield f"| {n_samples} | {n_labelings} | {in_common:.0%} | {name} | {' | '.join(cells)} |"


def _noisy_copies(
    random: np.random.Generator, n_samples: int, n_labelings: int, in_common: float
) -> tuple[Any, dict[int, Any]]:
    """Classes, and labelings with the same noise, a part of which is the same for all of them."""
    true = random.choice(len(_CLASSES), n_samples, p=_CLASSES)
    drawn, is_noise = random.integers(0, 6, n_samples), random.random(n_samples) < _NOISE * in_common
    alike = {}
    for place in range(n_labelings):
        labels = np.where(is_noise, drawn, true)
        own = random.random(n_samples) < _NOISE * (1 - in_common)
        alike[place] = np.where(own, random.integers(0, 6, n_samples), labels)
    return true, alike


def _errors(true: Any, alike: dict[int, Any], measure: str, best: gpuval.BestLabeling) -> list[bool]:
    """Whether a labeling is told apart from the best, an interval excludes 0, and Holm's method rejects."""
    gaps = best.gaps or {}
    known = {name: abs(float(x.z)) for name, x in gaps.items() if not np.isnan(x.z)}
    farthest = max(known, key=known.__getitem__, default=best.name)  # of which the p-value alone is smallest
    labels = alike[best.name], alike[farthest]
    alone = float(gpuval.compare_scores(true, *labels, measure, method="jackknife").p_value)
    is_excluded = any(x.low > 0 or x.high < 0 for x in gaps.values())
    return [len(best.best_set) < len(alike), is_excluded, alone * len(gaps) <= 0.05]


def rows(n_data_sets: int, seed: int = 0) -> Iterator[Row]:
    """For each sizes the permutation test of pairs and of information, and the moments of pairs."""
    for name, sizes in SIZES.items():
        tables = [gpuval.Contingency.from_counts(x) for x in gpuval.random_tables(*sizes, n_data_sets, seed)]
        random = np.random.default_rng(seed + 1)
        drawn = [
            gpuval.permutation_test(["ari", "nmi"], x, n_resamples=N_RESAMPLES, random_state=random) for x in tables
        ]
        for measure in ("ari", "nmi"):
            for kind in ("p_value", "mid_p_value"):
                values = np.asarray([getattr(x[measure], kind) for x in drawn])
                yield Row(name, f"{measure.upper()}, {kind.replace('_', '-')}", values)
        by_moments = [gpuval.permutation_test("ari", x, method="moments").p_value for x in tables]
        yield Row(name, "ARI, moments", np.asarray(by_moments))
