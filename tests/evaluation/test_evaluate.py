"""Many measures, many labelings, all pairs: the same values as one at a time, and how they are shown."""

import copy
import functools
import json
import pickle
import re

import dask
import jax
import numpy as np
import pandas as pd
import polars as pl
import pytest
import torch

import gpuval
from gpuval import METRICS, Comparison, Contingency, Evaluation, compare, evaluate, pairwise
from gpuval.inputs.codes import encode
from gpuval.measures.measure import measures_in
from gpuval.registry.requests import DEFAULT_METRICS
from gpuval.table import labelings, reading
from gpuval.torchmetrics import ClusteringMetric

RNG = np.random.default_rng(3)
TRUE = RNG.integers(0, 5, 200)
LABELINGS = {name: RNG.integers(0, k, 200) for name, k in {"two": 2, "five": 5, "nine": 9}.items()}


def test_each_score_is_what_the_measure_gives():
    table = Contingency.from_labels(TRUE, LABELINGS["nine"])
    scores = evaluate(TRUE, LABELINGS["nine"], "all")
    assert list(scores) == list(METRICS)
    assert dict(scores) == {name: measure(table) for name, measure in METRICS.items()}
    assert dict(evaluate(table, metrics="all")) == dict(scores)


def test_each_labeling_is_encoded_once(monkeypatch):
    encoded = []

    def spy(vector, *rest):
        encoded.append(vector.name)
        return encode(vector, *rest)

    for module in ("table.labelings", "inputs.samples"):
        monkeypatch.setattr(f"gpuval.{module}.encode", spy)
    pairwise({name: np.roll(TRUE, i) for i, name in enumerate("abcdef")}, "rand_score")
    assert len(encoded) == len(set(encoded)) == 6


def test_the_table_is_built_once(monkeypatch):
    built = []
    from_labels = reading.from_labels
    monkeypatch.setattr("gpuval.metrics.external._metric.from_labels", lambda *a: built.append(1) or from_labels(*a))
    evaluate(TRUE, LABELINGS["two"], "all")
    assert built == [1]


def test_choosing_measures():
    pred = LABELINGS["five"]
    assert list(evaluate(TRUE, pred)) == list(DEFAULT_METRICS)
    assert list(evaluate(TRUE, pred, "purity_score")) == ["purity_score"]
    assert list(evaluate(TRUE, pred, [gpuval.rand_score, "purity_score"])) == ["rand_score", "purity_score"]
    v2 = functools.partial(gpuval.v_measure_score, beta=2)
    assert evaluate(TRUE, pred, {"V2": v2})["V2"] == gpuval.v_measure_score(TRUE, pred, beta=2)
    assert list(evaluate(TRUE, pred, [v2, gpuval.v_measure_score])) == ["v_measure_score(beta=2)", "v_measure_score"]
    assert list(evaluate(TRUE, pred, iter(["purity", v2]))) == ["purity_score", "v_measure_score(beta=2)"]


def test_fractional_weights_leave_out_what_is_defined_for_counts():
    weights = RNG.random(200)
    assert "adjusted_mutual_info_score" not in evaluate(TRUE, LABELINGS["two"], sample_weight=weights)
    assert "adjusted_mutual_info_score" in evaluate(TRUE, LABELINGS["two"], sample_weight=np.ones(200, dtype=int))


@pytest.mark.parametrize("library", [np.asarray, torch.asarray])
def test_all_measures_are_all_that_are_defined_for_the_table(library):
    of_counts = {name for name, metric in METRICS.items() if metric.measure.needs_counts}
    true, pred = library(TRUE), library(LABELINGS["five"])
    weights = {"sample_weight": library(RNG.random(200))}
    defined = [x for x in METRICS if x not in of_counts]
    assert list(evaluate(true, pred, "all", **weights)) == defined
    assert list(evaluate(Contingency.from_labels(true, pred, **weights), metrics="all")) == defined
    assert list(compare(true, {"five": pred}, "all", **weights)["five"]) == defined
    for name in of_counts:
        with pytest.raises(ValueError, match="need a table of counts"):
            evaluate(true, pred, [name], **weights)
        ones, counted = library(np.full(200, 1.0)), library(np.full(200, 1))
        assert evaluate(true, pred, name, sample_weight=ones) == evaluate(true, pred, name, sample_weight=counted)


