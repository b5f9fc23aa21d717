"""Shared by the readers of files: their interface, their error, labels as the library takes them, elements of AnnData.

Whatever is wrong with a file leaves as one ``FileError`` that names it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Protocol

from gpuval.inputs.features import check_indices
from gpuval.inputs.options import missing

if TYPE_CHECKING:
    import numpy as np


Frame = Any
"""A pandas DataFrame."""

Series = Any
"""A pandas Series."""

Matrix = Any
"""An array of NumPy, or a sparse one of SciPy: a row for each sample."""

ByteListener = Callable[[int], None]
"""Is told how many more bytes have been read."""


def tell_nobody(_: int) -> None:
    """Forget how many bytes have been read."""


_LONGEST_MESSAGE = 500
"""What libraries say of a damaged file may hold half of it."""


class FileError(ValueError):
    """What is wrong with a file, in one line."""


class LabelFile(Protocol):
    """A file with one row per sample and named columns."""

    @property
    def name(self) -> str:
        """What messages call the file."""

    @property
    def has_keys(self) -> bool:
        """Whether embeddings are matrices beside the columns, each with a key; else they are columns of numbers."""

    @property
    def n_bytes(self) -> int | None:
        """How many bytes there are to read, if the reader tells how many it has read."""

    @property
    def notes(self) -> list[str]:
        """What is to be said of the file, although it was read."""

    def columns(self) -> list[str]:
        """List the names of the columns, in file order."""

    def unfit(self, names: Sequence[str]) -> dict[str, str]:
        """Say which of the columns hold no labels, by their type, and what they hold."""

    def read(self, labels: Sequence[str], weight: str | None = None) -> Frame:
        """Read the columns ``labels`` and ``weight``, and nothing else."""

    def keys(self) -> list[str]:
        """List the keys of the embeddings; none, where these are columns."""

    def embedding(self, names: Sequence[str]) -> Matrix:
        """Read the embedding of one key, or the one that some columns are."""


@contextmanager
def translate_errors(name: str, kind: str) -> Iterator[None]:
    """Turn what a library raises at a file of this kind into one line."""
    try:
        yield
    except FileError:
        raise
    except ImportError as error:
        raise missing(error, f"reading {kind}", "cli") from None
    except Exception as error:  # a damaged file makes a parser raise anything
        said = " ".join(str(error).split())[:_LONGEST_MESSAGE] or type(error).__name__
        raise FileError(f"cannot read {name} as {kind}: {said}") from None


def columns_to_read(labels: Sequence[str], weight: str | None) -> list[str]:
    """List the columns to read, each once."""
    return list(dict.fromkeys(labels if weight is None else [*labels, weight]))


def relabel(frame: Frame, labels: Sequence[str], change: Callable[[Series], Series]) -> Frame:
    """Change each column of labels once; bytes that are no text stay bytes, which are no labels."""
    for name in dict.fromkeys(labels):
        with suppress(UnicodeDecodeError):
            frame[name] = change(frame[name])
    return frame


def with_named_booleans(column: Series) -> Series:
    """Call the labels of a boolean column True and False, as in a text file, and not 1 and 0."""
    from pandas.api.types import infer_dtype

    labels = column.astype("category") if column.dtype.kind in "bO" else column
    if hasattr(labels.dtype, "categories") and infer_dtype(labels.cat.categories) == "boolean":
        return labels.cat.rename_categories(str)
    return column


def sort_categories(column: Series) -> Series:
    """Put categories in order: scores do not depend on the order of the samples, bit for bit."""
    if not hasattr(column.dtype, "categories"):
        return column
    return column.cat.reorder_categories(column.cat.categories.sort_values())


def check_any(file: str, n_rows: int) -> None:
    """Check that there are rows."""
    if not n_rows:
        raise FileError(f"{file} has no rows")


def check_distinct(file: str, names: Sequence[str]) -> None:
    """Check that a name says which column."""
    repeated = next((name for name, count in Counter(names).items() if count > 1), None)
    if repeated is not None:
        raise FileError(f"{file} has more than one column {repeated!r}")


def columns_together(columns: Mapping[str, np.ndarray[Any, Any]], is_missing: Mapping[str, Any]) -> Matrix:
    """Columns of numbers as a matrix; an error shows the first cell without a number."""
    import numpy as np

    for name, cells in is_missing.items():
        if cells.any():
            raise FileError(f"column {name!r} must hold numbers, got nothing in row {int(cells.argmax()) + 1}")
    return np.column_stack(list(columns.values()))


# Reads the elements of AnnData, wherever they are stored: columns of labels, and embeddings.


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
