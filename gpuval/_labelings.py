"""Many labelings of the same samples: each read and encoded once, then tabulated in pairs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from gpuval import _labels
from gpuval import _namespace as ns
from gpuval._cells import dense_is_better
from gpuval._labels import Codes, Vector
from gpuval._namespace import Array
from gpuval._samples import Samples, check_weights, limits_of
from gpuval.contingency import Contingency, table_of_codes, table_of_codes_and_spares, table_of_samples


@dataclass(frozen=True)
class Labeling:
    """One labeling as it was read; as codes too, unless the size of its tables is given or Dask holds it."""

    vector: Vector
    codes: Codes | None
    """Its codes; with ``keep``, samples that are ignored have one more: ``codes.size``."""
    keep: Array | None
    """Which samples are not ignored; None: all."""
    weights: Array | None
    ignore: tuple[Any, ...]
    size: tuple[int, int] | None


def read_labelings(
    named: Mapping[str, Any],
    sample_weight: Any,
    ignore_labels: Any,
    n_classes: int | None,
    n_clusters: int | None,
) -> list[Labeling]:
    """Read and check all labelings, and encode each."""
    rows, columns = _labels.check_sizes(n_classes, n_clusters)
    ignore = _labels.ignored(ignore_labels)
    size = None if rows is None or columns is None else (rows, columns)
    if any(ns.is_dask(labels) for labels in named.values()):
        held = [Vector(name, labels, labels) for name, labels in named.items()]
        return [Labeling(x, None, None, sample_weight, ignore, size) for x in held]
    vectors = [_labels.read_labels(labels, name) for name, labels in named.items()]
    _check_alike(vectors)
    weights = _labels.read_weights(sample_weight, *vectors) if vectors else None
    if size is not None:
        return [Labeling(x, None, None, weights, ignore, size) for x in vectors]
    return [_encoded(x, weights, ignore) for x in vectors]


def table_of(true: Labeling, pred: Labeling) -> Contingency:
    """The table of two labelings."""
    rows, columns = true.size or (None, None)
    if ns.is_dask(true.vector.data) or ns.is_dask(pred.vector.data):
        return Contingency.from_labels(
            true.vector.data,
            pred.vector.data,
            sample_weight=true.weights,
            ignore_labels=true.ignore or None,
            n_classes=rows,
            n_clusters=columns,
        )
    if true.codes is None or pred.codes is None:
        samples = Samples(true.vector, pred.vector, true.weights, true.ignore)
        return table_of_samples(samples, rows, columns)
    if true.keep is None and pred.keep is None:
        check_weights(true.weights)
        return table_of_codes(true.codes, pred.codes, true.weights)
    if true.weights is None and dense_is_better(true.codes.size + 1, pred.codes.size + 1, true.vector.size):
        # What is ignored has a row and a column of its own, which is quicker than to pick out what is not.
        return table_of_codes_and_spares(true.codes, pred.codes)
    keep = true.keep if pred.keep is None else pred.keep if true.keep is None else true.keep & pred.keep
    kept, kept_too = (replace(x, codes=x.codes[keep]) for x in (true.codes, pred.codes))
    weights = None if true.weights is None else true.weights[keep]
    check_weights(weights)
    return table_of_codes(kept, kept_too, weights)


def _check_alike(vectors: list[Vector]) -> None:
    """Check all vectors against the first, and all indexes against the first index."""
    for vector in vectors[1:]:
        _labels.check_alike(vectors[0], vector)
    indexed = [x for x in vectors if _labels.is_pandas_series(x.given)]
    for vector in indexed[1:]:
        _labels.check_alike(indexed[0], vector)


def _encoded(vector: Vector, weights: Array | None, ignore: tuple[Any, ...]) -> Labeling:
    mask = _labels.ignored_samples(vector, ignore) if ignore else None
    if mask is not None:
        vector = replace(vector, data=_filled(vector, mask))
    vector = _labels.whole(vector)
    codes = _labels.encode(vector, limits_of(vector), None, "")
    if mask is None:
        return Labeling(vector, codes, None, weights, ignore, None)
    xp = ns.namespace(codes.codes)
    wide = xp.astype(codes.codes, ns.widest(codes.codes).int)
    own = xp.where(mask, xp.full_like(wide, codes.size), wide)
    return Labeling(vector, replace(codes, codes=own), ~mask, weights, ignore, None)


def _filled(vector: Vector, ignored: Array) -> Array:
    """The labels, with one that occurs for those to ignore: these must not widen the range, nor count as missing."""
    data, xp = vector.data, ns.namespace(vector.data)
    if vector.size == 0 or vector.values is not None:
        return xp.where(ignored, xp.zeros_like(data), data)
    data, kind = _labels.comparable(data), ns.kind(data)
    highest = xp.full_like(data, float("inf") if kind == "real" else xp.iinfo(data.dtype).max)
    lowest = xp.min(xp.where(ignored, highest, data))
    if kind == "real":
        lowest = xp.where(lowest < float("inf"), lowest, xp.zeros_like(lowest))
    return xp.where(ignored, lowest, data)
