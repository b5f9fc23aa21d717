"""Intervals in the everyday calls: beside the scores of evaluate and compare, for each value, and which is best."""

import copy
import functools
import importlib
import pickle
import subprocess
import sys

import numpy as np
import pytest
from backends import SIZE, N
from packages import pd

import gpuval
from gpuval import METRICS, Contingency, compare, evaluate
from gpuval.metrics.external import beta_entropies, element_centric, information, matching, overlap

RANDOM = np.random.default_rng(17)
TRUE = RANDOM.integers(0, 4, 90)
GOOD = np.where(RANDOM.random(90) < 0.7, TRUE, RANDOM.integers(0, 5, 90))
BAD = np.where(RANDOM.random(90) < 0.4, TRUE, RANDOM.integers(0, 3, 90))
BATCH = np.asarray(["b", "a", "c"])[RANDOM.integers(0, 3, 90)]
DONOR = RANDOM.integers(0, 8, 90)
NAMES = ["ari", "ami", "acc"]
DRAWN = {"n_resamples": 49, "random_state": 5}
OPTIONS = {"confidence_level": 0.9, **DRAWN}
FIELDS = ("score", "low", "high", "standard_error", "bias", "confidence_level", "method")


def numbers(estimate):
    return {name: x for name, x in estimate.to_dict().items() if name in FIELDS}


def left_out(score, n, groups=None):
    """The standard error by the definition of the jackknife: ``score`` of all samples but those of one unit."""
    units = np.arange(n) if groups is None else groups
    scores = np.asarray([score(units != unit) for unit in np.unique(units)])
    return np.sqrt((len(scores) - 1) / len(scores) * np.sum((scores - scores.mean()) ** 2))


# Beside the scores of evaluate


@pytest.mark.parametrize("with_groups", [False, True])
def test_intervals_are_those_of_jackknife_and_bootstrap(with_groups):
    groups = DONOR if with_groups else None
    found = evaluate(TRUE, GOOD, NAMES, groups=groups, **OPTIONS)
    assert found == evaluate(TRUE, GOOD, NAMES)
    exact = gpuval.jackknife(NAMES, TRUE, GOOD, groups=groups, confidence_level=0.9)
    drawn = exact if with_groups else gpuval.bootstrap(["ari"], TRUE, GOOD, **OPTIONS)  # groups are few
    assert numbers(found.intervals["ari"]) == numbers(drawn["ari"])
    assert numbers(found.intervals["acc"]) == numbers(exact["acc"])
    assert numbers(found.intervals["AMI"]) == numbers(exact["ami"])
    without = left_out(lambda kept: gpuval.adjusted_mutual_info_score(TRUE[kept], GOOD[kept]), 90, groups)
    assert found.intervals["ami"].standard_error == pytest.approx(without, rel=1e-9)


def test_measures_of_information_are_left_out_and_others_drawn():
    found = evaluate(TRUE, GOOD, "all", confidence_level=0.9, n_resamples=9)
    shifted = {*information.__all__, *beta_entropies.__all__}
    shifted |= {*overlap.__all__, *element_centric.__all__, *matching.__all__, "prediction_strength_score"}
    assert list(found.intervals) == list(found) == list(METRICS)
    assert {x for x in found if found.intervals[x].method == "jackknife"} == shifted & set(METRICS)
    assert {x.method for x in found.intervals.values()} == {"jackknife", "bca"}
    v2 = functools.partial(gpuval.v_measure_score, beta=2)
    mine = {"v2": v2, "f": lambda table: gpuval.v_measure_score(table)}
    methods = {name: x.method for name, x in evaluate(TRUE, GOOD, mine, **OPTIONS).intervals.items()}
    assert methods == {"v2": "jackknife", "f": "bca"}


def test_a_table_has_intervals_too():
    table = Contingency.from_labels(TRUE, GOOD)
    found = evaluate(table, metrics=NAMES, **OPTIONS)
    assert {x: numbers(y) for x, y in found.intervals.items()} == {
        x: numbers(y) for x, y in evaluate(TRUE, GOOD, NAMES, **OPTIONS).intervals.items()
    }


