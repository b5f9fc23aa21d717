"""A plugin of pytest: CuPy's own wheel over the stand-ins, before another plugin imports CuPy."""

from __future__ import annotations

import os
from pathlib import Path

import cupy_on_cpu
import pytest
from compiling import BUILDS, PROGRAMS, compile_quickly, keep_programs_in, kept

HERE = Path(__file__).parent
if not os.environ.get(BUILDS):
    os.environ[BUILDS] = kept("emulator")
if not os.environ.get(PROGRAMS):
    compile_quickly()
    keep_programs_in(kept("jax"))
cupy_on_cpu.install()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out tests on a GPU that need arrays of PyTorch there."""
    params = [item.callspec.params if hasattr(item, "callspec") else {} for item in items]
    left_out = [
        x
        for x, given in zip(items, params, strict=True)
        if x.path.parent != HERE and "torch" in (*x.fixturenames, given.get("library"))  # type: ignore[attr-defined]
    ]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [x for x in items if x not in left_out]
