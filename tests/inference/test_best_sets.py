"""Which labelings are not told apart from the best one: by the definition, in every order, and never against marks."""

import functools

import numpy as np
import pytest
from scipy import stats

import gpuval
from gpuval import compare
from gpuval.inference import best as implementation

RANDOM = np.random.default_rng(3)
N = 80
TRUE = RANDOM.integers(0, 4, N)
DONOR = RANDOM.integers(0, 9, N)
BATCH = np.asarray(["b", "a"])[RANDOM.integers(0, 2, N)]
LABELINGS = {
    name: np.where(RANDOM.random(N) < share, TRUE, RANDOM.integers(0, 5, N))
    for name, share in {"half": 0.5, "good": 0.9, "near": 0.8, "poor": 0.25, "fair": 0.65}.items()
}
LOWER = {"vi"}
RANGE = {"ari": 1.5, "acc": 1.0, "nca": 1.0}
"""How far two scores may be apart at most; nothing is known of others."""
SCORES = {
    "ari": gpuval.adjusted_rand_score,
    "ami": gpuval.adjusted_mutual_info_score,
    "nca": gpuval.METRICS["normalized_clustering_accuracy"],
    "acc": gpuval.clustering_accuracy,
    "vi": gpuval.variation_of_information,
}


def alone(metric, true, first, other, groups):
    """The difference of two labelings, its standard error and its degrees of freedom, by the definition."""
    score = SCORES[metric]

    def difference(kept):
        return float(score(true[kept], first[kept])) - float(score(true[kept], other[kept]))

    units = np.arange(len(true)) if groups is None else groups
    without = np.asarray([difference(units != unit) for unit in np.unique(units)])
    d, n = without - without.mean(), len(without)
    n_like = n if groups is not None else max(2, np.abs(d).sum() ** 2 / (d**2).sum())
    return difference(units >= 0), np.sqrt((n - 1) / n * (d**2).sum()), n_like - 1


def pairs_of(n_labelings):
    return n_labelings * (n_labelings - 1) // 2


def by_definition(metric, true, labelings, level, groups=None):
    """The best labeling, and for each other the difference, both ends of its interval, and its p-value.

    The k-th smallest of the p-values stands for all pairs of the labelings that are as good as the best, if k - 1 are
    told apart from it: (L - k + 1) (L - k) / 2. None is smaller than one before it.
    """
    sign = -1 if metric in LOWER else 1
    first = max(labelings, key=lambda name: sign * float(SCORES[metric](true, labelings[name])))
    others = [name for name in labelings if name != first]
    found = {name: alone(metric, true, labelings[first], labelings[name], groups) for name in others}
    raw = {name: 2 * stats.t.sf(abs(x) / error, df) for name, (x, error, df) in found.items()}
    rising = sorted(others, key=raw.get)
    times = [pairs_of(len(labelings) - rank) for rank in range(len(others))]
    adjusted = np.maximum.accumulate([min(1, n * raw[name]) for n, name in zip(times, rising, strict=True)])
    p_values = dict(zip(rising, adjusted, strict=True))
    rows = {}
    for name, (x, error, df) in found.items():
        half = stats.t.ppf(1 - (1 - level) / 2 / pairs_of(len(labelings)), df) * error
        widest = RANGE.get(metric, np.inf)
        low, high = max(x - half, -widest), min(x + half, widest)
        if p_values[name] <= 1 - level:  # told apart: the interval has no other sign
            low, high = (max(low, 0), high) if x > 0 else (low, min(high, 0))
        rows[name] = (x, low, high, p_values[name])
    return first, rows


def check(metric, groups, level=0.95):
    best = compare(TRUE, LABELINGS, [metric], confidence_level=level, groups=groups, margin=0).best[metric]
    first, rows = by_definition(metric, TRUE, LABELINGS, level, groups)
    assert best.name == first
    assert set(best.gaps) == set(rows)
    for name, expected in rows.items():
        x = best.gaps[name]
        assert [x.difference, x.low, x.high, x.p_value] == pytest.approx(expected, rel=1e-7, abs=1e-12)
    assert best.best_set == (first, *(name for name in best.gaps if rows[name][3] > 1 - level))
    return best


@pytest.mark.parametrize("with_groups", [False, True])
@pytest.mark.parametrize("metric", SCORES)
def test_gaps_by_the_definition(metric, with_groups):
    best = check(metric, DONOR if with_groups else None)
    assert 1 < len(best.best_set) < len(LABELINGS)  # both kinds are there
    scores = [float(SCORES[metric](TRUE, LABELINGS[name])) for name in (best.name, *best.gaps)]
    assert scores == sorted(scores, reverse=metric not in LOWER)  # the second best first
    assert best.next == next(iter(best.gaps))
    assert best.difference is best.gaps[best.next]


