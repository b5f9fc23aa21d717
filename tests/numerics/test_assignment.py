"""One-to-one assignment against all permutations, SciPy and a dual bound."""

import itertools
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment
from scipy.sparse import coo_array
from scipy.sparse.csgraph import min_weight_full_bipartite_matching

from gpuval.numerics import assignment
from gpuval.numerics.assignment import Cells, best_in_dense, best_one_to_one


def cells_of(table):
    table = np.asarray(table)
    rows, cols = np.nonzero(table)
    return Cells(table[rows, cols], rows, cols, table.shape)


def best_by_permutations(table):
    """The largest total over all permutations of the padded square."""
    size = max(np.shape(table))
    square = np.zeros((size, size), np.asarray(table).dtype)
    square[: len(table), : len(table[0])] = table
    return max(sum(square[i, j].item() for i, j in enumerate(order)) for order in itertools.permutations(range(size)))


def best_by_scipy(table):
    rows, cols = linear_sum_assignment(table, maximize=True)
    return table[rows, cols].sum()


def check(table, rows, cols, best):
    """Raise unless the pairs are a one-to-one assignment of positive cells with the best total."""
    assert rows.dtype == cols.dtype == np.int64
    assert rows.shape == cols.shape
    assert (np.diff(rows) > 0).all()
    assert len(set(cols.tolist())) == cols.size
    picked = np.asarray(table)[rows, cols]
    assert (picked > 0).all()
    total = picked.sum()
    assert total == best if picked.dtype.kind == "i" else abs(total - best) <= 1e-13 * abs(best)


SIZES = ("SMALL_SIZE", "MODERATE_SIZE")


def as_if(monkeypatch, *sizes):
    """Let tables larger than none count as larger than these."""
    for name in sizes:
        monkeypatch.setattr(assignment, name, 0)


def always_in_steps(monkeypatch, *sizes):
    as_if(monkeypatch, *sizes)
    for name in ("DENSE_SIZE_PER_CELL", "LISTED_SIZE_PER_CELL"):
        monkeypatch.setattr(assignment, name, 0)
    monkeypatch.setattr(assignment, "MODERATE_SIZE_PER_VISIT", 0.25)


def solve_and_check(table, best=None):
    """Solve as its size asks, then in steps as a moderate table and as a large one."""
    table = np.asarray(table)
    best = best_by_permutations(table) if best is None else best
    for change, sizes in ((as_if, ()), (always_in_steps, SIZES[:1]), (always_in_steps, SIZES)):
        with pytest.MonkeyPatch.context() as monkeypatch:
            change(monkeypatch, *sizes)
            check(table, *best_one_to_one(*cells_of(table)), best)
            check(table, *best_in_dense(table), best)


def forbid(monkeypatch, *names):
    def refuse(*_args):
        raise AssertionError

    for name in names:
        monkeypatch.setattr(assignment, name, refuse)


def always_sparse(monkeypatch):
    monkeypatch.setattr(assignment, "ALWAYS_DENSE_SIZE", 0)
    monkeypatch.setattr(assignment, "DENSE_SIZE_PER_CELL", 0)


# No short cut applies: the row maxima share a column, the column maxima a row, and 3 < 2 + 2.
HARD = np.array([[3, 2], [2, 1]])


def random_table(rng, kind, shape):
    if kind == "dense":
        return rng.integers(0, 100, shape)
    if kind == "ties":
        return rng.integers(0, 3, shape)
    if kind == "sparse":
        return rng.integers(1, 100, shape) * (rng.random(shape) < 0.06)
    if kind == "planted":
        table = rng.integers(0, 40, shape)
        size = min(shape)
        table[rng.permutation(shape[0])[:size], rng.permutation(shape[1])[:size]] += rng.integers(0, 90, size)
        return table
    return rng.random(shape) * (rng.random(shape) < 0.5)


KINDS = ["dense", "ties", "sparse", "planted", "float"]


# the checker