def test_every_backend_has_the_same_intervals(backend):
    random = np.random.default_rng(0)
    labels = random.integers(0, SIZE["n_classes"], N), random.integers(0, SIZE["n_clusters"], N)
    size = {} if backend.finds_sizes else SIZE
    here = [backend.array(x) for x in labels]
    options = {"rel": 1e-12} if backend.has_float64 else {"rel": 1e-5, "abs": 1e-6}
    found, expected = evaluate(*here, ["ari", "nmi"], **OPTIONS, **size), evaluate(*labels, ["ari", "nmi"], **OPTIONS)
    for name, estimate in expected.intervals.items():
        backend.assert_at_home(found[name], here[0])
        for field in ("score", "low", "high", "standard_error"):
            number = getattr(found.intervals[name], field)
            backend.assert_at_home(number, here[0])
            assert float(backend.numpy(number)) == pytest.approx(float(getattr(estimate, field)), **options)
    assert str(found) == str(expected)
    if backend.finds_sizes:
        batches, donors = (random.integers(0, n, N) for n in (2, 5))
        there = {"by": backend.array(batches), "groups": backend.array(donors)}
        of_both = compare(here[0], {"a": here[1], "b": here[0]}, ["ari"], **there, **OPTIONS)
        labelings = {"a": labels[1], "b": labels[0]}
        wanted = compare(labels[0], labelings, ["ari"], by=batches, groups=donors, **OPTIONS)
        backend.assert_at_home(of_both["a", 1]["ari"], here[0])
        backend.assert_at_home(of_both.best["ari", 0].difference.p_value, here[0])
        assert str(of_both) == str(wanted)
        assert str(of_both.best) == str(wanted.best)


def test_how_intervals_are_shown():
    def several(table):
        return table.total, np.asarray([1.0, 2.0])

    metrics = {"ari": "ari", ("a", 1): "nmi", "several": several}
    found = evaluate([0, 0, 0, 1, 1, 1, 2, 2], [0, 0, 0, 1, 1, 2, 2, 2], metrics, **OPTIONS)
    assert list(found.intervals) == ["ari", ("a", 1)]
    x, y = found.intervals["ari"], found.intervals["a", 1]
    low, high, error = (float(getattr(y, x)) for x in ("low", "high", "standard_error"))
    assert 0.1 < min(x.high - x.low, high - low) / 2 < 1  # so that there are 2 decimals
    assert str(found).splitlines() == [
        f"ari           {x.score:.2f} {x.low:.2f}–{x.high:.2f}",
        f"a, 1          {y.score:.2f} {low:.2f}–{high:.2f}",
        "several.0        8",
        "several.1  [1. 2.]",
    ]
    written = found.to_dict()
    assert list(written)[4:] == [
        ("a", 1),
        "('a', 1).low",
        "('a', 1).high",
        "('a', 1).standard_error",
        "several.0",
        "several.1",
    ]
    assert list(written.values())[4:8] == [float(found["a", 1]), low, high, error]
    frame = found.to_pandas()
    assert frame.columns.tolist() == ["score", "low", "high", "standard_error"]
    assert frame.index.tolist() == ["ari", ("a", 1), "several.0", "several.1"]
    assert frame.iloc[1].tolist() == [float(found["a", 1]), low, high, error]
    assert frame["low"].isna().tolist() == [False, False, True, True]
    assert frame["score"].iloc[3] == [1.0, 2.0]


def test_nothing_changes_without_a_level():
    found = evaluate(TRUE, GOOD, NAMES)
    assert found.intervals is None
    assert isinstance(found.to_pandas(), pd.Series)
    assert compare(TRUE, [GOOD, BAD], ["ari"]).best["ari"].difference is None
    program = "import sys, gpuval; gpuval.evaluate([0, 1], [0, 1]); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    assert not [x for x in loaded if x.startswith(("gpuval.table.resampling", "gpuval.inference.estimation"))]


def test_classes_without_samples_change_no_interval():
    """A class that no sample has could not lose one: there was a warning of a root of a negative number."""
    table = Contingency.from_labels(TRUE, GOOD, n_classes=6, n_clusters=7)
    expected = gpuval.jackknife(["ami", "emi"], TRUE, GOOD)
    for name, estimate in gpuval.jackknife(["ami", "emi"], table).items():
        assert estimate.standard_error == pytest.approx(float(expected[name].standard_error), rel=1e-12)


# For each value of by


