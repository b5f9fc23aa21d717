"""What the guide "Which measure?" says of each measure, proved or refuted by the exact definitions.

Corrected for chance, a metric, how much a class weighs, and the range: each is declared beside the formula. A measure
that is declared to have a property is shown to have it, and one that is not is shown not to have it.
"""

from __future__ import annotations

import functools
import math
from collections import Counter
from dataclasses import replace
from itertools import permutations, product

import numpy as np
import pytest
from oracles import ORACLES, all_partitions, mp, real, table_of
from properties import MEASURES, OF_CHANCE, SCORES, flat, without_labels

from gpuval import Contingency
from gpuval.cli.catalogue import all_measures
from gpuval.metrics.external.beta_entropies import BETA_ENTROPIES

PARTITIONS = {str(row): row for row in SCORES if row.compares_partitions}
"""The measures that are one number for two partitions."""

OF_TWO = PARTITIONS | {str(row): row for row in SCORES if row.of_groups}
"""And those that have a number for each class or cluster."""

ZERO = 1e-50
"""What is 0 among numbers of 60 digits."""


def exactly(row, table):
    """The values of a row by its definition, in a list."""
    value = ORACLES[row.name]([list(x) for x in table], **row.options)
    return value if isinstance(value, list) else [value]


# ---- corrected for chance ------------------------------------------------------------------------


@functools.cache
def tables_of_all_permutations():
    """For any two lists of sizes: how often each table occurs among all permutations of the labels of up to 6 samples.

    Without the sizes of which all permutations are the same two partitions: then there is no chance.
    """
    found = []
    for n in range(2, 7):
        by_sizes = {tuple(sorted(Counter(x).values())): x for x in all_partitions(n)}
        for true, pred in product(by_sizes.values(), repeat=2):
            if len(set(true)) == len(set(pred)) and len(set(true)) in (1, n):
                continue
            found.append(Counter(table(true, order) for order in permutations(pred)))
    return found


def table(true, pred):
    return tuple(map(tuple, table_of(true, pred)))


def means_over_permutations(row):
    """The mean of a row over all permutations of the labels, for any two lists of sizes."""
    for tables in tables_of_all_permutations():
        values = [[real(x) for x in exactly(row, cells)] for cells in tables]
        for one in zip(*values, strict=True):  # the number, or that of each class or cluster
            if any(x != x for x in one):
                assert all(x != x for x in one)  # undefined for these sizes
                continue
            yield sum(x * times for x, times in zip(one, tables.values(), strict=True)) / sum(tables.values())


@pytest.mark.parametrize("row", [name for name, row in OF_TWO.items() if row.adjusted])
def test_the_mean_over_all_permutations_is_zero(row):
    assert_adjusted(OF_TWO[row])


def assert_adjusted(row):
    means = list(means_over_permutations(row))
    assert len(means) > 100
    assert max(map(abs, means)) < ZERO


@pytest.mark.parametrize("row", [name for name, row in OF_TWO.items() if not row.adjusted])
def test_what_is_not_declared_to_be_corrected_for_chance_has_no_constant_mean(row):
    assert_not_adjusted(OF_TWO[row])


def assert_not_adjusted(row):
    """Not even a constant other than 0."""
    means = means_over_permutations(row)
    first = next(means)
    assert any(abs(mean - first) > 1e-3 for mean in means)  # looks no further than it must


# ---- metrics -------------------------------------------------------------------------------------


@functools.cache
def tables_of_pairs(n):
    """The table of any two partitions of n samples, with sorted rows and columns: the names do not count."""

    def in_order(true, pred):
        rows = sorted(table(true, pred))
        return tuple(zip(*sorted(zip(*rows, strict=True)), strict=True))

    partitions = list(all_partitions(n))
    return [[in_order(true, pred) for pred in partitions] for true in partitions]


def distances(row, n):
    """The distances of all partitions of n samples; 1 - score for a score."""
    tables = tables_of_pairs(n)
    values = {cells: real(exactly(row, cells)[0]) for cells in {cells for line in tables for cells in line}}
    found = np.asarray([[float(values[cells]) for cells in line] for line in tables])
    return found if row.best == 0 else 1 - found


def broken_laws(row, n):
    """What a metric must be and this row is not, among partitions of n samples."""
    found = distances(row, n)
    equal = np.eye(len(found), dtype=bool)
    around = (found[:, :, None] + found[None, :, :]).min(axis=1)  # the shortest way by a third partition
    laws = {
        "zero for equal partitions": np.all(found[equal] == 0),
        "above zero for others": np.all(found[~equal] > 1e-12),
        "symmetric": np.all(np.abs(found - found.T) < 1e-12),
        "triangle": np.all(found <= around + 1e-12),
    }
    return {law for law, kept in laws.items() if not kept}


