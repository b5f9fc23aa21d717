"""Labels on the host are counted there, in one pass or one sort, as their own library would count them."""

from __future__ import annotations

import copy
import gc
import inspect
import os
import pickle
import subprocess
import sys
import tracemalloc
import weakref

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch
from backends import BACKENDS
from compiling import output_on_devices
from hypothesis import given, settings
from hypothesis import strategies as st
from threadpoolctl import threadpool_limits
from torch.autograd import forward_ad
from torch.fx.experimental.proxy_tensor import make_fx

import gpuval
from gpuval import Contingency
from gpuval.engines.host import counting
from gpuval.engines.host.counting import joint_counts, joint_runs
from gpuval.inputs.samples import read_samples
from gpuval.numerics import compiled, parallel

DTYPES = [np.int8, np.uint8, np.int16, np.int32, np.uint32, np.int64, np.uint64]


def counted(a, b):
    """The counts by a plain loop."""
    counts = {}
    for pair in zip(a.tolist(), b.tolist(), strict=True):
        counts[pair] = counts.get(pair, 0) + 1
    return counts


def as_counts(found):
    places = zip(*np.nonzero(found.counts), strict=True)
    return {(found.rows[int(i)], found.columns[int(j)]): int(found.counts[i, j]) for i, j in places}


def labels(dtype, n):
    """Eleven labels in a row: near 0, or at an end of the type, or about the end of int64."""
    info = np.iinfo(dtype)
    low, high = int(info.min), int(info.max) - 10
    starts = st.sampled_from([0, low, high, min(high, 2**63 - 5)]) | st.integers(max(low, -40), min(high, 80))
    return starts.flatmap(lambda start: st.lists(st.integers(start, start + 10), min_size=n, max_size=n))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("block", [1, 3, 1 << 15])
def test_one_pass(dtype, block, monkeypatch):
    """Blocks of any size, growing tables, labels from anywhere, in any order."""
    monkeypatch.setattr(counting, "STEP", block)

    @settings(max_examples=80)
    @given(st.integers(0, 12).flatmap(lambda n: st.tuples(labels(dtype, n), labels(dtype, n))))
    def is_right(pair):
        a, b = (np.asarray(x, dtype=dtype) for x in pair)
        found = joint_counts(a, b, 1 << 10)
        if found is None:  # only if the labels are far apart, or no int64
            assert any(max(x) - min(x) >= 11 or max(x) >= 2**63 for x in (a.tolist(), b.tolist()))
            return
        assert as_counts(found) == counted(a, b)
        assert found.counts.flags.c_contiguous
        assert found.counts.size <= 1 << 10
        rows = range(found.rows.start - 2, found.rows.stop + 1)
        columns = range(found.columns.start - 1, found.columns.stop)
        placed = found.within(rows, columns)
        assert placed.shape == (len(rows), len(columns))
        assert placed.sum() == len(a)
        for (i, j), times in counted(a, b).items():
            assert placed[i - rows.start, j - columns.start] == times

    is_right()


@pytest.mark.parametrize("dtype", [x for x in DTYPES if np.dtype(x).kind == "i"])
@pytest.mark.parametrize("block", [1, 1 << 15])
def test_labels_far_below_0(dtype, block, monkeypatch):
    """Whose bits are those of large labels without a sign, where the table could not be so large."""
    monkeypatch.setattr(counting, "STEP", block)
    a, b = (np.asarray(x, dtype=dtype) for x in ([0, 0, 1], [-118, -118, -120]))
    assert as_counts(joint_counts(a, b, 1 << 10)) == {(0, -118): 2, (1, -120): 1}
    assert counting.cells_within(a, b, (2, 300)) is None


FAR = {
    "one label far away": [0, 1, 2**40],
    "the ends of int64": [-(2**63), 2**63 - 1, 0],
    "all labels high": [2**63 - 2, 2**63 - 1, 2**63 - 1],
    "negative and high": [-(2**50), 2**50, 1],
}


