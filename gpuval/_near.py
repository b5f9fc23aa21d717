"""Tables of CPU tensors as NumPy's: there a call costs least, and what several measures need is found once."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpuval import _namespace as ns
from gpuval._namespace import Array
from gpuval._once import recalled
from gpuval.contingency import Contingency, mapped


def near(table: Contingency) -> Contingency:
    """The table in NumPy if it lies on the host, its values are known and no gradients are asked for; else itself."""
    return table if ns.is_numpy(table.counts) else recalled(table, _viewed) or table


def near_labels(labels_true: Any, labels_pred: Any) -> tuple[Array, Array] | None:
    """Two vectors of integers in NumPy, if both lie on the host in another library."""
    if ns.is_torch(labels_true):
        if not ns.is_torch(labels_pred):
            return None
    elif not (ns.is_jax(labels_true) and ns.is_jax(labels_pred)) or ns.device(labels_true) != ns.device(labels_pred):
        return None
    if not ns.kind(labels_true) == ns.kind(labels_pred) == "integer":
        return None
    true, pred = ns.host_view(labels_true), ns.host_view(labels_pred)
    return None if true is None or pred is None else (true, pred)


def _viewed(table: Contingency) -> Contingency | None:
    return None if ns.host_view(table.counts) is None else mapped(table, _widest)


def _widest(x: Array) -> np.ndarray[Any, Any]:
    host = ns.to_host(x)
    wide = {"i": np.int64, "f": np.float64}.get(host.dtype.kind)
    return host if wide is None else host.astype(wide, copy=False)
