"""Kernels with a barrier less than they have: what the emulator must find."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import fake_cupy
import pytest
from emulator import EmulatorError, build

from gpuval.engines.cuda.kernels import source


def needed_barriers(
    file: str, function: str, name: str, run: Callable[[], Any], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> int:
    """How many barriers a function of a file has, if the kernel ``name`` has a fault without any one of them.

    ``run`` launches it; the other kernels that it launches are whole.
    """
    text, built = source(file), fake_cupy._built
    begin = text.index(f" {function}(")
    barriers = list(re.compile(r"__syncthreads\(\);").finditer(text, begin, text.index("\n}\n", begin)))
    for i, barrier in enumerate(barriers):
        path = folder / f"{file}-without-{i}.cu"
        path.write_text(text[: barrier.start()] + text[barrier.end() :])
        broken = build(path, [name])
        with monkeypatch.context() as patch:
            patch.setattr(fake_cupy, "_built", lambda x, kind, broken=broken: broken if x == name else built(x, kind))
            with pytest.raises(
                EmulatorError, match=r"race in (dynamic )?shared memory|no thread of the block has written"
            ):
                run()
    return len(barriers)
