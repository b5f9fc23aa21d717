"""What the blocks that Dask holds add up to."""

from __future__ import annotations

import functools
import operator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from gpuval.engines.backends import backend_of
from gpuval.numerics import Array
from gpuval.numerics.stable import add_sums, means_of

Sums = TypeVar("Sums")


@dataclass(frozen=True)
class MeanSums:
    """Sums for means, as ``sums_for_means`` has them, which lose no digits when they are added."""

    array: Array

    def __add__(self, other: MeanSums) -> MeanSums:
        return MeanSums(add_sums(self.array, other.array, backend_of(self.array).xp))

    def means(self) -> Array:
        """The means, shape (n,)."""
        return means_of(self.array, backend_of(self.array).xp)


@dataclass(frozen=True)
class BlockSums(Generic[Sums]):
    """The sums of some blocks, and numbers of what is in them."""

    sums: Sums | None
    """None if nothing in the blocks counts."""
    numbers: tuple[Any, ...]

    def __add__(self, other: BlockSums[Sums]) -> BlockSums[Sums]:
        known = [x.sums for x in (self, other) if x.sums is not None]
        sums = functools.reduce(operator.add, known) if known else None
        return BlockSums(sums, tuple(map(operator.add, self.numbers, other.numbers)))
