"""What a step of a loop takes: cases of small batches, by the samples of a batch and the groups of a table."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.case import CPU, Case, Own, Target, at_least, at_most
from benchmarks.loops import (
    ACCUMULATOR_UPDATE,
    ARI_GIVEN,
    FORWARD_ALL,
    FORWARD_ARI,
    FORWARD_NMI,
    METRIC_UPDATE,
    NMI_GIVEN,
    READ,
    READ_GROWING,
)
from benchmarks.measures import ARI, ARI_NMI_ACC, NMI
from benchmarks.workloads import Workload

BATCHES, GROUPS, MANY_GROUPS = (256, 1024, 4096), (10, 100, 1000), 3000

SCORES = (ARI, ARI_GIVEN, NMI, NMI_GIVEN, ARI_NMI_ACC)
UPDATES, FORWARDS = (ACCUMULATOR_UPDATE, METRIC_UPDATE), (FORWARD_ARI, FORWARD_NMI, FORWARD_ALL)

FASTER, NEARLY_FREE = at_least(1.5), at_most(1.2)


def _step(batch: int, groups: int) -> Workload:
    return Workload("step", batch, groups, groups)


def _with_peers(step: Workload) -> Iterator[Case]:
    """Scores of arrays of NumPy beside scikit-learn, and all that is done with tensors beside torchmetrics."""
    for measure in SCORES:
        yield _beside("scikit-learn", "numpy", step, measure, FASTER)
    for measure in (*SCORES, *FORWARDS):
        yield _beside("torchmetrics", "torch", step, measure, FASTER)
    for measure in UPDATES:
        yield _beside("torchmetrics", "torch", step, measure, NEARLY_FREE)


def _beside(peer: str, backend: str, step: Workload, measure: str, target: Target) -> Case:
    return Case(step, measure, {peer: target}, backends=(backend,), aimed_at=(backend,), peers=(peer,))


def _with_sizes(step: Workload) -> Iterator[Case]:
    """Scores with the sizes given beside those that find them."""
    for given, found in ((ARI_GIVEN, ARI), (NMI_GIVEN, NMI)):
        own = (Own("sizes found", step, found, is_same=True),)
        yield Case(step, given, {"sizes found": NEARLY_FREE}, own, CPU, aimed_at=CPU, peers=())


def _read(step: Workload) -> Case:
    """A score of what an accumulator holds, with the sizes given beside a growing one."""
    return Case(step, READ, own=(Own("growing", step, READ_GROWING, is_same=True),), backends=CPU, peers=())


def _steps(groups: tuple[int, ...]) -> Iterator[Workload]:
    return (_step(batch, size) for batch in BATCHES for size in groups)


STEPS = (
    *(case for step in _steps(GROUPS) for case in (*_with_peers(step), _read(step))),
    *(case for step in _steps((*GROUPS, MANY_GROUPS)) for case in _with_sizes(step)),
)

_SMALLEST = _step(BATCHES[0], GROUPS[0])

SMOKE_STEPS = (
    _beside("scikit-learn", "numpy", _SMALLEST, ARI_GIVEN, FASTER),
    *(_beside("torchmetrics", "torch", _SMALLEST, x, FASTER) for x in (NMI_GIVEN, ARI_NMI_ACC, FORWARD_ALL)),
    *(_beside("torchmetrics", "torch", _SMALLEST, x, NEARLY_FREE) for x in UPDATES),
    *_with_sizes(_SMALLEST),
    _read(_SMALLEST),
)
"""Each kind of comparison once, on the smallest step."""
