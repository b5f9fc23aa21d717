"""Samples held by Dask: a table, or sums, for each block, added up in a tree; no worker holds all samples."""

from __future__ import annotations

import functools
import itertools
import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from dask._task_spec import Task, TaskRef
from dask.base import compute_as_if_collection, tokenize
from dask.delayed import Delayed
from dask.highlevelgraph import HighLevelGraph

from gpuval.engines.backends import is_dask, is_delayed

_FAN_IN = 8


def from_blocks(build: Callable[..., Any], columns: Mapping[str, Any], matrices: tuple[str, ...] = ("X",)) -> Any:
    """The sum of ``build(**block)`` over the blocks of ``columns``: Dask arrays or Series, or lists of delayed ones.

    They have one dimension, but for ``matrices``, which have two; blocks hold whole rows of these.
    """
    given = {name: _as_partitions(x, name) for name, x in columns.items() if x is not None}
    _check_kinds(given, matrices)
    columns = _align(given)
    numbers = {name: _number_of_blocks(x) for name, x in columns.items()}
    first, *others = numbers
    for name in others:
        if numbers[name] != numbers[first]:
            raise ValueError(
                f"{name} must have as many partitions as {first} ({numbers[first]}), got {numbers[name]}; "
                "repartition one of them"
            )
    parts = _parts(build, columns)
    keys = parts.keys
    tasks: dict[Any, Any] = {}
    while len(keys) > 1 or not tasks:
        groups = [keys[i : i + _FAN_IN] for i in range(0, len(keys), _FAN_IN)]
        keys = [(f"sum-of-{parts.name}", len(tasks) + i) for i in range(len(groups))]
        tasks |= {key: _task(key, _add, group) for key, group in zip(keys, groups, strict=True)}
    graph = HighLevelGraph.from_collections(keys[0][0], parts.tasks | tasks, dependencies=parts.others)
    return compute_as_if_collection(parts.kind, graph, keys[0])  # type: ignore[no-untyped-call]


def _as_partitions(x: Any, name: str) -> Any:
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


@dataclass(frozen=True)
class _Parts:
    """The result of each block, not computed."""

    name: str
    """The same for the same blocks."""

    kind: Any
    """The kind of collection that Dask is to compute them as."""

    keys: list[Any]
    tasks: dict[Any, Any]
    others: list[Any]
    """Collections that have the tasks that are not in ``tasks``."""


def _parts(build: Callable[..., Any], columns: Mapping[str, Any]) -> _Parts:
    """``build`` of each block: of arrays in one task with their reading, so that none waits in memory."""
    of_block = functools.partial(_build, build, tuple(columns))
    if _is_array(next(iter(columns.values()))):
        import dask.array

        array: Any = dask.array
        indices = ["ij"[: x.ndim] for x in columns.values()]
        given = itertools.chain(*zip(columns.values(), indices, strict=True))
        meta = np.empty((0, 0), dtype=object)
        built = array.blockwise(of_block, max(indices), *given, dtype=object, meta=meta, align_arrays=False)
        keys = [(built.name, i, *(0,) * (built.ndim - 1)) for i in range(built.numblocks[0])]
        return _Parts(built.name, array.Array, keys, {}, [built])
    blocks = list(zip(*(x.to_delayed() for x in columns.values()), strict=True))
    name, delayed = f"built-{tokenize(of_block, blocks)}", list(itertools.chain(*blocks))
    keys = [(name, i) for i in range(len(blocks))]
    tasks = {key: _task(key, of_block, [x.key for x in block]) for key, block in zip(keys, blocks, strict=True)}
    read = HighLevelGraph.merge(*(x.dask for x in delayed))
    if any(layer.annotations for layer in read.layers.values()):
        return _Parts(name, Delayed, keys, tasks, delayed)
    # of n layers, Dask's culling would look through all n keys for each: they become one
    return _Parts(name, Delayed, keys, read.to_dict() | tasks, [])


def _task(key: Any, function: Callable[..., Any], arguments: list[Any]) -> Task:
    """A task of what has these keys, which need not be in the graph: those of futures are on the cluster alone."""
    return Task(key, function, *map(TaskRef, arguments))


def _build(build: Callable[..., Any], names: tuple[str, ...], *blocks: Any) -> Any:
    return build(**dict(zip(names, blocks, strict=True)))


def _add(*parts: Any) -> Any:
    return functools.reduce(operator.add, parts)


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


def _align(given: Mapping[str, Any]) -> dict[str, Any]:
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