@pytest.mark.parametrize("level", [None, 0.9])
def test_each_value_is_evaluated_by_itself(level):
    options = {"confidence_level": level, **DRAWN}
    weights = RANDOM.integers(1, 3, 90)
    found = evaluate(TRUE, GOOD, NAMES, by=BATCH, ignore_labels=[3], sample_weight=weights, **options)
    assert isinstance(found, gpuval.Comparison)
    assert found.best == {}  # the values are parts of the samples, of which none is the best labeling
    assert list(found) == ["a", "b", "c"]
    for value, scores in found.items():
        here = value == BATCH
        alone = evaluate(TRUE[here], GOOD[here], NAMES, ignore_labels=[3], sample_weight=weights[here], **options)
        assert scores.to_dict() == pytest.approx(alone.to_dict(), abs=1e-14)
        assert (scores.intervals is None) == (level is None)


def test_groups_within_each_value():
    found = evaluate(TRUE, GOOD, ["ari", "nmi"], by=BATCH, groups=DONOR, **OPTIONS)
    for value, scores in found.items():
        here = value == BATCH
        alone = evaluate(TRUE[here], GOOD[here], ["ari", "nmi"], groups=DONOR[here], **OPTIONS)
        assert scores.to_dict() == pytest.approx(alone.to_dict(), abs=1e-14)


LACKS_GROUPS = "^groups must have at least two values for an interval, which is NaN where by is "


def test_a_value_of_one_group_has_no_interval_and_a_warning_says_why():
    with pytest.warns(UserWarning, match=f"{LACKS_GROUPS}'a'; 'b'; 'c'$") as told:
        found = evaluate(TRUE, GOOD, ["ari", "nmi"], by=BATCH, groups=BATCH, **OPTIONS)
    assert [x.filename for x in told] == [__file__]
    for value, scores in found.items():
        assert scores["ari"] == pytest.approx(gpuval.adjusted_rand_score(TRUE[value == BATCH], GOOD[value == BATCH]))
        assert np.isnan([scores.intervals[x].low for x in ("ari", "nmi")]).all()


def test_the_values_of_one_group_are_named_and_the_others_have_intervals():
    """One batch of a single donor does not end an evaluation of many."""
    donor = np.where(BATCH == "a", 3, DONOR)
    some = np.where((BATCH == "b") & (donor != 5), -1, GOOD)
    with pytest.warns(UserWarning, match=f"{LACKS_GROUPS}'a'; 'b' for 'some'$"):
        found = compare(
            TRUE, {"good": GOOD, "some": some}, ["ari"], by=BATCH, groups=donor, ignore_labels=-1, **OPTIONS
        )
    lacking = [key for key, scores in found.items() if np.isnan(scores.intervals["ari"].low)]
    assert lacking == [("good", "a"), ("some", "a"), ("some", "b")]
    with pytest.raises(ValueError, match="groups must have at least two values, got 1"):
        evaluate(TRUE, GOOD, ["ari"], groups=np.zeros(90), by=BATCH, **OPTIONS)


def test_a_warning_names_no_more_than_some_values():
    by = np.arange(90) % 30
    with pytest.warns(UserWarning, match="by is 0; 1; 2; 3; 4; 5; 6; 7; 8; 9; and 20 more$"):
        evaluate(TRUE, GOOD, ["ari"], by=by, groups=by, **OPTIONS)


LACKS_SAMPLES = "^by has values without samples that count, which have no scores: "


@pytest.mark.parametrize("level", [None, 0.9])
def test_values_without_samples_that_count_are_told(level):
    labels = np.where(BATCH == "b", -1, GOOD)
    options = {"ignore_labels": -1, "confidence_level": level, **DRAWN}
    with pytest.warns(UserWarning, match=f"{LACKS_SAMPLES}'b'$") as told:
        assert list(evaluate(TRUE, labels, ["ari"], by=BATCH, **options)) == ["a", "c"]
    assert [x.filename for x in told] == [__file__]
    with pytest.warns(UserWarning, match=f"{LACKS_SAMPLES}'b' for 'some'$"):
        found = compare(TRUE, {"good": GOOD, "some": labels}, ["ari"], by=BATCH, **options)
    assert len(found) == 5
    with pytest.warns(UserWarning, match=f"{LACKS_SAMPLES}'c'$"):
        found = evaluate(TRUE, GOOD, ["ari"], by=BATCH, sample_weight=(BATCH != "c").astype(int), **options)
    assert list(found) == ["a", "b"]


