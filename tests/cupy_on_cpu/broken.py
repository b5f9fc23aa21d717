"""Kernels with a fault in their text: what the emulator must find."""

from __future__ import annotations

import re
import types
from collections.abc import Callable
from typing import Any

import cupy
import pytest

from gpuval.engines.cuda import kernels

Fault = cupy.cuda.runtime.CUDARuntimeError
"""What CuPy raises when it waits for a kernel in which the emulator has found something; a note says what."""


def put(patch: pytest.MonkeyPatch, file: str, name: str, text: str) -> None:
    """Have one kernel compiled from this text; the other kernels of its file are whole."""
    module = kernels._module

    def of_names(own: str, names: tuple[str, ...], are_aligned: bool) -> Any:
        whole = module(own, names, are_aligned)
        if own != file or name not in names:
            return whole
        options = kernels.options_of(file, are_aligned)
        broken = cupy.RawModule(code=text, options=options, name_expressions=names)
        return types.SimpleNamespace(get_function=lambda x: (broken if x == name else whole).get_function(x))

    kernels.kernel.cache_clear()
    patch.setattr(kernels, "_module", of_names)


def put_edited(patch: pytest.MonkeyPatch, file: str, name: str, text: str, other: str) -> None:
    """Have one kernel compiled with another text in the place of one that its file has once."""
    whole = kernels.source(file)
    assert whole.count(text) == 1
    put(patch, file, name, whole.replace(text, other))


def _run_to_its_end(run: Callable[[], Any]) -> None:
    run()
    cupy.cuda.runtime.deviceSynchronize()


def needed_barriers(
    file: str, function: str, name: str, run: Callable[[], Any], monkeypatch: pytest.MonkeyPatch
) -> int:
    """How many barriers a function of a file has, if the kernel ``name`` has a fault without any one of them.

    ``run`` launches it; the other kernels that it launches are whole.
    """
    text = kernels.source(file)
    begin = text.index(f" {function}(")
    barriers = list(re.compile(r"__syncthreads\(\);").finditer(text, begin, text.index("\n}\n", begin)))
    for barrier in barriers:
        with monkeypatch.context() as patch:
            put(patch, file, name, text[: barrier.start()] + text[barrier.end() :])
            with pytest.raises(Fault, match=r"race in (dynamic )?shared memory|no thread of the block has written"):
                _run_to_its_end(run)
    kernels.kernel.cache_clear()
    return len(barriers)
