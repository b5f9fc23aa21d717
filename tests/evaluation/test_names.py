"""Names of measures: full and short ones wherever a name is taken, and where the measures without a name there are."""

import functools
import inspect
import re
import subprocess
import sys
from math import inf

import numpy as np
import pytest
import sklearn.metrics
import torch
from properties import NOT_MEASURES

import gpuval
from gpuval import METRICS, compare, evaluate, pairwise
from gpuval.registry.families import OF_SAME_NAMES, SHORT_NAMES, full_name, other_metrics, range_of
from gpuval.torchmetrics import ClusteringMetric

TRUE, PRED = [0, 0, 1, 1], [0, 0, 1, 2]
PUBLIC = {name for name in gpuval.__all__ if name.islower()} - NOT_MEASURES | {"integration_scores"}

LITERATURE = {
    "RI": gpuval.rand_score,  # Rand 1971
    "ARI": gpuval.adjusted_rand_score,  # Hubert and Arabie 1985
    "FMI": gpuval.fowlkes_mallows_score,  # Fowlkes and Mallows 1983
    "MI": gpuval.mutual_info_score,
    "NMI": gpuval.normalized_mutual_info_score,  # these five: Vinh, Epps and Bailey 2010
    "AMI": gpuval.adjusted_mutual_info_score,
    "EMI": gpuval.expected_mutual_info,
    "VI": gpuval.variation_of_information,  # Meila 2007
    "NVI": gpuval.normalized_variation_of_information,
    "NID": gpuval.normalized_information_distance,
    "V": gpuval.v_measure_score,  # Rosenberg and Hirschberg 2007
    "homogeneity": gpuval.homogeneity_score,
    "completeness": gpuval.completeness_score,
    "purity": gpuval.purity_score,
    "BCubed": gpuval.bcubed_f_score,  # Amigo et al. 2009
    "Jaccard": gpuval.pair_jaccard_score,
    "ACC": gpuval.clustering_accuracy,  # Xie, Girshick and Farhadi 2016
    "PSI": gpuval.pair_sets_index,  # Rezaei and Franti 2016
    "NCA": gpuval.normalized_clustering_accuracy,  # Gagolewski 2024
    "kappa": gpuval.cohen_kappa_score,  # Cohen 1960
}


@pytest.mark.parametrize("name", LITERATURE)
def test_names_of_the_literature_in_any_case(name):
    full = LITERATURE[name].__name__
    for written in (name, name.lower(), name.upper(), full, full.upper()):
        assert list(evaluate(TRUE, PRED, written)) == [full]
    assert evaluate(TRUE, PRED, [name])[full] == LITERATURE[name](TRUE, PRED)


def test_short_names_are_lower_case_of_measures_and_of_nothing_else():
    assert set(SHORT_NAMES.values()) <= {*METRICS, "cohen_kappa_score"}
    assert set(SHORT_NAMES).isdisjoint([*METRICS, *PUBLIC, "all"])
    assert all(name == name.lower() for name in SHORT_NAMES)
    assert {x.lower() for x in LITERATURE} <= set(SHORT_NAMES)


def test_the_measures_that_are_reported_by_default():
    external = ["ari", "ami", "nmi", "homogeneity", "completeness", "v", "fmi", "acc", "purity"]
    external += ["bcubed_f_score", "f_measure_score", "vi"]
    assert list(evaluate(TRUE, PRED)) == [full_name(x) for x in external]
    X = np.arange(2.0 * len(TRUE)).reshape(-1, 2) ** 2
    internal = ["silhouette_score", "calinski_harabasz_score", "davies_bouldin_score"]
    assert list(evaluate(TRUE, PRED, X=X))[len(external) :] == internal


def test_between_which_ends_scores_lie():
    ends = {"ari": (-0.5, 1), "nmi": (0, 1), "ami": (-inf, 1), "vi": (0, inf), "kappa": (-1, 1), "mi": (0, inf)}
    for name, wanted in ends.items():
        assert range_of((METRICS | OF_SAME_NAMES)[full_name(name)]) == wanted
    with_costs = functools.partial(gpuval.cohen_kappa_score, weights=[[0, 1], [2, 0]])
    assert range_of(with_costs) == (-inf, 1)
    assert range_of(functools.partial(gpuval.adjusted_mutual_info_score, average_method="min")) == (-inf, 1)
    assert range_of(lambda table: table.total) == (-inf, inf)


def test_a_measure_is_called_by_its_name():
    assert {name: measure.__name__ for name, measure in METRICS.items()} == {name: name for name in METRICS}


