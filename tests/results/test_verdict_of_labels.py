"""The verdict of real comparisons: which measures it reads, what it knows of the data, and which labeling leads."""

import copy
import math
import pickle
import re

import numpy as np
import pandas as pd
import pytest
import torch
from html_tables import Tables

import gpuval
from gpuval import Comparison, Evaluation, Verdict
from gpuval.results.verdict import CAUTIONS

RANDOM = np.random.default_rng(0)
TRUE = RANDOM.choice(5, 400, p=(0.3, 0.25, 0.2, 0.15, 0.1))


def noisy(share, seed=1):
    random = np.random.default_rng(seed)
    return np.where(random.random(len(TRUE)) < share, random.integers(0, 5, len(TRUE)), TRUE)


LABELINGS = {"poor": noisy(0.9), "good": noisy(0.2), "fair": noisy(0.5)}
VOICES = ["ami", "ari", "nca"]
LEVEL = {"confidence_level": 0.95, "n_resamples": 99, "random_state": 0}
KEYS = ["adjusted_mutual_info_score", "adjusted_rand_score", "normalized_clustering_accuracy"]


def verdict(labelings=LABELINGS, metrics=VOICES, true=TRUE, **options):
    return gpuval.compare(true, labelings, metrics, **options).verdict


def test_a_clear_best():
    found = verdict(**LEVEL)
    scores = {name: gpuval.adjusted_mutual_info_score(TRUE, x) for name, x in LABELINGS.items()}
    assert (found.case, found.lead, found.core) == ("clear", "good", ("good",))
    gap = f"{scores['good'] - scores['fair']:.3f}"
    low, high = (f"{x:.3f}" for x in interval_of_gap())
    said = f"good agrees best, however you count: AMI {scores['good']:.3f}, ahead of fair by {gap} ({low}–{high})."
    assert found.headline == said
    assert isinstance(found, Verdict)
    assert [x.name for x in found.voices] == KEYS
    assert [x.counts for x in found.voices] == ["sample", "pair", "class"]


def interval_of_gap():
    gap = gpuval.compare(TRUE, LABELINGS, ["ami"], **LEVEL).best["ami"].gaps["fair"]
    return gap.low, gap.high


def test_what_is_known_of_the_data():
    named = pd.Series(np.asarray(list("abcde"))[TRUE], name="cell_type")
    found = verdict({"x": LABELINGS["good"]}, true=named)
    scores = [f"{gpuval.METRICS[key](TRUE, LABELINGS['good']):.3f}" for key in KEYS]
    assert found.sentences == (f"x against “cell_type”: AMI {scores[0]}, ARI {scores[1]}, NCA {scores[2]}.",)
    labels = np.where(np.arange(400) < 30, -1, TRUE)
    few = np.where(TRUE > 1, 1, TRUE)  # 2 clusters of 5 classes
    found = verdict({"x": labels, "few": few}, ignore_labels=-1)
    assert [tuple(x) for x in found.cautions] == [
        ("clusters", "Far fewer clusters than the 5 classes: few (2)."),
        ("ignored", "Up to 30 of 400 samples are ignored."),
    ]
    rare = np.where(np.arange(400) < 7, 9, TRUE)
    found = verdict({"x": rare, "y": noisy(0.9)}, true=rare, metrics=["ami"])
    assert [x.text for x in found.cautions] == ["1 class has under 20 samples: 9 (7)."]
    mostly = np.where(RANDOM.random(400) < 0.9, 0, TRUE)
    found = verdict({"x": mostly, "y": noisy(0.9)}, true=mostly)
    assert any(x.startswith("The classes are imbalanced: class 0 is 9") for x in found.sentences)
    assert not any("imbalanced" in x for x in verdict({"x": mostly, "y": noisy(0.9)}, ["ami"], mostly).sentences)


def test_labelings_that_ignore_other_samples():
    """The best one is that of the samples that two labelings share; what shares none with it is said not to."""
    place = np.arange(400)
    easy = np.where(place < 150, noisy(0.02), -1)  # the highest score, of samples that are easy
    whole = np.where(place < 150, TRUE, noisy(0.6))
    comparison = gpuval.compare(TRUE, {"easy": easy, "whole": whole}, VOICES, ignore_labels=-1, **LEVEL)
    assert "● best of the samples in common" in repr(comparison)
    found = comparison.verdict
    assert found.voices[0].best == "whole"
    assert found.voices[0].scores["easy"] > found.voices[0].scores["whole"]
    said = "Two labelings are compared by those that both have: the best one need not have the highest score."
    assert [x.text for x in found.cautions] == [f"Up to 250 of 400 samples are ignored. {said}"]
    alone = {"left": np.where(place < 200, TRUE, -1), "right": np.where(place >= 200, noisy(0.3), -1)}
    alone["fair"] = np.where(place < 200, noisy(0.5), -1)
    texts = [x.text for x in verdict(alone, ignore_labels=-1, **LEVEL).cautions]
    assert texts == [
        "Up to 200 of 400 samples are ignored.",
        "Not compared, as it has no samples in common with the best labeling: right.",
    ]
    same = {name: np.where(place < 200, x, -1) for name, x in LABELINGS.items()}
    assert [x.text for x in verdict(same, ignore_labels=-1, **LEVEL).cautions] == texts[:1]