def test_other_p_values_are_seen(monkeypatch):
    """Of the L - 1 comparisons alone, as Holm's method would have it of a labeling that was chosen before."""
    right = implementation.tell_apart

    def of_fewer(differences, direction, level, n_labelings):
        return right(differences, direction, level, n_labelings - 1)

    monkeypatch.setattr(implementation, "tell_apart", of_fewer)
    with pytest.raises(AssertionError):
        check("ari", None)


@pytest.mark.parametrize("metric", SCORES)
def test_two_labelings_are_as_compare_scores_has_them(metric):
    two = {name: LABELINGS[name] for name in ("half", "good")}
    best = compare(TRUE, two, [metric], confidence_level=0.9).best[metric]
    alone = gpuval.compare_scores(TRUE, two["good"], two["half"], metric, method="jackknife", confidence_level=0.9)
    assert best.name == "good"
    assert best.gaps["half"].to_dict() == alone.to_dict()


def labelings_of_seed(seed):
    random = np.random.default_rng(seed)
    true = random.integers(0, 3, 60)
    shares = (0.2, 0.3, 0.45, 0.6)
    return true, {x: np.where(random.random(60) < x, random.integers(0, 3, 60), true) for x in shares}


def check_no_contradiction():
    seen = set()
    for seed in range(25):
        true, labelings = labelings_of_seed(seed)
        for metric in ("ari", "vi"):
            best = compare(true, labelings, [metric], confidence_level=0.95, n_resamples=1, margin=0).best[metric]
            for name, x in best.gaps.items():
                is_apart = name not in best.best_set
                assert is_apart == (x.low >= 0 or x.high <= 0) == (x.p_value <= 0.05) == (x.better == "first")
                assert x.low <= x.difference <= x.high
                seen.add((is_apart, x.low == 0 or x.high == 0))
    return seen


def test_no_interval_contradicts_a_mark():
    """What is told apart has an interval that ends at 0 at most, and only that; some do end there."""
    assert check_no_contradiction() == {(True, True), (True, False), (False, False)}


def test_a_contradiction_is_seen(monkeypatch):
    def as_it_is(x, p_value, direction, *, is_apart):
        return implementation.replace(x, p_value=p_value, better="first" if is_apart else "")

    monkeypatch.setattr(implementation, "_with_p_value", as_it_is)
    with pytest.raises(AssertionError):
        check_no_contradiction()


# The margin


def test_differences_below_the_margin_do_not_matter():
    true = np.repeat([0, 1], 2000)
    first, second = true.copy(), true.copy()
    first[:2], second[:10] = 1, 1  # accuracies of 3998 and of 3990 of 4000
    best = {}
    for margin in (0, 0.0019, 0.0021):
        found = compare(true, {"b": second, "a": first}, ["acc"], confidence_level=0.95, n_resamples=9, margin=margin)
        best[margin] = found.best["acc"]
        assert best[margin].margin == margin
        assert best[margin].gaps["b"].difference == pytest.approx(0.002)
        assert best[margin].gaps["b"].p_value < 0.01
        assert best[margin].gaps["b"].better == "first"  # it is no noise
    assert [x.best_set for x in best.values()] == [("a",), ("a",), ("a", "b")]
    assert [x.is_ahead for x in best.values()] == [True, True, False]
    assert str(best[0.0021]).replace("\n", " ").endswith(": less than 0.0021, which does not matter")
    default = compare(true, {"b": second, "a": first}, ["acc"], confidence_level=0.95, n_resamples=9)
    assert default.best["acc"].margin == 0.005


@pytest.mark.parametrize(
    ("margin", "error", "message"),
    [
        (-0.1, ValueError, "margin must be finite and not negative, got -0.1"),
        (float("inf"), ValueError, "margin must be finite and not negative, got inf"),
        (float("nan"), ValueError, "margin must be finite and not negative, got nan"),
        ("0.1", TypeError, "margin must be a number, got '0.1'"),
        (None, TypeError, "margin must be a number, got None"),
    ],
)
def test_bad_margins(margin, error, message):
    with pytest.raises(error, match=f"^{message}"):
        compare(TRUE, LABELINGS, ["ari"], confidence_level=0.9, margin=margin)


# Samples that only some labelings have


