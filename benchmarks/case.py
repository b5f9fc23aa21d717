"""What a case is: a measure on a workload, with whom, on which backends, and the ratios that are aimed at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from benchmarks.workloads import Workload

FLOOR, MEMORY = "floor", "memory"
"""Opponents that are no library: reading both arrays once with as many threads, and the size of the inputs."""


@dataclass(frozen=True)
class Target:
    """A bound on a ratio: other / gpuval at least, or gpuval / other at most."""

    bound: float
    at_least: bool

    def met(self, ratio: float) -> bool:
        """Whether a ratio keeps the bound."""
        return ratio >= self.bound if self.at_least else ratio <= self.bound

    def __str__(self) -> str:
        return f"{'>=' if self.at_least else '<='} {self.bound:g}"


def at_least(bound: float) -> Target:
    return Target(bound, True)


def at_most(bound: float) -> Target:
    return Target(bound, False)


@dataclass(frozen=True)
class Own:
    """Another call of gpuval to compare with: its name, workload and measure, and whether its value is the same."""

    name: str
    workload: Workload
    measure: str
    is_same: bool = False


CPU = ("numpy", "torch", "jax")
EVERY = (*CPU, "cupy", "torch-cuda", "jax-cuda")


@dataclass(frozen=True)
class Case:
    """A measure on a workload; ``targets`` by the opponent's name, None for a row without one.

    Every peer that has the measure is an opponent, or those of ``peers`` alone; the floor and the memory are where
    ``targets`` names them. Targets are aimed at on the backends of ``aimed_at``. Where ``smaller`` is, peers run on
    that, and their times are taken to grow with the square of the samples.
    """

    workload: Workload
    measure: str
    targets: Mapping[str, Target | None] = field(default_factory=dict)
    own: tuple[Own, ...] = ()
    backends: tuple[str, ...] = ("numpy",)
    aimed_at: tuple[str, ...] = ("numpy",)
    peers: tuple[str, ...] | None = None
    is_timed: bool = True
    smaller: Workload | None = None
