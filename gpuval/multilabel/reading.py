"""Reads labels and what is predicted of them: matrices, or label sets and sparse matrices, of which less is stored."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from gpuval.engines.backends import backend_of, detach, is_array
from gpuval.inputs.containers import type_of
from gpuval.inputs.features import check_starts
from gpuval.inputs.labels import Vector, check_beside_or_on_host, check_indexes, check_lie_together
from gpuval.inputs.numbers import brought, host_views, read_numbers, require_in_memory
from gpuval.inputs.options import out_of_range
from gpuval.inputs.samples import check_weights, is_weight
from gpuval.inputs.selection import ignore_mask, read_ignored_numbers, read_weights
from gpuval.multilabel.arrays import MUST_BE, LabelArrays, What
from gpuval.multilabel.entries import FORM, Entries, check_some_label_counts, is_vector, read_dense_entries
from gpuval.multilabel.label_sets import (
    StoredRows,
    are_lists_of_labels,
    as_dense,
    check_no_repeats,
    is_label_sets,
    is_sparse_matrix,
    read_label_sets,
    read_sparse,
)
from gpuval.multilabel.listed import ListedEntries
from gpuval.numerics import Array, NDArray

AnyEntries = Entries | ListedEntries

_FIELDS = ("starts", "columns", "values")
"""The arrays of stored rows."""

_UNKNOWN = "; give ignore_labels= where a label is not known"
"""What to do about labels that are NaN or negative."""

_COLUMNS_ALREADY = "n_classes must be left out where y_true is a matrix, whose columns are the classes"


def read_label_matrices(y_true: Any, y_pred: Any, n_classes: int | None, **building: Any) -> AnyEntries:
    """Read matrices of labels and of predicted labels, whose columns are the classes, or sets of both."""
    if n_classes is not None and not (is_label_sets(y_true) or is_label_sets(y_pred)):
        raise TypeError(f"{_COLUMNS_ALREADY}; of rows with the labels of a sample make sets")
    if is_vector(y_true) or is_vector(y_pred):
        which = ("a vector", "a matrix")
        names = which if is_vector(y_true) else which[::-1]
        raise ValueError(f"y_true and y_pred must both be vectors, or both matrices, got {names[0]} and {names[1]}")
    return read_entries(y_true, y_pred, "y_pred", "labels", n_classes=n_classes, **building)


def read_entries(
    y_true: Any,
    predicted: Any,
    name: str,
    what: What,
    *,
    n_classes: int | None = None,
    are_all: bool = True,
    needed_by: tuple[str, ...] = (),
    **building: Any,
) -> AnyEntries:
    """Read labels, and what is predicted of them, the argument ``name``, as :func:`read_dense_entries` does.

    If both are label sets or sparse, they stay so. Beside a matrix that is neither, they become one, too. ``n_classes``
    is that of label sets beside no matrix: their labels are then the numbers of the classes.
    """
    arguments = {"y_true": y_true, name: predicted}
    having_sets = [x for x, given in arguments.items() if is_label_sets(given) and (x == "y_true" or what == "labels")]
    if having_sets and what == "labels":  # rows of one length beside other sets
        having_sets = [x for x, given in arguments.items() if x in having_sets or are_lists_of_labels(given, x)]
    having_stored = [x for x, given in arguments.items() if x in having_sets or is_sparse_matrix(given)]
    options = {"are_all": are_all, "needed_by": needed_by, **building}
    if not having_stored:
        return read_dense_entries(y_true, predicted, name, what, **options)
    of_classes = name not in having_sets and is_vector(y_true) and is_sparse_matrix(predicted)
    if len(having_stored) == 1 and not of_classes:
        dense = next(x for x in arguments if x not in having_stored)
        arguments = {x: arguments[x] if x == dense else _as_matrix(x, arguments, dense, having_sets) for x in arguments}
        return read_dense_entries(arguments["y_true"], arguments[name], name, what, **options)
    if n_classes is not None and len(having_sets) < 2 and name != "y_pred":
        raise TypeError(_COLUMNS_ALREADY)
    if "y_true" in having_sets and options.get("ignore_labels") is not None:
        raise TypeError(
            "ignore_labels must be left out where y_true has label sets, as a set does not say which labels are not "
            "known; a sparse matrix may hold -1 there"
        )
    rows, classes = _read_rows(arguments, having_sets, n_classes)
    return _read_stored(arguments, rows, classes, what, **options)


def _as_matrix(name: str, arguments: dict[str, Any], dense: str, having_sets: list[str]) -> Any:
    """Label sets, or a sparse matrix, as a matrix with all entries, beside another one."""
    if name not in having_sets:
        return as_dense(arguments[name])
    other = read_numbers(arguments[dense], dense, FORM)
    if len(other.shape) != 2:
        raise ValueError(f"{dense} must be a matrix beside label sets of {name}, got shape {tuple(other.shape)}")
    found, _ = read_label_sets({name: arguments[name]}, int(other.shape[1]))
    matrix = np.zeros(found[name].shape, dtype=np.bool_)
    matrix[found[name].rows, found[name].columns] = True
    backend = backend_of(other)
    return matrix if backend.on_host else backend.from_host(matrix, other)


def _read_rows(
    arguments: dict[str, Any], having_sets: list[str], n_classes: int | None
) -> tuple[dict[str, StoredRows], Any]:
    """The stored rows of both arguments, and their classes."""
    rows = {name: read_sparse(x, name) for name, x in arguments.items() if is_sparse_matrix(x)}
    n_columns = next((x.n_columns for x in rows.values()), n_classes)
    classes: Any = None if n_columns is None else range(n_columns)
    if having_sets:
        found, classes = read_label_sets({name: arguments[name] for name in having_sets}, n_columns)
        rows |= found
    elif len(rows) < 2:
        assert n_columns is not None
        rows["y_true"] = _rows_of_classes(arguments["y_true"], n_columns)
    return {name: rows[name] for name in arguments}, classes


def _rows_of_classes(y_true: Any, n_classes: int) -> StoredRows:
    """The rows of a vector with the class of each sample."""
    codes = detach(read_numbers(y_true, "y_true", FORM))
    backend = backend_of(codes)
    if backend.kind(codes) != "integer":
        raise TypeError(
            f"y_true must hold the class of each sample, as integers from 0, where y_score is sparse, got dtype "
            f"{codes.dtype}"
        )
    codes = backend.with_sign(codes)
    starts = backend.arange_beside(0, int(codes.shape[0]) + 1, backend.widest(codes).int, codes)
    return StoredRows(starts, codes, backend.xp.ones_like(codes, dtype=backend.xp.bool), n_classes)


@dataclass(frozen=True)
class _StoredArrays(LabelArrays):
    """The stored values of labels and predictions, by the names of arguments."""

    rows: dict[str, StoredRows] = field(kw_only=True)
    may_repeat: bool = field(kw_only=True)
    """Whether a row may have a column twice, as only tensors by rows can."""
    ignored_rows: Array | None = field(kw_only=True)
    """Which samples do not count, where ``y_true`` has the class of each; None if all do."""

    def place(self, name: str, where: tuple[int, ...]) -> str:
        """The place of a value, as text."""
        own = self.rows[name]
        return f"row {int(np.searchsorted(own.starts, where[0], side='right')) - 1}, column {own.columns[where[0]]}"

    def _hint(self, name: str, wrong: Any) -> str:
        """What to do about a value of an argument, of what sparse matrices can have."""
        if name == "y_true" and not wrong >= 0:
            return _UNKNOWN
        if name != "y_true" and self.what == "labels":
            return "; evaluate(y_true, y_score, threshold=) takes sparse scores"
        return super()._hint(name, wrong)


def _read_stored(
    arguments: dict[str, Any],
    rows: dict[str, StoredRows],
    classes: Any,
    what: What,
    *,
    mask: Any = None,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    are_all: bool = True,
    needed_by: tuple[str, ...] = (),
) -> ListedEntries:
    """The entries of labels and predictions that are both stored rows."""
    if mask is not None:
        raise TypeError(
            "mask must be left out where y_true is sparse, or has label sets, or y_score is sparse; y_true may hold -1 "
            "where a label is not known, for ignore_labels=-1"
        )
    ignored = read_ignored_numbers(ignore_labels, "ignore_labels")
    of_classes = is_vector(arguments["y_true"])
    if 0 in ignored and not of_classes:
        raise ValueError("ignore_labels must not have 0 where y_true is sparse, or has label sets, got 0")
    name = next(x for x in arguments if x != "y_true")
    weights = None if sample_weight is None else detach(read_weights(require_in_memory(sample_weight, "sample_weight")))
    _check_shapes(rows, name, weights, are_all=are_all)
    check_indexes(**arguments, sample_weight=sample_weight)
    likes = {
        x: Vector(x, given, rows[x].values)
        for x, given in arguments.items()
        if is_sparse_matrix(given) or is_vector(given)
    }
    if len(likes) == 2:
        if likes["y_true"].backend is not likes[name].backend:
            types = " and ".join(type_of(x.given) for x in likes.values())
            raise TypeError(f"y_true and {name} must be of one array library, got {types}")
        check_lie_together(likes["y_true"], likes[name])
    first = next(iter(likes.values()), Vector("y_true", None, rows["y_true"].values))
    check_beside_or_on_host(first, sample_weight=weights)
    given = backend_of(first.data).zeros_beside((0,), first.data.dtype, first.data)
    if what in ("labels", "scores"):
        rows[name] = replace(rows[name], values=detach(rows[name].values))
    rows["y_true"] = replace(rows["y_true"], values=detach(rows["y_true"].values))
    named = {f"{x}.{field}": getattr(rows[x], field) for x in rows for field in _FIELDS}
    named["sample_weight"] = weights if rows["y_true"].shape[0] else None
    views = host_views(named)
    arrays: dict[str, Any] = dict(brought(named, first.data) if views is None else views)
    rows = {x: replace(own, **{field: arrays[f"{x}.{field}"] for field in _FIELDS}) for x, own in rows.items()}
    ignored_rows = None
    if of_classes:
        rows["y_true"], ignored_rows = _without_ignored(rows["y_true"], ignored, are_seen=views is not None)
        ignored = ()
    values = {x: own.values for x, own in rows.items()} | {"mask": None, "sample_weight": arrays["sample_weight"]}
    stored = _StoredArrays(
        values,
        name,
        what,
        ignored,
        are_all,
        needed_by,
        rows=rows,
        may_repeat=is_array(first.given),
        ignored_rows=ignored_rows,
    )
    return (_device_entries if views is None else _host_entries)(stored, classes, given)


def _without_ignored(codes: StoredRows, ignored: tuple[Any, ...], *, are_seen: bool) -> tuple[StoredRows, Array | None]:
    """The rows of the class of each sample, of which one that is ignored is in the first; and which are ignored."""
    columns, xp = codes.columns, codes.backend.xp
    ignored_rows = ignore_mask(Vector("y_true", None, columns), ignored)
    if ignored_rows is not None:
        columns = xp.where(ignored_rows, xp.zeros_like(columns), columns)
    if are_seen and (is_wrong := (columns < 0) | (columns >= codes.n_columns)).any():
        first = int(is_wrong.argmax())
        raise ValueError(
            f"y_true must hold the class of each sample, from 0 to below {codes.n_columns}, got {columns[first]} at "
            f"position {first}{_UNKNOWN if columns[first] < 0 else ''}"
        )
    return replace(codes, columns=columns), ignored_rows


def _check_shapes(rows: dict[str, StoredRows], name: str, weights: Array | None, *, are_all: bool) -> None:
    (n, k), shape = rows["y_true"].shape, rows[name].shape
    if shape[0] != n:
        raise ValueError(f"{name} must have a row for each sample of y_true ({n}), got {shape[0]}")
    if shape[1] != k:
        raise ValueError(f"{name} must have the shape of y_true, {(n, k)}, got {shape}")
    if weights is not None and weights.shape[0] != n:
        raise ValueError(f"sample_weight must have a weight for each sample ({n}), got {weights.shape[0]}")
    if 0 in (shape if are_all else shape[1:]):
        least = "one sample and one class" if are_all else "one class"
        raise ValueError(f"y_true must have at least {least}, got shape {shape}")


def _host_entries(stored: _StoredArrays, classes: Any, given: Array) -> ListedEntries:
    """Entries of NumPy, after a look at all values."""
    for name, own in stored.rows.items():
        _check_structure(own, name, may_repeat=stored.may_repeat)
    (positives, wrong), (values, wrong_values), known = stored.labels(), stored.predictions(), stored.count_mask()
    stored.check("y_true", wrong, known, "hold 0 and 1")
    needed_by = f", for {', '.join(stored.needed_by)}" if stored.needed_by else ""
    stored.check(stored.name, wrong_values, None, f"{MUST_BE[stored.what]}{needed_by}")
    entries = _entries(stored, positives, values, known, classes, None, None, given)
    is_any_weight, n = check_weights(stored.weights), entries.true.shape[0]
    if stored.are_all:
        is_any_known = entries.is_any_known()
        check_some_label_counts(n, is_any_weight=is_any_weight, is_any_known=is_any_known, ignore_labels=True)
    return entries


def _check_structure(own: StoredRows, name: str, *, may_repeat: bool) -> None:
    """Check that rows follow one another, and that columns lie within the matrix, each once in a row."""
    check_starts(own.starts, len(own.columns), name)
    columns: NDArray = own.columns
    if len(columns) and not (columns.min() >= 0 and columns.max() < own.n_columns):
        wrong = columns[(columns < 0) | (columns >= own.n_columns)][0]
        raise ValueError(f"{name} must have columns from 0 to below {own.n_columns}, got {wrong}")
    if may_repeat:
        check_no_repeats(own, range(own.n_columns), name)


def _device_entries(stored: _StoredArrays, classes: Any, given: Array) -> ListedEntries:
    """Entries on a device: what is wrong is marked, and nothing is transferred."""
    xp = stored.backend.xp
    (positives, wrong), (values, wrong_values), known = stored.labels(), stored.predictions(), stored.count_mask()
    wrong = wrong if known is None else wrong & known
    values = values if stored.what == "labels" else xp.where(wrong_values, xp.zeros_like(values), values)
    marks, is_broken = {"y_true": wrong, stored.name: wrong_values}, None
    if (weights := stored.weights) is not None:
        is_broken = xp.any(~is_weight(weights)) | out_of_range(weights)
        is_broken = is_broken | ~xp.any(weights != 0) if stored.are_all else is_broken
    for name, own in stored.rows.items():
        is_outside = (own.columns < 0) | (own.columns >= own.n_columns)
        stored.rows[name] = replace(own, columns=xp.where(is_outside, xp.zeros_like(own.columns), own.columns))
        is_broken = xp.any(is_outside) if is_broken is None else is_broken | xp.any(is_outside)
    entries = _entries(stored, positives, values, known, classes, marks, is_broken, given)
    if stored.are_all and known is not None and int(known.shape[0]) == entries.true.shape[0] * entries.true.n_columns:
        entries = replace(entries, is_broken=~xp.any(known) | is_broken)
    if stored.are_all and stored.ignored_rows is not None:
        entries = replace(entries, is_broken=xp.all(stored.ignored_rows) | is_broken)
    return entries


def _entries(
    stored: _StoredArrays,
    positives: Array,
    values: Array,
    known: Array | None,
    classes: Any,
    wrong: dict[str, Array] | None,
    is_broken: Array | None,
    given: Array,
) -> ListedEntries:
    true, predicted = stored.rows["y_true"], stored.rows[stored.name]
    return ListedEntries(
        replace(true, values=positives),
        replace(predicted, values=values),
        None if known is None else ~known,
        stored.ignored_rows,
        stored.weights,
        classes,
        None if wrong is None else (wrong["y_true"], wrong[stored.name]),
        is_broken,
        given,
    )
