"""What is measured: points over samples, features, clusters, distance and dtype, in groups."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product

from benchmarks.measures import CALINSKI_HARABASZ, DAVIES_BOULDIN, SILHOUETTE

SILHOUETTES = "silhouette_samples"
OF_CENTRES = (CALINSKI_HARABASZ, DAVIES_BOULDIN)
DTYPES = ("float32", "float64")

MOST_BYTES = 200 * 10**6
"""Of samples in 64 bits: larger ones are left out."""

MOST_PRODUCTS = 3 * 10**10
"""Products of two features in the distances of all pairs: what has more takes long for no other reason."""


@dataclass(frozen=True)
class Point:
    """A measure of samples of one kind, which ``benchmarks.internal.samples`` makes, and their labels."""

    measure: str
    kind: str
    n_samples: int
    n_features: int
    n_clusters: int
    dtype: str
    metric: str = ""
    """The distance; none for measures of centres."""

    @property
    def name(self) -> str:
        """What a pattern of the reasons is compared with."""
        sizes = f"n{self.n_samples}/d{self.n_features}/k{self.n_clusters}"
        return "/".join([self.measure, self.metric or "-", self.kind, sizes, self.dtype])


def _points(
    measures: Iterable[str],
    kinds: Iterable[str],
    n_samples: Iterable[int],
    n_features: Iterable[int],
    n_clusters: Iterable[int],
    dtypes: Iterable[str] = DTYPES,
    metrics: Iterable[str] = ("",),
) -> tuple[Point, ...]:
    """Every combination, with at least two samples for a cluster, that is not too large."""
    every = (
        Point(measure, kind, n, d, k, dtype, metric)
        for measure, metric, kind, d, k, dtype, n in product(
            measures, metrics, kinds, n_features, n_clusters, dtypes, n_samples
        )
    )
    return tuple(x for x in every if _is_measured(x))


def _is_measured(x: Point) -> bool:
    if 2 * x.n_clusters > x.n_samples or 8 * x.n_samples * x.n_features > MOST_BYTES:
        return False
    return not x.metric or x.n_samples**2 * x.n_features <= MOST_PRODUCTS


def _distances(n_samples: Iterable[int], n_clusters: Iterable[int]) -> tuple[Point, ...]:
    kinds = "distances", "distances, sorted"
    return _points([SILHOUETTE], kinds, n_samples, [10], n_clusters, metrics=["precomputed"])


_TEXT, _TENTH = ("sparse text", 2000, 100_000), ("sparse tenth", 2000, 2000)

GROUPS: dict[str, tuple[Point, ...]] = {
    "euclidean": _points(
        [SILHOUETTE],
        ["blobs"],
        [100, 300, 1000, 3000, 10_000, 20_000],
        [2, 10, 50, 300, 1000],
        [5, 20, 100],
        metrics=["euclidean"],
    ),
    "other-distances": (
        *_points([SILHOUETTE], ["blobs"], [300, 1000, 3000, 10_000], [10, 50, 300, 1000], [20], metrics=["cosine"]),
        *_points(
            [SILHOUETTE],
            ["blobs"],
            [300, 1000, 3000],
            [10, 300],
            [20],
            metrics=["sqeuclidean", "cityblock", "correlation"],
        ),
    ),
    "samples": _points([SILHOUETTES], ["blobs"], [300, 3000], [10, 300], [20], metrics=["euclidean"]),
    "precomputed": _distances([100, 300, 1000, 2000, 5000], [2, 20, 200]),
    "far-groups": _points(
        [SILHOUETTE], ["far 30", "far 1000"], [1000, 2000, 5000], [50, 300], [10], metrics=["euclidean"]
    ),
    "sparse": tuple(
        Point(SILHOUETTE, *of, 20, dtype, metric)
        for of, metric, dtype in product((_TEXT, _TENTH), ("cosine", "euclidean", "sqeuclidean"), DTYPES)
    ),
    "tensors": (
        *_points(
            [SILHOUETTE], ["gradient"], [300, 1000, 3000], [10, 50, 300], [20], ["float32"], metrics=["euclidean"]
        ),
        *_points([SILHOUETTE], ["tensor"], [300, 1000, 3000], [10, 50, 300], [20], ["bfloat16"], metrics=["euclidean"]),
        *_points(OF_CENTRES, ["gradient"], [300, 1000, 3000], [10, 50, 300], [20], ["float32"]),
        *_points(OF_CENTRES, ["tensor"], [300, 1000, 3000], [10, 50, 300], [20], ["bfloat16"]),
    ),
    "centres": _points(OF_CENTRES, ["blobs"], [200, 1000, 2000, 5000, 20_000], [2, 10, 50, 300, 1000], [5, 20, 50]),
}
"""All points by the name of their group."""

SMOKE: dict[str, tuple[Point, ...]] = {
    "euclidean": _points([SILHOUETTE], ["blobs"], [200], [10], [5], metrics=["euclidean"]),
    "other-distances": _points(
        [SILHOUETTE], ["blobs"], [200], [10], [5], ["float32"], ["cosine", "sqeuclidean", "cityblock", "correlation"]
    ),
    "samples": _points([SILHOUETTES], ["blobs"], [200], [10], [5], metrics=["euclidean"]),
    "precomputed": _distances([200], [5]),
    "far-groups": _points([SILHOUETTE], ["far 30", "far 1000"], [200], [10], [5], metrics=["euclidean"]),
    "sparse": _points(
        [SILHOUETTE],
        ["sparse text", "sparse tenth"],
        [200],
        [500],
        [5],
        metrics=["cosine", "euclidean", "sqeuclidean"],
    ),
    "tensors": (
        *_points([SILHOUETTE], ["gradient"], [200], [10], [5], ["float32"], ["euclidean"]),
        *_points([SILHOUETTE], ["tensor"], [200], [10], [5], ["bfloat16"], ["euclidean"]),
        *_points(OF_CENTRES, ["gradient"], [200], [10], [5], ["float32"]),
        *_points(OF_CENTRES, ["tensor"], [200], [10], [5], ["bfloat16"]),
    ),
    "centres": _points(OF_CENTRES, ["blobs"], [200], [10], [5]),
}
"""Each kind of point, small."""
