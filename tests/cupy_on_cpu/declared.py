"""Kernels of gpuval that refuse what they do not declare: CuPy hands on any array and any number."""

from __future__ import annotations

from typing import Any

import cupy
import numpy as np

from . import compiler

_RawModule = cupy.RawModule


class Module:
    """In the place of ``cupy.RawModule``."""

    def __init__(self, *, code: str, options: tuple[str, ...], name_expressions: tuple[str, ...]) -> None:
        self._code, self._names = code, name_expressions
        self._module = _RawModule(code=code, options=options, name_expressions=name_expressions)

    def get_function(self, name: str) -> _Function:
        return _Function(self._module.get_function(name), compiler.parameters(self._code, self._names, name))


class _Function:
    def __init__(self, run: Any, parameters: list[tuple[str, str]]) -> None:
        vars(self).update(run=run, parameters=parameters)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.run, name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self.run, name, value)

    def __call__(self, grid: tuple[int, ...], block: tuple[int, ...], args: tuple[Any, ...], **how: Any) -> None:
        for i, (x, (role, code)) in enumerate(zip(args, self.parameters, strict=True)):
            kind = np.generic if role == "scalar" else cupy.ndarray
            assert isinstance(x, kind), f"argument {i} must be of {kind}, got {type(x)}"
            # Integers of either sign are read as bits.
            given = f"{'u' if (x.dtype.kind, code[0]) == ('i', 'u') else x.dtype.kind}{x.dtype.itemsize}"
            is_known = code[0] in "iufb"  # else it points to what is no number, as to weights that are all 1
            assert not is_known or code == given, f"argument {i} must be of {code}, got {x.dtype}"
            assert role == "scalar" or x.flags.c_contiguous, f"argument {i} must be contiguous"
        self.run(grid, block, args, **how)