@pytest.mark.parametrize("library", ["numpy", "torch"])
def test_values_of_any_type_and_functions_of_any_result(library):
    module = importlib.import_module(library)
    true, pred = map(module.asarray, (np.where(np.arange(90) % 2, TRUE + 5, TRUE), GOOD))  # no label is in both values
    metrics = [gpuval.cluster_f_score, gpuval.homogeneity_completeness_v_measure, gpuval.match_labels]
    for by, values in (
        ([10.0, 2.0] * 45, [2, 10]),
        (["2", "10"] * 45, ["10", "2"]),
        ([True, False] * 45, [False, True]),
    ):
        found = evaluate(true, pred, [*metrics, lambda table: table.n_clusters], by=by)
        assert list(found) == values
        assert {type(value) for value in found} == {type(values[0])}
        for value, scores in found.items():
            here = np.asarray(by) == value
            alone = evaluate(true[here], pred[here], [*metrics, lambda table: table.n_clusters])
            assert scores == alone
            number = type(alone["cluster_f_score"].scores[0])
            assert type(scores["cluster_f_score"]) is type(alone["cluster_f_score"])
            assert isinstance(scores["homogeneity_completeness_v_measure"].v_measure, number)


@pytest.mark.parametrize(
    "given",
    [
        np.asarray,
        lambda x: pd.Series(x),
        lambda x: pd.array(x, dtype="boolean"),
        lambda x: pd.Series(x, dtype="category"),
    ],
    ids=["numpy", "series", "nullable", "categories"],
)
def test_booleans_stay_booleans(given):
    found = compare(TRUE, {"good": GOOD, "bad": BAD}, ["ari"], by=given([True, False] * 45), **OPTIONS)
    assert [str(x) for x in found] == [f"('{name}', {value})" for name in ("good", "bad") for value in (False, True)]
    assert [value for _, value in found.best] == [False, True]
    assert [type(value) for _, value in found.best] == [bool, bool]


@pytest.mark.parametrize("ordered", [True, False])
def test_values_are_in_the_order_of_their_categories(ordered):
    """That of Leiden's clusters is "2", "10", and that of days is not that of their names."""
    by = pd.Series(pd.Categorical(BATCH, categories=["c", "none", "a", "b"], ordered=ordered))
    X = RANDOM.normal(size=(90, 2))
    assert list(evaluate(TRUE, GOOD, ["ari"], by=by)) == ["c", "a", "b"]
    assert list(evaluate(TRUE, GOOD, ["ari", "ch"], by=by, X=X)) == ["c", "a", "b"]
    assert list(evaluate(None, GOOD, ["ch"], by=by, X=X)) == ["c", "a", "b"]
    found = compare(TRUE, {"good": GOOD, "bad": BAD}, ["ari"], by=by, **OPTIONS)
    assert list(found) == [(name, value) for name in ("good", "bad") for value in "cab"]
    assert [value for _, value in found.best] == ["c", "a", "b"]


def test_other_values_are_sorted():
    assert list(evaluate(TRUE, GOOD, ["ari"], by=BATCH)) == ["a", "b", "c"]
    assert list(evaluate(TRUE, GOOD, ["ari"], by=[10, 2, -1] * 30)) == [-1, 2, 10]
    without_order = np.asarray([1, "a"] * 45, dtype=object)
    assert list(evaluate(TRUE, GOOD, ["ari"], by=without_order)) == [1, "a"]


# Which labeling is best


