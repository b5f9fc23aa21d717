"""What results look like: text that fits a terminal, and HTML of a notebook, whatever names and scores are."""

import copy
import functools
import math
import pickle
import re

import jax
import numpy as np
import pandas as pd
import pytest
import torch
from html_tables import Tables

import gpuval
from gpuval import Comparison, Evaluation, IntegrationScores, multilabel, plots, ranking
from gpuval.display.text import text_width, visible

TRUE = [0, 0, 0, 1, 1, 1, 2, 2, 2] * 3
HOSTILE = [
    "<script>alert(1)</script>",
    "\x1b[31m",
    "a\r\nb",
    "\u202egnp.exe",
    "🧬" * 30,
    "e\u0301" * 50,
    "x" * 10_000,
    "\"quotes\" 'too'",
    "&amp;",
    "",
    ("<td>", "\x9b"),
    7,
    None,
    -1.5,
    "\ud800",
]


def labelings_of(names):
    random = np.random.default_rng(0)
    return {name: random.integers(0, 2 + place % 3, len(TRUE)) for place, name in enumerate(names)}


def full(name):
    """A name as it is in the HTML, if there is room for it."""
    return visible(", ".join(map(str, name)) if isinstance(name, tuple) else str(name))


def lines_of(results):
    """The lines of what is printed, after a check of all that holds for any result."""
    text = repr(results)
    assert visible(text.replace("\n", " ")) == text.replace("\n", " ")
    lines = text.split("\n")
    assert max(map(text_width, lines)) <= 80
    assert lines == [line.rstrip(" ") for line in lines]
    return lines


# The text of comparisons.


def test_a_row_for_each_labeling_if_the_measures_fit():
    labelings = {"one": TRUE, "other": [0, 1, 2] * 9}
    lines = lines_of(gpuval.compare(TRUE, labelings, ["ari", "purity"]))
    assert [line.split() for line in lines] == [
        ["2", "labelings:", "27", "samples,", "3", "classes"],
        ["adjusted_rand_score", "purity_score"],
        ["one", "1.000", "●", "1.000"],  # purity grows with the number of clusters, and marks none
        ["other", "−0.083", "0.333"],
        ["●", "highest"],
    ]


def test_a_row_for_each_measure_if_that_takes_fewer_lines():
    by_measure = lines_of(gpuval.compare(TRUE, labelings_of(["a", "b", "c"]), "all"))
    about, head, clusters, *rows, note = by_measure
    assert about == "3 labelings: 27 samples, 3 classes"
    assert head.split() == ["a", "b", "c"]
    assert clusters.split() == ["clusters", "2", "3", "4"]
    assert note == "● highest or lowest"
    assert len(rows) == len(gpuval.METRICS)
    assert [row.split("  ")[0] for row in rows] == [x.measure.short_head for x in gpuval.METRICS.values()]
    by_labeling = lines_of(gpuval.compare(TRUE, labelings_of(["a", "b", "c"])))
    assert by_labeling.count("") == 1  # two blocks, of three rows each


def test_columns_that_do_not_fit_are_below_each_other():
    labelings = labelings_of([f"number_{i}" for i in range(8)])
    about, *lines, note = lines_of(gpuval.compare(TRUE, labelings))
    assert about.startswith("8 labelings: ")
    assert note == "● highest or lowest"
    blocks = [block.split("\n") for block in "\n".join(lines).split("\n\n")]
    heads = [x.measure.short_head for x in map(gpuval.METRICS.get, gpuval.evaluate(TRUE, TRUE))]
    assert [x.strip() for head, *_ in blocks for x in head.split("  ") if x] == ["clusters", *heads]
    assert [[row.split()[0] for row in rows] for _, *rows in blocks] == [list(labelings)] * 2