@pytest.mark.parametrize("names", [["first", "odd"], ["first", "odd", "third"]])
def test_labelings_that_agree_where_both_have_labels(names):
    """Their scores differ by the samples that each has alone."""
    place, good = np.arange(400), noisy(0.2)
    masks = {"first": place < 200, "odd": place % 2 == 1, "third": place % 3 == 1}
    labelings = {name: np.where(masks[name], good, -1) for name in names}
    comparison = gpuval.compare(TRUE, labelings, VOICES, ignore_labels=-1, **LEVEL)
    assert len({f"{x['ami']:.3f}" for x in comparison.values()}) == len(names)
    both = "both" if len(names) == 2 else "two of them"
    said = f"These {len(names)} labelings have equal scores on the samples that {both} have."
    assert comparison.verdict.headline == said
    assert repr(comparison).splitlines()[-1] == "● best of the samples in common"
    assert any("need not have the highest score" in x.text for x in comparison.verdict.cautions)
    assert "in common" not in repr(gpuval.compare(TRUE, LABELINGS, VOICES, ignore_labels=-1, **LEVEL))


def test_ties_of_all_samples_are_not_said_to_be_of_some():
    """The third labeling ignores samples, but the first two are equal on all."""
    some = np.where(np.arange(400) < 300, noisy(0.4), -1)
    labelings = {"one": noisy(0.2), "same": 7 - noisy(0.2), "some": some}
    headline = verdict(labelings, ignore_labels=-1, **LEVEL).headline
    assert headline == "one is highest, however you count; same is equal to it by AMI, ARI and NCA."
    labelings["same"] = np.where(np.arange(400) < 300, 7 - noisy(0.2), -1)
    headline = verdict(labelings, ignore_labels=-1, **LEVEL).headline
    assert headline.endswith("same is equal to it by AMI, ARI and NCA, on the samples that both have.")


def test_no_more_than_chance():
    labelings = {name: np.random.default_rng(place).integers(0, 4, 400) for place, name in enumerate("ab")}
    found = verdict(labelings, **LEVEL)
    assert found.case == "chance"
    assert found.headline == "No labeling can be told apart from chance agreement with the true labels."


def test_all_and_tied():
    same = {"a": LABELINGS["good"], "b": 7 - LABELINGS["good"]}
    assert verdict(same, **LEVEL).headline == "These 2 labelings have equal scores."
    assert verdict(same).headline == "These 2 labelings have equal scores."
    near = LABELINGS["good"].copy()
    near[np.flatnonzero(near == TRUE)[:2]] += 10  # two samples less
    labelings = {"near": near, **LABELINGS}
    options = LEVEL | {"margin": 0}
    found = verdict(labelings, **options)
    sets = [set(gpuval.compare(TRUE, labelings, [x], **options).best[x].best_set) for x in VOICES]
    assert {"good", "near"} in sets
    assert found.case == ("tied" if {"good"} in sets else "several")


def test_a_comparison_without_truth():
    X = np.stack([TRUE + 0.0, TRUE**2], axis=1) + RANDOM.normal(size=(400, 2)) / 10
    found = gpuval.compare(None, {"true": TRUE, "poor": LABELINGS["poor"]}, X=X).verdict
    assert found.case == "internal"
    assert found.headline == "Highest silhouette: true; highest Calinski-Harabasz: true; lowest Davies-Bouldin: true."
    assert found.lead == "true"
    nothing = gpuval.compare(TRUE, LABELINGS, {"own": lambda table: 1.0}).verdict
    assert (nothing.case, nothing.lead, nothing.voices) == ("nothing", None, ())


def test_parts_of_samples_are_no_labelings():
    by = np.arange(400) % 2
    for found in (
        gpuval.compare(TRUE, LABELINGS, VOICES, by=by),
        gpuval.evaluate(TRUE, LABELINGS["good"], VOICES, by=by),
    ):
        with pytest.raises(
            AttributeError, match=r"^verdict must be of labelings, got a comparison of (labeling and )?by$"
        ):
            found.verdict


# Which measures are voices


@pytest.mark.parametrize(
    ("metrics", "expected"),
    [
        (None, KEYS[:2]),  # NCA is not among the usual ones
        ("all", KEYS),
        (["nmi", "ri", "vi", "acc"], ["normalized_mutual_info_score", "rand_score", "variation_of_information"]),
        (["homogeneity", "completeness", "purity", "ari"], KEYS[1:2]),
        (["homogeneity", "mi", "russell_rao_score"], []),
        (["entropy", "ami"], KEYS[:1]),
        ({"h": "homogeneity", "mine": "ari"}, ["mine"]),
        ({"homogeneity_score": "ari", "ari": "homogeneity"}, ["homogeneity_score"]),
    ],
)  # fmt: skip
@pytest.mark.parametrize("with_level", [False, True])
def test_the_voices(metrics, expected, with_level):
    options = LEVEL if with_level else {}
    comparison = gpuval.compare(TRUE, LABELINGS, **({} if metrics is None else {"metrics": metrics}), **options)
    found = comparison.verdict
    assert [x.name for x in found.voices] == expected
    assert found.case == ("nothing" if not expected else "clear")
    if isinstance(metrics, dict):
        (of,) = found.voices
        assert of.title in found.headline
        assert (of.title, of.counts, of.corrected) == (expected[0], "pair", True)
    again = Comparison(dict(comparison.items()), comparison.leads).verdict  # which does not know what was asked for
    if expected and len(expected) <= 2:
        assert [x.name for x in again.voices] == expected


