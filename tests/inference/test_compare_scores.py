"""compare_scores() and compare_many_scores(): worked values, definitions by hand, draws, groups, p-values, errors."""

from __future__ import annotations

import functools
import re
from statistics import NormalDist

import numpy as np
import pytest
from backends import N
from packages import pd
from scipy import optimize, stats

import gpuval
from gpuval import Contingency
from gpuval.inference.intervals import false_discoveries
from gpuval.inference.paired import read_paired
from gpuval.table.resampling import cells, draws

# measures-next.md, fixture W
TRUE = np.asarray([1, 3, 2, 2, 3, 1, 2, 2, 3, 1, 3, 2])
ONE = np.asarray([2, 3, 2, 1, 3, 1, 3, 2, 3, 1, 3, 1])
OTHER = np.asarray([1, 3, 2, 2, 3, 1, 2, 1, 3, 2, 3, 2])

NUMBERS = ("first", "second", "difference", "low", "high", "standard_error", "z", "p_value")


def labels(n=70, seed=0):
    random = np.random.default_rng(seed)
    true = random.integers(0, 4, n)
    first, second = (np.where(random.random(n) < p, true, random.integers(0, 5, n)) for p in (0.7, 0.5))
    return true, first, second


def numbers(found):
    return np.asarray([getattr(found, name) for name in NUMBERS], dtype=float)


# The jackknife


def without_each(difference, n):
    """A difference of scores, a function of the samples that are left, without each sample."""
    return np.asarray([difference(np.arange(n) != place) for place in range(n)])


def n_effective(without):
    """How many samples of the same weight would move a difference as much: (sum |d|)^2 / sum d^2 (Kish 1965)."""
    d = without - without.mean()
    return np.abs(d).sum() ** 2 / (d**2).sum()


def ari_difference(true, first, second):
    """That of all samples that are left, by the pairs."""

    def of(kept):
        found = [ari_of_pairs(true[kept], x[kept], lambda i, j: np.ones(len(i))) for x in (first, second)]
        return found[0] - found[1]

    return of


def test_worked_values():
    found = gpuval.compare_scores(TRUE, OTHER, ONE, method="jackknife")
    assert (found.first, found.second) == pytest.approx((497 / 893, 233 / 893), rel=1e-14)
    assert found.difference == pytest.approx(264 / 893, rel=1e-12)
    assert found.standard_error == pytest.approx(0.3232161420349013, rel=1e-12)
    assert found.z == pytest.approx(0.9146594501962538, rel=1e-12)
    without = without_each(ari_difference(TRUE, OTHER, ONE), 12)
    assert np.sqrt(11 / 12 * ((without - without.mean()) ** 2).sum()) == pytest.approx(0.3232161420349013, rel=1e-12)
    n = n_effective(without)
    assert 7 < n < 8  # of the 12 samples 8 have two labels that say different things of them
    assert found.p_value == pytest.approx(2 * stats.t.cdf(-0.9146594501962538, df=n - 1), rel=1e-11)
    half = stats.t.ppf(0.975, df=n - 1) * 0.3232161420349013
    assert (found.low, found.high) == pytest.approx((264 / 893 - half, 264 / 893 + half), rel=1e-11)
    assert repr(found) == f"0.296 [{264 / 893 - half:.3f}, {264 / 893 + half:.3f}], p = {found.p_value:.2g}"
    assert len(read_paired(TRUE, {"first": ONE, "second": OTHER}, None, None, None).counts) == 8
    back = gpuval.compare_scores(TRUE, ONE, OTHER, method="jackknife")
    signs = [1, 1, -1, -1, -1, 1, -1, 1]
    places = [1, 0, 2, 4, 3, 5, 6, 7]  # the two scores, and the two ends of the interval, are exchanged
    assert numbers(back).tolist() == pytest.approx(list(signs * numbers(found)[places]))


def squared(table):
    return float(gpuval.rand_score(table)) ** 2


