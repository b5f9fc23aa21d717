"""Which arrays the kernels can read: those of one GPU of NVIDIA, where CuPy can compile for it."""

from __future__ import annotations

import functools
import warnings
from importlib.util import find_spec

from gpuval.engines.backends import backend_of
from gpuval.engines.cuda.kernels import all_options
from gpuval.numerics import Array

_TRIAL = '#include <cuda_fp16.h>\nextern "C" __global__ void gpuval_trial() {}'
"""A kernel that needs what all others do: NVRTC, and the headers of CUDA that CuPy's own kernels include.

It is compiled with every option that any of gpuval's kernels is: a version of NVRTC that refuses one fails here.
"""


@functools.cache
def has_cupy() -> bool:
    """Whether CuPy is installed, and can compile kernels for a GPU of NVIDIA."""
    if not find_spec("cupy"):
        return False
    try:
        import cupy

        if not cupy.is_available() or cupy.cuda.runtime.is_hip:
            return False
        cupy.RawKernel(_TRIAL, "gpuval_trial", all_options()).compile()  # once: CuPy keeps on disk what it compiles
    except Exception as error:  # whatever is wrong with CuPy: labels go through their own library then
        warnings.warn(
            f"gpuval goes on without its CUDA kernels, as CuPy is not usable: {error}\nNVRTC and the headers of CUDA, "
            'which CuPy compiles with, come with "cupy-cuda13x[ctk]", or "cupy-cuda12x[ctk]" where CuPy is of CUDA 12',
            stacklevel=2,
        )
        return False
    return True


def are_on_one_gpu(first: Array, *others: Array | None) -> bool:
    """Whether arrays, but for None, are of one library, and lie on one GPU where CuPy can see them."""
    backend = backend_of(first)
    if not others:
        return backend.is_on_gpu(first) and has_cupy()
    arrays = [first, *(x for x in others if x is not None)]
    if not all(type(x) is type(first) and backend.is_on_gpu(x) for x in arrays):
        return False
    return all(backend.device(x) == backend.device(first) for x in arrays) and has_cupy()
