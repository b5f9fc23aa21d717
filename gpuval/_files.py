"""Label columns out of files: CSV, TSV, Parquet and .h5ad, and only the columns asked for.

Every library is imported where it is needed, so that naming a file costs nothing. Whatever is
wrong with a file leaves as one ``FileError`` that names it.
"""

from __future__ import annotations

import csv
import gzip
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import BufferedReader, TextIOWrapper
from pathlib import Path
from typing import Any, Protocol

from gpuval._extras import missing

Frame = Any
"""A pandas DataFrame."""

Series = Any
"""A pandas Series."""


class FileError(ValueError):
    """What is wrong with a file, in one line."""


class LabelFile(Protocol):
    """A file with one row per sample and named columns."""

    def columns(self) -> list[str]:
        """List the names of the columns, in file order."""

    def read(self, labels: Sequence[str], weight: str | None = None) -> Frame:
        """Read the columns ``labels`` and ``weight``, and nothing else."""


def open_labels(path: Path) -> LabelFile:
    """Choose the reader of ``path`` by its extension, and check that there is something to read."""
    try:
        with path.open("rb") as file:
            is_empty = not file.read(1)
    except OSError as error:
        raise FileError(f"cannot read {path}: {error.strerror}") from None
    reader = next((make for end, make in _READERS.items() if path.name.lower().endswith(end)), None)
    if reader is None:
        raise FileError(f"cannot read {path}: its extension must be one of {', '.join(_READERS)}")
    if is_empty:
        raise FileError(f"{path} is empty")
    return reader(path)


@contextmanager
def _reading(path: Path, kind: str) -> Iterator[None]:
    """Turn what a library raises at a file of this kind into one line."""
    try:
        yield
    except FileError:
        raise
    except ImportError as error:
        raise missing(error, f"reading {kind}", "cli") from None
    except Exception as error:  # a damaged file makes a parser raise anything
        raise FileError(f"cannot read {path} as {kind}: {' '.join(str(error).split())}") from None


# Text: CSV and TSV. Labels are what is written, so that a cluster called "NA" stays one; only an
# empty field is missing.


@dataclass(frozen=True)
class _Header:
    """What the first line of a text file says, and how many lines it takes."""

    names: list[str]
    fields: list[str]
    n_lines: int


@dataclass(frozen=True)
class _Text:
    path: Path
    separator: str

    def columns(self) -> list[str]:
        with _reading(self.path, "text"):
            return self._header().names

    def read(self, labels: Sequence[str], weight: str | None = None) -> Frame:
        with _reading(self.path, "text"), self._bytes() as file:
            import pyarrow as pa
            from pyarrow import csv as arrow

            header = self._header()
            names = _wanted(labels, weight)
            # Not by pandas: with usecols it takes a row with a field too many without a word.
            table = arrow.read_csv(
                file,
                read_options=arrow.ReadOptions(column_names=header.fields, skip_rows=header.n_lines),
                parse_options=arrow.ParseOptions(delimiter=self.separator, newlines_in_values=True),
                convert_options=arrow.ConvertOptions(
                    include_columns=names,
                    column_types=dict.fromkeys(names, pa.string())
                    | dict.fromkeys(labels, pa.dictionary(pa.int32(), pa.string())),
                    null_values=[""],
                    strings_can_be_null=True,
                ),
            )
            return _relabeled(table.to_pandas(), labels, _from_text)

    def _header(self) -> _Header:
        with self._bytes() as file:
            lines = TextIOWrapper(file, encoding="utf-8-sig", newline="")
            rows = csv.reader(lines, delimiter=self.separator)
            names = next(filter(any, rows), [])
            n_lines = rows.line_num
            first = next(filter(any, rows), [])
        if not names:
            raise FileError(f"{self.path} is empty")
        if not first:
            raise FileError(f"{self.path} has a header but no rows")
        names = [name.strip() or f"(column {i})" for i, name in enumerate(names, 1)]
        _check_distinct(self.path, names)
        # R's write.table leaves the row names without a place in the header.
        has_row_names = len(first) == len(names) + 1
        return _Header(names, ["(row names)", *names] if has_row_names else names, n_lines)

    def _bytes(self) -> gzip.GzipFile | BufferedReader:
        is_compressed = self.path.suffix.lower() == ".gz"
        return gzip.open(self.path) if is_compressed else self.path.open("rb")


# Parquet.


@dataclass(frozen=True)
class _Parquet:
    path: Path

    def columns(self) -> list[str]:
        with _reading(self.path, "Parquet"):
            from pyarrow.parquet import ParquetFile

            with ParquetFile(self.path) as file:
                names, n_rows = file.schema_arrow.names, file.metadata.num_rows
        _check_any(self.path, n_rows)
        _check_distinct(self.path, names)
        return [name for name in names if not name.startswith("__index_level_")]

    def read(self, labels: Sequence[str], weight: str | None = None) -> Frame:
        with _reading(self.path, "Parquet"):
            from pyarrow.parquet import ParquetFile

            with ParquetFile(self.path) as file:
                table = file.read(columns=_wanted(labels, weight))
            # Integers with gaps become objects: as floats, large ones would become one another.
            frame = table.to_pandas(strings_to_categorical=True, integer_object_nulls=True, ignore_metadata=True)
            return _relabeled(frame, labels, lambda column: _sorted(_with_named_booleans(column)))


