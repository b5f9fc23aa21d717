"""Sums of tables: parts and wholes, on one device, of invalid ones, and how much leaves the device for them."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch
from backends import BACKENDS, as_on_a_device, transfers_to_host
from hypothesis import given, settings
from hypothesis import strategies as st
from known_tables import INTEGERS, LAYOUTS, OTHER, assert_same_tables, cells_of, check, values
from only_for import only_for
from packages import pd

import gpuval
from gpuval import Contingency
from gpuval.engines.cells import SparseCells


@pytest.mark.parametrize("known_first", [True, False])
def test_a_known_table_and_a_traced_one_add_up(known_first):
    """A running total, closed over by what is compiled, and the table of a batch."""
    labels = jnp.asarray([0, 0, 1])
    known = Contingency.from_labels(labels, jnp.asarray([0, 1, 1]), n_classes=2, n_clusters=2)
    batch = Contingency.from_labels(labels, jnp.asarray([1, 1, 1]), n_classes=2, n_clusters=2)

    @jax.jit
    def added(traced):
        return known + traced if known_first else traced + known

    assert added(batch).to_array().tolist() == (known + batch).to_array().tolist() == [[1, 3], [0, 2]]


def test_tables_on_two_devices_do_not_add_up():
    """The meta device of PyTorch stands for a second one."""
    table = Contingency.from_labels(torch.tensor([0, 1]), torch.tensor([0, 1]), n_classes=2, n_clusters=2)
    elsewhere = table.mapped(lambda x: x.to("meta"))
    for a, b, devices in ((table, elsewhere, "cpu and meta"), (elsewhere, table, "meta and cpu")):
        with pytest.raises(ValueError, match=f"tables must be on one device to be added, got {devices}"):
            a + b


@pytest.mark.parametrize("library", [jnp.asarray, np.asarray])
@pytest.mark.parametrize("other_is_invalid", [True, False])
def test_a_sum_is_as_invalid_as_its_parts(library, other_is_invalid):
    """Also of tables that were brought to the host, which are NumPy's and may be invalid."""
    valid, broken = (
        Contingency.from_labels(jnp.asarray(true), jnp.asarray([0, 1, 1]), n_classes=2, n_clusters=2)
        for true in ([0, 0, 1], [0, 5, 1])
    )
    valid, broken = (x.mapped(library) for x in (valid, broken))
    assert int(broken.invalid) == 1
    for total in (broken + valid, valid + broken):
        assert int(total.invalid) == 1
        assert np.isnan(float(gpuval.rand_score(total)))
    assert int((broken + broken).invalid) == 2
    assert not np.isnan(float(gpuval.rand_score(valid + valid)))


def test_listed_tables_are_made_compact_once():
    """One transfer tells which labels occur; two find the ranges of the labels."""
    labels = torch.arange(300) * 10**6
    with as_on_a_device():
        a, b = (Contingency.from_labels(x, x, layout="cells") for x in (labels, labels + 10**6))
        with transfers_to_host() as copied:
            total = a + b
    assert isinstance(total.cells, SparseCells)
    assert total.shape == (301, 301)
    assert [tuple(x.shape) for x in copied] == [(2,), (2,), (602,)]


# Parts and wholes

any_labels = st.one_of(
    st.lists(st.tuples(st.integers(-3, 3), st.integers(0, 2))),
    st.lists(st.tuples(st.sampled_from(["a", "bb", "ccc"]), st.integers(-(2**63), 2**63 - 1))),
    st.lists(st.tuples(st.one_of(st.integers(0, 2), st.sampled_from("ab")), st.booleans())),
)


