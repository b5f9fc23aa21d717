"""The kernels and the code that calls them, over the stand-ins, against plain loops and NumPy."""

import cupy
import numpy as np
import pytest
from kernel_instances import PAIRS

from cupy_on_cpu import launched_own
from cupy_on_cpu.arrays import on_device
from cupy_on_cpu.broken import Fault, needed_barriers, put_edited
from gpuval.engines.cuda import kernels, tabulate

pytestmark = pytest.mark.usefixtures("checked")

SIGNED = [np.int8, np.int16, np.int32, np.int64]
DTYPES = [*SIGNED, np.uint8, np.uint16, np.uint32, np.uint64, np.bool_]
KERNELS = ["joint_shared", "joint_global", "joint_global_sums"]
SIZES = [1, 2, 3, 4, 5, 15, 16, 17, 31, 32, 33, 63, 65, 127, 128, 129, 500, 2051]


def width(dtype):
    return f"u{8 * np.dtype(dtype).itemsize}"


def prefer(kernel, monkeypatch):
    """Have few samples counted by this kernel; with weights, by the last one for the second."""
    monkeypatch.setattr(kernels, "_SAMPLES_PER_CELL", 0 if kernel == "joint_shared" else 10**9)
    monkeypatch.setattr(kernels, "goes_straight", lambda *_: kernel == "joint_global_sums")


DTYPE_PAIRS = [(a, b) for a in DTYPES for b in DTYPES if (width(a), width(b)) in PAIRS]


def by_loop(a, b, rows, columns, weights=None):
    """The counts of the samples inside, and how many are outside."""
    table = [[0] * len(columns) for _ in rows]
    outside = 0
    for i, (x, y) in enumerate(zip(a.tolist(), b.tolist(), strict=True)):
        if int(x) in rows and int(y) in columns:
            table[int(x) - rows.start][int(y) - columns.start] += 1 if weights is None else weights[i].item()
        else:
            outside += 1
    return table, outside


def check(a, b, rows, columns, weights=None, shifts=(0, 0)):
    given = None if weights is None else on_device(weights)
    found, outside = tabulate.dense_counts(on_device(a, shifts[0]), on_device(b, shifts[1]), rows, columns, given)
    table, strays = by_loop(a, b, rows, columns, weights)
    assert found.dtype == (np.float64 if weights is not None and weights.dtype.kind == "f" else np.int64)
    if found.dtype == np.int64:
        assert found.tolist() == table
    else:
        np.testing.assert_allclose(found.get(), table, rtol=1e-14)
    assert int(outside) == strays


def some(rng, dtype, n, low, high):
    """Random labels; of booleans those that view() makes, too: any byte but 0 is true."""
    if dtype is np.bool_:
        return rng.choice(np.asarray([0, 1, 2, 255], np.uint8), n).view(np.bool_)
    info = np.iinfo(dtype)
    return rng.integers(max(low, info.min), min(high, info.max + 1), n).astype(dtype)


def test_the_loop_counts():
    assert by_loop(np.array([0, 1, 1, -1]), np.array([0, 0, 5, 0]), range(2), range(1)) == ([[1], [1]], 2)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize(("a", "b"), DTYPE_PAIRS)
def test_every_dtype(a, b, kernel, monkeypatch):
    """Of labels from 0 on, some of which are outside; negative ones must not come in at the other end."""
    prefer(kernel, monkeypatch)
    rng = np.random.default_rng(1)
    sides = 2 if a is np.bool_ else 5, 2 if b is np.bool_ else 300
    x, y = some(rng, a, 700, -2, sides[0] + 2), some(rng, b, 700, -2, sides[1] + 2)
    check(x, y, range(5), range(300))
    assert any(f"gpuval::{kernel}<" in name for name in launched_own())


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.int64])
def test_edges_of_packs_and_warps(n, dtype):
    """With starts that no pack is aligned to, on either side."""
    rng = np.random.default_rng(n)
    x, y = some(rng, dtype, n, 0, 7), some(rng, dtype, n, 0, 3)
    for shifts in ((0, 0), (1, 0), (0, 3), (1, 1)):
        check(x, y, range(7), range(3), shifts=shifts)


