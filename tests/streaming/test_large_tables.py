"""Accumulators of all sizes beside a table of plain integers: any sequence of what a user may do with them."""

import copy
import pickle
import tracemalloc
from collections import Counter

import jax
import numpy as np
import pytest
import torch
from backends import BACKENDS

import gpuval
from gpuval import Accumulator, Contingency
from gpuval.streaming.fixed_sums import CellBuffer

SHAPES = [(3, 4), (300, 300), (1000, 1000), (3000, 2000)]
"""Of few cells, of a few more than 2^16, and of many, where the cells of few samples are counted by themselves."""
LENGTHS = [0, 1, 64, 1000, 2**14 + 1, 2**15 + 1]
LIBRARIES = ["numpy", "torch", "jax-x64", "jax", "strict"]
DTYPES = [np.int64, np.int32, np.uint8, np.uint64, np.bool_]
WEIGHTS = [None, "integer", "real"]


class Beside:
    """An accumulator, and what it should have: the weights of its cells, by their places, in sixteenths."""

    def __init__(self, backend, shape, **settings):
        self.backend, self.shape, self.settings = backend, shape, settings
        self.ignored = settings.get("ignore_labels")
        self.accumulator = Accumulator(*shape, like=backend.array([0]), **settings)
        self.cells, self.is_integer = Counter(), True

    def made(self, x):
        narrow = not self.backend.has_int64 and x.dtype.itemsize == 8
        return self.backend.array(x) if narrow else self.backend.of(x.copy())

    def update(self, rng, length, dtype, kind):
        largest = [min(size, {np.uint8: 256, np.bool_: 2}.get(dtype, size)) for size in self.shape]
        true, pred = (rng.integers(0, size, length).astype(dtype) for size in largest)
        weights = {None: None, "integer": rng.integers(0, 4, length), "real": rng.integers(0, 64, length) / 16}[kind]
        given = [self.made(x) for x in (true, pred, weights) if x is not None]
        self.accumulator.update(*given)
        for x in given:  # a buffer that the next batch is read into
            if isinstance(x, np.ndarray | torch.Tensor):
                x[...] = 1
        self.is_integer = self.is_integer and kind != "real"
        known = np.ones(length) if weights is None else weights
        counts = np.ones(length, bool) if self.ignored is None else (true != self.ignored) & (pred != self.ignored)
        cells = true.astype(np.int64) * self.shape[1] + pred.astype(np.int64)
        for cell, sixteenths in zip(cells[counts].tolist(), (16 * known[counts]).astype(int).tolist(), strict=True):
            self.cells[cell] += sixteenths

    def merge(self, other):
        self.accumulator.merge(other.accumulator)
        self.cells.update(other.cells)  # which adds
        self.is_integer = self.is_integer and other.is_integer

    def load(self, other):
        self.accumulator.load_state_dict(other.accumulator.state_dict())
        self.cells, self.is_integer = other.cells.copy(), other.is_integer

    def reset(self):
        self.accumulator.reset()
        self.cells, self.is_integer = Counter(), True

    def travel(self, way):
        self.accumulator = way(self.accumulator)

    def expected(self):
        table = np.zeros(self.shape)
        places, sixteenths = (np.fromiter(x, int) for x in (self.cells.keys(), self.cells.values()))
        table.reshape(-1)[places] = sixteenths / 16
        return table

    def check(self):
        """The counts; and their sum of squares, which of real weights is kept apart from them."""
        found = self.accumulator.unchecked_table
        assert found.is_integer == self.is_integer
        assert np.array_equal(self.backend.numpy(found.to_array()), self.expected())
        return found


WAYS = [copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))]


def do_something(rng, every):
    one, other = (every[i] for i in rng.integers(0, len(every), 2))
    action = rng.choice(["update"] * 8 + ["merge", "load", "reset", "travel", "read"])
    if action == "update":
        length = int(rng.choice(LENGTHS, p=[0.1, 0.2, 0.4, 0.2, 0.05, 0.05]))
        dtype = DTYPES[rng.choice(5, p=[0.6, 0.1, 0.1, 0.1, 0.1])]
        one.update(rng, length, dtype, WEIGHTS[rng.choice(3, p=[0.8, 0.15, 0.05])])
    elif action == "travel":
        one.travel(WAYS[rng.integers(2)])
    elif action == "reset":
        one.reset()
    elif action == "read":
        return one
    else:
        getattr(one, action)(other)
    return None


