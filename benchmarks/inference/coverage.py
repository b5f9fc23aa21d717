"""How often intervals contain the score of the population that the samples are of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

import gpuval
from benchmarks.inference.populations import (
    POPULATIONS,
    Donors,
    Population,
    adjusted_rand,
    normalized_information,
)


class Row(NamedTuple):
    """How many of the intervals of one kind contain the truth."""

    data: str
    n_samples: int
    interval: str
    truth: float
    hits: int
    n_data_sets: int

    def __str__(self) -> str:
        share = self.hits / self.n_data_sets
        error = 1.96 * (share * (1 - share) / self.n_data_sets) ** 0.5
        return f"| {self.data} | {self.n_samples} | {self.interval} | {self.truth:.3f} | {share:.3f} +- {error:.3f} |"


HEAD = """\
| population | samples | interval, nominal 0.95 | truth | coverage, and its 95 % error |
| --- | --- | --- | --- | --- |"""


def rows(n_data_sets: int, seed: int = 0) -> Iterator[Row]:
    """All rows: ARI of five populations, NMI and AMI of one, 20 donors."""
    for population in POPULATIONS:
        yield from _of_pairs(population, n_data_sets, seed)
    yield from _of_information(POPULATIONS[0], n_data_sets, seed)
    yield from _of_donors(Donors(), n_data_sets, seed)


def _of_pairs(population: Population, n_data_sets: int, seed: int) -> Iterator[Row]:
    found: dict[str, Any] = {}
    for i, table in enumerate(_tables(population, n_data_sets, seed)):
        for pairs in ("distinct", "all"):
            for method in ("bca", "percentile"):
                name = f"ARI, {method}, {pairs} pairs"
                found.setdefault(name, []).append(
                    gpuval.bootstrap("ari", table, method=method, pairs=pairs, random_state=i)
                )
        found.setdefault("ARI, jackknife", []).append(gpuval.jackknife("ari", table))
    yield from _counted(found, population.name, population.n_samples, adjusted_rand(population.shares))


def _of_information(population: Population, n_data_sets: int, seed: int) -> Iterator[Row]:
    found: dict[str, Any] = {}
    for i, table in enumerate(_tables(population, n_data_sets, seed)):
        for name in ("NMI", "AMI"):
            found.setdefault(f"{name}, jackknife", []).append(gpuval.jackknife(name, table))
            drawn = gpuval.bootstrap(name, table, method="percentile", random_state=i)
            found.setdefault(f"{name}, percentile", []).append(drawn)
    yield from _counted(found, population.name, population.n_samples, normalized_information(population.shares))


def _of_donors(donors: Donors, n_data_sets: int, seed: int) -> Iterator[Row]:
    random = np.random.default_rng(seed)
    found: dict[str, Any] = {}
    for i in range(n_data_sets):
        true, pred, donor = donors.drawn(random)
        found.setdefault("ARI, bca, of samples", []).append(gpuval.bootstrap("ari", true, pred, random_state=i))
        grouped = gpuval.bootstrap("ari", true, pred, groups=donor, random_state=i)
        found.setdefault("ARI, bca, of donors", []).append(grouped)
        found.setdefault("ARI, jackknife of donors", []).append(gpuval.jackknife("ari", true, pred, groups=donor))
    name = f"{donors.n_donors} donors"
    yield from _counted(found, name, donors.n_donors * donors.n_samples, adjusted_rand(donors.shares()))


DESIGNS = {
    "differ": Donors(n_samples=100),
    "alike": Donors(n_samples=60, concentration=20.0, noise=(0.1, 0.5)),
    "ARI 0.8": Donors(n_samples=60, noise=(0.02, 0.2)),
}
"""How much donors differ in their classes and in their noise."""


def rows_of_groups(n_data_sets: int, seed: int = 0) -> Iterator[Row]:
    """Rows of intervals by few groups."""
    for name, design in DESIGNS.items():
        for n_donors in (5, 6, 8, 10, 15, 30):
            yield from _of_few_donors(name, design._replace(n_donors=n_donors), n_data_sets, seed)


def _of_few_donors(name: str, donors: Donors, n_data_sets: int, seed: int) -> Iterator[Row]:
    random = np.random.default_rng(seed)
    found: dict[str, dict[str, Any]] = {x: {} for x in ("ARI", "NMI", "AMI")}
    for i in range(n_data_sets):
        true, pred, donor = donors.drawn(random)
        left_out = gpuval.jackknife(list(found), true, pred, groups=donor)
        drawn = gpuval.bootstrap(["ARI", "NMI"], true, pred, groups=donor, random_state=i)
        for measure, of_measure in found.items():
            of_measure.setdefault(f"{measure}, jackknife", []).append(left_out[measure])
            if measure in ("ARI", "NMI"):
                of_measure.setdefault(f"{measure}, bca", []).append(drawn[measure])
    shares = donors.shares()
    for measure, of_measure in found.items():
        truth = adjusted_rand(shares) if measure == "ARI" else normalized_information(shares)
        n_samples = donors.n_donors * donors.n_samples
        yield from _counted(of_measure, f"{donors.n_donors} donors, {name}", n_samples, truth)


def _tables(population: Population, n_data_sets: int, seed: int) -> Iterator[gpuval.Contingency]:
    random = np.random.default_rng(seed)
    for _ in range(n_data_sets):
        counts = random.multinomial(population.n_samples, population.shares.reshape(-1))
        yield gpuval.Contingency.from_counts(counts.reshape(population.shares.shape))


def _counted(found: dict[str, Any], name: str, n_samples: int, truth: float) -> Iterator[Row]:
    for interval, estimates in found.items():
        hits = sum(bool(x.low <= truth <= x.high) for x in estimates)
        yield Row(name, n_samples, interval, truth, hits, len(estimates))