@pytest.mark.parametrize("block", [1, 1 << 15])
@pytest.mark.parametrize("case", FAR)
def test_wide_ranges_are_not_tabulated(case, block, monkeypatch):
    """Or in a table that is moved to where they are; never in one that does not fit."""
    monkeypatch.setattr(counting, "STEP", block)
    far, near = np.asarray(FAR[case]), np.asarray([0, 1, 1])
    for a, b in ((far, near), (near, far), (far, far)):
        found = joint_counts(a, b, 1 << 10)
        assert found is None or as_counts(found) == counted(a, b)
        assert (found is None) == (int(far.max()) - int(far.min()) > 1)
        score = gpuval.rand_score(a, b)
        assert score == gpuval.rand_score(*(np.unique(x, return_inverse=True)[1] for x in (a, b)))


@pytest.mark.parametrize("n", [4, (1 << 17) + 1])
def test_booleans_of_odd_bytes(n):
    """A byte that is not 0 is true, whatever else it is."""
    odd = np.resize(np.asarray([0, 1, 2, 255], np.uint8), n)
    for data in (odd.view(bool), torch.asarray(odd).view(torch.bool)):
        table = Contingency.from_labels(data, data)
        assert list(map(int, table.classes)) == [0, 1]
        zeros = np.count_nonzero(odd == 0)
        assert table.counts.tolist() == [[zeros, 0], [0, n - zeros]]


@pytest.mark.parametrize("n", [6, (1 << 17) + 1])
def test_labels_on_both_sides_of_the_largest_int64(n):
    high = np.resize(np.asarray([2**63 - 1, 2**63], np.uint64), n)
    table = Contingency.from_labels(high, np.zeros(n, np.int64))
    assert table.classes.tolist() == [2**63 - 1, 2**63]
    assert (table + table).classes.tolist() == [2**63 - 1, 2**63]
    assert table.triples()[0].tolist() == [2**63 - 1, 2**63]


def test_high_unsigned_labels():
    high = np.asarray([2**64 - 1, 2**64 - 2, 2**63], dtype=np.uint64)
    assert joint_counts(high, high, 1 << 10) is None
    assert gpuval.rand_score(high, [0, 1, 2]) == 1.0


@pytest.fixture(params=["compiled", "NumPy"])
def three_threads(request, monkeypatch):
    """Steps and parts of few samples, so that three threads share them; also without the loop of SciPy."""
    monkeypatch.setattr(parallel, "allowed_threads", lambda: 3)
    for module in (counting, compiled):
        monkeypatch.setattr(module, "STEP", 3)
        monkeypatch.setattr(module, "PART", 7)
    if request.param == "NumPy":
        for module in (counting, compiled):
            monkeypatch.setattr(module, "compiled_loop", lambda: None)


@pytest.mark.parametrize("dtypes", [("int64", "int64"), ("int32", "int32"), ("int32", "int64"), ("uint8", "bool")])
@pytest.mark.parametrize("low", [0, -3])
def test_tables_of_threads_add_up(dtypes, low, three_threads):
    """Sizes that grow in some parts only, labels with a gap, in strides and read-only."""
    rng = np.random.default_rng(4)
    a = np.concatenate([np.full(50, 2), rng.integers(0, 4, 100), [5], rng.integers(3, 6, 49)])
    b = np.concatenate([rng.integers(1, 3, 199), [4]])
    low = max(low, *(int(np.iinfo(x).min) for x in dtypes if x != "bool"))
    a, b = (a + low).astype(dtypes[0]), b.astype(dtypes[1])
    for x, y in ((a, b), (a[::-3], b[::-3]), (a[::2], b[:100]), (a[:4], b[:4])):
        x.flags.writeable = False
        found = joint_counts(x, y, 1 << 10)
        assert as_counts(found) == counted(x, y)
        assert (found.rows, found.columns) == tuple(range(int(z.min()), int(z.max()) + 1) for z in (x, y))


