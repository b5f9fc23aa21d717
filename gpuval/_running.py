"""The sums of an accumulator of given size: added to in place, where arrays may be written into."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from gpuval import _namespace as ns
from gpuval import _self_pairs
from gpuval._layout import DenseCells
from gpuval._magnitude import out_of_range
from gpuval._namespace import Array
from gpuval._samples import Samples
from gpuval._tabulate import cuda
from gpuval.contingency import Contingency, invalid_of_sum, with_margins

_NAMES = ("counts", "invalid", "furthest", "self_pairs")


class RunningSums:
    """A dense table, how many samples could not be counted, and the furthest labels that were seen.

    ``furthest`` is the smallest label of the classes, its largest one with the sign changed, and the same of the
    clusters, so that all four go down only; of batches whose values were looked at it knows nothing.
    """

    def __init__(self, n_classes: int, n_clusters: int, like: Array) -> None:
        self.shape = n_classes, n_clusters
        xp, wide, where = ns.namespace(like), ns.widest(like), ns.device(like)
        self.counts = xp.zeros(self.shape, dtype=wide.int, device=where)
        self.invalid = xp.zeros((), dtype=wide.int, device=where)
        self.furthest = xp.full((4,), xp.iinfo(wide.int).max, dtype=wide.int, device=where)
        self.self_pairs: Array | None = None

    def add(self, table: Contingency, samples: Samples | None = None) -> None:
        """Add a table of the same size, which is that of ``samples``."""
        cells = table.to_array()
        if not table.is_integer and self.self_pairs is None:
            self.self_pairs = _self_pairs.of_integers(ns.total(self.counts))
            self.counts = _as_float(self.counts)
        if self.self_pairs is not None:
            of_table = _self_pairs.of_integers(table.total) if table.self_pairs is None else table.self_pairs
            self.self_pairs = _added(self.self_pairs, of_table)
            cells = _as_float(cells)
        self.counts = _added(self.counts, cells)
        if not ns.widest(self.counts).is_64bit:  # or the next sum might come round to a small one
            too_large = ns.namespace(cells).astype(out_of_range(self.counts), self.invalid.dtype)
            self.invalid = _added(self.invalid, too_large)
        if table.invalid is not None:
            self.invalid = _added(self.invalid, table.invalid)
            if samples is not None:
                self._look_at(samples)

    def add_samples(self, samples: Samples) -> bool:
        """Add samples by a kernel that counts into the table itself; False if there is none for them."""
        weights, true, pred = samples.weights, samples.true.data, samples.pred.data
        if samples.ignore or any(x is not None and ns.kind(x) == "real" for x in (self.counts, weights)):
            return False
        if not cuda.add(self.counts, self.invalid, true, pred, weights):
            return False
        self._look_at(samples)
        return True

    def merge(self, other: RunningSums) -> None:
        """Add the sums of another one."""
        self.add(other.table())
        self.furthest = _put(self.furthest, ns.namespace(self.furthest).minimum(self.furthest, other.furthest))

    def reset(self) -> None:
        """Forget all samples; a table of integers keeps its memory."""
        if self.self_pairs is not None:
            self.counts = ns.namespace(self.counts).zeros_like(self.counts, dtype=self.invalid.dtype)
            self.self_pairs = None
        self.counts, self.invalid = _put(self.counts, 0), _put(self.invalid, 0)
        self.furthest = _put(self.furthest, ns.namespace(self.furthest).iinfo(self.furthest.dtype).max)

    def table(self) -> Contingency:
        """The table so far, in memory of its own."""
        cells, rows, columns = DenseCells(ns.copied(self.counts)), *map(range, self.shape)
        self_pairs = None if self.self_pairs is None else ns.copied(self.self_pairs)
        table = with_margins(cells, rows, columns, fixed=True, self_pairs=self_pairs)
        return replace(table, invalid=invalid_of_sum(table, self.invalid))

    def check(self) -> None:
        """Raise if samples could not be counted, with where their labels are: one transfer."""
        xp = ns.namespace(self.counts)
        invalid, *furthest = ns.to_host(xp.concat([xp.reshape(self.invalid, (1,)), self.furthest])).tolist()
        if not invalid:
            return
        low_true, high_true, low_pred, high_pred = furthest
        seen = f"; labels_true were seen from {low_true} to {-high_true}, labels_pred from {low_pred} to {-high_pred}"
        raise ValueError(
            f"labels must be in [0, {self.shape[0]}) x [0, {self.shape[1]}), and weights finite, not negative, and "
            f"not too large in sum; got {invalid} samples or sums that are not"
            + (seen if low_true != xp.iinfo(self.furthest.dtype).max else "")
        )

    def state(self) -> dict[str, Any]:
        """Copies of the arrays."""
        given = {name: getattr(self, name) for name in _NAMES}
        return {name: None if x is None else ns.copied(x) for name, x in given.items()}

    def load(self, state: Mapping[str, Any]) -> None:
        """Take over arrays of any library, in memory that is there already where it fits."""
        arrays = {name: state[name] for name in _NAMES if state[name] is not None}
        found = {name: ns.moved(x, self.invalid) for name, x in arrays.items()}
        shape = tuple(found["counts"].shape)
        if shape != self.shape:
            raise ValueError(f"state must have counts of shape {self.shape}, got {shape}")
        self.self_pairs = None
        for name, x in found.items():
            before = getattr(self, name)
            fits = before is not None and before.dtype == x.dtype
            setattr(self, name, _put(before, x) if fits else x)

    def packed(self, as_float: bool) -> Array:
        """All that adds up, in one vector of floats or of integers."""
        xp, wide = ns.namespace(self.counts), ns.widest(self.counts)
        parts = [xp.reshape(self.counts, (-1,)), xp.reshape(self.invalid, (1,))]
        if as_float:
            total = ns.total(self.counts)
            parts.append(_self_pairs.of_integers(total) if self.self_pairs is None else self.self_pairs)
        return xp.concat([xp.astype(x, wide.float if as_float else wide.int) for x in parts])

    def unpack(self, packed: Array, furthest: Array) -> None:
        """Take over what :meth:`packed` gave, of the same library."""
        xp, wide, size = ns.namespace(packed), ns.widest(packed), math.prod(self.shape)
        self_pairs = packed[size + 1 :]
        self.load(
            {
                "counts": xp.reshape(packed[:size], self.shape),
                "invalid": xp.astype(packed[size], wide.int),
                "furthest": furthest,
                "self_pairs": self_pairs if self_pairs.shape[0] else None,
            }
        )

    def _look_at(self, samples: Samples) -> None:
        """Keep the furthest labels in mind, for a word on what was outside."""
        a, b = samples.true.data, samples.pred.data
        if not a.shape[0] or not ns.kind(a) == ns.kind(b) == "integer":
            return
        xp, wide = ns.namespace(a), ns.widest(a).int
        if any(xp.iinfo(x.dtype).max > xp.iinfo(wide).max for x in (a, b)):
            return
        low_a, high_a, low_b, high_b = (xp.astype(f(x), wide) for x in (a, b) for f in (xp.min, xp.max))
        furthest = xp.stack([low_a, -high_a, low_b, -high_b])
        self.furthest = _put(self.furthest, xp.minimum(self.furthest, furthest))


def _as_float(x: Array) -> Array:
    return ns.namespace(x).astype(x, ns.widest(x).float, copy=False)


def _added(x: Array, y: Array) -> Array:
    """The sum, in the memory of ``x`` where arrays may be written into."""
    if ns.is_jax(x):
        return x + y
    x += y
    return x


def _put(x: Array, y: Any) -> Array:
    """``y`` in the shape of ``x``, in its memory where arrays may be written into."""
    if ns.is_jax(x):
        return ns.namespace(x).zeros_like(x) + y
    x[...] = y
    return x
