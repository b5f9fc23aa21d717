"""The permutation test: against all tables of the same sizes, for every measure, on every backend; and bad input."""

from __future__ import annotations

import functools
import math
from itertools import permutations

import numpy as np
import pytest
from backends import SIZE
from null_distributions import SIMOVICI, SIZES, all_tables, information_of, moments, pairs_within
from packages import pd
from scipy.stats import false_discovery_control

import gpuval
from gpuval import METRICS, Contingency, permutation_test
from gpuval.inference.null_scores import upper_tail
from gpuval.numerics import parallel
from gpuval.table.resampling import draws, permuted_tables

S = Contingency.from_counts(SIMOVICI)
TRUE = (1, 3, 2, 2, 3, 1, 2, 2, 3, 1, 3, 2)
PRED = (2, 3, 2, 1, 3, 1, 3, 2, 3, 1, 3, 1)
OTHER = (1, 3, 2, 2, 3, 1, 2, 1, 3, 2, 3, 2)
LABELS = [0, 0, 1, 1]
N = 10_000

TESTED = {name for name, metric in METRICS.items() if metric.measure.better}
MONOTONE = {name: metric.measure for name, metric in METRICS.items() if metric.measure.follows}


def table_with(rows):
    return Contingency.from_counts(np.asarray(rows))


def near(value, share, n=N):
    """Whether a share of n draws is a probability, but for five standard deviations."""
    return abs(float(value) - float(share)) <= 5 * math.sqrt(float(share) * (1 - float(share)) / n) + 2 / n


def shared_by_a_matching(rows):
    """How many samples a one-to-one matching of classes and clusters shares at most, by trying all."""
    size = max(len(rows), len(rows[0]))
    square = [[*row, *[0] * (size - len(row))] for row in rows] + [[0] * size] * (size - len(rows))
    return max(sum(square[i][j] for j, i in enumerate(order)) for order in permutations(range(size)))


# ---- p-values of all tables ----------------------------------------------------------------------


def exact_p_values(statistic, tables, observed, tolerance):
    """The probability of as much or more, and with half of that of as much."""
    as_much = sum(p for rows, p in tables.items() if abs(statistic(rows) - observed) <= tolerance)
    more = sum(p for rows, p in tables.items() if statistic(rows) - observed > tolerance)
    return float(more + as_much), float(more + as_much / 2)


def test_the_p_values_of_simovici():
    tests = permutation_test(["ari", "mi"], S, n_resamples=N, random_state=0)
    assert near(tests["ari"].p_value, 4 / 77)
    assert near(tests["ari"].mid_p_value, 0.041305916305916)
    assert near(tests["mi"].p_value, 1 / 21)
    assert tests["ari"].score == gpuval.adjusted_rand_score(S)
    assert tests["ari"].n_resamples == N


STATISTICS = {
    "pair_jaccard_score": functools.cache(pairs_within),
    "vi": functools.cache(information_of),
    "purity": functools.cache(lambda rows: sum(map(max, zip(*rows, strict=True)))),
    "classification_error_distance": functools.cache(shared_by_a_matching),
}
"""What each measure grows or falls with, where the sizes of classes and clusters stay: found of each table once."""


