"""Tables of CPU tensors as NumPy's: there a call costs least, and what several measures need is found once."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpuval.engines.backends import backend_of, is_array, to_host
from gpuval.numerics import Array
from gpuval.table.contingency import Contingency, mapped, with_margins
from gpuval.table.statistic import recalled


def near(table: Contingency) -> Contingency:
    """The table in NumPy if it lies on the host, its values are known and no gradients are asked for; else itself."""
    if backend_of(table.counts).on_host or backend_of(table.counts).host_view(table.counts) is None:
        return table
    if not table.is_integer and not backend_of(table.counts).widest(table.counts).is_64bit:
        return table  # its sums are rounded as in 32 bits, and formulas go by the type
    return recalled(table, _viewed)


def near_labels(labels_true: Any, labels_pred: Any) -> tuple[Array, Array] | None:
    """Two vectors of integers in NumPy, if both lie on the host in another library."""
    if not (is_array(labels_true) and is_array(labels_pred)):
        return None
    backend = backend_of(labels_true)
    if backend.on_host or backend is not backend_of(labels_pred) or not backend.are_together(labels_true, labels_pred):
        return None
    if not backend.kind(labels_true) == backend.kind(labels_pred) == "integer":
        return None
    true, pred = backend.host_view(labels_true), backend.host_view(labels_pred)
    if true is None or pred is None or np.uint64 in (true.dtype, pred.dtype):  # which PyTorch cannot compare
        return None
    return true, pred


def _viewed(table: Contingency) -> Contingency:
    seen = mapped(table, _widest)
    return with_margins(  # anew: sums of real weights, in another order, might leave a rounding where there is nothing
        seen.cells, seen.classes, seen.clusters, fixed=seen.fixed, invalid=seen.invalid, self_pairs=seen.self_pairs
    )


def _widest(x: Array) -> np.ndarray[Any, Any]:
    host = to_host(x)
    wide = {"i": np.int64, "f": np.float64}.get(host.dtype.kind)
    return host if wide is None else host.astype(wide, copy=False)