@pytest.mark.parametrize("name", LIBRARIES)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("ignored", [None, 1])
def test_any_sequence(name, shape, ignored):
    """What was read before stays, whatever comes later."""
    backend, rng = BACKENDS[name], np.random.default_rng([len(name), *shape, ignored or 0])
    settings = {} if ignored is None else {"ignore_labels": ignored}
    with backend.mode():
        every, seen = [Beside(backend, shape, **settings) for _ in range(2)], []
        for _ in range(20 if np.prod(shape) < 10**6 else 8):
            if (read := do_something(rng, every)) is not None and len(seen) < 2:
                seen.append((read.check(), read.expected()))
        for one in every:
            one.check()
        for table, expected in seen:
            assert np.array_equal(backend.numpy(table.to_array()), expected)


@pytest.mark.parametrize("name", ["numpy", "torch", "jax-x64"])
@pytest.mark.parametrize("shape", SHAPES[:3])
@pytest.mark.parametrize("kind", WEIGHTS)
@pytest.mark.parametrize("batches", [3, 40])
def test_scores_are_those_of_one_call(name, shape, kind, batches):
    """To the last digit, with few samples and with many."""
    backend, rng = BACKENDS[name], np.random.default_rng(7)
    with backend.mode():
        n = 500 * batches
        columns = [rng.integers(0, size, n) for size in shape]
        if kind:
            columns.append(rng.integers(1, 5, n) / (1 if kind == "integer" else 4))
        accumulator = Accumulator(*shape, like=backend.array([0]))
        for part in np.array_split(np.arange(n), batches):
            accumulator.update(*(backend.array(x[part]) for x in columns))
        weights = backend.array(columns[2]) if kind else None
        sizes = {"n_classes": shape[0], "n_clusters": shape[1]}
        whole = Contingency.from_labels(*map(backend.array, columns[:2]), sample_weight=weights, **sizes)
        found = accumulator.table
        np.testing.assert_array_equal(backend.numpy(found.to_array()), backend.numpy(whole.to_array()))
        for score in ("adjusted_rand_score", "v_measure_score", "purity_score"):
            ours, theirs = (float(backend.numpy(getattr(gpuval, score)(x))) for x in (found, whole))
            # Real self-pairs of batches are added up in another order than those of one call.
            assert ours == (pytest.approx(theirs, rel=1e-13) if kind == "real" else theirs), score


@pytest.mark.parametrize("library", [np.asarray, torch.asarray])
def test_few_samples_of_a_large_table_cost_little_memory(library):
    """Updates, reads and resets: 3,000 x 3,000 cells are 72 MB."""
    rng = np.random.default_rng(0)
    batches = [tuple(library(rng.integers(0, 3000, 64)) for _ in "ab") for _ in range(20)]
    accumulator = Accumulator(3000, 3000, like=batches[0][0])
    tracemalloc.start()
    try:
        for _ in range(3):
            for count, batch in enumerate(batches, start=1):
                accumulator.update(*batch)
                assert int(accumulator.table.total) == 64 * count
            accumulator.reset()
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 2_000_000


@pytest.mark.parametrize("library", [np.asarray, torch.asarray])
@pytest.mark.parametrize("shape", [(3, 4), (3000, 3000)])
@pytest.mark.parametrize("length", [0, 1])
def test_batches_of_no_or_one_sample_leave_nothing_behind(library, shape, length):
    accumulator, batch = Accumulator(*shape, like=library([0])), library(np.ones(length, dtype=np.int32))
    accumulator.update(library([1]), library([2]))

    def updated(times):
        for _ in range(times):
            accumulator.update(batch, batch)
            accumulator.update(batch, batch, batch)
        return tracemalloc.get_traced_memory()[0]

    tracemalloc.start()
    try:
        few, many = updated(20), updated(500)
    finally:
        tracemalloc.stop()
    assert many - few < 8192
    assert int(accumulator.table.total) == 1 + 2 * 520 * length


def test_samples_of_the_same_cells_take_no_more_room_once_these_are_known():
    """So that each later reading sorts the cells, and not all samples again."""
    filled, cells = CellBuffer(64 * 12), np.asarray([7, 3, 7, 3, 5])
    for _ in range(5):
        filled.note(cells)
        assert filled.table_cells().tolist() == [3, 5, 7]
    filled.waiting(cells)()
    assert filled.table_cells().tolist() == [3, 5, 7]
    counts = np.zeros(64 * 12, dtype=np.int64)
    filled.move_into(counts)
    assert counts[[3, 5, 7]].tolist() == [2, 1, 2]
    assert filled.table_cells().tolist() == [3, 5, 7]


def test_jax_updates_transfer_nothing():
    with jax.enable_x64(True):
        labels, weights = (jax.device_put(np.asarray(x)) for x in ([0, 1, 2], [1, 2, 3]))
        for shape in SHAPES:
            accumulator = Accumulator(*shape, like=labels)
            accumulator.update(labels, labels)
            with jax.transfer_guard("disallow"):
                accumulator.update(labels, labels)
                accumulator.update(labels, labels, weights)
                accumulator.reset()
                accumulator.update(labels, labels)
            assert int(accumulator.table.total) == 3
