"""JAX: sums by code are scatters of fixed shape, which can be traced; arrays are immutable."""

from __future__ import annotations

import atexit
import functools
import os
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from queue import SimpleQueue
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from gpuval.engines.backends.base import OF_GIVEN_SIZES, Backend, Kind, Widest, distance_terms
from gpuval.engines.backends.numpy import KINDS
from gpuval.numerics import NDArray
from gpuval.numerics.stable import root

_config: Any = jax.config

_views = threading.local()
"""``of_thread``: the views that kernels read which this thread launches now."""


class JaxBackend(Backend):
    """JAX: arrays may be tracers, and may lie on several devices."""

    is_writable = False

    def kind(self, x: jax.Array) -> Kind:
        if not isinstance(x.dtype, np.dtype):
            return "other"  # keys of random numbers
        return super().kind(x)

    def widest(self, x: jax.Array) -> Widest:  # the namespace would look at every dtype, each time
        xp = self.xp
        wide = bool(_config.jax_enable_x64)
        return Widest(xp.int64, xp.float64, True) if wide else Widest(xp.int32, xp.float32, False)

    def equals(self, x: jax.Array, number: int) -> jax.Array:
        same: jax.Array = x == x.dtype.type(number)  # not by way of a signed type
        return same

    def has_positions(self, x: jax.Array) -> bool:
        return True

    def pairwise(self, x: jax.Array, y: jax.Array, metric: str) -> jax.Array:
        found = _sums_of_differences(x, y, metric)
        distances: jax.Array = root(found, self.xp) if metric == "euclidean" else found
        return distances

    def at_once(self, function: Callable[..., Any], *arrays: Any) -> Any:
        return function(*arrays) if self._is_compiled() else _compiled(function, *arrays)

    def repeated(self, step: Callable[[Any], Any], state: Any, times: Any) -> Any:  # compiled once, not step by step
        return jax.lax.fori_loop(0, times, lambda _, x: step(x), _vary_state(step, state))

    def number_of_steps(self, needed: jax.Array, most: int) -> jax.Array:
        steps: jax.Array = needed.astype(self.widest(needed).int)
        return steps

    def are_together(self, x: jax.Array, y: jax.Array) -> bool:
        if self.is_traced(x) or self.is_traced(y):
            return True
        return not (x.committed and y.committed) or x.devices() == y.devices()

    def zeros_beside(self, shape: tuple[int, ...], dtype: Any, like: jax.Array) -> jax.Array:
        if self.is_traced(like):  # inside jax.shard_map they vary over the axes of the mesh over which ``like`` does
            return jnp.zeros_like(like, dtype=dtype, shape=shape)
        return jnp.zeros(shape, dtype=dtype, device=self._device_beside(like))

    def arange_beside(self, start: int, stop: int, dtype: Any, like: jax.Array) -> jax.Array:
        integers: jax.Array = self.xp.arange(start, stop, dtype=dtype, device=self._device_beside(like))
        return integers

    def _device_beside(self, like: jax.Array) -> Any:
        """Where to make what is to be beside ``like``; None where JAX chooses, as for several devices."""
        free = self.is_traced(like) or len(like.devices()) > 1 or not like.committed
        return None if free else self.device(like)

    def is_on_gpu(self, x: jax.Array) -> bool:
        if self.is_traced(x) or np.dtype(x.dtype).kind not in KINDS:  # int4 has no DLPack
            return False
        (first, *others) = x.devices()
        return first.platform in ("gpu", "cuda") and not others

    def free_bytes(self, x: jax.Array) -> int | None:
        if self.is_traced(x):
            return None
        known = next(iter(x.devices())).memory_stats() or {}
        return int(known["bytes_limit"] - known["bytes_in_use"]) if "bytes_limit" in known else None

    def is_traced(self, x: jax.Array) -> bool:
        return isinstance(x, jax.core.Tracer)

    def makes_tracers(self, x: jax.Array) -> bool:
        return self.is_traced(x) or self._is_compiled()

    def _is_compiled(self) -> bool:
        """Whether jax.jit traces now: then all that is computed is traced. No function takes less time than this."""
        return self.is_traced(jax.lax.stop_gradient(_zero()))

    def without_gradient(self, x: jax.Array) -> jax.Array:
        return jax.lax.stop_gradient(x) if self.is_traced(x) else x

    def with_slopes(
        self, function: Callable[..., jax.Array], slopes: Callable[..., tuple[Any, ...]], *arrays: jax.Array
    ) -> jax.Array:
        found: jax.Array = _with_slopes(function, slopes, *arrays)
        return found

    def host_step(
        self,
        function: Callable[..., NDArray],
        of: str,
        arrays: tuple[jax.Array, ...],
        flags: Mapping[str, float],
        shape: tuple[int, ...],
    ) -> jax.Array:
        constants = [jax.lax.stop_gradient(x) for x in arrays]  # no derivative goes through the host
        like = jax.ShapeDtypeStruct(shape, self.widest(arrays[0]).float)  # type: ignore[no-untyped-call]
        step = functools.partial(_call_on_host, function, of, np.dtype(like.dtype), **flags)
        found: jax.Array = jax.pure_callback(step, like, *constants, vmap_method="broadcast_all")
        return found

    def to_host(self, x: jax.Array) -> NDArray:
        if self.is_traced(x):
            raise TypeError(
                "this function needs a value on the host, and inside jax.jit, jax.vmap and jax.grad it is not known "
                f"yet: {OF_GIVEN_SIZES}"
            )
        return np.asarray(x)

    def lies_on_host(self, x: jax.Array) -> bool:
        if self.is_traced(x):
            return False
        (first, *others) = x.devices()
        return first.platform == "cpu" and not others  # else its parts lie apart

    def host_view(self, x: jax.Array) -> NDArray | None:
        if not self.lies_on_host(x):
            return None
        host = np.asarray(x)
        return host if host.dtype.kind in KINDS else None  # not what NumPy has no arithmetic for, such as int4

    def from_host(self, x: Any, like: jax.Array) -> jax.Array:
        # With several devices JAX picks the sharding from the shape; an uncommitted array may be moved, so that it is
        # not pinned here.
        x = np.asarray(x)
        made: jax.Array = self.xp.asarray(x, dtype=self._dtype_from(x, like), device=None)
        if self.is_traced(like) or self.is_traced(made):  # while jax.jit traces, all that is made is
            return made
        if len(where := like.devices()) > 1 or (not like.committed and made.devices() == where):
            return made
        placed: jax.Array = self.xp.asarray(made, device=self.device(like))
        return placed

    def copied(self, x: jax.Array) -> jax.Array:
        copy: jax.Array = self.xp.array(x, copy=True)
        return copy

    def user_array(self, x: jax.Array) -> jax.Array:
        return x

    @contextmanager
    def entered(self, like: Any) -> Iterator[None]:
        import cupy

        outer: list[Any] | None = getattr(_views, "of_thread", None)
        own: list[Any] = []
        with cupy.cuda.Device(like.__dlpack_device__()[1]):
            try:
                _views.of_thread = own
                yield
            finally:
                _views.of_thread = outer  # before all that an interrupt can end
                _keep_until_read(tuple(own), cupy)

    def to_cupy(self, x: jax.Array) -> Any:
        import cupy

        view = cupy.from_dlpack(x)
        _views.of_thread.append(view)
        return view

    def from_cupy(self, x: Any, like: jax.Array) -> jax.Array:
        if x.dtype.itemsize == 8 and not self.widest(like).is_64bit:
            x = x.astype(f"{x.dtype.kind}4")
        return _copy_from_cupy(x)

    def matmul(self, x: jax.Array, y: jax.Array) -> jax.Array:
        # Without 64 bits the widest float has 32, of which a GPU takes the first 11 bits unless it is asked for all.
        return jnp.matmul(self.as_real(x, x), self.as_real(y, y), precision=jax.lax.Precision.HIGHEST)

    def cumulative_max(self, x: jax.Array) -> jax.Array:
        return jax.lax.cummax(x, axis=x.ndim - 1)

    def until_same(self, step: Callable[[jax.Array], jax.Array], x: jax.Array, most: int, looks: bool) -> jax.Array:
        if not self.is_traced(x):  # else each call would compile its own loop
            plain: jax.Array = super().until_same(step, x, most, looks)
            return plain

        def again(state: tuple[jax.Array, ...]) -> tuple[jax.Array, ...]:
            following = step(state[0])
            return following, jnp.any(following != state[0])

        first = _vary_state(again, (x, jnp.asarray(True)))
        found: jax.Array = jax.lax.while_loop(lambda state: state[1], again, first)[0]
        return found

    def count(self, codes: jax.Array, size: int) -> jax.Array:
        return self.total(jnp.ones(codes.shape, dtype=int), codes, size)

    def total(self, values: jax.Array, codes: jax.Array, size: int) -> jax.Array:
        return self.add(self.zeros_beside((size,), values.dtype, codes), values, codes)

    def add(self, sums: jax.Array, values: jax.Array, codes: jax.Array) -> jax.Array:
        return sums.at[codes].add(values)

    def largest(self, values: jax.Array, codes: jax.Array, size: int) -> jax.Array:
        return self.zeros_beside((size,), values.dtype, codes).at[codes].max(values)


