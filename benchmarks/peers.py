"""The other libraries, with the names that the measures have there; labels are converted before time is taken."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from importlib.util import find_spec
from typing import Any
from unittest import mock

import numpy as np

from benchmarks.calls import Call
from benchmarks.loops import (
    ACCUMULATOR_UPDATE,
    ARI_GIVEN,
    FORWARD_ALL,
    FORWARD_ARI,
    FORWARD_NMI,
    METRIC_UPDATE,
    NMI_GIVEN,
    forwarded,
    updated,
)
from benchmarks.measures import (
    ACCURACY,
    ARI,
    ARI_NMI_ACC,
    CALINSKI_HARABASZ,
    COSINE,
    DAVIES_BOULDIN,
    NMI,
    NMI_AND_ARI,
    SILHOUETTE,
    SQUARED,
)
from benchmarks.workloads import Pair, Workload

Function = Callable[[Any, Any], Any]

LARGEST_TABLE = 10**7
"""Cells of a dense table that fit on most machines."""

MOST_PAIRED = 50_000
"""Samples all of whose distances are there within a minute."""

LONGEST_LOOP = 10**5
"""Steps of a loop in Python that end within seconds."""


@dataclass(frozen=True)
class Peer:
    """Another library: what it computes, and how near to gpuval its values must be.

    ``functions`` and ``loops``, which makes the calls of what keeps a state for a batch, import the library.
    ``tolerance`` is of the difference, relative where values are above 1. ``notes`` say of a measure what is timed.
    """

    name: str
    module: str
    functions: Callable[[], Mapping[str, Function]]
    prepare: Callable[[Pair, str], Pair] = lambda labels, torch_device: labels
    refuses: Callable[[Workload, str], str | None] = lambda workload, measure: None
    takes_text: bool = False
    tolerance: float = 1e-10
    loops: Callable[[], Mapping[str, Callable[[Pair], Call]]] = dict
    notes: Mapping[str, str] = field(default_factory=dict)

    def absent(self) -> str | None:
        """Why the peer cannot be compared with here."""
        if not find_spec(self.module):
            return "not installed"
        try:
            self.functions()
        except (ImportError, AttributeError) as error:
            return f"not usable: {error}"
        return None

    def offers(self, workload: Workload, measure: str) -> bool:
        """Whether the peer has the measure, of such labels."""
        return measure in {**self.functions(), **self.loops()} and (self.takes_text or not workload.is_text)

    def call(self, measure: str, labels: Pair) -> Call:
        """A measure of labels that are prepared."""
        loops = self.loops()
        return loops[measure](labels) if measure in loops else Call(partial(self.functions()[measure], *labels))

    def agrees(self, ours: Any, theirs: Any, workload: Workload) -> bool:
        """Whether two values are the same number or table; of samples in 32 bits, as far as these go."""
        a, b = (np.asarray(x, dtype=np.float64) for x in (ours, theirs))
        tolerance = max(self.tolerance, 1e-5 if workload.dtype == "float32" else 0)
        return a.shape == b.shape and bool(np.all(np.abs(a - b) <= tolerance * np.maximum(1, np.abs(a))))


def _both(functions: Mapping[str, Function]) -> Mapping[str, Function]:
    """Add the pair of measures that is reported most, for libraries that have the two only one by one."""
    return {**functions, NMI_AND_ARI: lambda *labels: [functions[NMI](*labels), functions[ARI](*labels)]}


def _with_sizes(functions: Mapping[str, Function]) -> Mapping[str, Function]:
    """Add the measures with the sizes given, for libraries that take none."""
    return {**functions, ARI_GIVEN: functions[ARI], NMI_GIVEN: functions[NMI]}


def _with_three(functions: Mapping[str, Function], accuracy: Function) -> Mapping[str, Function]:
    """Add the three measures of a step, one by one."""
    three = functions[ARI], functions[NMI], accuracy
    return {**functions, ARI_NMI_ACC: lambda *labels: [function(*labels) for function in three]}


def _sklearn() -> Mapping[str, Function]:
    from scipy.optimize import linear_sum_assignment
    from sklearn import metrics

    def accuracy(true: Any, pred: Any) -> Any:
        """Take the usual way to what scikit-learn does not have."""
        table = metrics.cluster.contingency_matrix(true, pred)
        return table[linear_sum_assignment(table, maximize=True)].sum() / len(true)

    names = (ARI, NMI, "v_measure_score", "adjusted_mutual_info_score")
    functions = {name: getattr(metrics, name) for name in names}
    functions["contingency_matrix"] = metrics.cluster.contingency_matrix
    functions |= {name: getattr(metrics, name) for name in (SILHOUETTE, CALINSKI_HARABASZ, DAVIES_BOULDIN)}
    functions[SQUARED] = partial(metrics.silhouette_score, metric="sqeuclidean")
    functions[COSINE] = partial(metrics.silhouette_score, metric="cosine")
    return _with_three(_with_sizes(_both({**functions, ACCURACY: accuracy})), accuracy)


def _genieclust() -> Mapping[str, Function]:
    from genieclust import compare_partitions as other

    return _both(
        {
            "contingency_matrix": other.confusion_matrix,
            ARI: other.adjusted_rand_score,
            NMI: other.normalized_mi_score,
            "v_measure_score": other.normalized_mi_score,
            "adjusted_mutual_info_score": other.adjusted_mi_score,
        }
    )


def _torchmetrics() -> Mapping[str, Function]:
    from scipy.optimize import linear_sum_assignment
    from torchmetrics.functional import clustering as other
    from torchmetrics.functional.clustering.utils import calculate_contingency_matrix

    def accuracy(true: Any, pred: Any) -> float:
        """Take its table to what it does not have."""
        table = calculate_contingency_matrix(pred, true).numpy(force=True)
        return float(table[linear_sum_assignment(table, maximize=True)].sum() / len(true))

    def number(function: Function) -> Function:
        return lambda true, pred: float(function(pred, true))

    def of_samples(function: Function) -> Function:
        return lambda X, labels: float(function(X, labels))

    functions = {
        CALINSKI_HARABASZ: of_samples(other.calinski_harabasz_score),
        DAVIES_BOULDIN: of_samples(other.davies_bouldin_score),
        ARI: number(other.adjusted_rand_score),
        NMI: number(other.normalized_mutual_info_score),
        "v_measure_score": number(other.v_measure_score),
        "adjusted_mutual_info_score": number(other.adjusted_mutual_info_score),
    }
    return _with_three(_with_sizes(_both(functions)), accuracy)


def _torchmetrics_loops() -> Mapping[str, Callable[[Pair], Call]]:
    from torchmetrics import MetricCollection
    from torchmetrics.clustering import AdjustedRandScore, NormalizedMutualInfoScore

    def both() -> Any:
        return MetricCollection({NMI: NormalizedMutualInfoScore(), ARI: AdjustedRandScore()})

    return {
        ACCUMULATOR_UPDATE: lambda labels: updated(AdjustedRandScore(), labels),
        METRIC_UPDATE: lambda labels: updated(AdjustedRandScore(), labels),
        FORWARD_ARI: lambda labels: forwarded(AdjustedRandScore(), labels),
        FORWARD_NMI: lambda labels: forwarded(NormalizedMutualInfoScore(), labels),
        FORWARD_ALL: lambda labels: forwarded(both(), labels),
    }


def _tensors(labels: Pair, torch_device: str) -> Pair:
    import torch

    true, pred = (torch.asarray(x, device=torch_device) for x in labels)
    return true, pred


def _igraph() -> Mapping[str, Function]:
    import igraph

    def number(method: str) -> Function:
        return partial(igraph.compare_communities, method=method)

    return _both({ARI: number("adjusted_rand"), NMI: number("nmi"), "v_measure_score": number("nmi")})


def _lists(labels: Pair, torch_device: str) -> Pair:
    true, pred = (x.tolist() for x in labels)
    return true, pred


def _scib() -> Mapping[str, Function]:
    """Its benchmark of a clustering, with the clustering given: what remains is its reading and its scores."""
    from scib_metrics.metrics import _nmi_ari as other
    from scib_metrics.metrics import silhouette_label

    embedding = np.zeros((1, 1))  # only the clustering would look at it

    def nmi_and_ari(true: Any, pred: Any) -> list[float]:
        with mock.patch.object(other, "_compute_clustering_kmeans", return_value=pred):
            scores = other.nmi_ari_cluster_labels_kmeans(embedding, true)
        return [scores["nmi"], scores["ari"]]

    def silhouette(X: Any, labels: Any) -> float:
        return float(silhouette_label(X, labels, rescale=False))

    return {NMI_AND_ARI: nmi_and_ari, SILHOUETTE: silhouette}


def _too_large(workload: Workload, measure: str) -> str | None:
    if workload.n_classes * workload.n_clusters > LARGEST_TABLE:
        return f"not run: it takes minutes on a table of {workload.n_classes * workload.n_clusters:.0e} cells"
    return None


def _too_many_pairs(workload: Workload, measure: str) -> str | None:
    if measure == SILHOUETTE and workload.n_samples > MOST_PAIRED:
        return f"not run: it takes minutes for the distances of {workload.n_samples} samples"
    return None


def _too_large_or_slow(workload: Workload, measure: str) -> str | None:
    steps = workload.n_samples * min(workload.n_classes, workload.n_clusters)
    if measure == "adjusted_mutual_info_score" and steps > LONGEST_LOOP:
        return f"not run: its expectation is a loop in Python, of about {steps:.0e} steps"
    return _too_large(workload, measure)


_OWN_ACCURACY = "the peer's accuracy is that of its table by SciPy's assignment"
_APPENDED = "the peer appends both vectors to lists, which are empty before each turn"

PEERS: dict[str, Peer] = {
    peer.name: peer
    for peer in (
        Peer(
            "scikit-learn",
            "sklearn",
            _sklearn,
            refuses=_too_many_pairs,
            takes_text=True,
            notes=dict.fromkeys((ACCURACY, ARI_NMI_ACC), _OWN_ACCURACY),
        ),
        Peer("genieclust", "genieclust", _genieclust, refuses=_too_large),
        Peer(
            "torchmetrics",
            "torchmetrics",
            _torchmetrics,
            _tensors,
            _too_large_or_slow,
            tolerance=1e-5,
            loops=_torchmetrics_loops,
            notes={
                ARI_NMI_ACC: _OWN_ACCURACY,
                **dict.fromkeys((ACCUMULATOR_UPDATE, METRIC_UPDATE, FORWARD_ARI, FORWARD_NMI), _APPENDED),
                FORWARD_ALL: f"the peer is a collection of NMI and ARI, as it has no accuracy; {_APPENDED}",
            },
        ),
        Peer("igraph", "igraph", _igraph, _lists, _too_large),
        Peer("scib-metrics", "scib_metrics", _scib, refuses=_too_many_pairs),
    )
}
"""All peers by name. The scores of torchmetrics are of 32 bits, hence its tolerance."""
