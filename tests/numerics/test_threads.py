"""Work on several cores: errors are the caller's, nothing is at work after them, and limits are the user's."""

import gc
import json
import os
import signal
import subprocess
import sys
import threading
import time
import weakref
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
import threadpoolctl

import gpuval
from gpuval.numerics import parallel


@pytest.fixture(autouse=True)
def two_cores(monkeypatch):
    monkeypatch.setattr(parallel, "allowed_threads", lambda: 2)


def test_an_error_is_raised_once():
    calls = []

    def fail(item):
        calls.append(item)
        raise RuntimeError("mine")

    with pytest.raises(RuntimeError, match="mine"):
        parallel.parallel_map(fail, range(8))
    assert len(calls) == len(set(calls))


def test_nothing_to_do():
    assert parallel.parallel_map(abs, []) == parallel.parallel_map_with_blas(abs, []) == []


@pytest.fixture
def three_threads(monkeypatch):
    """Also where BLAS has one."""
    monkeypatch.setattr(parallel, "allowed_threads", lambda: 3)
    monkeypatch.setattr(parallel, "blas_threads", lambda: 3)


def test_sums_go_by_the_order_of_the_items(three_threads):
    """The first item is ready after others, and one thread at a time adds."""
    eighth, adding, added = threading.Event(), threading.Lock(), []

    def function(item):
        if item == 0:
            assert eighth.wait(60)
        if item == 7:
            eighth.set()
        return item

    def add(item):
        assert adding.acquire(blocking=False)
        time.sleep(0.001)
        added.append(item)
        adding.release()

    parallel.parallel_sum_with_blas(function, range(50), add)
    assert added == list(range(50))


def wait_until_it_stays(calls):
    """Until no more calls come, of which there are some more than may wait: their number."""
    end, n = time.monotonic() + 60, -1
    while n != len(calls) or (n <= parallel._WAITING and time.monotonic() < end):
        n = len(calls)
        time.sleep(0.1)
    return n


def test_few_results_wait(three_threads):
    """The other threads do not run ahead of one that is slow."""
    calls, added, ahead = [], [], []

    def function(item):
        calls.append(item)
        if item == 0:
            ahead.append(wait_until_it_stays(calls))
        return item

    parallel.parallel_sum_with_blas(function, range(100), added.append)
    assert parallel._WAITING < ahead[0] <= parallel._WAITING + 3
    assert added == list(range(100))


def test_an_error_ends_a_sum(three_threads):
    """An error of the item whose turn it is, while other threads wait for it: nothing is added after it."""
    calls, added = [], []

    def fail(item):
        calls.append(item)
        if item == 5:
            wait_until_it_stays(calls)
            raise RuntimeError("mine")
        return item

    with pytest.raises(RuntimeError, match="mine"):
        parallel.parallel_sum_with_blas(fail, range(100), added.append)
    assert added == list(range(5))
    assert len(calls) <= 5 + parallel._WAITING + 3


def test_an_error_of_adding_ends_a_sum(three_threads):
    added = []

    def add(item):
        if item == 5:
            raise RuntimeError("mine")
        added.append(item)

    with pytest.raises(RuntimeError, match="mine"):
        parallel.parallel_sum_with_blas(abs, range(100), add)
    assert added == list(range(5))


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
            parallel.parallel_map(fail, range(1000))
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
            parallel.parallel_map(fail, range(50))


def test_interrupts_leave_nothing_at_work():
    """At random moments, every second one twice: no tile is computed after them, no thread is there, no limit is new.

    A process of its own has the signal's handler; a lock that is never released would end it after a minute.
    """
    script = Path(__file__).with_name("interrupts.py")
    ran = subprocess.run([sys.executable, script, "200"], capture_output=True, text=True, timeout=60)
    assert not ran.stderr
    found = json.loads(ran.stdout)
    assert found.pop("interrupts") >= 200
    assert set(found.values()) == {0}


def test_no_item_is_begun_after_an_interrupt_of_the_caller():
    """Which another thread raises, so that it does not wake the caller; those that are begun are waited for."""
    begun, ended = [], []

    def item(i):
        begun.append(i)
        if len(begun) == 2:
            signal.raise_signal(signal.SIGINT)
        time.sleep(0.3)
        ended.append(i)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            parallel.parallel_map(item, range(100))
    finally:
        signal.signal(signal.SIGINT, before)
    assert len(begun) < 10
    assert sorted(begun) == sorted(ended)