def test_wherever_a_name_is_taken():
    assert list(compare(TRUE, [PRED], ["ari", "NMI"])[0]) == ["adjusted_rand_score", "normalized_mutual_info_score"]
    found, wanted = (pairwise([TRUE, PRED], metric) for metric in ("Ari", gpuval.adjusted_rand_score))
    assert (found.scores.tolist(), found.metric) == (wanted.scores.tolist(), wanted.metric)
    labels = torch.tensor(TRUE), torch.tensor(PRED)
    sizes = {"n_classes": 2, "n_clusters": 3}
    assert ClusteringMetric("ari", **sizes)(*labels[::-1]) == gpuval.adjusted_rand_score(*labels)
    assert list(ClusteringMetric(["ari"], **sizes)(*labels[::-1])) == ["adjusted_rand_score"]
    assert set(ClusteringMetric("ALL", **sizes)(*labels[::-1])) == set(METRICS)


def test_a_mapping_keeps_its_names_and_a_list_has_each_measure_once():
    assert list(evaluate(TRUE, PRED, {"ARI": "ari", "again": "ARI"})) == ["ARI", "again"]
    given = ["ari", "ARI", "adjusted_rand_score", gpuval.adjusted_rand_score]
    assert list(evaluate(TRUE, PRED, given)) == ["adjusted_rand_score"]


def test_a_score_is_found_by_a_short_name():
    scores = evaluate(TRUE, PRED, ["ari", "purity"])
    assert scores["ARI"] == scores["adjusted_rand_score"] == gpuval.adjusted_rand_score(TRUE, PRED)
    assert "nmi" not in scores
    with pytest.raises(KeyError, match="nmi"):
        scores["nmi"]
    assert evaluate(TRUE, PRED, {"ari": "purity", "adjusted_rand_score": "ari"})["ari"] == 1  # its own name comes first


@pytest.mark.parametrize("name", sorted(PUBLIC - {*METRICS, "cohen_kappa_score"}))
def test_a_measure_that_is_not_among_the_metrics_says_where_it_is(name):
    with pytest.raises(ValueError, match=r"^metrics must be names of measures, got ") as raised:
        evaluate(TRUE, PRED, [name])
    said = re.fullmatch(
        rf".*; {name} [a-z ]+: gpuval\.{name}\(([\w, =]+)\)(, or gpuval\.evaluate.*)?", str(raised.value)
    )
    assert (said[2] is not None) == (name in gpuval.INTERNAL_METRICS)
    call = said[1].split(", ")
    parameters = inspect.signature(getattr(gpuval, name)).parameters.values()
    needed = [x.name if x.kind is x.POSITIONAL_OR_KEYWORD else f"{x.name}=" for x in parameters]
    assert [x for x in call if " or " not in x] == needed[: len([x for x in call if " or " not in x])]
    assert len(call) >= sum(x.default is x.empty for x in parameters)


def test_nothing_is_said_to_be_elsewhere_that_is_not():
    assert set(other_metrics()) == PUBLIC - {*METRICS, "cohen_kappa_score"}


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        (
            "CH",
            (
                "calinski_harabasz_score needs samples: gpuval.calinski_harabasz_score(X, labels), "
                "or gpuval.evaluate(..., X=X)"
            ),
        ),
        (
            "asw",
            "silhouette_score needs samples: gpuval.silhouette_score(X, labels), or gpuval.evaluate(..., X=X)",
        ),
        (
            "isolated_labels_score",
            (
                "isolated_labels_score needs batches and samples or clusterings: "
                "gpuval.isolated_labels_score(labels, batch, X= or clusterings=)"
            ),
        ),
        (
            "integration_scores",
            (
                "integration_scores gives the scores of an embedding: "
                "gpuval.integration_scores(X, batch, label, neighbors=)"
            ),
        ),
        (
            "Silhouette",
            "silhouette_score needs samples: gpuval.silhouette_score(X, labels), or gpuval.evaluate(..., X=X)",
        ),
        ("kapa", "did you mean kappa?"),
        ("F1", "did you mean pair_f_score or bcubed_f_score or f_measure_score?"),
        ("recall", "did you mean pair_recall_score or bcubed_recall_score?"),
        ("adjusted_rand", "did you mean adjusted_rand_score?"),
        ("all", '"all" is given alone, not as one of several'),
        ("", "gpuval.METRICS has them all"),
        ("nonsense", "gpuval.METRICS has them all"),
    ],
)
def test_a_wrong_name_is_told_with_what_may_be_meant(name, hint):
    with pytest.raises(ValueError, match="--metrics") as raised:
        full_name(name, "--metrics must be names of measures")
    assert str(raised.value) == f"--metrics must be names of measures, got {name!r}; {hint}"


@pytest.mark.parametrize("function", [gpuval.silhouette_score, gpuval.dunn_index, gpuval.silhouette_batch])
def test_a_function_of_samples_is_no_function_of_a_table(function):
    with pytest.raises(TypeError, match=rf"; {function.__name__} needs samples.*: gpuval\.{function.__name__}\(X, "):
        evaluate(TRUE, PRED, [function])
    with pytest.raises(TypeError, match="metric must be the name of a measure or a function of a table, got "):
        pairwise([TRUE, PRED], function)