def test_weights_are_checked_once_for_all_pairs(monkeypatch):
    checked, check = [], labelings.check_weights
    monkeypatch.setattr(labelings, "check_weights", lambda weights: checked.append(weights) or check(weights))
    vectors = list(np.random.default_rng(0).integers(0, 3, (5, 40)))
    pairwise(vectors, sample_weight=np.ones(40))
    assert len(checked) == 1
    for weights, error in (
        (np.zeros(40), "sample_weight must be above 0 for at least one sample of labelings[0] and labelings[0]"),
        (np.full(40, -1), "sample_weight must be finite and not negative, got -1"),
    ):
        with pytest.raises(ValueError, match=re.escape(error)):
            pairwise(vectors, sample_weight=weights)


def test_how_an_evaluation_is_shown():
    scores = evaluate([0, 0, 1, 1], [0, 0, 1, 2], ["rand_score"])
    assert str(scores) == "rand_score  0.833"
    series = scores.to_pandas()
    assert isinstance(series, pd.Series)
    assert series["rand_score"] == scores["rand_score"]
    assert scores.to_dict() == {"rand_score": 5 / 6}


@pytest.mark.parametrize("make", [dict, pd.DataFrame])
def test_compare_gives_what_evaluate_gives(make):
    comparison = compare(TRUE, make(LABELINGS), ["rand_score", "v_measure_score"])
    assert list(comparison) == list(LABELINGS)
    for name, pred in LABELINGS.items():
        assert dict(comparison[name]) == dict(evaluate(TRUE, pred, ["rand_score", "v_measure_score"]))
    frame = comparison.to_pandas()
    assert frame.shape == (3, 2)
    assert frame.loc["two", "rand_score"] == gpuval.rand_score(TRUE, LABELINGS["two"])


def test_how_a_comparison_is_shown():
    text = str(compare([0, 0, 1, 1], {"a": [0, 0, 1, 1], "longer": [0, 1, 0, 1]}, ["rand_score"]))
    about, note = "2 labelings: 4 samples, 2 classes", "● highest"
    assert text.splitlines() == [about, "        rand_score", "a       1.000 ●", "longer  0.333", note]
    assert list(compare([0, 1], [[0, 1], [0, 0]], ["rand_score"])) == [0, 1]


@pytest.mark.parametrize("metric", ["adjusted_rand_score", "purity_score", gpuval.homogeneity_score])
def test_pairwise_gives_what_the_measure_gives(metric):
    measure = getattr(gpuval, metric) if isinstance(metric, str) else metric
    labelings = [TRUE, *LABELINGS.values()]
    expected = [[measure(a, b) for b in labelings] for a in labelings]
    np.testing.assert_allclose(pairwise(labelings, metric), expected, rtol=1e-14)


def test_measures_that_are_no_number_are_not_among_the_metrics():
    table = Contingency.from_labels(TRUE, LABELINGS["two"])
    for name, measure in METRICS.items():
        assert isinstance(measure(table), float), name
    numbers = {x.name for x in measures_in(gpuval) if x.family.of_two and x.values != "samples"} - set(METRICS)
    assert numbers == {
        "class_adjusted_wallace_scores",
        "class_jaccard_scores",
        "cluster_adjusted_wallace_scores",
        "cluster_f_score",
        "cluster_jaccard_scores",
        "cluster_precision",
        "cluster_recall",
        "cohen_kappa_score",
        "contingency_matrix",
        "homogeneity_completeness_v_measure",
        "match_labels",
        "normalized_confusion_matrix",
        "normalizing_permutation",
        "pair_confusion_matrix",
        "pair_count_moments",
        "prediction_strength_scores",
        "standardized_mutual_info_score",
    }


RATED = ["a", "b", "b", "a", "c", "c"] * 5, ["a", "b", "a", "a", "c", "b"] * 5
"""Two raters, who agree in 20 of 30 cases, where 10 are expected: kappa is 1/2."""


