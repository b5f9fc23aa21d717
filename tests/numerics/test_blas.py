"""Products of matrices that stay in the thread that asks for them."""

import os
import subprocess
import sys
import threading
from types import SimpleNamespace

import numpy as np
import pytest

from gpuval.numerics import parallel


def library(name, n_threads, called):
    def of_this_thread(n):
        called.append((name, n, threading.get_ident()))

    handle = SimpleNamespace(MKL_Set_Num_Threads_Local=of_this_thread)
    return SimpleNamespace(internal_api=name, num_threads=n_threads, dynlib=handle)


@pytest.fixture
def in_thread():
    def run(function):
        found = []
        thread = threading.Thread(target=lambda: found.append(function()))
        thread.start()
        thread.join()
        return found[0]

    return run


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(
    "shape", [(256, 52, 1024), (1, 700, 1000), (65, 65, 65), (300, 1, 999), (63, 129, 77), (70, 4000, 1)]
)
@pytest.mark.parametrize("order", ["C", "F"])
def test_small_products_add_up(shape, dtype, order, in_thread, monkeypatch):
    """Integers, of which every sum is exact."""
    (m, k, n), rng = shape, np.random.default_rng(0)
    x, y = rng.integers(-9, 10, size=(m, k)), rng.integers(-9, 10, size=(k, n))
    monkeypatch.setattr(parallel, "_libraries", lambda: [library("openblas", 2, [])])

    def product():
        parallel.stay_in_this_thread()
        return parallel.product(x.astype(dtype), y.T.astype(dtype, order=order))

    found = in_thread(product)
    assert found.dtype == dtype
    assert np.array_equal(found, x @ y)


def test_nothing_to_multiply():
    assert parallel.product(np.empty((3, 0)), np.empty((2, 0))).tolist() == [[0, 0]] * 3
    assert parallel.product(np.empty((0, 3)), np.empty((2, 3))).shape == (0, 2)


PRODUCTS = """if True:
    import sys, time
    import numpy as np
    from gpuval.numerics import parallel
    if sys.argv[1] == "alone":
        parallel.stay_in_this_thread()
    x, y = np.ones((256, int(sys.argv[2]))), np.ones((1000, int(sys.argv[2])))
    time.sleep(0.3)  # threads of BLAS that have just started are awake for a while
    all_threads, this_thread = time.process_time(), time.thread_time()
    while time.thread_time() - this_thread < 0.3:
        parallel.product(x, y)
    print((time.process_time() - all_threads) / (time.thread_time() - this_thread))
"""


@pytest.mark.parametrize("n_terms", [52, 300])
def test_products_take_time_of_their_thread_alone(n_terms):
    """By the time that all threads of the process take; where they do not stay, several take it."""
    taken = {}
    for how in ("alone", "together"):
        environment = {name: x for name, x in os.environ.items() if not name.endswith("_NUM_THREADS")}
        command = [sys.executable, "-c", PRODUCTS, how, str(n_terms)]
        taken[how] = float(subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE).stdout)
    assert taken["alone"] < 1.1
    assert taken["together"] > 1.2 or len(os.sched_getaffinity(0)) == 1


def test_limits_that_threads_have_for_themselves(in_thread, monkeypatch):
    """MKL's is set where the products are, and OpenBLAS's, which is that of the process, nowhere."""
    called = []
    libraries = [library("mkl", 4, called), library("openblas", 4, called)]
    monkeypatch.setattr(parallel, "_libraries", lambda: libraries)

    def begin():
        parallel.stay_in_this_thread()
        return threading.get_ident()

    ident = in_thread(begin)
    assert called == [("mkl", 1, ident)]


@pytest.mark.parametrize(
    ("libraries", "expected"),
    [
        (None, 1),
        ([("openblas", 4)], 4),
        ([("openblas", 4), ("mkl", 2)], 2),
        ([("openblas", 1)], 1),
        ([("openblas", 4), ("blis", 4)], 1),
        ([("openblas", 4), ("blis", 1)], 1),
        ([("flexiblas", 4)], 1),
        ([], sys.maxsize),
    ],
)
def test_how_many_threads_may_ask(libraries, expected, monkeypatch):
    """Those of other libraries would set theirs to work for each of several threads, so only one asks."""
    found = None if libraries is None else [library(*x, []) for x in libraries]
    monkeypatch.setattr(parallel, "_libraries", lambda: found)
    assert parallel.blas_threads() == expected