def test_a_hand_made_comparison_claims_nothing_that_was_not_compared():
    of_each = {name: gpuval.evaluate(TRUE, x, VOICES, **LEVEL) for name, x in LABELINGS.items()}
    found = Comparison(of_each).verdict
    assert found.headline.startswith("good is highest, however you count: AMI ")
    assert not re.search("best|ahead|noise", repr(found))
    assert "≈" not in repr(Comparison(of_each))


def test_the_lead_is_the_best_by_the_leading_measure():
    """The order of the table's marks, of the verdict and of the best labelings is that of one measure, AMI first."""
    comparison = gpuval.compare(TRUE, LABELINGS, VOICES[::-1], **LEVEL)
    named = comparison.verdict
    assert [x.name for x in named.voices] == KEYS[::-1]  # those that were asked for, in their order
    usual = gpuval.compare(TRUE, LABELINGS, "all", **LEVEL)
    assert [x.name for x in usual.verdict.voices] == KEYS
    for found, comparison in ((named, comparison), (usual.verdict, usual)):
        assert found.lead == found.voices[0].best == comparison.best[found.voices[0].name].name
        for x in found.voices:
            best = comparison.best[x.name]
            assert (x.best, x.best_set) == (best.name, best.best_set)
            assert {name: -gap for name, gap in x.gaps.items()} == {
                name: float(gap.difference) for name, gap in best.gaps.items()
            }


def test_marks_are_those_of_the_table():
    labelings = {**LABELINGS, "near": noisy(0.21)}
    comparison = gpuval.compare(TRUE, labelings, VOICES, **LEVEL)
    html, found = Tables(comparison._repr_html_()), comparison.verdict
    for place, x in enumerate(found.voices):
        column = {row[0]: row[len(row) - 3 + place] for row in html.rows[1:]}
        for name, text in column.items():
            mark = x.mark(name).replace("▼", "")
            assert text.startswith(mark)
            assert ("●" in text or "≈" in text) == bool(mark)


# Scores of all libraries and kinds


def test_scores_of_torch_and_copies():
    wanted = verdict(**LEVEL)
    labelings = {name: torch.asarray(x) for name, x in LABELINGS.items()}
    comparison = gpuval.compare(torch.asarray(TRUE), labelings, VOICES, **LEVEL)
    for found in (comparison, copy.deepcopy(comparison), pickle.loads(pickle.dumps(comparison))):
        assert repr(found.verdict) == repr(wanted)
        for x, y in zip(found.verdict.voices, wanted.voices, strict=True):
            assert dict(x.scores) == pytest.approx(dict(y.scores), abs=1e-14)
            assert dict(x.gaps) == pytest.approx(dict(y.gaps), abs=1e-14)
        assert all(isinstance(x, float) for voice in found.verdict.voices for x in voice.scores.values())


def test_scores_that_are_not_known():
    nan = {"ami": math.nan, "ari": 0.5}
    found = Comparison({"a": Evaluation(nan), "b": Evaluation({"ami": 0.25, "ari": 0.1}), "c": Evaluation(nan)}).verdict
    assert [x.best for x in found.voices] == ["b", "a"]
    assert found.voices[0].gaps == {}
    assert found.case == "depends"
    unknown = {name: Evaluation({"ami": math.nan}) for name in "ab"}
    assert Comparison(unknown).verdict.case == "nothing"
    assert Comparison({"a": Evaluation({}), "b": Evaluation({})}).verdict.case == "nothing"
    assert Comparison({}).verdict.case == "nothing"
    one = verdict({"x": [0, 0]}, true=[0, 0], **LEVEL)
    assert one.case in ("one", "chance")


def test_without_a_value_yet():
    """Inside jax.jit and vmap there are no scores to compare: nothing is said, and nothing fails."""
    import jax

    said = []

    def score(true, pred):
        scores = gpuval.evaluate(true, pred, VOICES[:2], n_classes=5, n_clusters=5)
        said.append(Comparison({"a": scores, "b": scores}).verdict.case)
        return scores["ari"]

    jax.jit(score)(jax.numpy.asarray(TRUE), jax.numpy.asarray(TRUE))
    torch.func.vmap(score)(torch.asarray(TRUE)[None], torch.asarray(TRUE)[None])
    assert said == ["nothing", "nothing"]


def test_cautions_have_an_order():
    assert len(set(CAUTIONS)) == len(CAUTIONS)
    assert {x.about for x in verdict({"few": np.zeros(400, int), "x": TRUE}).cautions} <= set(CAUTIONS)