UNSIGNED = {"u8": np.uint8, "u16": np.uint16, "u32": np.uint32, "u64": np.uint64}
STARTS = [(0, 1), (1, 0), (1, 1), (3, 3), (2, 5), (5, 2), (7, 15), (15, 8), (4, 12)]


@pytest.mark.parametrize("starts", STARTS)
@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_odd_starts_of_both_sides(a, b, starts, monkeypatch):
    """Of so many samples that warps read packs: what they load is aligned, and none of it lies outside a vector."""
    rng = np.random.default_rng(sum(starts))
    x, y = rng.integers(0, 90, 2500).astype(UNSIGNED[a]), rng.integers(0, 70, 2500).astype(UNSIGNED[b])
    x[70], y[2000] = 90, 70  # outside
    for kernel in KERNELS:
        prefer(kernel, monkeypatch)
        check(x, y, range(90), range(70), shifts=starts)
        assert f"gpuval::{kernel}<" in launched_own()[-1]
    check(x, y, range(90), range(70), rng.integers(0, 9, 2500), starts)
    on_both = on_device(x, starts[0]), on_device(y, starts[1])
    assert tabulate.limits_of(*on_both) == ((x.min(), 90), (y.min(), 70))
    for columns in (range(71), range(2**33)):  # of keys of 32 and of 64 bits
        runs = tabulate.runs_of(*on_both, range(91), columns)
        cells, times = np.unique(np.stack([x, y]).astype(np.int64), axis=1, return_counts=True)
        np.testing.assert_array_equal(cupy.stack(runs).get(), [*cells, times])


@pytest.mark.parametrize("extra", range(0, 36, 5))
def test_ends_of_bodies(extra, monkeypatch):
    """Vectors that end with the last pack that whole warps read, or a few samples behind it."""
    prefer("joint_shared", monkeypatch)
    for n in (1024 + extra, 2048 + extra):
        x, y = np.arange(n) % 11, np.arange(n) % 7
        for shifts in ((0, 0), (1, 0), (1, 2), (9, 14)):
            check(x.astype(np.int8), y.astype(np.int8), range(11), range(7), shifts=shifts)


@pytest.mark.parametrize(
    ("right", "wrong", "message"),
    [
        ("const T* aligned = from - shift / sizeof(T);", "const T* aligned = from;", "misaligned access: needs 16"),
        ("if (shift > begin * sizeof(Other)) begin += N;", "", r"reads 16 bytes at byte -\d+ of argument 1"),
        ("shift == 0 ? n : n < N ? 0 : n - N;", "n;", r"reads 16 bytes at byte \d+ of argument 1, which has"),
    ],
)
def test_a_wrong_load_is_found(right, wrong, message, monkeypatch):
    put_edited(monkeypatch, "joint", "gpuval::joint_shared<u8, u8, gpuval::One>", right, wrong)
    monkeypatch.setattr(kernels, "_SAMPLES_PER_CELL", 0)

    def check_many_sizes():
        for n in range(1000, 1100):
            check(np.zeros(n, np.uint8), np.zeros(n, np.uint8), range(3), range(3), shifts=(0, 1))

    with pytest.raises(Fault, match=message):
        check_many_sizes()


def test_a_table_of_more_columns_than_bytes_reach(monkeypatch):
    """Bytes are counted two at once, by factors of 16 bits: of one row, columns may be nearly as many."""
    prefer("joint_shared", monkeypatch)
    labels = np.resize(np.arange(256, dtype=np.uint8), 20_000)
    check(np.zeros(20_000, np.uint8), labels, range(1), range(58_000))
    assert "joint_shared<u8, u8" in launched_own()[-1]