@pytest.mark.parametrize(
    ("rows", "cols"),
    [
        ([0, 1], [1, 0]),  # a matching, but 6 instead of 8
        ([0], [0]),  # too few pairs
        ([0, 1], [0, 0]),  # a column twice
        ([0, 0, 1], [0, 1, 1]),  # a row twice
        ([1, 0], [1, 0]),  # not sorted
        ([0, 1, 2], [0, 1, 2]),  # a pair of value zero
    ],
)
def test_the_checker_rejects(rows, cols):
    table = np.array([[5, 3, 0], [3, 3, 0], [0, 0, 0]])
    check(table, np.array([0, 1]), np.array([0, 1]), 8)
    with pytest.raises(AssertionError):
        check(table, np.array(rows), np.array(cols), 8)


# all small tables


@pytest.mark.parametrize("shape", [(1, 1), (1, 3), (3, 1), (2, 2), (2, 3), (3, 2)])
@pytest.mark.parametrize("dtype", [np.int64, np.float64])
def test_every_table_of_small_values(shape, dtype):
    n_cells = shape[0] * shape[1]
    for flat in itertools.product(range(4 if n_cells < 6 else 3), repeat=n_cells):
        solve_and_check(np.array(flat, dtype).reshape(shape))


def test_a_fifth_of_all_3_by_3_tables_through_the_sparse_solver(monkeypatch):
    always_sparse(monkeypatch)
    for flat in itertools.islice(itertools.product(range(3), repeat=9), 0, None, 5):
        table = np.array(flat).reshape(3, 3)
        solve_and_check(table, best_by_scipy(table))


shapes = st.tuples(st.integers(1, 6), st.integers(1, 6))


@st.composite
def tables(draw):
    n_rows, n_cols = draw(shapes)
    whole = st.integers(0, draw(st.sampled_from([1, 5, 100, 10**10])))
    value = draw(st.sampled_from([whole, st.floats(0, 1e6, allow_subnormal=False)]))
    row = st.lists(value, min_size=n_cols, max_size=n_cols)
    table = np.array(draw(st.lists(row, min_size=n_rows, max_size=n_rows)))
    return np.where(table < 1e-9, 0, table)


@settings(max_examples=300)
@given(tables(), st.booleans())
def test_random_small_tables(table, sparse):
    with pytest.MonkeyPatch.context() as monkeypatch:
        if sparse:
            always_sparse(monkeypatch)
        solve_and_check(table)


@pytest.mark.parametrize("dtype", [np.int64, np.float64])
@pytest.mark.parametrize("shape", [(0, 0), (0, 3), (3, 0), (2, 3)])
def test_no_cells(shape, dtype):
    rows, cols = best_one_to_one(*cells_of(np.zeros(shape, dtype)))
    assert rows.size == cols.size == 0
    assert rows.dtype == cols.dtype == np.int64


@pytest.mark.parametrize("shape", [(1, 1), (5, 5), (3, 7), (7, 3), (300, 200)])
def test_all_ones_match_the_smaller_side(shape):
    solve_and_check(np.ones(shape, np.int64), min(shape))


def test_a_pair_that_would_add_nothing_is_not_listed():
    rows, cols = best_one_to_one(*cells_of([[4, 0, 0], [3, 0, 0], [0, 0, 2]]))
    np.testing.assert_array_equal(rows, [0, 2])
    np.testing.assert_array_equal(cols, [0, 2])


def test_counts_near_the_end_of_int64_do_not_wrap():
    huge = 2**62 + 2**20
    table = np.array([[huge, huge - 8, 0], [huge - 8, 0, 0], [0, 0, 1]])
    # the sum of two such cells is a negative int64, which (0, 0) would seem to outweigh
    rows, cols = best_one_to_one(*cells_of(table))
    assert list(zip(rows.tolist(), cols.tolist(), strict=True)) == [(0, 1), (1, 0), (2, 2)]


# the steps, one at a time


def total_after(step, table):
    """What a step chose plus SciPy's best on the cells it left open."""
    cells = cells_of(table)
    chosen, is_open = step(cells)
    picked = cells.take(chosen)
    left = cells.take(np.flatnonzero(is_open))
    assert np.unique(picked.rows).size == np.unique(picked.cols).size == chosen.size
    assert not np.isin(left.rows, picked.rows).any()
    assert not np.isin(left.cols, picked.cols).any()
    rest = np.zeros(cells.shape, table.dtype)
    rest[left.rows, left.cols] = left.values
    return picked.values.sum() + best_by_scipy(rest)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("step", ["solve_by_maxima", "solve_by_peeling", "solve_by_component"])
