"""In the place of CuPy's module ``runtime``: its functions that need a device, most of them by ``runtime.cpp``.

All else is the module's own: constants, classes, and the functions that are not there, which find no device and say so.
"""

from __future__ import annotations

import ctypes
import types
from pathlib import Path
from typing import Any

from emulator import with_line

from .extensions import kept, replaced

_PROPERTIES = {
    "warpSize": "WarpSize",
    "multiProcessorCount": "MultiProcessorCount",
    "maxThreadsPerBlock": "MaxThreadsPerBlock",
    "maxThreadsPerMultiProcessor": "MaxThreadsPerMultiProcessor",
    "sharedMemPerBlock": "MaxSharedMemoryPerBlock",
    "regsPerBlock": "MaxRegistersPerBlock",
}
"""Properties of a device by the names of its attributes."""


def error_of(status: int, device: ctypes.CDLL) -> Exception:
    """CuPy's exception, with a note that says what was wrong with the last call that failed, and where in a kernel."""
    from cupy_backends.cuda.api.runtime import CUDARuntimeError

    error = CUDARuntimeError(status)
    error.add_note(with_line(device.gpuval_fault().decode(), Path(device.gpuval_library_of_fault().decode())))
    return error


def module(real: types.ModuleType, device: ctypes.CDLL) -> types.ModuleType:
    """The module ``real`` of CuPy, with functions of the library ``device`` in the place of its own."""

    def get_device_properties(number: int) -> dict[str, Any]:
        properties = {"name": b"a device that stands in", "totalGlobalMem": 8 << 30, "major": 9, "minor": 0}
        for name, attribute in _PROPERTIES.items():
            properties[name] = device.gpuval_deviceGetAttribute(getattr(real, f"cudaDevAttr{attribute}"), number, 0)
        return properties

    def pointer_get_attributes(address: int) -> Any:
        kind = device.gpuval_pointerGetMemoryType(ctypes.c_ssize_t(address), 0)
        return real.PointerAttributes(0, address, address, kind)

    by_python = {"getDeviceProperties": get_device_properties, "pointerGetAttributes": pointer_get_attributes}

    made = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_int)(lambda status: error_of(status, device))
    kept.append(made)
    device.gpuval_set_exceptions(ctypes.py_object(real.CUDARuntimeError), made)
    return replaced(real, by_python, device)
