"""What is known of measures: which scores are better, the ends of their range, and which of them share a p-value."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping
from math import inf
from typing import Any, Literal

from gpuval.registry.families import measure_of

Direction = Literal["higher", "lower", ""]

ARROWS = {"higher": "\N{UPWARDS ARROW}", "lower": "\N{DOWNWARDS ARROW}"}
"""What stands behind the name of a measure: an arrow to the better scores."""

STAR = "*"
"""Stands behind the best scores."""

ABOUT_STAR = f"{STAR} best"
"""What is said of it below a table."""

_NO_DIRECTION = {
    "beta_entropy",
    "beta_joint_entropy",
    "entropy",
    "expected_mutual_info",
    "gini_index",
    "joint_entropy",
    "mcnemar_index",
}
_LOWER = {
    "ball_hall_index",
    "beta_conditional_entropy",
    "conditional_entropy",
    "conductance_scores",
    "davies_bouldin_score",
    "inertia",
    "normalized_variation_of_information",
    "pcr_score",
    "variation_of_information",
    "xie_beni_index",
}
"""Beside those that are called a distance."""


def better(metric: str) -> Direction:
    """Which scores of a measure are the better ones: "higher", "lower", or "" where none are."""
    if metric in _NO_DIRECTION:
        return ""
    return "lower" if metric in _LOWER or metric.endswith("_distance") else "higher"


_ENDS = {
    "adjusted_bcubed_f_score": (-inf, 1.0),
    "adjusted_bcubed_precision_score": (-inf, 1.0),
    "adjusted_bcubed_recall_score": (-inf, 1.0),
    "adjusted_fowlkes_mallows_score": (-1.0, 1.0),
    "adjusted_mutual_info_score": (-inf, 1.0),
    "adjusted_rand_score": (-0.5, 1.0),
    "adjusted_wallace_score": (-inf, 1.0),
    "cluster_edit_distance": (0.0, inf),
    "conditional_entropy": (0.0, inf),
    "entropy": (0.0, inf),
    "expected_mutual_info": (0.0, inf),
    "hubert_gamma_score": (-1.0, 1.0),
    "joint_entropy": (0.0, inf),
    "mcnemar_index": (-inf, inf),
    "mutual_info_score": (0.0, inf),
    "standardized_rand_score": (-inf, inf),
    "variation_of_information": (0.0, inf),
}
"""The lowest and the highest score of the measures for which these are not 0 and 1, whatever their options."""


def _range_of_measure(metric: str, options: Mapping[str, Any]) -> tuple[float, float]:
    """The lowest and the highest score that an external measure of one number can have, with these options."""
    if metric in _ENDS:
        return _ENDS[metric]
    if metric == "beta_mutual_info" and not options.get("beta", 2.0) >= 1:
        return -inf, inf
    if metric == "cohen_kappa_score":
        weights = options.get("weights")
        return (-1.0, 1.0) if weights is None or isinstance(weights, str) else (-inf, 1.0)
    normalized = options.get("normalized", metric == "van_dongen_distance")
    if metric.startswith("beta_") or (metric in ("mirkin_distance", "van_dongen_distance") and not normalized):
        return 0.0, inf
    return (-1.0, 1.0) if options.get("clipped", True) is False else (0.0, 1.0)


# Which measures go up or down with one number, if the class and cluster sizes are fixed: these share its p-value.
#
# With fixed sizes all pair counts follow from T, the pairs together in both partitions, and all entropies from the
# mutual information.

Statistic = Literal["pairs", "information"]

_IN_PAIRS = {
    "adjusted_fowlkes_mallows_score": 1,
    "adjusted_rand_score": 1,
    "adjusted_wallace_score": 1,
    "fowlkes_mallows_score": 1,
    "hubert_gamma_score": 1,
    "mirkin_distance": -1,
    "pair_braun_blanquet_score": 1,
    "pair_f_score": 1,
    "pair_inclusion_score": 1,
    "pair_jaccard_score": 1,
    "pair_kulczynski_score": 1,
    "pair_ochiai_score": 1,
    "pair_precision_score": 1,
    "pair_recall_score": 1,
    "pair_simpson_score": 1,
    "rand_score": 1,
    "rogers_tanimoto_score": 1,
    "russell_rao_score": 1,
    "sokal_sneath_score": 1,
    "standardized_rand_score": 1,
    "wallace_score": 1,
}

_IN_INFORMATION = {
    "adjusted_mutual_info_score": 1,
    "completeness_score": 1,
    "conditional_entropy": -1,
    "homogeneity_score": 1,
    "mutual_info_score": 1,
    "normalized_information_distance": -1,
    "normalized_mutual_info_score": 1,
    "normalized_variation_of_information": -1,
    "v_measure_score": 1,
    "variation_of_information": -1,
}

MONOTONE: Mapping[str, tuple[Statistic, int]] = {
    **{name: ("pairs", sign) for name, sign in _IN_PAIRS.items()},
    **{name: ("information", sign) for name, sign in _IN_INFORMATION.items()},
}
"""By the name of a measure: in what it is monotone, and 1 where it goes up with it, -1 where it goes down.

Those that go down are better the lower they are, so that better is always more of it.
"""


# What is known of the scores of a function: whether higher or lower ones are better, and the ends of their range.


def direction_of(function: Callable[..., Any]) -> str:
    """Give "higher", "lower", or "" where none are.

    Of a measure, also one with options by ``functools.partial``, its own; of any other function "higher", whatever its
    name.
    """
    measure = measure_of(function)
    return "higher" if measure is None else better(measure)


def range_of(function: Callable[..., Any]) -> tuple[float, float]:
    """The lowest and the highest score of a measure, with its options; none are known of any other function."""
    measure = measure_of(function)
    if measure is None:
        return -math.inf, math.inf
    options: dict[str, Any] = {}
    while isinstance(function, functools.partial):
        options = function.keywords | options
        function = function.func
    return _range_of_measure(measure, options)
