"""Counts in slots that keys claim: a cache of each block, and a table beside the sort; over the stand-ins."""

import cupy
import numpy as np
import pytest
from kernel_instances import PAIRS

import cupy_on_cpu
from cupy_on_cpu import launched_own
from cupy_on_cpu.arrays import on_device
from cupy_on_cpu.broken import Fault, needed_barriers, put_edited
from gpuval.engines.cuda import kernels, tabulate
from gpuval.engines.cuda.kernels import Slots

pytestmark = pytest.mark.usefixtures("checked")

GOLDEN = {32: 0x9E3779B9, 64: 0x9E3779B97F4A7C15}
"""By which a key is multiplied: the upper bits of the product are its first slot."""


def homes(keys, bits, width):
    """The first slot of each key, of 2^bits."""
    return np.array([int(key) * GOLDEN[width] % 2**width >> width - bits for key in keys])


def colliding(candidates, number, bits, width):
    """As many of the candidates as asked for that have one first slot."""
    slots = homes(candidates, bits, width)
    found = candidates[slots == np.bincount(slots).argmax()]
    assert len(found) >= number
    return found[:number]


def agreeing(rng, n, size):
    """Nine labels of ten agree."""
    true = rng.integers(0, size, n)
    return true, np.where(rng.random(n) < 0.9, true, rng.integers(0, size, n))


def with_slots(keys, bits, width):
    """The keys that get one of 2^bits slots, of distinct keys in the order in which they come."""
    slots = {}
    for key, home in zip(keys.tolist(), homes(keys, bits, width).tolist(), strict=True):
        free = [slot for slot in (home, home ^ 1) if slot not in slots]
        if free:
            slots[free[0]] = key
    return list(slots.values())


@pytest.mark.parametrize(
    ("size", "n", "bits", "width", "share"),
    [
        (1000, 200_000, 13, 32, 0.998),  # the slots of a block, of labels that it reads first
        (1000, 200_000, 11, 32, 0.97),
        (10**5, 3 * 10**6, 20, 64, 0.9995),  # those beside a sort
        (10**5, 3 * 10**6, 19, 64, 0.998),
    ],
)
def test_cells_of_many_samples_come_early_and_have_slots(size, n, bits, width, share):
    """Of clusters that agree, at least this share of the cells where they do: samples come in one order here."""
    true, pred = agreeing(np.random.default_rng(0), n, size)
    keys, first = np.unique(true * size + pred, return_index=True)
    frequent = np.arange(size) * (size + 1)
    assert np.isin(frequent, with_slots(keys[np.argsort(first)], bits, width)).mean() >= share


KINDS = {
    "random": lambda rng, n, size: tuple(rng.integers(0, size, (2, n))),
    "agreeing": agreeing,
    "constant": lambda rng, n, size: (np.full(n, size - 1), np.full(n, 2)),
    "sorted": lambda rng, n, size: tuple(np.sort(x) for x in agreeing(rng, n, size)),
    "one cell holds most": lambda rng, n, size: (np.where(rng.random(n) < 0.9, 4, rng.integers(0, size, n)),) * 2,
}


def types_of(pair):
    return [np.dtype(x.replace("u", "uint")) for x in pair]


@pytest.fixture
def cached(monkeypatch):
    """Every table is counted by the kernel with a cache of so many slots a block, but those in shared memory."""

    def of(slots):
        monkeypatch.setattr(kernels, "FEWEST_CACHED", 1)
        monkeypatch.setattr(kernels, "_SAMPLES_PER_CELL", 10**9)
        monkeypatch.setattr(kernels, "_MOST_CACHED", slots)
        monkeypatch.setattr(kernels, "goes_straight", lambda *_: False)

    return of


def check_table(x, y, rows, columns, shift=0):
    """The table, and how many samples are outside, against NumPy's."""
    counts, outside = tabulate.dense_counts(on_device(x, shift), on_device(y), rows, columns)
    x, y = x.astype(np.int64) - rows.start, y.astype(np.int64) - columns.start
    inside = (x >= 0) & (x < len(rows)) & (y >= 0) & (y < len(columns))
    cells = np.bincount(x[inside] * len(columns) + y[inside], minlength=len(rows) * len(columns))
    np.testing.assert_array_equal(counts.get(), cells.reshape(len(rows), len(columns)))
    assert int(outside) == np.count_nonzero(~inside)
    assert any("joint_cached" in name for name in launched_own())


