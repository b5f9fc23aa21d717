"""The engines: sums, counts and maxima of values by their code, in whichever library holds the codes.

Each engine is a module with the same four functions of codes in ``[0, size)``::

    count(codes, size)             how often each code occurs
    total(values, codes, size)     the sum of the values of each code, 0 if it does not occur
    add(sums, values, codes)       the sums with the values added: in their memory, but for JAX
    largest(values, codes, size)   the largest value of each code (values >= 0), 0 if it does not occur

``standard`` needs nothing but the Array API standard and serves every library; the others are native and faster.
"""

from __future__ import annotations

from typing import Protocol, cast

from gpuval.engines.backends import namespace as ns
from gpuval.numerics import Array


class Engine(Protocol):
    """What every engine module offers."""

    def count(self, codes: Array, size: int) -> Array:
        """Count how often each code occurs."""

    def total(self, values: Array, codes: Array, size: int) -> Array:
        """Sum the values of each code."""

    def add(self, sums: Array, values: Array, codes: Array) -> Array:
        """Add the values to the sums of their codes."""

    def largest(self, values: Array, codes: Array, size: int) -> Array:
        """Find the largest value of each code."""


def engine_of(x: Array) -> Engine:
    """The engine for arrays like ``x``: the library's own scatter where it has one, else the standard's sort."""
    if ns.is_numpy(x):
        from gpuval.engines.backends import numpy as engine
    elif ns.is_torch(x):
        from gpuval.engines.backends import torch as engine  # type: ignore[no-redef]
    elif ns.is_jax(x):
        from gpuval.engines.backends import jax as engine  # type: ignore[no-redef]
    else:
        from gpuval.engines.backends import segments as engine  # type: ignore[no-redef]
    return cast(Engine, engine)
