"""Reads columns of labels from CSV and TSV files.

Labels are what is written, so that a cluster called "NA" stays one; only an empty field is missing. Blanks around a
field are no part of it, be it the name of a column or a label. pyarrow reads the rows, as it is quick. But it takes
wrong quotes without an error: so quotes are checked while it reads, and where they are not as RFC 4180 has them, the
csv module, which is strict, reads the file again and says which row is wrong.
"""

from __future__ import annotations

import csv
import gzip
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import BufferedReader, RawIOBase, TextIOWrapper
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

from gpuval.cli.files.columns import (
    ByteListener,
    FileError,
    Frame,
    Matrix,
    Series,
    check_distinct,
    columns_to_read,
    columns_together,
    relabel,
    sort_categories,
    tell_nobody,
    translate_errors,
)

_LONGEST = 4 << 20
"""The longest row: a file without line ends, or a quote that is never closed, does not fill the memory."""

_limiting = Lock()
"""The csv module has one limit of fields for the whole process: one file after the other is read with another limit."""

_NO_TEXT = {
    b"\xff\xfe": "it is in UTF-16; save it in UTF-8",
    b"\xfe\xff": "it is in UTF-16; save it in UTF-8",
    b"\x1f\x8b": "it is compressed; call it .csv.gz or .tsv.gz",
    b"PK\x03\x04": "it is a ZIP archive (or a workbook); save it as CSV",
    b"PAR1": "it is Parquet; call it .parquet, and give it as a file",
    b"\x89HDF": "it is HDF5; call it .h5ad if it is of AnnData, and give it as a file",
}
"""How files begin that are something else, whatever they are called."""

_OTHER_SEPARATORS = {";": ";", "\t": "tab", "|": "|", ",": ","}
"""What separates fields in files of the same names, and what --delimiter calls it."""

_BLANKS = "blanks around labels are left out"
"""What is said of labels that are not what is written."""

_OTHER_COLUMN = ""
"""The field that rows have and the header has not; no column is called so."""


class _Row(NamedTuple):
    """A row, with the numbers of its first and its last line."""

    first: int
    last: int
    fields: list[str]


@dataclass(frozen=True)
class _Header:
    """The columns by their names, the names of all fields of a row, and how many lines the header takes."""

    names: list[str]
    fields: list[str]
    n_lines: int


