"""One side of a table: a partition of the samples by itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from gpuval.engines.backends import backend_of
from gpuval.numerics import Array
from gpuval.table.contingency import Contingency

Side = Literal["true", "pred"]


@dataclass(frozen=True)
class Partition:
    """The sizes of the groups of one labeling, shape (..., n_groups), and their sum."""

    sizes: Array
    total: Array

    @property
    def xp(self) -> Any:
        """The array namespace of the sizes."""
        return backend_of(self.sizes).xp

    def real(self, x: Array) -> Array:
        """``x`` in the widest floating-point type of the device."""
        wide = backend_of(self.sizes).widest(self.sizes).float
        return x.astype(wide) if backend_of(x).on_host else self.xp.astype(x, wide)


def side(table: Contingency, of: Side) -> Partition:
    """One side of a table by itself."""
    return Partition(table.class_sizes if of == "true" else table.cluster_sizes, table.total)
