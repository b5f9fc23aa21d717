"""Samples that wait to be counted are there wherever the table is read: in graphs, modes, copies, and with weights."""

import copy
import pickle
import subprocess
import sys
import threading

import jax.numpy as jnp
import numpy as np
import pytest
import torch
from backends import BACKENDS
from torch._dynamo.testing import CompileCounter
from torch._subclasses import FakeTensorMode
from torch.utils._python_dispatch import TorchDispatchMode

import gpuval
from gpuval import Accumulator

LABELS = torch.asarray([0, 1, 2, 2])
WEIGHTS = torch.asarray([0.5, 1.0, 2.0, 0.25], dtype=torch.float64)
SHAPES = pytest.mark.parametrize("shape", [(3, 4), (300, 300), (1000, 1000)])


def waiting(shape, times=2):
    """An accumulator of eager updates; in large tables some wait by their labels, and some by their cells."""
    accumulator = Accumulator(*shape, like=LABELS)
    for i in range(times):
        accumulator.update(LABELS, LABELS)
        if i == 0:
            _ = accumulator.unchecked_table
    return accumulator


class Seen(TorchDispatchMode):
    """Sees all operations, as ``make_fx`` does."""

    def __torch_dispatch__(self, function, types, args=(), options=None):
        return function(*args, **(options or {}))


@SHAPES
def test_a_graph_that_reads(shape):
    """Eager updates before and between calls of it: they are in what it reads, and it is compiled few times."""
    counter, accumulator = CompileCounter(), waiting(shape)

    @torch.compile(backend=counter)
    def step(labels):
        accumulator.update(labels, labels)
        return accumulator.unchecked_table.counts.sum()

    total = 8
    for eager in (0, 1, 3, 2, 0, 1):
        for _ in range(eager):
            accumulator.update(LABELS, LABELS)
        total += 4 * (eager + 1)
        assert int(step(LABELS)) == total
        assert int(accumulator.table.total) == total
    compiled = counter.frame_count
    for i in range(1, 4):
        accumulator.reset()
        for _ in range(i):
            accumulator.update(LABELS, LABELS)
        assert int(step(LABELS)) == 4 * (i + 1)
        assert int(accumulator.table.total) == 4 * (i + 1)
    assert counter.frame_count <= compiled + 1


def test_one_graph_of_several_accumulators():
    @torch.compile(backend="eager")
    def step(accumulator, labels):
        accumulator.update(labels, labels)
        return accumulator.unchecked_table.counts.sum()

    for times in (1, 2, 3):
        accumulator = waiting((300, 300), times)
        assert [int(step(accumulator, LABELS)) for _ in range(2)] == [4 * times + 4, 4 * times + 8]
        accumulator.update(LABELS, LABELS)
        assert int(step(accumulator, LABELS)) == 4 * times + 16


@SHAPES
@pytest.mark.parametrize("fullgraph", [True, False])
def test_a_graph_that_adds(shape, fullgraph):
    """It has nothing to wait for."""
    accumulator = waiting(shape)
    step = torch.compile(lambda labels: accumulator.update(labels, labels), backend="eager", fullgraph=fullgraph)
    for i in range(1, 4):
        step(LABELS)
        accumulator.update(LABELS, LABELS)
        if i == 2:
            assert int(accumulator.table.total) == 8 + 8 * i
    assert np.diag(accumulator.table.to_array())[:3].tolist() == [8, 8, 16]


@SHAPES
def test_a_graph_with_real_weights(shape):
    """The pairs of samples of one cell are those of all samples, also of those that have been waiting."""
    accumulator, eager = waiting(shape), waiting(shape)
    step = torch.compile(lambda *given: accumulator.update(*given), backend="eager")
    step(LABELS, LABELS, WEIGHTS)
    accumulator.update(LABELS, LABELS)
    # By cell: the weights of all samples, and the pairs of two of them, in quarters.
    weights = [[1, 1, 0.5, 1], [1, 1, 1, 1], [1, 1, 1, 1, 2, 0.25, 1, 1]]
    pairs = sum(sum(cell) ** 2 - sum(x * x for x in cell) for cell in weights)
    assert float(gpuval.pair_confusion_matrix(accumulator.table)[1, 1]) == pairs
    eager.update(LABELS, LABELS, WEIGHTS)
    eager.update(LABELS, LABELS)
    np.testing.assert_array_equal(accumulator.table.self_pairs, eager.table.self_pairs)


