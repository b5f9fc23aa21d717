"""Who does the work, chosen by where arrays lie.

``Engine`` is anywhere, in the arrays' own library; ``Host`` is NumPy's loops, for all that lies in the host's memory
and is known; ``Cuda`` is kernels, for all that lies on an NVIDIA GPU. ``backends`` are the array libraries, ``blocks``
the blocks of Dask, and ``cells`` what engines make of labels.
"""

from __future__ import annotations

from typing import Any

from gpuval.engines.backends import Backend, backend_of
from gpuval.engines.cells import Placed
from gpuval.engines.engine import Counted, Engine, Layout, Request
from gpuval.numerics import Array

__all__ = ["Counted", "Engine", "Layout", "Placed", "Request", "engine_of"]

_engines: dict[tuple[str, Backend], Engine] = {}
"""The engine of each kind for each library, once it has been asked for."""


def engine_of(*arrays: Array) -> Engine:
    """The engine for arrays of one library."""
    backend = backend_of(arrays[0])
    if backend.on_host or all(map(backend.lies_on_host, arrays)):
        kind = "host"
    elif backend.is_on_gpu(arrays[0]) and _are_for_kernels(arrays):
        kind = "cuda"
    else:
        kind = "anywhere"
    return _engines.get((kind, backend)) or _made(kind, backend)


def _are_for_kernels(arrays: tuple[Array, ...]) -> bool:
    from gpuval.engines.cuda.arrays import are_on_one_gpu  # only now: nothing of it is needed on the host

    return are_on_one_gpu(*arrays)


def _made(kind: str, backend: Backend) -> Engine:
    made: Any = Engine
    if kind == "host":
        from gpuval.engines.host.engine import Host as made  # noqa: N813
    elif kind == "cuda":
        from gpuval.engines.cuda.engine import Cuda as made  # noqa: N813
    if backend.is_compiling():
        return made(backend)  # type: ignore[no-any-return]  # what is traced is not to change what it has looked up
    return _engines.setdefault((kind, backend), made(backend))