@given(any_labels, st.data())
@settings(max_examples=300)
def test_parts_add_up_to_the_whole(rows, data):
    borders = sorted(data.draw(st.lists(st.integers(0, len(rows)), max_size=3)))
    parts = [rows[i:j] for i, j in zip([0, *borders], [*borders, len(rows)], strict=True)]
    layouts = [data.draw(st.sampled_from([None, *LAYOUTS])) for _ in parts]
    tables = [
        Contingency.from_labels([x for x, _ in part], [y for _, y in part], layout=layout)
        for part, layout in zip(parts, layouts, strict=True)
    ]
    total = tables[0]
    for table in tables[1:]:
        total = total + table
    whole = Contingency.from_labels([x for x, _ in rows], [y for _, y in rows])
    assert cells_of(total) == cells_of(whole)
    assert values(total.classes) == values(whole.classes)
    assert values(total.clusters) == values(whole.clusters)
    np.testing.assert_array_equal(total.to_array(), whole.to_array())


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 3))), st.integers(0, 9))
@settings(max_examples=100)
def test_parts_of_given_size_add_up_to_the_whole(rows, border):
    for hold in (np.array, torch.tensor):
        whole, first, second = (
            Contingency.from_labels(*hold([*part, (0, 0)])[: len(part)].T, n_classes=3, n_clusters=4)
            for part in (rows, rows[:border], rows[border:])
        )
        assert_same_tables(first + second, whole)


@pytest.mark.parametrize("one", LAYOUTS)
@pytest.mark.parametrize("other", LAYOUTS)
def test_tables_of_given_size_add_up_in_any_layout(one, other):
    size = {"n_classes": 10, "n_clusters": 8}
    a = Contingency.from_labels(INTEGERS, OTHER, layout=one, **size)
    b = Contingency.from_labels(OTHER, INTEGERS, layout=other, **size)
    assert (a + b).to_array().shape == (10, 8)
    check(a + b, INTEGERS + OTHER, OTHER + INTEGERS)
    assert (a + b).fixed


def test_large_tables_of_given_size_add_up_in_their_cells():
    table = Contingency.from_labels(INTEGERS, OTHER, n_classes=10**5, n_clusters=10**5, layout="cells")
    assert cells_of(table + table) == {pair: 2 * n for pair, n in cells_of(table).items()}
    assert (table + table).cells.shape == (10**5, 10**5)


@only_for(lambda backend: backend.lists_cells)
def test_tables_of_arrays_add_up(backend):
    for first, second in (([5, -3, 5], [4, -3, 9]), ([0, 1, 0], [70_000, 1, -9]), ([], [1, 2, 1])):
        a, b = (Contingency.from_labels(backend.array(x), backend.array([0, 1, 1][: len(x)])) for x in (first, second))
        check(a + b, first + second, [*[0, 1, 1][: len(first)], 0, 1, 1])


def test_tables_of_different_dtypes_add_up():
    a = Contingency.from_labels(np.array([1, 2], np.int8), ["x", "y"])
    b = Contingency.from_labels(np.array([2**64 - 1, 2], np.uint64), pd.Categorical(["long", "y"]))
    c = Contingency.from_labels(["one", 2], ["x", 3], sample_weight=[0.5, 0.25])
    check(a + b, [1, 2, 2**64 - 1, 2], ["x", "y", "long", "y"])
    assert cells_of(a + b + c) == {
        (1, "x"): 1,
        (2, "y"): 2,
        (2**64 - 1, "long"): 1,
        ("one", "x"): 0.5,
        (2, 3): 0.25,
    }
    for backend in map(BACKENDS.get, ("strict", "torch", "jax")):
        with backend.mode():
            x, w = backend.of(np.array([0, 1], np.int32)), backend.of(np.array([0.5, 2.0], np.float32))
            mixed = Contingency.from_labels(x, x) + Contingency.from_labels(x, x, sample_weight=w)
            assert cells_of(mixed) == {(0, 0): 1.5, (1, 1): 3.0}


def test_what_was_given_stays_known_in_a_sum():
    """A table that had samples, of which none is left, scores NaN also beside one of no samples."""
    size = {"n_classes": 2, "n_clusters": 2}
    none = Contingency.from_labels(torch.asarray([0, 0]), torch.asarray([1, 1]), ignore_labels=0, **size)
    empty = Contingency.empty(2, 2, like=torch.zeros(1))
    for total in (none + empty, empty + none):
        assert np.isnan(float(gpuval.normalized_mutual_info_score(total)))
    one = Contingency.from_labels(torch.asarray([0, 1]), torch.asarray([1, 0]), **size)
    assert float(gpuval.normalized_mutual_info_score(none + empty + one)) == 1