def _vary_state(step: Callable[[Any], Any], state: tuple[jax.Array, ...]) -> tuple[jax.Array, ...]:
    """The same first state of a loop; inside jax.shard_map it varies over the axes of the mesh over which the next do.

    JAX takes no other. What the step is called for here is not computed, as nothing takes its values.
    """
    if not jax.sharding.get_abstract_mesh().manual_axes:
        return state
    for _ in state:  # as one array may get its axes from another, which gets them from a third
        following = step(state)
        if all(jax.typeof(x) == jax.typeof(y) for x, y in zip(state, following, strict=True)):
            break
        state = tuple(jnp.where(False, y, x) for x, y in zip(state, following, strict=True))
    return state


@functools.partial(jax.jit, static_argnums=0)
def _compiled(function: Callable[..., Any], *arrays: Any) -> Any:
    return function(*arrays)


@functools.partial(jax.custom_jvp, nondiff_argnums=(0, 1))
def _with_slopes(function: Callable[..., jax.Array], _: Any, *arrays: jax.Array) -> jax.Array:
    return function(*arrays)


@_with_slopes.defjvp
def _slope(
    function: Callable[..., jax.Array], slopes: Callable[..., tuple[Any, ...]], arrays: Any, tangents: Any
) -> tuple[jax.Array, jax.Array]:
    parts = [
        slope * x for slope, x in zip(slopes(*arrays), tangents, strict=True) if not isinstance(slope, float) or slope
    ]
    return _with_slopes(function, slopes, *arrays), sum(parts[1:], parts[0])


