"""Which columns of a file are named, by name or by pattern; and one of weights."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from fnmatch import fnmatchcase
from typing import Any

from gpuval.report.files.columns import Series


def check_column(name: str, option: str, columns: Sequence[str], file: str, notes: Sequence[str]) -> None:
    """Check that the file has the column that an option names."""
    if name in columns:
        return
    close = " or ".join(map(repr, get_close_matches(name, columns)))
    hint = f" (did you mean {close}?)" if close else ""
    has = "; ".join([names_listed("it has", columns), *notes])
    raise ValueError(f"{option} {name!r} is no column of {file}{hint}; {has}")


def names_listed(has: str, columns: Sequence[str], limit: int = 12) -> str:
    """The first names, and how many there are if that is more."""
    more = f", ... ({len(columns)} in all)" if len(columns) > limit else ""
    return f"{has} {', '.join(columns[:limit])}{more}"


def matching_columns(
    patterns: Sequence[str], columns: Sequence[str], others: set[str | None], file: str, notes: Sequence[str]
) -> list[str]:
    """The columns that --pred names, each once, in the order of --pred; those of a pattern in file order.

    A pattern leaves out ``others``, the columns of other options.
    """
    matching: dict[str, None] = {}
    for pattern in patterns:
        if pattern in columns:
            matching[pattern] = None
            continue
        matches = [x for x in columns if x not in others and fnmatchcase(x, pattern)]
        if not matches and any(fnmatchcase(x, pattern) for x in columns):
            raise ValueError(f"--pred {pattern!r} matches no column of {file} but those of other options")
        if not matches:
            check_column(pattern, "--pred", columns, file, notes)
        matching |= dict.fromkeys(matches)
    return list(matching)


def check_fit(named: Sequence[str], unfit: Mapping[str, str]) -> None:
    """Check that no column that is named holds something else than labels."""
    for name, what in unfit.items():
        if name in named:
            raise ValueError(f"column {name!r} has {what}; labels are whole numbers, text, booleans or categories")


def weights_of_column(column: Series) -> Any:
    """The weights in a column; an error shows the first cell that is none."""
    import pandas as pd

    if column.dtype.kind in "mM":
        raise ValueError(f"--weight {column.name!r} must hold numbers, got values of type {column.dtype}")
    given = column.astype(object) if hasattr(column.dtype, "categories") else column
    weights = pd.to_numeric(given, errors="coerce")
    is_good = weights.between(0, math.inf, inclusive="left").fillna(False).to_numpy(dtype=bool)
    if not is_good.all():
        row = int(is_good.argmin())
        cell = "nothing" if pd.isna(given.iloc[row]) else str(given.iloc[row])
        raise ValueError(f"--weight {column.name!r} must hold finite numbers from 0 up, got {cell} in row {row + 1}")
    if not weights.any():
        raise ValueError(f"--weight {column.name!r} must not be 0 everywhere")
    return weights.to_numpy()