def test_intervals_of_a_comparison():
    labelings = {"good": GOOD, "bad": BAD}
    found = compare(TRUE, labelings, NAMES, **OPTIONS)
    for name, pred in labelings.items():
        alone = evaluate(TRUE, pred, NAMES, **OPTIONS)
        assert found[name] == alone
        assert found[name].to_dict() == alone.to_dict()
    about, header, *rows, note = str(found).splitlines()
    assert about == "2 labelings: 90 samples, 4 classes, 90\N{NO-BREAK SPACE}% intervals"
    assert header.split() == ["clusters", "ARI", "AMI", "acc."]
    assert note == "● highest"
    estimates = [x for scores in found.values() for x in scores.intervals.values()]
    assert 0.1 < np.median([(x.high - x.low) / 2 for x in estimates]) < 1  # so that there are two decimals
    for row, (labeling, scores) in zip(rows, found.items(), strict=True):
        name, n_clusters, *texts = row.replace(" ●", "").split()
        assert (name, int(n_clusters)) == (labeling, len(set(labelings[name])))
        expected = [(f"{x.score:.2f}", f"{x.low:.2f}–{x.high:.2f}") for x in scores.intervals.values()]
        assert texts == [text for both in expected for text in both]
    frame = found.to_pandas()
    assert frame.columns.tolist() == [f"{x}{y}" for x in found["good"] for y in ("", ".low", ".high")]
    assert frame.loc["bad", "adjusted_mutual_info_score.high"] == found["bad"].intervals["ami"].high


@pytest.mark.parametrize("with_level", [False, True])
def test_the_best_is_known_without_an_interval(with_level):
    options = OPTIONS if with_level else {}
    labelings = {"bad": BAD, "good": GOOD}
    found = compare(TRUE, labelings, ["ari", "vi", "entropy", "purity"], **options).best
    assert list(found) == ["adjusted_rand_score", "variation_of_information", "purity_score"]
    assert (found["ari"].name, found["vi"].name) == ("good", "good")
    assert found["ari"].score == gpuval.adjusted_rand_score(TRUE, GOOD)
    assert (found["ari"].direction, found["vi"].direction) == ("higher", "lower")
    assert (found["vi"].next, found["vi"].difference is None) == (("bad", False) if with_level else (None, True))
    assert not (found["ari"].is_ahead and not with_level)
    with pytest.raises(KeyError, match="entropy"):  # of which none is better
        found["entropy"]
    assert found["ari"].to_dict()["score"] == float(found["ari"].score)
    assert found.to_pandas()["best"].tolist() == [x.name for x in found.values()]


def test_the_best_of_each_value_of_equal_ones_and_of_one():
    labelings = {"bad": BAD, "good": GOOD, "twin": 7 - GOOD}
    found = compare(TRUE, labelings, ["ari"])
    score = f"{found['good']['ari']:.3f}"
    assert (found.best["ari"].name, found.best["ari"].as_good) == ("good", ("twin",))
    assert str(found.best["ari"]) == f"good ({score}) is as good as twin"
    assert str(compare(TRUE, {"bad": BAD, "good": GOOD}, ["ari"]).best["ari"]) == f"good ({score}) is the highest"
    apart = compare(TRUE, labelings, ["ari"], by=BATCH).best
    assert list(apart) == [("adjusted_rand_score", value) for value in "abc"]
    for value in "abc":
        here = value == BATCH
        scores = {name: gpuval.adjusted_rand_score(TRUE[here], x[here]) for name, x in labelings.items()}
        best = apart["ari", value]
        assert float(scores[best.name]) == pytest.approx(max(map(float, scores.values())), abs=1e-14)
    assert compare(TRUE, [GOOD], ["ari"]).best == {}
    X = RANDOM.normal(size=(90, 2))
    assert list(compare(None, labelings, ["ch", "db"], X=X).best) == ["calinski_harabasz_score", "davies_bouldin_score"]


def test_best_labelings_are_sentences():
    found = compare(TRUE, {"bad": BAD, "good": GOOD, "twin": 7 - GOOD}, ["vi", "ari", "entropy"], **OPTIONS)
    assert list(found.best) == ["variation_of_information", "adjusted_rand_score"]
    score = f"{found['good']['ari']:.3f}"
    assert str(found.best["ari"]) == f"good ({score}) is as good as twin ({score})"
    assert found.best["ari"].difference.p_value == 1
    x = compare(TRUE, {"bad": BAD, "good": GOOD}, ["vi"], **OPTIONS).best["vi"]
    y = x.difference
    first = f"good ({y.first:.3f}) is ahead of bad ({y.second:.3f}) by {y.second - y.first:.3f}"
    assert str(x).startswith(f"{first} [{-y.high:.3f}, {-y.low:.3f}], p ")
    other = np.where(np.arange(90) == 1, 2, BAD)  # but for one sample the same
    near = compare(TRUE, {"one": BAD, "other": other}, ["ari"], confidence_level=0.99).best
    assert not near["ari"].is_ahead
    assert near["ari"].sentence().endswith(": no more than noise")
    assert str(near["ari"]).split() == near["ari"].sentence().split()
    assert str(found.best).splitlines()[1] == f"adjusted_rand_score       {found.best['ari']}"
    assert str(gpuval.BestLabelings({})) == "BestLabelings({})"
    frame = found.best.to_pandas()
    assert frame.index.tolist() == list(found.best)
    assert frame.loc["adjusted_rand_score", ["best", "next", "p_value"]].tolist() == ["good", "twin", 1.0]


