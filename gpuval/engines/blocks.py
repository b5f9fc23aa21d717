"""Samples held by Dask: a table, or sums, for each block, added up in a tree; no worker holds all samples."""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import dask
import numpy as np

from gpuval.engines.backends import is_dask, is_delayed

_FAN_IN = 8


def from_blocks(build: Callable[..., Any], columns: Mapping[str, Any], matrices: tuple[str, ...] = ("X",)) -> Any:
    """The sum of ``build(**block)`` over the blocks of ``columns``: Dask arrays or Series, or lists of delayed ones.

    They have one dimension, but for ``matrices``, which have two; blocks hold whole rows of these.
    """
    given = {name: _held(x, name) for name, x in columns.items() if x is not None}
    _check_kinds(given, matrices)
    columns = _aligned(given)
    numbers = {name: _number_of_blocks(x) for name, x in columns.items()}
    first, *others = numbers
    for name in others:
        if numbers[name] != numbers[first]:
            raise ValueError(
                f"{name} must have as many partitions as {first} ({numbers[first]}), got {numbers[name]}; "
                "repartition one of them"
            )
    added, parts = _delayed(_added), _parts(build, columns, numbers[first])
    while len(parts) > 1:
        parts = [added(parts[i : i + _FAN_IN]) for i in range(0, len(parts), _FAN_IN)]
    return _unpacked(parts[0].compute())


def _held(x: Any, name: str) -> Any:
    if isinstance(x, list | tuple | np.ndarray) and is_dask(x):
        return _Partitions(list(x))
    if is_delayed(x):
        raise TypeError(f"{name} must be a list of delayed partitions, got one {type(x).__name__}")
    return x


@dataclass(frozen=True)
class _Partitions:
    """Delayed partitions, as a Series of Dask has them."""

    parts: list[Any]
    ndim = 1

    @property
    def npartitions(self) -> int:
        """How many there are."""
        return len(self.parts)

    def to_delayed(self) -> list[Any]:
        """The partitions."""
        return self.parts


def _parts(build: Callable[..., Any], columns: Mapping[str, Any], number: int) -> list[Any]:
    """``build`` of each block, not computed: of arrays in one task with their reading, so that none waits in memory."""
    if not _is_array(next(iter(columns.values()))):
        one = _delayed(build)
        blocks = {name: list(x.to_delayed()) for name, x in columns.items()}
        return [one(**dict(zip(blocks, block, strict=True))) for block in zip(*blocks.values(), strict=True)]
    import dask.array

    array: Any = dask.array
    built = array.map_blocks(
        functools.partial(_built, build, {name: x.ndim for name, x in columns.items()}),
        *(x if x.ndim == 2 else x[:, None] for x in columns.values()),
        dtype=object,
        chunks=((1,) * number, (1,)),
        meta=np.empty((0, 0), dtype=object),
    )
    return list(built.to_delayed().ravel())


def _built(build: Callable[..., Any], dimensions: Mapping[str, int], *blocks: Any) -> np.ndarray[Any, Any]:
    """The result of a block in an array of shape (1, 1), as ``map_blocks`` wants it."""
    columns = zip(dimensions.items(), blocks, strict=True)
    given = {name: x if dimension == 2 else x[:, 0] for (name, dimension), x in columns}
    one = np.empty((1, 1), dtype=object)
    one[0, 0] = build(**given)
    return one


def _added(tables: list[Any]) -> Any:
    return functools.reduce(operator.add, map(_unpacked, tables))


def _unpacked(part: Any) -> Any:
    return part[0, 0] if isinstance(part, np.ndarray) and part.dtype == object else part


def _delayed(function: Callable[..., Any]) -> Any:
    return dask.delayed(function, pure=True)  # type: ignore[attr-defined]


def _check_kinds(given: Mapping[str, Any], matrices: tuple[str, ...]) -> None:
    (name, first), *others = given.items()
    for other, x in others:
        if not (_is_held(first) and _is_held(x)) or _is_array(x) != _is_array(first):
            kinds = (f"{type(y).__module__.partition('.')[0]}.{type(y).__name__}" for y in (first, x))
            raise TypeError(
                f"{name} and {other} must be of one array library, got {' and '.join(kinds)}; hold both in Dask "
                "(dask.array.from_array), or neither (.compute())"
            )
    for other, x in given.items():
        if other in matrices:
            if x.ndim != 2 and not isinstance(x, _Partitions):
                raise ValueError(f"{other} must be two-dimensional, (n_samples, n_features), got shape {x.shape}")
        elif x.ndim != 1:
            raise ValueError(f"{other} must be one-dimensional, got shape {x.shape}")


def _aligned(given: Mapping[str, Any]) -> dict[str, Any]:
    """Arrays with the chunks of the one that has most of them, where these are known."""
    (name, first), *_ = given.items()
    if not _is_array(first):
        return dict(given)
    given = {other: x.rechunk({1: -1}) if x.ndim == 2 else x for other, x in given.items()}
    if any(math.isnan(x.shape[0]) for x in given.values()):
        return dict(given)
    for other, x in given.items():
        if x.shape[0] != first.shape[0]:
            raise ValueError(f"{other} must have as many samples as {name} ({first.shape[0]}), got {x.shape[0]}")
    finest = max(given.values(), key=_number_of_blocks)
    return {other: x.rechunk({0: finest.chunks[0]}) for other, x in given.items()}


def _number_of_blocks(x: Any) -> int:
    return int(x.numblocks[0] if _is_array(x) else x.npartitions)


def _is_held(x: Any) -> bool:
    return hasattr(x, "to_delayed")


def _is_array(x: Any) -> bool:
    return hasattr(x, "chunks")