@dataclass(frozen=True)
class TextFile:
    """A file of rows, whose fields stand between separators."""

    path: Path
    separator: str
    name: str = ""
    """What messages call it, if not by its path."""
    is_compressed: bool = False
    tell: ByteListener = tell_nobody
    notes: list[str] = field(default_factory=list)
    keeps: Any = None
    """What is to live as long as this, such as the folder of the file."""
    has_keys = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", self.name or str(self.path))

    @property
    def n_bytes(self) -> int | None:
        """How many bytes there are to read, if that is known."""
        return None if self.is_compressed else self.path.stat().st_size

    def columns(self) -> list[str]:
        """List the names of the columns, in file order."""
        with translate_errors(self.name, "text"):
            return self._header().names

    def unfit(self, names: Sequence[str]) -> dict[str, str]:
        """Say nothing: every text can be a label."""
        return {}

    def read(self, labels: Sequence[str], weight: str | None = None) -> Frame:
        """Read the columns ``labels`` and ``weight``, and nothing else."""
        with translate_errors(self.name, "text"):
            header = self._header()
            table = self._table(header, _types(labels, weight))
            _check_other_column(self.name, header, table)
            return relabel(table.select(columns_to_read(labels, weight)).to_pandas(), labels, self._labels_of)

    def _labels_of(self, column: Series) -> Series:
        """Labels without the blanks around them; a note says so, once for a file."""
        given = list(column.cat.categories)
        fields = list(map(_trim, given))
        if fields != given:
            if not any(_BLANKS in note for note in self.notes):
                label = next(x for x, field in zip(given, fields, strict=True) if x != field)
                self.notes.append(f"{self.name}: {_BLANKS}, such as those of {label!r} in column {column.name!r}")
            column = _with_categories(column, fields)
        return _labels_of_text(column)

    def keys(self) -> list[str]:
        """List no keys: embeddings are columns."""
        return []

    def embedding(self, names: Sequence[str]) -> Matrix:
        """Read columns of numbers."""
        with translate_errors(self.name, "text"):
            import pyarrow as pa

            header = self._header()
            try:
                table = self._table(header, dict.fromkeys(names, pa.float64()))
            except pa.ArrowInvalid as error:
                if "conversion error" in str(error):
                    _check_numbers(self._table(header, dict.fromkeys(names, pa.string())), names)
                raise
            _check_other_column(self.name, header, table)
            columns = {name: table[name].to_numpy() for name in names}
            return columns_together(columns, {name: table[name].is_null().to_numpy() for name in names})

    def _table(self, header: _Header, types: Mapping[str, Any]) -> Any:
        import pyarrow as pa
        from pyarrow import csv as arrow

        others = [name for name in header.fields if name == _OTHER_COLUMN]
        with self._bytes() as file:
            quotes = Quotes(file, self.separator, self.tell)
            try:
                # Not by pandas: with usecols it takes a row with a field too many without a word.
                table = arrow.read_csv(
                    quotes,
                    read_options=arrow.ReadOptions(
                        column_names=header.fields, skip_rows=header.n_lines, block_size=_LONGEST
                    ),
                    parse_options=arrow.ParseOptions(delimiter=self.separator, newlines_in_values=True),
                    convert_options=arrow.ConvertOptions(
                        include_columns=[*types, *others],
                        column_types=dict.fromkeys(others, pa.string()) | dict(types),
                        null_values=[""],
                        strings_can_be_null=True,
                    ),
                )
            except pa.ArrowInvalid as error:
                self._check_text(quotes, str(error))
                self._check_rows(header)
                raise
            self._check_text(quotes)
            n_inside = quotes.n_line_ends if quotes.are_paired else self._check_rows(header)
        if n_inside:
            self.notes.append(
                f"{self.name}: rows read {table.num_rows}, line ends inside quotes {n_inside}; is a quote missing?"
            )
        return table

    def _check_text(self, quotes: Quotes, said: str = "") -> None:
        if quotes.has_nul:
            raise self._wrong("it has NUL bytes, as UTF-16 has; save it in UTF-8")
        if "invalid UTF8" in said:
            raise self._wrong("it is not in UTF-8; save it so")

    def _check_rows(self, header: _Header) -> int:
        """Check row by row what pyarrow could not read, or took for granted; count the line ends inside quotes."""
        n_inside = 0
        with self._rows() as rows:
            for row in rows:
                if row.first > header.n_lines and row.fields and len(row.fields) != len(header.fields):
                    raise self._wrong(f"line {row.first} must have {len(header.fields)} fields, got {len(row.fields)}")
                n_inside += row.last - row.first
        return n_inside

    def _header(self) -> _Header:
        with self._bytes() as file:
            start = file.read(4)
        what = next((what for mark, what in _NO_TEXT.items() if start.startswith(mark)), None)
        if what is not None:
            raise self._wrong(what)
        self._note_other_separator()
        with self._rows() as rows:
            header = next((row for row in rows if any(map(_trim, row.fields))), None)
            first = next((row for row in rows if row.fields), None)
        if header is None:
            raise FileError(f"{self.name} is empty")
        names = [_trim(name) or f"(column {i})" for i, name in enumerate(header.fields, 1)]
        self._check_letters("".join(names))
        if first is None:
            raise FileError(f"{self.name} has a header but no rows")
        check_distinct(self.name, names)
        return _Header(names, _fields(names, first.fields), header.last)

    def _note_other_separator(self) -> None:
        with self._bytes() as file:
            line = file.readline(_LONGEST).decode("utf-8", "replace")
        other = next((name for x, name in _OTHER_SEPARATORS.items() if x in line), None)
        if other is not None and self.separator not in line and not self.notes:
            self.notes.append(f"{self.name} seems to be separated by {other!r}: give --delimiter {other!r}")

    def _check_letters(self, names: str) -> None:
        if "\0" in names:
            raise self._wrong("its header has NUL bytes, as UTF-16 has; save it in UTF-8")
        try:
            names.encode()
        except UnicodeEncodeError:
            raise self._wrong("its header is not in UTF-8; save it so") from None

    @contextmanager
    def _rows(self) -> Iterator[Iterator[_Row]]:
        with _limiting:
            limit = csv.field_size_limit()
            try:
                csv.field_size_limit(_LONGEST)
                with self._bytes() as file, TextIOWrapper(file, "utf-8-sig", "surrogateescape", newline="") as text:
                    yield self._parse(text)
            finally:
                csv.field_size_limit(limit)

    def _parse(self, text: TextIOWrapper) -> Iterator[_Row]:
        lines = _Lines(text)
        rows = csv.reader(lines, delimiter=self.separator, strict=True)
        last = 0
        try:
            for fields in rows:
                yield _Row(last + 1, rows.line_num, fields)
                last = rows.line_num
                lines.room = _LONGEST
        except _TooLongError:
            message = f"line {last + 1} begins a row of more than {_LONGEST >> 20} MiB; is a quote never closed?"
        except csv.Error as error:
            is_open = "end of data" in str(error)
            message = f"line {last + 1} " + (
                "begins a row with a quote that is never closed"
                if is_open
                else "begins a row with text behind a closing quote; a quote inside quotes is written twice"
            )
        else:
            return
        raise self._wrong("; ".join([message, *self.notes]))

    def _bytes(self) -> gzip.GzipFile | BufferedReader:
        return gzip.open(self.path) if self.is_compressed else self.path.open("rb")

    def _wrong(self, what: str) -> FileError:
        return FileError(f"cannot read {self.name} as text: {what}")


