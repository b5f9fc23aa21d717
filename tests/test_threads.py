"""Work on several cores: errors are the caller's, and BLAS has its threads back in the end."""

import os
import subprocess
import sys
import time

import pytest

from gpuval import _threads


@pytest.fixture(autouse=True)
def two_cores(monkeypatch):
    monkeypatch.setattr(_threads, "_cores", lambda: 2)


def test_an_error_is_raised_once():
    calls = []

    def fail(item):
        calls.append(item)
        raise RuntimeError("mine")

    with pytest.raises(RuntimeError, match="mine"):
        _threads.mapped(fail, range(8))
    assert len(calls) == len(set(calls))


def test_nothing_to_do():
    assert _threads.mapped(abs, []) == _threads.mapped_with_blas(abs, []) == []


def test_what_is_not_begun_is_not_begun_after_an_error():
    calls = []

    def interrupted(item):
        calls.append(item)
        time.sleep(0.005)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        _threads.mapped(interrupted, range(1000))
    assert len(calls) < 1000


OVERLAPPING = """if True:
    import threading
    import numpy
    from threadpoolctl import ThreadpoolController
    from gpuval import _threads

    def threads_of_blas():
        return max(x["num_threads"] for x in ThreadpoolController().select(user_api="blas").info())

    _threads._cores = lambda: 2
    before, within = threads_of_blas(), []
    first_runs, second_runs = threading.Event(), threading.Event()

    def first(item):
        first_runs.set()
        second_runs.wait(10)

    def second(item):
        first_runs.wait(10)
        second_runs.set()
        within.append(threads_of_blas())

    calls = [threading.Thread(target=_threads.mapped_with_blas, args=(f, range(2))) for f in (first, second)]
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
