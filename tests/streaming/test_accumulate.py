"""The accumulator of tables: the same table and the same scores, to the last bit, as one call on all samples."""

import copy
import io
import tracemalloc
from unittest import mock

import numpy as np
import pytest
import torch
from backends import BACKENDS, as_on_a_device, jax_values_refused, transfers_to_host
from compiling import output_on_devices
from hypothesis import given, settings
from hypothesis import strategies as st
from only_for import only_for
from torch_operations import TorchOperations

import gpuval
from gpuval import Accumulator, Contingency
from gpuval.inputs.samples import read_samples
from gpuval.inputs.selection import ignore_mask, standard_labels
from gpuval.registry.families import DEFAULT_METRICS
from gpuval.streaming.checkpoints import read_array
from gpuval.table.building import from_samples

SIZES = 6, 5
SCORES = [*DEFAULT_METRICS, "beta_mutual_info"]


def some(n, seed=0, sizes=SIZES):
    rng = np.random.default_rng(seed)
    return tuple(rng.integers(0, size, n) for size in sizes)


def in_batches(accumulator, columns, cuts, like=np.asarray):
    for start, end in zip([0, *cuts], [*cuts, len(columns[0])], strict=True):
        accumulator.update(*(like(x[start:end]) for x in columns))
    return accumulator


def all_scores(table):
    return [float(getattr(gpuval, name)(table)) for name in SCORES]


def assert_nothing_in(accumulator):
    """Nothing was evaluated, which is told, and no score says anything."""
    with pytest.warns(UserWarning, match="has had no samples: scores of its table are NaN"):
        table = accumulator.table
    assert int(table.total) == 0
    for one in (table, accumulator.unchecked_table):
        assert np.isnan(float(gpuval.adjusted_rand_score(one)))


def test_any_batches_give_one_table(backend):
    """Also batches of no samples; to the last bit of every score."""
    true, pred = (x.astype(np.int32) for x in some(60, sizes=(8, 7)))
    whole = Contingency.from_labels(backend.of(true), backend.of(pred), n_classes=8, n_clusters=7)
    found = in_batches(Accumulator(8, 7), (true, pred), [0, 20, 20, 40], backend.of).table
    np.testing.assert_array_equal(backend.back(found.to_array()), backend.back(whole.to_array()))
    assert found.to_array().dtype == whole.to_array().dtype
    assert type(found.counts) is type(whole.counts)
    for name in ("adjusted_rand_score", "v_measure_score", "purity_score"):
        ours, theirs = (backend.numpy(getattr(gpuval, name)(x)) for x in (found, whole))
        assert ours == theirs


@settings(max_examples=60)
@given(st.data())
def test_any_batches_and_any_order(data):
    n = data.draw(st.integers(0, 60))
    group = st.integers(-3, 4)
    true, pred = (np.asarray(data.draw(st.lists(group, min_size=n, max_size=n)), dtype=np.int64) for _ in "ab")
    order = data.draw(st.permutations(range(n)))
    cuts = sorted(data.draw(st.lists(st.integers(0, n), max_size=5)))
    columns = [x[np.asarray(order, dtype=np.int64)] for x in (true, pred)]
    for library in (np.asarray, torch.asarray):
        if n == 0:
            for sizes in ((), (8, 8)):
                assert_nothing_in(in_batches(Accumulator(*sizes), columns, cuts, library))
            continue
        growing = in_batches(Accumulator(), columns, cuts, library).table
        whole = Contingency.from_labels(library(true), library(pred))
        for x, y in zip(growing.triples(), whole.triples(), strict=True):
            np.testing.assert_array_equal(np.asarray(x), np.asarray(y))
        assert all_scores(growing) == all_scores(whole)
        fixed = in_batches(Accumulator(8, 8), [x + 3 for x in columns], cuts, library).table
        at_once = Contingency.from_labels(library(true + 3), library(pred + 3), n_classes=8, n_clusters=8)
        assert all_scores(fixed) == all_scores(at_once)


def test_many_clusters_in_the_layout_of_one_call():
    """Listed first, dense in the end, as one call of all samples would choose."""
    true, pred = some(90_000, sizes=(280, 280))
    growing = in_batches(Accumulator(), (true, pred), range(1000, 90_000, 9000)).table
    whole = Contingency.from_labels(true, pred)
    assert type(growing.cells) is type(whole.cells)
    assert all_scores(growing) == all_scores(whole)


@pytest.mark.parametrize("n", [2000, 90_000])
@pytest.mark.parametrize("sizes", [(300, 300), ()])
@pytest.mark.parametrize("weighted", [False, True])
def test_scores_of_large_tables_are_those_of_one_call(n, sizes, weighted):
    """In either layout, which depends on the number of samples, not on their weights."""
    columns = (*some(n, sizes=(300, 300)), *([np.random.default_rng(1).integers(0, 50, n)] if weighted else []))
    found = in_batches(Accumulator(*sizes, ignore_labels=3), columns, [100, 1000])
    options = {"sample_weight": columns[2] if weighted else None, "ignore_labels": 3}
    options |= dict(zip(("n_classes", "n_clusters"), sizes, strict=False))
    whole = Contingency.from_labels(*columns[:2], **options)
    for accumulator in (found, by_state(found, sizes, ignore_labels=3)):
        assert type(accumulator.table.cells) is type(whole.cells)
        assert all_scores(accumulator.table) == all_scores(whole)