@SHAPES
def test_inside_of_modes(shape):
    accumulator = waiting(shape)
    with Seen():
        assert int(accumulator.unchecked_table.counts.sum()) == 8
        accumulator.update(LABELS, LABELS)
        accumulator.update(LABELS, LABELS, LABELS)
    assert int(accumulator.table.total) == 17
    accumulator.update(LABELS, LABELS)
    with FakeTensorMode(allow_non_fake_inputs=True):
        _ = accumulator.unchecked_table
    assert int(accumulator.table.total) == 21
    accumulator.update(LABELS, LABELS)
    with Seen():
        accumulator.update(LABELS, LABELS, LABELS)
    assert int(accumulator.table.total) == 30


@SHAPES
@pytest.mark.parametrize("mode", [torch.inference_mode, torch.no_grad, torch.enable_grad])
def test_inside_of_modes_of_gradients(shape, mode):
    accumulator = waiting(shape)
    with mode():
        accumulator.update(LABELS, LABELS)
        accumulator.update(LABELS, LABELS, LABELS)
        assert int(accumulator.table.total) == 17
        accumulator.update(LABELS, LABELS)
    accumulator.update(LABELS, LABELS, WEIGHTS)
    assert float(accumulator.table.total) == 24.75


@SHAPES
def test_inside_of_vmap(shape):
    """Batches that are no part of what is mapped count once."""
    accumulator, totals = waiting(shape), []

    def mapped(x):
        accumulator.update(LABELS, LABELS)
        totals.append(int(accumulator.unchecked_table.total))
        accumulator.update(LABELS, LABELS, LABELS)
        return x

    torch.func.vmap(mapped)(torch.ones(3))
    assert totals == [12]
    assert int(accumulator.table.total) == 17


@SHAPES
@pytest.mark.parametrize("way", [copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])
@pytest.mark.parametrize("like", [np.asarray, torch.asarray, jnp.asarray])
def test_copies_go_on_apart(shape, way, like):
    labels = like(np.asarray([0, 1, 2, 2], dtype=np.int32))
    accumulator = Accumulator(*shape, like=labels)
    accumulator.update(labels, labels)
    other = way(accumulator)
    for one in (accumulator, other, other):
        one.update(labels, labels)
    assert (int(accumulator.table.total), int(other.table.total)) == (8, 12)
    assert type(other.table.counts) is type(accumulator.table.counts)


@SHAPES
def test_a_buffer_that_is_written_into_after_the_update(shape):
    for of in (np.array, torch.tensor):
        accumulator, buffer = Accumulator(*shape), of([0, 1, 2])
        for i in range(3):
            buffer[...] = i
            accumulator.update(buffer, buffer)
        assert np.diag(accumulator.table.to_array())[:3].tolist() == [3, 3, 3]


def test_an_accumulator_in_each_of_two_threads():
    found = {}

    def count(name, of):
        accumulator = Accumulator(300, 300, like=of([0]))
        rng = np.random.default_rng(0)
        for _ in range(200):
            accumulator.update(of(rng.integers(0, 300, 50)), of(rng.integers(0, 300, 50)))
        found[name] = accumulator.table.to_array()

    libraries = {"numpy": np.asarray, "torch": torch.asarray}
    threads = [threading.Thread(target=count, args=given) for given in libraries.items()]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    expected, rng = np.zeros((300, 300)), np.random.default_rng(0)
    for _ in range(200):
        np.add.at(expected, (rng.integers(0, 300, 50), rng.integers(0, 300, 50)), 1)
    for table in found.values():
        np.testing.assert_array_equal(table, expected)
    assert set(found) == set(libraries)


# Labels outside


