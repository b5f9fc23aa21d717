"""What tests of kernels share: the emulator in the place of CuPy, and CPU arrays in the place of those of a GPU.

What that takes is imported when a test asks for it: the tests on a GPU need none of it.
"""

import gc
import types

import pytest

LIBRARIES = ("torch", "jax")


@pytest.fixture
def emulated():
    """``import cupy`` gives the stand-in, whose kernels run in the emulator."""
    import fake_cupy

    fake_cupy.launched.clear()
    with fake_cupy.installed():
        yield


@pytest.fixture(scope="session")
def memory_of_torch():
    """PyTorch's memory of a GPU, in which CuPy's results lie: as long as anything may refer to them."""
    import fake_device
    import torch

    memory = fake_device.Pool()

    def allocate(size, device, stream):
        assert (device, stream) == (0, 1234)
        return memory.allocate(size)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(torch.cuda, "caching_allocator_alloc", allocate)
        patch.setattr(torch.cuda, "caching_allocator_delete", memory.give_back)
        yield memory
        gc.collect()  # what goes back later finds the true allocator


@pytest.fixture(params=LIBRARIES)
def library(request, memory_of_torch, monkeypatch):
    """What makes an array of a library whose CPU arrays pass for those of a GPU."""
    import fake_cupy
    import jax
    import torch
    from backends import as_on_a_device

    from gpuval.engines.backends.jax import JaxBackend
    from gpuval.engines.backends.torch import TorchBackend
    from gpuval.engines.cuda import arrays

    for backend in (TorchBackend, JaxBackend):
        monkeypatch.setattr(backend, "is_on_gpu", lambda self, x: not self.is_traced(x))
    monkeypatch.setattr(arrays, "has_cupy", lambda: True)
    stream = types.SimpleNamespace(cuda_stream=1234)
    monkeypatch.setattr(torch.cuda, "current_stream", lambda device: stream)
    fake_cupy.launched.clear()
    fake_cupy.used.clear()
    fake_cupy.entered().clear()
    with fake_cupy.installed(), jax.enable_x64(True), as_on_a_device():
        yield {"torch": torch.asarray, "jax": jax.numpy.asarray}[request.param]
    assert not fake_cupy.entered()
