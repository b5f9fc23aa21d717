"""Products of matrices as some GPUs make them of 32 bits: of numbers rounded to 10 bits behind the first (TF32)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

import jax
import torch
from jax.extend.core.primitives import dot_general_p
from torch.overrides import TorchFunctionMode

_ALL_BITS = jax.lax.Precision.HIGHEST


@contextmanager
def narrow_in_jax() -> Iterator[None]:
    """Every product of JAX that does not ask for all bits of its numbers; nothing is compiled, so that each is seen."""
    multiply = dot_general_p.bind

    def narrow(x: Any, y: Any, **how: Any) -> Any:
        if how["precision"] != (_ALL_BITS, _ALL_BITS) and x.dtype == y.dtype == "float32":
            x, y = (jax.lax.reduce_precision(z, exponent_bits=8, mantissa_bits=10) for z in (x, y))
        return multiply(x, y, **how)

    with mock.patch.object(dot_general_p, "bind", narrow), jax.disable_jit():
        yield


class NarrowInTorch(TorchFunctionMode):
    """Every product of PyTorch of float32, whatever is set: a call has no word for the precision it wants."""

    _PRODUCTS = ("matmul", "__matmul__", "__rmatmul__", "mm", "bmm", "mv", "dot", "vdot", "inner", "addmm", "einsum",
                 "tensordot", "vecdot", "linear")  # fmt: skip

    def __torch_function__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        name = getattr(function, "__name__", "")
        by_a_product = name == "cdist" and kwargs.get("compute_mode") != "donot_use_mm_for_euclid_dist"
        if name in self._PRODUCTS or by_a_product:
            args = [_rounded(x) if isinstance(x, torch.Tensor) and x.dtype is torch.float32 else x for x in args]
        return function(*args, **kwargs)


def _rounded(x: torch.Tensor) -> torch.Tensor:
    """The nearest numbers with 10 bits behind the first; with it the difference to them is exact."""
    far = x * (2.0**13 + 1)
    return far - (far - x)
