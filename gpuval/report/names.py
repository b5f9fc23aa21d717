"""The names that measures are asked for by: their own, the short ones of the literature, and where other measures are.

Nothing here looks at data, so that a wrong name is told before a file is read or a table is built.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from gpuval.metrics.external import beta_entropies, information, matching, overlap, pair_counting

_LABELS = "gpuval.{}(labels_true, labels_pred)"
_SAMPLES = "gpuval.{}(X, labels)"

ELSEWHERE: Mapping[str, str] = MappingProxyType(
    dict.fromkeys(
        (
            "cluster_f_score",
            "cluster_precision",
            "cluster_recall",
            "contingency_matrix",
            "homogeneity_completeness_v_measure",
            "match_labels",
            "normalized_confusion_matrix",
            "normalizing_permutation",
            "pair_confusion_matrix",
        ),
        f"gives more than one number: {_LABELS}",
    )
    | {"cohen_kappa_score": f"compares the labels themselves: {_LABELS}"}
    | dict.fromkeys(
        (
            "calinski_harabasz_score",
            "davies_bouldin_score",
            "dunn_index",
            "silhouette_label",
            "silhouette_samples",
            "silhouette_score",
        ),
        f"needs samples: {_SAMPLES}",
    )
    | {"silhouette_batch": "needs samples and their batches: gpuval.{}(X, labels, batch)"}
)
"""Why a public measure is none of ``METRICS``, and how it is called."""

METRICS: Mapping[str, Callable[..., Any]] = MappingProxyType(
    {
        name: getattr(module, name)
        for module in (pair_counting, information, beta_entropies, overlap, matching)
        for name in module.__all__
        if name not in ELSEWHERE
    }
)
"""Every measure of clusterings that is one number, by its name; read-only.

Silhouettes and other measures of samples are not among them, nor is kappa, which compares the labels themselves.
:func:`gpuval.evaluate` lists the short names that stand for some of them.
"""

SHORT_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "ri": "rand_score",
        "ari": "adjusted_rand_score",
        "fmi": "fowlkes_mallows_score",
        "afmi": "adjusted_fowlkes_mallows_score",
        "jaccard": "pair_jaccard_score",
        "mi": "mutual_info_score",
        "nmi": "normalized_mutual_info_score",
        "ami": "adjusted_mutual_info_score",
        "emi": "expected_mutual_info",
        "vi": "variation_of_information",
        "nvi": "normalized_variation_of_information",
        "nid": "normalized_information_distance",
        "homogeneity": "homogeneity_score",
        "completeness": "completeness_score",
        "v": "v_measure_score",
        "v_measure": "v_measure_score",
        "purity": "purity_score",
        "bcubed": "bcubed_f_score",
        "acc": "clustering_accuracy",
        "npa": "normalized_pivoted_accuracy",
        "nca": "normalized_clustering_accuracy",
        "psi": "pair_sets_index",
        "spsi": "simplified_pair_sets_index",
    }
)
"""Short names of measures, in lower case."""

_SHORT_ELSEWHERE = {
    "asw": "silhouette_score",
    "silhouette": "silhouette_score",
    "ch": "calinski_harabasz_score",
    "db": "davies_bouldin_score",
    "dunn": "dunn_index",
    "kappa": "cohen_kappa_score",
}
_SEVERAL = {
    "f1": ("pair_f_score", "bcubed_f_score", "f_measure_score"),
    "precision": ("pair_precision_score", "bcubed_precision_score"),
    "recall": ("pair_recall_score", "bcubed_recall_score"),
}
"""Short names that the literature gives to more than one measure."""


def full_name(name: str, requirement: str = "metrics must be names of measures") -> str:
    """The key of ``METRICS`` that ``name`` stands for: a full or a short name, in any case.

    Raises
    ------
    ValueError
        For any other name: ``requirement``, the name, and which measure may be meant or where it is.
    """
    key = name.lower()
    key = SHORT_NAMES.get(key, key)
    if key in METRICS:
        return key
    if key == "all":
        one, other = "is for evaluate() and compare()", "is given alone, not as one of several"
        raise ValueError(f'{requirement}, got {name!r}; "all" {one if requirement.startswith("metric ") else other}')
    raise ValueError(f"{requirement}, got {name!r}; {_hint(key)}")


def where_it_is(name: str) -> str:
    """Where the measure is that is in ``ELSEWHERE`` by this name."""
    return f"{name} {ELSEWHERE[name].format(name)}"


def _hint(key: str) -> str:
    key = _SHORT_ELSEWHERE.get(key, key)
    if key in ELSEWHERE:
        return where_it_is(key)
    import difflib  # only now: it takes a while to load, and few names are wrong

    near = _SEVERAL.get(key) or difflib.get_close_matches(key, [*METRICS, *ELSEWHERE, *SHORT_NAMES])
    return f"did you mean {' or '.join(near)}?" if near else "gpuval.METRICS has them all"