@pytest.mark.parametrize("metric", ["kappa", "Cohen_Kappa_Score", gpuval.cohen_kappa_score])
def test_kappa_of_labelings_with_names_in_common(metric):
    assert evaluate(*RATED, [metric])["cohen_kappa_score"] == pytest.approx(1 / 2, rel=1e-14)
    assert evaluate(Contingency.from_labels(*RATED), metrics=metric)["cohen_kappa_score"] == pytest.approx(1 / 2)
    found = compare(RATED[0], {"x": RATED[1], "y": RATED[0]}, ["ari", metric], confidence_level=0.9)
    assert (found["x"]["cohen_kappa_score"], found["y"]["cohen_kappa_score"]) == (pytest.approx(1 / 2), 1)
    assert found.best["cohen_kappa_score"].name == "y"
    assert pairwise(RATED, metric).scores[0, 1] == pytest.approx(1 / 2)
    for estimate in (gpuval.jackknife(metric, *RATED), gpuval.bootstrap(metric, *RATED, n_resamples=20)):
        assert float(estimate.score) == pytest.approx(1 / 2)
    assert "cohen_kappa_score" not in evaluate(*RATED, "all")


def test_kappa_of_names_without_meaning_says_so():
    said = "cohen_kappa_score compares the names of labels, so both sides must have some in common, got "
    for clusters, shown in (([0, 1, 1, 0, 2, 2] * 5, "(0, 1, 2)"), (["x", "y", "y"] * 10, "('x', 'y')")):
        for call in (
            lambda: evaluate(RATED[0], clusters, ["kappa"]),
            lambda: evaluate(RATED[0], clusters, [functools.partial(gpuval.cohen_kappa_score, labels=list("abcxy"))]),
            lambda: evaluate(RATED[0], clusters, ["kappa"], by=[0, 1] * 15),
            lambda: evaluate(RATED[0], clusters, ["kappa"], confidence_level=0.9),
            lambda: compare(RATED[0], [clusters], ["kappa"]),
            lambda: pairwise([RATED[0], clusters], "kappa"),
            lambda: gpuval.bootstrap("kappa", RATED[0], clusters),
        ):
            with pytest.raises(ValueError) as raised:
                call()
            assert str(raised.value).startswith(f"{said}('a', 'b', 'c') and {shown}; give the clusters")


def test_kappa_of_parts_that_have_no_name_in_common():
    """The names are those of all samples: in the second part all are wrong, which is a score of 0."""
    true, pred = ["a", "b", "a", "a"], ["a", "b", "b", "b"]
    scores = evaluate(true, pred, ["kappa"], by=[0, 0, 1, 1])
    assert [scores[x]["cohen_kappa_score"] for x in (0, 1)] == [1, 0]


# Nothing to do is an error.

NOTHING = {
    "dict": {},
    "list": [],
    "tuple": (),
    "pandas": pd.DataFrame(index=range(200)),
    "filtered": pd.DataFrame(LABELINGS).filter(like="leidn"),
    "polars": pl.DataFrame(),
}


@pytest.mark.parametrize("kind", NOTHING)
def test_no_labelings_are_an_error(kind):
    got = "a DataFrame without columns" if hasattr(NOTHING[kind], "columns") else "none"
    for call in (lambda x: compare(TRUE, x), pairwise):
        with pytest.raises(ValueError, match=f"^labelings must have at least one label vector, got {got}$"):
            call(NOTHING[kind])


@pytest.mark.parametrize("metrics", [[], (), {}, set(), np.array([], dtype=str)])
def test_no_metrics_are_an_error(metrics):
    calls = [
        lambda x: evaluate(TRUE, LABELINGS["two"], x),
        lambda x: evaluate(Contingency.from_labels(TRUE, TRUE), metrics=x),
        lambda x: compare(TRUE, LABELINGS, x),
        lambda x: ClusteringMetric(x, n_classes=5, n_clusters=5),
    ]
    for call in calls:
        for given in (metrics, iter(metrics)):
            with pytest.raises(ValueError, match=r"^metrics must have at least one measure, got none$"):
                call(given)


# One labeling or many.