@pytest.mark.parametrize("low", [0, -3])
def test_labels_that_change_meanwhile_stay_within_the_table(low, three_threads, monkeypatch):
    """Another thread may write to them between their check and their count."""
    a = np.arange(12) % 4 + low
    highest = counting.highest

    def change(x):
        a[:] = 1 << 40
        return highest(x)

    monkeypatch.setattr(counting, "STEP", 12)
    monkeypatch.setattr(counting, "highest", change)
    tally = counting._Tally((low, low), 16, np.ones(12, dtype=np.int64), np.int64)
    tally.add(a, a.copy())
    assert tally.counts.tolist() == [[3, 0, 0, 0], [0, 3, 0, 0], [0, 0, 3, 0], [0, 0, 0, 3]]


def test_threads_have_no_larger_tables_than_one(three_threads):
    """A label that comes late makes all of them too large: one thread counts again, or nobody does."""
    a = np.arange(100) % 2
    a[90] = 60
    assert as_counts(joint_counts(a, a, 61 * 61)) == counted(a, a)
    assert joint_counts(a, a, 61 * 61 - 1) is None
    a, b = np.zeros((2, 100), dtype=np.int64)
    a[90] = b[20] = 5  # one thread has six rows, another six columns
    assert as_counts(joint_counts(a, b, 36)) == counted(a, b)
    assert joint_counts(a, b, 35) is None
    assert joint_counts(np.arange(100) % 5, a, 24) is None  # 33 cells would be fewer than samples


def test_sums_of_integers_on_threads(three_threads):
    rng = np.random.default_rng(5)
    codes, values = rng.integers(0, 5, 100), rng.integers(-(2**60), 2**60, 100)
    values[codes == 4] = 0
    wanted = [sum(v for v, c in zip(values.tolist(), codes.tolist(), strict=True) if c == code) for code in range(7)]
    wanted = [(x + 2**63) % 2**64 - 2**63 for x in wanted]
    assert compiled.integer_sums(values, codes, 7).tolist() == wanted
    assert compiled.integer_sums(values[:0], codes[:0], 2).tolist() == [0, 0]


def test_scipy_has_the_loop():
    """A private one: where it is gone, tables are counted by one thread of NumPy, and this says so."""
    assert compiled.compiled_loop() is not None


def test_the_loop_comes_without_the_rest_of_scipy():
    code = """if True:
        import sys, numpy as np, gpuval
        from gpuval.numerics import compiled
        labels = np.arange(300_000) % 7
        assert gpuval.adjusted_rand_score(labels, labels) == 1.0 and compiled.compiled_loop()
        assert "scipy.sparse" not in sys.modules
        import scipy.sparse
        assert scipy.sparse.coo_array(([1], ([0], [1]))).toarray().tolist() == [[0, 1]]
        compiled.compiled_loop.cache_clear()
        assert gpuval.adjusted_rand_score(labels, labels) == 1.0 and compiled.compiled_loop()
    """
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("broken", ["another signature", "another result", "no such loop"])
def test_another_loop_of_scipy_is_not_used(broken, monkeypatch):
    class Tools:
        if broken != "no such loop":
            coo_todense = staticmethod((lambda *_: None) if broken == "another result" else (lambda x: x))

    monkeypatch.setattr(compiled, "load_alone", lambda _: Tools)
    compiled.compiled_loop.cache_clear()
    try:
        assert compiled.compiled_loop() is None
        a = np.arange(300_000) % 11
        assert joint_counts(a, a, 1 << 10).counts.tolist() == np.diag(np.bincount(a)).tolist()
    finally:
        compiled.compiled_loop.cache_clear()


