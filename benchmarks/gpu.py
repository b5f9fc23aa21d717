"""What is measured on a GPU, and the ratios that are aimed at: ``python -m benchmarks --gpu``.

The floor is the time to read both label vectors at the bandwidth that a copy reaches in the same run.
"""

from __future__ import annotations

import signal
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

import gpuval
from benchmarks import timing
from benchmarks.case import FLOOR, Target, at_least, at_most
from benchmarks.compare import OURS, Row
from benchmarks.device import Call, Device, fewer
from benchmarks.first_calls import first_calls
from benchmarks.measures import AMI, ARI, NMI, SILHOUETTE, TABLE, V
from gpuval import Contingency


@dataclass(frozen=True)
class Sizes:
    """How many samples the cases have; ``limit`` is the seconds that a peer may take."""

    most: int = 10**9
    many: int = 10**8
    torch: int = 10**7
    few: int = 10**5
    small: int = 10**4
    samples: int = 10**6
    rounds: int = 11
    repeats: int = 300
    limit: float = 60.0


SMOKE = Sizes(4000, 3000, 2000, 300, 200, 250, 3, 3, 0.2)


def sizes_for(device: Device) -> Sizes:
    """The sizes of the targets, or a tenth of the largest ones on a device whose memory they would not fit."""
    return Sizes() if device.free >= 48e9 else Sizes(most=10**8, many=10**7)


_COPIED = 4
"""Bytes copied for each sample of the largest case, to measure the bandwidth."""

TABLES = (
    *((kind, (rows, columns), at_least(0.7)) for rows, columns in ((4, 4), (30, 40), (100, 120)) for kind in
      ("random", "sorted", "mostly one")),
    ("random", (240, 242), at_least(0.5)),
)  # fmt: skip
"""Kind, size, and the share of the bandwidth that is aimed at."""

LARGE_TABLES = (("random", (1000, 1000), at_most(15)), ("good", (1000, 1000), at_most(4)))
"""Kind, size, and the multiple of the floor's time that is aimed at."""

TYPES = (("int64", None, 0), ("int8", at_least(0.7), 0), ("int32", at_least(0.7), 1))
"""Type, the share of the bandwidth that is aimed at, and where labels start: at 1 no load of 16 bytes is aligned."""

MICROSECONDS = {"CuPy": (60,), "PyTorch": (60, 150), "CUDA graph": (60,)}
"""The times of a score of few samples that are aimed at."""

FIRST_SCORE = 0.3
"""Seconds of the first score of a new process beyond the imports, likewise."""

MISSING = "not installed"


