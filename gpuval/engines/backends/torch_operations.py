"""What NumPy computes from tensors, as operators of PyTorch: values, their derivatives, and steps on the host.

The operator is for the derivative: with it, vmap computes the gradients of several scores one by one.
"""

from __future__ import annotations

import functools
import itertools
import pkgutil
import weakref
from collections.abc import Callable, Mapping, Sequence
from inspect import signature
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


class _DerivativeHandle:
    """A derivative that the operator finds by a number, as long as the graph has it."""

    def __init__(self, derivative: Derivative) -> None:
        self.derivative, self.number = derivative, next(_numbers)
        _known[self.number] = self


_numbers = itertools.count()
_known: weakref.WeakValueDictionary[int, _DerivativeHandle] = weakref.WeakValueDictionary()


class _OnHost(torch.autograd.Function):
    """Of tensors that autograd watches for changes in their memory."""

    @staticmethod
    def forward(ctx: Any, found: Any, n_arrays: int, *read: torch.Tensor) -> Any:
        values, derivative = found()
        ctx.known, ctx.n_arrays = _DerivativeHandle(derivative), n_arrays
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


_DERIVATIVES_SCHEMA = "(int number, Tensor slopes, Tensor x, ScalarType dtype) -> Tensor"


@torch.library.custom_op("gpuval::derivatives", mutates_args=(), schema=_DERIVATIVES_SCHEMA)
def _derivatives(number: int, slopes: torch.Tensor, x: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    """All derivatives one after the other; ``x`` says on what they depend besides the slopes."""
    found = _known[number].derivative(*slopes.numpy())
    return torch.from_numpy(np.concatenate([x.ravel() for x in found], dtype=str(dtype).removeprefix("torch.")))


def _refuse(ctx: Any, *slopes: torch.Tensor) -> Any:
    raise NotImplementedError("mean distances on the host have first derivatives, and no second ones")


_derivatives.register_autograd(_refuse)


# A step on the host as an operator of PyTorch: torch.compile does not break its graph, and torch.func.vmap maps it.


def host_step(
    function: Callable[..., NDArray],
    of: str,
    arrays: Sequence[torch.Tensor],
    flags: Mapping[str, float],
    shape: tuple[int, ...],
    dtype: torch.dtype,
) -> torch.Tensor:
    """What ``function(of, *arrays, **flags)`` gives of arrays of NumPy, in floats of this type and shape."""
    name = f"{function.__module__}:{function.__name__}"
    constants = [x.detach() for x in arrays]  # no gradient goes through the host
    found: torch.Tensor = _operator(
        name, of, constants, ",".join(flags), list(map(float, flags.values())), list(shape), dtype
    )
    return found


_HOST_STEP_SCHEMA = (
    "(str function, str of, Tensor[] arrays, str names, float[] values, SymInt[] shape, ScalarType dtype) -> Tensor"
)
"""Given, as early versions of PyTorch do not read it from annotations that are text."""

_TAGS: dict[str, Any] = {}
if hasattr(torch.Tag, "cudagraph_unsafe") and "tags" in signature(torch.library.custom_op).parameters:
    _TAGS["tags"] = (torch.Tag.cudagraph_unsafe,)  # a CUDA graph cannot hold a transfer to the host


@torch.library.custom_op("gpuval::host_step", mutates_args=(), schema=_HOST_STEP_SCHEMA, **_TAGS)
def _operator(
    function: str,
    of: str,
    arrays: list[torch.Tensor],
    names: str,
    values: list[float],
    shape: list[int],
    dtype: torch.dtype,
) -> torch.Tensor:
    flags = dict(zip(names.split(","), values, strict=False))
    found = pkgutil.resolve_name(function)(of, *(x.cpu().numpy() for x in arrays), **flags)
    return torch.from_numpy(np.array(found, dtype=np.float64)).to(arrays[0].device, dtype)


@_operator.register_fake
def _(*given: Any) -> torch.Tensor:
    _, _, arrays, _, _, shape, dtype = given
    found: torch.Tensor = arrays[0].new_empty(shape, dtype=dtype)
    return found


def _batch_rule(info: Any, in_dims: tuple[Any, ...], *given: Any) -> tuple[torch.Tensor, int]:
    """The operator of arrays with one axis more, which is the first: of ``None`` each element of the batch has all."""
    function, of, arrays, names, values, shape, dtype = given
    size, of_arrays = info.batch_size, in_dims[2]
    whole = [
        x.unsqueeze(0).expand(size, *x.shape) if dim is None else x.movedim(dim, 0)
        for x, dim in zip(arrays, of_arrays, strict=True)
    ]
    found: torch.Tensor = _operator(function, of, whole, names, values, [size, *shape], dtype)
    return found, 0


_operator.register_vmap(_batch_rule)
