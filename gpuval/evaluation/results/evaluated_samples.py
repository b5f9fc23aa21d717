"""The counts of an evaluation: its classes, its clusters and its samples."""

from __future__ import annotations

from collections.abc import Sized
from dataclasses import dataclass
from typing import Any

from gpuval.engines.backends import backend_of, is_dask, to_host
from gpuval.numerics import Array
from gpuval.table.table import Table

_FEW = 1 << 12
"""Sizes of classes, or of clusters, that are kept until somebody asks how many there are."""


@dataclass(frozen=True, eq=False)
class EvaluatedSamples:
    """How many classes, clusters and samples there are, as arrays or numbers: looked at when somebody asks."""

    classes: Any
    """Their number; or their sizes, where some may have no samples; None where there is no truth."""
    clusters: Any
    """The same of clusters."""
    total: Any
    """How many samples count, or what they weigh together."""
    n_given: int | None = None
    """How many samples there were, if that is known and none has a weight."""

    @classmethod
    def of_table(cls, table: Table, n_given: int | None = None) -> EvaluatedSamples | None:
        """What a table has counted; None for a batch of tables."""
        if len(table.shape) != 2:
            return None
        n_classes, n_clusters = table.shape
        if table.fixed:
            return cls(_kept(table.class_sizes), _kept(table.cluster_sizes), table.total, n_given)
        return cls(n_classes, n_clusters, table.total, n_given)

    @classmethod
    def of_labeling(cls, table: Table, n_given: int | None = None) -> EvaluatedSamples:
        """The same of one labeling, from its table with a single cluster: without classes."""
        n_labels = _kept(table.class_sizes) if table.fixed else table.shape[0]
        return cls(None, n_labels, table.total, n_given)

    def numbers(self) -> dict[str, int | float] | None:
        """The counts by their names (copies to the host); None where arrays have no values yet, as inside jax.jit."""
        try:
            total = to_host(self.total).item()
            found: dict[str, int | float] = {} if self.classes is None else {"n_classes": _number_of(self.classes)}
            found |= {"n_clusters": _number_of(self.clusters), "n_samples": total}
        except (TypeError, RuntimeError):
            return None
        return found if self.n_given is None else found | {"n_dropped": self.n_given - total}


def _kept(sizes: Array) -> Array:
    """The sizes, if they are few; else how many are above 0, which does not keep them in memory."""
    return sizes if sizes.shape[0] <= _FEW else backend_of(sizes).count_true(sizes > 0)


def _number_of(sizes: Any) -> int:
    if isinstance(sizes, int):
        return sizes
    host = to_host(sizes)
    return int((host > 0).sum() if host.ndim else host)


def number_of_labels(labels: Any) -> int | None:
    """How many labels a vector has; None for what does not tell, such as a table, or an array of Dask."""
    shape = getattr(labels, "shape", None)
    if isinstance(labels, Table) or is_dask(labels):
        return None
    if shape is not None:
        return shape[0] if len(shape) == 1 else None
    return len(labels) if isinstance(labels, Sized) else None