@pytest.mark.parametrize("name", ["torch", "jax-x64", "jax"])
@pytest.mark.parametrize("dtype", [np.uint8, np.int32, np.int8])
@pytest.mark.parametrize("n", [3, 2**14 + 1, 2**15 + 1])
@pytest.mark.parametrize("shape", [(3, 3), (100, 1000)])
def test_where_labels_outside_are(name, dtype, n, shape):
    """Also of types without a sign, and whether or not the batch was too large to wait."""
    backend = BACKENDS[name]
    with backend.mode():
        accumulator, true, pred = Accumulator(*shape, like=backend.array([0])), np.zeros(n, dtype), np.ones(n, dtype)
        true[1] = 120
        accumulator.update(backend.of(true), backend.of(pred))
        with pytest.raises(ValueError, match=r"got 1 samples .* from 0 to 120, labels_pred from 1 to 1"):
            _ = accumulator.table
        assert int(accumulator.unchecked_table.total) == n - 1
        accumulator.reset()
        accumulator.update(backend.of(pred), backend.of(pred))
        assert int(accumulator.table.total) == n


@pytest.mark.parametrize("name", ["torch", "jax-x64", "strict"])
@pytest.mark.parametrize("n", [3, 2**14 + 1])
def test_labels_that_64_bits_with_a_sign_do_not_hold(name, n):
    """They are counted as outside; where they are is not said, rather than wrongly."""
    backend = BACKENDS[name]
    with backend.mode():
        labels = np.zeros(n, np.uint64)
        labels[2] = 2**64 - 1
        accumulator = Accumulator(3, 3, like=backend.array([0]))
        accumulator.update(backend.of(labels), backend.of(labels))
        with pytest.raises(ValueError, match=r"got 1 samples or sums that break this rule$"):
            _ = accumulator.table


def test_checkpoints_of_jax_without_64_bits():
    """Sums are of 64 bits there: where labels are comes back, and what is too large in sum stays so."""
    backend = BACKENDS["jax"]
    with backend.mode():
        labels, outside = backend.array([0, 1]), backend.array([0, 7])
        accumulator, other = Accumulator(2, 2), Accumulator(2, 2)
        accumulator.update(labels, labels, labels)  # no label is outside, and none is looked at
        other.load_state_dict(Accumulator(2, 2, like=labels).state_dict())
        other.update(outside, labels)
        with pytest.raises(ValueError, match="labels_true range from 0 to 7, labels_pred from 0 to 1"):
            _ = other.table
        heavy = backend.array([2**29, 2**29])
        for _ in range(9):
            accumulator.update(labels, labels, heavy)
        other.load_state_dict(accumulator.state_dict())
        for one in (accumulator, other):
            with pytest.raises(ValueError, match="not too large in sum"):
                _ = one.table


@pytest.mark.parametrize("way", ["merge", "update"])
def test_another_library_is_refused_and_changes_nothing(way):
    accumulator, other = waiting((300, 300)), Accumulator(300, 300)
    other.update([0], [1])
    with pytest.raises(TypeError, match=r"library of the accumulator \(torch\)"):
        accumulator.merge(other) if way == "merge" else accumulator.update(np.asarray([0]), np.asarray([1]))
    assert int(accumulator.table.total) == 8
    accumulator.merge(accumulator)
    assert np.diag(accumulator.table.to_array())[:3].tolist() == [4, 4, 8]


INTERRUPTED = """if True:
    import random, signal
    import numpy as np, torch, gpuval

    def interrupt(*_):
        raise KeyboardInterrupt

    def count_wrong(library, size):
        labels = [library(np.random.default_rng(i).integers(0, size, 1024)) for i in range(2)]
        wrong = 0
        for _ in range(80):
            accumulator, updates = gpuval.Accumulator(size, size, like=labels[0]), 0
            try:
                signal.setitimer(signal.ITIMER_REAL, random.uniform(1e-4, 3e-3))
                while True:
                    accumulator.update(*labels)
                    updates += 1
            except KeyboardInterrupt:
                pass
            signal.setitimer(signal.ITIMER_REAL, 0)
            wrong += not updates <= int(accumulator.table.total) / 1024 <= updates + 1
        return wrong

    signal.signal(signal.SIGALRM, interrupt)
    random.seed(0)
    for library in (torch.asarray, np.asarray):
        for size in (10, 300, 2000):
            print(library.__module__, size, count_wrong(library, size), flush=True)
"""


def test_an_interrupt_loses_no_sample_and_counts_none_twice():
    """In one new process for both libraries, as most of its time is the import of PyTorch."""
    ran = subprocess.run([sys.executable, "-c", INTERRUPTED], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    found = [line.rpartition(" ")[2] for line in ran.stdout.splitlines()]
    assert found == ["0"] * 6, ran.stdout