def test_the_best_scores_have_a_mark_and_are_bold_in_a_notebook():
    labelings = {"good": TRUE, "twin": TRUE, "few": [0 if x == 2 else x for x in TRUE]}
    comparison = gpuval.compare(TRUE, labelings, ["ari", "vi", "entropy"])
    assert [[x for x in line.split() if x in "●≈"] for line in lines_of(comparison)[2:-1]] == [["●"] * 2, ["●"] * 2, []]
    for one in (gpuval.compare(TRUE, [TRUE], ["ari"]), gpuval.compare(TRUE, labelings, ["entropy"])):
        assert "●" not in repr(one)  # nothing is the best
    with_level = gpuval.compare(TRUE, {"few": labelings["few"], "good": TRUE}, ["ari"], confidence_level=0.9)
    about, _, few, good, note = lines_of(with_level)
    assert about == "2 labelings: 27 samples, 3 classes, 90\N{NO-BREAK SPACE}% intervals"
    assert few.split()[:2] == ["few", "2"]
    assert good.split()[:4] == ["good", "3", "1.00", "●"]
    assert note == "● highest"
    assert Tables(with_level._repr_html_()).bold == [(2, 3)]


def test_what_is_not_told_apart_from_the_best_has_another_mark():
    labelings = {"near": [2, *TRUE[1:]], "best": TRUE, "far": [0, *[0, 1, 2] * 8, 1, 1]}  # near is the best but for one
    comparison = gpuval.compare(TRUE, labelings, ["ari"], confidence_level=0.95, n_resamples=99, random_state=0)
    assert comparison.best["ari"].best_set == ("best", "near")
    marks = [[x for x in line.split() if x in "●≈"] for line in lines_of(comparison)[2:-1]]
    assert marks == [["≈"], ["●"], []]
    assert lines_of(comparison)[-1] == "● highest  ≈ not told apart from it"
    html = Tables(comparison._repr_html_())
    assert html.bold == [(2, len(html.rows[0]) - 1)]
    about = "3 labelings: 27 samples, 3 classes, 95\N{NO-BREAK SPACE}% intervals"
    assert html.notes == [f"{about}. ● highest  ≈ not told apart from it"]


@pytest.mark.parametrize("mapped", [False, True])
def test_halves_of_a_pair_have_no_mark(mapped):
    """One that gets better with the number of clusters would crown the labeling with the most, or the fewest."""
    halves = ["homogeneity", "completeness", "purity", "bcubed_precision_score", "mi", "russell_rao_score"]
    metrics = {f"own {x}": x for x in halves} | {"ari": "purity", "purity": "ari"} if mapped else [*halves, "ari"]
    labelings = {"one": np.zeros(27, int), "true": TRUE, "single": np.arange(27)}
    for options in ({}, {"confidence_level": 0.9, "n_resamples": 9}):
        html = Tables(gpuval.compare(TRUE, labelings, metrics, **options)._repr_html_())
        marks = {head: "".join(row[place] for row in html.rows) for place, head in enumerate(html.rows[0])}
        assert [head for head, text in marks.items() if "●" in text or "≈" in text] == [html.rows[0][-1]]


def test_a_mark_is_found_where_there_is_one(monkeypatch):
    """The check above fails for a table that marks halves of pairs."""
    monkeypatch.setattr("gpuval.results.evaluations.is_one_sided", lambda measure: False)
    with pytest.raises(AssertionError):
        test_halves_of_a_pair_have_no_mark(mapped=False)


def test_numbers_of_clusters_and_samples_are_shown_where_they_differ():
    same = gpuval.compare(TRUE, {"one": TRUE, "other": [0, 1, 2] * 9}, "ari")
    assert lines_of(same)[:2] == ["2 labelings: 27 samples, 3 classes", "       adjusted_rand_score"]
    labelings = {"three": TRUE, "two": [0 if x == 2 else x for x in TRUE]}
    assert lines_of(gpuval.compare(TRUE, labelings, ["acc"])) == [
        "2 labelings: 27 samples, 3 classes",
        "       clusters  clustering_accuracy",
        "three         3  1.000 ●",
        "two           2  0.667",
        "● highest",
    ]
    labelings = {"all": TRUE, "some": [-1, *TRUE[1:]]}
    assert lines_of(gpuval.compare(TRUE, labelings, ["acc"], ignore_labels=-1)) == [
        "2 labelings: 3 classes",
        "       samples  clustering_accuracy",
        "all         27  1.000 ●",
        "some  26 of 27  1.000 ●",
        "● highest",
    ]