@pytest.mark.parametrize(
    ("many", "got"),
    [
        (LABELINGS, "dict"),
        (pd.DataFrame(LABELINGS), "DataFrame"),
        (pl.DataFrame(LABELINGS), "DataFrame"),
        (list(LABELINGS.values()), "list of vectors"),
        (tuple(x.tolist() for x in LABELINGS.values()), "tuple of vectors"),
        (tuple(tuple(x.tolist()) for x in LABELINGS.values()), "tuple of vectors"),
        ([pd.Series(x) for x in LABELINGS.values()], "list of vectors"),
        ([torch.asarray(x) for x in LABELINGS.values()], "list of vectors"),
    ],
)
def test_evaluate_of_many_labelings_says_compare(many, got):
    with pytest.raises(TypeError) as raised:
        evaluate(TRUE, many)
    assert str(raised.value) == (
        f"labels_pred must be one vector of labels, got {got}; gpuval.compare(labels_true, labelings) takes many"
    )


def test_a_sequence_of_labels_is_one_labeling():
    labels = [0, 0, 1, 1], ["a", "b", "b", "b"]
    expected = gpuval.rand_score(*labels)
    for one in (list, tuple, np.asarray, pd.Series, pl.Series, lambda x: [frozenset(y) for y in x]):
        assert evaluate(labels[0], one(labels[1]), "ri") == {"rand_score": expected}
    scalars = [torch.tensor(0), torch.tensor(1), torch.tensor(1), torch.tensor(1)]
    assert evaluate(labels[0], scalars, "ri") == {"rand_score": expected}
    held = [[dask.delayed(np.asarray)(part) for part in (x[:2], x[2:])] for x in labels]
    assert evaluate(*held, "ri") == {"rand_score": expected}


# What functions may give.

NUMBERS = [3, 0.25, True, np.int64(3), np.float32(0.25), np.True_]


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("library", [np.asarray, torch.asarray, jax.numpy.asarray])
def test_numbers_of_python_are_scores(number, library):
    true, pred = library(TRUE), library(LABELINGS["two"])
    scores = evaluate(true, pred, {"mine": lambda _: number})
    assert scores["mine"] is number
    assert scores.to_dict() == {"mine": number}
    assert json.loads(json.dumps(scores.to_dict())) == {"mine": number}
    assert str(scores) == f"mine  {'0.250' if number == 0.25 else number}"
    assert scores.to_pandas()["mine"] == number
    comparison = compare(true, [pred, true], {"mine": lambda _: number})
    assert comparison.to_pandas()["mine"].tolist() == [number, number]
    assert str(comparison).splitlines()[2].endswith("0.250" if number == 0.25 else f" {number}")
    square = pairwise([true, pred], lambda _: number)
    assert type(square.scores) is type(true)
    assert square.scores.tolist() == [[number, number], [number, number]]


def test_numbers_and_arrays_together_in_pairs():
    labels = [torch.asarray(TRUE), torch.asarray(LABELINGS["two"])]
    some = pairwise(labels, lambda table: 0 if table.clusters == table.classes else gpuval.rand_score(table)).scores
    assert some.dtype == torch.float64
    assert some[0, 1] == some[1, 0] == gpuval.rand_score(*labels)


@pytest.mark.parametrize("wrong", [None, "1", [1.0], {"a": 1.0}, (1.0, None), 1j, object()])
def test_what_is_no_score_is_told_with_its_name(wrong):
    with pytest.raises(TypeError) as raised:
        evaluate(TRUE, TRUE, ["rand_score", {"f": lambda _: wrong}["f"]])
    assert str(raised.value) == (
        "metrics must give a number, an array, or a tuple of these for a table, got "
        f"{type(wrong).__name__} from '<lambda>'"
    )
    with pytest.raises(TypeError, match=f"^metric must give one number .* got {type(wrong).__name__} from <lambda>$"):
        pairwise([TRUE, TRUE], lambda _: wrong)


def test_two_functions_of_one_name_are_an_error():
    given = [lambda _: 1.0, lambda _: 2.0]
    said = (
        "^metrics must be functions of different names, got '<lambda>' twice; give a mapping from names to functions$"
    )
    for call in (lambda x: evaluate(TRUE, TRUE, x), lambda x: compare(TRUE, LABELINGS, x)):
        with pytest.raises(ValueError, match=said):
            call(given)
        with pytest.raises(ValueError, match=said):
            call(iter(given))
        equal = [functools.partial(gpuval.pair_f_score, beta=2), functools.partial(gpuval.pair_f_score, beta=2)]
        assert call(equal) == call(equal[0])
    assert dict(evaluate(TRUE, TRUE, [given[0], given[0]])) == {"<lambda>": 1.0}
    assert dict(evaluate(TRUE, TRUE, {"a": given[0], "b": given[1]})) == {"a": 1.0, "b": 2.0}

    def rand_score(table):
        return 7.0

    with pytest.raises(ValueError, match="got 'rand_score' twice"):
        evaluate(TRUE, TRUE, ["ri", rand_score])


