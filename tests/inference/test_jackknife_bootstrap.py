"""jackknife() and bootstrap(): worked values, definitions by hand, groups, degenerate cases, backends, bad input."""

from __future__ import annotations

import functools
import itertools
import math
import re
from statistics import NormalDist

import numpy as np
import pytest
from backends import SIZE, N
from packages import pd
from properties import MEASURES
from scipy import stats

import gpuval
from gpuval import Contingency
from gpuval.inference import intervals
from gpuval.registry.families import OF_SAME_NAMES, range_of, with_name_check
from gpuval.table.resampling import cells

S = Contingency.from_counts([[2, 1, 0], [2, 2, 1], [0, 0, 4]])
TRUE = np.repeat([0, 0, 1, 1, 1, 2], [2, 1, 2, 2, 1, 4])
PRED = np.repeat([0, 1, 0, 1, 2, 2], [2, 1, 2, 2, 1, 4])

# measures-next.md, A3: standard error, bias
WORKED = {
    "ari": (0.306036080487301, -0.000549739911506),
    "mi": (0.212108382044350, 0.133260281107808),
    "nmi": (0.196047914480648, 0.164391659808022),
    "ami": (0.259275681674239, -0.038679559528674),
}


def labels(seed=0, n=80, classes=4, clusters=5):
    random = np.random.default_rng(seed)
    true = random.integers(0, classes, n)
    return true, np.where(random.random(n) < 0.6, true, random.integers(0, clusters, n))


def numbers(estimate):
    return np.asarray(
        [estimate.score, estimate.low, estimate.high, estimate.standard_error, estimate.bias], dtype=float
    )


# The jackknife


@pytest.mark.parametrize("name", WORKED)
def test_worked_values_of_the_jackknife(name):
    found = gpuval.jackknife(name, S)
    assert (found.standard_error, found.bias) == pytest.approx(WORKED[name], rel=1e-12, abs=1e-12)
    t = stats.t.ppf(0.975, df=11)
    lowest, highest = {"ari": (-0.5, 1.0), "mi": (0.0, np.inf), "nmi": (0.0, 1.0), "ami": (-np.inf, 1.0)}[name]
    assert found.low == pytest.approx(max(lowest, found.score - t * found.standard_error), rel=1e-12)
    assert found.high == pytest.approx(min(highest, found.score + t * found.standard_error), rel=1e-12)


def test_the_acceleration_of_simovicis_table():
    by_cell = np.asarray([336 / 1271, 103 / 323, 16 / 49, 37 / 125, 9 / 20, 36 / 245])
    found = intervals.from_left_out(233 / 893, by_cell, np.asarray([2, 1, 2, 2, 1, 4]))
    assert found.acceleration == pytest.approx(-0.008667946697251, rel=1e-10)
    assert gpuval.jackknife("ari", S).acceleration == pytest.approx(-0.008667946697251, rel=1e-10)
    assert gpuval.bootstrap("ari", S, random_state=0).acceleration == gpuval.jackknife("ari", S).acceleration
    assert np.isnan(gpuval.bootstrap("ari", S, random_state=0, method="basic").acceleration)