def test_weights_may_add_up_to_a_fraction():
    weights = np.full(27, 0.3)
    weights[0] = 0
    evaluation = gpuval.evaluate(TRUE, TRUE, ["purity"], sample_weight=weights)
    assert "7.8 samples" in Tables(evaluation._repr_html_()).notes[0]


def test_the_middle_of_many_labelings_is_left_out_but_not_the_best():
    labelings = {f"n{i}": [x if i == 60 else 0 for x in TRUE] for i in range(100)}
    lines = lines_of(gpuval.compare(TRUE, labelings, ["ari"]))
    names = [line.split("  ")[0] for line in lines[2:]]
    assert names == [
        *(f"n{i}" for i in range(20)),
        "(40 more)",
        "n60",
        "(19 more)",
        *(f"n{i}" for i in range(80, 100)),
        "● highest",
    ]
    by_measure = lines_of(gpuval.compare(TRUE, labelings))
    assert "(40 more)" in "\n".join(by_measure)
    assert "n60" in "\n".join(by_measure)
    assert "n61" not in "\n".join(by_measure)
    forty = lines_of(gpuval.compare(TRUE, dict(list(labelings.items())[:40]), ["ari"]))
    assert len(forty) == 1 + 1 + 40 + 1


def test_intervals_are_shown_beside_scores():
    comparison = gpuval.compare(TRUE, labelings_of("abc"), confidence_level=0.9, random_state=0, n_resamples=99)
    text = " ".join(" ".join(lines_of(comparison)).split())
    estimates = [scores.intervals[name] for scores in comparison.values() for name in scores]
    # The median of the half-widths is above 0.1, so that scores have no more than 2 decimals, and no ends have fewer.
    assert 0.1 < np.median([(x.high - x.low) / 2 for x in estimates]) < 1
    for x in estimates:
        score, low, high = (f"{abs(number):.2f}" for number in (x.score, x.low, x.high))
        assert re.search(rf"{score} [●≈]? ?−?{low}–−?{high}", text)
    by = gpuval.compare(TRUE, labelings_of("ab"), ["ari"], by=[0, 1, 2] * 9)
    assert by.levels == ("labeling", "by")
    assert [line.split("  ")[0] for line in lines_of(by)[2:]] == [f"{x}, {y}" for x in "ab" for y in range(3)]


# HTML.


def test_html_of_a_comparison():
    labelings = {"a<b": TRUE, "twin": TRUE, "few": [0 if x == 2 else x for x in TRUE]}
    metrics = {"ari": "ari", "variation_of_information": "vi", "gini_index": "gini_index", "own": lambda table: 1.5}
    found = Tables(gpuval.compare(TRUE, labelings, metrics)._repr_html_())
    head, *rows = found.rows
    assert head == ["labeling", "clusters", "samples", "ARI", "VI ↓", "gini index", "own"]
    about = ["higher is better", "variation_of_information: lower is better", "gini_index", "own"]
    assert found.titles[0][3:] == [f"ari: {about[0]}", *about[1:]]
    assert [row[:3] for row in rows] == [["a<b", "3", "27"], ["twin", "3", "27"], ["few", "2", "27"]]
    # Of 351 pairs 108 are together in the truth and in both, and 189 in the labeling of two clusters.
    expected = 108 * 189 / 351
    assert [row[3] for row in rows] == ["● 1.000"] * 2 + [f"{(108 - expected) / ((108 + 189) / 2 - expected):.3f}"]
    assert float(found.titles[3][3]) == gpuval.adjusted_rand_score(TRUE, labelings["few"])
    assert found.bold == [(1, 3), (1, 4), (2, 3), (2, 4)]  # both that are best, and none without a direction


