"""What is compared: every case, and those of a smoke run."""

from __future__ import annotations

from benchmarks.case import CPU, EVERY, FLOOR, MEMORY, Case, Own, at_least, at_most
from benchmarks.measures import (
    ACCURACY,
    ALL,
    AMI,
    ARI,
    CALINSKI_HARABASZ,
    COSINE,
    DAVIES_BOULDIN,
    DUNN,
    NMI,
    NMI_AND_ARI,
    OF_BATCHES,
    SILHOUETTE,
    SQUARED,
    TABLE,
    UNPRUNED,
    V,
)
from benchmarks.steps import SMOKE_STEPS, STEPS
from benchmarks.workloads import Workload, blobs


def _random(n_samples: int, n_groups: int, dtype: str = "int64") -> Workload:
    return Workload("random", n_samples, n_groups, n_groups, dtype)


LARGE, LARGE_SORTED = _random(10**7, 100), Workload("sorted", 10**7, 100, 100)
MANY, VERY_MANY = _random(10**7, 10**4), _random(10**6, 10**5)
REAL = Workload("real", 700, 10, 11)

FEW = {"igraph": at_least(1), "genieclust": at_least(0.3)}
"""What is aimed at where there are few samples; igraph has no AMI."""

CASES = (
    *(
        Case(
            LARGE,
            measure,
            {"scikit-learn": at_least(50), "genieclust": at_least(1.5), FLOOR: at_most(4)},
            backends=EVERY,
        )
        for measure in (TABLE, ARI)
    ),
    *(
        Case(LARGE_SORTED, measure, {"random order": at_most(1.5)}, own=(Own("random order", LARGE, measure),))
        for measure in (TABLE, ARI)
    ),
    Case(MANY, V, {"scikit-learn": at_least(15)}, backends=EVERY),
    Case(VERY_MANY, V, {"scikit-learn": at_least(12)}),
    Case(Workload("hashes", 10**6, 10**5, 10**5), ARI, {"scikit-learn": at_least(8)}, peers=("scikit-learn",)),
    Case(_random(10**6, 1000), AMI, {"scikit-learn": at_least(150)}),
    Case(_random(10**6, 100), AMI, {"scikit-learn": at_least(50)}, backends=EVERY),
    Case(_random(10**3, 10), ARI, {"scikit-learn": at_least(8), "igraph": at_least(1)}, backends=EVERY),
    Case(_random(10**3, 10), NMI, {"scikit-learn": at_least(4)}, backends=EVERY),
    Case(_random(10**3, 10), AMI, FEW),
    *(Case(REAL, measure, FEW) for measure in (ARI, NMI, AMI)),
    *(
        Case(Workload(kind, 10**6, 50, 50), ARI, {"scikit-learn": at_least(bound)})
        for kind, bound in (("object", 8), ("fixed", 2), ("categorical", 60))
    ),
    Case(LARGE, ALL, {"one measure": at_most(3)}, own=(Own("one measure", LARGE, ARI),), backends=EVERY),
    Case(_random(10**8, 100, "int32"), TABLE, {MEMORY: at_most(0.05)}, is_timed=False),
    Case(_random(10**7, 100, "int32"), ARI),
    Case(LARGE, NMI_AND_ARI, backends=EVERY),
    Case(
        _random(10**6, 50),
        OF_BATCHES,
        {"all at once": at_most(10)},
        own=(Own("all at once", _random(10**6, 50), NMI_AND_ARI),),
    ),
    Case(Workload("skewed", 10**7, 100, 100), NMI_AND_ARI),
    Case(Workload("noise", 10**7, 100, 100), ARI, own=(Own("without noise", LARGE, ARI),)),
    Case(Workload("good", 10**7, 100, 100), NMI_AND_ARI),
    Case(Workload("good", 10**6, 10**4, 10**4), AMI),
    *(Case(_random(n, 100), ACCURACY, {"scikit-learn": at_least(1)}, backends=CPU) for n in (256, 1024)),
    Case(_random(10**6, 1000), ACCURACY),
    Case(Workload("good", 10**6, 1000, 1000), ACCURACY),
    Case(REAL, NMI_AND_ARI),
    Case(
        blobs(20_000, 50, 20),
        SILHOUETTE,
        {"scikit-learn": at_least(3), "scib-metrics": at_least(4), MEMORY: at_most(49)},  # 200 MB of inputs of 4.1 MB
        backends=CPU,
    ),
    *(
        Case(blobs(20_000, 50, k, dtype), SILHOUETTE, {"scikit-learn": at_least(12)})
        for k, dtype in ((20, "float64"), (100, "float32"), (100, "float64"))
    ),
    Case(blobs(10**6, 50, 100), SQUARED, {"scikit-learn": at_least(1000)}, smaller=blobs(20_000, 50, 100)),
    Case(blobs(10**5, 50, 20), SILHOUETTE, {FLOOR: None, MEMORY: None}),
    *(
        Case(blobs(10**6, 50, 20), measure, {"scikit-learn": at_least(2), "torchmetrics": at_least(2)}, backends=CPU)
        for measure in (CALINSKI_HARABASZ, DAVIES_BOULDIN)
    ),
    *(
        Case(blobs(10**5, 50, 20, dtype), measure, {"torchmetrics": at_least(2)})
        for dtype in ("float32", "float64")
        for measure in (CALINSKI_HARABASZ, DAVIES_BOULDIN)
    ),
    Case(blobs(10**6, 50, 100), DAVIES_BOULDIN),
    *(Case(blobs(3000, 1000, 20), measure, {"scikit-learn": at_least(1)}) for measure in (SILHOUETTE, COSINE)),
    *(
        Case(blobs(1000, d, 20), measure, {"scikit-learn": at_least(1)})
        for d in (10, 300)
        for measure in (SILHOUETTE, CALINSKI_HARABASZ, DAVIES_BOULDIN)
    ),
    Case(
        blobs(20_000, 50, 20),
        DUNN,
        {"every distance": at_most(0.2)},
        own=(Own("every distance", blobs(20_000, 50, 20), UNPRUNED),),
    ),
    *STEPS,
)