KINDS = {
    "sorted": lambda rng, n: (np.sort(rng.integers(0, 9, n)), rng.integers(0, 4, n)),
    "constant": lambda rng, n: (np.full(n, 3), np.full(n, 2)),
    "one cell holds most": lambda rng, n: (np.where(rng.random(n) < 0.9, 4, rng.integers(0, 9, n)), np.zeros(n, int)),
    "all outside": lambda rng, n: (np.full(n, -1), np.full(n, 99)),
}


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("kind", KINDS)
def test_orders_and_shares(kind, kernel, monkeypatch):
    prefer(kernel, monkeypatch)
    x, y = (z.astype(np.int32) for z in KINDS[kind](np.random.default_rng(2), 3000))
    check(x, y, range(9), range(4))


@pytest.mark.parametrize("shape", [(1, 1), (1, 50), (50, 1), (120, 120), (240, 242), (500, 500), (5000, 5000)])
def test_tables_of_every_size(shape):
    rng = np.random.default_rng(3)
    x, y = (rng.integers(0, size, 20_000).astype(np.int32) for size in shape)
    found, outside = tabulate.dense_counts(on_device(x), on_device(y), *map(range, shape))
    wanted = np.bincount(x.astype(np.int64) * shape[1] + y, minlength=shape[0] * shape[1]).reshape(shape)
    np.testing.assert_array_equal(found.get(), wanted)
    assert int(outside) == 0


@pytest.mark.parametrize("kernel", ["joint_shared", "joint_global_sums"])
@pytest.mark.parametrize("dtype", [np.int64, np.float64])
def test_weights(dtype, kernel, monkeypatch):
    prefer(kernel, monkeypatch)
    rng = np.random.default_rng(4)
    weights = rng.integers(0, 2**38, 900).astype(dtype)
    check(some(rng, np.int32, 900, -1, 6), some(rng, np.int32, 900, 0, 5), range(5), range(5), weights)


@pytest.mark.parametrize("kernel", ["joint_shared", "joint_global_sums"])
@pytest.mark.parametrize("bad", [-1, -(2**63), np.nan, np.inf, -np.inf, -1e-300])
def test_weights_that_are_none(bad, kernel, monkeypatch):
    prefer(kernel, monkeypatch)
    weights = np.full(100, 2, dtype=np.int64 if isinstance(bad, int) else np.float64)
    weights[[3, 50]] = bad
    labels = np.zeros(100, np.int32)
    labels[[3, 4]] = 9
    found, broken = tabulate.dense_counts(on_device(labels), on_device(labels), range(1), range(1), on_device(weights))
    assert found.tolist() == [[2 * 97]]
    assert int(broken) == 3


def test_labels_that_start_elsewhere():
    for dtype, low in ((np.int8, -128), (np.int64, -(2**63)), (np.uint64, 2**63 - 2), (np.int32, -7), (np.uint8, 250)):
        x = (np.arange(100) % 5 + low).astype(dtype)
        check(x, x[::-1].copy(), range(low, low + 5), range(low, low + 5))


def test_more_samples_than_one_launch(monkeypatch):
    monkeypatch.setattr(tabulate, "MOST_SAMPLES", 640)
    rng = np.random.default_rng(5)
    check(some(rng, np.int32, 1000, 0, 4), some(rng, np.int32, 1000, 0, 4), range(4), range(4), shifts=(1, 0))


def test_few_samples_of_a_large_table(monkeypatch):
    """Are added to it as they are: nothing of its size is cleared for them."""
    x = np.array([0, 70, 70, 799, -1, 800])
    check(x, x, range(800), range(800))
    assert [name.split("<")[0] for name in launched_own()] == ["gpuval::joint_global_sums"]


