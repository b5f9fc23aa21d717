"""Whether higher or lower scores of a measure are better, and the ends of their range."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from typing import Any, Literal

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


def range_of_measure(metric: str, options: Mapping[str, Any]) -> tuple[float, float]:
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
