"""Why scikit-learn is quicker at some points, as far as that is known."""

from __future__ import annotations

from fnmatch import fnmatch

from benchmarks.internal.points import Point

REASONS = {
    "*/euclidean/far *": "pairs within a group are near beside the mean of both groups, and computed by differences",
    "*/cosine/sparse *": "rows of a tile are made dense",
    "*/sqeuclidean/sparse *": "rows of a tile are made dense",
}
"""By a pattern of the names of points; the first that fits is taken."""


def reason(point: Point) -> str:
    """What is known of a point at which gpuval is slower."""
    return next((text for pattern, text in REASONS.items() if fnmatch(point.name, pattern)), "not known")