def test_labels_that_are_text():
    accumulator = Accumulator(ignore_labels="noise")
    accumulator.update(["b", "noise", "a"], ["x", "x", "y"])
    accumulator.update(["a", "c"], ["y", "noise"])
    assert accumulator.table.triples()[0].tolist() == ["a", "b"]
    assert accumulator.table.triples()[2].tolist() == [2, 1]


WEIGHTS = {
    "integer": lambda rng, n: rng.integers(0, 5, n),
    "real": lambda rng, n: rng.integers(0, 64, n) / 16,  # whose sums are exact
}


@pytest.mark.parametrize("kind", WEIGHTS)
@pytest.mark.parametrize("sizes", [SIZES, ()])
@pytest.mark.parametrize("like", [np.asarray, torch.asarray])
def test_weights(kind, sizes, like):
    columns = (*some(100), WEIGHTS[kind](np.random.default_rng(1), 100))
    found = in_batches(Accumulator(*sizes), columns, [10, 70], like).table
    options = dict(zip(("n_classes", "n_clusters"), sizes, strict=False))
    whole = Contingency.from_labels(*map(like, columns[:2]), sample_weight=like(columns[2]), **options)
    np.testing.assert_array_equal(found.to_array(), whole.to_array())
    for name in ("adjusted_rand_score", "v_measure_score"):
        assert float(getattr(gpuval, name)(found)) == float(getattr(gpuval, name)(whole))


@pytest.mark.parametrize("weighted_first", [True, False])
def test_some_batches_with_weights(weighted_first):
    """A batch without weights is one of weights 1."""
    true, pred = some(40)
    weights = np.concatenate([np.full(20, 0.5), np.ones(20)])
    accumulator, parts = Accumulator(*SIZES), [slice(0, 20), slice(20, 40)]
    for part in parts if weighted_first else parts[::-1]:
        accumulator.update(true[part], pred[part], *([weights[part]] if part.start == 0 else []))
    whole = Contingency.from_labels(true, pred, sample_weight=weights, n_classes=6, n_clusters=5)
    np.testing.assert_array_equal(accumulator.table.to_array(), whole.to_array())
    assert gpuval.adjusted_rand_score(accumulator.table) == pytest.approx(gpuval.adjusted_rand_score(whole), abs=1e-15)
    accumulator.reset()
    accumulator.update(true, pred)
    assert accumulator.table.is_integer


@pytest.mark.parametrize("like", [np.asarray, torch.asarray])
def test_memberships(like):
    rng = np.random.default_rng(2)
    u, v = (rng.dirichlet(np.ones(size), 30) for size in SIZES)
    accumulator = Accumulator(*SIZES)
    for part in (slice(0, 11), slice(11, 30)):
        accumulator.update_memberships(like(u[part]), like(v[part]))
    whole = Contingency.from_memberships(like(u), like(v))
    np.testing.assert_allclose(accumulator.table.to_array(), whole.to_array(), rtol=1e-14)
    for name in ("adjusted_rand_score", "v_measure_score"):
        measure = getattr(gpuval, name)
        assert float(measure(accumulator.table)) == pytest.approx(float(measure(whole)), rel=1e-12)


def test_no_gradient_of_memberships_is_kept():
    u = torch.full((4, 2), 0.5, dtype=torch.float64, requires_grad=True)
    weights = torch.ones(4, dtype=torch.float64, requires_grad=True)
    accumulator = Accumulator(2, 2)
    for own in (None, weights * 1.5, weights * 1.5):
        accumulator.update_memberships(u, u, own)
        assert not accumulator.table.counts.requires_grad
    copy.deepcopy(accumulator)


def test_labels_outside_on_the_host():
    accumulator = Accumulator(2, 2)
    with pytest.raises(ValueError, match="labels_true"):
        accumulator.update([0, 2], [0, 1])
    assert_nothing_in(accumulator)


OUTSIDE = pytest.mark.parametrize("name", ["strict", "torch", "jax-x64"])


@OUTSIDE
def test_labels_outside_are_told_when_the_table_is_read(name):
    backend = BACKENDS[name]
    with backend.mode(), as_on_a_device():
        accumulator = Accumulator(3, 2)
        for true, pred in (([0, 7], [0, 1]), ([-2, 1, 2], [1, 1, 2]), ([1], [0])):
            accumulator.update(backend.array(true), backend.array(pred))
        with pytest.raises(ValueError, match=r"got 3 samples .*; labels_true range from -2 to 7, .* 0 to 2"):
            _ = accumulator.table
        assert np.isnan(backend.numpy(gpuval.rand_score(accumulator.unchecked_table)))
        accumulator.reset()
        accumulator.update(backend.array([1]), backend.array([1]))
        assert float(backend.numpy(gpuval.rand_score(accumulator.table))) == 1


