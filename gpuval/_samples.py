"""Two label vectors and their weights: checked against one another, filtered, and looked at once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gpuval import _labels
from gpuval import _namespace as ns
from gpuval._labels import Codes, Labels, Vector
from gpuval._magnitude import out_of_range, required
from gpuval._namespace import Array

Limits = tuple[int, int] | None


@dataclass(frozen=True)
class Samples:
    """What a table is built from, as far as types and shapes tell that it is right."""

    true: Vector
    pred: Vector
    weights: Array | None
    ignore: tuple[Any, ...]
    only_true: bool = False
    """Whether ``pred`` only stands in: one labeling by itself."""

    @property
    def all_count_once(self) -> bool:
        """Whether no sample has a weight of its own, and none is to be left out."""
        return self.weights is None and not self.ignore


def read_samples(labels_true: Labels, labels_pred: Labels, sample_weight: Any, ignore_labels: Any) -> Samples:
    """Take both vectors and the weights, and check all that needs no look at the values."""
    true = _labels.read_labels(labels_true, "labels_true")
    pred = _labels.read_labels(labels_pred, "labels_pred")
    _labels.check_alike(true, pred)
    weights = _labels.read_weights(sample_weight, true, pred)
    return Samples(true, pred, weights, _labels.ignored(ignore_labels))


def encode_samples(
    samples: Samples, n_classes: int | None, n_clusters: int | None
) -> tuple[Codes, Codes, Array | None]:
    """Codes and weights of the samples that count, sized by their values: one transfer to the host, for the ranges."""
    if ns.is_traced(samples.true.data) or ns.is_traced(samples.pred.data):
        if n_classes is not None and n_clusters is not None:
            raise TypeError(
                "layout must be 'dense' or None inside jax.jit or jax.vmap, where the number of non-empty cells is not "
                "known yet, got 'cells'"
            )
        raise TypeError(
            "n_classes and n_clusters must be given inside jax.jit or jax.vmap, where the labels are not known yet"
        )
    true, pred, weights = _without_ignored(samples)
    true, pred = _labels.whole(true), _labels.whole(pred)
    true_limits, pred_limits = _look(true, pred, weights)
    return (
        _labels.encode(true, true_limits, n_classes, "n_classes"),
        _labels.encode(pred, pred_limits, n_clusters, "n_clusters"),
        weights,
    )


def fixed_bins(samples: Samples, n_classes: int, n_clusters: int) -> tuple[Array, Array | None, Array]:
    """The cell of each sample in a table of given size, without a look at the values: nothing leaves the device.

    Returns the flat index of the cell (``n_classes * n_clusters`` for a sample that is not to be counted), the weights
    (0 for such a sample), and how many samples are broken: outside the table, not whole, or of negative weight.
    """
    a, b = _labels.comparable(samples.true.data), _labels.comparable(samples.pred.data)
    xp, wide = ns.namespace(a), ns.widest(a)
    fine = fits(a, n_classes, xp) & fits(b, n_clusters, xp)
    weights = samples.weights
    if weights is not None:
        fine = fine & is_weight(weights)
    counted = fine
    ignored = _ignored(samples)
    if ignored is not None:
        counted, fine = fine & ~ignored, fine | ignored
    row, column = (xp.astype(xp.where(counted, x, xp.zeros_like(x)), wide.int) for x in (a, b))
    cell = xp.where(counted, row * n_clusters + column, n_classes * n_clusters)
    broken = ns.count_true(~fine)
    if weights is not None:
        weights = xp.where(counted, weights, xp.zeros_like(weights))
        broken = broken + xp.astype(out_of_range(weights), wide.int)
    return cell, weights, broken


def how_many_count(samples: Samples) -> int:
    """How many samples are not to be ignored, where the host knows; else how many there are."""
    mask = _ignored(samples) if ns.is_numpy(samples.true.data) else None
    return samples.true.size - (0 if mask is None else int(np.count_nonzero(mask)))


def fits(data: Array, size: int, xp: Any) -> Array:
    """Where a label is one of 0 to ``size - 1``."""
    if ns.kind(data) == "real":
        return (data >= 0) & (data < size) & (xp.trunc(data) == data)
    return (data >= 0) & (data <= min(size - 1, xp.iinfo(data.dtype).max))


def _ignored(samples: Samples) -> Array | None:
    if not samples.ignore:
        return None
    a = _labels.ignored_samples(samples.true, samples.ignore)
    if samples.only_true:
        return a
    b = _labels.ignored_samples(samples.pred, samples.ignore)
    return a | b if a is not None and b is not None else (b if a is None else a)


def kept_labels(samples: Samples, rows: range, columns: range) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Which labels of the rows and of the columns, integers from the first to the last, are not to be ignored."""

    def kept(vector: Vector, labels: range) -> np.ndarray[Any, Any]:
        values = np.arange(labels.start, labels.stop)
        values = values.astype(np.bool_) if ns.kind(vector.data) == "bool" else values
        mask = _labels.ignored_samples(replace(vector, data=values), samples.ignore)
        return np.ones(len(values), np.bool_) if mask is None else ~mask

    if samples.only_true:
        return kept(samples.true, rows), np.ones(len(columns), np.bool_)
    return kept(samples.true, rows), kept(samples.pred, columns)


