"""Sums of tables: on one device, of invalid ones, and how much leaves the device for them."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch
from backends import as_on_a_device, transfers_to_host

import gpuval
from gpuval import Contingency
from gpuval.engines.cells import ListedCells


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
    assert isinstance(total.cells, ListedCells)
    assert total.shape == (301, 301)
    assert [tuple(x.shape) for x in copied] == [(2,), (2,), (602,)]