@pytest.mark.parametrize("shape", [(50, 50), (50, 30), (30, 50)])
def test_each_step_alone_is_exact(kind, step, shape):
    rng = np.random.default_rng(3)
    for _ in range(40):
        table = random_table(rng, kind, shape)
        total = total_after(getattr(assignment, step), table)
        np.testing.assert_allclose(total, best_by_scipy(table), rtol=1e-13)


@pytest.mark.parametrize("transpose", [False, True])
def test_distinct_maxima_need_nothing_else(monkeypatch, transpose):
    always_in_steps(monkeypatch, *SIZES)
    forbid(monkeypatch, "solve_by_peeling", "solve_by_component", "_solver")
    table = np.array([[5, 4, 0, 4], [0, 3, 2, 2], [4, 0, 5, 4]])
    table = table.T if transpose else table
    check(table, *best_one_to_one(*cells_of(table)), 13)


def test_peeling_needs_nothing_else(monkeypatch):
    always_in_steps(monkeypatch, *SIZES)
    forbid(monkeypatch, "solve_by_component", "_solver")
    # (0, 0) goes first; only then does (1, 1) outweigh its neighbours, and (2, 2) is last
    table = np.array([[20, 9, 9], [9, 8, 3], [9, 4, 6]])
    assert assignment.solve_by_maxima(cells_of(table))[1].all()
    check(table, *best_one_to_one(*cells_of(table)), best_by_permutations(table))


def test_peeling_finds_the_tied_cell_that_qualifies():
    # the row's first maximum shares its column with a 3, the second is alone in its own
    chosen, _ = assignment.solve_by_peeling(cells_of([[5, 5], [3, 0]]))
    assert 1 in chosen


def test_components_with_distinct_maxima_need_no_solver(monkeypatch):
    forbid(monkeypatch, "_solve")
    # a row, a column and a single cell
    table = np.array([[1, 7, 2, 0, 0], [0, 0, 0, 4, 0], [0, 0, 0, 5, 0], [0, 0, 0, 0, 6]])
    chosen, is_open = assignment.solve_by_component(cells_of(table))
    assert sorted(cells_of(table).values[chosen]) == [5, 6, 7]
    assert not is_open.any()


@pytest.fixture
def solved(monkeypatch):
    """The shapes of the tables that are left to a solver."""
    shapes, solve = [], assignment._solve

    def spy(cells):
        shapes.append(cells.shape)
        return solve(cells)

    monkeypatch.setattr(assignment, "_solve", spy)
    return shapes


def test_components_are_solved_one_by_one(monkeypatch, solved):
    table = np.zeros((60, 50), np.int64)
    for k in range(20):
        table[2 * k : 2 * k + 2, 2 * k : 2 * k + 2] = HARD
    shuffled = table[np.random.default_rng(0).permutation(60)]
    as_if(monkeypatch, *SIZES)
    check(shuffled, *best_one_to_one(*cells_of(shuffled)), 20 * 4)
    check(shuffled, *best_in_dense(shuffled), 20 * 4)
    assert solved == [(2, 2)] * 20 * 2  # listed, and as a dense table that is mostly empty


@pytest.mark.parametrize("transpose", [False, True])
def test_distinct_maxima_of_a_dense_table_need_nothing_else(monkeypatch, transpose):
    as_if(monkeypatch, *SIZES)
    forbid(monkeypatch, "_solver", "best_one_to_one")
    table = np.array([[0, 5, 4, 0, 4], [0, 0, 3, 2, 2], [0, 0, 0, 0, 0], [0, 4, 0, 5, 4]])
    table = table.T if transpose else table
    check(table, *best_in_dense(table), 13)
    with pytest.raises(AssertionError):
        best_in_dense(HARD)


def test_a_dense_table_that_is_mostly_empty_is_listed(monkeypatch):
    as_if(monkeypatch, *SIZES)
    forbid(monkeypatch, "_best_listed")
    table = np.zeros((5, 5), np.int64)
    table[:2, 0] = 1
    with pytest.raises(AssertionError):
        best_in_dense(table)
    best_in_dense(np.ones((5, 5)))


def test_the_hard_table_reaches_the_dense_solver(monkeypatch):
    forbid(monkeypatch, "_solve_sparse")
    solve_and_check(HARD)
    forbid(monkeypatch, "_solver")
    with pytest.raises(AssertionError):
        solve_and_check(HARD)


