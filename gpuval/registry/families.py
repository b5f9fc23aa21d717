"""The measures by their full and short names, and the reason why a public measure is not among ``METRICS``.

Nothing here reads data: a wrong name is an error before a file is read or a table is built.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType, ModuleType
from typing import Any

from gpuval.metrics.external import (
    agreement,
    beta_entropies,
    element_centric,
    information,
    matching,
    overlap,
    pair_counting,
    per_class,
    standardized,
)
from gpuval.metrics.external._metric import Formula, Metric
from gpuval.table.labels import check_some_are_the_same

__all__ = ["METRICS"]

_FAMILIES = (pair_counting, per_class, information, beta_entropies, overlap, element_centric, matching, standardized)
"""The measures of clusterings, which do not depend on what the labels are called."""

_DRAWING = ("standardized_mutual_info_score",)
"""Those of one number that may draw random tables."""

METRICS: Mapping[str, Metric] = MappingProxyType(
    {
        name: metric
        for family in _FAMILIES
        for name in family.__all__
        if getattr(metric := getattr(family, name), "gives_one_number", False) and name not in _DRAWING
    }
)
"""A mapping from names to all external measures that return one number; read-only.

It does not contain the internal measures, such as the silhouette, which need the samples (see ``INTERNAL_METRICS``),
nor Cohen's kappa, which compares the labels themselves and must be asked for, nor the standardised mutual information,
which may draw random tables. :func:`gpuval.evaluate` lists the short names of some measures.
"""


@functools.wraps(agreement.cohen_kappa_score)
def _kappa_of_same_names(table: Any, **options: Any) -> Any:
    """Cohen's kappa, of which an evaluation asks that both sides have some names in common.

    A table of given size has the labels 0, 1, ... on both; that of a part of the samples need have none.
    """
    check_same_names(table)
    return agreement.cohen_kappa_score(table, **options)


OF_SAME_NAMES: Mapping[str, Callable[..., Any]] = MappingProxyType({"cohen_kappa_score": _kappa_of_same_names})
"""Measures of a table that compare the labels themselves: "all" does not stand for them."""


def check_same_names(table: Any) -> None:
    """Check that both sides of a table, unless its size was given, have some names in common, which kappa compares."""
    if not table.fixed:
        check_some_are_the_same(table.classes, table.clusters, table.scales, "cohen_kappa_score")


def compares_names(functions: Iterable[Callable[..., Any]]) -> bool:
    """Whether one of the functions is a measure that compares the labels themselves."""
    return not OF_SAME_NAMES.keys().isdisjoint(map(measure_of, functions))


def with_name_check(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function, also a partial one, as evaluations call it: with a check that names can be compared."""
    if isinstance(function, functools.partial) and function.func is agreement.cohen_kappa_score:
        return functools.partial(_kappa_of_same_names, *function.args, **function.keywords)
    return _kappa_of_same_names if function is agreement.cohen_kappa_score else function


def measure_of(function: Callable[..., Any]) -> str | None:
    """The name of a measure of a table, or of one with options by ``functools.partial``; None for any other."""
    while isinstance(function, functools.partial):
        function = function.func
    name = getattr(function, "__name__", None)
    known = isinstance(name, str) and (METRICS.get(name) or OF_SAME_NAMES.get(name)) is function
    return name if known else None


def is_measure(function: Callable[..., Any]) -> bool:
    """Whether a function is a measure of ``METRICS``, not one of a user."""
    name = getattr(function, "__name__", None)
    return isinstance(name, str) and METRICS.get(name) is function


def formula_of(function: Callable[..., Any]) -> Formula | None:
    """The formula of a measure of ``METRICS``, if it has one; None for any other function."""
    return METRICS[function.__name__].formula if is_measure(function) else None


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
        "kappa": "cohen_kappa_score",
    }
)
"""Short names of measures, in lower case."""

SHORT_INTERNAL_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "asw": "silhouette_score",
        "silhouette": "silhouette_score",
        "ch": "calinski_harabasz_score",
        "db": "davies_bouldin_score",
        "dunn": "dunn_index",
        "dbcv": "dbcv_score",
        "wcss": "inertia",
    }
)
"""Short names of internal measures, which need the samples."""

AMBIGUOUS_NAMES = {
    "f1": ("pair_f_score", "bcubed_f_score", "f_measure_score"),
    "precision": ("pair_precision_score", "bcubed_precision_score"),
    "recall": ("pair_recall_score", "bcubed_recall_score"),
}
"""Short names that the literature gives to more than one measure."""

