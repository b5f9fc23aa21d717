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


def most_shared(counts):
    """The largest sum of a one-to-one matching, by trying all of them."""
    wide = counts if counts.shape[0] <= counts.shape[1] else counts.T
    places = itertools.permutations(range(wide.shape[1]), wide.shape[0])
    return max(wide[np.arange(len(wide)), list(x)].sum() for x in places)


def most_shared_in_order(counts):
    """The same of those matchings in which rows and columns rise together."""
    most = np.zeros(np.add(counts.shape, 1))
    for i, j in np.ndindex(counts.shape):
        most[i + 1, j + 1] = max(most[i, j] + counts[i, j], most[i, j + 1], most[i + 1, j])
    return most[-1, -1]


@pytest.mark.parametrize("counts", TABLES)
def test_matched_rows_and_columns_are_in_the_same_order(counts):
    rows, columns = diagonal_order(counts)
    assert most_shared_in_order(counts[rows][:, columns]) == pytest.approx(most_shared(counts))


def test_an_order_without_the_best_matching_is_found():
    assert most_shared_in_order(np.eye(3)[::-1]) < most_shared(np.eye(3)[::-1])


@pytest.mark.parametrize("seed", range(20))
def test_what_has_no_partner_stands_in_the_group_that_it_shares_most_with(seed):
    random = np.random.default_rng(seed)
    counts = random.random((random.integers(2, 12), random.integers(2, 12)))  # one matching is the best
    partners = dict(zip(*linear_sum_assignment(counts, maximize=True), strict=True))
    row_of = {column: row for row, column in partners.items()}
    rows, columns = (x.tolist() for x in diagonal_order(counts))
    group_of_row = [x if x in partners else row_of[list(row_of)[counts[x, list(row_of)].argmax()]] for x in rows]
    matched = list(partners)
    group_of_column = [row_of[x] if x in row_of else matched[counts[matched, x].argmax()] for x in columns]
    runs = [x for x, _ in itertools.groupby(group_of_row)]
    assert runs == [x for x, _ in itertools.groupby(group_of_column)]  # each is one run on both sides
    assert len(runs) == len(set(runs)) == len(partners)
    sizes = [sum(counts[x].sum() for x, group in zip(rows, group_of_row, strict=True) if group == run) for run in runs]
    assert sizes == sorted(sizes, reverse=True)
    for run in runs:  # what is matched comes first
        assert rows[group_of_row.index(run)] == run
        assert columns[group_of_column.index(run)] == partners[run]


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