def test_labels_that_come_late():
    """A table that was begun too small, in a later block."""
    true = np.concatenate([np.zeros(100_000, np.int64), [700], np.full(100_000, 3), [-5]])
    pred = np.concatenate([np.arange(100_001) % 3, np.full(100_001, 900)])
    table = Contingency.from_labels(true, pred)
    assert table.classes.tolist() == [-5, 0, 3, 700]
    assert table.clusters.tolist() == [0, 1, 2, 900]
    assert table.to_array().tolist() == [
        [0, 0, 0, 1],
        [33334, 33333, 33333, 0],
        [0, 0, 0, 100_000],
        [0, 1, 0, 0],
    ]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("sizes", [(1, 1), (5, 7), (100, 2**31), (2**20, 2**20)])
def test_one_sort(dtype, sizes):
    rng = np.random.default_rng(2)
    a, b = (rng.integers(0, min(size, np.iinfo(dtype).max), 500).astype(dtype) for size in sizes)
    row, column, times = joint_runs(a, b, *sizes)
    assert dict(zip(zip(row.tolist(), column.tolist(), strict=True), times.tolist(), strict=True)) == counted(a, b)
    assert np.all(np.diff(row * float(sizes[1]) + column) > 0)


def test_one_sort_on_threads(three_threads):
    """Parts of the keys, with equal ones on both sides of a border, and many distinct ones."""
    rng = np.random.default_rng(3)
    for size in (1, 2, 60):
        a, b = rng.integers(0, size, (2, 100))
        row, column, times = joint_runs(a, b, size, size)
        assert dict(zip(zip(row.tolist(), column.tolist(), strict=True), times.tolist(), strict=True)) == counted(a, b)
        assert np.all(np.diff(row * size + column) > 0)


def test_one_sort_of_nothing_and_of_too_much():
    empty = np.zeros(0, np.int64)
    assert [len(x) for x in joint_runs(empty, empty, 0, 0)] == [0, 0, 0]
    assert joint_runs(empty, empty, 2**40, 2**40) is None


@pytest.mark.parametrize("layout", ["dense", "cells"])
@pytest.mark.parametrize("name", ["torch", "jax-x64"])
def test_what_lies_on_the_host_is_counted_as_on_a_device(name, layout):
    rng = np.random.default_rng(3)
    for low in (0, -3, 10**6):
        samples = rng.integers(low, low + 9, 300), rng.integers(low, low + 5, 300)
        with BACKENDS[name].mode():
            there = Contingency.from_labels(*(BACKENDS[name].array(x) for x in samples), layout=layout)
        backend = BACKENDS["torch-host" if name == "torch" else name]
        with backend.mode():
            here = Contingency.from_labels(*(backend.array(x) for x in samples), layout=layout)
            assert type(here.counts) is type(there.counts)
            for found, expected in ((here.compact(), there.compact()), (here.dense(), there.dense())):
                assert backend.numpy(found.to_array()).tolist() == backend.numpy(expected.to_array()).tolist()
            assert list(here.compact().classes) == list(there.compact().classes)


def test_torch_vmap_gives_the_scores_of_each():
    """There the values are not on the host, though the device is."""
    true, preds = torch.arange(30) % 4, torch.arange(90).reshape(3, 30) % torch.tensor([[2], [3], [4]])

    def score(pred):
        return gpuval.adjusted_rand_score(true, pred, n_classes=4, n_clusters=4)

    assert torch.equal(torch.func.vmap(score)(preds), torch.stack([score(pred) for pred in preds]))


def test_torch_vmap_says_that_sizes_are_needed():
    preds = torch.arange(90).reshape(3, 30) % 4
    with pytest.raises(TypeError, match=r"^n_classes and n_clusters must be given inside torch\.func\.vmap, where"):
        torch.func.vmap(lambda pred: gpuval.adjusted_rand_score(preds[0], pred))(preds)
    with pytest.raises(TypeError, match=r"^match_labels looks at values .* torch\.func\.vmap there are none: return"):
        torch.func.vmap(lambda pred: gpuval.match_labels(preds[0], pred, n_classes=4, n_clusters=4).counts)(preds)


