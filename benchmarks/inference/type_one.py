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
