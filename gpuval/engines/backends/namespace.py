"""The array library of the inputs: its namespace, device and widest dtypes, and the one door to the host.

This is the only module that knows array_api_compat. Everything else asks here and writes against the standard.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import ModuleType
from typing import Any, NamedTuple

import array_api_compat as compat
import numpy as np

Array = Any
"""An array of any supported library; the standard has no common base class to name."""


class Widest(NamedTuple):
    """The widest integer and floating-point dtypes a device has."""

    int: Any
    float: Any
    is_64bit: bool


_KINDS = {"b": "bool", "i": "integer", "u": "integer", "f": "real"}
_KINDS_OF_TORCH = {f"{sign}int{bits}": "integer" for sign in ("", "u") for bits in (8, 16, 32, 64)} | {"bool": "bool"}
_NUMPY = Widest(np.dtype(np.int64), np.dtype(np.float64), True)


def is_numpy(x: Array) -> bool:
    """Whether ``x`` is a NumPy array or scalar."""
    return isinstance(x, (np.ndarray, np.generic))


def is_torch(x: object) -> bool:
    """Whether ``x`` is a PyTorch tensor (not array-api-compat's function: torch.compile warns of its cache)."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(x, torch.Tensor)


is_jax = compat.is_jax_array
is_cupy = compat.is_cupy_array


def is_dask(x: object) -> bool:
    """Whether ``x`` is held by Dask: an array, a Series, or a list of delayed partitions."""
    if "dask" not in sys.modules or is_torch(x):
        return False
    if isinstance(x, list | tuple) or (isinstance(x, np.ndarray) and x.dtype.kind == "O" and x.ndim):
        return len(x) > 0 and is_delayed(x[0])
    return any(kind.__module__.partition(".")[0] in ("dask", "dask_expr") for kind in type(x).__mro__)


def is_delayed(x: object) -> bool:
    """Whether ``x`` is one delayed value of Dask."""
    return any(kind.__module__ == "dask.delayed" for kind in type(x).__mro__)


def is_array(x: object) -> bool:
    """Whether ``x`` is an array of a supported library (lists, Series and sparse matrices are not)."""
    if is_numpy(x) or type(x).__module__ == "builtins":
        return isinstance(x, np.ndarray)
    return is_torch(x) or (compat.is_array_api_obj(x) and not compat.is_pydata_sparse_array(x))


def namespace(x: Array) -> ModuleType:
    """The array namespace of ``x``; plain ``numpy`` (standard since 2.1) for NumPy."""
    if is_numpy(x):
        return np
    if is_torch(x):
        import array_api_compat.torch as xp

        return xp
    return compat.array_namespace(x)


def device(x: Array) -> Any:
    """The device ``x`` lives on, to be passed as ``device=`` to every creation."""
    if is_numpy(x):
        return None
    return x.device if is_torch(x) else compat.device(x)


def kind(x: Array) -> str:
    """What the dtype of ``x`` is: "bool", "integer", "real" or "other"."""
    if is_numpy(x):
        return _KINDS.get(x.dtype.kind, "other")
    if is_torch(x):  # isdtype would do, but takes torch.compile long to trace
        if x.dtype.is_floating_point:
            return "real"
        return _KINDS_OF_TORCH.get(str(x.dtype).removeprefix("torch."), "other")
    if is_jax(x) and not isinstance(x.dtype, np.dtype):
        return "other"  # keys of random numbers
    xp = namespace(x)
    standard = {"bool": "bool", "integral": "integer", "real floating": "real"}
    return next((name for group, name in standard.items() if xp.isdtype(x.dtype, group)), "other")


def library(x: Array) -> str:
    """The name of the library of ``x``, for messages."""
    return type(x).__module__.partition(".")[0].replace("jaxlib", "jax")


def widest(x: Array) -> Widest:
    """The widest integer and floating-point dtypes that the device of ``x`` has."""
    if is_numpy(x):
        return _NUMPY
    if is_torch(x):
        torch = sys.modules["torch"]
        wide = x.device.type != "mps"  # its information lists float64, its kernels refuse it
        return Widest(torch.int64, torch.float64 if wide else torch.float32, wide)
    xp = namespace(x)
    if is_jax(x):  # its namespace would look at every dtype, each time
        wide = bool(sys.modules["jax"].config.jax_enable_x64)
        return Widest(xp.int64, xp.float64, True) if wide else Widest(xp.int32, xp.float32, False)
    info = xp.__array_namespace_info__().dtypes(device=device(x))
    wide = "float64" in info and "int64" in info
    return Widest(
        xp.int64 if "int64" in info else xp.int32,
        xp.float64 if "float64" in info else xp.float32,
        wide,
    )


def widened(x: Array) -> Array:
    """``x`` in its widest dtype, where integers that are too large for it become the largest."""
    xp, wide = namespace(x), widest(x)
    if kind(x) == "real":
        return xp.astype(x, wide.float)
    wider = xp.astype(x, wide.int)
    is_signed = x.dtype != xp.uint64 if is_torch(x) else not xp.isdtype(x.dtype, "unsigned integer")
    if is_signed or xp.iinfo(x.dtype).max <= xp.iinfo(wide.int).max:
        return wider
    return xp.where(wider < 0, xp.full_like(wider, xp.iinfo(wide.int).max), wider)


def total(x: Array, axis: int | tuple[int, ...] | None = None) -> Array:
    """The sum of ``x`` in its own dtype (the standard would widen integers, to a type the device may not have)."""
    return namespace(x).sum(x, axis=axis, dtype=x.dtype)


def running_total(x: Array) -> Array:
    """The sums of ``x`` up to each place along its last axis, in its own dtype."""
    if is_torch(x):  # as in is_torch: array-api-compat's function looks for the namespace again
        return x.cumsum(-1, dtype=x.dtype)
    return namespace(x).cumulative_sum(x, axis=-1, dtype=x.dtype)


def count_true(x: Array, axis: int | tuple[int, ...] | None = None) -> Array:
    """How many elements of ``x`` are true, in the widest integer."""
    return total(namespace(x).astype(x, widest(x).int), axis)


def copied(x: Array) -> Array:
    """``x`` in memory of its own."""
    return namespace(x).array(x, copy=True) if is_jax(x) else namespace(x).asarray(x, copy=True, device=device(x))


def moved(x: Array, like: Array) -> Array:
    """A copy of ``x`` in the library and on the device of ``like``; through the host, if it lies elsewhere."""
    if namespace(x) is namespace(like) and are_together(x, like):
        return copied(x)
    host = to_host(x)
    if not widest(like).is_64bit and host.dtype.kind in "iu" and host.size:
        far = next((x for x in (int(host.min()), int(host.max())) if not -(1 << 31) <= x < 1 << 31), None)
        if far is not None:
            raise ValueError(f"integers must be -2**31 to less than 2**31 on a device without 64 bits, got {far}")
    return copied(from_host(host, like))


def are_together(x: Array, y: Array) -> bool:
    """Whether two arrays of one library lie where they can be added: on one device, or on those that JAX chooses."""
    if is_torch(x) and is_torch(y):  # not asked for JAX: torch.compile warns of the cache there
        return bool(x.device == y.device)
    if is_traced(x) or is_traced(y):
        return True
    if is_jax(x):
        return not (x.committed and y.committed) or x.devices() == y.devices()
    return bool(device(x) == device(y))


def zeros_beside(shape: tuple[int, ...], dtype: Any, like: Array) -> Array:
    """Zeros that can be added to ``like``."""
    free = not is_torch(like) and is_jax(like) and (is_traced(like) or len(like.devices()) > 1 or not like.committed)
    return namespace(like).zeros(shape, dtype=dtype, device=None if free else device(like))


@contextmanager
def lasting(like: Array) -> Iterator[None]:
    """Within, tensors are made that outlive the step: of no gradient, and of no inference mode."""
    if not is_torch(like):
        yield
        return
    torch = sys.modules["torch"]
    with torch.inference_mode(False), torch.no_grad():
        yield


def is_traced(x: Array) -> bool:
    """Whether ``x`` stands for values that are not known yet (inside ``jax.jit``, ``jax.vmap`` or ``jax.grad``)."""
    jax = sys.modules.get("jax")
    return jax is not None and isinstance(x, jax.core.Tracer)


def without_gradient(x: Array) -> Array:
    """``x`` as a constant to derivatives."""
    if is_torch(x):
        return x.detach()
    return sys.modules["jax"].lax.stop_gradient(x) if is_traced(x) else x


def is_compiling(x: Array) -> bool:
    """Whether ``x`` is a tensor inside ``torch.compile``, where a look at its values breaks the graph."""
    return is_torch(x) and bool(sys.modules["torch"].compiler.is_compiling())


def to_host(x: Array) -> np.ndarray[Any, Any]:
    """Copy ``x`` to the host as a NumPy array: the one door, and a synchronisation where ``x`` is on a device."""
    if is_numpy(x):
        return np.asarray(x)
    if is_torch(x):
        if is_compiling(x):  # else its tracer goes on into NumPy, and stops later at something that means nothing
            sys.modules["torch"]._dynamo.graph_break()  # a value is needed on the host
        if x.device.type == "meta":
            raise TypeError("a value is needed on the host, and a tensor on the meta device has none")
        return np.asarray(x.detach().cpu())
    if is_cupy(x):
        return np.asarray(x.get())
    if is_traced(x):
        raise TypeError(
            "a value is needed on the host, and inside jax.jit it is not known yet: give n_classes= and n_clusters=, "
            "and use the measures whose docstring names no host step"
        )
    if compat.is_array_api_strict_namespace(namespace(x)):
        return np.asarray(x.to_device(namespace(x).Device("CPU_DEVICE")))
    return np.asarray(x)


def host_view(x: Array) -> np.ndarray[Any, Any] | None:
    """``x`` as a NumPy array that shares its memory, if it lies on the host, is known, and no derivative is asked for.

    The answer goes for this moment only: a tensor may be in a graph later.
    """
    if is_numpy(x):
        return np.asarray(x)
    if is_torch(x):
        if x.device.type == "cpu" and not (is_compiling(x) or is_recorded() or is_differentiated(x)):
            with suppress(RuntimeError, TypeError):  # no memory to share inside torch.func.vmap; no bfloat16 in NumPy
                return np.asarray(x.numpy())
        return None
    if is_jax(x) and not is_traced(x):
        (first, *others) = x.devices()
        if first.platform == "cpu" and not others:  # else its parts lie apart
            host = np.asarray(x)
            return host if host.dtype.kind in _KINDS else None  # not what NumPy has no arithmetic for, such as int4
    return None


def host_views(first: Array, *others: Array) -> tuple[np.ndarray[Any, Any], ...] | None:
    """What :func:`host_view` gives for arrays of one library, the others those of no floats; None if one has none."""
    view = host_view(first)
    if view is None:
        return None
    if is_numpy(first):
        return (view, *others)
    with suppress(RuntimeError, TypeError):  # on a device, or without memory
        return (view, *(x.numpy() for x in others if not x.dtype.is_floating_point))
    return None


def is_differentiated(x: Array) -> bool:
    """Whether a tensor has a gradient to find, or a tangent with it, whether or not they are recorded now."""
    if not (is_torch(x) and x.dtype.is_floating_point):
        return False
    return x.requires_grad or sys.modules["torch"].autograd.forward_ad.unpack_dual(x).tangent is not None


def is_recorded() -> bool:
    """Whether torch.jit.trace or a dispatch mode (make_fx) looks on: they see operations of PyTorch only."""
    torch = sys.modules["torch"]
    return bool(torch.jit.is_tracing() or torch.utils._python_dispatch.is_in_torch_dispatch_mode())


def from_host(x: Any, like: Array) -> Array:
    """Bring a host array or number to the library and device of ``like``; 64 bits become the widest that it has."""
    x, xp = np.asarray(x), namespace(like)
    dtype = None
    if x.dtype.itemsize == 8 and not (wide := widest(like)).is_64bit:
        dtype = {"i": wide.int, "f": wide.float}.get(x.dtype.kind)
    if is_torch(like) or not is_jax(like):
        x = x if x.flags.writeable or not is_torch(like) else x.copy()  # no tensor refuses to be written into
        return xp.asarray(x, dtype=dtype, device=device(like))
    # JAX lays out many devices by the shape of the array, and what is nowhere in particular may be moved.
    made = xp.asarray(x, dtype=dtype, device=None)
    if is_traced(like) or len(where := like.devices()) > 1 or (not like.committed and made.devices() == where):
        return made
    return xp.asarray(made, device=device(like))
