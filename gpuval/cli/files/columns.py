"""Shared by the readers of files: their interface, their error, and labels as the library takes them.

Whatever is wrong with a file leaves as one ``FileError`` that names it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Protocol

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
