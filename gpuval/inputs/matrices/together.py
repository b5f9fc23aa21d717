"""The arrays of the arguments of one call: their NumPy views, and how they are brought to one device."""

from __future__ import annotations

from collections.abc import Mapping

from gpuval.engines.backends import Backend, backend_of
from gpuval.numerics import Array

Arrays = Mapping[str, Array | None]
"""Arrays by the names of the arguments that they were given as; None for what was not given."""


def host_views(arrays: Arrays) -> dict[str, Array | None] | None:
    """NumPy views of all arrays; None if one has no view: it is on a device, is traced, or needs a gradient."""
    views: dict[str, Array | None] = {}
    for name, x in arrays.items():
        views[name] = None if x is None else host_view(x)
        if x is not None and views[name] is None:
            return None
    return views


def host_view(x: Array) -> Array | None:
    """A NumPy view of an array on the host; numbers of a half precision type that NumPy lacks become wider ones."""
    backend = backend_of(x)
    if backend.on_host:
        return x
    view = backend.host_view(x)
    if view is None and backend.lies_on_host(x) and backend.kind(x) == "real":
        return backend.host_view(backend.in_32_bits(x))
    return view


def brought(arrays: Arrays, like: Array) -> dict[str, Array | None]:
    """All arrays in the library and on the device of ``like``, or where a traced one is."""
    given = [x for x in arrays.values() if x is not None]
    like = next((x for x in given if backend_of(x).is_traced(x)), like)
    backend: Backend = backend_of(like)
    return {
        name: backend.from_host(x, like) if x is not None and backend_of(x).on_host else x for name, x in arrays.items()
    }
