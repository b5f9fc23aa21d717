"""A device without a GPU: memory that is handed out again, steps in order, and arrays whose values the host cannot see.

It is as strict as a GPU where host code could be wrong unseen. Memory that is given back is filled with a pattern, and
is the next that is handed out. While the device is busy, what it is told waits, and the host goes on. The library sees
a value by ``get`` alone, which is recorded; tests may look at all.
"""

from __future__ import annotations

import sys
import threading
import types
import weakref
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn
from unittest import mock

import numpy as np
from emulator import ALIGNMENT, root_of

ATTRIBUTES = {
    "MultiProcessorCount": 2,
    "MaxThreadsPerMultiProcessor": 512,
    "MaxSharedMemoryPerBlockOptin": 227 << 10,
    "MaxSharedMemoryPerMultiprocessor": 228 << 10,
    "MaxRegistersPerBlock": 1 << 16,
    "MaxRegistersPerMultiprocessor": 1 << 16,
}
"""Those of an H100, but for a few processors of few threads: that is quicker."""

_contexts = threading.local()


def entered() -> list[str]:
    """The devices and streams in whose context a thread is."""
    if not hasattr(_contexts, "names"):
        _contexts.names = []
    names: list[str] = _contexts.names
    return names


class Device:
    """A device as CuPy names it, and as what is entered to use it."""

    attributes = ATTRIBUTES

    def __init__(self, number: int) -> None:
        self.id = number

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Device) and other.id == self.id

    def __hash__(self) -> int:
        return hash(self.id)

    def __enter__(self) -> None:
        entered().append(f"device {self.id}")

    def __exit__(self, *_: object) -> None:
        entered().pop()


# Memory

PATTERN = 0xA5
"""Of memory that nobody has written since it was handed out."""
_UNIT, _MOST_KEPT = 512, 1 << 20
"""Bytes that sizes of memory are multiples of; larger pieces than the latter go back to the system."""