CANDIDATES = [name for name, row in PARTITIONS.items() if row.best in (0.0, 1.0)]
"""The rows with a best value that can be a distance of 0."""


def test_only_candidates_are_declared_to_be_metrics():
    assert [name for name, row in PARTITIONS.items() if row.is_metric and name not in CANDIDATES] == []
    assert not any(row.is_metric for row in MEASURES if str(row) not in PARTITIONS)


@pytest.mark.parametrize("row", [name for name in CANDIDATES if PARTITIONS[name].is_metric])
@pytest.mark.parametrize("n", [2, 3, 4, 5, 6])
def test_a_metric_keeps_all_laws(row, n):
    assert_metric(PARTITIONS[row], n)


def assert_metric(row, n=5):
    assert broken_laws(row, n) == set()


@pytest.mark.parametrize("row", [name for name in CANDIDATES if not PARTITIONS[name].is_metric])
def test_what_is_not_declared_to_be_a_metric_breaks_a_law(row):
    assert_no_metric(PARTITIONS[row])


def assert_no_metric(row):
    assert any(broken_laws(row, n) for n in (3, 4, 5))


# ---- how much a class weighs ---------------------------------------------------------------------

SIZES = (2, 2, 20, 20, 500, 500)


def mixed(size=None):
    """The table of equal partitions, or with the two classes of this size mixed half and half over two clusters.

    All sizes of classes and clusters stay as they are.
    """
    cells = np.diag(SIZES)
    if size is not None:
        cells[np.ix_(*[[i for i, x in enumerate(SIZES) if x == size]] * 2)] = size // 2
    return cells.tolist()


def losses(row):
    """What mixed classes of 2 and of 20 samples cost; the classes themselves have the best value."""
    best, small, large = (real(exactly(row, mixed(size))[0]) for size in (None, 2, 20))
    sign = 1 if row.better == "higher" else -1
    return sign * (best - small), sign * (best - large)


DIRECTED = [name for name, row in PARTITIONS.items() if row.better]


@pytest.mark.parametrize("row", DIRECTED)
def test_two_classes_of_ten_times_the_size_that_are_mixed_cost_ten_to_the_declared_power(row):
    assert_class_weight(PARTITIONS[row])


def assert_class_weight(row):
    """To 3 %: for some the power is exact only as classes become a small part of all samples."""
    small, large = losses(row)
    assert min(small, large) > 0
    assert abs(math.log10(large / small) - row.class_weight) < math.log10(1.03)


def test_the_power_is_exact_where_a_loss_is_divided_by_what_depends_on_sizes_only():
    """As in all but a few measures, whose loss changes what it is divided by."""
    exact = []
    for row in map(PARTITIONS.__getitem__, DIRECTED):
        small, large = losses(row)
        if abs(large / small - mp.mpf(10) ** row.class_weight) < 1e-45:
            exact.append(row)
    assert len(exact) == len(DIRECTED) - 8
    assert {row.family for row in exact} == {PARTITIONS[name].family for name in DIRECTED}


@pytest.mark.parametrize("row", [str(row) for row in MEASURES if str(row) not in DIRECTED])
def test_what_is_no_score_or_distance_of_partitions_has_no_weight(row):
    assert next(x for x in MEASURES if str(x) == row).class_weight is None


def test_no_measure_of_anything_else_has_a_weight_or_compares_partitions():
    of_partitions = {row.name for row in PARTITIONS.values()}
    others = [
        x.measure
        for x in all_measures().values()
        if not x.measure.function.__module__.startswith("gpuval.metrics.external")
    ]
    assert len(others) > 40
    assert not [x.name for x in others if x.class_weight is not None or x.compares_partitions]
    assert {
        x.measure.name for x in all_measures().values() if x.measure.compares_partitions
    } - OF_CHANCE == of_partitions


# ---- the range -----------------------------------------------------------------------------------


@functools.cache
def growing_tables(size):
    """Tables that lead to the ends of ranges as their size grows; each also with classes and clusters exchanged."""
    each, ones = np.eye(size, dtype=int), np.ones((size, 1), int)
    counts = [
        each,  # the same, of single samples
        np.asarray([[size]]),
        np.asarray([[1, 1], [1, 1]]),
        ones,  # single samples, and all in one cluster
        np.ones((size, size), int),  # independent
        np.asarray([[0, size], [size, 0]]),
        np.asarray([[0, 1], [1, size]]),
        np.asarray([[0, 1], [size, 0]]),
        np.asarray([[0, 1, 1], [size, 0, 0]]),
        np.vstack([[1, 1], np.hstack([0 * ones, ones])]),  # two samples that are together on one side only
    ]
    return [Contingency.from_counts(x).with_results() for table in counts for x in (table, table.T)]


