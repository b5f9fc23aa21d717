"""Checks of an accumulator: its table, and what batches and other processes must have in common with it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from gpuval.engines.backends import backend_of, detached, is_array, library_of, to_host
from gpuval.numerics import Array
from gpuval.table.table import Table


def check_beside(own: Array, new: Array, name: str, kind: str) -> None:
    """Check that a batch is of the library and on the device of the accumulator; ``kind`` is the type of the batch."""
    backend = backend_of(own)
    if backend is not backend_of(new):
        raise TypeError(f"{name} must be of the array library of the accumulator ({library_of(own)}), got {kind}")
    if not backend.are_together(own, new):
        raise ValueError(
            f"{name} must be on the device of the accumulator ({backend.device(own)}), got {backend.device(new)}"
        )


def constants(arguments: Iterable[Any], instead: str) -> list[Any]:
    """The arguments of an update as constants to derivatives.

    Inside ``jax.jit`` and ``jax.vmap`` it raises TypeError, which says what to do ``instead``: there values are not
    known, or what is computed of them is not, and sums are kept longer than the trace.
    """
    found = [detached(x) for x in arguments]
    if any(backend_of(x).makes_tracers(x) for x in found if is_array(x)):
        raise TypeError(f"an accumulator cannot be updated inside jax.jit or jax.vmap: {instead}")
    return found


def check_ignored_by_all(digests: Iterable[int]) -> None:
    """Check that all processes ignore the same labels, by a digest of these from each process."""
    if len(set(digests)) > 1:
        raise ValueError("ignore_labels must be the same in all processes, got different ones")


class NoneLeftError(ValueError):
    """There were samples, but labels to ignore or weights left none of them."""


def check_counted(table: Table, given: Any, sums: Any = None) -> bool:
    """Raise if samples could not be counted, or if some were given and none is left: one transfer.

    It returns whether there are samples.
    """
    backend, given = table.backend, 0 if given is None else given
    if (total := backend.host_view(table.total)) is not None:
        count = 0 if table.invalid is None else int(to_host(table.invalid))
        is_any, given, bounds = (
            bool(total != 0),
            int(given),
            [] if sums is None else to_host(sums.label_bounds).tolist(),
        )
    else:
        xp, wide = table.xp, backend.widest(table.counts).int
        invalid = xp.zeros_like(table.total, dtype=wide) if table.invalid is None else xp.astype(table.invalid, wide)
        found = xp.astype(table.total != 0, wide)
        known = xp.stack([invalid, found, found * 0 + given])
        known = known if sums is None else xp.concat([known, sums.label_bounds])
        count, is_any, given, *bounds = to_host(known).tolist()
    if count and sums is not None:
        raise sums.error(count, bounds)
    table.check_valid(count)
    if given and not is_any:
        raise NoneLeftError(
            f"ignore_labels and sample_weight must leave at least one sample, got none left of {given}; ignore "
            "fewer labels, or give samples a weight above 0"
        )
    return bool(is_any)


def check_same_settings(own: Mapping[str, Any], others: Mapping[str, Any]) -> None:
    """Check that two accumulators that are merged have the same settings."""
    for name, setting in own.items():
        if setting != others[name]:
            raise ValueError(f"accumulators must have the same {name} to be merged, got {setting} and {others[name]}")