@pytest.mark.parametrize("metric", ["ari", "vi"])
def test_the_first_is_that_of_the_samples_that_both_have(metric):
    """By its own samples p is the best; of those that both have, q is perfect."""
    is_in_both = np.arange(N) < 30
    p = np.where(is_in_both, TRUE, -1)
    p[:5] = (TRUE[:5] + 1) % 4
    q = np.where(is_in_both, TRUE, (TRUE + np.arange(N) // 4 % 2) % 4)  # half of the others are wrong
    r = np.where(is_in_both, np.arange(N), -1)
    found = compare(TRUE, {"p": p, "q": q, "r": r}, [metric], ignore_labels=-1, confidence_level=0.9)
    sign = -1 if metric == "vi" else 1
    assert sign * (found["p"][metric] - found["q"][metric]) > 0
    best = found.best[metric]
    assert best.name == "q"
    assert list(best.gaps) == ["p", "r"]
    score = SCORES[metric]
    for name, labels in {"p": p, "r": r}.items():
        expected = float(score(TRUE[:30], q[:30])) - float(score(TRUE[:30], labels[:30]))
        assert best.gaps[name].difference == pytest.approx(expected, abs=1e-14)


def test_what_has_no_sample_in_common_with_the_first_is_not_in_the_set():
    places = np.arange(N)
    labelings = {
        "p": np.where(places < 50, LABELINGS["good"], -1),
        "q": np.where(places < 50, LABELINGS["poor"], -1),
        "r": np.where(places >= 50, LABELINGS["poor"], -1),
    }
    best = compare(TRUE, labelings, ["ari"], ignore_labels=-1, confidence_level=0.9).best["ari"]
    assert best.name == "p"
    assert list(best.gaps) == ["q"]
    assert "r" not in best.best_set


# Values of by, and groups


@pytest.mark.parametrize("with_groups", [False, True])
def test_each_value_by_itself(with_groups):
    groups = DONOR if with_groups else None
    found = compare(TRUE, LABELINGS, ["ari", "vi"], by=BATCH, groups=groups, confidence_level=0.9).best
    for value in "ab":
        here = value == BATCH
        own = {name: x[here] for name, x in LABELINGS.items()}
        for metric in ("ari", "vi"):
            first, rows = by_definition(metric, TRUE[here], own, 0.9, groups if groups is None else groups[here])
            best = found[metric, value]
            assert best.name == first
            for name, expected in rows.items():
                x = best.gaps[name]
                assert [x.difference, x.low, x.high, x.p_value] == pytest.approx(expected, rel=1e-7, abs=1e-12)


# What is not known


def test_equal_labelings_are_never_told_apart():
    labelings = {"one": LABELINGS["good"], "twin": 9 - LABELINGS["good"], "poor": LABELINGS["poor"]}
    best = compare(TRUE, labelings, ["ari"], confidence_level=0.95).best["ari"]
    assert best.best_set == ("one", "twin")
    x = best.gaps["twin"]
    assert (x.difference, x.low, x.high, x.p_value, x.better) == (0, 0, 0, 1, "")


def test_a_difference_that_no_sample_of_many_changes_is_more_than_noise():
    """The scores are 1 and 0 whichever sample is left out: there is no p-value, but no doubt either."""
    true = np.repeat([0, 1], 15)
    best = compare(true, {"right": true, "one": np.zeros(30, int)}, ["ari"], confidence_level=0.95).best["ari"]
    assert best.best_set == ("right",)
    assert np.isnan(best.gaps["one"].p_value)
    assert (best.gaps["one"].low, best.gaps["one"].high) == (1, 1)
    assert repr(best) == "right (1.000) is ahead of one (0.000) by 1.000, whichever sample is left out"


def test_a_difference_that_no_sample_of_few_changes_tells_nothing():
    true = np.repeat([0, 1], 10)
    labelings = {"right": true, "one": np.zeros(20, int)}
    found = compare(true, labelings, ["ari"], confidence_level=0.95)
    best = found.best["ari"]
    assert (best.name, best.best_set) == ("right", ("right", "one"))
    assert np.isnan(best.gaps["one"].p_value)
    assert best.gaps["one"].better == ""
    assert found.verdict.case == "all"
    assert "●" in repr(found)


def test_scores_that_are_no_number_have_no_best():
    metrics = {"ari": "ari", "each": gpuval.cluster_f_score, "own": lambda table: (1.0, np.ones(2))}
    found = compare(TRUE, LABELINGS, metrics, confidence_level=0.9, n_resamples=9)
    assert list(found.best) == ["ari"]
    assert found.verdict.voices[0].best == "good"


def test_names_that_do_not_equal_themselves():
    nan = float("nan")
    labelings = {nan: LABELINGS["good"], ("a", 1): LABELINGS["poor"], None: LABELINGS["near"]}
    found = compare(TRUE, labelings, ["ari", "ami"], confidence_level=0.9)
    assert found.best["ari"].name is nan
    assert found.best["ari"].best_set[0] is nan
    assert repr(found).count("●") == 3  # two scores, and what the mark means
    said = found.verdict
    assert said.lead is nan
    assert said.headline.startswith("nan ")
    assert [x.mark(name) for x in said.voices for name in labelings][::3] == ["●", "●"]


def test_options_of_a_measure_are_those_of_its_gaps():
    name, options = "v", {"beta": 3.0}
    best = compare(TRUE, LABELINGS, {name: functools.partial(gpuval.v_measure_score, **options)}, confidence_level=0.9)
    x = best.best[name].gaps["near"]
    expected = [gpuval.v_measure_score(TRUE, LABELINGS[y], **options) for y in ("good", "near")]
    assert (x.first, x.second) == pytest.approx(list(map(float, expected)), abs=1e-14)