def test_html_of_samples_that_are_dropped():
    labelings = {"all": TRUE, "some": [-1, -1, *TRUE[2:]]}
    found = Tables(gpuval.compare(TRUE, labelings, ["ari"], ignore_labels=-1)._repr_html_())
    assert [row[2] for row in found.rows] == ["samples", "27", "25 of 27"]
    one = Tables(gpuval.evaluate(TRUE, labelings["some"], ["ari"], ignore_labels=-1)._repr_html_())
    assert one.notes == ["25 of 27 samples, 3 classes, 3 clusters"]


def test_html_of_intervals():
    found = Tables(gpuval.compare(TRUE, labelings_of("ab"), ["nmi"], confidence_level=0.9)._repr_html_())
    comparison = gpuval.compare(TRUE, labelings_of("ab"), ["nmi"], confidence_level=0.9)
    for row, titles, scores in zip(found.rows[1:], found.titles[1:], comparison.values(), strict=True):
        x = scores.intervals["nmi"]
        assert row[-1].lstrip("●≈ ") == f"{x.score:.2f} {x.low:.2f}–{x.high:.2f}"  # half-widths of 0.1 to 1
        assert titles[-1] == f"{x.score} [{x.low}, {x.high}]"
    about = "2 labelings: 27 samples, 3 classes, 90\N{NO-BREAK SPACE}% intervals"
    assert found.notes == [f"{about}. ● highest  ≈ not told apart from it"]


def test_the_best_is_that_of_each_value_of_by():
    by, truth = ["x"] * 108 + ["y"] * 207, TRUE * 11 + TRUE[:18]
    labelings = {"good in x": truth[:108] + [0] * 207, "good in y": [0] * 108 + truth[108:]}
    comparison = gpuval.compare(truth, labelings, ["ari"], by=by)
    found = Tables(comparison._repr_html_())
    assert found.rows[0] == ["labeling", "by", "clusters", "samples", "adjusted_rand_score"]
    assert [row[:2] for row in found.rows[1:]] == [[name, value] for name in labelings for value in "xy"]
    assert found.bold == [(1, 4), (4, 4)]
    values = Tables(gpuval.evaluate(truth, labelings["good in x"], ["ari"], by=by)._repr_html_())
    assert values.rows[0][0] == "by"
    assert values.bold == []  # values of one labeling are not compared with each other
    assert [copied.levels for copied in (copy.copy(comparison), pickle.loads(pickle.dumps(comparison)))] == [
        ("labeling", "by")
    ] * 2


def test_one_labeling_has_no_best_and_nan_never_is():
    assert Tables(gpuval.compare(TRUE, {"one": TRUE}, ["ari"])._repr_html_()).bold == []
    numbers = {"a": math.nan, "b": 0.5, "c": -math.inf, "d": 0.5 + 1e-15, "e": 0.25}
    higher = Comparison({name: Evaluation({"ari": x}) for name, x in numbers.items()})
    assert Tables(higher._repr_html_()).bold == [(2, 1), (4, 1)]
    lower = Comparison({name: Evaluation({"vi": x}) for name, x in numbers.items()})
    assert Tables(lower._repr_html_()).bold == [(3, 1)]
    nothing = Comparison({name: Evaluation({"ari": math.nan}) for name in "ab"})
    assert Tables(nothing._repr_html_()).bold == []


def test_the_middle_of_many_rows_of_html_is_left_out_but_not_the_best():
    labelings = {f"n{i}": [x if i == 40 else 0 for x in TRUE] for i in range(100)}
    found = Tables(gpuval.compare(TRUE, labelings, ["ari"])._repr_html_())
    names = [row[0] for row in found.rows[1:]]
    assert names == [*(f"n{i}" for i in range(30)), "(10 more)", "n40", "(29 more)", *(f"n{i}" for i in range(70, 100))]
    assert found.bold == [(1 + names.index("n40"), 3)]
    same = Tables(gpuval.compare(TRUE, dict.fromkeys(labelings, TRUE), ["ari"])._repr_html_())
    assert len(same.rows) == 1 + 60 + 1 + 30  # all are equally good: the first 60, and the last 30