@pytest.mark.parametrize("n_threads", [0, 1])
def test_where_no_more_threads_can_be_started(n_threads, monkeypatch):
    start, started = parallel.start_new_thread, []

    def bounded(*arguments):
        if len(started) == n_threads:
            raise RuntimeError("can't start new thread")
        started.append(start(*arguments))
        return started[-1]

    monkeypatch.setattr(parallel, "start_new_thread", bounded)
    assert parallel.parallel_map(lambda i: i * i, range(5)) == [0, 1, 4, 9, 16]
    assert len(started) == n_threads


def test_an_index_error_of_an_item_is_raised():
    """It does not mean that there is no item left."""
    with pytest.raises(IndexError, match="mine"):
        parallel.parallel_map(lambda i: _raise(IndexError("mine")), range(5))


def test_an_error_lets_go_of_what_the_items_saw():
    class Large:
        pass

    def fail(large):
        raise ValueError("mine")

    large = Large()
    seen = weakref.ref(large)
    gc.disable()
    try:
        with pytest.raises(ValueError, match="mine"):
            parallel.parallel_map(fail, [large] * 4)
        del large
        deadline = time.monotonic() + 10
        while seen() is not None and time.monotonic() < deadline:
            time.sleep(0.001)  # the last step of a thread
        assert seen() is None
    finally:
        gc.enable()


def _raise(error):
    raise error


LIMITS = """if True:
    import sys, threading
    from threadpoolctl import ThreadpoolController, threadpool_limits
    from gpuval.numerics import parallel

    def limits():
        return [x["num_threads"] for x in ThreadpoolController().select(user_api="blas").info()]

    class Call(threading.Thread):
        def __init__(self):
            super().__init__()
            self.begun, self.may_end = threading.Event(), threading.Event()
            self.start()
            self.begun.wait(10)

        def run(self):
            parallel.parallel_map_with_blas(self.item, range(2))

        def item(self, i):
            self.begun.set()
            self.may_end.wait(10)

        def end(self):
            self.may_end.set()
            self.join()

    parallel.allowed_threads = lambda: 2
    set_by_user = threadpool_limits(2)
    at_first = limits()
    first = Call()
    assert limits() == at_first, "one call"
    second = Call()
    first.end()
    second.end()
    assert limits() == at_first, "calls that overlap"
    for before, during in ((2, 1), (1, 2), (2, 2), (1, 1)):
        threadpool_limits(before)
        call = Call()
        threadpool_limits(during)
        assert set(limits()) == {during}, "set during a call"
        call.end()
        assert set(limits()) == {during}, "set before the end of a call"
        call = Call()
        with threadpool_limits(before):
            assert set(limits()) == {before}, "begun during a call"
            call.end()
            assert set(limits()) == {before}, "around the end of a call"
        assert set(limits()) == {during}, "ended after a call"
        with threadpool_limits(before):
            call = Call()
        assert set(limits()) == {during}, "ended during a call"
        call.end()
        assert set(limits()) == {during}, "the end"
    def fails():
        try:
            parallel.parallel_map_with_blas(lambda i: 1 / 0, range(4))
        except ZeroDivisionError:
            pass
    calls = [threading.Thread(target=fails) for _ in range(4)]
    for call in calls:
        call.start()
    for call in calls:
        call.join()
    assert set(limits()) == {1}, "after errors"
    print("fine")
"""


def test_limits_of_blas_are_the_users():
    """Set before, during and after a call, in this or another thread: nothing but what the user sets is ever there."""
    environment = {**os.environ, "OMP_NUM_THREADS": "2"}
    ran = subprocess.run([sys.executable, "-c", LIMITS], env=environment, capture_output=True, text=True)
    assert (ran.stdout, ran.stderr) == ("fine\n", "")


def test_silhouettes_of_two_threads_leave_the_limits():
    """Scores of different length, which begin together."""
    X, labels = np.random.default_rng(0).normal(size=(4000, 10)), np.arange(4000) % 5
    libraries = threadpoolctl.ThreadpoolController().select(user_api="blas")
    before = libraries.info()
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda n: gpuval.silhouette_score(X[:n], labels[:n]), (1000, 4000)))
    assert libraries.info() == before


def test_as_many_threads_as_blas_may_have(monkeypatch):
    """A user who limits BLAS to one thread gets one."""
    monkeypatch.setattr(parallel, "allowed_threads", lambda: 8)
    for limit, expected in ((1, {threading.get_ident()}), (2, None)):
        used = set()
        with threadpoolctl.threadpool_limits(limit, user_api="blas"):
            parallel.parallel_map_with_blas(lambda i: [used.add(threading.get_ident()), time.sleep(0.01)], range(20))
        assert used == expected if expected else threading.get_ident() not in used and len(used) <= 2
