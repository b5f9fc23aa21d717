"""What the guide "Which measure?" says of each measure, proved or refuted by the exact definitions.

Corrected for chance, a metric, and how much a class weighs: each is declared in the table ``MEASURES``. A measure that
is declared to have a property is shown to have it, and one that is not is shown not to have it.
"""

from __future__ import annotations

import functools
import math
from collections import Counter
from itertools import permutations, product

import numpy as np
import pytest
from oracles import ORACLES, all_partitions, real, table_of
from properties import ADJUSTED, METRICS, OF_EQUAL_CLASSES, OF_PAIRS, SCORES

PARTITIONS = {str(row): row for row in SCORES if row.of_partitions}
"""The measures that are one number for two partitions."""

OF_TWO = PARTITIONS | {str(row): row for row in SCORES if row.of_groups}
"""And those that have a number for each class or cluster."""

ZERO = 1e-50
"""What is 0 among numbers of 60 digits."""


def exactly(row, table):
    """The values of a row by its definition, in a list."""
    value = ORACLES[row.name]([list(x) for x in table], **row.options)
    return value if isinstance(value, list) else [value]


def test_every_name_that_is_declared_is_a_row():
    names = {row.name for row in SCORES}
    assert names >= ADJUSTED | OF_PAIRS
    assert set(PARTITIONS) >= METRICS | OF_EQUAL_CLASSES


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
    means = list(means_over_permutations(OF_TWO[row]))
    assert len(means) > 100
    assert max(map(abs, means)) < ZERO


@pytest.mark.parametrize("row", [name for name, row in OF_TWO.items() if not row.adjusted])
def test_what_is_not_declared_to_be_corrected_for_chance_has_no_constant_mean(row):
    """Not even a constant other than 0."""
    means = means_over_permutations(OF_TWO[row])
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
    assert set(CANDIDATES) >= METRICS


@pytest.mark.parametrize("row", [name for name in CANDIDATES if PARTITIONS[name].metric])
@pytest.mark.parametrize("n", [2, 3, 4, 5, 6])
def test_a_metric_keeps_all_laws(row, n):
    assert broken_laws(PARTITIONS[row], n) == set()


@pytest.mark.parametrize("row", [name for name in CANDIDATES if not PARTITIONS[name].metric])
def test_what_is_not_declared_to_be_a_metric_breaks_a_law(row):
    assert any(broken_laws(PARTITIONS[row], n) for n in (3, 4, 5))


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


@pytest.mark.parametrize("row", [name for name, row in PARTITIONS.items() if row.best is not None])
def test_two_classes_of_ten_times_the_size_that_are_mixed_cost_ten_to_the_declared_power(row):
    """To 3 %: for some the power is exact only as classes become a small part of all samples."""
    best, small, large = (real(exactly(PARTITIONS[row], mixed(size))[0]) for size in (None, 2, 20))
    assert abs(math.log10(abs(best - large) / abs(best - small)) - PARTITIONS[row].class_weight) < math.log10(1.03)


EXACT = ["adjusted_rand_score", "adjusted_mutual_info_score", "v_measure_score", "clustering_accuracy", "purity_score"]
EXACT += ["variation_of_information", "bcubed_f_score", "element_centric_score", "pair_sets_index", "pair_f_score"]


@pytest.mark.parametrize("row", EXACT)
def test_the_power_is_exact_where_a_loss_is_divided_by_what_depends_on_sizes_only(row):
    best, small, large = (real(exactly(PARTITIONS[row], mixed(size))[0]) for size in (None, 2, 20))
    assert abs((best - large) / (best - small) - 10 ** PARTITIONS[row].class_weight) < ZERO


@pytest.mark.parametrize("row", [name for name, row in PARTITIONS.items() if row.best is None])
def test_what_has_no_best_value_has_no_weight(row):
    assert PARTITIONS[row].class_weight is None


def test_the_tables_are_all_that_there_are():
    """The numbers of partitions are Bell's, and those of permutations factorials."""
    assert [len(tables_of_pairs(n)) for n in (2, 3, 4, 5, 6)] == [2, 5, 15, 52, 203]
    totals = Counter(tables.total() for tables in tables_of_all_permutations())
    sizes = {2: 2, 3: 3, 4: 5, 5: 7, 6: 11}  # ways to write n as a sum
    assert totals == {math.factorial(n): ways**2 - 2 for n, ways in sizes.items()}