@pytest.mark.parametrize("groups", [None, np.arange(70) // 6])
@pytest.mark.parametrize("metric", ["ari", "nmi", "ami", "acc", "bcubed_f_score", "variation_of_information", squared])
def test_the_jackknife_by_hand(metric, groups):
    vectors = labels()
    units = np.arange(70) if groups is None else groups
    score = gpuval.METRICS.get(metric) or functools.partial(_score, metric)

    def difference(kept):
        true, first, second = (x[kept] for x in vectors)
        return score(true, first) - score(true, second)

    without = np.asarray([difference(units != unit) for unit in np.unique(units)])
    n = len(without)
    expected = np.sqrt((n - 1) / n * ((without - without.mean()) ** 2).sum())
    found = gpuval.compare_scores(*vectors, metric, groups=groups, method="jackknife")
    assert found.standard_error == pytest.approx(expected, rel=1e-10)
    assert found.difference == pytest.approx(difference(units >= 0), rel=1e-12)
    assert found.z == pytest.approx(found.difference / expected, rel=1e-10)
    many = gpuval.compare_many_scores(vectors[0], {"a": vectors[1], "b": vectors[2]}, metric, groups=groups)
    assert many["a", "b"].standard_error == pytest.approx(expected, rel=1e-10)
    assert many["b", "a"].z == pytest.approx(-found.z, rel=1e-10)


def _score(metric, true, pred):
    (score,) = gpuval.evaluate(true, pred, [metric]).values()
    return float(score)


# The bootstrap


class Planned:
    """Draws what was planned in the place of random numbers: one sample after the other, or groups by their times."""

    def __init__(self, planned):
        self.planned = np.asarray(planned)
        self.draws = iter(self.planned)

    def integers(self, low, high, size):
        assert (low, high, size) == (0, self.planned.shape[1], self.planned.shape[1])
        return next(self.draws)

    def multinomial(self, n, shares, size):
        assert (n, len(shares), size) == (self.planned.shape[1], self.planned.shape[1], len(self.planned))
        return self.planned


def planned(monkeypatch, drawn):
    def chunks(n_draws, n_cells, random):
        yield Planned(drawn), n_draws

    monkeypatch.setattr("gpuval.inference.paired.chunks", chunks)


def ari_of_pairs(true, pred, counts):
    """ARI by the pairs of samples, of which each counts as ``counts(i, j)`` says."""
    i, j = np.triu_indices(len(true), 1)
    weights = counts(i, j)
    same_true, same_pred = true[i] == true[j], pred[i] == pred[j]
    kinds = same_true & same_pred, same_true & ~same_pred, ~same_true & same_pred, ~same_true & ~same_pred
    both, true_only, pred_only, neither = (float((weights * kind).sum()) for kind in kinds)
    across = both * neither - true_only * pred_only
    return 2 * across / ((both + true_only) * (true_only + neither) + (both + pred_only) * (pred_only + neither))


def test_resampled_tables_are_those_of_resampled_labels(monkeypatch):
    """The same draw for both, without the pairs of copies that are expected in each table by itself."""
    paired = read_paired(TRUE, {"first": ONE, "second": OTHER}, None, None, None)
    _, places = np.unique(np.stack([TRUE, ONE, OTHER], axis=1), axis=0, return_inverse=True)
    assert paired.counts.tolist() == np.bincount(places).tolist()
    indices = np.random.default_rng(0).integers(0, 12, (20, 12))
    drawn = np.argsort(places, kind="stable")[indices]  # samples are drawn in the order of their cells
    planned(monkeypatch, indices)
    found = gpuval.compare_scores(TRUE, ONE, OTHER, n_resamples=20, method="percentile")

    def ari(pred, row):
        """Two samples of one cell are copies of one of its n_ij samples with probability 1 / n_ij."""
        t, p = TRUE[row], pred[row]
        sizes = np.asarray([((x == TRUE) & (y == pred)).sum() for x, y in zip(t, p, strict=True)])
        return ari_of_pairs(t, p, lambda i, j: 1.0 - ((t[i] == t[j]) & (p[i] == p[j])) / sizes[i])

    first, second = ([ari(pred, row) for row in drawn] for pred in (ONE, OTHER))
    np.testing.assert_allclose(found.replicates, np.asarray(first) - second, rtol=1e-10, atol=1e-13)
    purities = gpuval.compare_scores(TRUE, ONE, OTHER, "purity_score", n_resamples=20, method="basic")
    by_labels = [[gpuval.purity_score(TRUE[row], pred[row]) for row in drawn] for pred in (ONE, OTHER)]
    np.testing.assert_allclose(purities.replicates, np.subtract(*by_labels), atol=1e-14)


def test_resampled_groups_are_those_of_resampled_labels(monkeypatch):
    """Of two copies of one group no pairs count."""
    groups = np.arange(12) // 3
    drawn = np.random.default_rng(1).integers(0, 4, (15, 4))
    planned(monkeypatch, [np.bincount(row, minlength=4) for row in drawn])
    found = gpuval.compare_scores(TRUE, ONE, OTHER, groups=groups, n_resamples=15, method="percentile")

    def difference(row):
        samples = np.concatenate([np.flatnonzero(groups == g) for g in row])
        group, turn = groups[samples], np.repeat(np.arange(4), 3)

        def counts(i, j):
            return (group[i] != group[j]) | (turn[i] == turn[j])

        first, second = (ari_of_pairs(TRUE[samples], pred[samples], counts) for pred in (ONE, OTHER))
        return first - second

    np.testing.assert_allclose(found.replicates, [difference(row) for row in drawn], rtol=1e-10, atol=1e-13)


@pytest.mark.parametrize("method", ["bca", "percentile", "basic"])
def test_intervals_and_p_values_are_those_of_the_replicates(method):
    true, first, second = labels()
    found = gpuval.compare_scores(true, first, second, method=method, random_state=3, n_resamples=499)
    drawn, d = found.replicates, float(found.difference)
    assert drawn.shape == (499,)
    normal, student = NormalDist(), stats.t(df=69)
    z = np.sqrt(70 / 69) * student.ppf(0.975)  # Hesterberg's expanded percentiles
    tails = normal.cdf(-z), normal.cdf(z)
    # Zero is beyond the lower end: how far, in standard deviations of a normal distribution?
    end = 2 * d if method == "basic" else 0.0
    beyond = (1 + min((drawn <= end).sum(), (drawn >= end).sum())) / 500
    of_zero = -normal.inv_cdf(beyond)
    exact = gpuval.compare_scores(true, first, second, method="jackknife")
    if method == "bca":
        every = np.arange(70)
        score = gpuval.adjusted_rand_score
        kept = [every != i for i in every]
        without = np.asarray([score(true[k], first[k]) - score(true[k], second[k]) for k in kept])
        shifts = without.mean() - without
        a = (shifts**3).sum() / (6 * (shifts**2).sum() ** 1.5)
        z0 = normal.inv_cdf((drawn < d).mean() + (drawn == d).mean() / 2)
        moved = [z0 + normal.inv_cdf(p) for p in tails]
        low, high = np.quantile(drawn, [normal.cdf(z0 + x / (1 - a * x)) for x in moved])
        assert d > 0
        # The level at which the lower end is at 0, by bisection of the definition.
        of_zero = optimize.brentq(lambda x: z0 + (z0 - x) / (1 - a * (z0 - x)) - normal.inv_cdf(beyond), 0, 9)
        assert found.standard_error == exact.standard_error
    else:
        low, high = np.quantile(drawn, tails)
        low, high = (low, high) if method == "percentile" else (2 * d - high, 2 * d - low)
        assert found.standard_error == pytest.approx(np.std(drawn, ddof=1), rel=1e-12)
        assert found.standard_error == pytest.approx(float(exact.standard_error), rel=0.2)
    assert found.p_value == pytest.approx(max(2 / 500, 2 * student.cdf(-of_zero * np.sqrt(69 / 70))), rel=1e-8)
    assert (found.low, found.high) == pytest.approx((low, high), rel=1e-9)
    assert found.z == found.difference / found.standard_error


def test_a_paired_difference_is_surer_than_two_scores():
    """Of two clusterings that err on the same samples."""
    true, first, _ = labels(400)
    second = np.where(np.arange(400) % 40 == 0, 4, first)
    found = gpuval.compare_many_scores(true, [first, second], random_state=0)
    alone = [found.scores[i].standard_error for i in (0, 1)]
    assert found[0, 1].standard_error < np.hypot(*alone) / 3
    assert found.scores[0].low < found.scores[1].score < found.scores[0].high
    assert found[0, 1].better == "first"


def test_the_name_of_the_best_may_be_nan():
    true, first, _ = labels(40)
    found = gpuval.compare_many_scores(true, {np.nan: true, "b": first}, method="jackknife")
    assert found.to_pandas()["rank"].tolist() == [1, 2]
    assert repr(found).split("\n")[1].startswith("nan  1.000")


def test_a_clustering_in_both_places_is_drawn_as_in_the_bootstrap():
    true, first, second = labels()
    found = gpuval.compare_many_scores(true, {"a": first, "b": first}, random_state=5)
    alone = gpuval.bootstrap("ari", true, first, random_state=5)
    for name in ("a", "b"):
        assert found.scores[name].replicates.tolist() == alone.replicates.tolist()
        assert found.scores[name].to_dict() == alone.to_dict()
    several = gpuval.compare_many_scores(true, [first, second, first], random_state=0, n_resamples=99)
    difference = several.scores[0].replicates - several.scores[1].replicates
    pair = gpuval.compare_many_scores(true, [first, second], random_state=0, n_resamples=99)
    np.testing.assert_allclose(difference, pair.scores[0].replicates - pair.scores[1].replicates, atol=1e-12)


@pytest.mark.parametrize("method", ["bca", "jackknife"])
def test_one_table_after_the_other_and_small_chunks_give_the_same(method, monkeypatch):
    true, first, second = labels()
    calls = [
        functools.partial(gpuval.compare_scores, true, first, second, metric, groups=groups, n_resamples=60)
        for metric, groups in (("ari", None), ("nmi", np.arange(70) % 9), ("purity_score", np.arange(70) % 9))
    ]
    monkeypatch.setattr(draws, "_CHUNK", 700)
    whole = [numbers(call(method=method, random_state=0)) for call in calls]
    monkeypatch.setattr(cells, "_MOST_DENSE", 0)
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    for call, expected in zip(calls, whole, strict=True):
        np.testing.assert_allclose(numbers(call(method=method, random_state=0)), expected, rtol=1e-9, atol=1e-13)


def test_clusters_by_the_hundred_thousand():
    random = np.random.default_rng(0)
    true, first, second = random.integers(0, 100_000, (3, 30_000))
    first[:20_000], second[:10_000] = true[:20_000], true[:10_000]
    found = gpuval.compare_scores(true, first, second, n_resamples=4, random_state=0)
    assert found.better == "first"
    assert 0 < found.standard_error < 0.1


@pytest.mark.parametrize(("n_better", "n_worse"), [(6, 6), (6, 2)])
def test_only_samples_whose_labels_differ_count_for_students_distribution(n_better, n_worse):
    """Of 200 samples the first labeling alone has n_better right, and the second alone n_worse."""
    n, true = 200, np.repeat([0, 1], 100)
    first, second = true.copy(), true.copy()
    second[:n_better], first[100 : 100 + n_worse] = 1, 0
    found = gpuval.compare_scores(true, first, second, "acc", method="jackknife")
    gap = n_better - n_worse
    without = [(gap - 1) / (n - 1)] * n_better + [(gap + 1) / (n - 1)] * n_worse
    without = np.asarray(without + [gap / (n - 1)] * (n - n_better - n_worse))
    df = n_effective(without) - 1
    if not gap:
        assert df + 1 == pytest.approx(n_better + n_worse)  # the others move nothing
    error = np.sqrt((n - 1) / n * ((without - without.mean()) ** 2).sum())
    half = stats.t.ppf(0.975, df) * error
    assert (found.low, found.high) == pytest.approx((gap / n - half, gap / n + half), rel=1e-9)


# Groups, weights, labels to ignore


def test_groups_of_single_samples_are_samples():
    """But all of them count for Student's distribution, as groups do; of samples those that move the difference."""
    vectors = labels()
    for metric in ("ari", "nmi", "acc"):
        single = gpuval.compare_scores(*vectors, metric, method="jackknife", groups=[f"{i}" for i in range(70)])
        alone = gpuval.compare_scores(*vectors, metric, method="jackknife")
        for name in ("first", "second", "difference", "standard_error", "z"):
            assert getattr(single, name) == pytest.approx(getattr(alone, name), rel=1e-8)
        assert single.p_value == pytest.approx(2 * stats.t.sf(abs(single.z), df=69), rel=1e-8)
        half = stats.t.ppf(0.975, df=69) * single.standard_error
        assert (single.low, single.high) == pytest.approx(
            (single.difference - half, single.difference + half), rel=1e-8
        )
        assert alone.low < single.low < single.high < alone.high
    by_group = gpuval.compare_scores(*vectors, groups=np.arange(70), method="bca", random_state=0, n_resamples=3000)
    by_sample = gpuval.compare_scores(*vectors, random_state=1, n_resamples=3000)
    assert np.std(by_group.replicates) == pytest.approx(np.std(by_sample.replicates), rel=0.06)


@pytest.mark.parametrize("groups", [None, np.arange(70) % 7])
def test_weights_and_labels_to_ignore(groups):
    true, first, second = labels()
    weights = np.arange(70) % 3
    repeated = [np.repeat(x, weights) for x in (true, first, second)]
    others = None if groups is None else np.repeat(groups, weights)
    call = functools.partial(gpuval.compare_scores, metric="nmi", random_state=0, n_resamples=50)
    found = call(true, first, second, sample_weight=weights, groups=groups)
    np.testing.assert_allclose(numbers(found), numbers(call(*repeated, groups=others)), rtol=1e-12)
    kept = (true != 3) & (first != 3) & (second != 3)
    ignored = call(true, first, second, ignore_labels=3, groups=groups)
    chosen = [x[kept] for x in (true, first, second)]
    expected = call(*chosen, groups=None if groups is None else groups[kept])
    np.testing.assert_allclose(numbers(ignored), numbers(expected), rtol=1e-12)


# Which is better


def test_better_follows_the_direction_of_the_measure():
    true, first, _ = labels()
    noise = np.random.default_rng(1).integers(0, 4, 70)
    for metric, difference in (("ari", 1), ("variation_of_information", -1), ("van_dongen_distance", -1)):
        for method in ("bca", "jackknife"):
            found = gpuval.compare_scores(true, first, noise, metric, method=method, random_state=0)
            assert np.sign(found.difference) == difference
            assert found.better == "first"
            assert repr(found).endswith(": first is better")
            assert gpuval.compare_scores(true, noise, first, metric, method=method).better == "second"
        many = gpuval.compare_many_scores(true, {"noise": noise, "near": first}, metric, random_state=0)
        assert many.ranking == ["near", "noise"]
        assert (many["near", "noise"].better, many["noise", "near"].better) == ("first", "second")

    assert gpuval.compare_scores(true, first, noise, "joint_entropy", method="jackknife").better == ""


def my_distance(table):
    return float(gpuval.variation_of_information(table))


def entropy(table):
    return float(gpuval.adjusted_rand_score(table))


@pytest.mark.parametrize(
    ("metric", "is_distance", "better"),
    [
        (gpuval.variation_of_information, True, "first"),
        (functools.partial(gpuval.beta_entropy_distance, beta=2.0), True, "first"),
        (my_distance, True, "second"),
        (functools.partial(my_distance), True, "second"),
        (lambda table: -my_distance(table), False, "first"),
        (entropy, False, "first"),
    ],
)
def test_of_users_functions_higher_is_better_in_every_comparison(metric, is_distance, better):
    """Whatever they are called: names say it of measures only. A perfect clustering is compared with a shuffled one."""
    true = [0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 2, 2]
    shuffled = [0, 1, 2, 2, 1, 0, 0, 1, 2, 0, 1, 2]
    found = gpuval.compare_scores(true, true, shuffled, metric, method="percentile", random_state=0)
    assert (found.first < found.second) == is_distance
    assert found.better == better
    many = gpuval.compare_many_scores(true, {"first": true, "second": shuffled}, metric, n_resamples=19, random_state=0)
    assert many.best == better
    test = gpuval.permutation_test(metric, true, true, n_resamples=99, random_state=0)
    assert (test.p_value < 0.05) == (better == "first")
    tests = gpuval.permutation_test(metric, true, {"first": true}, n_resamples=99, random_state=0)
    assert (tests["first"].p_value < 0.05) == (better == "first")


@pytest.mark.parametrize("sign", [1, -1])
def test_infinite_scores_are_beyond_all_others_and_equal_to_themselves(sign):
    """Ranks, signs and p-values of permutations are those of a function that is finite and has the same order."""

    def finite(table):
        return sign * min(max(float(gpuval.adjusted_rand_score(table)), -0.05), 0.4)

    def infinite(table):
        score = finite(table)
        return {-0.05 * sign: -np.inf * sign, 0.4 * sign: np.inf * sign}.get(score, score)

    true = np.repeat([0, 1, 2], 6)
    labelings = {"poor": np.arange(18) % 3, "exact": true, "renamed": 7 - true, "near": np.append(true[2:], [0, 1])}
    seeds = {"n_resamples": 19, "random_state": 0}
    wanted, found = (gpuval.permutation_test(f, true, labelings, **seeds) for f in (finite, infinite))
    for name, labels in labelings.items():
        alone = [gpuval.permutation_test(f, true, labels, **seeds) for f in (finite, infinite)]
        assert alone[0].p_value == alone[1].p_value
        assert (found[name].p_value, found[name].mid_p_value) == (wanted[name].p_value, wanted[name].mid_p_value)
        assert found[name].family_wise_p_value >= found[name].p_value
    assert [float(abs(x.score)) for x in found.values()][:3] == [np.inf] * 3
    wanted, found = (gpuval.compare_many_scores(true, labelings, f, **seeds) for f in (finite, infinite))
    assert found.ranks == wanted.ranks
    for pair in wanted:
        assert np.sign(found[pair].difference) == np.sign(wanted[pair].difference)
    for method in ("bca", "percentile", "basic", "jackknife"):
        one = gpuval.compare_scores(true, true, labelings["near"], infinite, method=method, **seeds)
        assert one.difference == sign * np.inf
        assert np.isnan([one.low, one.high, one.z, one.p_value]).all()
        assert method in ("percentile", "basic") or np.isnan(one.standard_error)
        assert one.better == ""


@pytest.mark.parametrize("metric", ["ari", "nmi", "mutual_info_score", "acc", "variation_of_information"])
@pytest.mark.parametrize("method", ["bca", "percentile", "basic", "jackknife"])
def test_the_same_clusters_do_not_differ(metric, method):
    """Neither under the same names, nor under others, in another order."""
    true, first, _ = labels()
    for other in (first, np.asarray([3, 1, 4, 0, 2])[first]):
        found = gpuval.compare_scores(true, first, other, metric, method=method, random_state=0)
        assert numbers(found)[2:].tolist() == [0.0, 0.0, 0.0, 0.0, 0.0, 1.0]
        assert found.better == ""
        many = gpuval.compare_many_scores(true, [first, other, true], metric, method=method, random_state=0)
        assert many.ranks == {0: 2, 1: 2, 2: 1}
        assert numbers(many[0, 1])[2:].tolist() == numbers(many[1, 0])[2:].tolist() == [0.0] * 5 + [1.0]
        assert not np.signbit(numbers(many[1, 0])).any() or many[1, 0].first < 0
        for p in (many.p_values, many.p_family_wise, many.p_false_discovery):
            assert p[0, 1] == 1.0
            assert p[0, 2] < 0.05


def test_degenerate_cases():
    found = gpuval.compare_scores([0, 0, 1, 1] * 9, [0, 0, 1, 1] * 9, [0] * 36, random_state=0)
    assert numbers(found)[:6].tolist() == [1.0, 0.0, 1.0, 1.0, 1.0, 0.0]
    assert np.isnan(found.z)
    # No draw of 999 is at 0: at most 1 of 1000 is, 3.09 standard deviations of a normal distribution away.
    far = NormalDist().inv_cdf(1 / 1000) * np.sqrt(35 / 36)
    assert found.p_value == pytest.approx(2 * stats.t.cdf(far, df=35), rel=1e-12)
    assert found.better == "first"
    for method in ("bca", "percentile", "jackknife"):
        one = gpuval.compare_scores([3], ["a"], ["b"], method=method, random_state=0)
        assert numbers(one)[:3].tolist() == [1.0, 1.0, 0.0]
        assert np.isnan(numbers(one)[3:]).all()
        many = gpuval.compare_many_scores([3], [["a"], ["b"]], method=method, random_state=0)
        assert np.isnan(many.p_family_wise[0, 1])
        assert repr(many).splitlines()[1] == "0  1.000 [nan, nan]"


@pytest.mark.parametrize(
    ("metric", "given"),
    [
        ("ari", ([0, 1], [0, 1], [0, 0])),
        ("ari", ([0, 0, 1, 1] * 9, [0, 0, 1, 1] * 9, [0] * 36)),
        (lambda table: 0.1 + 0.2 * (int(table.n_clusters) > 1), ([0, 0, 1, 1] * 7, [3, 3, 5, 5] * 7, [4] * 28)),
    ],
)
def test_the_same_difference_whichever_sample_is_left_out_tells_nothing(metric, given):
    found = gpuval.compare_scores(*given, metric, method="jackknife")
    assert found.difference > 0
    assert found.standard_error == 0
    assert np.isnan((found.z, found.p_value)).all()
    assert found.better == ""
    many = gpuval.compare_many_scores(given[0], given[1:], metric, method="jackknife")
    assert np.isnan([p[0, 1] for p in (many.p_values, many.p_family_wise, many.p_false_discovery)]).all()
    drawn = gpuval.compare_scores(*given, metric, method="percentile", random_state=0)
    assert np.isfinite(drawn.p_value)
    assert np.isnan(drawn.z) == (drawn.standard_error == 0) == (len(given[0]) > 2)


@pytest.mark.parametrize("method", ["bca", "percentile", "basic", "jackknife"])
def test_labels_without_samples(method):
    """Their scores are those of evaluate([], []); nothing can be left out or drawn, so nothing is known of an error."""
    found = gpuval.compare_scores([], [], [], method=method)
    assert numbers(found)[:3].tolist() == [1.0, 1.0, 0.0]
    assert np.isnan(numbers(found)[3:]).all()
    assert found.better == ""
    many = gpuval.compare_many_scores([], {"a": [], "b": []}, method=method)
    assert [many.scores[name].score for name in "ab"] == [1.0, 1.0]
    assert np.isnan(numbers(many["a", "b"])[3:]).all()
    assert np.isnan(many.p_family_wise[0, 1])
    intervals = gpuval.compare([], {"a": [], "b": []}, "ari", confidence_level=0.9)
    assert repr(intervals).splitlines()[2:] == ["a  1.000 ●", "b  1.000 ●", "● highest"]
    with pytest.raises(ValueError, match=r"groups must have at least two values, got 0"):
        gpuval.compare_scores([], [], [], method=method, groups=[])


def test_a_measure_that_is_nan_for_some_tables():
    def broken(table):
        return float("nan") if int(table.n_clusters) > 3 else float(gpuval.rand_score(table))

    true, first, _ = labels()
    random = np.random.default_rng(0)
    few = [np.where(random.random(70) < 0.6, np.minimum(true, 2), random.integers(0, 3, 70)) for _ in range(3)]
    found = gpuval.compare_many_scores(true, [first, *few], broken, random_state=0, n_resamples=49)
    assert found.ranks[0] == 4
    assert np.isnan(found.p_values[0, 1:]).all()
    assert np.isnan(found.p_false_discovery[0, 1:]).all()
    assert np.isnan(found.p_family_wise[0, 1:]).all()
    others = [(1, 2), (1, 3), (2, 3)]
    drawn = [found.scores[i].replicates - found.scores[j].replicates for i, j in others]
    assert np.isfinite(drawn).all()
    for pair in others:  # the three that are known are the family
        assert found.p_family_wise[pair] == min(1, 3 * found.p_values[pair])


# Many


def test_many_are_all_pairs():
    true, first, second = labels()
    third = np.where(np.arange(70) % 5, true, 0)
    named = {"a": first, "b": second, "c": third}
    found = gpuval.compare_many_scores(true, named, "ari", method="jackknife")
    scores = {name: gpuval.adjusted_rand_score(true, x) for name, x in named.items()}
    assert found.ranking == sorted(scores, key=scores.get, reverse=True)
    assert found.best == found.ranking[0]
    assert {name: x.score for name, x in found.scores.items()} == scores
    for one in named:
        assert found.scores[one].to_dict() == pytest.approx(gpuval.jackknife("ari", true, named[one]).to_dict())
        for other in set(named) - {one}:
            pair = gpuval.compare_scores(true, named[one], named[other], method="jackknife")
            together = found[one, other]
            for name in ("first", "second", "difference", "standard_error", "z"):
                assert getattr(together, name) == pytest.approx(getattr(pair, name), rel=1e-9)
            n = n_effective(without_each(ari_difference(true, named[one], named[other]), 70))
            half = stats.t.ppf(1 - 0.025 / 3, df=n - 1) * pair.standard_error
            ends = pair.difference - half, pair.difference + half
            assert (together.low, together.high) == pytest.approx(ends, rel=1e-9)
            i, j = (list(named).index(x) for x in (one, other))
            assert found.p_values[i, j] == pytest.approx(pair.p_value, rel=1e-9)
            assert found.p_family_wise[i, j] == together.p_value == min(1, 3 * found.p_values[i, j])
    assert list(found) == [tuple(found.ranking[i] for i in pair) for pair in ((0, 1), (0, 2), (1, 2))]
    assert list(found.to_best) == found.ranking[1:]
    assert [x.first for x in found.to_next.values()] == [scores[name] for name in found.ranking[:2]]
    assert [x.second for x in found.to_next.values()] == [scores[name] for name in found.ranking[1:]]
    assert ("b", "a") in found
    for key in (("a", "a"), ("a", "d"), "ab", 0):
        assert key not in found


def test_adjusted_p_values_by_hand():
    """The example of four p-values in SciPy's false_discovery_control."""
    given = np.asarray([0.5, np.nan, 0.6, 0.1, 0.001])
    np.testing.assert_allclose(false_discoveries(given), [0.6, np.nan, 0.6, 0.2, 0.004])


def test_p_values_of_pairs_are_adjusted_together():
    true, first, second = labels()
    third = np.where(np.arange(70) % 5, true, 0)
    for method in ("bca", "jackknife"):
        found = gpuval.compare_many_scores(true, [first, second, third], method=method, random_state=0)
        for p in (found.p_values, found.p_family_wise, found.p_false_discovery):
            assert (p == p.T).all()
            assert (np.diagonal(p) == 1).all()
        assert (found.p_family_wise >= found.p_values).all()
        places = np.triu_indices(3, 1)
        raw = np.sort(found.p_values[places])
        by_definition = [min(raw[j] * 3 / (j + 1) for j in range(i, 3)) for i in range(3)]
        np.testing.assert_allclose(np.sort(found.p_false_discovery[places]), by_definition)
        np.testing.assert_allclose(np.sort(found.p_family_wise[places]), np.minimum(3 * raw, 1))


@pytest.mark.parametrize("groups", [None, np.arange(60) % 6])
@pytest.mark.parametrize("metric", ["ari", "ami"])
def test_no_interval_contradicts_its_p_value(metric, groups):
    """A family-wise p-value is at most 0.05 where the interval beside it excludes 0, and only there."""
    found = []
    for seed in range(12):
        random = np.random.default_rng(seed)
        true = random.integers(0, 3, 60)
        noises = (0.2, 0.35, 0.5, 0.6)
        labelings = [np.where(random.random(60) < p, random.integers(0, 3, 60), true) for p in noises]
        many = gpuval.compare_many_scores(true, labelings, metric, groups=groups, n_resamples=49, random_state=0)
        for i, j in many:
            x = many[i, j]
            assert x.p_value == many.p_family_wise[i, j]
            assert (x.p_value <= 0.05) == (not x.low <= 0 <= x.high) == (x.better != "")
            found.append((x.better != "", many.p_values[i, j] <= 0.05))
    assert {(True, True), (False, True), (False, False)} == set(found)


def test_the_method_suits_the_measure_and_the_units():
    true, first, second = labels()
    for metric, groups, expected in (
        ("ari", None, "bca"),
        ("ami", None, "jackknife"),
        ("v", None, "jackknife"),
        ("ari", np.arange(70) % 7, "jackknife"),
        (squared, None, "bca"),
    ):
        options = {"groups": groups, "n_resamples": 49, "random_state": 0}
        assert gpuval.compare_scores(true, first, second, metric, **options).method == expected
        many = gpuval.compare_many_scores(true, [first, second], metric, **options)
        assert {x.method for x in many.scores.values()} == {expected}
        assert {x.method for x in many.values()} == {"jackknife"}


def test_differences_stay_in_their_range():
    """Of the ARI, from -1/2 to 1, no difference is beyond 3/2."""
    true = np.asarray([0, 0, 1, 1, 2])
    found = gpuval.compare_scores(true, true, [0, 1, 0, 1, 0], method="jackknife")
    assert found.high == 1.5
    n = n_effective(without_each(ari_difference(true, true, np.asarray([0, 1, 0, 1, 0])), 5))
    assert found.difference - stats.t.ppf(0.975, df=n - 1) * found.standard_error == pytest.approx(found.low)
    back = gpuval.compare_scores(true, [0, 1, 0, 1, 0], true, method="jackknife")
    assert (back.low, back.high) == (-1.5, -found.low)


@pytest.mark.parametrize("weights", [None, "linear", [[0, 1], [4, 0]]])
def test_differences_of_kappa_stay_in_their_range(weights):
    """Of kappas from -1 to 1 none is beyond 2; of a matrix of costs there is no lowest kappa."""
    true, differs = np.asarray([0, 0, 0, 1, 1, 1, 1]), np.asarray([1, 1, 1, 0, 0, 0, 1])
    kappa = functools.partial(gpuval.cohen_kappa_score, weights=weights)
    found = gpuval.compare_scores(true, true, differs, kappa, method="jackknife")
    without = without_each(lambda x: kappa(true[x], true[x]) - kappa(true[x], differs[x]), 7)
    end = found.difference + stats.t.ppf(0.975, df=n_effective(without) - 1) * found.standard_error
    assert end > 2
    assert found.high == pytest.approx(end if isinstance(weights, list) else 2)


def test_family_wise_errors_are_as_rare_as_they_say():
    """Five clusterings that are equally good, over 100 data sets: at level 0.2 about 20 have a difference."""
    wrong = {"bca": 0, "jackknife": 0, "raw": 0}
    for seed in range(100):
        random = np.random.default_rng(seed)
        true = random.integers(0, 3, 120)
        alike = [np.where(random.random(120) < 0.6, true, random.integers(0, 3, 120)) for _ in range(5)]
        found = gpuval.compare_many_scores(true, alike, random_state=seed, n_resamples=99, method="percentile")
        wrong["bca"] += bool((found.p_family_wise < 0.2).any())
        wrong["raw"] += bool((found.p_values < 0.2).any())
        exact = gpuval.compare_many_scores(true, alike, method="jackknife")
        wrong["jackknife"] += bool((exact.p_family_wise < 0.2).any())
    assert wrong["raw"] > 50
    assert wrong["bca"] <= 34  # 20 and 3.5 standard deviations of a binomial count
    assert wrong["jackknife"] <= 34


# The same everywhere


def test_every_backend_gives_the_same(backend):
    random = np.random.default_rng(0)
    true = random.integers(0, 4, N)
    first, second = (np.where(random.random(N) < p, true, random.integers(0, 5, N)) for p in (0.7, 0.5))
    here = [backend.array(x) for x in (true, first, second)]
    exact = 1e-13 if backend.has_float64 else 1e-6
    with_groups = {"n_resamples": 49, "groups": np.arange(N) % 7}  # many codes, of which those that occur are found
    for options in ({"method": "jackknife"}, {"n_resamples": 49}, *[with_groups] * backend.finds_sizes):
        found = gpuval.compare_scores(*here, "nmi", random_state=0, **options)
        expected = gpuval.compare_scores(true, first, second, "nmi", random_state=0, **options)
        for name in NUMBERS:
            value = getattr(found, name)
            backend.assert_at_home(value, here[0])
            assert float(backend.numpy(value)) == pytest.approx(float(getattr(expected, name)), rel=exact)
        assert repr(found) == repr(expected)
    found = gpuval.compare_many_scores(here[0], here[1:], n_resamples=49, random_state=0)
    expected = gpuval.compare_many_scores(true, [first, second], n_resamples=49, random_state=0)
    assert repr(found) == repr(expected)
    np.testing.assert_allclose(backend.numpy(found.p_family_wise), expected.p_family_wise, rtol=exact)
    backend.assert_at_home(found[1, 0].difference, here[0])


def test_seeds_and_generators():
    found = [gpuval.compare_scores(TRUE, ONE, OTHER, random_state=5).replicates.tolist() for _ in range(2)]
    assert found[0] == found[1]
    generator = np.random.default_rng(5)
    again = [gpuval.compare_scores(TRUE, ONE, OTHER, random_state=generator).replicates.tolist() for _ in range(2)]
    assert again[0] == found[0]
    assert again[1] != found[0]


# Results


def test_results_for_people_and_for_pandas():
    found = gpuval.compare_scores(TRUE, ONE, OTHER, random_state=0)
    assert re.fullmatch(r"-0\.296 \[-?\d\.\d{3}, \d\.\d{3}\], p = 0\.\d+", repr(found))
    assert list(found.to_dict()) == [*NUMBERS, "better", "confidence_level", "method"]
    assert type(found.to_dict()["z"]) is float
    series = found.to_pandas()
    assert isinstance(series, pd.Series)
    assert series["p_value"] == found.p_value
    many = gpuval.compare_many_scores(TRUE, pd.DataFrame({"x": ONE, ("y", 1): OTHER}), method="jackknife")
    assert many.best == ("y", 1)
    lines = repr(many).splitlines()
    assert lines[0].split() == ["score", "difference", "to", "the", "best", "p", "(family-wise)"]
    assert lines[1].startswith("y, 1  0.557 [")
    n = n_effective(without_each(ari_difference(TRUE, ONE, OTHER), 12))
    p_value, half = 2 * stats.t.cdf(-0.9146594501962538, df=n - 1), stats.t.ppf(0.975, n - 1) * 0.3232161420349013
    ends = f"[{-264 / 893 - half:.3f}, {-264 / 893 + half:.3f}]"
    assert lines[2].endswith(f"-0.296 {ends}             {p_value:.2g}")
    frame = many.to_pandas()
    assert list(frame.index) == [("y", 1), "x"]
    assert frame["rank"].tolist() == [1, 2]
    assert frame["score"].tolist() == pytest.approx([497 / 893, 233 / 893])
    assert frame["difference"].tolist() == pytest.approx([np.nan, -264 / 893], nan_ok=True)
    assert frame["p_family_wise"].iloc[1] == pytest.approx(p_value)
    assert frame.columns.tolist() == [
        *("rank", "score", "low", "high", "standard_error"),
        *("difference", "difference_low", "difference_high", "p_value", "p_family_wise", "p_false_discovery"),
    ]


# Bad input

WRONG = [
    ({"confidence_level": 95}, ValueError, "confidence_level must be between 0 and 1, got 95"),
    ({"n_resamples": 0}, ValueError, "n_resamples must be at least 1, got 0"),
    ({"method": "delta"}, ValueError, "method must be one of 'bca', 'percentile', 'basic', 'jackknife', got 'delta'"),
    ({"random_state": -1}, ValueError, "seeds must not be negative, got -1"),
    ({"groups": [0] * 12}, ValueError, "groups must have at least two values, got 1"),
    ({"groups": [0] * 11}, ValueError, "groups must have as many samples as labels_true (12), got 11"),
    ({"groups": [0] * 11 + [None]}, ValueError, "groups must not have missing labels"),
    ({"sample_weight": np.full(12, 0.5)}, ValueError, "sample_weight must count samples"),
    ({"sample_weight": np.zeros(12)}, ValueError, "sample_weight"),
    ({"metric": "arri"}, ValueError, "metric must be the name of a measure, got 'arri'"),
    ({"metric": ["ari", "nmi"]}, TypeError, "metric must be the name of a measure or a function of a table, got ['ari"),
    ({"metric": "all"}, ValueError, "metric must be the name of a measure, got 'all'"),
    ({"metric": gpuval.silhouette_score}, TypeError, "metric must be the name of a measure or a function of a table"),
    ({"metric": lambda table: table.counts}, TypeError, "metric must give one number for a table, got ndarray"),
    ({"average": "max"}, TypeError, "adjusted_rand_score() got an unexpected keyword argument 'average'"),
    ({"labels_true": [0, 1]}, ValueError, "must have as many samples as labels_true (2), got 12"),
    ({"labels_true": Contingency.from_counts([[1, 2]])}, TypeError, "labels_true must be"),
    ({"ignore_labels": [1, 2, 3]}, ValueError, "ignore_labels"),
]


@pytest.mark.parametrize(("given", "error", "message"), WRONG)
def test_bad_input(given, error, message):
    true, options = given.get("labels_true", TRUE), {k: v for k, v in given.items() if k != "labels_true"}
    with pytest.raises(error, match=re.escape(message)):
        gpuval.compare_scores(true, ONE, OTHER, **options)
    with pytest.raises(error, match=re.escape(message)):
        gpuval.compare_many_scores(true, {"one": ONE, "other": OTHER}, **options)


def test_labelings_that_cannot_be_compared():
    with pytest.raises(ValueError, match=r"second must have as many samples as labels_true \(12\), got 3"):
        gpuval.compare_scores(TRUE, ONE, [0, 1, 2])
    with pytest.raises(ValueError, match="labelings must be at least two, got 1"):
        gpuval.compare_many_scores(TRUE, {"one": ONE})
    with pytest.raises(ValueError, match=r"labelings\['b'\] must have as many samples as labels_true \(12\), got 3"):
        gpuval.compare_many_scores(TRUE, {"a": ONE, "b": [0, 1, 2]})
    with pytest.raises(
        ValueError, match="metric must be one of which higher or lower scores are better, got gini_index"
    ):
        gpuval.compare_many_scores(TRUE, [ONE, OTHER], "gini_index")


def test_labels_of_dask():
    import dask.array as array

    with pytest.raises(TypeError, match=r"labels must be in memory, got Array; compute\(\) them"):
        gpuval.compare_scores(TRUE, array.from_array(ONE), OTHER)