def test_a_table_in_another_order_is_an_error():
    counts = cupy.zeros((3, 4), np.int64, order="F")
    zeros = on_device(np.zeros(3, np.int64))
    with pytest.raises(ValueError, match="counts must be contiguous"):
        tabulate.add_to(counts, on_device(np.zeros(1, np.int64)), zeros, zeros, range(3), range(4))


@pytest.mark.parametrize(("a", "b"), DTYPE_PAIRS)
def test_which_labels_were_seen(a, b):
    """Once a sample was outside; before that nothing is read."""
    rng = np.random.default_rng(9)
    x, y = (rng.integers(0, 256, 70 * np.dtype(z).itemsize).astype(np.uint8).view(z) for z in (a, b))
    largest = np.iinfo(np.int64).max
    furthest = on_device(np.full(4, largest))
    tabulate.lower_bounds(furthest, on_device(np.zeros(1, np.int64)), on_device(x), on_device(y))
    assert furthest.tolist() == [largest] * 4
    tabulate.lower_bounds(furthest, on_device(np.ones(1, np.int64)), on_device(x), on_device(y))
    lows, highs = ([min(int(f(z)), largest) for z in (x, y)] for f in (np.min, np.max))
    assert furthest.tolist() == [lows[0], ~highs[0], lows[1], ~highs[1]]


def test_labels_that_are_not_contiguous():
    x = on_device([0, 9, 1, 9, 1, 9, 2, 9])[::2]
    assert tabulate.limits_of(x, x) == ((0, 2), (0, 2))
    counts, outside = tabulate.dense_counts(x, x, range(3), range(3))
    assert (counts.tolist(), int(outside)) == ([[1, 0, 0], [0, 2, 0], [0, 0, 1]], 0)
    assert [z.tolist() for z in tabulate.runs_of(x, x, range(3), range(3))] == [[0, 1, 2], [0, 1, 2], [1, 2, 1]]


def test_no_samples_and_no_cells():
    none = np.zeros(0, np.int64)
    check(none, none, range(3), range(2))
    check(none, none, range(0), range(0))


@pytest.mark.parametrize("n", [1, 31, 32, 33, 1000, 4097])
@pytest.mark.parametrize(("a", "b"), DTYPE_PAIRS)
def test_limits(a, b, n):
    if n > 33 and not (a in SIGNED or b in SIGNED):
        n = 50
    rng = np.random.default_rng(n)
    x, y = (rng.integers(0, 256, n * np.dtype(z).itemsize).astype(np.uint8).view(z) for z in (a, b))
    found = tabulate.limits_of(on_device(x, 1), on_device(y))
    assert found == ((int(x.min()), int(x.max())), (int(y.min()), int(y.max())))


def check_runs(x, y, rows, columns):
    runs = tabulate.runs_of(on_device(x), on_device(y), rows, columns)
    places = [z.astype(np.int64) - side.start for z, side in ((x, rows), (y, columns))]
    wanted, times = np.unique(np.stack(places), axis=1, return_counts=True)
    np.testing.assert_array_equal(cupy.stack(runs).get(), [*wanted, times])


@pytest.mark.parametrize("at_once", [64, 1 << 28])
@pytest.mark.parametrize("n", [1, 2, 255, 256, 257, 4096, 9001])
@pytest.mark.parametrize("sizes", [(3, 4), (1000, 1000), (2**20, 2**20), (1, 2**32)])
def test_runs(n, sizes, at_once, monkeypatch):
    if n > 300 and at_once == 64:
        at_once = 2048
    monkeypatch.setattr(tabulate, "_SORTED_AT_ONCE", at_once)
    rng = np.random.default_rng(n)
    x, y = (rng.integers(0, size, n) - 5 for size in sizes)
    rows, columns = (range(-5, size - 5) for size in sizes)
    check_runs(x, y, rows, columns)


def test_runs_of_booleans():
    labels, x = np.arange(500) % 7, some(np.random.default_rng(7), np.bool_, 500, 0, 1)
    check_runs(x, labels.astype(np.uint32), range(2), range(7))
    check_runs(labels, x, range(7), range(2))