def test_internal_measures_have_directions():
    points = np.random.default_rng(0).normal(size=(27, 2))
    labelings = {"ordered": np.repeat([0, 1, 2], 9), "mixed": TRUE}
    comparison = gpuval.compare(None, labelings, ["asw", "db"], X=points)
    found = Tables(comparison._repr_html_())
    assert found.rows[0][3:] == ["silhouette_score", "davies_bouldin_score ↓"]
    expected = [
        max(labelings, key=lambda name: comparison[name]["asw"]),
        min(labelings, key=lambda name: comparison[name]["db"]),
    ]
    places = sorted((1 + list(labelings).index(name), 3 + place) for place, name in enumerate(expected))
    assert found.bold == places


def purity_score(table):
    """A distance of a user, whatever its name is."""
    return float(gpuval.variation_of_information(table))


@pytest.mark.parametrize(
    ("name", "measure", "direction"),
    [
        ("vi", "nmi", "higher"),
        ("agreement", functools.partial(gpuval.f_measure_score), "higher"),
        ("purity", "vi", "lower"),
        ("asw", gpuval.davies_bouldin_score, "lower"),
        ("purity_score", purity_score, ""),
        ("ari", "entropy", ""),
    ],
)
def test_directions_are_those_of_the_measures_whatever_their_names(name, measure, direction):
    samples = np.repeat([0.0, 4.0, 9.0], 9)[:, None] + np.arange(27)[:, None] / 30
    truth = np.repeat([0, 1, 2], 9)
    labelings = {"poor": np.arange(27) % 3, "good": np.where(np.arange(27) < 2, 1, truth), "bad": np.arange(27) % 4}
    comparison = gpuval.compare(truth, labelings, {name: measure}, X=samples)
    leaves, structure = jax.tree.flatten(comparison)
    copies = [pickle.loads(pickle.dumps(comparison)), jax.tree.unflatten(structure, leaves)]
    for found in (comparison, *copies):
        assert found["good"].directions == {name: direction}
        assert [(x.name, x.direction) for x in found.best.values()] == [("good", direction)] * bool(direction)
        marked = [line.split()[0] for line in lines_of(found)[2:-1] if line.endswith("●")]
        assert marked == ["good"] * bool(direction)
        html = Tables(found._repr_html_())
        assert html.rows[0][-1] == (f"{name} ↓" if direction == "lower" else name)
        assert [html.rows[place][0] for place, _ in html.bold] == ["good"] * bool(direction)
    report = gpuval.report(truth, labelings, metrics={name: measure}, X=samples, confidence_level=None)
    said = report.summary[0]
    assert ("good" in said) is bool(direction)
    assert said == "None of these measures says which labeling to take." or direction
    assert plots.SweepDisplay.from_comparison(comparison, [name]).directions == {name: direction}


def test_html_of_an_evaluation():
    evaluation = gpuval.evaluate(
        TRUE, TRUE, {"vi": "vi", "two": lambda table: (1, 2.0), "<": lambda table: table.total}
    )
    found = Tables(evaluation._repr_html_())
    assert found.rows == [["measure", "score"], ["vi ↓", "0.000"], ["two.0", "1"], ["two.1", "2.00"], ["<", "27"]]
    assert found.titles[1] == ["lower is better", "0.0"]
    assert found.bold == []
    assert found.notes == ["27 samples, 3 classes, 3 clusters"]


# Scores of all kinds.


