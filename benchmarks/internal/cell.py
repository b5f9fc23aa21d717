"""One point: check that both have the same score, then time both in turn."""

from __future__ import annotations

import traceback
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

import gpuval
from benchmarks import timing
from benchmarks.calls import Call
from benchmarks.compare import OURS
from benchmarks.internal.points import Point
from benchmarks.internal.samples import given
from benchmarks.workloads import NDArray, Pair

PEER = "scikit-learn"

TOLERANCES = {"float64": 1e-6}
"""How near both scores must be, relative to scikit-learn's; 1e-3 for any other dtype."""

LEAST = 0.01
"""A score that is nearer to 0 is compared as if it were so large."""


@dataclass(frozen=True)
class Cell:
    """What was found of a point: seconds of each side by round, and both scores where they differ."""

    point: Point
    seconds: timing.Seconds = field(default_factory=dict)
    note: str = ""
    is_wrong: bool = False

    @property
    def ratio(self) -> timing.Spread | None:
        """How many times longer scikit-learn takes."""
        return timing.quotients(self.seconds, PEER, OURS) if self.seconds else None


SLOWER = 0.9
"""A ratio below it is measured again, and has a reason."""


def measured_again(point: Point, rounds: int, cap: float, again: int) -> Cell:
    """Measure a point, and up to so many times more while gpuval is slower; all rounds count."""
    cell = measured(point, rounds, cap)
    for _ in range(again):
        if not (cell.ratio and cell.ratio.median < SLOWER):
            break
        more = measured(point, rounds, cap)
        if not more.ratio:
            return more
        cell = Cell(point, {name: [*seconds, *more.seconds[name]] for name, seconds in cell.seconds.items()})
    return cell


def measured(point: Point, rounds: int, cap: float) -> Cell:
    """Time both for so many rounds, or until ``cap`` seconds are over.

    The first run of each warms up; it is the only round where a few more would take longer than ``cap``.
    """
    pairs = given(point)
    calls = {PEER: _theirs(point, pairs.theirs), OURS: _ours(point, pairs.ours)}
    values, first = {}, {}
    for name, call in calls.items():
        try:
            value, first[name] = timing.timed(call.run)
        except Exception as error:  # what a library raises is its answer
            note = f"{name} refuses: {traceback.format_exception_only(error)[0].strip()}".splitlines()[0]
            return Cell(point, note=note, is_wrong=name == OURS)
        values[name] = np.asarray(value.detach() if hasattr(value, "detach") else value, dtype=np.float64)
    if not _agree(values[OURS], values[PEER], point):
        return Cell(point, note=f"differs: {_shown(values[PEER])} there, {_shown(values[OURS])} here", is_wrong=True)
    taken = sum(first.values())
    if taken * (1 + min(rounds, timing.FEWEST)) > cap:
        return Cell(point, {name: [seconds] for name, seconds in first.items()})
    return Cell(point, timing.in_turn(calls, cap - taken, rounds, timing.PAUSE))


def _ours(point: Point, pair: Pair) -> Call:
    return Call(partial(getattr(gpuval, point.measure), *pair, **_options(point)))


def _theirs(point: Point, pair: Pair) -> Call:
    from sklearn import metrics

    function = getattr(metrics, point.measure)
    if point.metric == "sqeuclidean" and point.kind.startswith("sparse"):
        return Call(lambda: function(_squared(pair[0]), pair[1], metric="precomputed"))
    return Call(partial(function, *pair, **_options(point)))


def _squared(X: Any) -> Any:
    """The only way to squared distances of sparse samples there: all at once, beforehand."""
    from sklearn.metrics.pairwise import euclidean_distances

    return euclidean_distances(X, squared=True)


def _options(point: Point) -> dict[str, str]:
    return {"metric": point.metric} if point.metric else {}


def _agree(ours: NDArray, theirs: NDArray, point: Point) -> bool:
    tolerance = TOLERANCES.get(point.dtype, 1e-3)
    if ours.shape != theirs.shape:
        return False
    return bool(np.all(np.abs(ours - theirs) <= tolerance * np.maximum(LEAST, np.abs(theirs))))


def _shown(value: NDArray) -> str:
    return repr(float(value)) if value.ndim == 0 else f"values of mean {value.mean()!r}"