@functools.cache
def lowest_and_highest(function, options, size):
    row = functools.partial(function, **dict(options))
    values = np.concatenate([flat(without_labels(row(table))) for table in growing_tables(size)]).astype(float)
    return np.nanmin(values), np.nanmax(values)


def ends_of(row):
    """The lowest and the highest values of tables of growing size."""
    ends = [lowest_and_highest(row.function, tuple(row.options.items()), size) for size in (4, 16, 64)]
    return np.minimum.accumulate([x for x, _ in ends]), np.maximum.accumulate([x for _, x in ends])


def is_approached(end, values):
    """Whether values get close to a finite end; they go to an infinite one if their steps do not get shorter."""
    if math.isfinite(end):
        return abs(values[-1] - end) < 0.035
    steps = np.diff(values)
    return values[-1] * end > 0 and abs(steps[1]) > 0.7 * abs(steps[0]) > 0


def assert_range(row):
    """It is not too wide; that it is not too narrow is checked for all labelings."""
    lowest, highest = ends_of(row)
    assert is_approached(row.range[0], lowest) == (str(row) not in NEVER_LOW), f"{row} has the lowest values {lowest}"
    assert is_approached(highest_of(row), highest), f"{row} has the highest values {highest}"


NEVER_LOW = {
    "adjusted_bcubed_f_score",
    "adjusted_fowlkes_mallows_score",
    "adjusted_mutual_info_score",
    "adjusted_mutual_info_score-average_method=geometric",
    "adjusted_mutual_info_score-average_method=max",
    "hubert_gamma_score",
    "pair_sets_index-clipped=False",
    "simplified_pair_sets_index-clipped=False",
}
"""Their lower end is a bound that no labelings are known to get close to."""


def highest_of(row):
    """The highest value: the end of the range, but for beta-entropies with a beta above 1."""
    beta = row.options.get("beta", 2) if "beta" in row.tried and row.family is BETA_ENTROPIES else 0
    return 1 / (1 - 2 ** (1 - beta)) if beta > 1.1 else row.range[1]


RANGED = {str(row): row for row in SCORES}


@pytest.mark.parametrize("row", RANGED)
def test_the_ends_of_the_range_are_approached(row):
    assert_range(RANGED[row])


# ---- what is declared falsely is found out -------------------------------------------------------


@pytest.mark.parametrize(
    ("check", "row", "change"),
    [
        (assert_adjusted, "rand_score", {"adjusted": True}),
        (assert_not_adjusted, "adjusted_rand_score", {"adjusted": False}),
        (assert_metric, "adjusted_rand_score", {"is_metric": True}),
        (assert_metric, "normalized_mutual_info_score", {"is_metric": True}),
        (assert_no_metric, "rand_score", {"is_metric": False}),
        (assert_no_metric, "variation_of_information", {"is_metric": False}),
        (assert_class_weight, "adjusted_rand_score", {"class_weight": 1}),
        (assert_class_weight, "normalized_mutual_info_score", {"class_weight": 2}),
        (assert_class_weight, "rand_score", {"better": "lower"}),
        (assert_range, "adjusted_rand_score", {"range": (-1.0, 1.0)}),
        (assert_range, "adjusted_rand_score", {"range": (-math.inf, 1.0)}),
        (assert_range, "rand_score", {"range": (0.0, math.inf)}),
        (assert_range, "rand_score", {"range": (0.0, 1.1)}),
        (assert_range, "variation_of_information", {"range": (-1.0, math.inf)}),
        (assert_range, "variation_of_information", {"range": (0.0, 100.0)}),
    ],
    ids=lambda value: getattr(value, "__name__", None) or str(value),
)
def test_a_false_declaration_is_found_out(check, row, change):
    with pytest.raises(AssertionError):
        check(replace(PARTITIONS[row], **change))


def test_the_tables_are_all_that_there_are():
    """The numbers of partitions are Bell's, and those of permutations factorials."""
    assert [len(tables_of_pairs(n)) for n in (2, 3, 4, 5, 6)] == [2, 5, 15, 52, 203]
    totals = Counter(tables.total() for tables in tables_of_all_permutations())
    sizes = {2: 2, 3: 3, 4: 5, 5: 7, 6: 11}  # ways to write n as a sum
    assert totals == {math.factorial(n): ways**2 - 2 for n, ways in sizes.items()}
