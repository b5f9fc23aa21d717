"""A plugin of pytest: CuPy's own wheel over the stand-ins, before another plugin imports CuPy.

Of the tests of other folders all cases run with ``--full``. Else those run that are marked ``by_default``, and of every
other function one case: each measure and each kernel in each run.
"""

from __future__ import annotations

import os
import zlib
from pathlib import Path

import pytest
from compiling import BUILDS, PROGRAMS, compile_quickly, keep_programs_in
from compiling import kept as kept_in

import cupy_on_cpu

HERE = Path(__file__).parent
if not os.environ.get(BUILDS):
    os.environ[BUILDS] = kept_in("emulator")
if not os.environ.get(PROGRAMS):
    compile_quickly()
    keep_programs_in(kept_in("jax"))
cupy_on_cpu.install()


@pytest.hookimpl(trylast=True)  # of those that are left by -m and -k
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in filter(_needs_a_gpu, items):
        item.add_marker(pytest.mark.skip(reason="needs a GPU"))
    kept = items if config.option.full else _some_of(items)
    if len(kept) < len(items):
        places = set(map(id, kept))
        config.hook.pytest_deselected(items=[item for item in items if id(item) not in places])
        items[:] = kept


BEYOND_A_CPU = {"test_cells_of_many_samples", "test_more_samples_than_32_bits_count"}


def _needs_a_gpu(item: pytest.Item) -> bool:
    """Of many samples, or with arrays of PyTorch or JAX on a GPU, for which none on the CPU stand in."""
    if item.path.parent == HERE:
        return False
    if getattr(item, "originalname", item.name) in BEYOND_A_CPU:
        return True
    params = item.callspec.params if hasattr(item, "callspec") else {}
    backend = params.get("backend")
    is_of_another = backend is not None and backend.name != "cupy"
    return is_of_another or "torch" in (*item.fixturenames, params.get("library"))  # type: ignore[attr-defined]


def _some_of(items: list[pytest.Item]) -> list[pytest.Item]:
    cases: dict[str, list[pytest.Item]] = {}
    for item in items:
        cases.setdefault(item.nodeid.partition("[")[0], []).append(item)
    chosen: set[str] = set()
    for of_function in cases.values():
        all_of_them = of_function[0].get_closest_marker("by_default") or "cupy_on_cpu" in of_function[0].nodeid
        some = of_function if all_of_them else [min(of_function, key=_place)]
        chosen.update(item.nodeid for item in some)
    return [item for item in items if item.nodeid in chosen]


def _place(item: pytest.Item) -> tuple[bool, int]:
    """The lowest is chosen: of those that run, if there are any."""
    return _needs_a_gpu(item), zlib.crc32(item.nodeid.encode())