def _without_ignored(samples: Samples) -> tuple[Vector, Vector, Array | None]:
    ignored = _ignored(samples)
    true, pred, weights = samples.true, samples.pred, samples.weights
    if ignored is None:
        return true, pred, weights
    keep = ~ignored
    return (
        replace(true, data=true.data[keep]),
        replace(pred, data=pred.data[keep]),
        None if weights is None else weights[keep],
    )


def _look(true: Vector, pred: Vector, weights: Array | None) -> tuple[Limits, Limits]:
    """The ranges of both vectors, and whether the weights are fine, in one transfer."""
    if true.size == 0:
        return None, None
    a, b = true.data, pred.data
    xp = ns.namespace(a)
    if xp is np:
        check_weights(weights)
        return (int(a.min()), int(a.max())), (int(b.min()), int(b.max()))
    wide = ns.widest(a)
    looks = [xp.min(a), xp.max(a), xp.min(b), xp.max(b)]
    if weights is not None:
        looks.append(_are_weights(weights))
    if any(xp.iinfo(x.dtype).max > xp.iinfo(wide.int).max for x in (a, b)):  # not to be stacked with the others
        found = [ns.to_host(x) for x in looks]
    else:
        found = list(ns.to_host(xp.stack([xp.astype(x, wide.int) for x in looks])))
    if weights is not None and not found.pop():
        check_weights(weights)
    low_a, high_a, low_b, high_b = (int(x) for x in found)
    return (low_a, high_a), (low_b, high_b)


def codes_of(labels: Array) -> Codes:
    """The codes of the labels of a table, which need no check any more."""
    vector = Vector("labels", labels, labels)
    if ns.is_numpy(labels) and labels.dtype.kind not in "iu":
        vector = _labels.factorized(vector)
    return _labels.encode(vector, limits_of(vector), None, "")


def limits_of(vector: Vector) -> Limits:
    """The smallest and the largest label of a vector; None if it needs none."""
    if vector.size == 0 or vector.values is not None:
        return None
    xp, data = ns.namespace(vector.data), vector.data
    low, high = (int(x) for x in ns.to_host(xp.stack([xp.min(data), xp.max(data)])))
    return low, high


def check_weights(weights: Array | None) -> None:
    """Raise if weights are not to be used (a host step on a device)."""
    if weights is None or bool(ns.to_host(_are_weights(weights))):
        return
    host = ns.to_host(weights)
    broken = host[~is_weight(host)]
    if len(broken):
        raise ValueError(f"sample_weight must be finite and not negative, got {broken[0]}")
    raise ValueError(f"sample_weight must add up to {required(weights)}, got {sum(host.tolist())}; scale the weights")


def _are_weights(weights: Array) -> Array:
    return ns.namespace(weights).all(is_weight(weights)) & ~out_of_range(weights)


def is_weight(weights: Array) -> Array:
    """Where a number is finite and not negative."""
    return (weights >= 0) & (weights < float("inf")) if ns.kind(weights) == "real" else weights >= 0