def test_what_has_no_best():
    assert compare(TRUE, {"one": GOOD}, **OPTIONS).best == {}
    mine = {"f": lambda table: table.n_clusters, "several": gpuval.cluster_f_score, "h": "entropy"}
    assert dict(compare(TRUE, {"a": GOOD, "b": BAD}, mine, **OPTIONS).best) == {}
    named = {"MINE": "ari", "F": functools.partial(gpuval.pair_f_score, beta=2)}
    assert list(compare(TRUE, {"a": GOOD, "b": BAD}, named, **OPTIONS).best) == ["MINE", "F"]


def test_samples_that_are_ignored_in_one_are_ignored_in_both():
    good, bad = GOOD.copy(), BAD.copy()
    good[:10], bad[5:20] = -1, -1
    found = compare(TRUE, {"bad": bad, "good": good}, ["ari"], ignore_labels=-1, **OPTIONS)
    assert found["good"]["ari"] == gpuval.adjusted_rand_score(TRUE[10:], GOOD[10:])
    in_both = TRUE[20:], GOOD[20:], BAD[20:]
    difference = found.best["ari"].difference
    assert difference.first == pytest.approx(gpuval.adjusted_rand_score(*in_both[:2]), abs=1e-15)
    assert difference.second == pytest.approx(gpuval.adjusted_rand_score(in_both[0], in_both[2]), abs=1e-15)


@pytest.mark.parametrize("metric", ["ari", "vi"])
def test_the_best_is_the_better_one_of_the_samples_that_both_have(metric):
    """Of all its samples the first labeling is better; of those that the second has, too, the second is perfect."""
    is_in_both = np.arange(90) < 30
    first = np.where(is_in_both, TRUE, -1)
    first[:5] = (TRUE[:5] + 1) % 4
    second = np.where(is_in_both, TRUE, (TRUE + np.arange(90)) % 4)
    found = compare(TRUE, {"p": first, "q": second}, [metric], ignore_labels=-1, **OPTIONS)
    sign = -1 if metric == "vi" else 1
    assert sign * (found["p"][metric] - found["q"][metric]) > 0
    best = found.best[metric]
    assert (best.name, best.next) == ("q", "p")
    score = float(METRICS[next(iter(found["p"]))](TRUE[:30], first[:30]))
    perfect = 0.0 if metric == "vi" else 1.0
    assert best.difference.first == pytest.approx(perfect, abs=1e-15)
    assert best.difference.difference == pytest.approx(perfect - score, abs=1e-15)
    assert best.difference.better == "first"
    assert best.is_ahead
    ahead = f"q ({perfect:.3f}) is ahead of p ({score:.3f}) by {abs(perfect - score):.3f} ["
    assert str(best).startswith(ahead)


def test_of_one_group_it_is_not_known_which_is_best():
    with pytest.warns(UserWarning, match=LACKS_GROUPS):
        found = compare(TRUE, {"bad": BAD, "good": GOOD}, ["ari", "vi"], by=BATCH, groups=BATCH, **OPTIONS)
    for (metric, value), best in found.best.items():
        assert np.isnan(best.difference.p_value)
        assert not best.is_ahead
        scores = [f"{name} ({found[name, value][metric]:.3f})" for name in (best.name, best.next)]
        distance = abs(found["good", value][metric] - found["bad", value][metric])
        ahead = f"{scores[0]} is ahead of {scores[1]} by {distance:.3f}"
        assert best.sentence() == f"{ahead}: whether that is more than noise is not known"


