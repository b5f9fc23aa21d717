"""The options of ``torchmetrics.Metric``, which all metrics have."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypedDict


class MetricOptions(TypedDict, total=False):
    """Options of ``torchmetrics.Metric``, by name and type."""

    compute_on_cpu: bool
    compute_with_cache: bool
    dist_sync_fn: Callable[..., Any] | None
    dist_sync_on_step: bool
    distributed_available_fn: Callable[[], bool] | None
    process_group: Any
    sync_on_compute: bool
