"""Values and derivatives that NumPy computes from tensors: an operation of autograd, and an operator.

The operator is for the derivative: with it, vmap computes the gradients of several scores one by one.
"""

from __future__ import annotations

import functools
import itertools
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from gpuval.numerics import NDArray

Derivative = Callable[..., tuple[NDArray, ...]]
"""From the derivatives of a score by values to those by arrays."""


def with_derivative(
    found: Callable[[], tuple[tuple[NDArray, ...], Derivative]],
    arrays: tuple[torch.Tensor, ...],
    others: tuple[torch.Tensor, ...],
) -> tuple[torch.Tensor, ...]:
    """What :meth:`Backend.with_derivative` gives."""
    operation: Any = _OnHost
    values: tuple[torch.Tensor, ...] = operation.apply(found, len(arrays), *arrays, *others)
    return values


class _Known:
    """A derivative that the operator finds by a number, as long as the graph has it."""

    def __init__(self, derivative: Derivative) -> None:
        self.derivative, self.number = derivative, next(_numbers)
        _known[self.number] = self


_numbers = itertools.count()
_known: weakref.WeakValueDictionary[int, _Known] = weakref.WeakValueDictionary()


class _OnHost(torch.autograd.Function):
    """Of tensors that autograd watches for changes in their memory."""

    @staticmethod
    def forward(ctx: Any, found: Any, n_arrays: int, *read: torch.Tensor) -> Any:
        values, derivative = found()
        ctx.known, ctx.n_arrays = _Known(derivative), n_arrays
        ctx.save_for_backward(*read)
        return tuple(map(torch.from_numpy, values))

    @staticmethod
    def backward(ctx: Any, *slopes: torch.Tensor) -> Any:
        arrays = ctx.saved_tensors[: ctx.n_arrays]
        dtype = functools.reduce(torch.promote_types, (x.dtype for x in arrays))
        joined = _derivatives(ctx.known.number, torch.stack(slopes), arrays[0], dtype)
        parts = joined.split([x.numel() for x in arrays])
        found = (part.reshape(x.shape).to(x.dtype) for x, part in zip(arrays, parts, strict=True))
        return None, None, *found, *(None for _ in ctx.saved_tensors[ctx.n_arrays :])

    @staticmethod
    def jvp(ctx: Any, *tangents: Any) -> Any:
        raise NotImplementedError("mean distances on the host have gradients, and no derivatives in forward mode")


_SCHEMA = "(int number, Tensor slopes, Tensor x, ScalarType dtype) -> Tensor"


@torch.library.custom_op("gpuval::derivatives", mutates_args=(), schema=_SCHEMA)
def _derivatives(number: int, slopes: torch.Tensor, x: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    """All derivatives one after the other; ``x`` says on what they depend besides the slopes."""
    found = _known[number].derivative(*slopes.numpy())
    return torch.from_numpy(np.concatenate([x.ravel() for x in found], dtype=str(dtype).removeprefix("torch.")))


def _refuse(ctx: Any, *slopes: torch.Tensor) -> Any:
    raise NotImplementedError("mean distances on the host have first derivatives, and no second ones")


_derivatives.register_autograd(_refuse)
