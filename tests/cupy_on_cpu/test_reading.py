"""Memory that crosses between CuPy and JAX, each of which uses its own again in the order of its own stream.

Arrays of JAX are kept until the kernels that read them have run, and let go of then without a further call. Results of
CuPy are copied by JAX, and kept until that is done.
"""

import ctypes
import gc
import subprocess
import sys
import threading
import time
import weakref
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from unittest import mock

import cupy
import jax
import jax.numpy as jnp
import numpy as np
import pytest

import cupy_on_cpu
from gpuval.engines.backends import jax as jax_backend
from gpuval.engines.backends.jax import JAX, JaxBackend
from gpuval.engines.cuda import statistics

COUNTS = np.arange(12).reshape(3, 4)


pytestmark = pytest.mark.usefixtures("jax_on_device")


@contextmanager
def busy():
    """Within, the device does nothing: who waits for an event waits until after it."""
    idle, synchronize = threading.Event(), cupy.cuda.Event.synchronize

    def when_idle(event):
        idle.wait()
        synchronize(event)

    with mock.patch.object(cupy.cuda.Event, "synchronize", when_idle):
        try:
            yield
        finally:
            idle.set()


def is_let_go(reference):
    """Whether nothing refers to an array, or will not a little later."""
    deadline = time.monotonic() + 10
    while reference() is not None and time.monotonic() < deadline:
        time.sleep(0.001)
    return reference() is None


def read(x):
    """Have it read, and refer to it no more."""
    with JAX.as_cupy(x, None) as (seen, nothing):
        assert nothing is None
        return weakref.ref(seen)


def test_they_are_let_go_of_when_the_device_has_read_them():
    with busy():
        kept = read(jnp.asarray([1, 2]))
        gc.collect()
        time.sleep(0.05)
        assert kept() is not None
    assert is_let_go(kept)


def test_also_after_an_error():
    """A kernel may have been launched before it."""
    with busy():
        stack = ExitStack()
        (seen,) = stack.enter_context(JAX.as_cupy(jnp.asarray([1, 2])))
        with pytest.raises(KeyboardInterrupt), stack:
            raise KeyboardInterrupt
        kept = weakref.ref(seen)
        del seen, stack
        gc.collect()
        assert kept() is not None
    assert is_let_go(kept)


def test_an_interrupt_on_the_way_to_a_view_leaves_the_views_of_what_is_around(monkeypatch):
    """It can come before an inner device is entered, while arrays of an outer one are read."""

    class Interrupted:
        def __enter__(self):
            raise KeyboardInterrupt

        def __exit__(self, *raised):
            pass

    with busy():
        x, y = jnp.asarray([1, 2]), jnp.asarray([3, 4])
        with JAX.as_cupy(x) as (seen,):
            kept = weakref.ref(seen)
            del seen
            with monkeypatch.context() as patch:
                patch.setattr("cupy.cuda.Device", lambda number: Interrupted())
                with pytest.raises(KeyboardInterrupt), JAX.as_cupy(y):
                    pass
        gc.collect()
        assert kept() is not None
    assert is_let_go(kept)


def margins_of_an_array_that_is_dropped():
    with JAX.as_cupy(jnp.asarray(COUNTS)) as (seen,):
        return statistics.margins_of(seen)


def test_kernels_read_what_they_were_given():
    """They run when the caller has forgotten the array."""
    with busy():
        rows, columns, total = margins_of_an_array_that_is_dropped()
        gc.collect()
    assert rows.get().tolist() == COUNTS.sum(axis=1).tolist()
    assert columns.get().tolist() == COUNTS.sum(axis=0).tolist()
    assert total.get() == COUNTS.sum()


def test_a_kernel_that_reads_memory_after_it_was_handed_back_is_found(monkeypatch):
    """What the test above would say if arrays were not kept."""
    monkeypatch.setattr(jax_backend, "_keep_until_read", lambda *_: None)
    rows, _, _ = margins_of_an_array_that_is_dropped()
    assert rows.get().tolist() != COUNTS.sum(axis=1).tolist()


def test_of_a_device_that_has_failed_they_are_let_go():
    with mock.patch.object(cupy.cuda.Event, "synchronize", side_effect=RuntimeError):
        assert is_let_go(read(jnp.asarray([1, 2])))
    assert is_let_go(read(jnp.asarray([1, 2])))  # by the same thread


