"""The order in which classes and clusters match, by its definition."""

import itertools
import time

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from gpuval.plots._tables import diagonal_order


def tables():
    random = np.random.default_rng(0)
    for _ in range(60):
        shape = random.integers(1, 7, 2)
        yield random.integers(0, 30, shape) * (random.random(shape) < 0.6)
    yield np.zeros((3, 2), dtype=int)
    yield np.eye(4)
    yield random.random((5, 3))


TABLES = list(tables())


@pytest.mark.parametrize("counts", TABLES)
def test_orders_are_permutations_and_empty_ones_are_last(counts):
    rows, columns = diagonal_order(counts)
    for order, sizes in ((rows, counts.sum(axis=1)), (columns, counts.sum(axis=0))):
        assert sorted(order.tolist()) == list(range(len(sizes)))
        are_there = (sizes[order] > 0).tolist()
        assert are_there == sorted(are_there, reverse=True)


def main_rows(counts):
    """The row that most of each column belongs to, of equal ones the largest, by definition; None if it is empty."""
    sizes = counts.sum(axis=1).tolist()
    return [
        max(range(len(counts)), key=lambda i: (column[i], sizes[i], -i)) if column.any() else None
        for column in counts.T
    ]


@pytest.mark.parametrize("counts", TABLES)
def test_columns_are_in_the_order_of_their_main_rows(counts):
    rows, columns = (x.tolist() for x in diagonal_order(counts))
    mains = main_rows(counts)
    keys = [(rows.index(mains[x]), -counts[mains[x], x]) for x in columns if mains[x] is not None]
    assert keys == sorted(keys)


def test_columns_in_another_order_are_found():
    assert main_rows(np.array([[1, 5], [2, 0]])) == [1, 0]
    assert main_rows(np.array([[2, 0], [2, 0], [9, 0]])[:2, :]) == [0, None]
    assert main_rows(np.array([[2, 1], [2, 4]])) == [1, 1]  # of equal ones the larger row


@pytest.mark.parametrize("seed", range(20))
def test_rows_stand_in_the_group_that_they_share_most_with(seed):
    random = np.random.default_rng(seed)
    counts = random.random((random.integers(2, 12), random.integers(2, 12)))  # one matching is the best
    partners = dict(zip(*linear_sum_assignment(counts, maximize=True), strict=True))
    row_of = {column: row for row, column in partners.items()}
    rows = diagonal_order(counts)[0].tolist()
    groups = [x if x in partners else row_of[list(row_of)[counts[x, list(row_of)].argmax()]] for x in rows]
    runs = [x for x, _ in itertools.groupby(groups)]
    assert len(runs) == len(set(runs)) == len(partners)  # each is one run
    sizes = [sum(counts[x].sum() for x, group in zip(rows, groups, strict=True) if group == run) for run in runs]
    assert sizes == sorted(sizes, reverse=True)
    for run in runs:  # what is matched comes first
        assert rows[groups.index(run)] == run


def test_a_split_class_is_a_row_of_its_group():
    counts = np.array([[0, 0, 50, 0], [30, 0, 0, 25], [0, 40, 0, 0]])
    rows, columns = diagonal_order(counts)
    assert counts[rows][:, columns].tolist() == [[30, 25, 0, 0], [0, 0, 50, 0], [0, 0, 0, 40]]


def test_merged_classes_are_a_column_of_their_group():
    counts = np.array([[0, 50], [30, 0], [25, 0]])
    rows, columns = diagonal_order(counts)
    assert counts[rows][:, columns].tolist() == [[30, 0], [25, 0], [0, 50]]


def test_the_transposed_table_has_the_same_pairs():
    counts = np.array([[5, 0, 0], [0, 7, 2], [0, 1, 9]])
    rows, columns = diagonal_order(counts)
    other_columns, other_rows = diagonal_order(counts.T)
    pairs = set(zip(rows.tolist(), columns.tolist(), strict=True))
    assert pairs == set(zip(other_rows.tolist(), other_columns.tolist(), strict=True)) == {(0, 0), (1, 1), (2, 2)}


def test_groups_of_one_size_stay_in_their_order():
    rows, columns = diagonal_order(np.eye(5, dtype=int))
    assert rows.tolist() == columns.tolist() == [0, 1, 2, 3, 4]


def test_a_large_table_takes_seconds():
    random = np.random.default_rng(1)
    counts = np.zeros((5000, 5000), dtype=np.int64)
    true, pred = random.integers(0, 5000, (2, 100_000))
    pred = np.where(random.random(100_000) < 0.7, true, pred)
    np.add.at(counts, (true, pred), 1)
    start = time.perf_counter()
    rows, columns = diagonal_order(counts)
    assert time.perf_counter() - start < 20
    assert (counts[rows][:, columns].diagonal() > 0).mean() > 0.9
