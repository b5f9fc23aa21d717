"""Arrays of JAX are kept until the kernels that read them have run, and let go of then without a further call."""

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
import jax.numpy as jnp
import numpy as np
import pytest

from gpuval.engines.backends import jax as jax_backend
from gpuval.engines.backends import reading
from gpuval.engines.backends.jax import JAX
from gpuval.engines.cuda import table

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
        return table.margins_of(seen)


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
    reading._waiting.cache_clear()
    with ThreadPoolExecutor(8) as pool:
        kept = [x for some in pool.map(lambda _: [read(jnp.asarray([1])) for _ in range(20)], range(8)) for x in some]
    assert len(kept) == 160
    assert all(map(is_let_go, kept))


STAND_INS = """
import contextlib, os, sys, time
from gpuval.engines.backends.reading import keep_until

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
    assert printed_by("keep_until(Event(), (Array(),))\nprint('end')") == ["end", "let go"]


def test_a_process_that_was_forked_has_a_thread_of_its_own():
    program = """
keep_until(Event(), (Array(),))
time.sleep(0.5)
if (child := os.fork()) == 0:
    keep_until(Event(), (Array(),))
    time.sleep(0.5)
    os._exit(0)
os.waitpid(child, 0)
"""
    assert printed_by(program) == ["let go", "let go"]