@pytest.mark.parametrize("at_once", [3000, 1 << 28])
@pytest.mark.parametrize("n", [1, 33, 2047, 2048, 2049, 9001])
@pytest.mark.parametrize("kind", ["random", "sorted", "constant"])
@pytest.mark.parametrize(("a", "b"), [(np.int64, np.int64), (np.int32, np.uint32)])
def test_runs_of_keys_that_are_dealt(a, b, kind, n, at_once, monkeypatch):
    """Of 36 bits, sorted as 32: buckets that are full, empty, or of one key."""
    monkeypatch.setattr(tabulate, "_SORTED_AT_ONCE", at_once)
    monkeypatch.setattr(kernels, "_FEWEST_DEALT", 0)
    rng = np.random.default_rng(n)
    x, y = rng.integers(-7, 2**18 - 7, n).astype(a), rng.integers(0, 2**18, n).astype(b)
    if kind == "sorted":
        x.sort()
    if kind == "constant":
        x[:], y[:] = 2**17, 3
    x[0], y[n // 2] = 2**18 - 8, 0
    check_runs(x, y, range(-7, 2**18 - 7), range(2**18))
    assert any("deal_keys" in name for name in launched_own())
    assert not any("keys_of" in name for name in launched_own())


@pytest.mark.parametrize(
    ("file", "kernel", "types", "barriers"),
    [("keys", "bucket_sizes", "u64, u64", 2), ("keys", "deal_keys", "u64, u64", 3), ("runs", "write_runs", "u32", 2)],
)
def test_runs_need_every_barrier(file, kernel, types, barriers, monkeypatch):
    """Of so many samples that each block has several rounds."""
    monkeypatch.setattr(kernels, "_FEWEST_DEALT", 0)
    x, y = np.random.default_rng(8).integers(0, 2**18, (2, 20_000))

    def run():
        check_runs(x, y, range(2**18), range(2**18))

    run()
    name = f"gpuval::{kernel}<{types}>"
    assert name in launched_own()
    assert needed_barriers(file, kernel, name, run, monkeypatch) == barriers


def test_runs_of_nothing_and_of_too_much():
    none = on_device(np.zeros(0, np.int64))
    assert [x.size for x in tabulate.runs_of(none, none, range(3), range(3))] == [0, 0, 0]
    assert tabulate.runs_of(none, none, range(2**40), range(2**40)) is None


@pytest.mark.parametrize("built_as", ["address"], indirect=True)
def test_under_the_address_sanitizer(built_as):
    """Arrays end where they end: nothing is read or written beyond, at sizes around the edges of packs."""
    rng = np.random.default_rng(6)
    for dtype, n in ((np.int8, 33), (np.int32, 131), (np.int64, 7)):
        x, y = some(rng, dtype, n, 0, 7), some(rng, dtype, n, -1, 3)
        check(x, y, range(7), range(3), shifts=(1, 0))
        assert tabulate.limits_of(on_device(x, 1), on_device(y))[0] == (int(x.min()), int(x.max()))
    runs = tabulate.runs_of(on_device(x), on_device(x), range(7), range(7))
    assert int(runs.counts.sum()) == n


def test_a_kernel_without_its_barrier_is_found(monkeypatch):
    """What these tests would say if the table in shared memory were read before it is counted."""
    name, barrier = "gpuval::joint_shared<u32, u32, gpuval::One>", "  runs.end();\n  __syncthreads();\n"
    put_edited(monkeypatch, "joint", name, barrier, "  runs.end();\n")
    monkeypatch.setattr(kernels, "_SAMPLES_PER_CELL", 0)
    with pytest.raises(Fault):
        check(np.arange(2000, dtype=np.int32) % 5, np.zeros(2000, np.int32), range(5), range(3))