_SMALL, _SMALL_SORTED = _random(10**5, 100), Workload("sorted", 10**5, 100, 100)

_BLOBS = blobs(2000, 10, 5)

SMOKE = (
    Case(_random(2 * 10**6, 100, "int32"), TABLE, {FLOOR: None, MEMORY: None}),
    Case(_SMALL_SORTED, ARI, own=(Own("random order", _SMALL, ARI),)),
    Case(_SMALL, ALL, own=(Own("one measure", _SMALL, ARI),)),
    Case(_random(10**3, 10), ARI, backends=CPU),
    Case(_random(10**3, 10), AMI),
    Case(Workload("good", 10**4, 300, 300, "int32"), V),
    Case(Workload("skewed", 10**4, 30, 20), NMI),
    *(Case(_random(n, 100), ACCURACY) for n in (1024, 10**4)),
    *(Case(Workload(kind, 10**4, 50, 50), ARI) for kind in ("object", "fixed", "categorical")),
    Case(Workload("hashes", 10**4, 1000, 1000), ARI, peers=("scikit-learn",)),
    Case(REAL, NMI_AND_ARI),
    Case(_BLOBS, SILHOUETTE, {FLOOR: None, MEMORY: None}),
    Case(_BLOBS, SQUARED, smaller=blobs(1000, 10, 5)),
    Case(_BLOBS, COSINE),
    *(Case(_BLOBS, measure) for measure in (CALINSKI_HARABASZ, DAVIES_BOULDIN)),
    Case(_BLOBS, DUNN, own=(Own("every distance", _BLOBS, UNPRUNED),)),
    *SMOKE_STEPS,
)
"""Each kind of case, small: for every change, in seconds."""
