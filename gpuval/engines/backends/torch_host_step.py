"""A step on the host as an operator of PyTorch: torch.compile does not break its graph, and torch.func.vmap maps it."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Mapping, Sequence
from inspect import signature
from typing import Any

import numpy as np
import torch

from gpuval.numerics import NDArray


def host_step(
    function: Callable[..., NDArray],
    of: str,
    arrays: Sequence[torch.Tensor],
    flags: Mapping[str, bool],
    shape: tuple[int, ...],
    dtype: torch.dtype,
) -> torch.Tensor:
    """What ``function(of, *arrays, **flags)`` gives of arrays of NumPy, in floats of this type and shape."""
    name = f"{function.__module__}:{function.__name__}"
    constants = [x.detach() for x in arrays]  # no gradient goes through the host
    found: torch.Tensor = _operator(name, of, constants, ",".join(flags), list(flags.values()), list(shape), dtype)
    return found


_SCHEMA = (
    "(str function, str of, Tensor[] arrays, str names, bool[] values, SymInt[] shape, ScalarType dtype) -> Tensor"
)
"""Given, as early versions of PyTorch do not read it from annotations that are text."""

_TAGS: dict[str, Any] = {}
if hasattr(torch.Tag, "cudagraph_unsafe") and "tags" in signature(torch.library.custom_op).parameters:
    _TAGS["tags"] = (torch.Tag.cudagraph_unsafe,)  # a CUDA graph cannot hold a transfer to the host


@torch.library.custom_op("gpuval::host_step", mutates_args=(), schema=_SCHEMA, **_TAGS)
def _operator(
    function: str,
    of: str,
    arrays: list[torch.Tensor],
    names: str,
    values: list[bool],
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


def _of_batch(info: Any, in_dims: tuple[Any, ...], *given: Any) -> tuple[torch.Tensor, int]:
    """The operator of arrays with one axis more, which is the first: of ``None`` each element of the batch has all."""
    function, of, arrays, names, values, shape, dtype = given
    size, of_arrays = info.batch_size, in_dims[2]
    whole = [
        x.unsqueeze(0).expand(size, *x.shape) if dim is None else x.movedim(dim, 0)
        for x, dim in zip(arrays, of_arrays, strict=True)
    ]
    found: torch.Tensor = _operator(function, of, whole, names, values, [size, *shape], dtype)
    return found, 0


_operator.register_vmap(_of_batch)
