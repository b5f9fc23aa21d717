"""Reads columns of labels from Parquet files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gpuval.cli.files.columns import (
    FileError,
    Frame,
    Matrix,
    Series,
    check_any,
    check_distinct,
    columns_to_read,
    columns_together,
    labels_of_element,
    relabel,
    sort_categories,
    translate_errors,
)


@dataclass(frozen=True)
class ParquetFile:
    """A Parquet file of flat columns."""

    path: Path
    notes: list[str] = field(default_factory=list)
    has_keys = False
    n_bytes = None

    @property
    def name(self) -> str:
        """What messages call the file."""
        return str(self.path)

    def columns(self) -> list[str]:
        """List the names of the columns, in file order."""
        with translate_errors(self.name, "Parquet"), self._open() as file:
            names, n_rows = file.schema_arrow.names, file.metadata.num_rows
        check_any(self.name, n_rows)
        check_distinct(self.name, names)
        return [name for name in names if not name.startswith("__index_level_")]

    def unfit(self, names: Sequence[str]) -> dict[str, str]:
        """Say which of the columns hold no labels, by their type, and what they hold."""
        with translate_errors(self.name, "Parquet"), self._open() as file:
            schema = file.schema_arrow  # made anew each time
            types = {name: schema.field(name).type for name in names}
            return {name: f"values of type {x}" for name, x in types.items() if not _can_be_labels(x)}

    def read(self, labels: Sequence[str], weight: str | None = None) -> Frame:
        """Read the columns ``labels`` and ``weight``, and nothing else."""
        with translate_errors(self.name, "Parquet"):
            with self._open() as file:
                n_rows = file.metadata.num_rows
                table = file.read(columns=columns_to_read(labels, weight))
            if table.num_rows != n_rows:
                raise FileError(f"cannot read {self.path} as Parquet: it has {table.num_rows} rows and not {n_rows}")
            # Integers with gaps become objects: as floats, large ones would become one another.
            frame = table.to_pandas(strings_to_categorical=True, integer_object_nulls=True, ignore_metadata=True)
            return relabel(frame, labels, _labels_of_arrow)

    def keys(self) -> list[str]:
        """List no keys: embeddings are columns."""
        return []

    def embedding(self, names: Sequence[str]) -> Matrix:
        """Read columns of numbers."""
        with translate_errors(self.name, "Parquet"):
            with self._open() as file:
                for name in names:
                    type_ = file.schema_arrow.field(name).type
                    if not _is_number(type_):
                        raise FileError(f"column {name!r} must hold numbers, got values of type {type_}")
                table = file.read(columns=list(names))
            columns = {name: table[name].to_numpy() for name in names}
            return columns_together(columns, {name: table[name].is_null().to_numpy() for name in names})

    def _open(self) -> Any:
        from pyarrow import parquet

        return parquet.ParquetFile(self.path)


def _can_be_labels(type_: Any) -> bool:
    from pyarrow import types

    if types.is_dictionary(type_):
        return _can_be_labels(type_.value_type)
    if types.is_decimal(type_):
        return bool(type_.scale <= 0)
    kinds = (
        types.is_boolean,
        types.is_integer,
        types.is_floating,
        types.is_string,
        types.is_large_string,
        types.is_string_view,
        types.is_binary,
        types.is_large_binary,
        types.is_null,
    )
    return any(is_kind(type_) for is_kind in kinds)


def _is_number(type_: Any) -> bool:
    from pyarrow import types

    return bool(types.is_integer(type_) or types.is_floating(type_))


def _labels_of_arrow(column: Series) -> Series:
    return sort_categories(labels_of_element(column))
