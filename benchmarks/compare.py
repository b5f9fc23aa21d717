"""One case on one backend: check that the values are the same, then time both in turn."""

from __future__ import annotations

import traceback
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from benchmarks import memory, timing
from benchmarks.backends import Backend
from benchmarks.calls import Call
from benchmarks.case import FLOOR, MEMORY, Case, Own, Target, at_most
from benchmarks.peers import Peer
from benchmarks.timing import Spread
from benchmarks.workloads import Workload, size_in_bytes

OURS = "gpuval"

START, NUMPY = "new process", "import numpy"

STARTS = {
    "import": ("import gpuval", None),
    "import, first score": ("import gpuval; gpuval.adjusted_rand_score([0, 0, 1], [0, 1, 1])", at_most(1.3)),
}
"""Programs of new processes, and how many times as long as NumPy's import they may take."""


OWN_TOLERANCE = 1e-12
"""How near two values of gpuval must be that are sums of the same cells in another order."""


@dataclass(frozen=True)
class Row:
    """A quotient of two times (or of memory and inputs), or a word on why there is none.

    ``to_floor`` is gpuval's time over the floor's, ``memory`` the extra memory of each as a share of the inputs.
    """

    workload: str
    measure: str
    backend: str
    quotient: str
    ratio: Spread | None = None
    to_floor: float | None = None
    memory: Mapping[str, float] = field(default_factory=dict)
    target: Target | None = None
    note: str = ""
    differs: bool = False
    seconds: timing.Seconds = field(default_factory=dict)

    @property
    def met(self) -> bool | None:
        """Whether the target was met; None where there is none, or no ratio."""
        return None if self.target is None or self.ratio is None else self.target.met(self.ratio.median)


@dataclass(frozen=True)
class Options:
    """Seconds for the rounds of one row, and whether memory is measured."""

    budget: float = 5.0
    with_memory: bool = True


SMALLEST = 10**7
"""Bytes of inputs below which extra memory says nothing, unless it has a target."""


def rows_of(case: Case, backend: Backend, peers: Iterable[Peer], options: Options) -> Iterator[Row]:
    """Compare gpuval with each opponent that has the measure."""
    with backend.mode():
        bench = _Bench(case, backend, options)
        if case.is_timed:
            if FLOOR in case.targets:
                yield bench.against_floor()
            for own in case.own:
                yield bench.against_own(own)
            for peer in peers:
                if (case.peers is None or peer.name in case.peers) and peer.offers(case.workload, case.measure):
                    yield bench.against_peer(peer)
        if MEMORY in case.targets and options.with_memory:
            yield bench.against_inputs()


