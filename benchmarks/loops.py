"""What a loop calls for each batch: scores with the sizes given, and accumulators and metrics that are there before.

Names of gpuval are looked up when they are measured, as those of ``measures`` are.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import gpuval
from benchmarks.calls import Call
from benchmarks.measures import ARI, NMI
from benchmarks.workloads import Pair

Sizes = tuple[int, int]
"""Numbers of classes and of clusters."""

ARI_GIVEN, NMI_GIVEN = f"{ARI}, sizes given", f"{NMI}, sizes given"
ACCUMULATOR_UPDATE, METRIC_UPDATE = "Accumulator.update", "ClusteringMetric.update"
FORWARD_ARI, FORWARD_NMI, FORWARD_ALL = (f"ClusteringMetric({names})" for names in ("ari", "nmi", "nmi, ari, acc"))
READ, READ_GROWING = "Accumulator.table, then ARI", "growing Accumulator.table, then ARI"


def updated(metric: Any, labels: Pair) -> Call:
    """A metric of torchmetrics that takes a batch; its value is the score of the batches."""
    true, pred = labels
    return Call(partial(metric.update, pred, true), metric.reset, lambda _: metric.compute())


def forwarded(metric: Any, labels: Pair) -> Call:
    """A metric of torchmetrics, or several, that takes a batch and returns its score."""
    true, pred = labels
    return Call(partial(metric, pred, true), metric.reset, _scores)


def _scores(found: Any) -> Any:
    """The score, or NMI and ARI of several: torchmetrics has no accuracy to compare with."""
    return [found[NMI], found[ARI]] if isinstance(found, dict) else found


def _given(name: str, labels: Pair, sizes: Sizes) -> Call:
    n_classes, n_clusters = sizes
    return Call(partial(getattr(gpuval, name), *labels, n_classes=n_classes, n_clusters=n_clusters))


def _accumulator_update(labels: Pair, sizes: Sizes) -> Call:
    accumulator = gpuval.Accumulator(*sizes)
    return Call(partial(accumulator.update, *labels), accumulator.reset, lambda _: _score_of(accumulator))


def _metric(metrics: Any, sizes: Sizes) -> Any:
    n_classes, n_clusters = sizes
    from gpuval.torchmetrics import ClusteringMetric  # only now: it imports torchmetrics

    return ClusteringMetric(metrics, n_classes=n_classes, n_clusters=n_clusters)


def _read(accumulator: gpuval.Accumulator, labels: Pair) -> Call:
    accumulator.update(*labels)
    return Call(partial(_score_of, accumulator))


def _score_of(accumulator: gpuval.Accumulator) -> Any:
    return gpuval.adjusted_rand_score(accumulator.table)


LOOPS: dict[str, Callable[[Pair, Sizes], Call]] = {
    ARI_GIVEN: partial(_given, ARI),
    NMI_GIVEN: partial(_given, NMI),
    ACCUMULATOR_UPDATE: _accumulator_update,
    METRIC_UPDATE: lambda labels, sizes: updated(_metric("ari", sizes), labels),
    FORWARD_ARI: lambda labels, sizes: forwarded(_metric("ari", sizes), labels),
    FORWARD_NMI: lambda labels, sizes: forwarded(_metric("nmi", sizes), labels),
    FORWARD_ALL: lambda labels, sizes: forwarded(_metric(["nmi", "ari", "acc"], sizes), labels),
    READ: lambda labels, sizes: _read(gpuval.Accumulator(*sizes), labels),
    READ_GROWING: lambda labels, sizes: _read(gpuval.Accumulator(), labels),
}
"""What makes the call of each, for a batch and the sizes of the table."""

OF_TENSORS = (METRIC_UPDATE, FORWARD_ARI, FORWARD_NMI, FORWARD_ALL)
"""Those that take PyTorch's tensors alone, and need torchmetrics."""