def test_a_score_that_is_not_known_for_the_samples_of_both_is_not_ahead():
    """The standardized Rand score is not defined where the samples of both are of one class."""
    places = np.arange(90)
    truth = np.where(places < 20, 0, TRUE)
    labelings = {"p": np.where(places < 60, GOOD, -1), "q": np.where((places < 20) | (places >= 60), BAD, -1)}
    found = compare(truth, labelings, ["standardized_rand_score"], ignore_labels=-1, **OPTIONS)
    best = found.best["standardized_rand_score"]
    assert not best.is_ahead
    assert str(best) == f"whether {best.name} (nan) is ahead of {best.next} (nan) is not known"


@pytest.mark.parametrize("kind", ["labels", "weights"])
def test_two_labelings_of_no_common_sample_have_no_best(kind):
    places = np.arange(90)
    end = 45 if kind == "labels" else 50  # with samples that both have, but that weigh nothing
    labelings = {"p": np.where(places < end, GOOD, -1), "q": np.where(places >= 45, BAD, -1)}
    weights = None if kind == "labels" else np.where((places < 45) | (places >= 50), 1, 0)
    found = compare(TRUE, labelings, ["ari"], ignore_labels=-1, sample_weight=weights, **OPTIONS)
    assert list(found) == ["p", "q"]
    assert dict(found.best) == {}
    assert found["p"]["ari"] == gpuval.adjusted_rand_score(TRUE[:45], GOOD[:45])
    assert found["q"]["ari"] == gpuval.adjusted_rand_score(TRUE[end:], BAD[end:])


