"""What is called of PyTorch, and what of it waits for the device."""

from __future__ import annotations

from collections import Counter
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode

SYNCHRONISING = (
    *("_local_scalar_dense", "is_nonzero", "equal", "allclose"),
    *("nonzero", "masked_select", "_unique2", "unique_dim", "unique_consecutive", "bincount"),
)
"""Operations of PyTorch that wait for the device, because their result or its shape depends on values."""

INDEXING = ("index", "index_put", "index_put_")
"""Operations that wait if an index is a mask, whose true values have to be counted.

Only where one number is put everywhere, as in ``x[mask] = 0``, nothing is counted: PyTorch fills it in.
"""

PRODUCTS = ("mm", "bmm", "mv", "dot", "vdot", "addmm", "baddbmm")
"""Products of matrices and vectors, which CUDA has for floats only."""


class TorchOperations(TorchDispatchMode):
    """A context: how often PyTorch has been asked in it for each operation."""

    def __init__(self) -> None:
        super().__init__()
        self.counter: Counter[str] = Counter()

    def __torch_dispatch__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        name = function.overloadpacket.__name__
        self.counter[name] += 1
        is_number = name != "index" and name in INDEXING and args[2].ndim == 0
        if name in INDEXING and not is_number and any(map(_is_mask, args[1])):
            self.counter["by a mask"] += 1
        if name == "repeat_interleave" and (kwargs or {}).get("output_size") is None:
            self.counter["repetitions of unknown number"] += 1
        if name in PRODUCTS:
            self.counter["integer products"] += not args[-1].is_floating_point()
        return function(*args, **(kwargs or {}))

    @property
    def waits(self) -> int:
        """How many of them had to wait for the device."""
        return sum(self.counter[name] for name in (*SYNCHRONISING, "by a mask", "repetitions of unknown number"))


def _is_mask(index: torch.Tensor | None) -> bool:
    return index is not None and index.dtype in (torch.bool, torch.uint8)
