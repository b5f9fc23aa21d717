"""Sums by code in JAX: scatters of fixed shape, which trace."""

from __future__ import annotations

import jax
import jax.numpy as jnp


def count(codes: jax.Array, size: int) -> jax.Array:
    """Count how often each code occurs, in JAX's widest integer."""
    return total(jnp.ones(codes.shape, dtype=int), codes, size)


def total(values: jax.Array, codes: jax.Array, size: int) -> jax.Array:
    """Sum the values of each code, in their own dtype."""
    return add(jnp.zeros(size, dtype=values.dtype), values, codes)


def add(sums: jax.Array, values: jax.Array, codes: jax.Array) -> jax.Array:
    """Add the values to the sums of their codes."""
    return sums.at[codes].add(values)


def largest(values: jax.Array, codes: jax.Array, size: int) -> jax.Array:
    """Find the largest value of each code."""
    return jnp.zeros(size, dtype=values.dtype).at[codes].max(values)