def test_torch_vmap_of_a_score_with_a_host_step():
    """Of labels on one side or on both, of weights, and within another vmap."""
    true, preds = torch.arange(30) % 4, torch.arange(90).reshape(3, 30) % torch.tensor([[2], [3], [4]])

    def score(true, pred, weight=None):
        return gpuval.clustering_accuracy(true, pred, sample_weight=weight, n_classes=4, n_clusters=4)

    expected = torch.stack([score(true, pred) for pred in preds])
    assert torch.equal(torch.func.vmap(score, in_dims=(None, 0))(true, preds), expected)
    assert torch.equal(torch.func.vmap(score, in_dims=(0, 1))(torch.stack([true] * 3), preds.T), expected)
    weights = torch.arange(90.0).reshape(3, 30) / 7
    found = torch.func.vmap(score, in_dims=(None, 0, 0))(true, preds, weights)
    assert torch.equal(found, torch.stack([score(true, *x) for x in zip(preds, weights, strict=True)]))
    pairs = torch.func.vmap(lambda x: torch.func.vmap(lambda y: score(x, y))(preds))(preds)
    assert torch.equal(pairs, torch.stack([torch.stack([score(x, y) for y in preds]) for x in preds]))


def test_byte_orders_and_strides():
    rng = np.random.default_rng(6)
    labels = rng.integers(0, 5, 200_000)
    far = np.where(labels == 4, 2**56, labels)
    for held in (
        labels.astype(">i8"),
        far.astype(">i8"),
        labels.astype(">u2"),
        np.repeat(labels, 3)[::3],
        labels[::-1][::-1],
    ):
        assert gpuval.rand_score(held, labels) == 1.0
        assert gpuval.adjusted_rand_score(labels, held) == 1.0


def test_results_share_no_memory_with_what_is_kept():
    for library in (np.asarray, torch.asarray):
        table = Contingency.from_labels(library([0, 0, 1, 1, 2]), library([0, 0, 1, 1, 1]))
        gpuval.match_labels(table).counts[:] = 99
        gpuval.contingency_matrix(table)[:] = 99
        gpuval.normalizing_permutation(table)[:] = 99
        gpuval.normalized_confusion_matrix(table)[:] = 99
        assert gpuval.match_labels(table).counts.tolist() == [2, 2]
        assert float(gpuval.clustering_accuracy(table)) == 0.8
        assert gpuval.contingency_matrix(table).tolist() == [[2, 0], [0, 2], [0, 1]]


def test_one_matching_serves_all_of_a_cpu_tensors_table(monkeypatch):
    table = Contingency.from_labels(torch.asarray([0, 0, 1, 1, 2]), torch.asarray([0, 0, 1, 1, 1]))
    assert float(gpuval.clustering_accuracy(table)) == 0.8
    monkeypatch.setattr("gpuval.metrics.external.matching.best_in_dense", None)  # what would find it again
    assert gpuval.match_labels(table).counts.tolist() == [2, 2]


def test_a_matched_table_goes_at_once():
    """Nothing that is kept refers back to it: no collector is needed, which does not see how large it is."""
    gc.disable()
    try:
        for layout in ("dense", "cells"):
            for library in (np.asarray, torch.asarray):
                table = Contingency.from_labels(library([0, 0, 1, 1]), library([0, 1, 1, 1]), layout=layout)
                gpuval.evaluate(table)
                gpuval.match_labels(table)
                gone = weakref.ref(table)
                del table
                assert gone() is None
    finally:
        gc.enable()


def test_what_is_kept_goes_with_its_table():
    """No table is kept alive by its results, and they do not travel with it."""
    for table in (
        Contingency.from_counts(2 * np.eye(3, dtype=int)),
        Contingency.from_labels([0, 0, 1, 1], [0, 0, 1, 1], layout="cells"),
    ):
        expected = dict(gpuval.evaluate(table, metrics="all"))
        assert dict(gpuval.evaluate(table, metrics="all")) == expected
        for other in (pickle.loads(pickle.dumps(table)), copy.deepcopy(table), copy.copy(table)):
            assert other.results == {}
            assert dict(gpuval.evaluate(other, metrics="all")) == expected
    watched = weakref.ref(table)
    del table
    gc.collect()
    assert watched() is None