def test_none_is_lost_between_many_threads():
    jax_backend._wait_queue.cache_clear()
    with ThreadPoolExecutor(8) as pool:
        kept = [x for some in pool.map(lambda _: [read(jnp.asarray([1])) for _ in range(20)], range(8)) for x in some]
    assert len(kept) == 160
    assert all(map(is_let_go, kept))


class LateJax:
    """JAX whose stream is behind: it copies when it comes to that.

    CuPy's stream waits for it once CuPy is shown what JAX has not written yet.
    """

    def __init__(self, monkeypatch):
        self.stream, self.shown = cupy.cuda.Stream(non_blocking=True), cupy.from_dlpack
        monkeypatch.setattr(JaxBackend, "copied", self.copied)
        monkeypatch.setattr("cupy.from_dlpack", self.from_dlpack)

    def copied(self, x):
        found = jax.block_until_ready(jnp.zeros_like(x))
        place = found.unsafe_buffer_pointer()
        assert cupy_on_cpu.device().gpuval_lend(ctypes.c_void_p(place), ctypes.c_size_t(x.nbytes))
        kind = cupy.cuda.runtime.memcpyDeviceToDevice
        cupy.cuda.runtime.memcpyAsync(place, x.unsafe_buffer_pointer(), x.nbytes, kind, self.stream.ptr)
        return found

    def from_dlpack(self, x):
        cupy.cuda.get_current_stream().wait_event(self.stream.record())
        return self.shown(x)

    def catch_up(self, found):
        self.stream.synchronize()
        cupy_on_cpu.device().gpuval_take_back(ctypes.c_void_p(found.unsafe_buffer_pointer()))


def handed_over(numbers):
    """What JAX has of an array of CuPy to which nothing refers any more, and where that was."""
    x = cupy.asarray(numbers)
    found = JAX.from_cupy(x, jnp.asarray([1]))
    return found, x.data.ptr


def test_what_jax_has_not_copied_yet_is_not_written_again(monkeypatch):
    np.testing.assert_array_equal(copied_late(monkeypatch), np.arange(1000.0))


def test_that_it_would_be_is_found(monkeypatch):
    """Without the line that makes CuPy's stream wait."""
    monkeypatch.setattr(LateJax, "from_dlpack", lambda self, x: x)
    np.testing.assert_array_equal(copied_late(monkeypatch), np.zeros(1000))


def copied_late(monkeypatch):
    """What JAX has of an array of CuPy, in whose memory CuPy has written zeros again before JAX comes to the copy."""
    late, pool = LateJax(monkeypatch), cupy.cuda.MemoryPool()
    with cupy.cuda.using_allocator(pool.malloc):
        found, place = handed_over(np.arange(1000.0))
        gc.collect()
        again = cupy.zeros(1000)
        assert again.data.ptr == place
        assert not again.get().any()
    late.catch_up(found)
    return np.array(found)


def test_what_jax_has_is_not_of_cupys_memory():
    """JAX may still have to read it when Python has let go of it."""
    found, place = handed_over(np.arange(1000.0))
    assert found.unsafe_buffer_pointer() != place
    assert cupy.cuda.runtime.pointerGetAttributes(found.unsafe_buffer_pointer()).type == 0  # not the device's


def test_results_are_known_where_jax_traces_what_is_around():
    def doubled(x):
        found, _ = handed_over([1, 2])
        assert not JAX.is_traced(found)
        return x + found

    assert jax.jit(doubled)(jnp.asarray([1, 1])).tolist() == [2, 3]


STAND_INS = """
import contextlib, os, sys, time
from gpuval.engines.backends.jax import _keep_until

class Event:
    def synchronize(self):
        time.sleep(0.2)

class Array:
    device = contextlib.nullcontext()
    def __del__(self):
        print("let go", flush=True)
"""


def printed_by(program):
    ran = subprocess.run([sys.executable, "-c", STAND_INS + program], capture_output=True, text=True, timeout=60)
    assert (ran.returncode, ran.stderr) == (0, "")
    return ran.stdout.split("\n")[:-1]


def test_python_ends_after_the_device_has_read_them():
    assert printed_by("_keep_until(Event(), (Array(),))\nprint('end')") == ["end", "let go"]


def test_a_process_that_was_forked_has_a_thread_of_its_own():
    program = """
_keep_until(Event(), (Array(),))
time.sleep(0.5)
if (child := os.fork()) == 0:
    _keep_until(Event(), (Array(),))
    time.sleep(0.5)
    os._exit(0)
os.waitpid(child, 0)
"""
    assert printed_by(program) == ["let go", "let go"]
