"""Which method suits a measure: the one that evaluations take, and comparisons by default."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from gpuval.evaluation.clustering.registry import measure_of
from gpuval.metrics.external import beta_entropies, element_centric, information, overlap

_BY_JACKKNIFE = {*information.__all__, *beta_entropies.__all__, *overlap.__all__, *element_centric.__all__}
"""Measures that drawing samples again shifts, as copies of a sample agree in all of them."""


def suited_method(function: Callable[..., Any], *, has_groups: bool) -> Literal["bca", "jackknife"]:
    """The jackknife for groups, which are few, and for measures that drawing samples again shifts; else BCa."""
    return "jackknife" if has_groups or measure_of(function) in _BY_JACKKNIFE else "bca"
