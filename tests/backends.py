"""The backends that the measures are tested on: one list, each entry with its arrays, its accuracy and its limits."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from functools import cache
from typing import Any
from unittest import mock

import numpy as np
from oracles import mp, real
from quick_strict import quicken_strict

from gpuval.engines import backends
from gpuval.engines.backends import base

Array = Any

N, SIZE = 60, {"n_classes": 8, "n_clusters": 7}
"""How many samples, and the size of their table, wherever a test is free to choose: JAX compiles for every shape."""
BATCH = (2, 3, *SIZE.values())
"""The shape of a batch of tables, likewise."""


@dataclass(frozen=True)
class Backend:
    """An array library on one of its devices, in one of its modes.

    ``of`` makes an array of a NumPy array, of the same dtype, on the device; ``back`` undoes it. ``mode`` is a context
    in which all of it has to run.
    """

    name: str
    modules: tuple[str, ...]
    of: Callable[[np.ndarray], Array]
    back: Callable[[Array], np.ndarray]
    mode: Callable[[], AbstractContextManager[Any]] = nullcontext
    available: Callable[[], bool] = lambda: True
    has_int64: bool = True
    has_float64: bool = True
    finds_sizes: bool = True
    """Whether shapes may depend on values; otherwise n_classes= and n_clusters= must be given."""
    sorts: bool = True
    """Whether positions can be sorted: needed to list cells, and for labels with wide gaps."""
    compiles: bool = False
    """Whether every operation is compiled for every shape: then few shapes make quick tests."""
    gpu: bool = False
    adds_in_order: bool = True
    """Whether sums of floats have the same last digits in each run."""

    def __repr__(self) -> str:
        return self.name

    @property
    def lists_cells(self) -> bool:
        """Whether the layout of listed cells is possible."""
        return self.sorts and self.finds_sizes

    def require(self) -> None:
        """Raise if the backend is not there."""
        for module in self.modules:
            importlib.import_module(module)
        if not self.available():
            raise RuntimeError(f"{self.name} has no device here")

    def array(self, values: Any) -> Array:
        """``values`` in the widest type that the backend has for them."""
        x = np.asarray(values)
        if x.size == 0 and x.dtype.kind == "f":
            x = x.astype(np.int64)
        if x.dtype.kind == "i":
            x = x.astype(np.int64 if self.has_int64 else np.int32)
        elif x.dtype.kind == "f":
            x = x.astype(np.float64 if self.has_float64 else np.float32)
        return self.of(x)

    def numpy(self, value: Any) -> np.ndarray:
        """A result on the host: a tuple of scores becomes a vector."""
        if isinstance(value, tuple):
            return np.asarray([self.back(x) for x in value])
        return np.asarray(self.back(value))

    def assert_close(self, value: Any, exact: Any, what: str = "value") -> None:
        """Compare a result with exact numbers, to the accuracy that the backend has."""
        assert_close(self.numpy(value), exact, what, float64=self.has_float64)

    def assert_at_home(self, value: Any, like: Array, shape: tuple[int, ...] = ()) -> None:
        """Check that a score is of the library and on the device of ``like``, of the widest float and of this shape."""
        if isinstance(like, np.ndarray):
            if shape == ():
                assert type(value) is np.float64
                assert isinstance(value, float)
            else:
                assert type(value) is np.ndarray
        else:
            assert type(value) is type(like), f"{type(value)} is not {type(like)}"
            assert value.device == like.device, f"{value.device} is not {like.device}"
        assert tuple(value.shape) == shape
        assert self.numpy(value).dtype == (np.float64 if self.has_float64 else np.float32)


def assert_close(found: np.ndarray, exact: Any, what: str = "value", *, float64: bool = True) -> None:
    """Compare one number with an exact one, or a vector with a list of them."""
    several = isinstance(exact, list | tuple)
    shape = (len(exact),) if several else ()
    assert found.shape == shape, f"{what}: got {found}, must be of shape {shape}"
    for x, y in zip(found.reshape(-1).tolist(), exact if several else [exact], strict=True):
        assert is_close(x, y, float64=float64), f"{what}: got {x!r}, must be {float(y)!r}"


def is_close(value: float, exact: Any, *, float64: bool = True) -> bool:
    """Whether a score is as exact as the interface promises.

    With float64 to 1e-14 absolute (of its magnitude, where that is above 1) and, unless it is 0, to 1e-12 relative;
    without, to 1e-5. Above 1 that asks for more than ``is_accurate`` of ``test_accuracy`` does: tables are small here,
    and lose nothing before the last digits.
    """
    exact = real(exact)
    if mp.isnan(exact):
        return bool(np.isnan(value))
    if not np.isfinite(value):
        return False
    error, size = abs(mp.mpf(value) - exact), abs(exact)
    if not float64:
        return bool(error <= 1e-5 * max(1, size))
    zero = size < 1e-50  # what 60 digits leave of a difference that is 0
    return bool(error <= 1e-14 * max(1, size) and (zero or error <= 1e-12 * size))


def _numpy() -> Backend:
    return Backend("numpy", ("numpy",), np.asarray, np.asarray)


with suppress(ImportError, AttributeError):  # names of its own, which a later version may not have
    quicken_strict()


def _strict(name: str, device: str, **limits: Any) -> Backend:
    def of(x: np.ndarray) -> Array:
        import array_api_strict as xp

        return xp.asarray(x, device=xp.Device(device))

    def back(x: Array) -> np.ndarray:
        import array_api_strict as xp

        return np.asarray(x.to_device(xp.Device("CPU_DEVICE")))

    return Backend(name, ("array_api_strict",), of, back, **limits)


def _fixed_shapes() -> AbstractContextManager[Any]:
    from array_api_strict import ArrayAPIStrictFlags

    return ArrayAPIStrictFlags(data_dependent_shapes=False, boolean_indexing=False)


@contextmanager
def as_on_a_device() -> Iterator[None]:
    """Arrays that lie on the host go through their own library, as they would on a GPU."""

    def no(*_: Array) -> bool:  # a Mock takes long to make and to call, and keeps the arrays that it is called with
        return False

    def none(*_: Array) -> None:
        return None

    with ExitStack() as stack:
        for library in libraries():
            stack.enter_context(mock.patch.multiple(library, lies_on_host=no, host_view=none, host_labels=none))
        yield


def libraries() -> list[type]:
    """The classes of all libraries but NumPy."""
    _import_libraries()
    return [base.Backend, *(x for x in base.Backend.__subclasses__() if not x.on_host)]


@cache
def _import_libraries() -> None:
    for module in pkgutil.iter_modules(backends.__path__, f"{backends.__name__}."):
        importlib.import_module(module.name)


@contextmanager
def transfers_to_host() -> Iterator[list[Array]]:
    """The arrays that are copied to the host, but those of NumPy, which lie there."""
    copied: list[Array] = []

    def watched(to_host: Callable[..., Any]) -> Callable[..., Any]:
        return lambda self, x: copied.append(x) or to_host(self, x)

    with ExitStack() as stack:
        for library in libraries():
            if "to_host" in vars(library):
                stack.enter_context(mock.patch.object(library, "to_host", watched(library.to_host)))
        yield copied


@contextmanager
def jax_values_refused() -> Iterator[None]:
    """Raise where a value of a JAX array is read: by float(), int(), bool(), tolist(), nonzero() or jax.device_get.

    On the CPU JAX's own guards let all of these pass. Not seen is np.asarray, which reads the memory of such an array
    without asking JAX: what the library copies by it goes through ``to_host``, and ``transfers_to_host`` sees that.
    """
    import jax

    def refuse(_: Array) -> Any:
        raise AssertionError("a value was read")

    with mock.patch.object(type(jax.numpy.zeros(1)), "_value", property(refuse)):
        yield


def _torch(name: str, device: str, **limits: Any) -> Backend:
    def of(x: np.ndarray) -> Array:
        import torch

        return torch.asarray(np.array(x), device=device)

    return Backend(name, ("torch",), of, lambda x: x.detach().cpu().numpy(), **limits)


def _jax(name: str, x64: bool, platform: str = "cpu", on_device: bool = False, **limits: Any) -> Backend:
    def of(x: np.ndarray) -> Array:
        import jax

        return jax.device_put(x, jax.devices(platform)[0])

    @contextmanager
    def mode() -> Iterator[None]:
        import jax

        with jax.enable_x64(x64), as_on_a_device() if on_device else nullcontext():
            yield

    return Backend(name, ("jax",), of, np.asarray, mode, has_int64=x64, has_float64=x64, compiles=True, **limits)


def _cupy() -> Backend:
    def of(x: np.ndarray) -> Array:
        import cupy

        return cupy.asarray(x)

    def available() -> bool:
        import cupy

        return bool(cupy.cuda.is_available())

    return Backend("cupy", ("cupy",), of, lambda x: x.get(), available=available, gpu=True)


def _torch_has_cuda() -> bool:
    import torch

    return bool(torch.cuda.is_available())


def _jax_has_cuda() -> bool:
    import jax

    try:
        return bool(jax.devices("cuda"))
    except RuntimeError:
        return False


BACKENDS: dict[str, Backend] = {
    backend.name: backend
    for backend in (
        _numpy(),
        _strict("strict", "device1"),  # what is right there is right on CPU_DEVICE, from which NumPy may also read
        _strict("strict-no-float64", "no_float64", has_float64=False),
        _strict("strict-no-x64", "no_x64", has_int64=False, has_float64=False, sorts=False),
        _strict("strict-fixed-shapes", "CPU_DEVICE", mode=_fixed_shapes, finds_sizes=False),
        _torch("torch", "cpu", mode=as_on_a_device),
        _torch("torch-host", "cpu"),
        _jax("jax-x64", True),
        _jax("jax", False, on_device=True),
        _cupy(),
        _torch("torch-cuda", "cuda", available=_torch_has_cuda, gpu=True, adds_in_order=False),
        _jax("jax-cuda", True, "cuda", available=_jax_has_cuda, gpu=True),
    )
}
"""All backends by name. Those on a GPU run only when they are asked for."""
