"""Labels held by Dask: a table for each block, added up in a tree; no worker ever holds all labels."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Mapping
from typing import Any

import dask

_FAN_IN = 8


def from_blocks(build: Callable[..., Any], columns: Mapping[str, Any]) -> Any:
    """The sum of ``build(**block)`` over the blocks of ``columns``, Dask arrays or Series of one length (or None)."""
    given = {name: _blocks(column, name) for name, column in _aligned(columns).items()}
    first, *others = given
    for name in others:
        if len(given[name]) != len(given[first]):
            raise ValueError(
                f"{name} must have as many partitions as {first} ({len(given[first])}), got {len(given[name])}; "
                "repartition one of them"
            )
    parts = [
        dask.delayed(build)(**dict(zip(given, block, strict=True)))  # type: ignore[attr-defined]
        for block in zip(*given.values(), strict=True)
    ]
    while len(parts) > 1:
        parts = [dask.delayed(_added)(parts[i : i + _FAN_IN]) for i in range(0, len(parts), _FAN_IN)]  # type: ignore[attr-defined]
    return dask.compute(parts[0])[0]  # type: ignore[attr-defined, no-untyped-call]


def _added(tables: list[Any]) -> Any:
    return functools.reduce(operator.add, tables)


def _aligned(columns: Mapping[str, Any]) -> dict[str, Any]:
    """The columns that are given, all of one kind, and with the chunks of the first where these are known."""
    given = {name: x for name, x in columns.items() if x is not None}
    (name, first), *others = given.items()
    for other, x in others:
        if hasattr(x, "to_delayed") != hasattr(first, "to_delayed") or hasattr(x, "chunks") != hasattr(first, "chunks"):
            raise TypeError(
                f"{name} and {other} must be of one array library, got {type(first).__name__} of "
                f"{type(first).__module__.partition('.')[0]} and {type(x).__name__} of "
                f"{type(x).__module__.partition('.')[0]}; convert one of them"
            )
    if not hasattr(first, "chunks"):
        return given
    for other, x in given.items():
        if x.ndim != 1:
            raise ValueError(f"{other} must be one-dimensional, got shape {x.shape}")
        if x.shape[0] == x.shape[0] and first.shape[0] == first.shape[0] and x.shape != first.shape:
            raise ValueError(f"{other} must have as many samples as {name} ({first.shape[0]}), got {x.shape[0]}")
    known = all(x.shape[0] == x.shape[0] for x in given.values())  # an unknown length is NaN
    return {other: x.rechunk(first.chunks) if known else x for other, x in given.items()}


def _blocks(column: Any, name: str) -> list[Any]:
    if not hasattr(column, "to_delayed"):
        raise TypeError(f"{name} must be a Dask array or Series, got {type(column).__name__}")
    blocks = column.to_delayed()
    return list(blocks.ravel()) if hasattr(blocks, "ravel") else list(blocks)
