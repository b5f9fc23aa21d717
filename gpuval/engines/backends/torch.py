"""Sums by code in PyTorch: scatters of fixed shape, which neither synchronise nor break a compiled graph."""

from __future__ import annotations

import torch


def count(codes: torch.Tensor, size: int) -> torch.Tensor:
    """Count how often each code occurs, as int64 (torch.bincount would read its result's size back to the host)."""
    return total(torch.ones_like(codes, dtype=torch.int64), codes, size)


def total(values: torch.Tensor, codes: torch.Tensor, size: int) -> torch.Tensor:
    """Sum the values of each code, in their own dtype."""
    return values.new_zeros(size).scatter_add(0, codes.to(torch.int64), values)


def add(sums: torch.Tensor, values: torch.Tensor, codes: torch.Tensor) -> torch.Tensor:
    """Add the values to the sums of their codes, in place."""
    return sums.scatter_add_(0, codes.to(torch.int64), values)


def largest(values: torch.Tensor, codes: torch.Tensor, size: int) -> torch.Tensor:
    """Find the largest value of each code."""
    return values.new_zeros(size).scatter_reduce(0, codes.to(torch.int64), values, "amax")