def of_two_labelings(labels_true, labels_pred):
    return 1.0


def with_option(table, option):
    return float(table.total * option)


WRONG_FUNCTIONS = {
    "of scikit-learn": (
        sklearn.metrics.adjusted_rand_score,
        r'adjusted_rand_score(labels_true, labels_pred); give "adjusted_rand_score" for the one of gpuval',
    ),
    "of samples": (
        sklearn.metrics.silhouette_score,
        "silhouette_score(X, labels); silhouette_score needs samples: gpuval.silhouette_score(X, labels), or",
    ),
    "of another kind": (
        sklearn.metrics.cohen_kappa_score,
        'cohen_kappa_score(y1, y2); give "cohen_kappa_score" for the one',
    ),
    "own": (
        of_two_labelings,
        "of_two_labelings(labels_true, labels_pred); it would be called with a Contingency",
    ),
    "without arguments": (lambda: 1, "<lambda>(); it would be called"),
    "by name alone": (lambda table, *, k: 1, "<lambda>(table, k=); it would be called"),
    "wrong option": (
        functools.partial(with_option, opt=1),
        "with_option(opt=1); it would be called with a Contingency and opt=",
    ),
}


@pytest.mark.parametrize("case", WRONG_FUNCTIONS)
def test_a_function_that_takes_no_table_is_told_before_any_work(case):
    """The message was one of inspect, or of the function, deep inside."""
    function, got = WRONG_FUNCTIONS[case]
    X = np.zeros((4, 2))
    for metrics in (function, [function], {"name": function}):
        for call in (
            lambda given: gpuval.evaluate(None, None, given),
            lambda given: gpuval.evaluate(None, None, given, X=X),
            lambda given: gpuval.compare(None, [], given),
            lambda given: gpuval.jackknife(given, None, None),
        ):
            with pytest.raises(TypeError, match=r"metrics must be names of .* or functions of a table, got") as error:
                call(metrics)
            assert got in str(error.value)
    for call in (lambda: pairwise([], function), lambda: gpuval.compare_scores([], [], [], function)):
        with pytest.raises(TypeError, match="metric must be the name of a measure or a function of a table, got"):
            call()


def test_functions_with_options_and_functions_without_a_signature():
    labels = [0, 0, 1, 1]
    assert gpuval.evaluate(labels, labels, functools.partial(with_option, option=2)) == {"with_option(option=2)": 8.0}
    assert gpuval.jackknife(with_option, labels, labels, option=2).score == 8.0
    assert gpuval.compare_scores(labels, labels, labels, with_option, option=2).first == 8.0
    with pytest.raises(TypeError, match=r"got with_option\(table, option\)"):
        gpuval.jackknife(with_option, labels, labels)
    with pytest.raises(TypeError, match="'Contingency' object is not iterable"):
        gpuval.evaluate(labels, labels, dict)  # of which Python does not know what it takes


def test_one_function_is_a_list_of_one():
    labels = [0, 0, 1, 1]
    assert gpuval.evaluate(labels, labels, gpuval.rand_score) == {"rand_score": 1.0}
    X = [[0.0], [0.0], [1.0], [1.0]]
    assert gpuval.evaluate(labels, labels, gpuval.silhouette_score, X=X) == {"silhouette_score": 1.0}
    metric = ClusteringMetric(gpuval.rand_score, n_classes=2, n_clusters=2)
    assert metric(torch.tensor(labels), torch.tensor(labels)) == 1.0


def test_an_object_that_is_called_has_the_name_of_its_type():
    class Measure:
        def __call__(self, table):
            return 0.5

    labels = [0, 0, 1, 1]
    assert gpuval.evaluate(labels, labels, Measure()) == {"Measure": 0.5}
    with pytest.raises(ValueError, match="different names, got 'Measure' twice; give a mapping from names"):
        gpuval.evaluate(labels, labels, [Measure(), Measure()])


def test_a_wrong_option_of_an_internal_measure_is_told_before_any_work():
    with pytest.raises(TypeError, match=r"dunn_index\(\) got .* argument 'metrik'; its own options are absent, metric"):
        gpuval.evaluate(None, None, functools.partial(gpuval.dunn_index, metrik="cosine"), X=[])


def test_the_metrics_are_read_only():
    with pytest.raises((TypeError, AttributeError)):
        METRICS.pop("rand_score")
    with pytest.raises(TypeError):
        METRICS["mine"] = len
    assert "mine" in METRICS | {"mine": len}


def test_a_name_is_resolved_before_anything_slow_is_loaded():
    program = "import sys; from gpuval.registry.families import full_name; full_name('ari'); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    assert {x.split(".")[0] for x in loaded}.isdisjoint({"pandas", "scipy", "torch", "jax", "click", "rich", "difflib"})