@OUTSIDE
def test_labels_outside_are_told_after_a_merge(name):
    backend = BACKENDS[name]
    with backend.mode(), as_on_a_device():
        accumulator, other = Accumulator(3, 2), Accumulator(3, 2)
        for true, pred in (([0, 7], [0, 1]), ([-2, 1, 2], [1, 1, 2])):
            accumulator.update(backend.array(true), backend.array(pred))
        other.merge(accumulator)
        with pytest.raises(ValueError, match="range from -2 to 7"):
            _ = other.table


@OUTSIDE
def test_an_update_leaves_the_device_alone(name):
    """Nothing is copied to the host; array-api-strict would refuse it by itself."""
    backend = BACKENDS[name]
    with backend.mode(), as_on_a_device():
        columns = [backend.array(x) for x in some(50)]
        accumulator = Accumulator(*SIZES)
        with transfers_to_host() as copied:
            accumulator.update(*columns)
            accumulator.update(*columns, backend.array(np.ones(50)))
            _ = accumulator.unchecked_table
        assert not copied
        with transfers_to_host() as copied:
            _ = accumulator.table
        assert len(copied) == 1


@pytest.mark.parametrize("like", [np.asarray, torch.asarray])
def test_memory_does_not_grow(like):
    columns = [like(x) for x in some(100)]
    accumulator = Accumulator(*SIZES)

    def peak(updates):
        for _ in range(updates):
            accumulator.update(*columns)
        return tracemalloc.get_traced_memory()[0]

    tracemalloc.start()
    try:
        few = peak(10)
        many = peak(5000)
    finally:
        tracemalloc.stop()
    assert many - few < 4096
    assert int(accumulator.table.total) == 501_000


def by_state(accumulator, sizes, **options):
    other = Accumulator(*sizes, **options)
    other.load_state_dict(accumulator.state_dict())
    return other


def by_file_of_torch(accumulator, sizes):
    file = io.BytesIO()
    torch.save(accumulator.state_dict(), file)
    file.seek(0)
    other = Accumulator(*sizes)
    other.load_state_dict(torch.load(file))  # with weights_only, its default
    return other


@pytest.mark.parametrize("sizes", [SIZES, ()])
@pytest.mark.parametrize("weighted", [False, True])
def test_a_checkpoint_of_another_library(sizes, weighted):
    """From a device to the host and back."""
    columns = tuple(map(torch.asarray, (*some(100), *([np.arange(100) / 8] if weighted else []))))
    whole, first = Accumulator(*sizes), Accumulator(*sizes)
    whole.update(*columns)
    first.update(*(x[:60] for x in columns))
    host, back = Accumulator(*sizes, like=np.zeros(1)), Accumulator(*sizes, like=torch.zeros(1))
    host.load_state_dict(first.state_dict())
    assert isinstance(read_array(host.state_dict(), "counts"), np.ndarray)
    back.load_state_dict(host.state_dict())
    first.update(*(x[:5] for x in columns))  # of no consequence to the copy
    back.update(*(x[60:] for x in columns))
    np.testing.assert_array_equal(back.table.to_array(), whole.table.to_array())
    assert float(gpuval.adjusted_rand_score(back.table)) == float(gpuval.adjusted_rand_score(whole.table))


LABELS_OF_EVERY_KIND = {
    "integers": np.asarray([3, 1, 3], np.int32),
    "unsigned": np.asarray([2**64 - 1, 0, 2**64 - 1], np.uint64),
    "text": np.asarray(["b", "a", "b"]),
    "objects": np.asarray(["b", 1, "b"], dtype=object),
    "bytes": np.asarray([b"b", b"a", b"b"]),
    "longer text": np.asarray(["b", "a" * 20, "b"], np.dtypes.StringDType()),
}


@pytest.mark.parametrize("kind", LABELS_OF_EVERY_KIND)
def test_a_checkpoint_of_numpy_is_plain(kind):
    """``torch.load`` takes it with its safe default, and labels come back as they were, of their type."""
    labels = LABELS_OF_EVERY_KIND[kind]
    accumulator = Accumulator()
    accumulator.update(labels, [0, 1, 1])
    other = by_file_of_torch(accumulator, ())
    assert other.table.classes.dtype == accumulator.table.classes.dtype
    assert other.table.classes.tolist() == accumulator.table.classes.tolist()
    other.update(labels, [0, 1, 1])
    np.testing.assert_array_equal(other.table.to_array(), 2 * accumulator.table.to_array())


@pytest.mark.parametrize(
    ("part", "value"), [("shape", [7]), ("dtype", "no type"), ("values", ["a"]), ("values", None), ("shape", None)]
)
def test_parts_of_an_array_that_do_not_go_together(part, value):
    accumulator = Accumulator()
    accumulator.update([0, 1, 1], [0, 1, 1])
    state = accumulator.state_dict()
    state["counts"] = state["counts"] | {part: value}
    with pytest.raises(ValueError, match="state must have counts with a dtype, a shape and values that fit together"):
        accumulator.load_state_dict(state)
    assert int(accumulator.table.total) == 3


@pytest.mark.parametrize("sizes", [SIZES, ()])
def test_a_checkpoint_of_nothing(sizes):
    other = Accumulator(*sizes)
    other.update([1], [1])
    other.load_state_dict(Accumulator(*sizes).state_dict())
    assert_nothing_in(other)


