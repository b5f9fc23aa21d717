"""The tests of this folder run over the stand-ins alone: ``python tests/cupy_on_cpu``."""

import sys

import pytest

if "cupy_on_cpu.plugin" not in sys.modules:
    collect_ignore_glob = ["test_*.py"]


def pytest_itemcollected(item):
    item.add_marker(pytest.mark.gpu)


@pytest.fixture
def checked():
    """Kernels of gpuval with the emulator's checks, and each array of CuPy in memory of its own, whose end is known."""
    import cupy

    from cupy_on_cpu import compiler
    from gpuval.engines.cuda import kernels

    caches = kernels.kernel, kernels._module, kernels.kernel_of_text
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compiler, "kind", "checked")
        for cached in caches:
            cached.cache_clear()
        with cupy.cuda.using_allocator(cupy.cuda.malloc_async):
            yield
    for cached in caches:
        cached.cache_clear()