def test_scores_of_all_kinds():
    scores = {
        "nan": math.nan,
        "inf": -math.inf,
        "large": 1e300,
        "whole": 10**400,
        "zero": -0.0,
        "small": -1e-9,
        "flag": np.True_,
        "complex": np.asarray(1 + 2j),
        "array": np.arange(100.0),
        "pair": (np.float32(0.5), (1, np.asarray([[1.0, 2.0]]))),
    }
    evaluation = Evaluation(scores)
    texts = dict(line.split(None, 1) for line in lines_of(evaluation))
    whole = texts.pop("whole")
    assert whole.startswith("1000")
    assert whole.endswith("…")
    array = texts.pop("array")
    assert array.startswith("[ 0. 1. 2.")
    assert texts == {
        "nan": "–",
        "inf": "−inf",
        "large": "1.00e+300",
        "zero": "0.000",
        "small": "−1.00e−09",
        "flag": "True",
        "complex": "(1+2j)",
        "pair.0": "0.500",
        "pair.1.0": "1",
        "pair.1.1": "[[1. 2.]]",
    }
    assert len(Tables(evaluation._repr_html_()).rows) == 1 + 12
    comparison = Comparison({"a": evaluation, "b": Evaluation({"nan": 1.0, "other": 2})})
    lines_of(comparison)
    rows = Tables(comparison._repr_html_()).rows
    assert [len(row) for row in rows] == [1 + 13] * 3


def test_nothing():
    for name, nothing in [("Evaluation", Evaluation({})), ("Comparison", Comparison({}))]:
        assert lines_of(nothing) == [f"{name}({{}})"]
        assert Tables(nothing._repr_html_()).notes == [f"{name}({{}})"]
        assert nothing._ipython_key_completions_() == []
    empty = Comparison({"a": Evaluation({}), "b": Evaluation({})})
    assert lines_of(empty)[-2:] == ["a", "b"]
    assert Tables(empty._repr_html_()).rows == [["labeling"], ["a"], ["b"]]
    for of_names in (gpuval.BestLabelings, gpuval.PermutationTests, gpuval.ScoreEstimates):
        nothing = of_names({})
        assert Tables(nothing._repr_html_()).notes == lines_of(nothing) == [f"{of_names.__name__}({{}})"]


def test_nothing_raises_where_there_are_no_values_yet():
    shown = []

    def score(true, pred):
        scores = gpuval.evaluate(true, pred, ["ari", "vi"], n_classes=3, n_clusters=3)
        comparison = Comparison({"a": scores, "b": scores})
        for x in (scores, comparison):
            lines_of(x)
            shown.append(Tables(x._repr_html_()))
        return scores["ari"]

    jax.jit(score)(jax.numpy.asarray(TRUE), jax.numpy.asarray(TRUE))
    torch.func.vmap(score)(torch.asarray(TRUE)[None], torch.asarray(TRUE)[None])
    assert [len(tables.rows) for tables in shown] == [3] * 4
    assert all(tables.bold == [] for tables in shown)
    assert shown[1].rows[0] == ["labeling", "adjusted_rand_score", "variation_of_information ↓"]


# Names of all kinds.


N_RESULTS = 12


@functools.cache
def results_of_all(names):
    return list(results_of(names))


def results_of(names):
    """Results of every kind whose names are these."""
    labelings = labelings_of(names)
    metrics = dict.fromkeys(names, "ari") | {"vi": "vi"}
    drawn = {"n_resamples": 19, "random_state": 0}
    comparison = gpuval.compare(TRUE, labelings, metrics, confidence_level=0.9, **drawn)
    yield comparison
    yield next(iter(comparison.values()))
    yield next(iter(comparison.values())).intervals
    yield comparison.best
    of_values = gpuval.compare(TRUE, labelings, ["nmi"], by=["<b>\x1b", "&" * 500, "\u2028"] * 9, confidence_level=0.9)
    yield of_values
    yield of_values.best
    yield gpuval.evaluate(TRUE, TRUE, ["nmi"], by=[f"{names[i % len(names)]}." for i in range(len(TRUE))])
    yield gpuval.compare_many_scores(TRUE, labelings, method="jackknife")
    yield gpuval.permutation_test("ari", TRUE, labelings, **drawn)
    relevance = np.eye(4, dtype=int)[[0, 1, 2, 3]]
    yield ranking.evaluate(relevance, np.arange(16.0).reshape(4, 4), metrics=dict.fromkeys(names, "map"))
    texts = list(dict.fromkeys(str(name) for name in names))
    classes = np.eye(len(texts), dtype=int)
    yield multilabel.evaluate(
        classes, y_pred=classes, classes=texts, metrics=dict.fromkeys(texts, "f1") | {"hamming": "hamming_loss"}
    )
    groups = dict.fromkeys(texts, 0.5), {f"{name} ": math.nan for name in texts}
    yield IntegrationScores(*groups, {f"{name} ": f"needs {name}" for name in texts})