def test_an_accumulator_of_nothing():
    for accumulator in (
        Accumulator(),
        Accumulator(2, 2),
        Accumulator(2, 2, like=torch.zeros(1)),
        Accumulator(like=np.ones(1)),
    ):
        assert_nothing_in(accumulator)
    assert isinstance(Accumulator(2, 2, xp=torch, device="cpu").unchecked_table.counts, torch.Tensor)
    assert isinstance(Accumulator(2, 2, xp=np).unchecked_table.counts, np.ndarray)


def test_without_64_bits_a_sum_that_is_too_large_is_told():
    """2^30 samples are what 32 bits add up: more of them must not come round to fewer."""
    backend = BACKENDS["jax"]
    with backend.mode():
        accumulator = Accumulator(1, 1)
        zeros, weights = backend.array([0]), backend.array([2**29])
        for _ in range(9):
            accumulator.update(zeros, zeros, weights)
        with pytest.raises(ValueError, match=r"got \d+ samples or sums that break this rule"):
            _ = accumulator.table


ERRORS = {
    "one size": (lambda: Accumulator(3), ValueError, "given together"),
    "no size": (lambda: Accumulator(0, 3), ValueError, "n_classes must be a positive integer"),
    "like and xp": (lambda: Accumulator(like=np.ones(1), xp=np), TypeError, "must not both be given"),
    "device alone": (lambda: Accumulator(device="cpu"), TypeError, "device must be given with xp, got device='cpu'"),
    "xp is text": (lambda: Accumulator(xp="torch"), TypeError, "xp must be an array namespace, .* got 'torch'"),
    "like a list": (lambda: Accumulator(like=[1]), TypeError, "like must be an array .* got list"),
    "state": (
        lambda: Accumulator(2, 2).load_state_dict(Accumulator(2, 3).state_dict()),
        ValueError,
        "with the same n_clusters=2, got 3",
    ),
    "library": (
        lambda: Accumulator(2, 2, like=torch.zeros(1)).update([0], [0]),
        TypeError,
        r"library of the accumulator \(torch\), got list",
    ),
    "memberships": (
        lambda: Accumulator(2, 2).update_memberships(np.ones((3, 2)), np.ones((3, 4))),
        ValueError,
        r"2 classes and 2 clusters, got 2 and 4",
    ),
    "memberships of no size": (
        lambda: Accumulator().update_memberships(np.ones((3, 2)), np.ones((3, 4))),
        ValueError,
        "n_classes and n_clusters must be given",
    ),
}


@pytest.mark.parametrize("case", ERRORS)
def test_bad_input(case):
    call, error, message = ERRORS[case]
    with pytest.raises(error, match=message):
        call()


# What went wrong once


def test_a_batch_that_is_refused_changes_nothing():
    accumulator = Accumulator(2, 2)
    for _ in range(2):
        with pytest.raises(ValueError, match="labels_true"):
            accumulator.update([0, 5], [0, 1], [0.5, 1.0])
        assert accumulator.unchecked_table.is_integer
        accumulator.update([0] * 20, [1] * 20)


def test_ignored_labels_are_kept_as_they_were():
    given = [-1]
    for ignored in (given, iter([-1])):
        accumulator = Accumulator(ignore_labels=ignored)
        for _ in range(2):
            accumulator.update([0, -1], [0, 1])
            given.append(0)
        assert accumulator.table.to_array().tolist() == [[2]]
    with pytest.raises(TypeError, match="ignore_labels must be"):
        Accumulator(ignore_labels=[[1]])
    with pytest.raises(ValueError, match="ignore the same labels"):
        Accumulator(ignore_labels=1).merge(Accumulator(ignore_labels=2))
    with pytest.raises(ValueError, match=r"same ignore_labels=\[1\], got \[\]"):
        Accumulator(ignore_labels=1).load_state_dict(Accumulator().state_dict())


def test_ignored_labels_in_one_form():
    """In that order, numbers as those of Python; what is equal to no integer stays as it is."""
    day = np.datetime64("2020-01-01")
    for labels, one_form in (
        ([3, True, 1.0, np.int8(-2), 1 + 0j], (-2, 1, 3)),
        ([0.5, float("inf"), np.float32(2)], (0.5, 2, float("inf"))),
        (["b", "a", "b"], ("a", "b")),
        ([(1, 2), "a", np.datetime64("NaT"), day, None, 1], (None, day, 1, "a", (1, 2))),
    ):
        found = standard_labels(labels)
        assert found == one_form
        assert [type(x) for x in found] == [type(x) for x in one_form]


@pytest.mark.parametrize("dtype", [torch.uint16, torch.uint32, torch.uint8, torch.bool])
def test_every_type_of_labels(dtype):
    with as_on_a_device():
        accumulator = Accumulator(2, 2)
        accumulator.update(torch.asarray([0, 1]).to(dtype), torch.asarray([0, 1]))
        assert int(accumulator.table.total) == 2


