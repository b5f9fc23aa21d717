"""What other libraries call our measures, and with which options theirs are called."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import sklearn.metrics
import sklearn.metrics.cluster
from properties import OF_TABLES

GENIECLUST = {
    "ar": "adjusted_rand_score",
    "r": "rand_score",
    "fm": "fowlkes_mallows_score",
    "afm": "adjusted_fowlkes_mallows_score",
    "mi": "mutual_info_score",
    "nmi": "normalized_mutual_info_score",
    "ami": "adjusted_mutual_info_score",
    "npa": "normalized_pivoted_accuracy",
    "nca": "normalized_clustering_accuracy",
    "psi": "pair_sets_index",
    "spsi": "simplified_pair_sets_index",
}
"""Our measures by the names that `compare_partitions` of genieclust gives them."""

IGRAPH: dict[str, tuple[str, dict[str, Any]]] = {
    "vi": ("variation_of_information", {}),
    "nmi": ("normalized_mutual_info_score", {}),
    "rand": ("rand_score", {}),
    "adjusted_rand": ("adjusted_rand_score", {}),
    "split-join": ("van_dongen_distance", {"normalized": False}),
}
"""Our measures, with options, by the names that `compare_communities` of igraph gives them."""

OPTIONS: dict[str, tuple[Any, ...]] = {
    "average_method": ("min", "geometric", "arithmetic", "max"),
    "beta": (0.0, 0.3, 1.0, 2.5),
    "eps": (None, 0.1),
    "weights": (None, "linear", "quadratic"),
}
"""The options that measures of scikit-learn and ours have in common, and what is tried of them."""


def of_sklearn() -> Iterator[tuple[str, Callable[..., Any], dict[str, Any]]]:
    """The measures of two label vectors that scikit-learn has, too: the name, its function, and options of both.

    Its entropy, which is on its way out, is not among them.
    """
    modules = sklearn.metrics.cluster, sklearn.metrics
    for measure in OF_TABLES:
        places = [module for module in modules if measure.name in module.__all__ and measure.name != "entropy"]
        if places:
            theirs = getattr(places[0], measure.name)
            names = [x for x in OPTIONS if x in inspect.signature(theirs).parameters]
            for values in product(*map(OPTIONS.__getitem__, names)):
                yield measure.name, theirs, dict(zip(names, values, strict=True))
