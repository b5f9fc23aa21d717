"""A step on the host as an operator of PyTorch: torch.compile calls it from within one graph, which does not break."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Mapping, Sequence

import numpy as np
import torch

from gpuval.numerics import NDArray


def host_step(
    function: Callable[..., NDArray],
    of: str,
    arrays: Sequence[torch.Tensor],
    flags: Mapping[str, bool],
    shape: tuple[int, ...],
) -> torch.Tensor:
    """What ``function(of, *arrays, **flags)`` gives of arrays of NumPy, in 64-bit floats of this shape."""
    name = f"{function.__module__}:{function.__name__}"
    found: torch.Tensor = _operator(name, of, list(arrays), ",".join(flags), list(flags.values()), list(shape))
    return found


@torch.library.custom_op("gpuval::host_step", mutates_args=())
def _operator(
    function: str, of: str, arrays: list[torch.Tensor], names: str, values: list[bool], shape: list[int]
) -> torch.Tensor:
    flags = dict(zip(names.split(","), values, strict=False))
    found = pkgutil.resolve_name(function)(of, *(x.cpu().numpy() for x in arrays), **flags)
    return torch.from_numpy(np.array(found, dtype=np.float64)).to(arrays[0].device)


@_operator.register_fake
def _(
    function: str, of: str, arrays: list[torch.Tensor], names: str, values: list[bool], shape: list[int]
) -> torch.Tensor:
    return arrays[0].new_empty(shape, dtype=torch.float64)