@pytest.mark.parametrize("transformed", ["vmap", "jit"])
def test_memberships_that_jax_traces_are_refused(transformed):
    """Their values are not known, and what is added up is not to outlive the trace."""
    import jax

    accumulator = Accumulator(2, 2)

    def score(x):
        accumulator.update_memberships(x, x)
        return jax.numpy.sum(accumulator.table.counts)

    x = jax.numpy.ones((3, 2))
    with pytest.raises(TypeError, match=r"an accumulator cannot be updated inside jax\.jit"):
        getattr(jax, transformed)(score)(x[None] if transformed == "vmap" else x)
    assert_nothing_in(accumulator)


def test_memberships_inside_a_derivative_of_jax():
    """Their values are taken, and no derivative goes through them: the sums are those outside."""
    import jax

    inside, outside = Accumulator(2, 2), Accumulator(2, 2)
    labels = jax.numpy.asarray([0, 1, 1]), jax.numpy.asarray([0, 1, 0])
    x = jax.numpy.asarray([[0.25, 0.75], [0.5, 0.5], [1.0, 0.0]])

    def add(accumulator, x):
        accumulator.update(*labels, x[:, 0])
        accumulator.update_memberships(x, x, x[:, 1])

    def loss(x):
        add(inside, x)
        return jax.numpy.sum(x * x)

    np.testing.assert_array_equal(jax.grad(loss)(x), 2 * x)
    add(outside, x)
    np.testing.assert_array_equal(inside.table.to_array(), outside.table.to_array())
    np.testing.assert_array_equal(inside.table.self_pairs, outside.table.self_pairs)


@pytest.mark.parametrize("sizes", [(2, 2), ()])
def test_checkpoints_between_32_and_64_bits(sizes):
    narrow = BACKENDS["jax"]
    with narrow.mode():
        small, zeros = Accumulator(*sizes), narrow.array([0])
        small.update(zeros, zeros, narrow.array([2**29]))
        state = small.state_dict()
        wide = Accumulator(*sizes, like=np.zeros(1))
        wide.load_state_dict(state)
        for _ in range(7):
            wide.update([0], [0], np.asarray([2**29]))
        assert int(wide.table.total) == 2**32
        with pytest.raises(ValueError, match="less than 2\\*\\*31 on a device without 64 bits"):
            small.load_state_dict(wide.state_dict())
        for _ in range(2):
            small.update(zeros, zeros, narrow.array([2**29]))
        again = Accumulator(*sizes, like=zeros)
        again.load_state_dict(small.state_dict())
        for accumulator in (small, again):  # what was too large stays so
            with pytest.raises(ValueError, match="too large"):
                _ = accumulator.table


def test_a_sum_that_is_too_large_is_told():
    labels, weights = torch.asarray([0]), torch.asarray([2**38])
    accumulator = Accumulator(1, 1)
    for _ in range(4):
        accumulator.update(labels, labels, weights)
    with pytest.raises(ValueError, match="not too large in sum"):
        _ = accumulator.table


def test_dask_into_another_library():
    import dask.array as da

    labels = da.from_array(np.asarray([0, 1, 1]), chunks=2)
    accumulator = Accumulator(like=torch.zeros(1))
    with pytest.raises(TypeError, match=r"library of the accumulator \(torch\)"):
        accumulator.update(labels, labels)
    with pytest.raises(TypeError, match="like must be an array"):
        Accumulator(like=labels)
    accumulator = Accumulator(2, 2)
    accumulator.update(labels, labels)
    assert int(accumulator.table.total) == 3


def test_a_switch_of_jax_is_told():
    import jax

    with jax.enable_x64(True):
        labels = jax.numpy.asarray([0, 1])
        accumulator = Accumulator(2, 2)
        accumulator.update(labels, labels)
    with jax.enable_x64(False), pytest.raises(TypeError, match="jax_enable_x64 has changed"):
        accumulator.update(labels, labels)


SHARDED = """
import jax, jax.numpy as jnp, numpy as np, gpuval
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P
sharding = NamedSharding(Mesh(jax.devices(), ("samples",)), P("samples"))
labels = jax.device_put(np.arange(8) % 4, sharding)
for like in (None, labels[:0], jnp.zeros(1)):
    for sizes in ((4, 4), ()):
        accumulator = gpuval.Accumulator(*sizes, like=like)
        for _ in range(2):
            accumulator.update(labels, labels)
        assert np.asarray(accumulator.table.to_array()).tolist() == (4 * np.eye(4)).tolist()
print("equal")
"""


def test_sharded_labels():
    assert output_on_devices(SHARDED) == ["equal"]


@pytest.mark.parametrize("like", [np.asarray, torch.asarray])
def test_a_small_batch_makes_nothing_of_the_size_of_the_table(like):
    columns = [like(x) for x in some(256, sizes=(2000, 2000))]
    accumulator = Accumulator(2000, 2000)
    accumulator.update(*columns)
    tracemalloc.start()
    try:
        with mock.patch.object(torch.Tensor, "new_zeros", side_effect=AssertionError("a table of the batch")):
            accumulator.update(*columns)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 1_000_000
    assert int(accumulator.table.total) == 512


