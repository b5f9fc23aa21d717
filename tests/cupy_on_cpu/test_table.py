"""What scores read of a table, by the kernels over the stand-ins, against Python's integers and 50 digits."""

import functools
from fractions import Fraction

import mpmath
import numpy as np
import pytest

from cupy_on_cpu import arrays
from cupy_on_cpu.broken import needed_barriers
from gpuval.engines.cuda import statistics

pytestmark = pytest.mark.usefixtures("checked")


on_device = functools.partial(arrays.on_device, dtype=np.int64)


def with_margins(counts):
    counts = np.asarray(counts)
    return tuple(map(on_device, (counts, counts.sum(axis=1), counts.sum(axis=0), counts.sum())))


def listed(counts):
    """The same, with the cells that are not empty."""
    rows, columns = np.nonzero(counts)
    return (on_device(counts[rows, columns]), *with_margins(counts)[1:], on_device(rows), on_device(columns))


def some(shape, largest, rng, share=0.7):
    return np.where(rng.random(shape) < share, rng.integers(0, largest, shape), 0)


SHAPES = [(1, 1), (2, 3), (1, 700), (300, 1), (63, 257), (65, 255), (130, 40)]


@pytest.mark.parametrize("shape", SHAPES)
def test_margins(shape):
    counts = some(shape, 2**30, np.random.default_rng(1))
    rows, columns, total = statistics.margins_of(on_device(counts))
    np.testing.assert_array_equal(rows.get(), counts.sum(axis=1))
    np.testing.assert_array_equal(columns.get(), counts.sum(axis=0))
    assert total.shape == ()
    assert int(total) == counts.sum()


@pytest.mark.parametrize("shape", [(3, 4), (5, 6), (31, 33), (32, 32)])
def test_margins_start_where_xla_wants_arrays_to_start(shape):
    sides = statistics.margins_of(on_device(np.ones(shape)))
    starts = [x.data.ptr for x in sides]
    assert [(x - starts[0]) % 256 for x in starts] == [0, 0, 0]


@pytest.mark.parametrize("shape", [(0, 0), (0, 3), (2, 0)])
def test_no_cells(shape):
    rows, columns, total = statistics.margins_of(on_device(np.zeros(shape)))
    assert rows.tolist() == [0] * shape[0]
    assert columns.tolist() == [0] * shape[1]
    assert int(total) == 0
    given = with_margins(np.zeros(shape, np.int64))
    assert statistics.pair_parts(*given).tolist() == [0] * 6
    assert statistics.information_parts(*given).tolist() == [0] * 3


def pairs_by_definition(counts):
    cells, classes, clusters = (
        sum(int(x) ** 2 for x in np.ravel(y)) for y in (counts, counts.sum(axis=1), counts.sum(axis=0))
    )
    n = int(counts.sum())
    both, true_only, pred_only = cells - n, classes - cells, clusters - cells
    neither = n * n - n - both - true_only - pred_only
    return [both, true_only, pred_only, neither, both * neither - true_only * pred_only, true_only - pred_only]


def test_the_definition_of_pairs():
    """Of [0, 0, 1] and [0, 1, 1]: no pair is together in both, one in each, one in none; ordered ones are twice."""
    assert pairs_by_definition(np.array([[1, 1], [0, 1]])) == [0, 2, 2, 2, -4, 0]


