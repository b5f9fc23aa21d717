"""How to bring two vectors together: the end of a message about two libraries or two devices."""

from __future__ import annotations

from typing import Any, NamedTuple

from gpuval.engines.backends import backend_of, library_of
from gpuval.numerics import Array

_MADE = {
    "torch": "torch.tensor({host}, device={other}.device)",
    "jax": "jax.numpy.asarray({host})",
    "cupy": "cupy.asarray({host})",
}
_EXCHANGED = {"jax": "jax.numpy.from_dlpack({name})"}
_ON_THE_HOST = {"torch": "{name}.cpu().numpy()", "cupy": "{name}.get()"}
_MOVED = {
    "torch": "{name}.to({other}.device)",
    "jax": "jax.device_put({name}, {other}.device)",
    "cupy": "cupy.asarray({name}) within {other}.device",
}


class Named(NamedTuple):
    """A vector, what it was given as, and what it is called."""

    name: str
    given: Any
    data: Array
    is_text: bool
    """Whether its labels, or some that are missing, have no place in an array on a device."""


def of_one_library(first: Named, second: Named) -> str:
    """What makes two vectors of different libraries one of them."""
    if not (backend_of(first.data).on_host or backend_of(second.data).on_host):
        library = library_of(first.data)
        return _EXCHANGED.get(library, library + ".from_dlpack({name})").format(name=second.name)
    host, other = (first, second) if backend_of(first.data).on_host else (second, first)
    library = library_of(other.data)
    if host.is_text:
        return _ON_THE_HOST.get(library, "numpy.asarray({name})").format(name=other.name)
    held = f"{host.name}.to_numpy()" if hasattr(host.given, "to_numpy") else host.name
    made = _MADE.get(library, library + ".asarray({host}, device={other}.device)")
    return made.format(host=held, other=other.name)


def on_one_device(first: Named, second: Named) -> str:
    """What to do about two arrays of one library on two devices."""
    if "meta" in (str(backend_of(first.data).device(first.data)), str(backend_of(second.data).device(second.data))):
        return "what is on the meta device has no values"
    moved = _MOVED.get(library_of(first.data), "{name}.to_device({other}.device)")
    return f"move one of them: {moved.format(name=second.name, other=first.name)}"