def test_parts_of_a_tuple_have_names_of_their_own():
    name = "homogeneity_completeness_v_measure"
    fields = [f"{name}.{x}" for x in ("homogeneity", "completeness", "v_measure")]
    scores = evaluate([0, 0, 1, 2], [0, 0, 1, 1], ["ri", gpuval.homogeneity_completeness_v_measure])
    assert scores[name].v_measure == gpuval.v_measure_score([0, 0, 1, 2], [0, 0, 1, 1])
    assert list(scores) == ["rand_score", name]
    assert list(scores.to_dict()) == ["rand_score", *fields]
    assert scores.to_dict()[fields[1]] == 1  # each class lies in one cluster
    assert scores.to_dict()[fields[0]] == pytest.approx(2 / 3, abs=1e-15)  # ln 2 of 1.5 ln 2 is left
    assert scores.to_pandas().index.tolist() == ["rand_score", *fields]
    assert scores.to_pandas().dtype == np.float64
    assert [line.split() for line in str(scores).splitlines()][1:] == [
        [field, number] for field, number in zip(fields, ["0.667", "1.000", "0.800"], strict=True)
    ]
    comparison = compare([0, 0, 1, 2], [[0, 0, 1, 1]], [gpuval.homogeneity_completeness_v_measure])
    assert comparison.to_pandas().columns.tolist() == fields
    assert [line.split() for line in str(comparison).splitlines()[1:]] == [
        ["homoge…neity", "homoge…eness", "homoge…asure"],
        ["0", "0.667", "1.000", "0.800"],
    ]
    nested = evaluate(TRUE, TRUE, {("a", 1): lambda _: (1, (2.0, np.asarray([3])))})
    assert nested.to_dict() == {"('a', 1).0": 1, "('a', 1).1.0": 2.0, "('a', 1).1.1": [3]}


@pytest.mark.parametrize("library", [np.asarray, torch.asarray, jax.numpy.asarray])
def test_arrays_are_lists_and_one_line(library):
    """The worked example of the lecture: its three F scores are 4/9, 1/2 and 8/9."""
    true = library([1, 3, 2, 2, 3, 1, 2, 2, 3, 1, 3, 2])
    pred = library([2, 3, 2, 1, 3, 1, 3, 2, 3, 1, 3, 1])
    metrics = [gpuval.cluster_f_score, gpuval.pair_confusion_matrix, gpuval.match_labels]
    scores = evaluate(true, pred, metrics)
    assert scores.to_dict()["cluster_f_score.clusters"] == [1, 2, 3]
    assert scores.to_dict()["cluster_f_score.scores"] == pytest.approx([4 / 9, 1 / 2, 8 / 9], abs=1e-6)
    assert scores.to_pandas()["cluster_f_score.scores"] == scores.to_dict()["cluster_f_score.scores"]
    assert len(str(scores).splitlines()) == 3 + 1 + len(gpuval.match_labels(true, pred))
    frame = compare(true, {"a": pred, "b": true}, metrics).to_pandas()
    assert frame.loc["b", "cluster_f_score.scores"] == [1, 1, 1]
    assert frame.loc["a", "match_labels.classes"] == scores["match_labels"].classes.tolist()
    about, _, text = str(compare(true, {"a": pred, "b": true}, metrics)).partition("\n")
    assert about == "2 labelings: 12 samples, 3 classes"
    blocks = [x.splitlines() for x in text.split("\n\n")]
    names = list(scores.to_dict())
    assert [x for head, *_ in blocks for x in head.split()] == [f"{name[:6]}…{name[-5:]}" for name in names]
    assert all([row.split()[0] for row in rows] == ["a", "b"] for _, *rows in blocks)


# Names, and how they are shown.