@pytest.mark.parametrize("slots", [2, 64, 1024])
@pytest.mark.parametrize("kind", KINDS)
def test_tables_with_a_cache(kind, slots, cached):
    """With few slots most samples find none, and warps cease to look; some labels are outside."""
    cached(slots)
    x, y = (z.astype(np.int32) - 1 for z in KINDS[kind](np.random.default_rng(1), 12_000, 60))
    check_table(x, y, range(58), range(59))


@pytest.mark.parametrize("n", [1, 31, 33, 2051])
@pytest.mark.parametrize("pair", PAIRS)
def test_tables_of_every_width(pair, n, cached):
    cached(256)
    x, y = (z.astype(dtype) for z, dtype in zip(agreeing(np.random.default_rng(n), n, 50), types_of(pair), strict=True))
    check_table(x, y, range(49), range(50), shift=1)


def test_cells_of_one_slot_are_all_counted(cached):
    """Of those with one first slot two have a place, and the others are counted in the table."""
    cached(64)
    cells = colliding(np.arange(2500), 20, 6, 32)
    drawn = np.random.default_rng(2).choice(cells, 3000)
    check_table((drawn // 50).astype(np.int32), (drawn % 50).astype(np.int32), range(50), range(50))


def test_a_cache_in_several_launches(cached, monkeypatch):
    cached(128)
    monkeypatch.setattr(tabulate, "MOST_SAMPLES", 512)
    check_table(*(z.astype(np.int64) for z in agreeing(np.random.default_rng(3), 2000, 40)), range(40), range(40))


def test_the_cache_needs_every_barrier(cached, monkeypatch):
    cached(64)
    x, y = (z.astype(np.uint32) for z in agreeing(np.random.default_rng(4), 3000, 50))
    name = "gpuval::joint_cached<u32, u32>"

    def run():
        check_table(x, y, range(50), range(50))

    assert needed_barriers("cached", "joint_cached", name, run, monkeypatch) == 2


def check_runs(x, y, rows, columns, is_beside=True):
    """The non-empty cells against NumPy's; and whether they were found with slots, or by a sort of all samples."""
    cupy_on_cpu.forget()
    runs = tabulate.runs_of(on_device(x), on_device(y), rows, columns)
    places = [z.astype(np.int64) - side.start for z, side in ((x, rows), (y, columns))]
    wanted, times = np.unique(np.stack(places), axis=1, return_counts=True)
    np.testing.assert_array_equal(cupy.stack(runs).get(), [*wanted, times])
    assert [z.dtype for z in runs] == [np.int64] * 3
    names = {name.split("<")[0] for name in launched_own()}
    assert "gpuval::list_cells" in names
    assert ("gpuval::keys_of" in names) != is_beside


@pytest.fixture
def in_slots(monkeypatch):
    """Cells are counted in so many slots before the sort; a warp may list so many samples."""

    def of(number, spare=1 << 12, share=4):
        monkeypatch.setattr(tabulate, "slots_for", lambda n: Slots(number, spare, share))

    return of


@pytest.mark.parametrize("number", [4, 64, 4096])
@pytest.mark.parametrize("sizes", [(100, 100), (2**20, 2**20), (2**62, 2)])
@pytest.mark.parametrize("kind", KINDS)
def test_cells_in_slots(kind, sizes, number, in_slots):
    """Keys of up to 63 bits; with few slots most samples are listed."""
    in_slots(number)
    x, y = KINDS[kind](np.random.default_rng(5), 9001, min(*sizes, 100))
    x, y = x * (sizes[0] // 100) - 5, y * max(1, sizes[1] // 100) % sizes[1]
    check_runs(x, y, range(-5, sizes[0] - 5), range(sizes[1]))


@pytest.mark.parametrize("n", [1, 31, 33, 129, 2051])
@pytest.mark.parametrize("pair", PAIRS)
def test_slots_of_every_width(pair, n, in_slots):
    in_slots(64)
    x, y = (z.astype(dtype) for z, dtype in zip(agreeing(np.random.default_rng(n), n, 50), types_of(pair), strict=True))
    check_runs(x, y, range(50), range(50))


def test_keys_of_one_slot_are_all_counted(in_slots):
    """Of those with one first slot two have one, and the others are listed."""
    in_slots(64)
    keys = colliding(np.arange(1 << 14), 40, 6, 64)
    drawn = np.random.default_rng(6).choice(keys, 5000)
    check_runs(drawn >> 7, drawn & 127, range(128), range(128))


def test_slots_that_are_all_taken_and_no_list(in_slots):
    """No slot is free, and no sample is listed."""
    in_slots(4)
    x = np.arange(5000) % 4
    check_runs(x, x * 0, range(4), range(1))
    cupy_on_cpu.forget()


@pytest.mark.parametrize(
    ("n", "spare", "share", "is_enough"),
    [
        (2048, 128, 8, True),
        (20_000, 128, 1, True),
        (20_000, 1 << 12, 8, True),
        (20_000, 128, 8, False),
        (33, 0, 1, False),
    ],
)
def test_a_list_that_is_too_short(n, spare, share, is_enough, in_slots):
    """All samples are sorted then."""
    in_slots(4, spare, share)
    check_runs(*np.random.default_rng(7).integers(0, 500, (2, n)), range(500), range(500), is_enough)


def test_slots_of_several_blocks_of_samples(in_slots, monkeypatch):
    """Some cells are in several blocks, with slots in one and listed in another."""
    in_slots(64)
    monkeypatch.setattr(tabulate, "_SORTED_AT_ONCE", 3000)
    check_runs(*agreeing(np.random.default_rng(8), 9001, 60), range(60), range(60))


@pytest.mark.parametrize("built_as", ["address"], indirect=True)
def test_under_the_address_sanitizer(in_slots, cached, built_as):
    in_slots(16)
    cached(16)
    x, y = agreeing(np.random.default_rng(9), 515, 30)
    check_runs(x, y, range(30), range(30))
    check_table(x, y, range(30), range(30), shift=1)


CLAIM = "if (there == FREE) there = atomicCAS(keys + slot, FREE, key);"


def test_a_slot_that_is_not_claimed_at_once_is_found(cached, monkeypatch):
    """In shared memory the emulator says so."""
    cached(64)
    put_edited(monkeypatch, "cached", "gpuval::joint_cached<u64, u64>", CLAIM, "if (there == FREE) keys[slot] = key;")
    with pytest.raises(Fault, match="race in dynamic shared memory"):
        check_table(*agreeing(np.random.default_rng(1), 2000, 30), range(30), range(30))


CACHE_FAULTS = {
    "the last lead forgotten": ("  cached.end();\n", ""),
    "a lead forgotten when another follows": ("      end();\n      lead =", "      lead ="),
    "a slot's count that is not added": (
        "i < size; i += blockDim.x)\n    if (slots",
        "i + 1 < size; i += blockDim.x)\n    if (slots",
    ),
}


@pytest.mark.parametrize("fault", CACHE_FAULTS)
def test_faults_of_the_cache_are_found(fault, cached, monkeypatch):
    """Of as many samples as all threads read at once: behind others that are none, no lead is left."""
    cached(2)
    put_edited(monkeypatch, "cached", "gpuval::joint_cached<u64, u64>", *CACHE_FAULTS[fault])
    with pytest.raises(AssertionError, match="Arrays are not equal"):
        check_table(*agreeing(np.random.default_rng(1), 8192, 30), range(30), range(30))


@pytest.mark.parametrize(
    ("text", "other"),
    [("> spare * share + seen", "> ~seen"), ("if (adding == 0 || is_lost) return;", "if (adding == 0) return;")],
)
def test_a_list_without_its_bound_is_found(text, other, in_slots, monkeypatch):
    in_slots(4, spare=0, share=64)
    put_edited(monkeypatch, "listed", "gpuval::list_cells<u64, u64>", text, other)
    x, y = np.random.default_rng(11).integers(0, 50, (2, 4000))
    with pytest.raises(Fault, match="writes 8 bytes at byte"):
        check_runs(x, y, range(50), range(50))


FAULTS = {
    "a claim in two steps": (CLAIM, "if (there == FREE) there = atomicExch(keys + slot, key);"),
    "a count before the claim": (
        "    const u32 slot = find(key);\n    if (slot != NO_SLOT) atomicAdd(counts + slot, times);\n",
        "    atomicAdd(counts + scattered(key, bits), times);\n    const u32 slot = find(key);\n",
    ),
    "the rest of a chunk as it was": ("  listing.list.finish();\n", ""),
    "the place of another lane": ("__popc(adding & ((1u << lane) - 1))", "__popc(adding & ((2u << lane) - 1)) % 32"),
    "the last lead forgotten": ("  listing.end_lead();\n", ""),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_of_the_slots_are_found(fault, in_slots, monkeypatch):
    """By what is counted, for one of a few orders of the threads."""
    in_slots(64)
    put_edited(monkeypatch, "listed", "gpuval::list_cells<u64, u64>", *FAULTS[fault])
    x, y = agreeing(np.random.default_rng(10), 4000, 60)

    def run():
        for _ in range(4):
            check_runs(x, y, range(60), range(60))

    with pytest.raises((AssertionError, Fault)):
        run()
