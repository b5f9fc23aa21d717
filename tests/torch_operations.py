"""What is called of PyTorch, and what of it waits for the device."""

from __future__ import annotations

from collections import Counter
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode

SYNCHRONISING = ("_local_scalar_dense", "nonzero", "_unique2", "unique_dim", "unique_consecutive", "masked_select")
"""Operations of PyTorch that wait for the device, because their result or its shape depends on values."""

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
        self.counter["masked_select"] += name == "index" and any(
            x is not None and x.dtype in (torch.bool, torch.uint8) for x in args[1]
        )
        if name in PRODUCTS:
            self.counter["integer products"] += not args[-1].is_floating_point()
        return function(*args, **(kwargs or {}))

    @property
    def waits(self) -> int:
        """How many of them had to wait for the device."""
        return sum(self.counter[name] for name in SYNCHRONISING)