# AnnData's .h5ad: columns of /obs, in the three layouts it has had. X and all else stay on disk.


@dataclass(frozen=True)
class _H5ad:
    path: Path

    def columns(self) -> list[str]:
        with _reading(self.path, ".h5ad"):
            import h5py

            with h5py.File(self.path, "r") as file:
                obs = self._obs(file)
                if isinstance(obs, h5py.Dataset):
                    return [name for name in obs.dtype.names if name != "index"]
                return [str(name) for name in obs.attrs["column-order"]]

    def read(self, labels: Sequence[str], weight: str | None = None) -> Frame:
        with _reading(self.path, ".h5ad"):
            import h5py
            import pandas as pd

            with h5py.File(self.path, "r") as file:
                obs = self._obs(file)
                read = _read_field if isinstance(obs, h5py.Dataset) else _read_member
                frame = pd.DataFrame({name: read(obs, name) for name in _wanted(labels, weight)})
            _check_any(self.path, len(frame))
            return _relabeled(frame, labels, _with_named_booleans)

    def _obs(self, file: Any) -> Any:
        if "obs" not in file:
            raise FileError(f"{self.path} has no /obs: it is no file of AnnData")
        return file["obs"]


def _read_field(obs: Any, name: str) -> Any:
    """Read a column of a compound /obs, whose categories are in /uns (before AnnData 0.7)."""
    values, categories = obs.fields(name)[()], f"uns/{name}_categories"
    return _coded(values, obs.file[categories]) if categories in obs.file else _decoded(values)


def _read_member(obs: Any, name: str) -> Any:
    """Read a column of a group /obs: an element, or codes that point at their categories (0.7)."""
    member = obs[name]
    if "encoding-type" in member.attrs:
        from anndata.io import read_elem

        return read_elem(member)
    values, categories = member[()], member.attrs.get("categories")
    return _decoded(values) if categories is None else _coded(values, obs[categories])


def _coded(codes: Any, categories: Any) -> Any:
    import pandas as pd

    return pd.Categorical.from_codes(codes, categories=_decoded(categories[()]))


def _decoded(values: Any) -> Any:
    """Read bytes as text, and leave anything else as it is."""
    if values.dtype.kind not in "SO":
        return values
    return [x.decode() if isinstance(x, bytes) else x for x in values.tolist()]


# What the readers share.


def _wanted(labels: Sequence[str], weight: str | None) -> list[str]:
    return list(dict.fromkeys(labels if weight is None else [*labels, weight]))


def _relabeled(frame: Frame, labels: Sequence[str], change: Callable[[Series], Series]) -> Frame:
    for name in labels:
        frame[name] = change(frame[name])
    return frame


def _from_text(column: Series) -> Series:
    """Read whole numbers, where there are no other labels, and leave labels as text otherwise."""
    numbers = [whole_number(x) for x in column.cat.categories]
    if None in numbers or len(set(numbers)) < len(numbers):
        return _sorted(column)
    column = _sorted(column.cat.rename_categories(numbers))
    is_int64 = column.cat.categories.dtype == "int64"
    return column.astype("int64") if is_int64 and column.notna().all() else column


def whole_number(text: str) -> int | None:
    """Read a whole number as programs write it: 7, -1 or 7.0, but not 07."""
    digits = text.removesuffix(".0")
    try:
        number = int(digits)
    except ValueError:
        return None
    return number if str(number) == digits else None


def _with_named_booleans(column: Series) -> Series:
    """Call the labels of a boolean column True and False, as in a text file, and not 1 and 0."""
    from pandas.api.types import infer_dtype

    labels = column.astype("category") if column.dtype.kind in "bO" else column
    if hasattr(labels.dtype, "categories") and infer_dtype(labels.cat.categories) == "boolean":
        return labels.cat.rename_categories(str)
    return column


def _sorted(column: Series) -> Series:
    """Put categories in order: scores do not depend on the order of the samples, bit for bit."""
    if not hasattr(column.dtype, "categories"):
        return column
    return column.cat.reorder_categories(column.cat.categories.sort_values())


def _check_any(path: Path, n_rows: int) -> None:
    if not n_rows:
        raise FileError(f"{path} has no rows")


def _check_distinct(path: Path, names: Sequence[str]) -> None:
    repeated = next((name for name, count in Counter(names).items() if count > 1), None)
    if repeated is not None:
        raise FileError(f"{path} has more than one column {repeated!r}")


_READERS: dict[str, Callable[[Path], LabelFile]] = {
    ".csv": lambda path: _Text(path, ","),
    ".csv.gz": lambda path: _Text(path, ","),
    ".tsv": lambda path: _Text(path, "\t"),
    ".tsv.gz": lambda path: _Text(path, "\t"),
    ".parquet": _Parquet,
    ".h5ad": _H5ad,
}
