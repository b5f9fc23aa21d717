"""Reads the elements of AnnData, wherever they are stored: columns of labels, and embeddings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gpuval.cli.files.columns import Matrix, Series, sort_categories, with_named_booleans
from gpuval.inputs.features import check_indices

PARTS_OF_COLUMNS = {
    "array": (),
    "string-array": (),
    "categorical": ("codes", "categories"),
    "nullable-integer": ("values", "mask"),
    "nullable-boolean": ("values", "mask"),
    "nullable-string-array": ("values", "mask"),
}
"""The elements that are a column of labels, and what they are made of."""

_EMBEDDINGS = ("array", "csr_matrix", "csc_matrix", "dataframe")
"""The elements that may be an embedding."""

_LARGE = 1 << 30
_MOST_COMPRESSED = 1 << 12
"""Values of more than a GiB that take so many times less in the file were never written: deflate saves 2^10."""

_LARGE_CHUNK = 1 << 29
"""The most bytes of a chunk beyond those of its values: small arrays may be written with chunks for large ones."""


def check_stored(n_bytes: int, n_stored: int, n_of_chunk: int) -> None:
    """Check that values are in the file, and not only said to be, and that a chunk, read at once, is of values."""
    if n_of_chunk > n_bytes + _LARGE_CHUNK:
        raise ValueError(f"it holds {n_bytes} bytes in chunks of {n_of_chunk}; write it in smaller ones")
    if n_bytes > _LARGE and n_bytes > _MOST_COMPRESSED * n_stored:
        raise ValueError(f"it says that it holds {n_bytes} bytes, and has {n_stored} in the file")


def check_embedding_type(kind: str) -> None:
    """Check that an element of this type may be a matrix of numbers."""
    if kind not in _EMBEDDINGS:
        raise ValueError(f"it must be a matrix of numbers, got an element of type {kind}")


def check_frame(attributes: Mapping[str, Any], kinds: Mapping[str, str]) -> None:
    """Check that a frame is made of columns, of these kinds, that are in it: names such as ".." lead elsewhere."""
    named = attributes.get("column-order", ())
    if isinstance(named, str | bytes) or not hasattr(named, "__iter__"):
        raise ValueError(f"its column-order must be a list of names, got {named!r}")
    for name in (text_of(x) for x in (attributes.get("_index", "_index"), *named)):
        if kinds.get(name) not in PARTS_OF_COLUMNS:
            raise ValueError(f"it must hold its column {name!r}, got {kinds.get(name, 'none')}")


def as_embedding(element: Any, n_samples: int | None) -> Matrix:
    """An element as a matrix of numbers with a row for each sample."""
    matrix = element.to_numpy() if hasattr(element, "to_numpy") else element
    if len(matrix.shape) != 2 or matrix.dtype.kind not in "biuf":
        raise ValueError(f"it must be a matrix of numbers, got values of type {matrix.dtype}, shape {matrix.shape}")
    if n_samples is not None and matrix.shape[0] != n_samples:
        raise ValueError(f"it has {matrix.shape[0]} rows for {n_samples} samples")
    if hasattr(matrix, "indptr"):  # a sparse one, made of whatever is in the file
        check_indices(matrix, "the matrix")
        matrix.check_format()  # makes indices of types that SciPy computes with
    return matrix


def labels_of_element(column: Series) -> Series:
    """Labels as the library takes them: text, also of bytes, as sorted categories, and numbers of the usual types."""
    from pandas.api.types import infer_dtype

    dtype = column.dtype
    if getattr(dtype, "kind", "O") in "iuf" and not hasattr(dtype, "numpy_dtype"):
        is_usual = dtype.kind != "f" or dtype.itemsize in (4, 8)
        return column.astype(dtype.newbyteorder("=") if is_usual else "float64")
    if hasattr(dtype, "categories"):
        if infer_dtype(dtype.categories) == "bytes":
            column = column.cat.rename_categories([text_of(x) for x in dtype.categories])
        return with_named_booleans(column)
    if infer_dtype(column) == "bytes":
        column = column.map(text_of, na_action="ignore")
    if infer_dtype(column) == "string":
        return sort_categories(column.astype("category"))
    return with_named_booleans(column)


def text_of(x: Any) -> str:
    """Bytes, or anything else, as text."""
    return x.decode() if isinstance(x, bytes) else str(x)