class _Bench:
    """A case on a backend, with its labels in place, and warmed up."""

    def __init__(self, case: Case, backend: Backend, options: Options) -> None:
        self.case, self.backend, self.options = case, backend, options
        codes = case.workload.codes()
        self.given = case.workload.labels(codes)
        self.inputs = size_in_bytes(self.given)
        self.ours = backend.call(case.measure, backend.labels(self.given), case.workload)
        self.floor = backend.floor(backend.labels(codes))
        self.value = backend.host(self.ours.value())
        self.floor.run()

    def against_floor(self) -> Row:
        return self._timed(f"{OURS} / {FLOOR}", {FLOOR: self.floor, OURS: self.ours}, OURS, FLOOR)

    def against_own(self, own: Own) -> Row:
        labels = self.backend.labels(own.workload.labels(own.workload.codes()))
        other = self.backend.call(own.measure, labels, own.workload)
        value = self.backend.host(other.value())
        if own.is_same and not np.allclose(value, self.value, rtol=OWN_TOLERANCE, atol=OWN_TOLERANCE):
            note = f"differs: {_shortened(value)} there, {_shortened(self.value)} here (tolerance {OWN_TOLERANCE:g})"
            return self._row(f"{OURS} / {own.name}", own.name, note=note, differs=True)
        calls = {FLOOR: self.floor, OURS: self.ours, own.name: other}
        return self._timed(f"{OURS} / {own.name}", calls, OURS, own.name)

    def against_peer(self, peer: Peer) -> Row:
        above, below = (OURS, peer.name) if self._is_bounded_above(peer.name) else (peer.name, OURS)
        quotient = f"{above} / {below}"
        refusal = peer.refuses(self.case.smaller or self.case.workload, self.case.measure)
        if refusal:
            return self._row(quotient, peer.name, note=refusal)
        if self.case.smaller:
            return self._extrapolated(peer, self.case.smaller)
        theirs = peer.call(self.case.measure, peer.prepare(self.given, self.backend.torch_device))
        try:
            returned, seconds = timing.timed(theirs.run)
            value = theirs.read(returned)
        except Exception as error:  # whatever another library raises is its answer
            return self._row(quotient, peer.name, note=f"fails: {_first_line(error)}")
        if not peer.agrees(self.value, value, self.case.workload):
            return self._row(quotient, peer.name, note=_difference(self.value, value, peer), differs=True)
        calls = {FLOOR: self.floor, OURS: self.ours}
        if seconds > timing.LONG:
            once = {name: [timing.timed(call.run)[1]] for name, call in calls.items()} | {peer.name: [seconds]}
            note = f"one run, which took more than {timing.LONG:g} s; no memory"
            return self._row(quotient, peer.name, **_ratios(once, above, below), note=note)
        calls[peer.name] = theirs
        return self._timed(quotient, calls, above, below, peer)

    def _extrapolated(self, peer: Peer, smaller: Workload) -> Row:
        """Time a peer on a smaller workload, where the values are compared, and gpuval on both."""
        quotient, given = f"{peer.name} / {OURS}", smaller.labels(smaller.codes())
        theirs = peer.call(self.case.measure, peer.prepare(given, self.backend.torch_device))
        ours = self.backend.host(self.backend.call(self.case.measure, self.backend.labels(given), smaller).value())
        value = theirs.value()
        if not peer.agrees(ours, value, smaller):
            return self._row(quotient, peer.name, note=_difference(ours, value, peer), differs=True)
        seconds = timing.in_turn({FLOOR: self.floor, OURS: self.ours, peer.name: theirs}, self.options.budget)
        growth = (self.case.workload.n_samples / smaller.n_samples) ** 2
        seconds[peer.name] = [growth * x for x in seconds[peer.name]]
        note = f"the peer's time is that of {smaller.name} times {growth:g}"
        return self._row(quotient, peer.name, **_ratios(seconds, peer.name, OURS), memory=self._memory(), note=note)

    def against_inputs(self) -> Row:
        share = self._memory().get(OURS)
        ratio = None if share is None else timing.spread([share])
        note = "" if ratio else "not measured on this system"
        return self._row("extra memory / inputs", MEMORY, ratio=ratio, note=note)

    def _timed(self, quotient: str, calls: Mapping[str, Call], above: str, below: str, peer: Peer | None = None) -> Row:
        seconds = timing.in_turn(calls, self.options.budget)
        found = _ratios(seconds, above, below)
        if peer is None:
            return self._row(quotient, below, **found, memory=self._memory())
        note = peer.notes.get(self.case.measure, "")
        return self._row(quotient, peer.name, **found, memory=self._memory(peer.name), note=note)

    def _memory(self, peer: str = "") -> dict[str, float]:
        """The extra memory of gpuval and of a peer, as shares of the inputs."""
        if not self.options.with_memory or (self.inputs < SMALLEST and MEMORY not in self.case.targets):
            return {}
        names = {OURS: "", peer: peer} if peer else {OURS: ""}
        case = self.case
        extra = {
            name: memory.extra_bytes(case.workload, case.measure, self.backend.name, who) for name, who in names.items()
        }
        return {name: size / self.inputs for name, size in extra.items() if size is not None}

    def _is_bounded_above(self, opponent: str) -> bool:
        target = self.case.targets.get(opponent)
        return target is not None and not target.at_least

    def _row(self, quotient: str, opponent: str, **found: Any) -> Row:
        case = self.case
        target = case.targets.get(opponent) if self.backend.name in case.aimed_at else None
        return Row(case.workload.name, case.measure, self.backend.name, quotient, target=target, **found)


def _ratios(seconds: timing.Seconds, above: str, below: str) -> dict[str, Any]:
    to_floor = timing.quotients(seconds, OURS, FLOOR).median
    return {"ratio": timing.quotients(seconds, above, below), "to_floor": to_floor, "seconds": seconds}


def _difference(ours: Any, theirs: Any, peer: Peer) -> str:
    with suppress(TypeError, ValueError):
        return f"differs: {float(theirs)!r} there, {float(ours)!r} here (tolerance {peer.tolerance:g})"
    return f"differs: {_shortened(theirs)} there, {_shortened(ours)} here (tolerance {peer.tolerance:g})"


def _first_line(error: Exception) -> str:
    return traceback.format_exception_only(error)[0].splitlines()[0]


def _shortened(value: Any) -> str:
    text = " ".join(str(value).split())
    return text if len(text) <= 60 else text[:57] + "..."


def start_rows(rounds: int) -> Iterator[Row]:
    """Compare what a new process needs for gpuval with what it needs to import NumPy, in user and system time."""
    seconds = timing.programs_in_turn(
        {NUMPY: "import numpy", **{name: text for name, (text, _) in STARTS.items()}}, rounds
    )
    for name, (_, target) in STARTS.items():
        pair = {OURS: seconds[name], NUMPY: seconds[NUMPY]}
        ratio = timing.quotients(pair, OURS, NUMPY)
        yield Row(START, name, "numpy", f"{OURS} / {NUMPY}", ratio, target=target, seconds=pair)