class Bench:
    """All cases on a device, row by row."""

    def __init__(self, device: Device, sizes: Sizes) -> None:
        self.device, self.sizes = device, sizes
        self.bandwidth = device.bandwidth(_COPIED * sizes.most)

    def rows(self) -> Iterator[Row]:
        """Every row; those that take longest come last."""
        for kind, shape, target in TABLES:
            yield self.share_of_bandwidth(kind, shape, target)
        for dtype, target, start in TYPES:
            yield self.share_of_bandwidth("random", (30, 40), target, dtype, start)
        for kind, shape, target in LARGE_TABLES:
            yield self.multiple_of_floor(kind, shape, target)
        yield self.against_bincount()
        yield self.expectation()
        yield from self.single_scores()
        yield self.first_score()
        yield from self.sorted_tables()
        yield from self.against_torchmetrics()
        yield from self.silhouettes()

    def share_of_bandwidth(
        self, kind: str, shape: tuple[int, int], target: Target | None, dtype: str = "int32", start: int = 0
    ) -> Row:
        """A table of given size: what of the bandwidth it reaches."""
        true, pred = self.device.labels(kind, self.sizes.most, shape, dtype)
        labels = true[start:], pred[start:]
        seconds = self._of_table(labels, shape)
        ratio = timing.spread([self._floor(labels) / x for x in seconds])
        measure = f"{TABLE}, labels[{start}:]" if start else TABLE
        return self._row(kind, shape, dtype, measure, f"{FLOOR} / {OURS}", ratio, target, seconds={OURS: seconds})

    def multiple_of_floor(self, kind: str, shape: tuple[int, int], target: Target) -> Row:
        """A larger one, by its time."""
        labels = self.device.labels(kind, self.sizes.most, shape)
        seconds = self._of_table(labels, shape)
        ratio = timing.spread([x / self._floor(labels) for x in seconds])
        return self._row(kind, shape, "int32", TABLE, f"{OURS} / {FLOOR}", ratio, target, seconds={OURS: seconds})

    def against_bincount(self) -> Row:
        """CuPy's bincount of a key that is built, and the table."""
        shape = (100, 120)
        labels = self.device.labels("random", self.sizes.most, shape)
        true, pred = labels
        xp = self.device.xp

        def theirs() -> Any:
            return xp.bincount(true * shape[1] + pred, minlength=shape[0] * shape[1])

        return self._compared("random", shape, len(true), TABLE, "cupy.bincount", theirs, self._table(labels, shape), 4)

    def expectation(self) -> Row:
        """The adjusted mutual information of a table that is there: mostly its expectation."""
        shape = fewer(1000, 20), fewer(1000, 20)
        table = self._table(self.device.labels("random", self.sizes.most, shape), shape)()
        seconds = self._seconds(partial(gpuval.adjusted_mutual_info_score, table))
        ratio = timing.spread([x / 0.020 for x in seconds])
        quotient = f"{OURS} / 20 ms"
        return self._row("random", shape, "int32", f"{AMI} of a table", quotient, ratio, at_most(1), {OURS: seconds})

    def single_scores(self) -> Iterator[Row]:
        """A score of few samples and given size, in libraries as it is called, and in a CUDA graph."""
        shape, n = (30, 40), self.sizes.small
        labels = self.device.labels("random", n, shape)
        calls = self._in_libraries(partial(gpuval.adjusted_rand_score, n_classes=shape[0], n_clusters=shape[1]), labels)
        wanted = float(gpuval.adjusted_rand_score(*map(self.device.host, labels)))
        for name, bounds in MICROSECONDS.items():
            row = partial(self._row, "random", shape, "int32", f"{ARI}, {name}", target=at_most(1), n=n)
            call = calls.get(name)
            value = float(call()) if call else wanted
            differs = abs(value - wanted) > 1e-14
            for bound in bounds:
                quotient = f"{OURS} / {bound} us"
                if call is None or differs:
                    note = f"differs: {value}, not {wanted}" if differs else MISSING
                    yield row(quotient, None, note=note, differs=differs)
                    continue
                seconds = [self.device.seconds_each(call, self.sizes.repeats) for _ in range(self.sizes.rounds)]
                ratio = timing.spread([x * 1e6 / bound for x in seconds])
                yield row(quotient, ratio, seconds={OURS: seconds})

    def _in_libraries(self, score: Callable[..., Any], labels: tuple[Any, Any]) -> dict[str, Call]:
        calls: dict[str, Call] = {"CuPy": partial(score, *labels)}
        if find_spec("torch"):
            tensors = self.device.tensors(*labels)
            with self.device.forbidden():
                score(*tensors)  # compiles, and shows that the host waits for nothing
            calls["PyTorch"] = partial(score, *tensors)
            calls["CUDA graph"] = self.device.replay(calls["PyTorch"])
        return calls

    def first_score(self) -> Row:
        """Of a new process, when another one has left its kernels on disk; modules that it imports are part of it."""
        with TemporaryDirectory() as cache:
            _, *seconds = [first_calls(self.device.xp.__name__, cache)["ari"] for _ in range(4)]
        ratio = timing.spread([x / FIRST_SCORE for x in seconds])
        quotient = f"{OURS} / {FIRST_SCORE} s"
        both = {OURS: seconds}
        return self._row("again", (30, 30), "int64", f"{ARI}, first", quotient, ratio, at_most(1), both, n=10**6)

    def sorted_tables(self) -> Iterator[Row]:
        """Many clusters that agree: against a sort of keys on the device, and scikit-learn on the host beside it."""
        n, xp = self.sizes.many, self.device.xp
        clusters = min(10**5, n)
        shape = (clusters, clusters)
        labels = self.device.labels("good", n, shape)
        true, pred = labels
        ours = partial(Contingency.from_labels, *labels)

        def by_unique() -> Any:
            return xp.unique(true.astype(xp.int64) * clusters + pred, return_counts=True)[1]

        yield self._compared("good", shape, n, TABLE, "cupy.unique", by_unique, lambda: ours().counts, 10)
        quotient = f"scikit-learn / {OURS}"
        row = partial(self._row, "good", shape, "int32", TABLE, quotient, target=at_least(40), n=n)
        if not find_spec("sklearn"):
            yield row(None, note=MISSING)
            return
        from sklearn.metrics.cluster import contingency_matrix

        host = tuple(map(self.device.host, labels))
        start = time.perf_counter()
        found = contingency_matrix(*host, sparse=True)
        theirs = time.perf_counter() - start
        seconds = [self.device.seconds_each(ours, 1) for _ in range(self.sizes.rounds)]
        differs = found.nnz != ours().counts.shape[0]
        ratio = timing.spread([theirs / x for x in seconds])
        both = {OURS: seconds, "scikit-learn": [theirs]}
        yield row(ratio, seconds=both, note="on the host; one run", differs=differs)

    def against_torchmetrics(self) -> Iterator[Row]:
        """The scores that both have, of tensors."""
        peer, shape = "torchmetrics", (100, 100)
        # ARI: with more samples its products of pairs overflow, and there is no score to compare with.
        samples = {NMI: self.sizes.torch, V: self.sizes.torch, ARI: self.sizes.few}
        if not find_spec(peer):
            row = partial(self._row, shape=shape, dtype="int64", quotient=f"{peer} / {OURS}", ratio=None, note=MISSING)
            for name, n in samples.items():
                yield row("good", measure=name, target=at_least(20), n=n)
            yield row("random", measure=AMI, target=at_least(1000), n=self.sizes.few)
            return
        from torchmetrics.functional import clustering as other

        for name, n in samples.items():
            true, pred = self.device.tensors(*self.device.labels("good", n, shape, "int64"))
            calls = partial(getattr(other, name), pred, true), partial(getattr(gpuval, name), true, pred)
            yield self._compared("good", shape, n, name, peer, *calls, 20, "int64", 1e-5)
        yield self._against_the_loop(other.adjusted_mutual_info_score)

    def _against_the_loop(self, theirs: Callable[..., Any]) -> Row:
        """An expectation that is a loop in Python: if it takes too long, what is known is that it takes longer."""
        n, shape = self.sizes.few, (100, 100)
        true, pred = self.device.tensors(*self.device.labels("random", n, shape, "int64"))
        ours = statistics.median(self._seconds(partial(gpuval.adjusted_mutual_info_score, true, pred)))
        start, note = time.perf_counter(), ""
        try:
            with _ended_after(self.sizes.limit):
                theirs(pred, true)
        except TimeoutError:
            note = f"ended after {self.sizes.limit:g} s: the ratio is a lower bound"
        seconds = time.perf_counter() - start
        ratio = timing.spread([seconds / ours])
        quotient = f"torchmetrics / {OURS}"
        both = {OURS: [ours], "torchmetrics": [seconds]}
        return self._row("random", shape, "int64", AMI, quotient, ratio, at_least(1000), both, n=n, note=note)

    def silhouettes(self) -> Iterator[Row]:
        """Of 50 features: by their arithmetic, and against distances that are in memory and added by atomics."""
        n, d, k = self.sizes.samples, 50, max(2, self.sizes.samples // 10**4)
        X, labels = self.device.blobs(n, d, k)
        ours = partial(gpuval.silhouette_score, X, labels)
        floor = n * n * d / self.device.multiply_adds
        seconds = [self.device.seconds(ours) for _ in range(3)]
        ratio = timing.spread([x / floor for x in seconds])
        row = partial(self._row, "blobs", (d, k), "float32", SILHOUETTE, n=n)
        yield row(quotient=f"{OURS} / arithmetic", ratio=ratio, target=at_most(3), seconds={OURS: seconds})
        start, peer = time.perf_counter(), "tiles and atomics"
        wanted = float(self._by_atomics(X, labels, k))
        self.device.waiting()
        theirs, value = time.perf_counter() - start, float(ours())
        ratio = timing.spread([theirs / x for x in seconds])
        both = {OURS: seconds, peer: [theirs]}
        differs = abs(value - wanted) > 1e-4
        note = f"differs: {wanted} there, {value} here" if differs else "one run"
        found = {"ratio": None if differs else ratio, "seconds": both, "note": note, "differs": differs}
        yield row(quotient=f"{peer} / {OURS}", target=at_least(3), **found)

    def _by_atomics(self, X: Any, labels: Any, k: int) -> Any:
        """The silhouette as cuML has it: tiles of distances in memory, and one atomic addition for each."""
        xp, n, step = self.device.xp, len(X), 40_000
        squares, sizes, total = (X * X).sum(axis=1), xp.bincount(labels, minlength=k), 0.0
        for start in range(0, n, step):
            x, own = X[start : start + step], labels[start : start + step]
            sums = xp.zeros((len(x), k), dtype="float32")
            for first in range(0, n, step):
                part = slice(first, first + step)
                tile = squares[start : start + step, None] + squares[None, part] - 2 * (x @ X[part].T)
                self.device.add_by_label(sums, xp.sqrt(xp.maximum(tile, 0)), labels[part])
            rows = xp.arange(len(x))
            a = sums[rows, own] / (sizes[own] - 1)
            means = sums / sizes
            means[rows, own] = xp.inf
            b = means.min(axis=1)
            total += ((b - a) / xp.maximum(a, b)).sum()
        return total / n

    # What they share

    def _table(self, labels: tuple[Any, Any], shape: tuple[int, int]) -> Callable[[], Contingency]:
        return partial(Contingency.from_labels, *labels, n_classes=shape[0], n_clusters=shape[1])

    def _of_table(self, labels: tuple[Any, Any], shape: tuple[int, int]) -> list[float]:
        """Seconds of the table, which must be right."""
        call = self._table(labels, shape)
        table = call()
        xp, wanted = self.device.xp, 0
        for start in range(0, len(labels[0]), 1 << 27):
            true, pred = (x[start : start + (1 << 27)] for x in labels)
            wanted += xp.bincount(true.astype(xp.int64) * shape[1] + pred, minlength=shape[0] * shape[1])
        if not bool((table.to_array().ravel() == wanted).all()):
            raise AssertionError(f"the table of {shape} from {labels[0].dtype} is wrong")
        return self._seconds(call)

    def _seconds(self, call: Call) -> list[float]:
        call()
        return [self.device.seconds(call) for _ in range(self.sizes.rounds)]

    def _floor(self, labels: tuple[Any, Any]) -> float:
        return sum(x.nbytes for x in labels) / self.bandwidth

    def _compared(
        self,
        kind: str,
        shape: tuple[int, int],
        n: int,
        measure: str,
        peer: str,
        theirs: Call,
        ours: Call,
        bound: float,
        dtype: str = "int32",
        tolerance: float = 0,
    ) -> Row:
        """Against another way on the device, in turn."""
        quotient = f"{peer} / {OURS}"
        row = partial(self._row, kind, shape, dtype, measure, quotient, target=at_least(bound), n=n)
        a, b = (np.ravel(self.device.host(_on_host(call()))) for call in (ours, theirs))
        if a.shape != b.shape or not np.all(np.abs(a - b) <= tolerance):
            return row(ratio=None, note=f"differs: {_short(b)} there, {_short(a)} here", differs=True)
        seconds: timing.Seconds = {OURS: [], peer: []}
        for _ in range(self.sizes.rounds):
            for name, call in ((OURS, ours), (peer, theirs)):
                seconds[name].append(self.device.seconds(call))
        return row(ratio=timing.quotients(seconds, peer, OURS), seconds=seconds)

    def _row(
        self,
        kind: str,
        shape: tuple[int, int],
        dtype: str,
        measure: str,
        quotient: str,
        ratio: timing.Spread | None,
        target: Target | None = None,
        seconds: timing.Seconds | None = None,
        *,
        n: int | None = None,
        note: str = "",
        differs: bool = False,
    ) -> Row:
        n = self.sizes.most if n is None else n
        name = f"{kind}-{n:.0e}-{shape[0]}x{shape[1]}-{dtype}".replace("e+0", "e").replace(" ", "-")
        return Row(
            name, measure, "gpu", quotient, ratio, target=target, note=note, differs=differs, seconds=seconds or {}
        )


def _value(x: Any) -> Any:
    return x.to_array() if isinstance(x, Contingency) else x


def _on_host(x: Any) -> Any:
    x = _value(x)
    return x.cpu().numpy() if hasattr(x, "cpu") else x


def _short(x: Any) -> str:
    return str(x[0]) if x.size == 1 else f"an array of {x.size}"


@contextmanager
def _ended_after(seconds: float) -> Iterator[None]:
    def end(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, end)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
