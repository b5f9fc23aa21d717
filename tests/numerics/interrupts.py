"""Interrupts silhouettes at random moments, often twice, and says what they leave behind.

``python tests/numerics/interrupts.py 1000`` does so a thousand times; the exit code is 1 if anything is left.
"""

import json
import random
import signal
import sys
import time
from dataclasses import dataclass, field

import numpy as np
import threadpoolctl

import gpuval
from gpuval.geometry.distances.products import ProductsOfGroups
from gpuval.numerics import parallel

CALLS = {parallel.parallel_map.__code__, parallel.parallel_map_with_blas.__code__}


@dataclass
class Tiles:
    """Counts the tiles of distances that are begun and ended."""

    begun: list = field(default_factory=list)  # appended to, as threads would overwrite one another's numbers
    ended: list = field(default_factory=list)

    def watch(self):
        tile = ProductsOfGroups.tile

        def watched(*arguments):
            self.begun.append(1)
            try:
                return tile(*arguments)
            finally:
                self.ended.append(1)

        ProductsOfGroups.tile = watched

    @property
    def at_work(self):
        return len(self.begun) - len(self.ended)


@dataclass
class Interrupts:
    """Raises KeyboardInterrupt where Python runs within a call of many threads: so many, each soon after the last."""

    left: int = 0
    raised: int = 0

    def __call__(self, number, frame):
        while frame is not None and frame.f_code not in CALLS:
            frame = frame.f_back
        if frame is None:
            self.after(1e-4)  # after the end of this call: one that interrupts another has more frames to go through
            return
        self.left -= 1
        self.raised += 1
        if self.left:
            self.after(10 ** random.uniform(-6, -3))
        raise KeyboardInterrupt

    @staticmethod
    def after(seconds):
        signal.setitimer(signal.ITIMER_REAL, max(seconds, 1e-6))


def limits(libraries):
    return [x["num_threads"] for x in libraries.info()]


def main(n):
    parallel.allowed_threads = lambda: 2
    random.seed(n)
    tiles, interrupts = Tiles(), Interrupts()
    tiles.watch()
    signal.signal(signal.SIGALRM, interrupts)
    sys.setswitchinterval(1e-4)
    X, labels = np.random.default_rng(0).normal(size=(1500, 10)), np.arange(1500) % 5
    gpuval.silhouette_score(X, labels)
    libraries = threadpoolctl.ThreadpoolController().select(user_api="blas")
    began = time.perf_counter()
    gpuval.silhouette_score(X, labels)
    took = time.perf_counter() - began
    found = {"interrupts": 0, "computing": 0, "goes_on": 0, "threads": 0, "limits": 0}
    for i in range(n):
        before, python_threads = limits(libraries), len(sys._current_frames())
        interrupts.left = 1 + i % 2
        try:
            interrupts.after(random.uniform(0, took))
            while True:
                gpuval.silhouette_score(X, labels)
        except KeyboardInterrupt:
            found["computing"] += tiles.at_work > 0
        signal.setitimer(signal.ITIMER_REAL, 0)
        begun = len(tiles.begun)
        deadline = time.monotonic() + 0.2
        time.sleep(0.002)
        while len(sys._current_frames()) > python_threads and time.monotonic() < deadline:
            time.sleep(0.002)  # the last steps of a thread that has nothing to do any more
        found["threads"] += len(sys._current_frames()) > python_threads
        found["goes_on"] += len(tiles.begun) > begun
        found["limits"] += limits(libraries) != before
    found["interrupts"] = interrupts.raised
    print(json.dumps(found))
    return any(found[x] for x in ("computing", "goes_on", "threads", "limits"))


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