def test_what_is_added_is_not_copied():
    """Neither the table of a batch, nor that of another accumulator, which stays as it is."""
    first, second = Accumulator(1000, 1000), Accumulator(1000, 1000)
    for accumulator in (first, second):
        accumulator.update(*some(1000, sizes=(1000, 1000)))
    expected = 2 * second.table.to_array()
    batch = from_samples(read_samples(*some(1000, sizes=(1000, 1000)), None, None), 1000, 1000, "dense")
    tracemalloc.start()
    try:
        first.merge(second)
        first._sums.add(batch)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 1_000_000
    np.testing.assert_array_equal(first.table.to_array(), expected + batch.to_array())
    np.testing.assert_array_equal(2 * second.table.to_array(), expected)


@pytest.mark.parametrize("sizes", [(50, 40), (4, 3), ()])
@pytest.mark.parametrize("weights", [None, "copies"])
def test_ignored_labels_are_looked_for_once_on_each_side(sizes, weights, monkeypatch):
    """How many samples count is known of their table, but for weights."""
    calls, of = [], "gpuval.inputs.samples.ignore_mask"
    monkeypatch.setattr(of, lambda *given: calls.append(given) or ignore_mask(*given))
    true, pred = some(100, sizes=(4, 3))
    given = () if weights is None else (np.arange(100) % 3,)
    accumulator = Accumulator(*sizes, ignore_labels=1)
    accumulator.update(true, pred, *given)
    assert accumulator._samples + (0 if accumulator._sums is None else accumulator._sums.samples) == np.sum(
        (true != 1) & (pred != 1)
    )
    assert weights or 0 < len(calls) <= 2


@pytest.mark.parametrize("sizes", [(2, 2), ()])
@pytest.mark.parametrize("like", [np.asarray, torch.asarray])
def test_a_first_batch_that_is_refused_settles_no_library(sizes, like):
    refused = [
        (np.asarray([0.5]), np.asarray([1])),
        (["a", None], ["b", "c"]),
        (np.asarray([0, 1]), np.asarray([0, 1]), np.asarray([-1, 1])),
        (np.asarray([0, 1]), torch.asarray([0, 1])),
    ]
    accumulator = Accumulator(*sizes)
    for batch in refused:
        with pytest.raises((TypeError, ValueError)):
            accumulator.update(*batch)
    other = Accumulator(*sizes, ignore_labels=9)
    other.update([0], [1])
    with pytest.raises(ValueError, match="ignore the same labels"):
        accumulator.merge(other)
    if sizes:
        with pytest.raises(ValueError, match="memberships must have 2 classes"):
            accumulator.update_memberships(np.ones((3, 2)), np.ones((3, 4)))
    assert repr(accumulator) == repr(Accumulator(*sizes))
    accumulator.update(like([0, 1]), like([0, 1]))
    assert type(accumulator.table.counts) is type(like([0]))


def test_a_merge_that_is_refused_settles_nothing():
    """Sums of NumPy that are too large are told when they are read, and so when they are merged."""
    large = Accumulator(1, 1)
    for _ in range(4):
        large.update([0], [0], np.asarray([2**38]))
    accumulator = Accumulator(1, 1)
    with pytest.raises(ValueError, match="tables must add up to less than"):
        accumulator.merge(large)
    assert repr(accumulator) == repr(Accumulator(1, 1))


WRONG_STATES = {
    "counts": ["text", [[1, 2]], np.full((2, 2), -1), np.ones((3, 3), int), np.full((2, 2), 2**63, np.uint64)],
    "invalid": [3, np.asarray(0.5), np.zeros(3, int)],
    "furthest": [None, np.zeros(3, int), np.zeros(4)],
    "self_pairs": [np.ones(4)],
    "samples": ["3", 2.5, -1],
    "given": [None, True, -1],
    "classes": [["a", "b"], np.asarray(3)],
    "clusters": [["a", "b"], np.asarray([1])],
}


def of_three(sizes):
    """An accumulator of three samples."""
    accumulator = Accumulator(*sizes)
    accumulator.update([0, 1, 1], [0, 1, 1])
    return accumulator


@pytest.mark.parametrize("sizes", [(2, 2), ()])
@pytest.mark.parametrize("name", WRONG_STATES)
@only_for(lambda sizes, name: name in of_three(sizes).state_dict())
def test_a_state_that_is_refused_changes_nothing(sizes, name):
    given = of_three(sizes)
    state, began = given.state_dict(), Accumulator(*sizes)
    began.update(torch.asarray([0]), torch.asarray([0]))
    for value in WRONG_STATES[name]:
        for accumulator, total in ((Accumulator(*sizes), 0), (began, 1), (given, 3)):
            before = repr(accumulator)
            with pytest.raises((TypeError, ValueError), match="state must have"):
                accumulator.load_state_dict({**state, name: value})
            assert (repr(accumulator), int(accumulator.unchecked_table.total)) == (before, total)
    with pytest.raises(TypeError, match="state must be a mapping, as state_dict"):
        began.load_state_dict(None)


NONE_LEFT = {
    "ignored": ({"ignore_labels": [0]}, ([0, 0], [1, 1])),
    "ignored on one side each": ({"ignore_labels": [0, 1]}, ([0, 1], [1, 0])),
    "weights of nothing": ({}, ([0, 1], [1, 0], [0, 0])),
    "real weights of nothing": ({}, ([0, 1], [1, 0], [0.0, 0.0])),
}


