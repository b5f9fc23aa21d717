"""Work on several cores: errors are the caller's, and BLAS has its threads back in the end."""

import os
import subprocess
import sys
import threading
import time

import pytest

from gpuval.numerics import threads


@pytest.fixture(autouse=True)
def two_cores(monkeypatch):
    monkeypatch.setattr(threads, "_cores", lambda: 2)


def test_an_error_is_raised_once():
    calls = []

    def fail(item):
        calls.append(item)
        raise RuntimeError("mine")

    with pytest.raises(RuntimeError, match="mine"):
        threads.parallel_map(fail, range(8))
    assert len(calls) == len(set(calls))


def test_nothing_to_do():
    assert threads.parallel_map(abs, []) == threads.parallel_map_with_blas(abs, []) == []


@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError])
def test_no_item_is_begun_after_an_error(error):
    """Not even while the caller has not heard of it: of two threads only the other one may be within an item."""
    calls = []

    def fail(item):
        calls.append(item)
        raise error

    for _ in range(100):
        calls.clear()
        with pytest.raises(error):
            threads.parallel_map(fail, range(1000))
        assert len(calls) <= 2


def test_the_error_of_a_later_item_is_raised():
    """Also where an item before it was not begun any more."""

    def fail(item):
        time.sleep(0.001 * (item % 3))
        if item >= 5:
            raise ValueError(item)
        return item

    for _ in range(20):
        with pytest.raises(ValueError, match=r"[56]"):
            threads.parallel_map(fail, range(50))


def test_an_interrupt_between_two_items_leaves_no_thread_at_work(monkeypatch):
    """A key is pressed while the items are handed to the threads."""
    from concurrent.futures import ThreadPoolExecutor

    submit, calls = ThreadPoolExecutor.submit, []

    def interrupted(pool, function, item):
        if item == 20:
            raise KeyboardInterrupt
        return submit(pool, function, item)

    monkeypatch.setattr(ThreadPoolExecutor, "submit", interrupted)
    before = set(threading.enumerate())
    with pytest.raises(KeyboardInterrupt):
        threads.parallel_map(lambda item: [calls.append(item), time.sleep(0.2)], range(1000))
    assert len(calls) <= 4
    assert set(threading.enumerate()) <= before


OVERLAPPING = """if True:
    import threading
    import numpy
    from threadpoolctl import ThreadpoolController
    from gpuval.numerics import threads

    def threads_of_blas():
        return max(x["num_threads"] for x in ThreadpoolController().select(user_api="blas").info())

    threads._cores = lambda: 2
    before, within = threads_of_blas(), []
    first_runs, second_runs = threading.Event(), threading.Event()

    def first(item):
        first_runs.set()
        second_runs.wait(10)

    def second(item):
        first_runs.wait(10)
        second_runs.set()
        within.append(threads_of_blas())

    calls = [threading.Thread(target=threads.parallel_map_with_blas, args=(f, range(2))) for f in (first, second)]
    for call in calls:
        call.start()
    for call in calls:
        call.join()
    print(before, max(within), threads_of_blas())
"""


def test_blas_has_its_threads_back():
    """Also where one call begins before another has ended, and ends after it."""
    environment = {**os.environ, "OMP_NUM_THREADS": "2"}
    ran = subprocess.run([sys.executable, "-c", OVERLAPPING], env=environment, capture_output=True, text=True)
    before, within, after = ran.stdout.split() or [ran.stderr] * 3
    assert within == "1"
    assert after == before  # 2, where there are two cores
