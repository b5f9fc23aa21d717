"""Copies of compiled modules of CuPy in which some functions are others.

CuPy's modules find each other's C functions by name and signature, in a table of the module that has them.
"""

from __future__ import annotations

import ctypes
import re
import types
from collections.abc import Callable, Mapping
from ctypes import pythonapi
from typing import Any

kept: list[Any] = []
"""What only C code refers to."""

_TYPES = {
    "int": ctypes.c_int,
    "unsignedint": ctypes.c_uint,
    "float": ctypes.c_float,
    "size_t": ctypes.c_size_t,
    "intptr_t": ctypes.c_ssize_t,
    "PyObject*": ctypes.py_object,
}

pythonapi.PyCapsule_GetName.restype, pythonapi.PyCapsule_GetName.argtypes = ctypes.c_void_p, [ctypes.py_object]
pythonapi.PyCapsule_New.restype = ctypes.py_object
pythonapi.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]


def replaced(
    real: types.ModuleType, by_python: Mapping[str, Callable[..., Any]], library: ctypes.CDLL | None = None
) -> types.ModuleType:
    """A copy of a module, with functions of Python, and with those that a library has as ``gpuval_<name>``.

    Those of Python must not raise where C code calls them.
    """
    made = types.ModuleType(real.__name__)
    vars(made).update(vars(real))
    table = made.__pyx_capi__ = dict(real.__pyx_capi__)  # type: ignore[attr-defined]
    for name, capsule in real.__pyx_capi__.items():
        place = pythonapi.PyCapsule_GetName(capsule)
        signature = ctypes.string_at(place).decode()
        if name in by_python:
            prototype, n_parameters = _prototype(signature)
            call = prototype(lambda *given, name=name, n=n_parameters: by_python[name](*given[:n]))
            kept.append(call)
            setattr(made, name, by_python[name])
        elif library is not None and hasattr(library, f"gpuval_{name}"):
            call = getattr(library, f"gpuval_{name}")
            own = ctypes.c_char_p.in_dll(library, f"signature_of_{name}").value or b""
            if own.decode().replace(" ", "") != signature.replace(" ", ""):
                raise ImportError(f"{name} is {own.decode()} here, but CuPy has {signature}")
            setattr(made, name, _callable(call, signature))
        else:
            continue
        table[name] = pythonapi.PyCapsule_New(ctypes.cast(call, ctypes.c_void_p), place, None)
    return made


def _prototype(signature: str) -> tuple[Any, int]:
    """What ctypes calls a signature, and how many parameters it has without those that Cython adds."""
    result, parameters = re.fullmatch(r"(.*?)\s*\((.*)\)", signature).groups()  # type: ignore[union-attr]
    names = [x.strip() for x in parameters.split(",") if x.strip() != "void"]
    types_ = [_type(x.replace("__pyx_skip_dispatch", "")) for x in names]
    return ctypes.PYFUNCTYPE(_type(result), *types_), sum("__pyx" not in x for x in names)


def _type(name: str) -> Any:
    name = name.replace(" ", "")
    if "__pyx_obj" in name:
        return ctypes.py_object
    return _TYPES.get(name, ctypes.c_void_p)


def _callable(call: Any, signature: str) -> Any:
    """A function of Python; what Cython adds to the parameters is 0."""
    prototype, _ = _prototype(signature)
    n = len(prototype._argtypes_)
    called = prototype(ctypes.cast(call, ctypes.c_void_p).value)
    return lambda *given: called(*given, *(0 for _ in range(n - len(given))))