@functools.cache
def _zero() -> jax.Array:
    """An array whose value is known, also where it is first asked for within a trace."""
    with jax.ensure_compile_time_eval():
        return jnp.zeros((), jnp.float32)


def _call_on_host(function: Callable[..., NDArray], of: str, dtype: Any, *arrays: jax.Array, **flags: float) -> NDArray:
    return np.asarray(function(of, *map(np.asarray, arrays), **flags), dtype=dtype)


def _keep_until_read(seen: tuple[Any, ...], cupy: Any) -> None:
    """Keep arrays of JAX until the kernels that were launched have read them: JAX would use their memory again."""
    if seen:
        read = cupy.cuda.Event(block=True, disable_timing=True)  # who waits for it sleeps
        read.record()
        _keep_until(read, seen)


def _copy_from_cupy(x: Any) -> jax.Array:
    """An array of CuPy, in memory of JAX.

    A view would go back to CuPy's pool as soon as Python has no name for it. CuPy would write into it again, in the
    order of its own stream, while JAX's stream may still have to read it. So JAX copies it. Each of the three lines
    makes one stream wait for the other, and not the host:

    1. JAX's stream waits for the kernels on CuPy's stream, which write ``x``;
    2. the copy is made on JAX's stream, and JAX uses its own memory again in the order of its own streams;
    3. CuPy's stream waits for the copy. Only now may ``x`` be let go of: what CuPy writes there again comes later.
    """
    import cupy

    view = jnp.from_dlpack(x)
    with jax.ensure_compile_time_eval():  # now, also within a function that jax.jit traces
        found = JAX.copied(view)
    cupy.from_dlpack(found)
    return found


@functools.partial(jax.jit, static_argnames="metric")
def _sums_of_differences(x: jax.Array, y: jax.Array, metric: str) -> jax.Array:
    """All features at once: XLA makes one loop of it, without the differences in memory."""
    found: jax.Array = jnp.sum(distance_terms(x[:, None, :] - y[None, :, :], metric, jnp), axis=-1)
    return found


JAX = JaxBackend(jnp)


# Keep arrays alive until kernels have read them; their library does not know that the memory is still in use.
#
# A library reuses the memory of an array as soon as nothing refers to it. It orders this by its own streams only, and
# does not know of kernels on CuPy's stream. So a thread waits for the event after which an array is not read any more,
# and then releases it. The thread sleeps while there is nothing to wait for.

_Read = tuple[Any, tuple[Any, ...]]
"""An event, and the arrays of CuPy that are read until it has passed; without an event the thread ends."""


def _keep_until(event: Any, arrays: tuple[Any, ...]) -> None:
    """Keep arrays of CuPy, of which there are some, until an event on their device has passed."""
    _wait_queue(os.getpid()).put((event, arrays))


@functools.lru_cache(1)
def _wait_queue(process: int) -> SimpleQueue[_Read]:
    """What the thread of this process waits for: one that was forked has no thread of the process before it.

    Of two that are made at once one is forgotten; its thread lets go of what it was given all the same.
    """
    queue: SimpleQueue[_Read] = SimpleQueue()
    thread = threading.Thread(target=_let_go_of_all, args=(queue,), name="gpuval-reading", daemon=True)
    thread.start()
    atexit.register(_end, queue, thread)
    return queue


def _let_go_of_all(queue: SimpleQueue[_Read]) -> None:
    while _let_go(*queue.get()):  # no name here refers to arrays while the thread waits for the next ones
        pass


def _let_go(event: Any, arrays: tuple[Any, ...]) -> bool:
    """Wait for an event, without Python's lock; the arrays are let go of on return. Whether there was an event."""
    if event is None:
        return False
    # A new thread is on the first device, and would take memory there for a context.
    with suppress(Exception), arrays[0].device:  # of a device that has failed nothing reads the memory any more
        event.synchronize()
    return True


def _end(queue: SimpleQueue[_Read], thread: threading.Thread) -> None:
    """Let go of all before Python ends, as no thread may come back from a wait to a Python that is gone."""
    queue.put((None, ()))
    thread.join()
