"""Checks that named columns hold labels, or weights."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from gpuval.cli.files.columns import Series


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
