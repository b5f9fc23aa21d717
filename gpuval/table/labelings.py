"""Many labelings of the same samples: each read and encoded once, then tabulated in pairs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from gpuval.engines.backends import is_dask, to_host
from gpuval.engines.cells import dense_is_better
from gpuval.inputs.codes import Codes, as_integers, check_labels_have_values, encode, fill_ignored, with_spare
from gpuval.inputs.labels import Vector, check_alike, has_index, read_labels
from gpuval.inputs.options import check_sizes
from gpuval.inputs.samples import Samples, check_any_left, check_weights, label_limits, limits_and_number
from gpuval.inputs.selection import LabelsToIgnore, ignore_mask, read_weights, scale_of
from gpuval.numerics import Array
from gpuval.table.building import from_codes, from_samples
from gpuval.table.contingency import Contingency
from gpuval.table.reading import count_label_blocks
from gpuval.table.table import Table


@dataclass(frozen=True)
class Labeling:
    """One labeling after reading. It is encoded, too, unless the size of its tables is given or it is in Dask."""

    vector: Vector
    codes: Codes | None
    """Its codes; with ``keep``, samples that are ignored have the spare code ``codes.size``."""
    keep: Array | None
    """Which samples are not ignored; None: all."""
    weights: Array | None
    ignore: tuple[Any, ...]
    """Its labels to ignore."""
    size: tuple[int, int] | None
    n_kept: int
    """How many samples are not ignored, where it has codes; else how many there are."""
    is_any_weighed: bool | None = None
    """Whether a weight is above 0, if weights were checked for all labelings at once; else None."""

    @property
    def encoded(self) -> Codes:
        """Its codes, where it is known to have them."""
        assert self.codes is not None
        return self.codes


def read_labelings(
    named: Mapping[str, Any],
    sample_weight: Any,
    ignore_labels: Any,
    n_classes: int | None,
    n_clusters: int | None,
    *,
    n_true: int = 0,
) -> list[Labeling]:
    """Read and check all labelings, and encode each; the first ``n_true`` have true labels."""
    rows, columns = check_sizes(n_classes, n_clusters)
    ignore = LabelsToIgnore.read(ignore_labels)
    if ignore.true != ignore.pred and ignore.true and not n_true:
        raise ValueError(f"ignore_labels must have no key 'true' without labels_true, got {ignore.as_setting()}")
    own = [ignore.true if place < n_true else ignore.pred for place in range(len(named))]
    size = None if rows is None or columns is None else (rows, columns)
    if any(is_dask(labels) for labels in named.values()):
        held = [Vector(name, labels, labels) for name, labels in named.items()]
        ignore.check_by_dtype(*({x.name: x.data for x in side} for side in (held[:n_true], held[n_true:])))
        return [Labeling(x, None, None, sample_weight, y, size, 0) for x, y in zip(held, own, strict=True)]
    vectors = [read_labels(labels, name) for name, labels in named.items()]
    _check_alike(vectors)
    if vectors:
        ignore.check(vectors[:n_true], vectors[n_true:])
    weights = read_weights(sample_weight, *vectors) if vectors else None
    if size is not None:
        return [Labeling(x, None, None, weights, y, size, x.size) for x, y in zip(vectors, own, strict=True)]
    labelings = [encode_labeling(x, weights, y) for x, y in zip(vectors, own, strict=True)]
    if any(x.keep is not None for x in labelings):
        return labelings
    is_any_weighed = check_weights(weights)
    return [replace(x, is_any_weighed=is_any_weighed) for x in labelings]


def table_of(true: Labeling, pred: Labeling) -> Contingency:
    """The table of two labelings."""
    return Contingency.from_table(_table_of(true, pred))


def _table_of(true: Labeling, pred: Labeling) -> Table:
    rows, columns = true.size or (None, None)
    if is_dask(true.vector.data) or is_dask(pred.vector.data):
        ignore = labels_to_ignore(true, pred)
        counted = count_label_blocks(true.vector.data, pred.vector.data, true.weights, ignore, rows, columns)
        return counted.check_not_empty(_names(true, pred), bool(ignore), true.weights is not None).to_table(None)
    if true.codes is None or pred.codes is None:
        samples = Samples(true.vector, pred.vector, true.weights, labels_to_ignore(true, pred), are_all=True)
        return from_samples(samples, rows, columns)
    if true.keep is None and pred.keep is None:
        known = true.is_any_weighed
        _check_left(true, pred, check_weights(true.weights) if known is None else known, weighs=True)
        return from_codes(true.codes, pred.codes, true.weights)
    if true.weights is None and dense_is_better(true.codes.size + 1, pred.codes.size + 1, true.vector.size):
        # What is ignored has a row and a column of its own.
        table = from_codes(true.codes, pred.codes)
        if true.n_kept + pred.n_kept <= true.vector.size:  # else some are kept on both sides: no need to look
            _check_left(true, pred, bool(to_host(table.total) != 0), weighs=False)
        return table
    keep = samples_of_both(true, pred)
    kept, kept_too = (replace(x, codes=x.codes[keep], has_spare=False) for x in (true.codes, pred.codes))
    weights = None if true.weights is None else true.weights[keep]
    _check_left(true, pred, kept.codes.shape[0] > 0, weighs=False)
    _check_left(true, pred, check_weights(weights), weighs=True)
    return from_codes(kept, kept_too, weights)


def _check_left(true: Labeling, pred: Labeling, is_any: bool, *, weighs: bool) -> None:
    check_any_left(
        is_any, true.vector.size, _names(true, pred), ignores=bool(labels_to_ignore(true, pred)), weighs=weighs
    )


def table_of_codes(true: Labeling, pred: Labeling) -> Table:
    """The table of the samples that neither of two labelings ignores, with a row and a column for each code."""
    rows, columns = true.encoded, pred.encoded
    keep = samples_of_both(true, pred)
    if keep is not None and not dense_is_better(rows.size + 1, columns.size + 1, true.vector.size):
        rows, columns = (replace(x, codes=x.codes[keep], has_spare=False) for x in (rows, columns))
    return from_codes(rows, columns, fixed=True)


def samples_of_both(true: Labeling, pred: Labeling) -> Array | None:
    """Which samples neither of two labelings ignores; None: all."""
    return true.keep if pred.keep is None else pred.keep if true.keep is None else true.keep & pred.keep


def labels_to_ignore(true: Labeling, pred: Labeling) -> LabelsToIgnore:
    """The labels to ignore of two labelings."""
    return LabelsToIgnore(true.ignore, pred.ignore)


def _names(true: Labeling, pred: Labeling) -> str:
    return f"{true.vector.name} and {pred.vector.name}"


def _check_alike(vectors: list[Vector]) -> None:
    """Check all vectors against the first, and all indexes against the first index."""
    for vector in vectors[1:]:
        check_alike(vectors[0], vector)
    indexed = [x for x in vectors if has_index(x.given)]
    for vector in indexed[1:]:
        check_alike(indexed[0], vector)


def encode_labeling(vector: Vector, weights: Array | None, ignore: tuple[Any, ...]) -> Labeling:
    """Check the values of one labeling, and encode it."""
    mask = ignore_mask(vector, ignore) if ignore else None
    if mask is not None:
        vector = fill_ignored(vector, mask)
    check_labels_have_values(vector)
    vector = as_integers(vector)
    if mask is None:
        codes = encode(vector, label_limits(vector), None, "", scale_of(vector, ignore))
        return Labeling(vector, codes, None, weights, ignore, None, vector.size)
    limits, n_kept = limits_and_number(vector, ~mask)
    codes = encode(vector, limits, None, "", scale_of(vector, ignore))
    return Labeling(vector, with_spare(codes, ~mask), ~mask, weights, ignore, None, n_kept)