def test_memory_beside_the_labels():
    """No temporary is as long as the labels."""
    labels = np.random.default_rng(0).integers(0, 100, 10**7).astype(np.int32)
    tracemalloc.start()
    try:
        gpuval.adjusted_rand_score(labels, labels)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 0.05 * 2 * labels.nbytes


def test_many_small_cells_are_grouped_without_losing_digits():
    """Cells of small counts are summed by their group and count; large and few ones by themselves."""
    rng = np.random.default_rng(4)
    for counts in (rng.integers(0, 4, (60, 50)), rng.integers(0, 2**30, (6, 5))):
        dense = Contingency.from_counts(counts)
        for name in ("homogeneity_score", "completeness_score", "variation_of_information", "mutual_info_score"):
            score = getattr(gpuval, name)
            assert score(dense.listed()) == pytest.approx(score(dense), rel=1e-14)


def scores_of_given_size(true, pred):
    return gpuval.adjusted_rand_score(true, pred, n_classes=3, n_clusters=3)


@pytest.mark.parametrize("recorded", [torch.jit.trace, lambda f, xs: make_fx(f)(*xs)], ids=["jit.trace", "make_fx"])
@pytest.mark.filterwarnings("ignore:`torch.jit.trace`", "ignore::torch.jit.TracerWarning")
def test_what_is_recorded_is_no_constant(recorded):
    """A recording that saw the table counted on the host would give the first score for ever."""
    a, b, c = (torch.asarray(x) for x in ([0, 0, 1, 1, 2], [0, 0, 1, 1, 1], [0, 1, 1, 0, 2]))
    again = recorded(scores_of_given_size, (a, b))
    for labels in (b, c, a):
        assert float(again(a, labels)) == float(scores_of_given_size(a, labels))


SHARDED = """if True:
    import jax, numpy as np, gpuval
    from jax.sharding import Mesh, NamedSharding, PartitionSpec
    rows = NamedSharding(Mesh(np.array(jax.devices()), "x"), PartitionSpec("x"))
    host = np.array([0, 0, 1, 1, 2, 2, 0, 1], np.int32), np.array([0, 0, 1, 1, 2, 0, 0, 2], np.int32)
    a, b = (jax.device_put(x, rows) for x in host)
    free = [jax.numpy.asarray(x) for x in host]
    far = [jax.device_put(x, jax.devices()[2]) for x in host]
    wanted = gpuval.contingency_matrix(*host)
    for x, y in ((a, b), free, far):
        for options in ({}, {"layout": "cells"}, {"layout": "dense"}, {"n_classes": 3, "n_clusters": 3}):
            table = gpuval.Contingency.from_labels(x, y, **options)
            assert (np.asarray(gpuval.contingency_matrix(table)) == wanted).all()
            for score in (gpuval.adjusted_mutual_info_score, gpuval.adjusted_rand_score, gpuval.clustering_accuracy):
                assert abs(float(score(table)) - score(*host)) < 1e-5
    table = gpuval.contingency_matrix(*free)
    assert not table.committed
    table + jax.device_put(table, jax.devices()[2])  # what is free may be moved
    assert gpuval.contingency_matrix(*far).devices() == {jax.devices()[2]}
    with jax.default_device(jax.devices()[1]):
        there = [jax.numpy.asarray(x) for x in host]
    for made in (gpuval.contingency_matrix(*there), gpuval.adjusted_rand_score(*there)):
        assert made.devices() == {jax.devices()[1]}
"""


def test_labels_of_jax_on_several_devices():
    assert output_on_devices(SHARDED) == []


def test_scores_while_the_interpreter_shuts_down():
    """No thread starts then."""
    environment = {**os.environ, "OMP_NUM_THREADS": "2"}
    code = """if True:
        import atexit, concurrent.futures, numpy as np, gpuval
        a, b = np.random.default_rng(0).integers(0, 300, (2, 20_000))
        atexit.register(lambda: print(gpuval.adjusted_mutual_info_score(a, b) < 0.1))
    """
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, env=environment)
    assert done.stdout == "True\n"