_ONE_OF = {"isolated_labels_score": ["X= or clusterings="]}
"""Arguments of which one must be given by its name."""

_OF_CELLS = {
    "integration_scores": (
        "integration_scores gives the scores of an embedding: gpuval.integration_scores(X, batch, label, neighbors=)"
    )
}
"""What is said of a function whose module needs this one, and so cannot be loaded here."""


def full_name(name: str, requirement: str = "metrics must be names of measures") -> str:
    """The name of the measure of a table that ``name`` stands for: a full or a short name, in any case.

    Raises
    ------
    ValueError
        For any other name: ``requirement``, the name, and which measure may be meant or how it is called.
    """
    key = name.lower()
    key = SHORT_NAMES.get(key, key)
    if key in METRICS or key in OF_SAME_NAMES:
        return key
    if key == "all":
        one, other = "is for evaluate() and compare()", "is given alone, not as one of several"
        raise ValueError(f'{requirement}, got {name!r}; "all" {one if requirement.startswith("metric ") else other}')
    raise ValueError(f"{requirement}, got {name!r}; {_hint(key)}")


def _hint(key: str) -> str:
    """How the public measure is called that is asked for, or which of ``METRICS`` may be meant."""
    key = SHORT_INTERNAL_NAMES.get(key, key)
    others = other_metrics()
    if key in others:
        return others[key]
    import difflib  # not at the top: it takes a while to load, and few names are wrong

    known = [*METRICS, *OF_SAME_NAMES, *others, *SHORT_NAMES]
    similar = AMBIGUOUS_NAMES.get(key) or difflib.get_close_matches(key, known)
    return f"did you mean {' or '.join(similar)}?" if similar else "gpuval.METRICS has them all"


def hint_of_namesake(name: str) -> str | None:
    """How the public measure is called that has the name of a function which takes no table; None without one."""
    known = name in METRICS or name in OF_SAME_NAMES
    return f'give "{name}" for the one of gpuval' if known else other_metrics().get(name)


@functools.cache
def other_metrics() -> Mapping[str, str]:
    """Why each public measure that is not among ``METRICS`` is not, and how it is called.

    They are loaded here, as only messages need them.
    """
    from gpuval.metrics import graph
    from gpuval.metrics.external import tables
    from gpuval.metrics.integration import isolated_labels, kbet, lisi, pcr, silhouettes
    from gpuval.metrics.internal import centres, dbcv, dunn, silhouette
    from gpuval.registry.internal import INTERNAL_METRICS

    reasons = {
        metric: _why_not_one_number(metric)
        for metric in _public_functions([*_FAMILIES, tables])
        if metric.__name__ not in METRICS
    }
    of_samples = [silhouette, centres, dunn, dbcv, silhouettes]
    reasons |= {
        metric: "needs samples and their batches" if "batch" in _arguments(metric) else "needs samples"
        for metric in _public_functions(of_samples)
    }
    reasons |= dict.fromkeys(_public_functions([graph]), "needs a graph of the samples")
    reasons |= dict.fromkeys(_public_functions([kbet, lisi]), "needs the neighbours of samples")
    reasons |= dict.fromkeys(_public_functions([pcr]), "needs samples and a covariate")
    reasons |= dict.fromkeys(_public_functions([isolated_labels]), "needs batches and samples or clusterings")
    return {
        metric.__name__: _said_of(metric, reason, metric.__name__ in INTERNAL_METRICS)
        for metric, reason in reasons.items()
    } | _OF_CELLS


def _said_of(metric: Callable[..., Any], reason: str, is_in_evaluations: bool) -> str:
    name = metric.__name__
    call = f"{name} {reason}: gpuval.{name}({', '.join(_arguments(metric))})"
    return f"{call}, or gpuval.evaluate(..., X=X)" if is_in_evaluations else call


def _why_not_one_number(metric: Callable[..., Any]) -> str:
    if metric.__name__ in _DRAWING:
        return "may draw random tables"
    return "gives more than one number" if hasattr(metric, "gives_one_number") else "gives a value for each sample"


def _public_functions(families: Iterable[ModuleType]) -> Iterable[Callable[..., Any]]:
    return (getattr(family, name) for family in families for name in family.__all__)


def _arguments(metric: Callable[..., Any]) -> list[str]:
    """The arguments that may be given by place, the data, and what must be given by name; no options."""
    parameters = inspect.signature(metric).parameters.values()
    by_place = [x.name for x in parameters if x.kind is x.POSITIONAL_OR_KEYWORD]
    return by_place + _ONE_OF.get(metric.__name__, [])
