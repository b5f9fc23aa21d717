"""Reads rows of which only what is there is stored: sets of labels, and sparse matrices."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from gpuval.engines.backends import OfOneLibrary, backend_of, is_array, is_sparse
from gpuval.inputs.containers import is_of
from gpuval.inputs.features import to_format
from gpuval.inputs.options import library_if_loaded
from gpuval.inputs.strings import factorize_objects, is_missing
from gpuval.numerics import Array, NDArray

_MOST_CLASSES = 1 << 31

_MOST_LABELS = 1 << 16
"""Labels are numbered by a table of all integers between them, if these are at most so many and one for each label."""

_ROWS: tuple[type, ...] = (list, tuple, Set, np.ndarray)
"""What the labels of one sample may be in."""


@dataclass(frozen=True)
class StoredRows(OfOneLibrary):
    """Rows of a matrix of which only some entries are stored, as in a CSR matrix; all others are 0.

    The entries of row i are those from ``starts[i]`` to below ``starts[i + 1]``.
    """

    _like = "columns"

    starts: Array
    """Integers, shape (n_rows + 1,)."""
    columns: Array
    """Integers, shape (n_entries,)."""
    values: Array
    """Shape (n_entries,)."""
    n_columns: int

    @property
    def shape(self) -> tuple[int, int]:
        """The number of rows and of columns."""
        return int(self.starts.shape[0]) - 1, self.n_columns

    @property
    def rows(self) -> Array:
        """The row of each entry, shape (n_entries,)."""
        backend, n_entries = self.backend, int(self.columns.shape[0])
        if backend.on_host:
            return np.repeat(np.arange(self.shape[0], dtype=np.int32), np.diff(self.starts))
        xp, wide = backend.xp, backend.widest(self.columns).int
        rows = backend.cumulative_sum(backend.count(xp.astype(self.starts[:-1], wide), n_entries + 1)[:-1]) - 1
        return xp.where(rows < 0, xp.zeros_like(rows), rows)

    def part(self, own: slice) -> StoredRows:
        """Some of the rows, of NumPy."""
        first, last = self.starts[own.start], self.starts[own.stop]
        starts = self.starts[own.start : own.stop + 1] - first
        return StoredRows(starts, self.columns[first:last], self.values[first:last], self.n_columns)


# Sparse matrices


def is_sparse_matrix(x: Any) -> bool:
    """Whether ``x`` is a sparse matrix of SciPy or CuPy, a sparse tensor of PyTorch, or a sparse array of JAX."""
    if is_sparse(x) or _is_of_jax(x):
        return True
    return is_array(x) and backend_of(x).storage(x).startswith("sparse")


def read_sparse(x: Any, name: str) -> StoredRows:
    """The entries of a sparse matrix by rows; entries of one place are added up."""
    if len(x.shape) != 2:
        raise ValueError(f"{name} must be of two dimensions where it is sparse, got shape {tuple(x.shape)}")
    if is_sparse(x):
        is_half = x.dtype == np.float16  # which SciPy stores, but does not add
        csr = to_format(x.astype(np.float32) if is_half else x, "csr", name)
        if not csr.has_canonical_format:
            csr = csr.copy()  # as what users gave is not to change
            csr.sum_duplicates()
        values, columns, starts = csr.data.astype(np.float16) if is_half else csr.data, csr.indices, csr.indptr
    elif _is_of_jax(x):
        values, columns, starts = _jax_rows(x, name)
    else:
        if x.dense_dim():
            raise ValueError(f"{name} must be sparse in both dimensions, got dense_dim={x.dense_dim()}")
        values, columns, starts = backend_of(x).compressed_rows(x)
    backend = backend_of(values)
    if len(values.shape) != 1 or backend.kind(values) == "other":
        raise TypeError(f"{name} must hold numbers, got dtype {values.dtype}, shape {tuple(values.shape)}")
    return StoredRows(backend.with_sign(starts), backend.with_sign(columns), values, int(x.shape[1]))


def as_dense(x: Any) -> Any:
    """A sparse matrix with all of its entries."""
    if is_sparse(x):
        return x.toarray()
    return x.todense() if _is_of_jax(x) else x.to_dense()


def _is_of_jax(x: Any) -> bool:
    module = library_if_loaded("jax.experimental.sparse")
    return module is not None and isinstance(x, (module.BCOO, module.BCSR))


def _jax_rows(x: Any, name: str) -> tuple[Array, Array, Array]:
    """The data, the columns and the starts of rows of a sparse array of JAX, which may end with entries of no place."""
    backend_of(x.data).check_known(x.data, f"{name} must be dense", "stored entries")
    x = x.to_bcoo() if hasattr(x, "to_bcoo") else x
    if x.n_batch or x.n_dense:
        raise ValueError(f"{name} must be sparse in both dimensions, got n_batch={x.n_batch}, n_dense={x.n_dense}")
    x = x.sum_duplicates()
    backend, (n_rows, _) = backend_of(x.data), x.shape
    rows, columns = x.indices[:, 0], x.indices[:, 1]
    xp = backend.xp
    ends = backend.cumulative_sum(backend.count(xp.where(rows < n_rows, rows, n_rows), n_rows + 1))[:-1]
    starts = xp.concat([xp.zeros_like(ends[:1]), ends])
    n_entries = int(ends[-1]) if n_rows else 0
    return x.data[:n_entries], columns[:n_entries], starts


# Label sets


class _LabelSets(NamedTuple):
    """The labels of samples, one sample after the other."""

    name: str
    lengths: NDArray
    """How many labels each sample has."""
    labels: NDArray | list[str]
    """Integers, or text."""
    are_sets: bool
    """Whether no sample can have a label twice."""

    @property
    def is_text(self) -> bool:
        return isinstance(self.labels, list) and len(self.labels) > 0


def is_label_sets(x: Any) -> bool:
    """Whether ``x`` has rows of labels, and cannot be a matrix, nor a vector with one label for each sample.

    That are sets; rows of different lengths, unless all labels are 0 and 1; rows of text; and columns of lists in data
    frames. Rows that are missing are an error later.
    """
    if isinstance(x, list | tuple):
        types = set(map(type, x))
        if any(issubclass(kind, Set) for kind in types):
            return True
        if type(None) in types:
            return is_label_sets([row for row in x if row is not None])
        if not types or not all(issubclass(kind, _ROWS) for kind in types):
            return False
        if any(issubclass(kind, np.ndarray) for kind in types) and any(np.ndim(row) != 1 for row in x):
            return False
        first = next(chain.from_iterable(x), None)
        if isinstance(first, str) or len(set(map(len, x))) == 1:
            return isinstance(first, str)
        return not _are_0_and_1(x)
    if is_of("polars", x, "Series"):
        return type(x.dtype).__name__ in ("List", "Array")
    if is_of("pyarrow", x, "Array", "ChunkedArray"):
        return "list" in str(x.type).partition("<")[0]
    if len(getattr(x, "shape", ())) != 1 or (not isinstance(x, np.ndarray) and not is_of("pandas", x, "Series")):
        return False
    if str(x.dtype).startswith(("list", "large_list")):  # columns of Arrow in pandas
        return True
    return x.dtype == object and isinstance(
        next((row for row in x if isinstance(row, _ROWS) or not is_missing(row)), None), _ROWS
    )


def are_lists_of_labels(x: Any, name: str) -> bool:
    """Whether ``x``, beside label sets, has lists of labels; an error, if these may be the rows of a matrix as well."""
    if not isinstance(x, list | tuple) or not all(row is None or isinstance(row, _ROWS) for row in x):
        return False
    rows = [row for row in x if row is not None]
    if any(np.ndim(row) != 1 for row in rows if isinstance(row, np.ndarray)):
        return False
    if any(map(len, rows)) and len(set(map(len, rows))) == 1 and _are_0_and_1(rows):
        raise ValueError(
            f"{name} must be an array if it is a matrix, or hold sets if its rows hold labels, beside label sets, "
            "got rows of one length with only 0 and 1"
        )
    return True


def _are_0_and_1(rows: Any) -> bool:
    """Whether rows hold no other numbers."""
    return all(isinstance(x, int | float | np.generic) and x in (0, 1) for x in chain.from_iterable(rows))


def read_label_sets(named: dict[str, Any], n_classes: int | None) -> tuple[dict[str, StoredRows], Any]:
    """The rows of arguments with label sets, and their classes.

    These are the labels of all of them, sorted; or, with ``n_classes``, the integers from 0 to below it.
    """
    sets = [_read_sets(x, name) for name, x in named.items()]
    classes: Any = None
    if n_classes is None:
        columns, classes = _number_labels(sets)
    else:
        columns, classes = [_columns_below(x, n_classes) for x in sets], range(n_classes)
    found = {}
    for one, own in zip(sets, columns, strict=True):
        starts = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(one.lengths)])
        rows = StoredRows(starts, own.astype(np.int32), np.ones(len(own), dtype=np.bool_), len(classes))
        if not one.are_sets:
            is_matrix = len(one.labels) > 0 and one.lengths.min() == one.lengths.max()
            check_no_repeats(rows, classes, one.name, "; give an array if it is a matrix" if is_matrix else "")
        found[one.name] = rows
    return found, classes


def _read_sets(x: Any, name: str) -> _LabelSets:
    rows = x
    for method in ("to_pylist", "to_list", "tolist"):  # of Arrow, of data frames, of NumPy
        if not isinstance(x, list | tuple) and hasattr(x, method):
            rows = getattr(x, method)()
            break
    if not all(issubclass(kind, _ROWS) for kind in set(map(type, rows))):
        i, row = next((i, row) for i, row in enumerate(rows) if not isinstance(row, _ROWS))
        raise TypeError(f"{name} must have the labels of each sample in a set or a list, got {row!r} at position {i}")
    lengths = np.fromiter(map(len, rows), np.int64, len(rows))
    are_sets = all(issubclass(kind, Set) for kind in set(map(type, rows)))
    rows = [row.tolist() if isinstance(row, np.ndarray) else row for row in rows]
    types = set(map(type, chain.from_iterable(rows)))
    if types and all(issubclass(kind, str) for kind in types):
        return _LabelSets(name, lengths, list(chain.from_iterable(rows)), are_sets)
    if any(not issubclass(kind, int | np.integer) or kind is bool for kind in types):
        i, label = next((i, x) for i, row in enumerate(rows) for x in row if _is_odd(x, types))
        raise TypeError(f"{name} must have labels that are all integers, or all text, got {label!r} at position {i}")
    try:
        labels = np.fromiter(chain.from_iterable(rows), np.int64, int(lengths.sum()))
    except OverflowError:
        i, label = next((i, x) for i, row in enumerate(rows) for x in row if not -(2**63) <= x < 2**63)
        raise ValueError(f"{name} must have labels from -2**63 to below 2**63, got {label} at position {i}") from None
    return _LabelSets(name, lengths, labels, are_sets)


def _is_odd(label: Any, types: set[type]) -> bool:
    """Whether a label is neither an integer nor text; or text, where all are one of the two."""
    is_integer = isinstance(label, int | np.integer) and not isinstance(label, bool)
    if all(issubclass(kind, int | np.integer | str) and kind is not bool for kind in types):
        return not is_integer
    return not (is_integer or isinstance(label, str))


def _number_labels(sets: list[_LabelSets]) -> tuple[list[NDArray], list[Any]]:
    """The column of each label, and the sorted labels."""
    having = [x for x in sets if len(x.labels)]
    if len({x.is_text for x in having}) > 1:
        kinds = " and ".join("text" if x.is_text else "integers" for x in having)
        raise TypeError(f"{having[0].name} and {having[1].name} must have labels of one kind, got {kinds}")
    ends = np.cumsum([len(x.labels) for x in sets])[:-1]
    if any(x.is_text for x in sets):
        codes, values = factorize_objects([label for x in sets for label in x.labels])
        return np.split(codes, ends), values.tolist()
    labels = np.concatenate([np.asarray(x.labels, dtype=np.int64) for x in sets])
    low, high = (int(labels.min()), int(labels.max())) if len(labels) else (0, -1)
    if high - low > _MOST_LABELS + len(labels):
        distinct = np.unique(labels)
        codes = np.searchsorted(distinct, labels)
    else:
        labels -= low
        is_label = np.zeros(high - low + 1, dtype=np.bool_)
        is_label[labels] = True
        distinct = np.flatnonzero(is_label) + low
        codes = (np.cumsum(is_label) - 1)[labels]
    return np.split(codes, ends), distinct.tolist()


def _columns_below(one: _LabelSets, n_classes: int) -> NDArray:
    """Labels that are numbers of columns."""
    must = f"{one.name} must have labels from 0 to below the number of classes ({n_classes})"
    if n_classes >= _MOST_CLASSES:
        raise ValueError(f"n_classes must be below 2**31 for label sets, got {n_classes}")
    if one.is_text:
        raise TypeError(f"{must}, got {one.labels[0]!r} at position {int((one.lengths > 0).argmax())}")
    columns = np.asarray(one.labels, dtype=np.int64)
    is_wrong = (columns < 0) | (columns >= n_classes)
    if is_wrong.any():
        first = int(is_wrong.argmax())
        row = int(np.searchsorted(np.cumsum(one.lengths), first, side="right"))
        raise ValueError(f"{must}, got {columns[first]} at position {row}")
    return columns


def check_no_repeats(rows: StoredRows, classes: Any, name: str, hint: str = "") -> None:
    """Check that no sample has a label twice."""
    keys = rows.rows.astype(np.int64)
    keys *= rows.n_columns
    keys += rows.columns
    keys.sort()
    is_repeated = keys[1:] == keys[:-1]
    if is_repeated.any():
        row, column = divmod(int(keys[is_repeated.argmax()]), rows.n_columns)
        raise ValueError(
            f"{name} must have each label of a sample once, got {classes[column]!r} twice at position {row}{hint}"
        )