def test_names_need_not_be_text():
    scores = evaluate(TRUE, LABELINGS["two"], {1: "ri", ("a", "b"): "ari", None: "nmi"})
    assert list(scores) == [1, ("a", "b"), None]
    assert [line.rsplit(None, 1)[0].strip() for line in str(scores).splitlines()] == ["1", "a, b", "None"]
    assert list(scores.to_dict()) == [1, ("a", "b"), None]
    assert scores.to_pandas().tolist() == list(scores.values())
    comparison = compare(TRUE, {1: TRUE, "1": TRUE, (1, 2): TRUE}, {1: "ri", ("a", "b"): "ari"})
    assert [line.split("  ")[0] for line in str(comparison).splitlines()[2:-1]] == ["1", "1", "1, 2"]
    assert comparison.to_pandas().to_numpy().tolist() == [[1.0, 1.0]] * 3


def test_frames_of_several_levels():
    frame = pd.DataFrame({("leiden", 0.5): LABELINGS["two"], ("leiden", 1.0): LABELINGS["five"]})
    comparison = compare(TRUE, frame, "ri")
    assert list(comparison) == [("leiden", 0.5), ("leiden", 1.0)]
    assert comparison.to_pandas().index.tolist() == list(comparison)
    assert "leiden, 0.5  " in str(comparison)


def test_the_index_of_a_frame_has_the_names_of_the_levels():
    by = np.arange(len(TRUE)) % 2
    assert compare(TRUE, LABELINGS, "ri").to_pandas().index.names == ["labeling"]
    assert evaluate(TRUE, LABELINGS["two"], "ri", by=by).to_pandas().index.names == ["by"]
    frame = compare(TRUE, LABELINGS, "ri", by=by).to_pandas()
    assert frame.index.names == ["labeling", "by"]
    assert frame.xs(1, level="by").index.tolist() == list(LABELINGS)
    assert compare([], {"a": []}, "ri", by=[]).to_pandas().index.names == ["labeling", "by"]
    of_several = compare(TRUE, {("a", 1): TRUE, ("a", 2): TRUE}, "ri", by=by).to_pandas()
    assert of_several.index.tolist() == [(("a", i), value) for i in (1, 2) for value in (0, 1)]


def test_tuples_of_any_length_are_names():
    names = [("a", "b"), ("x", "c", "d"), ("y",)]
    comparison = compare(TRUE, dict.fromkeys(names, TRUE), dict.fromkeys(names, "ri"))
    frame, series = comparison.to_pandas(), comparison[names[0]].to_pandas()
    assert frame.to_numpy().tolist() == [[1.0] * 3] * 3
    assert series.tolist() == [1.0] * 3
    assert frame.index.tolist() == frame.columns.tolist() == series.index.tolist() == names
    assert compare(TRUE, {("a",): TRUE, None: TRUE}, "ri").to_pandas()["rand_score"].tolist() == [1.0, 1.0]


def test_names_that_read_alike_are_an_error():
    class Named:
        def __repr__(self):
            return "x"

    labelings = {Named(): TRUE, Named(): LABELINGS["two"]}
    for call in (lambda x: compare(TRUE, x), pairwise):
        with pytest.raises(
            ValueError, match=r"^labelings must have names that differ when they are printed, got x twice$"
        ):
            call(labelings)


def test_frames_of_polars():
    assert compare(TRUE, pl.DataFrame(LABELINGS), "ri") == compare(TRUE, LABELINGS, "ri")
    with pytest.raises(TypeError, match=r"got LazyFrame; collect\(\) it$"):
        compare(TRUE, pl.DataFrame(LABELINGS).lazy())


def test_a_column_that_is_no_labeling_is_named():
    frame = pd.DataFrame({"leiden": LABELINGS["two"], "umap": np.linspace(0.5, 1, 200)})
    for columns in (frame, pl.from_pandas(frame)):
        with pytest.raises(ValueError, match=r"^labelings\['umap'\] must hold whole numbers, got 0.5"):
            compare(TRUE, columns)


def test_the_empty_and_nan_are_shown():
    assert str(Evaluation({})) == "Evaluation({})"
    assert str(Comparison({})) == "Comparison({})"
    assert str(Evaluation({"a": float("nan"), "b": np.float64("inf")})) == "a    –\nb  inf"
    uneven = Comparison({"x": Evaluation({"a": 1.0}), "y": Evaluation({"b": 2})})
    assert str(uneven).splitlines() == ["2 labelings", "   a      b", "x  1.000", "y         2"]


