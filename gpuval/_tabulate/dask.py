"""Labels held by Dask: a table for each block, added up in a tree; no worker ever holds all labels."""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Callable, Mapping
from typing import Any

import dask

_FAN_IN = 8


def from_blocks(build: Callable[..., Any], columns: Mapping[str, Any]) -> Any:
    """The sum of ``build(**block)`` over the blocks of ``columns``, Dask arrays or Series of one length (or None)."""
    given = {name: x for name, x in columns.items() if x is not None}
    _check_kinds(given)
    blocks = {name: _blocks(x) for name, x in _aligned(given).items()}
    first, *others = blocks
    for name in others:
        if len(blocks[name]) != len(blocks[first]):
            raise ValueError(
                f"{name} must have as many partitions as {first} ({len(blocks[first])}), got {len(blocks[name])}; "
                "repartition one of them"
            )
    one, added = _delayed(build), _delayed(_added)
    parts = [one(**dict(zip(blocks, block, strict=True))) for block in zip(*blocks.values(), strict=True)]
    while len(parts) > 1:
        parts = [added(parts[i : i + _FAN_IN]) for i in range(0, len(parts), _FAN_IN)]
    return parts[0].compute()


def _added(tables: list[Any]) -> Any:
    return functools.reduce(operator.add, tables)


def _delayed(function: Callable[..., Any]) -> Any:
    return dask.delayed(function, pure=True)  # type: ignore[attr-defined]


def _check_kinds(given: Mapping[str, Any]) -> None:
    (name, first), *others = given.items()
    for other, x in others:
        if not _is_held(x) or _is_array(x) != _is_array(first):
            kinds = (f"{type(y).__module__.partition('.')[0]}.{type(y).__name__}" for y in (first, x))
            raise TypeError(
                f"{name} and {other} must be of one array library, got {' and '.join(kinds)}; convert one of them"
            )
    for other, x in given.items():
        if x.ndim != 1:
            raise ValueError(f"{other} must be one-dimensional, got shape {x.shape}")


def _aligned(given: Mapping[str, Any]) -> dict[str, Any]:
    """Arrays with the chunks of the first, where these are known."""
    (name, first), *_ = given.items()
    if not _is_array(first) or any(math.isnan(x.shape[0]) for x in given.values()):
        return dict(given)
    for other, x in given.items():
        if x.shape != first.shape:
            raise ValueError(f"{other} must have as many samples as {name} ({first.shape[0]}), got {x.shape[0]}")
    return {other: x.rechunk(first.chunks) for other, x in given.items()}


def _blocks(column: Any) -> list[Any]:
    blocks = column.to_delayed()
    return list(blocks.ravel()) if _is_array(column) else list(blocks)


def _is_held(x: Any) -> bool:
    return hasattr(x, "to_delayed")


def _is_array(x: Any) -> bool:
    return hasattr(x, "chunks")
