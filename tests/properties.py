"""The declared properties of every public measure, with each option that changes it: one table, ``MEASURES``.

A row states what the documentation promises. ``checks`` has one function for each promise; each takes a row and two
labelings and raises AssertionError where the promise is broken.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from math import inf, nan
from typing import Any

import numpy as np
from oracles import all_partitions

import gpuval
from gpuval import Contingency

NOT_MEASURES = {
    *(
        "Accumulator",
        "INTERNAL_METRICS",
        "METRICS",
        "Comparison",
        "Contingency",
        "Evaluation",
        "IntegrationComparison",
        "IntegrationScores",
        "Neighbors",
        "PairwiseScores",
        "Report",
        "ScoreEstimate",
        "ScoreEstimates",
    ),
    *("BestLabeling", "BestLabelings", "PermutationTest", "PermutationTests", "ScoreDifference", "ScoreDifferences"),
    *("bootstrap", "compare", "compare_many_scores", "compare_scores", "evaluate", "integration_scores"),
    *("jackknife", "pairwise"),
    *("permutation_test", "random_tables", "report"),
}
"""The public names that are no measures of a table, nor of samples."""

OF_EACH_SAMPLE = {"element_centric_consistency", "element_centric_samples"}
"""Those of labels with a value for each sample, which are in `test_element_centric`."""

INTERNAL = {
    "InternalAccumulator",
    "ball_hall_index",
    "calinski_harabasz_score",
    "clisi_score",
    "davies_bouldin_score",
    "dbcv_score",
    "dunn_index",
    "hartigan_index",
    "ilisi_score",
    "inertia",
    "kbet_samples",
    "kbet_score",
    "lisi_samples",
    "pbm_index",
    "isolated_labels_score",
    "pcr_comparison_score",
    "pcr_score",
    "silhouette_batch",
    "silhouette_label",
    "silhouette_samples",
    "silhouette_score",
    "silhouette_scores",
    "xie_beni_index",
}
"""Those of samples and labels, whose cases are in `internal_cases`."""

OF_GRAPHS = {
    "conductance_scores",
    "coverage_score",
    "graph_connectivity_score",
    "modularity_score",
    "performance_score",
}
"""Those of a graph and labels, which are in `test_graph_measures`."""

OF_CHANCE = {"pair_count_moments", "standardized_mutual_info_score"}
"""Those that describe all permutations: their definitions take too long here, and are in `test_standardized`."""


OF_COUNTS = {
    "adjusted_bcubed_f_score",
    "adjusted_bcubed_precision_score",
    "adjusted_bcubed_recall_score",
    "adjusted_mutual_info_score",
    "class_adjusted_wallace_scores",
    "cluster_adjusted_wallace_scores",
    "expected_mutual_info",
    "standardized_rand_score",
}
"""The measures that are defined for tables of counts only."""

ADJUSTED = {
    "adjusted_bcubed_precision_score",
    "adjusted_bcubed_recall_score",
    "adjusted_fowlkes_mallows_score",
    "adjusted_mutual_info_score",
    "adjusted_rand_score",
    "adjusted_wallace_score",
    "class_adjusted_wallace_scores",
    "cluster_adjusted_wallace_scores",
    "hubert_gamma_score",
    "standardized_rand_score",
}
"""The measures that are corrected for chance: their mean over all permutations of the labels is exactly 0."""

METRICS = {
    "beta_entropy_distance-beta=1",
    "beta_entropy_distance-beta=1.000000001",
    "beta_entropy_distance-beta=2",
    "beta_entropy_distance-beta=3.5",
    "classification_error_distance",
    "cluster_edit_distance",
    "clustering_accuracy",
    "element_centric_score",
    "mirkin_distance",
    "mirkin_distance-normalized=True",
    "normalized_information_distance",
    "normalized_mutual_info_score-average_method=joint",
    "normalized_mutual_info_score-average_method=max",
    "normalized_variation_of_information",
    "pair_braun_blanquet_score",
    "pair_jaccard_score",
    "rand_score",
    "rogers_tanimoto_score",
    "simplified_pair_sets_index",
    "sokal_sneath_score",
    "van_dongen_distance",
    "van_dongen_distance-normalized=False",
    "variation_of_information",
    "variation_of_information-base=2",
}
"""The rows that are a metric on partitions: the distance itself, or 1 - score."""

OF_PAIRS = {
    "adjusted_fowlkes_mallows_score",
    "adjusted_rand_score",
    "adjusted_wallace_score",
    "fowlkes_mallows_score",
    "hubert_gamma_score",
    "mirkin_distance",
    "pair_braun_blanquet_score",
    "pair_f_score",
    "pair_inclusion_score",
    "pair_jaccard_score",
    "pair_kulczynski_score",
    "pair_ochiai_score",
    "pair_precision_score",
    "pair_recall_score",
    "pair_simpson_score",
    "rand_score",
    "rogers_tanimoto_score",
    "russell_rao_score",
    "sokal_sneath_score",
    "standardized_rand_score",
    "wallace_score",
}
"""The measures in which a class weighs as much as it has pairs of samples."""

OF_EQUAL_CLASSES = {
    "f_measure_score",
    "normalized_clustering_accuracy",
    "pair_sets_index",
    "pair_sets_index-clipped=False",
    "simplified_pair_sets_index",
    "simplified_pair_sets_index-clipped=False",
}
"""The rows in which every class weighs the same, whatever its size."""


def without_labels(value: Any) -> Any:
    """A value, or of the scores of classes or clusters the array alone."""
    return value.scores if hasattr(value, "scores") else value


@dataclass(frozen=True)
class Measure:
    """What is promised of a measure; by default that it is a symmetric score from 0 to 1, the best."""

    name: str
    options: dict[str, Any] = field(default_factory=dict)
    low: float = 0.0
    high: float = 1.0
    best: float | None = 1.0
    """The value that is best; None where neither end is better."""
    identical: float | None = 1.0
    """The value for the same partition twice; None where it depends on the partition."""
    exchanged: str | tuple[str, dict[str, Any]] | None = "same"
    """With the arguments exchanged: "same", "negated" or "transposed", or another measure; None: no such relation."""
    values: str = "one"
    """"one" number, "three", one for each of the "classes" or of the "clusters", "matrix" or "matching"."""
    of_nothing: float = 0.0
    """Of values for each class or cluster: what one without samples has; NaN if a value may be undefined."""
    of_one_labeling: bool = False
    relabelled: bool = True
    """Whether other names for the same classes and clusters leave it as it is (but for the order of values)."""
    host_steps: int = 0
    """Transfers to the host with the size of the table given."""
    host_steps_found: int = 0
    """Transfers beyond these, and beyond the one for the size, where the size is not given."""

    @property
    def of_counts(self) -> bool:
        """Whether it is defined for tables of counts only."""
        return self.name in OF_COUNTS

    @property
    def of_partitions(self) -> bool:
        """Whether it is one number that compares two partitions."""
        return self.values == "one" and self.relabelled and not self.of_one_labeling

    @property
    def adjusted(self) -> bool:
        """Whether its mean over all permutations of the labels is exactly 0."""
        return self.name in ADJUSTED

    @property
    def metric(self) -> bool:
        """Whether it, or 1 minus it for a score, is a metric on partitions."""
        return str(self) in METRICS

    @property
    def class_weight(self) -> float | None:
        """The power of a class's size that its disorder costs: 2 for pairs, 1 for samples, 0 for equal classes.

        None for what is no score or distance of two partitions.
        """
        if not self.of_partitions or self.best is None:
            return None
        if self.name.startswith("beta_"):
            return self.options["beta"]  # type: ignore[no-any-return]
        if self.name in OF_PAIRS:
            return 2
        return 0 if str(self) in OF_EQUAL_CLASSES else 1

    @property
    def of_groups(self) -> bool:
        """Whether there is a value for each class or for each cluster."""
        return self.values in ("classes", "clusters")

    @property
    def symmetric(self) -> bool:
        """Whether exchanging the arguments changes nothing."""
        return self.exchanged == "same"

    @property
    def jits(self) -> bool:
        """Whether it can be traced: what needs no value on the host can."""
        return self.host_steps == 0

    @property
    def function(self) -> Callable[..., Any]:
        """The public function."""
        return getattr(gpuval, self.name)  # type: ignore[no-any-return]

    def of_table(self, table: Contingency) -> Any:
        """The value of a table."""
        return without_labels(self.function(table, **self.options))

    def of_labels(self, labels_true: Any, labels_pred: Any, **building: Any) -> Any:
        """The value of two label vectors; of the one it is about, for a measure of one labeling."""
        if not self.of_one_labeling:
            return without_labels(self.function(labels_true, labels_pred, **self.options, **building))
        n_clusters = building.pop("n_clusters", None)
        if self.options.get("of") != "pred":
            return self.function(labels_true, **self.options, **building)
        if n_clusters is not None:
            building["n_classes"] = n_clusters
        return self.function(labels_pred, **self.options, **building)

    def __str__(self) -> str:
        return self.name + "".join(f"-{key}={value}" for key, value in self.options.items())


def _entropy(name: str, **options: Any) -> Measure:
    return Measure(name, options, high=inf, best=None, identical=None, exchanged=None, of_one_labeling=True)


def _amount(name: str, low: float = 0.0, exchanged: Any = "same", **options: Any) -> Measure:
    return Measure(name, options, low=low, high=inf, best=None, identical=None, exchanged=exchanged)


def _distance(name: str, high: float = inf, exchanged: Any = "same", steps: int = 0, **options: Any) -> Measure:
    return Measure(name, options, high=high, best=0.0, identical=0.0, exchanged=exchanged, host_steps=steps)


def _score(name: str, low: float = 0.0, exchanged: Any = "same", **options: Any) -> Measure:
    return Measure(name, options, low=low, exchanged=exchanged)


def _matched(name: str, low: float = 0.0, exchanged: Any = "same", **options: Any) -> Measure:
    return Measure(name, options, low=low, exchanged=exchanged, host_steps=1)


def _structure(name: str, values: str, exchanged: Any = None, relabelled: bool = False, **steps: int) -> Measure:
    return Measure(
        name,
        low=-inf,
        high=inf,
        best=None,
        identical=None,
        exchanged=exchanged,
        values=values,
        relabelled=relabelled,
        **steps,
    )


COSTS = [[0.0, 1.0, 4.0], [0.5, 0.0, 2.0], [3.0, 1.0, 0.0]]
"""Costs of disagreement on three labels that no pattern makes."""

MEASURES: list[Measure] = [
    # Pairs.
    _score("rand_score"),
    _score("adjusted_rand_score", -0.5),
    _score("fowlkes_mallows_score"),
    _score("adjusted_fowlkes_mallows_score", -1.0),
    _score("pair_precision_score", exchanged=("pair_recall_score", {})),
    _score("pair_recall_score", exchanged=("pair_precision_score", {})),
    _score("pair_f_score"),
    _score("pair_f_score", beta=2, exchanged=("pair_f_score", {"beta": 0.5})),
    _score("pair_f_score", beta=0, exchanged=("pair_recall_score", {})),
    _score("pair_jaccard_score"),
    _score("pair_kulczynski_score"),
    _score("pair_ochiai_score"),
    _score("pair_simpson_score"),
    _score("pair_braun_blanquet_score"),
    _score("pair_inclusion_score", exchanged=("pair_inclusion_score", {"of": "pred"})),
    _score("pair_inclusion_score", variant=2, exchanged=("pair_inclusion_score", {"of": "pred", "variant": 2})),
    _score("pair_inclusion_score", of="pred", exchanged=("pair_inclusion_score", {})),
    _score("pair_inclusion_score", of="pred", variant=2, exchanged=("pair_inclusion_score", {"variant": 2})),
    _distance("mirkin_distance"),
    _distance("mirkin_distance", 1.0, normalized=True),
    _score("hubert_gamma_score", -1.0),
    _score("rogers_tanimoto_score"),
    Measure("russell_rao_score", identical=None),
    _score("sokal_sneath_score"),
    _score("sokal_sneath_score", variant=2),
    Measure("mcnemar_index", low=-inf, high=inf, best=None, identical=0.0, exchanged="negated"),
    _score("wallace_score", exchanged=("wallace_score", {"given": "pred"})),
    _score("wallace_score", given="pred", exchanged=("wallace_score", {})),
    _score("adjusted_wallace_score", -inf, exchanged=("adjusted_wallace_score", {"given": "pred"})),
    _score("adjusted_wallace_score", -inf, given="pred", exchanged=("adjusted_wallace_score", {})),
    Measure(
        "class_adjusted_wallace_scores",
        low=-inf,
        exchanged=("cluster_adjusted_wallace_scores", {}),
        values="classes",
        of_nothing=nan,
        host_steps_found=1,
    ),
    Measure(
        "cluster_adjusted_wallace_scores",
        low=-inf,
        exchanged=("class_adjusted_wallace_scores", {}),
        values="clusters",
        of_nothing=nan,
        host_steps_found=1,
    ),
    _structure("pair_confusion_matrix", "matrix", exchanged="transposed", relabelled=True, host_steps=1),
    # Information.
    _entropy("entropy"),
    _entropy("entropy", of="pred"),
    _entropy("entropy", base=2),
    _amount("joint_entropy"),
    _amount("joint_entropy", base=2),
    _distance("conditional_entropy", exchanged=("conditional_entropy", {"given": "true"})),
    _distance("conditional_entropy", given="true", exchanged=("conditional_entropy", {})),
    _distance("conditional_entropy", base=2, exchanged=("conditional_entropy", {"given": "true", "base": 2})),
    _amount("mutual_info_score"),
    _amount("mutual_info_score", base=2),
    Measure("expected_mutual_info", high=inf, best=None, identical=None, host_steps_found=1),
    Measure("expected_mutual_info", {"base": 2}, high=inf, best=None, identical=None, host_steps_found=1),
    _score("normalized_mutual_info_score"),
    _score("normalized_mutual_info_score", average_method="min"),
    _score("normalized_mutual_info_score", average_method="geometric"),
    _score("normalized_mutual_info_score", average_method="max"),
    _score("normalized_mutual_info_score", average_method="joint"),
    *(
        Measure("adjusted_mutual_info_score", options, low=-inf, host_steps_found=1)
        for options in ({}, *({"average_method": method} for method in ("min", "geometric", "max")))
    ),
    _score("homogeneity_score", exchanged=("completeness_score", {})),
    _score("completeness_score", exchanged=("homogeneity_score", {})),
    _score("v_measure_score"),
    _score("v_measure_score", beta=2.0, exchanged=("v_measure_score", {"beta": 0.5})),
    _score("v_measure_score", beta=0.0, exchanged=None),
    Measure("homogeneity_completeness_v_measure", values="three", exchanged=None),
    _distance("variation_of_information"),
    _distance("variation_of_information", base=2),
    _distance("normalized_variation_of_information", 1.0),
    _distance("normalized_information_distance", 1.0),
    # Beta-entropies.
    *(
        row
        for beta in (2, 1, 0, 0.5, 3.5, 1 + 1e-9)
        for row in (
            _entropy("beta_entropy", beta=beta),
            _entropy("beta_entropy", beta=beta, of="pred"),
            _amount("beta_joint_entropy", beta=beta),
            _distance(
                "beta_conditional_entropy",
                beta=beta,
                exchanged=("beta_conditional_entropy", {"beta": beta, "given": "true"}),
            ),
            _distance(
                "beta_conditional_entropy",
                beta=beta,
                given="true",
                exchanged=("beta_conditional_entropy", {"beta": beta}),
            ),
            _amount("beta_mutual_info", low=0.0 if beta >= 1 else -inf, beta=beta),
            _distance("beta_entropy_distance", beta=beta),
        )
    ),
    _entropy("gini_index"),
    _entropy("gini_index", of="pred"),
    # Overlap.
    _score("purity_score", exchanged=("inverse_purity_score", {})),
    _score("inverse_purity_score", exchanged=("purity_score", {})),
    *(
        Measure(name, values="clusters", exchanged=None, host_steps_found=1)
        for name in ("cluster_precision", "cluster_recall", "cluster_f_score")
    ),
    _score("f_measure_score", exchanged=None),
    _score("f_measure_score", average="weighted", exchanged=None),
    _score("bcubed_precision_score", exchanged=("bcubed_recall_score", {})),
    _score("bcubed_recall_score", exchanged=("bcubed_precision_score", {})),
    _score("bcubed_f_score"),
    _score("bcubed_f_score", beta=2, exchanged=("bcubed_f_score", {"beta": 0.5})),
    _score("bcubed_f_score", beta=0, exchanged=("bcubed_recall_score", {})),
    _score("adjusted_bcubed_precision_score", -inf, exchanged=("adjusted_bcubed_recall_score", {})),
    _score("adjusted_bcubed_recall_score", -inf, exchanged=("adjusted_bcubed_precision_score", {})),
    _score("adjusted_bcubed_f_score", -inf),
    # Element-centric.
    _score("element_centric_score"),
    # Matching.
    _matched("clustering_accuracy"),
    _matched("normalized_pivoted_accuracy"),
    _matched("normalized_clustering_accuracy", exchanged=None),
    _matched("pair_sets_index"),
    _matched("pair_sets_index", -1.0, clipped=False),
    _matched("simplified_pair_sets_index"),
    _matched("simplified_pair_sets_index", -1.0, clipped=False),
    _distance("van_dongen_distance", 1.0),
    _distance("van_dongen_distance", normalized=False),
    _distance("classification_error_distance", 1.0, steps=1),
    _distance("cluster_edit_distance", steps=1),
    _structure("match_labels", "matching", host_steps=1),
    _structure("normalizing_permutation", "matrix", host_steps=1),
    _structure("normalized_confusion_matrix", "matrix", host_steps=1),
    # In standard deviations.
    Measure("standardized_rand_score", low=-inf, high=inf, best=inf, identical=None, of_nothing=nan),
    # The table, and agreement.
    _structure("contingency_matrix", "matrix", exchanged="transposed", host_steps=1),
    *(
        Measure("cohen_kappa_score", options, low=-1.0, relabelled=False, host_steps_found=1)
        for options in ({}, {"weights": "linear"}, {"weights": "quadratic"})
    ),
]

SCORES = [row for row in MEASURES if row.values not in ("matrix", "matching")]
"""The measures whose values are scores: floats that the oracles know."""


# ---- the checks ----------------------------------------------------------------------------------

Labels = Sequence[int]


def flat(value: Any) -> np.ndarray:
    """All numbers of a value."""
    parts = value if isinstance(value, tuple) else (value,)
    return np.concatenate([np.asarray(x).reshape(-1) for x in parts])


def defined(row: Measure, value: Any) -> np.ndarray:
    """All numbers of a value but those of classes or clusters that have none."""
    found = flat(value).astype(float)
    return found[~np.isnan(found)] if np.isnan(row.of_nothing) else found


def same(x: Any, y: Any) -> bool:
    """Whether two values are the same, to the last bit."""
    x, y = flat(x), flat(y)
    return x.dtype == y.dtype and x.shape == y.shape and bool(np.all((x == y) | (x != x) & (y != y)))


def near(x: Any, y: Any, row: Measure | None = None) -> bool:
    """Whether two values are the same but for rounding (and for order, where there is one for each group)."""
    x, y = flat(x), flat(y)
    if row is not None and row.of_groups:
        x, y = np.sort(x), np.sort(y)
    if x.shape != y.shape:
        return False
    return bool(np.all((np.abs(x - y) <= 2e-14 * np.maximum(1.0, np.abs(y))) | (x != x) & (y != y)))


_VALUES: dict[tuple[Any, ...], Any] = {}


def value_of(row: Measure, true: Labels, pred: Labels) -> Any:
    """The value of two labelings, which all checks of a measure begin with: found once."""
    key = (row.function, str(row), row.of_one_labeling, tuple(true), tuple(pred))
    if key not in _VALUES:
        _VALUES[key] = row.of_labels(true, pred)
    return _VALUES[key]


@cache
def table_of_labels(true: tuple[int, ...], pred: tuple[int, ...], layout: str) -> Contingency:
    """The table of two labelings, made once for all measures."""
    return Contingency.from_labels(true, pred, layout=layout)


def check_bounds(row: Measure, true: Labels, pred: Labels) -> None:
    value = defined(row, value_of(row, true, pred))
    assert np.all(np.isfinite(value)), f"{row}{true, pred} is {value}"
    assert np.all((row.low <= value) & (value <= row.high)), f"{row}{true, pred} = {value} is out of bounds"


def check_best(row: Measure, true: Labels, pred: Labels) -> None:
    """The best value is a bound, and the same partition twice has it (if it has one value at all)."""
    if row.best is not None:
        assert row.best in (row.low, row.high), f"{row}: the best value is no bound"
        assert row.identical in (None, row.best), f"{row}: identical partitions must be best"


def check_identical(row: Measure, true: Labels, pred: Labels) -> None:
    twin = [7 - 2 * x for x in true] if row.relabelled else true
    value = defined(row, row.of_labels(true, twin))
    if row.identical is not None:
        assert np.all(value == row.identical), f"{row} of {true} twice is {value}"


def check_exchanged(row: Measure, true: Labels, pred: Labels) -> None:
    value, other = value_of(row, true, pred), row.of_labels(pred, true)
    match row.exchanged:
        case None:
            return
        case "same":
            assert near(value, other), f"{row}{true, pred} is {value}, and {other} with the arguments exchanged"
        case "negated":
            assert near(value, -other), f"{row}{true, pred} is {value}, and {other} with the arguments exchanged"
        case "transposed":
            assert np.array_equal(value, other.T), f"{row}{true, pred} is not transposed"
        case name, options:
            twin = without_labels(getattr(gpuval, name)(true, pred, **options))
            assert near(other, twin), f"{row}{pred, true} is {other}, and {name} with the arguments exchanged {twin}"


def check_relabelled(row: Measure, true: Labels, pred: Labels) -> None:
    if row.relabelled:
        renamed = [11 * (x % 3) - x for x in true], [1000 - 37 * x for x in pred]
        value, other = value_of(row, true, pred), row.of_labels(*renamed)
        assert near(other, value, row), f"{row}{true, pred} is {value}, and {other} with other names"


def check_order(row: Measure, true: Labels, pred: Labels) -> None:
    """Unweighted results do not depend on the order of the samples, to the last bit."""
    shuffle = np.random.default_rng(len(true)).permutation(len(true))
    value = value_of(row, true, pred)
    other = row.of_labels([true[i] for i in shuffle], [pred[i] for i in shuffle])
    assert same(value, other), f"{row}{true, pred} is {value}, and {other} with the samples shuffled"


def check_weights(row: Measure, true: Labels, pred: Labels) -> None:
    """An integer weight counts as that many samples (none, too)."""
    weights = [(3 * i + 1) % 4 for i in range(len(true))]
    repeated = [[x for x, times in zip(labels, weights, strict=True) for _ in range(times)] for labels in (true, pred)]
    value = row.of_labels(true, pred, sample_weight=np.asarray(weights, dtype=np.int64))
    other = row.of_labels(*repeated)
    assert same(value, other), f"{row}{true, pred} is {value} weighted, and {other} repeated"


def check_layouts(row: Measure, true: Labels, pred: Labels) -> None:
    """Both layouts of the table, and the labels themselves, give the same value."""
    direct = value_of(row, true, pred)
    for layout in ("dense", "cells"):
        value = row.of_table(table_of_labels(tuple(true), tuple(pred), layout))
        assert type(value) is type(direct), f"{row}{true, pred} is {direct!r}, and {value!r} of the {layout}"
        assert near(value, direct), f"{row}{true, pred} is {direct}, and {value} of the {layout}"


def check_kind(row: Measure, true: Labels, pred: Labels) -> None:
    """One number is a Python float; the others are what ``values`` says."""
    value = value_of(row, true, pred)
    if row.values == "one":
        assert isinstance(value, float), f"{row} is a {type(value)}"
    elif row.values in ("three", "matching"):
        assert isinstance(value, tuple), f"{row} is a {type(value)}"
        assert len(value) == 3, f"{row} has {len(value)} parts"
    elif row.of_groups:
        groups = set(true if row.values == "classes" else pred)
        assert value.shape == (len(groups),), f"{row} has the shape {value.shape}"
    else:
        assert row.values == "matrix", f"{row.values} is no kind of value"
        assert isinstance(value, np.ndarray), f"{row} is a {type(value)}"
        assert value.ndim == (1 if row.name == "normalizing_permutation" else 2), f"{row} has the shape {value.shape}"


def check_arguments(row: Measure, true: Labels, pred: Labels) -> None:
    first = "labels" if row.of_one_labeling else "labels_true"
    parameters = list(inspect.signature(row.function).parameters)
    assert parameters[0] == first, f"{row} takes {parameters}"
    assert ("labels_pred" in parameters) != row.of_one_labeling, f"{row} takes {parameters}"


CHECKS: dict[str, Callable[[Measure, Labels, Labels], None]] = {
    name.removeprefix("check_"): value for name, value in list(globals().items()) if name.startswith("check_")
}
"""The checks by the name of what they check."""


def by_module(rows: Iterable[Measure]) -> dict[str, list[Measure]]:
    """The rows of the measures of each module."""
    found: dict[str, list[Measure]] = {}
    for row in rows:
        found.setdefault(row.function.__module__.rpartition(".")[2], []).append(row)
    return found


def scores_of(rows: list[Measure], true: Any, pred: Any, **building: Any) -> dict[str, Any]:
    """Each row of one table of the labels; of the labels themselves the first row of each way to read them.

    All measures of two vectors read them in one way, and each measure of one labeling reads either of them. The table
    keeps what its statistics find: each of them is traced once, and not once a row.
    """
    table = Contingency.from_labels(true, pred, **building).with_results()
    found, ways = {}, set()
    for row in rows:
        way = (row.name, row.options.get("of")) if row.of_one_labeling else "two vectors"
        found[str(row)] = row.of_table(table) if way in ways else row.of_labels(true, pred, **building)
        ways.add(way)
    return found


SMALL = [pair for n in range(5) for pair in product(all_partitions(n), repeat=2)]
"""All pairs of partitions of up to 4 items: enough to refute nearly every false promise."""