class _TooLongError(Exception):
    """A row does not end."""


class _Lines:
    """The lines of a text, as long as there is room for them in the row."""

    def __init__(self, text: TextIOWrapper) -> None:
        self._text = text
        self.room = _LONGEST

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = self._text.readline(self.room + 1)
        self.room -= len(line)
        if self.room < 0:
            raise _TooLongError
        if not line:
            raise StopIteration
        return line


def _fields(names: list[str], first: list[str]) -> list[str]:
    """Name the fields of a row, which may have one more than the header.

    R's write.table leaves the row names without a place in the header; other programs end each row in a separator.
    """
    if len(first) != len(names) + 1:
        return names
    return [*names, _OTHER_COLUMN] if _trim(first[-1]) == "" else [_OTHER_COLUMN, *names]


def _types(labels: Sequence[str], weight: str | None) -> dict[str, Any]:
    """As what to read the columns."""
    import pyarrow as pa

    as_labels = dict.fromkeys(labels, pa.dictionary(pa.int32(), pa.string()))
    return dict.fromkeys(columns_to_read(labels, weight), pa.string()) | as_labels


def _check_numbers(table: Any, names: Sequence[str]) -> None:
    """Check that texts are numbers, and show the first that is none."""
    import pandas as pd

    for name in names:
        cells = table[name].to_pandas()
        is_wrong = (pd.to_numeric(cells, errors="coerce").isna() & cells.notna()).to_numpy()
        if is_wrong.any():
            row = int(is_wrong.argmax())
            raise FileError(f"column {name!r} must hold numbers, got {cells.iloc[row]!r} in row {row + 1}")


def _check_other_column(file: str, header: _Header, table: Any) -> None:
    """Check that the field without a name is what it was taken for: always empty, or names, which differ."""
    if _OTHER_COLUMN not in header.fields:
        return
    import pyarrow.compute as pc

    other = table[_OTHER_COLUMN]
    is_name = other.null_count == 0 and pc.count_distinct(other).as_py() == len(other)
    is_empty = not any(_trim(x.as_py() or "") for x in pc.unique(other))
    is_right = is_name if header.fields[0] == _OTHER_COLUMN else is_empty
    if not is_right:
        raise FileError(
            f"{file} has {len(header.names)} columns in its header and {len(header.fields)} in its rows, of which "
            "neither the first are row names (all different) nor the last empty; give each column a name"
        )


