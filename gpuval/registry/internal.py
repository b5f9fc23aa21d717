"""The internal measures that return one number for samples and labels, and the options of each measure."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from gpuval.measures.measure import find_measures, full_names, usual_names

__all__ = ["INTERNAL_METRICS"]

_MEASURES = [measure for measure in find_measures("metrics.internal") if measure.values == "one"]

INTERNAL_METRICS: Mapping[str, Callable[..., Any]] = MappingProxyType({x.name: x.function for x in _MEASURES})
"""A mapping from names to the internal measures that return one number for samples and their labels; read-only.

:func:`gpuval.evaluate` and :func:`gpuval.compare` take these names together with the samples, ``X=``.
"""

DEFAULT_INTERNAL_METRICS = usual_names(_MEASURES)
"""Those that are reported most."""

SHORT_INTERNAL_NAMES: Mapping[str, str] = MappingProxyType(full_names(_MEASURES))
"""Short names, in lower case."""

OPTIONS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        name: frozenset(inspect.signature(metric).parameters) - {"X", "labels"}
        for name, metric in INTERNAL_METRICS.items()
    }
)
"""The options of each of them."""