class Pool:
    """Memory of a device, which is handed out by its address: of a size the piece that came back last."""

    def __init__(self) -> None:
        self.taken: dict[int, np.ndarray] = {}
        self._free: dict[int, list[np.ndarray]] = defaultdict(list)

    def allocate(self, size: int) -> int:
        free = self._free[-(-size // _UNIT) * _UNIT + ALIGNMENT]
        room = free.pop() if free else np.full(-(-size // _UNIT) * _UNIT + ALIGNMENT, PATTERN, np.uint8)
        address = room.ctypes.data + -room.ctypes.data % ALIGNMENT
        self.taken[address] = room
        return int(address)

    def give_back(self, address: int) -> None:
        room = self.taken.pop(address)
        room[:] = PATTERN
        if room.size <= _MOST_KEPT:
            self._free[room.size].append(room)


Allocator = tuple[Callable[[int], int], Callable[[int], None]]
"""What hands out memory of a size, and what takes it back by its address."""

pool = Pool()
allocators: list[Allocator] = [(pool.allocate, pool.give_back)]
"""Where memory is from: the last one counts."""


class _Piece:
    """Memory as NumPy takes it: its arrays keep it, and after the last of them it goes back in the device's order."""

    def __init__(self, size: int) -> None:
        allocate, self._give_back = allocators[-1]
        self._address = allocate(size)
        data = (self._address, False)
        self.__array_interface__ = {"version": 3, "shape": (size,), "typestr": "|u1", "data": data}

    def __del__(self) -> None:
        give_back, address = self._give_back, self._address
        in_order(lambda: give_back(address))


# What the device does, and when

idle = threading.Event()
"""Whether the device has done all that it was told."""
idle.set()
_waiting: list[Callable[[], None]] = []


def in_order(step: Callable[[], None]) -> None:
    """Do a step when all before it are done."""
    if idle.is_set():
        step()
    else:
        _waiting.append(step)


@contextmanager
def busy() -> Iterator[None]:
    """Within, the device does nothing; after it all that it was told, in order."""
    idle.clear()
    try:
        yield
        while _waiting:
            _waiting.pop(0)()
    finally:
        _waiting.clear()
        idle.set()


# Arrays

seen: list[tuple[int, ...]] = []
"""The shapes of what was copied to the host."""


class HandedBackError(Exception):
    """A kernel was to read memory that another library may have used again before it ran."""


class ndarray(np.ndarray):  # noqa: N801 - its name in CuPy
    """An array on the device."""

    @property
    def device(self) -> Any:
        return Device(0)

    @property
    def data(self) -> Any:
        return types.SimpleNamespace(ptr=self.__array_interface__["data"][0])

    def get(self) -> np.ndarray:
        """A copy on the host, which waits for the device."""
        assert idle.is_set(), "the host waits for a value"
        seen.append(self.shape)
        return np.array(self)

    def __array_wrap__(self, found: Any, context: Any = None, return_scalar: bool = False) -> Any:
        """Results are arrays, those of one number too."""
        assert idle.is_set(), "arithmetic is done at once here, and the device is busy"
        return found if isinstance(found, ndarray) else placed(found)

    def __getitem__(self, key: Any) -> Any:
        """A view, or a copy by indices; an array of one number too."""
        found = super().__getitem__(key)
        whole = key if isinstance(key, tuple) else (key,)
        return found if isinstance(found, np.ndarray) else super().__getitem__((*whole, ...))

    def __float__(self) -> float:
        _refuse_the_library("float()")
        return float(np.asarray(self))

    def __int__(self) -> int:
        _refuse_the_library("int()")
        return int(np.asarray(self))

    def __index__(self) -> int:
        _refuse_the_library("an index")
        return int(np.asarray(self))

    def __bool__(self) -> bool:
        _refuse_the_library("bool()")
        return bool(np.asarray(self))

    def __iter__(self) -> Any:
        _refuse_the_library("iteration")
        return super().__iter__()

    def item(self, *at: Any) -> Any:
        _refuse_the_library("item()")
        return super().item(*at)

    def tolist(self) -> Any:
        _refuse_the_library("tolist()")
        return super().tolist()


def _refuse_the_library(what: str) -> None:
    """Raise if it is the library that looks at a value on the device, and not a test."""
    if sys._getframe(2).f_globals.get("__name__", "").startswith("gpuval."):
        _refuse(what)


def _refuse(what: str) -> NoReturn:
    raise TypeError(f"values on the device are seen by get() alone, got {what}")


@contextmanager
def values_refused() -> Iterator[None]:
    """Within, ``np.asarray`` and ``np.array`` refuse arrays on the device; their own methods always do."""

    def refusing(make: Any) -> Any:
        def made(x: Any, *args: Any, **options: Any) -> Any:
            if isinstance(x, ndarray):
                _refuse_the_library(make.__name__)
            return make(x, *args, **options)

        return made

    with mock.patch.object(np, "asarray", refusing(np.asarray)), mock.patch.object(np, "array", refusing(np.array)):
        yield


def placed(x: Any, *, filled: bool = True) -> ndarray:
    """An array of its own memory on the device: a copy of one of the host, or with nothing written yet."""
    x = np.asanyarray(x)
    size = x.nbytes
    memory = np.asarray(_Piece(size)) if size else np.empty(0, np.uint8)
    found = memory.view(x.dtype).reshape(x.shape).view(ndarray)
    if filled:
        found[...] = x
    return found


def on_device(x: Any, shift: int = 0, dtype: Any = None) -> ndarray:
    """A copy on the device; of a vector, with a shift, one that starts so many elements behind the start of memory."""
    x = np.array(x, dtype=dtype)
    return placed(np.concatenate([np.zeros(shift, dtype=x.dtype), x]))[shift:] if shift else placed(x)


# Arrays of other libraries

_elsewhere: dict[int, Any] = {}
"""Memory that a library uses again in an order that is not the device's here, by the identity of its first array."""


def shared(first: np.ndarray, *, ordered: bool) -> ndarray:
    """An array of another library, without a copy; ordered if that uses the memory again on the stream of now only."""
    if not ordered:
        key = id(first)
        _elsewhere[key] = weakref.ref(first, lambda _: _elsewhere.pop(key))
    return first.view(ndarray)


def as_argument(x: np.ndarray) -> Callable[[], np.ndarray | None]:
    """What a kernel has of an array: a function that gives the array when it runs, or None, the null pointer.

    It does not keep memory of which another library decides when it is used again.
    """
    first = root_of(x)
    if not first.size:  # an allocation of no bytes has no address
        return lambda: None
    if id(first) not in _elsewhere:
        return lambda: np.asarray(x)
    begin, size = x.ctypes.data - first.ctypes.data, x.nbytes
    reference, dtype, shape = weakref.ref(first), x.dtype, x.shape

    def found() -> np.ndarray:
        memory = reference()
        if memory is None:
            raise HandedBackError("the memory of an argument was handed back before the kernel ran")
        return memory.reshape(-1).view(np.uint8)[begin : begin + size].view(dtype).reshape(shape)

    return found