def _trim(field: str) -> str:
    """A field without the blanks around it; if they stand before quotes, which pyarrow keeps then, without those."""
    inside = field.strip()
    is_quoted = field[:1].isspace() and len(inside) > 1 and inside[0] == inside[-1] == '"'
    return inside[1:-1].replace('""', '"') if is_quoted else inside


def _with_categories(column: Series, labels: Sequence[str]) -> Series:
    """A column with other labels in the place of its categories, of which several may be the same, or empty."""
    import numpy as np
    import pandas as pd

    places = {label: place for place, label in enumerate(dict.fromkeys(filter(None, labels)))}
    code_of = np.asarray([*(places.get(label, -1) for label in labels), -1])  # the last one is that of missing labels
    coded = pd.Categorical.from_codes(code_of[column.cat.codes], list(places))
    return pd.Series(coded, index=column.index, name=column.name)


def _labels_of_text(column: Series) -> Series:
    """Read whole numbers, where there are no other labels, and leave labels as text otherwise."""
    numbers = [whole_number(x) for x in column.cat.categories]
    if None in numbers or len(set(numbers)) < len(numbers):
        return sort_categories(column)
    column = sort_categories(column.cat.rename_categories(numbers))
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


# Checks that the quotes of a text file follow RFC 4180, while pyarrow reads it.


class Quotes(RawIOBase):
    """A file whose quotes are checked while it is read, block by block.

    They are paired if the first, third, ... begin a field, the second, fourth, ... end one, and none is left open; a
    quote inside quotes, written twice, ends a field and begins another. They may be right without being paired: ``5"``.
    """

    def __init__(self, file: gzip.GzipFile | BufferedReader, separator: str, tell: ByteListener = tell_nobody) -> None:
        import numpy as np

        self.has_nul = False
        self.n_line_ends = 0
        """How many line ends are inside quotes, if these are paired."""
        self._file = file
        self._tell = tell
        self._is_edge = np.zeros(256, dtype=bool)
        self._is_edge[[ord(x) for x in (separator, "\n", "\r", '"')]] = True
        self._is_wrong = self._is_open = self._has_just_closed = False
        self._previous = b""

    @property
    def are_paired(self) -> bool:
        """Whether all quotes so far are at the edges of fields, and none is open."""
        return not (self._is_wrong or self._is_open)

    def readable(self) -> bool:
        """Say so, as a file must."""
        return True

    def read(self, size: int = -1) -> bytes:
        """Read some bytes, and check the quotes among them."""
        block = self._file.read(size)
        self._tell(len(block))
        self.has_nul |= b"\0" in block
        text = block if self._previous else block.removeprefix(b"\xef\xbb\xbf")
        if text and (self._is_open or self._has_just_closed or b'"' in text):
            self._check(text)
        self._previous = text[-1:] or self._previous
        return block

    def _check(self, block: bytes) -> None:
        import numpy as np

        text = np.frombuffer((self._previous or b"\n") + block, dtype=np.uint8)
        quotes = np.flatnonzero(text[1:] == ord('"')) + 1
        opening, closing = quotes[int(self._is_open) :: 2], quotes[int(not self._is_open) :: 2]
        behind = closing + 1
        behind = np.append(behind[behind < len(text)], [1] if self._has_just_closed else []).astype(int)
        self._is_wrong |= not (self._is_edge[text[opening - 1]].all() and self._is_edge[text[behind]].all())
        line_ends = np.flatnonzero(text[1:] == ord("\n")) + 1
        self.n_line_ends += int(((np.searchsorted(quotes, line_ends) + self._is_open) % 2).sum())
        self._is_open ^= len(quotes) % 2 == 1
        self._has_just_closed = not self._is_open and block.endswith(b'"')
