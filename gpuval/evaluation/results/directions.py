"""Whether higher or lower scores of a measure are better."""

from __future__ import annotations

from typing import Literal

Direction = Literal["higher", "lower", ""]

ARROWS = {"higher": "\N{UPWARDS ARROW}", "lower": "\N{DOWNWARDS ARROW}"}
"""What stands behind the name of a measure: an arrow to the better scores."""

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