def test_of_one_common_group_it_is_not_known_which_is_best():
    places = np.arange(90)
    labelings = {"p": np.where(places < 60, GOOD, -1), "q": np.where(places >= 30, BAD, -1)}
    found = compare(TRUE, labelings, ["ari"], ignore_labels=-1, groups=places // 30, **OPTIONS)
    difference = found.best["ari"].difference
    both = slice(30, 60)
    of_both = [gpuval.adjusted_rand_score(TRUE[both], x[both]) for x in (GOOD, BAD)]
    assert abs(difference.difference) == pytest.approx(abs(of_both[0] - of_both[1]), abs=1e-15)
    assert np.isnan(difference.p_value)


def test_the_best_for_each_value():
    labelings = {"good": GOOD, "bad": BAD}
    found = compare(TRUE, labelings, ["ari", "vi"], by=BATCH, **OPTIONS)
    assert list(found) == [(name, value) for name in labelings for value in "abc"]
    assert list(found.best) == [
        (name, value) for name in ("adjusted_rand_score", "variation_of_information") for value in "abc"
    ]
    for value in "abc":
        here = value == BATCH
        alone = compare(TRUE[here], {"good": GOOD[here], "bad": BAD[here]}, ["ari", "vi"], **OPTIONS)
        for name in labelings:
            assert found[name, value].to_dict() == pytest.approx(alone[name].to_dict(), abs=1e-14)
        for metric in ("ari", "vi"):
            assert str(found.best[metric, value]) == str(alone.best[metric])
    assert found.to_pandas().index.nlevels == 2
    assert found.to_pandas().loc[("bad", "c"), "adjusted_rand_score.low"] == found["bad", "c"].intervals["ari"].low
    assert found.best.to_pandas().index.nlevels == 2
    without = compare(TRUE, labelings, ["ari"], by=BATCH)
    assert {key: x.name for key, x in without.best.items()} == {
        key: x.name for key, x in found.best.items() if key[0] == "adjusted_rand_score"
    }
    assert {name: x["ari"] for name, x in without.items()} == {name: x["ari"] for name, x in found.items()}


# Copies and trees


def test_copies_have_intervals():
    comparison = compare(TRUE, {"good": GOOD, "bad": BAD}, NAMES, **OPTIONS)
    for found in (comparison, comparison["good"]):
        for copied in (pickle.loads(pickle.dumps(found)), copy.deepcopy(found), copy.copy(found)):
            assert copied == found
            assert str(copied) == str(found)
    assert str(pickle.loads(pickle.dumps(comparison)).best) == str(comparison.best)
    assert comparison == compare(TRUE, {"good": GOOD, "bad": BAD}, NAMES)


def test_trees_are_of_scores():
    import jax
    import torch

    for library, tree_map in ((torch, torch.utils._pytree.tree_map), (jax.numpy, jax.tree.map)):
        labels = map(library.asarray, (TRUE, GOOD))
        found = evaluate(*labels, NAMES, **OPTIONS)
        same = tree_map(lambda x: x, found)
        assert same == found
        assert same.intervals is None
        assert tree_map(lambda x: 2 * x, found)["ari"] == 2 * found["ari"]


# What is refused

TABLE = Contingency.from_labels(TRUE, GOOD)
WRONG = {
    "level of percents": ({"confidence_level": 95}, ValueError, "confidence_level must be between 0 and 1, got 95"),
    "level of text": ({"confidence_level": "0.9"}, TypeError, "confidence_level must be a number, got '0.9'"),
    "groups alone": ({"groups": DONOR}, TypeError, "groups must be given with confidence_level"),
    "no resamples": (OPTIONS | {"n_resamples": 0}, ValueError, "n_resamples must be at least 1, got 0"),
    "half a resample": (OPTIONS | {"n_resamples": 9.5}, TypeError, "n_resamples must be an integer, got 9.5"),
    "no seed": (
        OPTIONS | {"random_state": "a"},
        TypeError,
        "random_state must be a seed or a generator of NumPy, got 'a'",
    ),
    "one group": (OPTIONS | {"groups": np.zeros(90)}, ValueError, "groups must have at least two values, got 1"),
    "short by": ({"by": BATCH[:5]}, ValueError, r"by must have as many samples as labels_true \(90\), got 5"),
    "missing by": (
        {"by": [None, *BATCH[1:]]},
        ValueError,
        r"by must not have missing labels \(NaN, None\), got 1 of 90",
    ),
    "missing group": (OPTIONS | {"groups": [np.nan, *DONOR[1:]]}, ValueError, "groups must not have missing labels"),
    "size": ({"by": BATCH, "n_classes": 4}, TypeError, "n_classes= and n_clusters= cannot be given with by="),
    "fractions": (OPTIONS | {"sample_weight": np.full(90, 0.5)}, ValueError, "an interval needs a table of counts"),
    "fractions by": ({"by": BATCH, "sample_weight": np.full(90, 0.5)}, ValueError, "sample_weight must count samples"),
}


@pytest.mark.parametrize("name", WRONG)
def test_bad_input(name):
    options, error, message = WRONG[name]
    with pytest.raises(error, match=message):
        evaluate(TRUE, GOOD, ["ari"], **options)
    with pytest.raises(error, match=message):
        compare(TRUE, [GOOD, BAD], ["ari"], **options)


def test_bad_tables():
    with pytest.raises(TypeError, match="by must be given with labels, got a table, which does not know them"):
        evaluate(TABLE, by=BATCH)
    with pytest.raises(TypeError, match="groups must be given with labels, got a table, which does not know them"):
        evaluate(TABLE, groups=DONOR, **OPTIONS)
    with pytest.raises(TypeError, match="n_classes= and n_clusters= cannot be given with confidence_level="):
        compare(TRUE, [GOOD, BAD], n_classes=4, n_clusters=5, **OPTIONS)
    with pytest.raises(TypeError, match="labels_pred must be one vector of labels"):
        evaluate(TRUE, [GOOD, BAD], by=BATCH)


def test_labels_of_dask():
    from dask import array

    true, pred = array.asarray(TRUE), array.asarray(GOOD)
    assert str(evaluate(true, pred, NAMES, **OPTIONS)) == str(evaluate(TRUE, GOOD, NAMES, **OPTIONS))
    with pytest.raises(TypeError, match=r"with by labels must be in memory, got Array; compute\(\) them"):
        evaluate(true, pred, by=BATCH)
    with pytest.raises(TypeError, match="with confidence_level labels must be in memory"):
        compare(true, [pred], **OPTIONS)


@pytest.mark.parametrize("measure", ["nca", "acc", "psi"])
def test_intervals_of_matchings_have_their_score_where_labels_are_random(measure):
    """There a drawn table is matched better than the table that it is drawn from: so these intervals draw nothing."""
    random = np.random.default_rng(0)
    found = evaluate(random.integers(0, 10, 700), random.integers(0, 10, 700), [measure], confidence_level=0.95)
    x = found.intervals[measure]
    assert x.method == "jackknife"
    assert x.low <= x.score <= x.high
    drawn = gpuval.bootstrap(measure, random.integers(0, 10, 700), random.integers(0, 10, 700), random_state=0)
    assert drawn.replicates.mean() > drawn.score