def test_scores_without_a_value_are_shown():
    shown = []

    def score(true, pred):
        scores = evaluate(true, pred, "ri", n_classes=5, n_clusters=5)
        shown.extend([str(scores), str(Comparison({"a": scores}))])
        return scores["ri"]

    labels = jax.numpy.asarray(TRUE), jax.numpy.asarray(LABELINGS["two"])
    jax.jit(score)(*labels)
    jax.vmap(score)(*(x[None] for x in labels))
    assert len(shown) == 4
    assert all("Tracer" in text for text in shown)
    torch.func.vmap(score)(*(torch.asarray(x)[None] for x in (TRUE, LABELINGS["two"])))
    assert "BatchedTensor" in shown[-1]
    assert [len(text.splitlines()) for text in shown] == [1, 3] * 3  # a line above says "1 labeling"


def test_scores_with_gradients_are_shown():
    memberships = torch.full((4, 2), 0.5, dtype=torch.float64, requires_grad=True)
    scores = evaluate(Contingency.from_memberships(memberships, torch.eye(4, dtype=torch.float64)), metrics="ri")
    assert scores["ri"].requires_grad
    number = float(scores["ri"].detach())
    assert scores.to_dict() == {"rand_score": number}
    assert str(scores) == f"rand_score  {number:.3f}"
    assert scores.to_pandas()["rand_score"] == number


# Equality and copies.


@pytest.mark.parametrize("library", [np.asarray, torch.asarray, jax.numpy.asarray])
def test_copies_are_equal(library):
    true, labelings = library(TRUE), {name: library(x) for name, x in LABELINGS.items()}
    metrics = ["ari", gpuval.cluster_f_score, gpuval.homogeneity_completeness_v_measure]
    comparison = compare(true, labelings, metrics)
    for found in (comparison, comparison["five"]):
        for copied in (pickle.loads(pickle.dumps(found)), copy.deepcopy(found), copy.copy(found)):
            assert copied == found
            assert type(copied) is type(found)
            assert str(copied) == str(found)
    assert comparison["two"] == dict(comparison["two"])
    assert comparison["two"] != comparison["five"]
    assert comparison != {"two": comparison["two"]}
    assert comparison["two"] != "two"


def test_equal_are_the_same_names_and_the_same_scores():
    one = Evaluation({"a": 1.0, "b": (1, np.asarray([1, 2]))})
    assert one == {"b": (1, np.asarray([1, 2])), "a": np.float32(1)}
    assert one == {"a": torch.tensor(1.0), "b": (True, [1, 2])}
    assert one != {"a": 1.0}
    assert one != {"a": 1.0, "b": (1, np.asarray([1, 3]))}
    assert one != {"a": 1.0, "b": (1,)}
    assert one != {"a": 1.0, "c": (1, np.asarray([1, 2]))}
    nan = Evaluation({"a": float("nan")})
    assert nan == nan
    assert nan != Evaluation({"a": float("nan") + 0})


def test_no_number_takes_the_place_of_another_in_a_frame():
    names = {"a": "ari", "a.low": "nmi"}
    found = gpuval.compare([0, 0, 1, 1], {"x": [0, 1, 1, 1]}, names, confidence_level=0.9, n_resamples=9)
    assert list(found["x"]) == ["a", "a.low"]
    with pytest.raises(ValueError, match=r"^metrics must have names of their own, .* got 'a\.low' twice$"):
        found.to_pandas()
    named = gpuval.compare([0, 0, 1, 1], {"x": [0, 1, 1, 1]}, {"n_clusters": "ari"})
    assert list(named.to_pandas()) == ["n_clusters"]
    with pytest.raises(ValueError, match=r"^metrics must have names other than those of counts .*, got 'n_clusters'$"):
        named.to_pandas(counts=True)
    both = gpuval.evaluate([0, 0, 1, 1], [0, 1, 1, 1], {"t": lambda table: (1, 2), "t.1": "nmi"})
    with pytest.raises(ValueError, match=r"got 't\.1' twice$"):
        both.to_pandas()
