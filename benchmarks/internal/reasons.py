"""Why scikit-learn is quicker at some points, as far as that is known."""

from __future__ import annotations

from fnmatch import fnmatch

from benchmarks.internal.points import Point

_RECORDED = "autograd records each step of the moments, where scikit-learn finds no gradient"
_PRODUCT = "one symmetric product of BLAS is nearly all on both sides"

REASONS = {
    "*/euclidean/sparse tenth/*": "scikit-learn adds products of rows with many entries up in compiled code of its own",
    "*/cosine/sparse text/*": "few milliseconds on both sides",
    "calinski_harabasz_score/-/gradient/*": _RECORDED,
    "davies_bouldin_score/-/gradient/*": _RECORDED,
    "*/precomputed/distances/*": "columns of clusters in no order are turned round in memory before they are added up",
    "*/euclidean/blobs/n3000/d2/k100/float32": "with few features many pairs are too near for 32 bits",
    "*/euclidean/blobs/*/d300/*": _PRODUCT,
    "*/euclidean/blobs/*/d1000/*": _PRODUCT,
}
"""By a pattern of the names of points; the first that fits is taken."""


def reason(point: Point) -> str:
    """What is known of a point at which gpuval is slower."""
    return next((text for pattern, text in REASONS.items() if fnmatch(point.name, pattern)), "not known")
