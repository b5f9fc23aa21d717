"""What a batch, and other processes, must have in common with an accumulator."""

from __future__ import annotations

from collections.abc import Iterable

from gpuval.engines.backends import backend_of, library_of
from gpuval.numerics import Array


def check_beside(own: Array, new: Array, name: str, kind: str) -> None:
    """Check that what is added is of the library and on the device of an accumulator; ``kind`` is its type."""
    backend = backend_of(own)
    if backend is not backend_of(new):
        raise TypeError(f"{name} must be of the array library of the accumulator ({library_of(own)}), got {kind}")
    if not backend.are_together(own, new):
        raise ValueError(
            f"{name} must be on the device of the accumulator ({backend.device(own)}), got {backend.device(new)}"
        )


def check_ignored_by_all(digests: Iterable[int]) -> None:
    """Check that all processes ignore the same labels, for which the numbers stand."""
    if len(set(digests)) > 1:
        raise ValueError("ignore_labels must be the same in all processes, got different ones")