@pytest.mark.parametrize("case", NONE_LEFT)
@pytest.mark.parametrize("sizes", [(8, 7), ()])
@only_for(lambda backend, sizes: sizes or backend.lists_cells)
def test_none_left(backend, case, sizes):
    """A batch of which nothing is left is fine, and a table of no samples; that nothing is left in the end is told."""
    options, batch = NONE_LEFT[case]
    columns = [backend.array(np.resize(x, 60)) for x in batch]
    names = ("adjusted_rand_score",) if backend.compiles else ("adjusted_rand_score", "v_measure_score")
    accumulator, nothing = (Accumulator(*sizes, **options) for _ in "ab")
    nothing.update(*(backend.array(np.zeros(0, dtype=np.int64)) for _ in "ab"))
    accumulator.update(*columns)
    merged, loaded = Accumulator(*sizes, **options), Accumulator(*sizes, **options)
    merged.merge(accumulator)
    loaded.load_state_dict(accumulator.state_dict())
    for one in (accumulator, merged, loaded, copy.deepcopy(accumulator)):
        with pytest.raises(ValueError, match="must leave at least one sample, got none left of 60"):
            _ = one.table
        for name in names:
            assert np.isnan(backend.numpy(getattr(gpuval, name)(one.unchecked_table)))
    for one in (Accumulator(*sizes, like=columns[0]), nothing):
        with pytest.warns(UserWarning, match="has had no samples: scores of its table are NaN"):
            assert int(backend.numpy(one.table.total)) == 0
        assert np.isnan(backend.numpy(gpuval.adjusted_rand_score(one.unchecked_table)))
    ones = backend.array(np.ones(60, np.int64))
    accumulator.update(ones, ones, backend.array([0] * 59 + [3]))
    ignored = 1 in options.get("ignore_labels", [])
    if not ignored:
        assert int(backend.numpy(accumulator.table.total)) == 3
        assert backend.numpy(gpuval.adjusted_rand_score(accumulator.unchecked_table)) == 1
    accumulator.reset()
    assert int(backend.numpy(accumulator.unchecked_table.total)) == 0


def test_none_left_of_memberships_and_dask():
    import dask.array as da

    accumulator = Accumulator(2, 2)
    accumulator.update_memberships(np.eye(2), np.eye(2), np.zeros(2))
    with pytest.raises(ValueError, match="got none left of 2"):
        _ = accumulator.table
    for sizes in ((2, 2), ()):
        accumulator = Accumulator(*sizes, ignore_labels=0)
        labels = da.from_array(np.zeros(5, dtype=np.int64), chunks=2)
        accumulator.update(labels, labels)
        with pytest.raises(ValueError, match="got none left of 5"):
            _ = accumulator.table


def test_what_is_outside_is_told_before_that_nothing_is_left():
    with as_on_a_device():
        accumulator = Accumulator(2, 2)
        accumulator.update(torch.asarray([5, 6]), torch.asarray([0, 0]))
        with pytest.raises(ValueError, match=r"got 2 samples .* from 5 to 6"):
            _ = accumulator.table
        assert int(accumulator.unchecked_table.invalid) == 2


ODD_TENSORS = {
    "sparse": (lambda: torch.eye(2).to_sparse(), "got one of layout torch.sparse_coo; give like.to_dense"),
    "meta": (lambda: torch.eye(2, device="meta"), "must have values, got a tensor on the device meta"),
    "nested": (lambda: torch.nested.nested_tensor([torch.ones(2)], layout=torch.jagged), "got a nested one"),
}


@pytest.mark.parametrize("case", ODD_TENSORS)
def test_tensors_that_hold_no_place(case):
    made, message = ODD_TENSORS[case]
    for sizes in ((2, 2), ()):
        with pytest.raises(TypeError, match=message):
            Accumulator(*sizes, like=made())
    with pytest.raises(TypeError, match="must have values"):
        Accumulator(xp=torch, device="meta")


# Nothing waits


def test_an_update_reads_no_value_in_torch():
    """No operation waits for the device."""
    true, pred = map(torch.asarray, some(50))
    accumulator = Accumulator(*SIZES, like=true)
    for weights in (None, torch.ones(50), torch.ones(50, dtype=torch.int64)):
        with TorchOperations() as called:
            accumulator.update(true, pred, weights)
            gpuval.adjusted_rand_score(accumulator.unchecked_table)
        assert called.counter
        assert called.waits == 0
    with TorchOperations() as called:
        float(true[0])
    assert called.waits  # as it would be seen