@pytest.mark.parametrize("name", ["ari", "purity_score", "van_dongen_distance", "f_measure_score", "acc"])
@pytest.mark.parametrize("groups", [None, np.arange(80) // 7])
def test_the_jackknife_by_hand(name, groups):
    true, pred = labels()
    units = np.arange(80) if groups is None else groups
    score = functools.partial(gpuval.evaluate, metrics=[name])
    (full,) = score(true, pred).values()
    without = []
    for unit in np.unique(units):
        (one,) = score(true[units != unit], pred[units != unit]).values()
        without.append(one)
    n, mean = len(without), np.mean(without)
    found = gpuval.jackknife(name, true, pred, groups=groups)
    assert found.standard_error == pytest.approx(np.sqrt((n - 1) / n * ((without - mean) ** 2).sum()), rel=1e-10)
    assert found.bias == pytest.approx((n - 1) * (mean - full), rel=1e-8, abs=1e-12)
    assert found.score == full


@pytest.mark.by_default
def test_the_jackknife_of_a_matching_of_any_small_table():
    """Without a sample of a cell that is matched, another matching may be as good as the best was."""
    for counts in itertools.product(range(4), repeat=4):
        table = np.reshape(counts, (2, 2))
        if table.sum() < 3:
            continue
        one_less = (table - np.eye(4, dtype=int)[cell].reshape(2, 2) for cell in range(4) for _ in range(counts[cell]))
        without = np.asarray([max(x.trace(), x.sum() - x.trace()) / x.sum() for x in one_less])
        found = gpuval.jackknife("acc", Contingency.from_counts(table))
        n = len(without)
        assert found.standard_error == pytest.approx(np.sqrt((n - 1) * without.var()), abs=1e-12), counts


def test_options_functions_and_several_measures():
    found = gpuval.jackknife(["ari", "nmi"], S)
    assert list(found) == ["adjusted_rand_score", "normalized_mutual_info_score"]
    assert numbers(found["ari"]).tolist() == numbers(gpuval.jackknife("ari", S)).tolist()
    largest = gpuval.jackknife("nmi", S, average_method="max")
    partial = functools.partial(gpuval.normalized_mutual_info_score, average_method="max")
    assert numbers(largest).tolist() == numbers(gpuval.jackknife(partial, S)).tolist()
    assert largest.standard_error != found["nmi"].standard_error
    by_function = gpuval.jackknife(lambda table: gpuval.adjusted_rand_score(table) ** 2, S)
    direct = gpuval.jackknife(gpuval.adjusted_rand_score, S)
    assert by_function.score == direct.score**2
    assert by_function.standard_error != direct.standard_error
    named = gpuval.jackknife({"r": "ari", "half": lambda table: gpuval.rand_score(table) / 2}, S)
    assert list(named) == ["r", "half"]
    assert len(gpuval.jackknife("all", S)) == len(gpuval.METRICS)


# The bootstrap


@pytest.mark.parametrize("method", ["percentile", "basic", "bca"])
@pytest.mark.parametrize("level", [0.5, 0.95])
@pytest.mark.parametrize("measure", [gpuval.adjusted_rand_score, gpuval.purity_score])
def test_intervals_are_those_of_their_replicates(measure, method, level):
    """Also of a measure of which many replicates are the score itself, of which BCa counts one half as below."""
    true, pred = labels()
    found = gpuval.bootstrap(measure, true, pred, method=method, confidence_level=level, random_state=1)
    assert found.replicates.shape == (999,)
    score, drawn = float(found.score), np.sort(found.replicates)
    normal = NormalDist()
    z = np.sqrt(80 / 79) * stats.t.ppf((1 + level) / 2, df=79)  # Hesterberg's expanded percentiles
    tails = normal.cdf(-z), normal.cdf(z)
    if method == "percentile":
        low, high = np.quantile(drawn, tails)
    elif method == "basic":
        high, low = 2 * score - np.quantile(drawn, tails)
    else:
        without = [measure(np.delete(true, i), np.delete(pred, i)) for i in range(80)]
        d = np.mean(without) - without
        a = (d**3).sum() / (6 * (d**2).sum() ** 1.5)
        z0 = normal.inv_cdf(np.mean((drawn < score) + 0.5 * (drawn == score)))
        shifted = [z0 + normal.inv_cdf(p) for p in tails]
        low, high = np.quantile(drawn, [normal.cdf(z0 + x / (1 - a * x)) for x in shifted])
    assert (found.low, found.high) == pytest.approx((low, high), rel=1e-9)
    assert found.standard_error == pytest.approx(np.std(drawn, ddof=1))
    assert found.bias == pytest.approx(np.mean(drawn) - score)


def test_resampled_labels_give_the_same_distribution():
    """Against labels that are drawn by index, with all pairs: the tables, and so the scores, have the same law."""
    true, pred = labels()
    random = np.random.default_rng(0)
    by_index = [gpuval.adjusted_rand_score(true[i], pred[i]) for i in random.integers(0, 80, (4000, 80))]
    for resampling in ("multinomial", "poisson"):
        found = gpuval.bootstrap(
            "ari", true, pred, n_resamples=4000, pairs="all", random_state=0, resampling=resampling
        )
        error = np.std(by_index) / np.sqrt(4000)
        assert abs(np.mean(found.replicates) - np.mean(by_index)) < 5 * error
        assert np.std(found.replicates) == pytest.approx(np.std(by_index), rel=0.06)


def test_pairs_of_copies_shift_the_score():
    many = np.arange(200) % 50
    pred = np.where(np.random.default_rng(0).random(200) < 0.5, many, np.random.default_rng(1).integers(0, 50, 200))
    distinct, every = (gpuval.bootstrap("ari", many, pred, random_state=0, pairs=x) for x in ("distinct", "all"))
    assert abs(distinct.bias) < 0.02
    assert every.bias > 0.1
    assert distinct.low < distinct.score < distinct.high
    information = [gpuval.bootstrap("nmi", many, pred, random_state=0, pairs=x) for x in ("distinct", "all")]
    assert numbers(information[0]).tolist() == numbers(information[1]).tolist()


def test_groups_of_single_samples_are_samples():
    true, pred = labels()
    whole = gpuval.jackknife(["ari", "nmi", "acc"], true, pred)
    single = gpuval.jackknife(["ari", "nmi", "acc"], true, pred, groups=np.arange(80))
    for name in whole:
        np.testing.assert_allclose(numbers(single[name]), numbers(whole[name]), rtol=1e-9, atol=1e-12)
    by_group = gpuval.bootstrap("ari", true, pred, groups=np.arange(80), random_state=0, n_resamples=4000)
    by_sample = gpuval.bootstrap("ari", true, pred, random_state=1, n_resamples=4000)
    assert by_group.standard_error == pytest.approx(by_sample.standard_error, rel=0.06)


def test_no_draw_of_few_groups_is_empty():
    """Of three groups Poisson(1) times each, one draw in twenty is of none: it would score 1."""
    true, pred = labels()
    found = gpuval.bootstrap("ari", true, pred, groups=np.arange(80) % 3, resampling="poisson", random_state=0)
    assert (found.replicates < 0.9).all()


def test_groups_make_intervals_wider_where_they_differ():
    random = np.random.default_rng(0)
    donor = np.arange(1000) // 100
    true = random.integers(0, 4, 1000)
    pred = np.where(random.random(1000) < 0.09 * donor, true, random.integers(0, 4, 1000))
    alone = gpuval.bootstrap("ari", true, pred, random_state=0)
    grouped = gpuval.bootstrap("ari", true, pred, random_state=0, groups=[f"donor {i}" for i in donor])
    assert grouped.standard_error > 3 * alone.standard_error
    assert gpuval.jackknife("ari", true, pred, groups=donor).standard_error > 3 * alone.standard_error


def test_weights_and_labels_to_ignore():
    true, pred = labels()
    weights = np.arange(80) % 3
    repeated = np.repeat(true, weights), np.repeat(pred, weights)
    for call in (gpuval.jackknife, functools.partial(gpuval.bootstrap, random_state=0)):
        weighted = call("ari", true, pred, sample_weight=weights)
        assert numbers(weighted).tolist() == numbers(call("ari", *repeated)).tolist()
        kept = (true != 2) & (pred != 2)
        ignored = call("ari", true, pred, ignore_labels=2)
        assert numbers(ignored).tolist() == numbers(call("ari", true[kept], pred[kept])).tolist()
        groups = np.arange(80) % 5  # a group is called as a label that is ignored, and stays
        found = call("ari", true, pred, groups=groups, ignore_labels=2, sample_weight=weights + 1)
        chosen = [np.repeat(x[kept], (weights + 1)[kept]) for x in (true, pred, groups)]
        np.testing.assert_allclose(numbers(found), numbers(call("ari", *chosen[:2], groups=chosen[2])), rtol=1e-12)


# The same everywhere


def test_every_backend_gives_the_same(backend):
    random = np.random.default_rng(0)
    true, pred = random.integers(0, SIZE["n_classes"], N), random.integers(0, SIZE["n_clusters"], N)
    size = {} if backend.finds_sizes else SIZE
    here = backend.array(true), backend.array(pred)
    names = ["ari", "ami", "acc"]
    for call in (gpuval.jackknife, functools.partial(gpuval.bootstrap, random_state=0, n_resamples=99)):
        found, expected = call(names, *here, **size), call(names, true, pred)
        for name in names:
            for field in ("score", "low", "high", "standard_error", "bias"):
                value = getattr(found[name], field)
                backend.assert_at_home(value, here[0])
                exact = float(getattr(expected[name], field))
                assert float(backend.numpy(value)) == pytest.approx(exact, rel=1e-14 if backend.has_float64 else 1e-6)
            if found[name].replicates is not None:
                assert backend.numpy(found[name].replicates).shape == (99,)
        repr(found)
        if backend.finds_sizes:
            groups = random.integers(0, 6, N)
            found = call("ari", *here, groups=backend.array(groups))
            expected = call("ari", true, pred, groups=groups)
            value = backend.numpy(found.high)
            assert float(value) == pytest.approx(float(expected.high), rel=1e-12 if backend.has_float64 else 1e-6)


def test_groups_of_the_host_with_labels_on_a_device():
    import torch

    true, pred = labels()
    donors = [f"donor {i % 6}" for i in range(80)]
    found = gpuval.bootstrap("ari", torch.tensor(true), torch.tensor(pred), groups=donors, random_state=0)
    expected = gpuval.bootstrap("ari", true, pred, groups=donors, random_state=0)
    assert numbers(found).tolist() == numbers(expected).tolist()


@pytest.mark.parametrize("name", ["jackknife", "bootstrap", "permutation_test"])
def test_it_is_one_break_of_a_graph(name):
    """Nothing of it is traced: there are graphs of what stands before and after it, and no others."""
    import torch

    seed = {} if name == "jackknife" else {"random_state": 0}
    call = functools.partial(getattr(gpuval, name), "ari", **seed)
    graphs = []

    def counted(graph, inputs):
        graphs.append(graph)
        return graph.forward

    true, pred = map(torch.tensor, labels())
    compiled = torch.compile(lambda a, b: 2 * call(a + 1, b).score, backend=counted)
    assert float(compiled(true, pred)) == 2 * float(call(true, pred).score)
    assert len(graphs) <= 2


def test_one_table_after_the_other_gives_the_same(monkeypatch):
    true, pred = labels()
    names = ["ari", "nmi", "purity_score", "van_dongen_distance"]
    calls = gpuval.jackknife, functools.partial(gpuval.bootstrap, random_state=0, n_resamples=50)
    whole = [call(names, true, pred) for call in calls]
    monkeypatch.setattr(cells, "_MOST_DENSE", 0)
    for call, expected in zip(calls, whole, strict=True):
        for name in names:
            np.testing.assert_allclose(
                numbers(call(names, true, pred)[name]), numbers(expected[name]), rtol=1e-10, atol=1e-14
            )


def test_clusters_by_the_hundred_thousand():
    random = np.random.default_rng(0)
    true, pred = random.integers(0, 100_000, (2, 50_000))
    pred[:25_000] = true[:25_000]
    found = gpuval.bootstrap(["ari", "nmi"], true, pred, n_resamples=8, random_state=0)
    assert found["ari"].standard_error > 0
    assert 0 < gpuval.jackknife("ari", true, pred).standard_error < 0.1


def test_the_number_of_threads_changes_nothing(monkeypatch):
    from gpuval.table.resampling import draws

    monkeypatch.setattr(draws, "_CHUNK", 100)
    true, pred = labels()
    found = gpuval.bootstrap("ari", true, pred, random_state=0)
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    assert gpuval.bootstrap("ari", true, pred, random_state=0).replicates.tolist() == found.replicates.tolist()


def test_seeds_and_generators():
    first, second = (gpuval.bootstrap("ari", S, random_state=np.random.default_rng(5)) for _ in range(2))
    assert first.replicates.tolist() == second.replicates.tolist()
    assert first.replicates.tolist() == gpuval.bootstrap("ari", S, random_state=5).replicates.tolist()
    generator = np.random.default_rng(5)
    again = [gpuval.bootstrap("ari", S, random_state=generator).replicates.tolist() for _ in range(2)]
    assert again[0] != again[1]


# What there is nothing to tell of


@pytest.mark.parametrize("call", [gpuval.jackknife, gpuval.bootstrap])
def test_degenerate_cases(call):
    for counts in ([[7]], [[3, 0], [0, 4]], [[1, 0], [0, 1]]):
        found = call("ari", Contingency.from_counts(counts))
        assert numbers(found).tolist() == [1.0, 1.0, 1.0, 0.0, 0.0]
    one = call(["ari", "nmi"], [3], ["a"])
    for estimate in one.values():
        assert estimate.score == 1.0
        assert np.isnan(numbers(estimate)[1:]).all()
    assert repr(one["ari"]) == "1.000 [nan, nan]"


def test_scores_on_one_side_take_percentiles():
    low, high = intervals.bca(0.5, np.asarray([0.6, 0.7, 0.8]), NormalDist().inv_cdf(0.75), 0.1)
    assert (low, high) == pytest.approx(tuple(np.quantile([0.6, 0.7, 0.8], (0.25, 0.75))), rel=1e-12)


RANGED = [x for x in MEASURES if x.name in {*gpuval.METRICS, *OF_SAME_NAMES}]
KAPPA = next(x for x in MEASURES if x.name == "cohen_kappa_score")
OF_COSTS = KAPPA.with_options({"weights": [[0, 1, 0], [1, 0, 0.1], [9, 1, 0]]})


def test_kappa_with_costs_has_no_lowest_value():
    assert OF_COSTS.range == (-math.inf, 1.0)


@pytest.mark.parametrize("measure", [*RANGED, OF_COSTS], ids=str)
def test_the_ends_of_the_range_of_a_measure(measure):
    function = functools.partial(with_name_check(measure.function), **measure.options)
    assert range_of(function) == range_of(functools.partial(function)) == measure.range


@pytest.mark.parametrize("measure", [*RANGED, OF_COSTS], ids=str)
def test_scores_of_random_tables_are_within_the_range(measure):
    """Of the labels 0, 1 and 2 on both sides; also of few samples, and of some that all differ."""
    function = functools.partial(with_name_check(measure.function), **measure.options)
    low, high = range_of(function)
    random = np.random.default_rng(5)
    for i in range(200):
        counts = random.integers(0, (2, 9, 1000)[i % 3], (3, 3)) * (random.random((3, 3)) < random.random())
        if i % 4 == 0:
            np.fill_diagonal(counts, 0)
        counts[0, 1] += not counts.any()
        score = float(function(Contingency.from_counts(counts)))
        assert np.isnan(score) or low - 1e-12 <= score <= high + 1e-12, counts


@pytest.mark.parametrize("call", [gpuval.jackknife, gpuval.bootstrap])
def test_intervals_of_kappa_are_below_0_where_it_is(call):
    """Of 30 of 36 samples in which two raters differ, where 18 are expected: kappa is 1 - 30 / 18."""
    found = call("kappa", Contingency.from_counts([[3, 15], [15, 3]]))
    assert found.score == pytest.approx(-2 / 3, rel=1e-14)
    assert -1 < found.low < -2 / 3 < found.high < 0


@pytest.mark.parametrize("groups", [None, np.arange(17) % 5])
@pytest.mark.parametrize("call", [gpuval.jackknife, gpuval.bootstrap])
def test_no_interval_leaves_the_range_of_its_measure(call, groups):
    """Of 17 samples: the interval of the AMI went up to 1.117."""
    true = np.repeat([0, 1, 2], [6, 6, 5])
    pred = np.where(np.arange(17) == 16, 0, true)
    found = call("all", true, pred, groups=groups)
    for name, estimate in found.items():
        low, high = range_of(gpuval.METRICS[name])
        assert low <= estimate.low <= estimate.high <= high, name
    if call is gpuval.jackknife:
        assert found["ami"].score + 2.12 * found["ami"].standard_error > 1
        assert found["ami"].high == found["nmi"].high == 1
    mine = gpuval.jackknife(lambda table: gpuval.adjusted_mutual_info_score(table), true, pred, groups=groups)
    assert mine.high > 1  # nothing is known of the range of a user's function


@pytest.mark.parametrize("n_groups", [2, 5, 10])
def test_few_groups_take_students_quantiles(n_groups):
    true, pred = labels(n=200)
    groups = np.arange(200) % n_groups
    found = gpuval.jackknife("ari", true, pred, groups=groups)
    half = stats.t.ppf(0.975, df=n_groups - 1) * found.standard_error
    ends = np.clip([found.score - half, found.score + half], -0.5, 1)
    assert (found.low, found.high) == pytest.approx(tuple(ends), rel=1e-10)
    drawn = gpuval.bootstrap("ari", true, pred, groups=groups, method="percentile", random_state=0)
    z = np.sqrt(n_groups / (n_groups - 1)) * stats.t.ppf(0.975, df=n_groups - 1)
    ends = np.quantile(drawn.replicates, [NormalDist().cdf(-z), NormalDist().cdf(z)])
    assert (drawn.low, drawn.high) == pytest.approx(tuple(ends), rel=1e-10)


def test_intervals_of_few_groups_contain_the_truth_as_often_as_they_say():
    """Of 200 data sets of 6 groups, intervals of 90 %: at least 168, 180 less 2.8 standard deviations."""
    random = np.random.default_rng(0)
    n_groups, n, hits = 6, 60, 0
    groups = np.repeat(np.arange(n_groups), n)
    truth = 0.6**2  # of equal classes and a mean share of noise of 0.4
    for _ in range(200):
        true = random.integers(0, 4, n_groups * n)
        noise = random.uniform(0.1, 0.7, n_groups)[groups]
        pred = np.where(random.random(n_groups * n) < noise, random.integers(0, 4, n_groups * n), true)
        found = gpuval.evaluate(true, pred, "ari", groups=groups, confidence_level=0.9).intervals["ari"]
        hits += bool(found.low <= truth <= found.high)
    assert hits >= 168


def test_a_measure_that_is_nan_for_some_tables():
    def broken(table):
        return float("nan") if int(table.counts[0, 0]) < 2 else float(gpuval.adjusted_rand_score(table))

    found = gpuval.bootstrap(broken, S, random_state=0)
    assert found.score == gpuval.adjusted_rand_score(S)
    assert np.isnan(found.replicates).any()
    assert np.isnan(numbers(found)[1:]).all()


# Results


def test_results_for_people_and_for_pandas():
    found = gpuval.bootstrap(["ari", "nmi"], S, random_state=0)
    assert re.fullmatch(r"0\.261 \[-?\d\.\d{3}, \d\.\d{3}\]", repr(found["ari"]))
    assert repr(found).splitlines()[1].startswith("normalized_mutual_info_score  0.444 [")
    frame = found.to_pandas()
    assert list(frame.index) == ["adjusted_rand_score", "normalized_mutual_info_score"]
    columns = ["score", "low", "high", "standard_error", "bias", "acceleration", "confidence_level", "method"]
    assert list(frame) == columns
    series = found["ari"].to_pandas()
    assert isinstance(series, pd.Series)
    assert series["low"] == found["ari"].low
    assert found["ari"].to_dict()["method"] == "bca"
    assert "ari" in gpuval.jackknife("ari", S).to_dict() or gpuval.jackknife("ari", S).replicates is None


# Bad input

WRONG = [
    ({"confidence_level": 95}, ValueError, "confidence_level must be between 0 and 1, got 95"),
    ({"confidence_level": 0}, ValueError, "confidence_level must be between 0 and 1, got 0"),
    ({"confidence_level": "high"}, TypeError, "confidence_level must be a number, got 'high'"),
    ({"groups": [0] * 12}, ValueError, "groups must have at least two values, got 1"),
    ({"groups": [0] * 11}, ValueError, "groups must have as many samples as labels_true (12), got 11"),
    ({"groups": [0, 1] * 6, "n_classes": 3}, TypeError, "cannot be given with groups="),
    ({"sample_weight": np.full(12, 0.5)}, ValueError, "needs a table of counts, got one of real weights"),
    ({"average": "max"}, TypeError, "adjusted_rand_score() got an unexpected keyword argument 'average'"),
    ({"metrics": "arri"}, ValueError, "metrics must be names of measures, got 'arri'"),
    ({"metrics": ["ari", "nmi"], "average_method": "max"}, TypeError, "average_method= is an option of one measure"),
    ({"metrics": lambda table: table.counts}, TypeError, "metrics must give one number for a table, got ndarray"),
    ({"labels_pred": [0, 1]}, ValueError, "labels_pred must have as many samples as labels_true (12), got 2"),
]
WRONG_OF_BOOTSTRAP = [
    ({"n_resamples": 0}, ValueError, "n_resamples must be at least 1, got 0"),
    ({"n_resamples": 9.5}, TypeError, "n_resamples must be an integer, got 9.5"),
    ({"method": "student"}, ValueError, "method must be one of 'bca', 'percentile', 'basic', got 'student'"),
    ({"resampling": "jackknife"}, ValueError, "resampling must be one of 'multinomial', 'poisson', got 'jackknife'"),
    ({"pairs": "unique"}, ValueError, "pairs must be one of 'distinct', 'all', got 'unique'"),
    ({"random_state": -1}, ValueError, "seeds must not be negative, got -1"),
    ({"random_state": "seed"}, TypeError, "random_state must be a seed or a generator of NumPy, got 'seed'"),
]


@pytest.mark.parametrize(("given", "error", "message"), WRONG + WRONG_OF_BOOTSTRAP)
def test_bad_input(given, error, message):
    arguments = {"metrics": "ari", "labels_true": TRUE, "labels_pred": PRED} | given
    calls = (
        [gpuval.bootstrap] if (given, error, message) in WRONG_OF_BOOTSTRAP else [gpuval.jackknife, gpuval.bootstrap]
    )
    for call in calls:
        with pytest.raises(error, match=re.escape(message)):
            call(**arguments)


def test_bad_tables():
    for call, table in itertools.product(
        (gpuval.jackknife, gpuval.bootstrap),
        (Contingency.from_counts(np.ones((2, 3, 3), dtype=int)), Contingency.from_counts([[0.5, 1], [1, 0.5]])),
    ):
        with pytest.raises(ValueError, match=r"needs a (single table|table of counts), got"):
            call("ari", table)
    with pytest.raises(TypeError, match="groups must be given with labels, got a table"):
        gpuval.jackknife("ari", S, groups=[0, 1])
