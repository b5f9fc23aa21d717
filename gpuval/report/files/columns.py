"""What the readers of files share: their interface, their error, and labels as the library takes them.

Whatever is wrong with a file leaves as one ``FileError`` that names it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from gpuval.inputs.options import missing

Frame = Any
"""A pandas DataFrame."""

Series = Any
"""A pandas Series."""

_LONGEST_MESSAGE = 500
"""What libraries say of a damaged file may hold half of it."""


class FileError(ValueError):
    """What is wrong with a file, in one line."""


class LabelFile(Protocol):
    """A file with one row per sample and named columns."""

    @property
    def notes(self) -> list[str]:
        """What is to be said of the file, although it was read."""

    def columns(self) -> list[str]:
        """List the names of the columns, in file order."""

    def unfit(self, names: Sequence[str]) -> dict[str, str]:
        """Say which of the columns hold no labels, by their type, and what they hold."""

    def read(self, labels: Sequence[str], weight: str | None = None) -> Frame:
        """Read the columns ``labels`` and ``weight``, and nothing else."""


@contextmanager
def reading(path: Path, kind: str) -> Iterator[None]:
    """Turn what a library raises at a file of this kind into one line."""
    try:
        yield
    except FileError:
        raise
    except ImportError as error:
        raise missing(error, f"reading {kind}", "cli") from None
    except Exception as error:  # a damaged file makes a parser raise anything
        said = " ".join(str(error).split())[:_LONGEST_MESSAGE] or type(error).__name__
        raise FileError(f"cannot read {path} as {kind}: {said}") from None


def wanted(labels: Sequence[str], weight: str | None) -> list[str]:
    """List the columns to read, each once."""
    return list(dict.fromkeys(labels if weight is None else [*labels, weight]))


def relabeled(frame: Frame, labels: Sequence[str], change: Callable[[Series], Series]) -> Frame:
    """Change each column of labels once."""
    for name in dict.fromkeys(labels):
        frame[name] = change(frame[name])
    return frame


def with_named_booleans(column: Series) -> Series:
    """Call the labels of a boolean column True and False, as in a text file, and not 1 and 0."""
    from pandas.api.types import infer_dtype

    labels = column.astype("category") if column.dtype.kind in "bO" else column
    if hasattr(labels.dtype, "categories") and infer_dtype(labels.cat.categories) == "boolean":
        return labels.cat.rename_categories(str)
    return column


def in_sorted_categories(column: Series) -> Series:
    """Put categories in order: scores do not depend on the order of the samples, bit for bit."""
    if not hasattr(column.dtype, "categories"):
        return column
    return column.cat.reorder_categories(column.cat.categories.sort_values())


def check_any(path: Path, n_rows: int) -> None:
    """Check that there are rows."""
    if not n_rows:
        raise FileError(f"{path} has no rows")


def check_distinct(path: Path, names: Sequence[str]) -> None:
    """Check that a name says which column."""
    repeated = next((name for name, count in Counter(names).items() if count > 1), None)
    if repeated is not None:
        raise FileError(f"{path} has more than one column {repeated!r}")