# what the short cuts may take beside SciPy's dense solver


@pytest.mark.parametrize("shape", [(2, 2), (30, 30), (100, 100), (10, 1000)])
@pytest.mark.parametrize("n", [256, 1024])
def test_small_random_tables_go_straight_to_the_solver(monkeypatch, shape, n):
    forbid(monkeypatch, "solve_by_maxima", "solve_by_peeling", "solve_by_component", "_solve_sparse")
    rng = np.random.default_rng(11)
    table = np.zeros(shape, np.int64)
    np.add.at(table, tuple(rng.integers(0, size, n) for size in shape), 1)
    best = best_by_scipy(table)
    check(table, *best_in_dense(table), best)
    check(table, *best_one_to_one(*cells_of(table)), best)


def chains(size, length):
    """A diagonal in chains of which every peeling round takes one cell."""
    table = np.zeros((size, size), np.int64)
    k = np.arange(size)
    table[k, k] = 3 * length - 2 * (k % length) + 1
    k = k[k % length > 0]
    table[k, k - 1] = 3 * length - 2 * (k % length) + 2
    return table


@pytest.mark.parametrize("layout", ["dense", "listed"])
def test_peeling_visits_no_more_cells_than_a_share_of_the_table(monkeypatch, layout):
    visits = []
    outweighing = assignment._dominant_cells

    def spy(cells):
        visits.append(cells.values.size)
        return outweighing(cells)

    monkeypatch.setattr(assignment, "_dominant_cells", spy)
    monkeypatch.setattr(assignment, "solve_by_maxima", lambda cells: (np.arange(0), cells.values > 0))
    table = chains(600, 50)
    best = best_by_scipy(table)
    check(table, *(best_in_dense(table) if layout == "dense" else best_one_to_one(*cells_of(table))), best)
    assert 0 < sum(visits) <= table.size / 16


@pytest.mark.parametrize("layout", ["dense", "listed"])
def test_a_moderate_table_of_many_components_takes_one_call_of_a_solver(solved, layout):
    rng = np.random.default_rng(12)
    table = np.kron(np.eye(300, dtype=np.int64), HARD)[rng.permutation(600)][:, rng.permutation(600)]
    check(table, *(best_in_dense(table) if layout == "dense" else best_one_to_one(*cells_of(table))), 4 * 300)
    assert solved == [(600, 600)]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", [(50, 50), (20, 60), (60, 20)])
def test_the_sparse_solver_is_exact(monkeypatch, kind, shape):
    always_sparse(monkeypatch)
    forbid(monkeypatch, "_solve_dense")
    rng = np.random.default_rng(4)
    for _ in range(20):
        table = random_table(rng, kind, shape)
        cells = cells_of(table)
        found = cells.take(np.flatnonzero(assignment._solve(cells)))
        check(table, found.rows, found.cols, best_by_scipy(table))
        solve_and_check(table, best_by_scipy(table))


def test_the_sparse_solver_keeps_counts_up_to_1e10(monkeypatch):
    always_sparse(monkeypatch)
    table = np.random.default_rng(5).integers(10**10 - 50, 10**10, (40, 40))
    solve_and_check(table, best_by_scipy(table))


def test_peeling_that_stops_early_is_exact(monkeypatch):
    monkeypatch.setattr(assignment, "WORTHWHILE_SHARE", 1.0)
    rng = np.random.default_rng(6)
    for _ in range(40):
        table = random_table(rng, "planted", (30, 30))
        solve_and_check(table, best_by_scipy(table))


# size


@pytest.mark.parametrize("kind", KINDS)
def test_1000_by_1000(kind):
    table = random_table(np.random.default_rng(7), kind, (1000, 1000))
    solve_and_check(table, best_by_scipy(table))


def total_of(cells, rows, cols):
    assert np.unique(rows).size == np.unique(cols).size == rows.size
    place = cells.rows * cells.shape[1] + cells.cols
    index = np.searchsorted(place, rows * cells.shape[1] + cols)
    np.testing.assert_array_equal(cells.rows[index], rows)
    np.testing.assert_array_equal(cells.cols[index], cols)
    return cells.values[index].sum()


