"""Read one name, or several names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from gpuval.inputs.containers import type_of


def listed_names(given: Any, must: str, one: str) -> list[str]:
    """The names; one alone is a list of it.

    ``must`` is what messages say of names, such as "embeddings must be keys of adata.obsm", and ``one`` what one is.
    """
    if _is_of_cells(given):
        raise TypeError(f"{must}, got {type_of(given)}")
    is_list = isinstance(given, Iterable) and not isinstance(given, str | bytes | Mapping)
    names = list(given) if is_list else [given]
    for name in names:
        if not isinstance(name, str):
            raise TypeError(f"{must}, got {type_of(name)}")
    if not names:
        raise ValueError(f"{must.partition(' must')[0]} must have at least one {one}, got none")
    return names


def _is_of_cells(given: Any) -> bool:
    """Whether there are values of cells instead of names, which an Index or an array of text may hold."""
    if not hasattr(given, "dtype"):
        return False
    return hasattr(given, "index") or getattr(given, "ndim", 1) != 1 or not all(isinstance(x, str) for x in given)