@pytest.mark.parametrize("sizes", [x for x in SIZES if sum(x[0]) > 1], ids=str)
def test_p_values_are_those_of_all_tables(sizes):
    tables = all_tables(*sizes)
    for rows in list(tables)[:: max(1, len(tables) // 3)]:
        tests = permutation_test(list(STATISTICS), table_with(rows), n_resamples=N, random_state=1)
        for name, statistic in STATISTICS.items():
            p, mid = exact_p_values(statistic, tables, statistic(rows), 1e-12)
            assert near(tests[name].p_value, p), (name, rows)
            assert near(tests[name].mid_p_value, mid), (name, rows)


@pytest.mark.parametrize("name", sorted(TESTED))
def test_null_moments_are_those_of_all_tables(name):
    test = all_of_simovici()[name]
    tables = all_tables((3, 5, 4), (4, 3, 5))
    values = np.asarray(METRICS[name](Contingency.from_counts(np.asarray(list(tables)))))
    shares = np.asarray(list(map(float, tables.values())))
    mean, variance, _ = moments(values, shares)
    deviation = math.sqrt(variance)
    assert abs(test.null_mean - mean) <= 5 * deviation / math.sqrt(2000)
    assert abs(test.null_standard_deviation / deviation - 1) < 0.15
    assert test.z == (test.score - test.null_mean) / test.null_standard_deviation


@functools.cache
def all_of_simovici():
    return permutation_test("all", S, n_resamples=2000, random_state=0)


def test_all_measures_of_which_some_scores_are_better_are_tested():
    assert set(all_of_simovici()) == TESTED


@pytest.mark.parametrize("name", sorted(MONOTONE))
def test_measures_that_share_a_p_value_are_monotone(name):
    """Of all tables of some sizes: the better, the more pairs, or information; and ties are ties."""
    statistic, sign = MONOTONE[name].follows, {"higher": 1, "lower": -1}[MONOTONE[name].better]
    for sizes in (((3, 5, 4), (4, 3, 5)), ((7, 2), (1, 1, 1, 3, 3)), ((6, 1, 1), (3, 3, 2))):
        tables = list(all_tables(*sizes))
        values = sign * np.asarray(METRICS[name](Contingency.from_counts(np.asarray(tables))))
        amounts = np.asarray([float((pairs_within if statistic == "pairs" else information_of)(x)) for x in tables])
        order = np.argsort(amounts)
        values, amounts = values[order], amounts[order]
        apart = np.diff(amounts) > 1e-12
        assert (np.diff(values)[apart] > 0).all()
        assert np.abs(np.diff(values)[~apart]).max(initial=0) < 1e-12


@pytest.mark.parametrize("name", ["mcnemar_index", "purity_score", "bcubed_f_score", "clustering_accuracy"])
def test_measures_that_are_not_listed_are_not_monotone(name):
    tables = list(all_tables((3, 5, 4), (4, 3, 5)))
    values = np.asarray(METRICS[name](Contingency.from_counts(np.asarray(tables))))
    for statistic in (pairs_within, information_of):
        order = np.argsort([float(statistic(x)) for x in tables])
        assert np.diff(values[order]).min() < -1e-6 or name == "mcnemar_index"


def test_statistics_give_the_scores_of_the_tables():
    """Measures are scored by sums over the cells, as users' functions of the same name, which see the tables."""
    names = sorted(MONOTONE)
    users = {name: (lambda table, name=name: METRICS[name](table)) for name in names}
    by_sums, by_tables = (permutation_test(x, S, n_resamples=300, random_state=2) for x in (names, users))
    for name in names:
        assert by_sums[name].score == by_tables[name].score
        for part in ("null_mean", "null_standard_deviation"):
            assert abs(getattr(by_sums[name], part) - getattr(by_tables[name], part)) < 1e-12, name
        if MONOTONE[name].better == "higher":  # of a function higher scores are better
            assert by_sums[name].p_value == by_tables[name].p_value


# ---- without sampling ----------------------------------------------------------------------------


def test_the_moments_of_simovici():
    tests = permutation_test(["ari", "mirkin_distance", "ri"], S, method="moments")
    for test in tests.values():
        assert abs(test.p_value - 0.041862) < 5e-7
        assert test.mid_p_value == test.p_value
        assert test.n_resamples == 0
    assert abs(tests["ari"].z - 2.01475394266331) < 1e-12
    assert abs(tests["ari"].null_standard_deviation - 0.129503780861001) < 1e-14
    assert abs(tests["ari"].null_mean) < 1e-15
    assert abs(tests["mirkin_distance"].z + 2.01475394266331) < 1e-12


def test_the_tail_of_a_gamma_law():
    """With skewness 2 it is exponential: exp(-1 - z); mirrored for -2; normal for 0."""
    assert abs(upper_tail(0.5, 2) - math.exp(-1.5)) < 1e-15
    assert upper_tail(-1.5, 2) == 1
    assert abs(upper_tail(0.5, -2) - (1 - math.exp(-0.5))) < 1e-15
    assert upper_tail(1.5, -2) == 0
    assert abs(upper_tail(1.6448536269514722, 0) - 0.05) < 1e-15
    assert abs(upper_tail(1.6448536269514722, 1e-5) - 0.05) < 1e-5


@pytest.mark.parametrize("method", ["sampling", "moments"])
@pytest.mark.parametrize("labels", [([0, 0, 1, 1], [0] * 4), ([0, 1, 2], [0, 0, 1]), ([0], [0]), ([], [])])
def test_what_the_sizes_settle_has_a_p_value_of_1(method, labels):
    table = Contingency.from_labels(*(np.asarray(x, dtype=int) for x in labels))
    test = permutation_test("ari", table, method=method, n_resamples=99)
    assert test.p_value == 1
    assert math.isnan(test.z)


# ---- many labelings ------------------------------------------------------------------------------


def test_of_several_labelings_each_has_the_p_value_of_its_own():
    tests = permutation_test("ari", TRUE, {"first": PRED, "second": OTHER}, n_resamples=N, random_state=0)
    assert list(tests) == ["first", "second"]
    assert near(tests["first"].p_value, 4 / 77)
    table = Contingency.from_labels(TRUE, OTHER)
    rows = tuple(map(tuple, table.to_array().tolist()))
    own = all_tables(tuple(table.class_sizes.tolist()), tuple(table.cluster_sizes.tolist()))
    assert near(tests["second"].p_value, exact_p_values(pairs_within, own, pairs_within(rows), 0)[0])
    adjusted = false_discovery_control([float(x.p_value) for x in tests.values()])
    assert [float(x.false_discovery_p_value) for x in tests.values()] == adjusted.tolist()
    for test, wanted in zip(tests.values(), family_wise(TRUE, [PRED, OTHER]), strict=True):
        assert near(test.family_wise_p_value, wanted)


def family_wise(true, labelings):
    """The probability that the best of all labelings, in standard deviations, is as good as each: of all tables.

    They are of the classes and the groups of samples that have the same labels in all labelings.
    """
    groups = sorted(set(zip(*labelings, strict=True)))
    together = list(zip(*labelings, strict=True))
    tables = all_tables(tuple(map(true.count, sorted(set(true)))), tuple(map(together.count, groups)))
    shares = np.asarray(list(map(float, tables.values())))
    counts = np.asarray(list(tables))
    standardized, observed = [], []
    for place, labels in enumerate(labelings):
        sums = [counts[..., [group[place] == label for group in groups]].sum(axis=-1) for label in sorted(set(labels))]
        pairs = sum((x * (x - 1) // 2).sum(axis=1) for x in sums)
        mean, variance, _ = moments(pairs, shares)
        own = Contingency.from_labels(true, labels).to_array()
        standardized.append((pairs - mean) / math.sqrt(variance))
        observed.append((int((own * (own - 1) // 2).sum()) - mean) / math.sqrt(variance))
    largest = np.max(standardized, axis=0)
    return [float(shares[largest >= z - 1e-9].sum()) for z in observed]


@pytest.mark.parametrize("vector", [list, tuple, np.asarray, lambda x: pd.Series(x)])
@pytest.mark.parametrize("several", [list, tuple])
def test_a_sequence_of_vectors_is_several_labelings(several, vector):
    named = permutation_test("ari", TRUE, {0: PRED, 1: OTHER}, n_resamples=19, random_state=0)
    found = permutation_test("ari", TRUE, several(map(vector, (PRED, OTHER))), n_resamples=19, random_state=0)
    assert {name: test.to_dict() for name, test in found.items()} == {name: x.to_dict() for name, x in named.items()}


@pytest.mark.parametrize("pred", [list(PRED), PRED, list(map(str, PRED)), list(map(np.int64, PRED)), []])
def test_a_sequence_of_labels_is_one_labeling(pred):
    test = permutation_test("ari", TRUE[: len(pred)], pred, n_resamples=19, random_state=0)
    assert test.family_wise_p_value is None


def test_the_same_labeling_twice_is_one_test():
    tests = permutation_test("vi", TRUE, {"a": PRED, "b": [-x for x in PRED]}, n_resamples=500, random_state=0)
    assert tests["a"].p_value == tests["a"].family_wise_p_value == tests["b"].family_wise_p_value


def test_several_labelings_without_samples_have_the_p_value_of_one():
    """1: there is a single table of no samples, which is as good as itself."""
    tests = permutation_test("ari", [], {"a": [], "b": []}, n_resamples=19)
    for test in tests.values():
        assert (test.score, test.p_value, test.family_wise_p_value, test.false_discovery_p_value) == (1, 1, 1, 1)
        assert math.isnan(test.z)


def test_several_labelings_of_more_cells_than_samples(monkeypatch):
    wanted = permutation_test("purity", TRUE, {"a": PRED, "b": OTHER}, n_resamples=4000, random_state=0)
    monkeypatch.setattr(permuted_tables, "dense_is_better", lambda *_: False)
    found = permutation_test("purity", TRUE, {"a": PRED, "b": OTHER}, n_resamples=4000, random_state=1)
    for name in "ab":
        assert near(found[name].p_value, wanted[name].p_value, 2000)
        assert near(found[name].family_wise_p_value, wanted[name].family_wise_p_value, 2000)


# ---- seeds, libraries, shapes --------------------------------------------------------------------


def test_a_seed_gives_the_same_on_any_number_of_cores(monkeypatch):
    monkeypatch.setattr(draws, "_CHUNK", 1 << 7)
    found = []
    for cores in (1, 3):
        monkeypatch.setattr(parallel, "allowed_threads", lambda cores=cores: cores)
        found.append(permutation_test(["ari", "purity"], S, n_resamples=99, random_state=5).to_pandas())
    pd.testing.assert_frame_equal(*found)


def test_backends(backend):
    labels = [backend.array(np.asarray(x) - 1) for x in (TRUE, PRED)]
    for options in ({"method": "moments"}, {"n_resamples": 99, "random_state": 3}):
        found = permutation_test("ari", *labels, **SIZE, **options)
        wanted = permutation_test("ari", TRUE, PRED, **options)
        for name in ("score", "p_value", "mid_p_value", "z", "null_mean", "null_standard_deviation"):
            value, other = getattr(found, name), getattr(wanted, name)
            backend.assert_at_home(value, labels[0])
            assert abs(backend.numpy(value) - other) < (1e-12 if backend.has_float64 else 1e-5)


def test_tables_of_more_cells_than_samples():
    rng = np.random.default_rng(0)
    true, pred = rng.integers(0, 1000, 3000), rng.integers(0, 1000, 3000)
    same = np.where(rng.random(3000) < 0.1, true, pred)
    tests = permutation_test(["ari", "mi", "purity"], true, same, n_resamples=99, random_state=0)
    assert [float(x.p_value) for x in tests.values()] == [0.01] * 3


def test_what_is_printed_and_goes_to_pandas():
    test = permutation_test("ari", S, method="moments")
    assert repr(test) == "0.261, p = 0.042, z = 2.01"
    assert test.to_pandas()["p_value"] == float(test.p_value)
    tests = permutation_test(["ari", "mi"], S, n_resamples=99, random_state=0)
    assert list(tests.to_pandas().index) == ["adjusted_rand_score", "mutual_info_score"]
    assert list(tests.to_pandas().columns) == list(tests["ari"].to_dict())
    assert "adjusted_rand_score" in repr(tests)


def test_options_of_a_measure_and_weights():
    test = permutation_test("pair_f_score", TRUE, PRED, n_resamples=9, random_state=0, beta=2)
    assert test.score == gpuval.pair_f_score(TRUE, PRED, beta=2)
    weights = [2] * 12
    test = permutation_test("ari", TRUE, PRED, n_resamples=9, random_state=0, sample_weight=weights)
    assert test.score == gpuval.adjusted_rand_score(TRUE * 2, PRED * 2)


def test_a_function_that_gives_nan_has_none():
    test = permutation_test(lambda table: math.nan, S, n_resamples=9)
    assert math.isnan(test.p_value)
    assert math.isnan(test.z)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: permutation_test("mcnemar_index", S), ValueError, "metrics must be measures of which some scores"),
        (lambda: permutation_test(["ari", "entropy"], S), ValueError, "are better than others, got 'entropy'"),
        (lambda: permutation_test("mi", S, method="moments"), ValueError, "must go by the pairs together in both"),
        (lambda: permutation_test("ari", S, method="exact"), ValueError, "method must be one of 'sampling', 'moments'"),
        (lambda: permutation_test("ari", S, n_resamples=0), ValueError, "n_resamples must be at least 1, got 0"),
        (lambda: permutation_test("ari", S, n_resamples=9.0), TypeError, "n_resamples must be an integer, got 9.0"),
        (lambda: permutation_test("ari", S, random_state="a"), TypeError, "random_state must be a seed"),
        (lambda: permutation_test("no", S), ValueError, "metrics must be names of measures, got 'no'"),
        (
            lambda: permutation_test("ari", LABELS, LABELS, sample_weight=[0.5] * 4),
            ValueError,
            "the permutation test needs a table of counts, got one of real weights",
        ),
        (lambda: permutation_test(["ari", "ri"], LABELS, {"a": LABELS}), ValueError, "must be one measure for several"),
        (
            lambda: permutation_test("ari", LABELS, {"a": LABELS}, method="moments"),
            ValueError,
            "method must be 'sampling' for several labelings, got 'moments'",
        ),
        (
            lambda: permutation_test("ari", LABELS, [LABELS], method="moments"),
            ValueError,
            "'sampling' for several",
        ),
        (lambda: permutation_test("ari", LABELS, np.asarray([LABELS])), ValueError, "must be one-dimensional"),
        (lambda: permutation_test("ari", LABELS, {"a": LABELS}, **SIZE), TypeError, "cannot be given with several"),
        (
            lambda: permutation_test("ari", Contingency.from_counts([[2**32, 1]]), method="moments"),
            ValueError,
            "permutation tests take at most 3037000499 samples",
        ),
        (
            lambda: permutation_test("ari", Contingency.from_counts([[10**9, 1], [1, 1]])),
            ValueError,
            "random tables must have fewer than 10**9 samples, got 1000000003",
        ),
    ],
)
def test_bad_input(call, error, message):
    with pytest.raises(error) as raised:
        call()
    assert message in str(raised.value)
