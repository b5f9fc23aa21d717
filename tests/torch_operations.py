"""What is called of PyTorch, and which of it waits for a value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torch.utils._python_dispatch import TorchDispatchMode


class TorchOperations(TorchDispatchMode):
    """A context: the names of the operations that run in it."""

    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()

    def __torch_dispatch__(self, function: Callable[..., Any], types: Any, args: Any = (), kwargs: Any = None) -> Any:
        self.names.add(str(function))
        return function(*args, **(kwargs or {}))

    @property
    def that_read_values(self) -> set[str]:
        """Those that bring a value to Python, or whose result has a shape that depends on values."""
        return {name for name in self.names if "_local_scalar_dense" in name or "nonzero" in name}