def test_an_update_transfers_nothing_in_jax():
    import jax

    rng, size = np.random.default_rng(0), {"n_classes": 6, "n_clusters": 6}

    @jax.jit
    def step(table, true, pred):
        table = table + Contingency.from_labels(true, pred, **size)
        return table, gpuval.adjusted_rand_score(table)

    with jax.enable_x64(False):
        batches = [tuple(jax.device_put(rng.integers(0, 6, 64, dtype=np.int32)) for _ in range(2)) for _ in range(4)]
        table, _ = step(Contingency.from_labels(batches[0][0][:0], batches[0][1][:0], **size), *batches[0])
        with jax_values_refused(), jax.transfer_guard("disallow"):
            for batch in batches[1:]:
                table, _ = step(table, *batch)
        with as_on_a_device():
            accumulator = Accumulator(6, 6, like=batches[0][0])
            with transfers_to_host() as copied, jax_values_refused():
                for batch in batches:
                    accumulator.update(*batch)
                unchecked = accumulator.unchecked_table
            assert not copied
            np.testing.assert_array_equal(unchecked.to_array(), table.to_array())
            with transfers_to_host() as copied:
                _ = accumulator.table
            assert copied  # it is checked first; so it would be seen


def metric(n_classes, n_clusters):
    from gpuval.torchmetrics import ClusteringMetric

    return ClusteringMetric(n_classes=n_classes, n_clusters=n_clusters)


@pytest.mark.parametrize("made", [Accumulator, metric])
def test_a_table_that_no_memory_has(made):
    """It is told before the first batch, and not by the library that cannot allocate it."""
    with pytest.raises(
        ValueError, match=r"n_classes x n_clusters must be at most 2\*\*36 cells in a dense table, got 1000000 x"
    ):
        made(10**6, 10**6)


# A batch of which no sample is left is a summand like any other: only its own score says nothing.

PADDED = {"ignore_labels": [-1], "n_classes": 3, "n_clusters": 3}


@pytest.mark.parametrize("name", ["torch", "torch-host", "jax-x64", "jax", "strict"])
def test_tables_of_padding_add_up(name):
    backend = BACKENDS[name]
    with backend.mode():
        some, none, other = (backend.array(x) for x in ([0, 0, 1, 2], [-1, -1], [0, 1]))
        batch = Contingency.from_labels(some, backend.array([0, 0, 1, 1]), **PADDED)
        padding = Contingency.from_labels(none, other, **PADDED)
        alone = float(backend.numpy(gpuval.adjusted_rand_score(batch)))
        for table in (batch + padding, padding + batch, padding + padding + batch):
            assert float(backend.numpy(gpuval.adjusted_rand_score(table))) == alone
        for score in (
            gpuval.adjusted_rand_score(padding),
            gpuval.adjusted_rand_score(padding + padding),
            gpuval.adjusted_rand_score(none, other, **PADDED),
            gpuval.entropy(padding),
            gpuval.evaluate(padding, metrics="nmi")["normalized_mutual_info_score"],
        ):
            assert np.isnan(backend.numpy(score))


@pytest.mark.by_default
def test_a_step_of_padding_in_a_compiled_loop():
    import jax
    import jax.numpy as jnp

    first = Contingency.from_labels(jnp.asarray([0, 0, 1, 2]), jnp.asarray([0, 0, 1, 1]), **PADDED)

    def step(table, batch):
        return table + Contingency.from_labels(batch[0], batch[1], **PADDED), None

    batches = jnp.asarray([[[-1, -1], [0, 1]], [[0, 1], [0, 2]]])
    total, _ = jax.lax.scan(step, first, batches)
    whole = gpuval.adjusted_rand_score([0, 0, 1, 2, 0, 1], [0, 0, 1, 1, 0, 2])
    assert float(gpuval.adjusted_rand_score(total)) == pytest.approx(whole, rel=1e-6)
    nothing, _ = jax.lax.scan(step, Contingency.from_labels(batches[0, 0], batches[0, 1], **PADDED), batches[:1])
    assert np.isnan(gpuval.adjusted_rand_score(nothing))


@pytest.mark.parametrize("sizes", [(), (3, 3)])
@pytest.mark.parametrize("of", [np.asarray, torch.asarray], ids=["numpy", "torch"])
def test_unchecked_tables_of_padding_add_up(of, sizes):
    some, none = (Accumulator(*sizes, ignore_labels=[-1]) for _ in range(2))
    some.update(of([0, 0, 1, 2]), of([0, 0, 1, 1]))
    none.update(of([-1, -1]), of([0, 1]))
    added = gpuval.adjusted_rand_score(some.unchecked_table + none.unchecked_table)
    assert float(added) == gpuval.adjusted_rand_score([0, 0, 1, 2], [0, 0, 1, 1])
    assert np.isnan(float(gpuval.adjusted_rand_score(none.unchecked_table)))


@pytest.mark.parametrize("weights", [None, np.ones(3, np.int64), np.ones(3)])
def test_labels_of_any_integer_type_in_a_large_table(weights):
    """Also of 64 bits without a sign, which NumPy adds to signed ones as floats."""
    labels = np.arange(3)
    for dtype in ("int8", "uint8", "int32", "uint32", "int64", "uint64"):
        accumulator = Accumulator(40, 40)
        accumulator.update(labels.astype(dtype), labels.astype(dtype), weights)
        accumulator.update(labels[:0].astype(dtype), labels[:0].astype(dtype), None if weights is None else weights[:0])
        np.testing.assert_array_equal(np.diag(accumulator.table.to_array())[:4], [1, 1, 1, 0])