@pytest.mark.parametrize(("asked", "number"), [("1", 1), (" 2,4", 2), ("3", 3), ("64", 8), ("0", 8), ("x", 8)])
def test_threads_as_many_as_asked_for(asked, number, monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", asked)
    monkeypatch.setattr("os.sched_getaffinity", lambda _: set(range(64)))
    monkeypatch.setattr(parallel, "_limit_of_pools", lambda: 64)
    monkeypatch.setattr(parallel, "_cores_of_control_group", lambda: 64)
    assert parallel.allowed_threads() == number
    monkeypatch.setenv("GPUVAL_NUM_THREADS", "12")
    assert parallel.allowed_threads() == {1: 1, 2: 2, 3: 3}.get(number, 12)
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {0})
    assert parallel.allowed_threads() == 1


@pytest.mark.parametrize(
    ("files", "number"),
    [
        ({"cpu.max": "250000 100000"}, 3),
        ({"cpu.max": "1000 100000"}, 1),
        ({"cpu.max": "max 100000"}, 8),
        ({"cpu/cpu.cfs_quota_us": "200000", "cpu/cpu.cfs_period_us": "100000"}, 2),
        ({"cpu/cpu.cfs_quota_us": "-1", "cpu/cpu.cfs_period_us": "100000"}, 8),
        ({}, 8),
    ],
)
def test_threads_as_many_as_a_container_has_processors(files, number, monkeypatch, tmp_path):
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text + "\n")
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    monkeypatch.setattr("os.sched_getaffinity", lambda _: set(range(64)))
    monkeypatch.setattr(parallel, "_limit_of_pools", lambda: 64)
    monkeypatch.setattr(parallel, "_CONTROL_GROUP", tmp_path)
    parallel._cores_of_control_group.cache_clear()
    try:
        assert parallel.allowed_threads() == number
    finally:
        parallel._cores_of_control_group.cache_clear()


def test_threads_as_many_as_threadpoolctl_allows(monkeypatch):
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    monkeypatch.setattr("os.sched_getaffinity", lambda _: set(range(64)))
    with threadpool_limits(1):
        assert parallel.allowed_threads() == 1
    assert parallel.parallel_map(lambda _: parallel.allowed_threads(), range(4), 2) == [1] * 4, "in a thread of ours"


IN_OTHER_LIBRARIES = [torch.asarray, jnp.asarray]


@pytest.mark.parametrize("library", IN_OTHER_LIBRARIES)
@pytest.mark.parametrize("layout", ["dense", "cells"])
def test_measures_of_cpu_tensors_are_those_of_numpy(library, layout):
    """To the last digit, in their own library; from labels and from tables."""
    rng = np.random.default_rng(4)
    true, pred, weights = rng.integers(0, 9, 300), rng.integers(-1, 12, 300), rng.random(300)
    with jax.enable_x64(True):
        for options in ({}, {"sample_weight": weights}):
            table = Contingency.from_labels(true, pred, layout=layout, **options)
            wanted = gpuval.evaluate(table, metrics="all")
            moved = {name: library(x) for name, x in options.items()}
            other = Contingency.from_labels(library(true), library(pred), layout=layout, **moved)
            found = gpuval.evaluate(other, metrics="all")
            assert list(found) == list(wanted)
            for name in wanted:
                assert type(found[name]) is type(other.counts)
                assert float(found[name]) == pytest.approx(wanted[name], rel=0 if not options else 1e-14)
                if "labels" in inspect.signature(getattr(gpuval, name)).parameters:
                    continue  # a measure of one labeling
                score = getattr(gpuval, name)(library(true), library(pred), **moved)
                assert type(score) is type(other.counts)
                assert float(score) == pytest.approx(
                    wanted[name], rel=0 if not options and layout == "dense" else 1e-13
                )


