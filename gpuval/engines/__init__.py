"""The engines that do the computing, chosen by the device and the library of the arrays.

``Engine`` works on arrays anywhere, in their own library. ``Host`` uses NumPy for all arrays that are in the memory of
the host and whose values are known. ``Cuda`` runs kernels for all arrays on an NVIDIA GPU. ``backends`` are the array
libraries, ``dask_blocks`` the blocks of Dask, and ``cells`` the tables that engines make of labels.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Mapping
from typing import Any

from gpuval.engines.backends import Backend, backend_of, current_backends
from gpuval.engines.engine import Engine, Layout, Request, Tabulation
from gpuval.numerics import Array

__all__ = ["Engine", "Layout", "Request", "Tabulation", "engine_of", "lazily", "sum_over_blocks", "without_waiting"]

_engines: dict[tuple[str, Backend], Engine] = {("anywhere", x): Engine(x) for x in current_backends()}
"""The engine of each kind for each library, once it has been asked for; of those that work anywhere the ones for known
libraries are here from the start, as nothing can be added while torch.compile traces."""


def engine_of(*arrays: Array) -> Engine:
    """The engine for arrays of one library."""
    backend = backend_of(arrays[0])
    if backend.on_host or all(map(backend.lies_on_host, arrays)):
        kind = "host"
    elif backend.is_on_gpu(arrays[0]) and _are_for_kernels(arrays, backend):
        kind = "cuda"
    else:
        kind = "anywhere"
    return _engines.get((kind, backend)) or _make_engine(kind, backend)


def _are_for_kernels(arrays: tuple[Array, ...], backend: Backend) -> bool:
    if len(arrays) == 1 and ("cuda", backend) in _engines:
        return True  # CuPy has been found usable
    from gpuval.engines.cuda.kernels import are_on_one_gpu  # only now: nothing of it is needed on the host

    return are_on_one_gpu(*arrays)


def _make_engine(kind: str, backend: Backend) -> Engine:
    if kind == "host":
        from gpuval.engines.host.engine import Host

        engine: Engine = Host(backend)
    elif kind == "cuda":
        from gpuval.engines.cuda.engine import Cuda

        engine = Cuda(backend)
    else:
        engine = Engine(backend)
    if backend.is_compiling():  # while torch.compile traces, nothing is added to a dict that the traced code reads
        return engine
    return _engines.setdefault((kind, backend), engine)


def lazily(x: Any) -> Any:
    """``x`` as an array whose arithmetic waits, if it is an array of CuPy; anything else as it is."""
    if type(x).__module__ != "cupy":
        return x
    from gpuval.engines.cuda.arithmetic.namespace import make_lazy  # only now: nothing of it is needed on the host

    return make_lazy(x)


def without_waiting(x: Any, *, are_own: bool = False) -> Any:
    """An array whose arithmetic waits, or those of a tuple, as arrays of CuPy; anything else as it is.

    With ``are_own`` they lie in memory of their own, not in that of what was given to :func:`lazily`.
    """
    namespace = sys.modules.get("gpuval.engines.cuda.arithmetic.namespace")
    return x if namespace is None else namespace.read_all(x, are_own)


def sum_over_blocks(build: Callable[..., Any], columns: Mapping[str, Any], matrices: tuple[str, ...] = ("X",)) -> Any:
    """The sum of ``build(**block)`` over the blocks of what Dask holds; ``matrices`` have two dimensions."""
    from gpuval.engines.dask_blocks import from_blocks  # only now: it needs Dask

    return from_blocks(functools.partial(_build_block, build), columns, matrices)


def _build_block(build: Callable[..., Any], /, **block: Any) -> Any:
    """``build(**block)``, whose errors about values, and the rows these are in, say that they are of a block."""
    try:
        return build(**block)
    except ValueError as error:
        raise ValueError(f"{error} (in a block of Dask, whose rows are counted from 0)") from None