def test_there_are_results_of_every_kind():
    assert len(list(results_of(["a", "b", "c"]))) == N_RESULTS


@pytest.mark.parametrize("place", range(N_RESULTS))
def test_hostile_names_are_shown_as_they_are(place):
    results = results_of_all(tuple(HOSTILE))[place]
    lines_of(results)
    found = Tables(results._repr_html_())
    for row, titles in zip(found.rows, found.titles, strict=True):
        for text, title in zip(row, titles, strict=True):
            assert visible(text) == text
            assert visible(title) == title
            assert text_width(text) <= 100 + len(" [-0.000, -0.000]")
    shown = {text for row, titles in zip(found.rows, found.titles, strict=True) for text in [*row, *titles]}
    shown |= {re.sub(": (higher|lower) is better$", "", text).rstrip(" ↓") for text in shown}
    if isinstance(results, Comparison) and results.levels == ("labeling",):
        assert {full(name) for name in results} <= shown
        assert {full(name) for name in next(iter(results.values()))} <= shown
    if isinstance(results, Evaluation | gpuval.ScoreEstimates | gpuval.PermutationTests | ranking.RankingScores):
        assert {full(name) for name in results} <= shown


def test_hostile_names_in_sentences():
    labelings = dict(zip(HOSTILE[:7], labelings_of(HOSTILE).values(), strict=False))
    best = gpuval.compare(TRUE, labelings, ["ari"], confidence_level=0.9).best["ari"]
    lines_of(best)
    assert full(best.name) in best.sentence()
    assert visible(best.sentence()) == best.sentence()


# Names that are completed, and tables of pandas.


@pytest.mark.parametrize("place", range(N_RESULTS))
def test_names_are_completed(place):
    results = results_of_all(("one", "other", ("third", 1)))[place]
    names = results._ipython_key_completions_()
    assert names == list(results)
    assert all(results[name] is not None for name in names)


def test_full_names_of_measures_are_completed():
    assert gpuval.evaluate(TRUE, TRUE, ["ari"])._ipython_key_completions_() == ["adjusted_rand_score"]
    assert gpuval.compare(TRUE, {"a": TRUE, "b": TRUE})._ipython_key_completions_() == ["a", "b"]


def test_counts_in_a_frame():
    labelings = {"all": TRUE, "some": [-1, *TRUE[1:]]}
    comparison = gpuval.compare([*TRUE[:-1], 9], labelings, ["ari", "vi"], ignore_labels=-1, confidence_level=0.9)
    frame = comparison.to_pandas(counts=True)
    assert frame.columns[:4].tolist() == ["n_classes", "n_clusters", "n_samples", "n_dropped"]
    assert frame.iloc[:, :4].to_numpy().tolist() == [[4, 3, 27, 0], [4, 3, 26, 1]]
    assert frame.iloc[:, :4].dtypes.tolist() == [np.dtype("int64")] * 4
    pd.testing.assert_frame_equal(frame.iloc[:, 4:], comparison.to_pandas())
    unknown = Comparison({"a": Evaluation({"x": 1.0})}).to_pandas(counts=True)
    assert unknown.isna().to_numpy().tolist() == [[True] * 4 + [False]]
    with pytest.raises(TypeError):
        comparison.to_pandas(True)


def test_the_best_labeling_goes_to_pandas():
    best = gpuval.compare(TRUE, labelings_of("ab"), ["ari"], confidence_level=0.9).best
    series = best["ari"].to_pandas()
    assert series.tolist() == best.to_pandas().iloc[0].tolist()
    assert series["best"] == best["ari"].name
    assert list(best["ari"].to_dict()) == list(series.index)
