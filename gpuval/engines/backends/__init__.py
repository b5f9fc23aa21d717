"""Array libraries: types and devices of arrays, transfers, and sums by code; one file for each library.

``base`` is what all libraries do by the Array API standard, ``segments`` its sums by code; the file of a library has
what that library does in another way, or faster. ``torch_operations`` are operators of PyTorch by NumPy. ``pytrees``
registers dataclasses of arrays with JAX and PyTorch.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from dataclasses import fields
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, cast

import numpy as np

from gpuval.engines.backends import base
from gpuval.engines.backends.base import Backend, Widest
from gpuval.engines.backends.numpy import NumpyBackend
from gpuval.numerics import Array

__all__ = [
    "NUMPY",
    "Backend",
    "OfOneLibrary",
    "Widest",
    "backend_if_array",
    "backend_of",
    "current_backends",
    "detach",
    "fields_of",
    "has_identity_hash",
    "is_array",
    "is_dask",
    "is_delayed",
    "is_sparse",
    "library_of",
    "move_to",
    "outside_of_graphs",
    "register_type",
    "to_host",
]

Function = TypeVar("Function", bound=Callable[..., Any])

NUMPY = NumpyBackend(np)

_by_type: dict[type, Backend] = {np.ndarray: NUMPY}
"""The backends of the types of arrays that have been met: each is looked up once."""

_by_namespace: dict[Any, Backend] = {}
"""Those of libraries that are not imported with their class, by their namespaces."""


def backend_of(x: Array) -> Backend:
    """The backend of the library of ``x``; TypeError if it is no array."""
    found = _by_type.get(type(x))
    return _look_up(x) if found is None else found


def register_type(kind: type, backend: Backend) -> None:
    """Have a type of arrays that gpuval makes itself belong to a backend."""
    _by_type[kind] = backend


def current_backends() -> frozenset[Backend]:
    """The backends of NumPy, of PyTorch if it was imported before gpuval, and of arrays that have been looked up."""
    return frozenset(_by_type.values())


def backend_if_array(x: Any) -> Backend | None:
    """The backend of the library of ``x``; None if it is no array."""
    found = _by_type.get(type(x))
    if found is None or isinstance(x, np.generic):
        return backend_of(x) if is_array(x) else None
    return found


class OfOneLibrary:
    """The base of dataclasses whose arrays are of one library: its backend is looked up once, when it is asked for."""

    _like: ClassVar[str]
    """The field whose array tells the library."""

    if TYPE_CHECKING:  # a type checker that knew of __getattr__ would accept any name of an attribute

        @property
        def backend(self) -> Backend:
            """The backend of the arrays."""

    else:

        def __getattr__(self, name: str) -> Any:
            if name != "backend":
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            backend = backend_of(getattr(self, self._like))
            object.__setattr__(self, "backend", backend)  # from now on it is found without a call
            return backend

    @property
    def xp(self) -> Any:
        """The array namespace of the backend."""
        return self.backend.xp

    def __getstate__(self) -> dict[str, Any]:
        return fields_of(self)


def fields_of(x: Any) -> dict[str, Any]:
    """The fields of an object of a dataclass, as its class takes them: what else it carries follows from these."""
    return {field.name: getattr(x, field.name) for field in fields(x)}


def _look_up(x: Array) -> Backend:
    backend = _backend_by_library(x)
    if not backend.is_compiling():  # while torch.compile traces, nothing is added to a dict that the traced code reads
        _by_type[type(x)] = backend
    return backend


def _backend_by_library(x: Array) -> Backend:
    """The backend, by what libraries say of ``x``."""
    if isinstance(x, (np.ndarray, np.generic)):
        return NUMPY
    if _is_torch(x):  # asked first: inside torch.compile its tracers are not to go into array_api_compat
        from gpuval.engines.backends.torch import TORCH

        return TORCH
    if base.is_jax(x):
        from gpuval.engines.backends.jax import JAX

        return JAX
    kind = Backend
    if base.is_cupy(x):
        from gpuval.engines.backends.cupy import CupyBackend

        kind = CupyBackend
    xp = base.namespace(x)
    return _by_namespace.setdefault(xp, kind(xp))


def _is_torch(x: object) -> bool:
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(x, torch.Tensor)


def _know_tensors() -> None:
    """Look up the types of tensors before torch.compile traces, as it then adds nothing to ``_by_type``."""
    torch = sys.modules.get("torch")
    if torch is not None and hasattr(torch, "Tensor") and hasattr(torch, "nn"):
        from gpuval.engines.backends.torch import TORCH

        for kind in (torch.Tensor, torch.nn.Parameter):
            _by_type.setdefault(kind, TORCH)


def to_host(x: Array) -> np.ndarray[Any, Any]:
    """Copy ``x`` to the host as a NumPy array: a synchronisation where ``x`` is on a device."""
    return backend_of(x).to_host(x)


def move_to(x: Array, like: Array) -> Array:
    """A copy of ``x`` in the library and on the device of ``like``; through the host, if it lies elsewhere."""
    backend = backend_of(like)
    if backend_of(x) is backend and backend.are_together(x, like):
        return backend.copied(x)
    host = to_host(x)
    if not backend.widest(like).is_64bit and host.dtype.kind in "iu" and host.size:
        far = next((x for x in (int(host.min()), int(host.max())) if not -(1 << 31) <= x < 1 << 31), None)
        if far is not None:
            raise ValueError(f"integers must be -2**31 to less than 2**31 on a device without 64 bits, got {far}")
    return backend.copied(backend.from_host(host, like))


def outside_of_graphs(function: Function) -> Function:
    """The function as one break of a graph of torch.compile, for what looks at values: not one break for each look."""
    reason = f"{function.__name__} looks at values on the host: call it outside of torch.compile(fullgraph=True)"

    @functools.wraps(function)
    def call(*arguments: Any, **options: Any) -> Any:
        torch = sys.modules.get("torch")
        if torch is None or not torch.compiler.is_compiling():
            return function(*arguments, **options)
        from gpuval.engines.backends.torch import break_graph

        break_graph(reason)
        return torch.compiler.disable(function)(*arguments, **options)

    return cast(Function, call)


# Questions about any object


def is_array(x: object) -> bool:
    """Whether ``x`` is an array of a supported library (lists, Series and sparse matrices are not)."""
    if type(x) in _by_type:
        return not isinstance(x, np.generic)
    if isinstance(x, (np.ndarray, np.generic)) or type(x).__module__ == "builtins":  # which torch.compile can trace
        return isinstance(x, np.ndarray)
    if type(x).__module__.partition(".")[0] == "gpuval":
        return False
    return _is_torch(x) or base.follows_standard(x)


def detach(x: Any) -> Any:
    """An array as a constant to derivatives: of a tracer of ``jax.grad`` its values; anything else as it is."""
    return backend_of(x).without_gradient(x) if is_array(x) else x


def has_identity_hash(kind: type) -> bool:
    """Whether objects of a type are told apart by their place in memory, as tensors of PyTorch are."""
    torch = sys.modules.get("torch")
    return torch is not None and issubclass(kind, torch.Tensor)


def library_of(x: object) -> str:
    """The name of the library of ``x``, for messages."""
    return type(x).__module__.partition(".")[0].replace("jaxlib", "jax")


def is_dask(x: object) -> bool:
    """Whether ``x`` is held by Dask: an array, a Series, or a list of delayed partitions."""
    if "dask" not in sys.modules or _is_torch(x):
        return False
    if isinstance(x, list | tuple) or (isinstance(x, np.ndarray) and x.dtype.kind == "O" and x.ndim):
        return len(x) > 0 and is_delayed(x[0])
    return any(kind.__module__.partition(".")[0] in ("dask", "dask_expr") for kind in type(x).__mro__)


def is_delayed(x: object) -> bool:
    """Whether ``x`` is one delayed value of Dask."""
    return any(kind.__module__ == "dask.delayed" for kind in type(x).__mro__)


def is_sparse(x: object) -> bool:
    """Whether ``x`` is a sparse matrix of SciPy or CuPy, or of a class derived from theirs."""
    if type(x) in _by_type:
        return False
    # Names as they stand here: of others torch.compile would watch all modules, and compile anew after any import.
    modules = sys.modules.get("scipy.sparse"), sys.modules.get("cupyx.scipy.sparse")
    return any(module is not None and bool(module.issparse(x)) for module in modules)


_know_tensors()