def cells_of_counts(place, counts, size):
    place, inverse = np.unique(place, return_inverse=True)
    rows, cols = np.divmod(place, size)
    return Cells(np.bincount(inverse, counts).astype(np.int64), rows, cols, (size, size))


def test_a_permuted_identity_of_1e5_among_a_million_cells():
    rng = np.random.default_rng(8)
    size, n_noise = 10**5, 9 * 10**5
    planted = np.arange(size) * size + rng.permutation(size)
    noise = rng.integers(0, size**2, n_noise)
    counts = np.r_[rng.integers(50, 100, size), rng.integers(1, 20, n_noise)]
    cells = cells_of_counts(np.r_[planted, noise], counts, size)
    largest = np.zeros(size, np.int64)
    np.maximum.at(largest, cells.rows, cells.values)
    assert total_of(cells, *best_one_to_one(*cells)) == largest.sum()


def test_50000_shuffled_hard_blocks():
    rng = np.random.default_rng(9)
    size = 10**5
    row_names, col_names = rng.permutation(size), rng.permutation(size)
    rows = row_names[np.arange(size).repeat(2)]
    cols = col_names[(np.arange(0, size, 2)[:, None] + [0, 1, 0, 1]).ravel()]
    cells = cells_of_counts(rows * size + cols, np.tile(HARD.ravel(), size // 2), size)
    assert total_of(cells, *best_one_to_one(*cells)) == 4 * size // 2


@pytest.mark.parametrize("share_moved", [0.3, 0.8])
def test_merged_and_scattered_clusters_against_one_sparse_solve(share_moved):
    rng = np.random.default_rng(10)
    size, n = 10**4, 5 * 10**4
    classes = rng.integers(0, size, n)
    clusters = np.where(rng.random(n) < 0.3, classes // 3, classes)
    clusters = np.where(rng.random(n) < share_moved, rng.integers(0, size, n), clusters)
    cells = cells_of_counts(classes * size + clusters, np.ones(n), size)
    assert assignment.solve_by_maxima(cells)[1].all()

    # without any short cut, and shifted by one instead of weighing the columns of one's own by tiny
    own = np.arange(size)
    weights = np.r_[cells.values + 1, np.ones(size)]
    ends = np.array([np.r_[cells.rows, own], np.r_[cells.cols, size + own]], np.int32)
    graph = coo_array((weights, tuple(ends)), shape=(size, 2 * size)).tocsr()
    best = graph[min_weight_full_bipartite_matching(graph, maximize=True)].sum() - size
    assert total_of(cells, *best_one_to_one(*cells)) == best


def test_scipy_is_imported_only_when_a_solver_is_needed():
    code = """if True:
        import sys
        import numpy as np
        from gpuval.numerics.assignment import best_in_dense, best_one_to_one
        table = np.array([[20, 9, 9], [9, 18, 3], [9, 4, 16]])
        best_in_dense(table)
        best_one_to_one(table.ravel(), *np.divmod(np.arange(9), 3), (3, 3))
        assert "scipy" not in sys.modules
    """
    subprocess.run([sys.executable, "-c", code], check=True)


def test_only_the_compiled_solver_of_scipy_is_loaded():
    """It is private: should it move, the public name still solves, after half a second, and this test tells."""
    code = """if True:
        import sys
        import numpy as np
        from gpuval.numerics.assignment import best_in_dense
        table = np.random.default_rng(0).integers(1, 99, (7, 9))
        table[:, 0] = 99
        rows, cols = best_in_dense(table)
        assert "scipy.optimize" not in sys.modules, "the solver was not found by itself"
        from scipy.optimize import linear_sum_assignment
        assert table[rows, cols].sum() == table[linear_sum_assignment(table, maximize=True)].sum()
    """
    subprocess.run([sys.executable, "-c", code], check=True)


def test_without_the_compiled_module_the_public_solver_is_taken(monkeypatch):
    def fail(name):
        raise ImportError(name)

    monkeypatch.setattr(assignment, "load_alone", fail)
    assert assignment._solver.__wrapped__() is linear_sum_assignment


def test_a_module_that_is_not_there_is_an_import_error():
    for name in ("scipy.optimize._no_solver", "no_scipy.optimize"):
        with pytest.raises(ImportError, match=name):
            assignment.load_alone(name)
