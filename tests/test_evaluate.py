"""Many measures, many labelings, all pairs: the same values as one at a time, and how they are shown."""

import functools

import numpy as np
import pandas as pd
import pytest
import torch
from properties import INTERNAL

import gpuval
from gpuval import METRICS, Contingency, _labels, compare, evaluate, pairwise
from gpuval.evaluate import DEFAULT_METRICS

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
    encode = _labels.encode

    def spy(vector, *rest):
        encoded.append(vector.name)
        return encode(vector, *rest)

    monkeypatch.setattr(_labels, "encode", spy)
    pairwise({name: np.roll(TRUE, i) for i, name in enumerate("abcdef")}, "rand_score")
    assert len(encoded) == len(set(encoded)) == 6


def test_the_table_is_built_once(monkeypatch):
    built = []
    from_labels = Contingency.from_labels
    monkeypatch.setattr(Contingency, "from_labels", lambda *a, **k: built.append(1) or from_labels(*a, **k))
    evaluate(TRUE, LABELINGS["two"], "all")
    assert built == [1]


def test_choosing_measures():
    pred = LABELINGS["five"]
    assert list(evaluate(TRUE, pred)) == list(DEFAULT_METRICS)
    assert list(evaluate(TRUE, pred, "purity_score")) == ["purity_score"]
    assert list(evaluate(TRUE, pred, [gpuval.rand_score, "purity_score"])) == ["rand_score", "purity_score"]
    v2 = functools.partial(gpuval.v_measure_score, beta=2)
    assert evaluate(TRUE, pred, {"V2": v2})["V2"] == gpuval.v_measure_score(TRUE, pred, beta=2)


def test_fractional_weights_leave_out_what_is_defined_for_counts():
    weights = RNG.random(200)
    assert "adjusted_mutual_info_score" not in evaluate(TRUE, LABELINGS["two"], sample_weight=weights)
    assert "adjusted_mutual_info_score" in evaluate(TRUE, LABELINGS["two"], sample_weight=np.ones(200, dtype=int))


@pytest.mark.parametrize("library", [np.asarray, torch.asarray])
def test_all_measures_are_all_that_are_defined_for_the_table(library):
    of_counts = {"adjusted_mutual_info_score", "expected_mutual_info"}
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


def test_how_an_evaluation_is_shown():
    scores = evaluate([0, 0, 1, 1], [0, 0, 1, 2], ["rand_score", "pair_confusion_matrix"][:1])
    assert str(scores) == "rand_score  0.8333"
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
    assert text == "        rand_score\na           1.0000\nlonger      0.3333"
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
    numbers = {x for x in gpuval.__all__ if x.islower()} - set(METRICS) - INTERNAL
    assert numbers == {
        "cluster_f_score",
        "cluster_precision",
        "cluster_recall",
        "cohen_kappa_score",
        "compare",
        "contingency_matrix",
        "evaluate",
        "homogeneity_completeness_v_measure",
        "match_labels",
        "normalized_confusion_matrix",
        "normalizing_permutation",
        "pair_confusion_matrix",
        "pairwise",
    }