@pytest.mark.parametrize("largest", [2, 1000, 2**24 + 3, 2**31])
@pytest.mark.parametrize("shape", SHAPES)
def test_pairs(shape, largest):
    """Up to 2^39 samples in all, where products of pairs have 156 bits."""
    largest = min(largest, 2**39 // (shape[0] * shape[1]))
    counts = some(shape, largest, np.random.default_rng(2))
    found = statistics.pair_parts(*with_margins(counts)).tolist()
    for value, wanted in zip(found, pairs_by_definition(counts), strict=True):
        assert abs(mpmath.mpf(value) - wanted) <= 2.5e-16 * abs(wanted)


def test_pairs_of_one_large_cell():
    n = 2**39 - 1
    assert statistics.pair_parts(*with_margins(np.array([[n]]))).tolist() == [float(n * n - n), 0, 0, 0, 0, 0]


@mpmath.workdps(50)
def information_by_definition(counts):
    n = mpmath.mpf(int(counts.sum()))
    rows, columns = ([int(x) for x in counts.sum(axis=i)] for i in (1, 0))
    filled = [(int(counts[i, j]), rows[i], columns[j]) for i, j in zip(*np.nonzero(counts), strict=True)]
    return [
        sum((k * mpmath.log(k * n / (mpmath.mpf(a) * b)) for k, a, b in filled), mpmath.mpf(0)) / n,
        sum((k * mpmath.log(mpmath.mpf(b) / k) for k, a, b in filled), mpmath.mpf(0)) / n,
        sum((k * mpmath.log(mpmath.mpf(a) / k) for k, a, b in filled), mpmath.mpf(0)) / n,
    ]


def test_the_definition_of_information():
    mutual, true_given_pred, pred_given_true = information_by_definition(np.array([[1, 0], [1, 2]]))
    assert float(true_given_pred) == pytest.approx(np.log(2) / 2)
    assert float(pred_given_true) == pytest.approx((np.log(3) + 2 * np.log(1.5)) / 4)
    assert float(mutual + pred_given_true) == pytest.approx(np.log(2))


@pytest.mark.parametrize("layout", [with_margins, listed])
@pytest.mark.parametrize("share", [0.1, 1.0])
@pytest.mark.parametrize("largest", [3, 10**6, 2**34])
@pytest.mark.parametrize("shape", [(1, 1), (3, 4), (40, 33), (7, 300)])
def test_information(shape, largest, share, layout):
    largest = min(largest, 2**39 // (shape[0] * shape[1]))
    counts = some(shape, largest, np.random.default_rng(3), share)
    counts[0, 0] += 1
    found = statistics.information_parts(*layout(counts)).tolist()
    for value, wanted in zip(found, information_by_definition(counts), strict=True):
        assert abs(value - wanted) <= 1e-14 * abs(wanted) + 1e-17


@pytest.mark.parametrize("layout", [with_margins, listed])
def test_what_must_be_zero_is_zero(layout):
    """Identical partitions leave nothing open; independent ones share nothing, to the last digit."""
    rng = np.random.default_rng(4)
    mutual, *open_ = statistics.information_parts(*layout(np.diag(rng.integers(1, 10**9, 50)))).tolist()
    assert open_ == [0, 0]
    assert mutual > 0
    independent = np.outer(rng.integers(1, 10**4, 20), rng.integers(1, 10**4, 30))
    assert statistics.information_parts(*layout(independent)).tolist()[0] == 0


@pytest.mark.parametrize("built_as", ["checked", "address"], indirect=True)
def test_sums_of_several_blocks(set_processors, built_as):
    """Of more cells than the blocks that run at once take in a stride, on memory that ends where it ends."""
    counts = some((90, 131), 1000, np.random.default_rng(5))
    set_processors(3)
    assert statistics._grid(with_margins(counts)[0]) == 6
    assert statistics.pair_parts(*with_margins(counts)).tolist() == pytest.approx(
        pairs_by_definition(counts), rel=1e-15
    )
    wanted = [float(x) for x in information_by_definition(counts)]
    for layout in (with_margins, listed):
        assert statistics.information_parts(*layout(counts)).tolist() == pytest.approx(wanted, rel=1e-14)
    for found, axes in zip(statistics.margins_of(on_device(counts)), (1, 0, None), strict=True):
        np.testing.assert_array_equal(found.get(), counts.sum(axis=axes))


@pytest.mark.parametrize(
    ("file", "name", "parts", "layout"),
    [
        ("pairs", "pair_sums", statistics.pair_parts, with_margins),
        ("pairs", "pair_parts", statistics.pair_parts, with_margins),
        ("information", "information_sums", statistics.information_parts, with_margins),
        ("information", "information_sums", statistics.information_parts, listed),
        ("information", "information_parts", statistics.information_parts, with_margins),
    ],
)
def test_sums_need_every_barrier(file, name, parts, layout, monkeypatch):
    """Those of the sum over a block, which each kernel takes several times."""
    given = layout(some((30, 40), 1000, np.random.default_rng(6)))
    run = functools.partial(parts, *given)
    run()
    assert needed_barriers(file, "of_block", f"gpuval::{name}", run, monkeypatch) == 2


def overlaps(counts):
    """By the definitions, with fractions: which measures of overlap read of a table."""
    counts = np.asarray(counts)
    n, (a, b) = int(counts.sum()), (counts.sum(axis=1).tolist(), counts.sum(axis=0).tolist())
    cells = [(i, j, int(x)) for (i, j), x in np.ndenumerate(counts) if x]
    if not n:
        return [1] * 6
    best = {j: max((x, a[i]) for i, k, x in cells if k == j) for j in range(len(b)) if b[j]}
    f_of_classes = {i: max(Fraction(2 * x, a[i] + b[j]) for k, j, x in cells if k == i) for i in range(len(a)) if a[i]}
    return [
        Fraction(sum(x for x, _ in best.values()), n),
        Fraction(sum(int(row.max()) for row in counts), n),
        sum(Fraction(x * x, b[j]) for _, j, x in cells) / n,
        sum(Fraction(x * x, a[i]) for i, _, x in cells) / n,
        sum(a[i] * f for i, f in f_of_classes.items()) / n,
        sum(Fraction(2 * x, size + b[j]) for j, (x, size) in best.items()) / len(best),
    ]


@pytest.mark.parametrize("shape", [(1, 1), (3, 2), (9, 70), (300, 33), (70, 9)])
@pytest.mark.parametrize("n", [0, 1, 7, 1000])
def test_overlaps(shape, n):
    rng = np.random.default_rng(n)
    for counts in (rng.multinomial(n, np.full(shape[0] * shape[1], 1 / (shape[0] * shape[1]))).reshape(shape),):
        found = statistics.overlap_parts(*with_margins(counts))
        assert found.get() == pytest.approx([float(x) for x in overlaps(counts)], rel=1e-14)


def test_of_classes_that_tie_the_larger_is_the_best():
    """Both classes have two samples of the first cluster: F is 4 / 9, not 4 / 6."""
    for counts in ([[2, 0], [2, 3]], [[2, 3], [2, 0]]):
        parts = statistics.overlap_parts(*with_margins(np.array(counts))).get()
        assert parts[5] == pytest.approx((2 * 2 / (5 + 4) + 2 * 3 / (5 + 3)) / 2, rel=1e-15)


@pytest.mark.parametrize("name", ["overlap_sums", "overlap_parts"])
def test_overlaps_need_every_barrier(name, monkeypatch):
    """Of so many columns that each block has several strips."""
    given = with_margins(some((30, 300), 1000, np.random.default_rng(6)))
    run = functools.partial(statistics.overlap_parts, *given)
    run()
    assert needed_barriers("overlaps", "of_block", f"gpuval::{name}", run, monkeypatch) == 2
    if name == "overlap_sums":
        assert needed_barriers("overlaps", "sum_columns", f"gpuval::{name}", run, monkeypatch) == 2