@pytest.mark.parametrize("off", [torch.no_grad, torch.inference_mode])
def test_a_look_without_gradients_takes_none_away(off):
    weights = torch.rand(60, dtype=torch.float64, requires_grad=True)
    labels = torch.arange(60) % 4, torch.arange(60) % 3
    for table in (
        Contingency.from_labels(*labels, sample_weight=weights),
        Contingency.from_memberships(torch.eye(60, dtype=torch.float64) * weights, torch.eye(60, dtype=torch.float64)),
    ):
        with off():
            gpuval.adjusted_rand_score(table)
        assert gpuval.rand_score(table).requires_grad


@pytest.mark.by_default
@pytest.mark.filterwarnings("ignore:`torch.jit.script` is deprecated")
def test_tangents_go_on():
    weights = torch.arange(1.0, 61, dtype=torch.float64)
    labels = torch.arange(60) % 4, (torch.arange(60) // 2) % 3
    with forward_ad.dual_level():
        dual = forward_ad.make_dual(weights, torch.sin(weights))
        score = gpuval.v_measure_score(*labels, sample_weight=dual)
        assert float(forward_ad.unpack_dual(score).tangent) != 0


def test_counts_in_32_bits_are_rounded_as_there():
    """Sums of 32 bits and of 64 differ by more than 64 bits allow: they are not to be mixed."""
    counts = [[16777217.0, 3.0], [5.0, 16777211.0]]
    with jax.enable_x64(False):
        score = gpuval.adjusted_mutual_info_score(Contingency.from_counts(jnp.asarray(counts, dtype=jnp.float32)))
        wanted = gpuval.adjusted_mutual_info_score(Contingency.from_counts(np.asarray(counts)))
        assert float(score) == pytest.approx(wanted, abs=1e-5)
        each = jnp.arange(200)
        for seed in range(5):
            weights = jnp.asarray(np.random.default_rng(seed).random(200), dtype=jnp.float32)
            assert float(gpuval.fowlkes_mallows_score(each, each // 2, sample_weight=weights)) == 0


@pytest.mark.parametrize("library", IN_OTHER_LIBRARIES)
@pytest.mark.parametrize(
    "counts", [[[np.inf, 1.0], [2.0, 3.0]], [[-1.0, 2.0], [3.0, 4.0]], [[0.0, np.nan], [1.0, 1.0]]]
)
def test_broken_tables_are_nan_without_a_word(library, counts):
    """Warnings are errors in these tests."""
    with jax.enable_x64(True):
        table = Contingency.from_counts(library(np.asarray(counts)))
        for name in ("rand_score", "v_measure_score", "purity_score", "fowlkes_mallows_score", "mutual_info_score"):
            assert np.isnan(float(getattr(gpuval, name)(table)))


def test_narrow_integers_of_jax():
    labels = np.array([0, 1, 1, 3]), np.array([0, 0, 1, 2])
    score = gpuval.adjusted_rand_score(*(jnp.asarray(x, dtype=jnp.int4) for x in labels))
    assert float(score) == pytest.approx(gpuval.adjusted_rand_score(*labels), abs=1e-6)


def test_what_is_seen_as_numpy():
    labels = torch.asarray([0, 0, 1, 1])
    table = Contingency.from_labels(labels, labels)
    assert isinstance(table.host_view().counts, np.ndarray)
    assert table.host_view() is table.host_view()
    soft = Contingency.from_memberships(torch.eye(3, requires_grad=True), torch.eye(3))
    assert soft.host_view() is None
    view = read_samples(labels, labels, None, None).host_view()
    assert isinstance(view.true.data, np.ndarray)
    assert isinstance(view.pred.data, np.ndarray)
    unsigned = labels.to(torch.uint64)
    for pair in ((labels.numpy(), labels.numpy()), (labels, unsigned), (labels.to(torch.float64), labels)):
        assert read_samples(*pair, None, None).host_view() is None
