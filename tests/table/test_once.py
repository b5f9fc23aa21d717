"""What is done once: no formula finds a number twice, no table is checked or looked through again."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch
from backends import as_on_a_device

import gpuval
from gpuval import Contingency
from gpuval.engines.backends.torch import TorchBackend
from gpuval.engines.host import engine
from gpuval.inputs import samples
from gpuval.metrics.external import matching
from gpuval.table import building, pairs

TRUE, PRED = [0, 0, 1, 2, 2, 5], [0, 1, 1, 2, 2, 2]


@pytest.fixture
def calls(monkeypatch):
    """Count the calls of a function of a module, or of a method: ``calls(owner, name)`` is a list that grows."""

    def counted(owner, name):
        original, found = getattr(owner, name), []

        def count(*args, **options):
            found.append(args)
            return original(*args, **options)

        monkeypatch.setattr(owner, name, count)
        return found

    return counted


def test_a_distance_finds_each_rest_once(calls):
    of_classes, of_clusters = (calls(matching, f"rest_of_best_by_{x}") for x in ("class", "cluster"))
    assert float(gpuval.van_dongen_distance(TRUE, PRED, n_classes=6, n_clusters=3)) == 3 / 12
    assert (len(of_classes), len(of_clusters)) == (1, 1)


@pytest.mark.parametrize("of", [np.asarray, torch.asarray])
def test_the_others_of_a_group_are_looked_for_only_if_one_is_most_of_it(of, calls):
    """On the host; on a device nobody looks."""
    looked = calls(pairs, "_not_most")
    even, odd = (Contingency.from_memberships(of(x), of(np.eye(3))) for x in (np.full((3, 3), 0.25), np.eye(3)))
    assert float(gpuval.van_dongen_distance(even)) == pytest.approx(2 / 3)
    assert not looked
    assert float(gpuval.van_dongen_distance(odd)) == 0
    assert len(looked) == 2


def test_memberships_on_a_device_are_counted_once(calls):
    """How many of them are no weights: in the memberships, in the weights and in the table that they make."""
    with as_on_a_device():
        counted = calls(TorchBackend, "count_true")
        table = Contingency.from_memberships(torch.eye(3), torch.tensor([[1.0, -1.0, 0.5]] * 3))
        assert int(table.invalid) == 6
    assert [tuple(x.shape) for _, x, *_ in counted].count((3, 3)) == 3


@pytest.mark.parametrize("layout", ["dense", "cells"])
def test_matching_does_not_check_tables_of_its_own(layout, monkeypatch):
    """Checks speak of counts, which nobody gave."""
    counts = np.asarray([[[2.5, 1.0], [0.0, 3.0]], [[1.0, 0.0], [4.0, 1.0]]])
    batch = Contingency.from_counts(counts)
    with as_on_a_device():
        table = Contingency.from_labels(torch.tensor(TRUE), torch.tensor(PRED), layout=layout)

    def refused(*_):
        raise AssertionError("a table that nobody gave is checked")

    for owner, name in ((building, "read_counts"), (building, "widen_counts")):
        monkeypatch.setattr(owner, name, refused)
    with as_on_a_device():
        assert float(gpuval.clustering_accuracy(table)) == 4 / 6
        assert float(gpuval.pair_sets_index(table)) == pytest.approx(float(gpuval.pair_sets_index(TRUE, PRED)))
    np.testing.assert_allclose(gpuval.clustering_accuracy(batch), [5.5 / 6.5, 4 / 6])


def test_samples_of_a_block_are_counted_by_its_table(calls):
    """Where labels are ignored, all of them have been compared already; real weights do not tell how many there are."""
    import dask.array as da

    compared = calls(samples, "are_ignored")
    true, pred = (da.from_array(np.asarray(x), chunks=3) for x in (TRUE, PRED))
    table = Contingency.from_labels(true, pred, ignore_labels=5)
    assert int(table.total) == 5
    assert not compared
    weights = da.from_array(np.full(6, 0.25), chunks=3)
    assert float(Contingency.from_labels(true, pred, ignore_labels=5, sample_weight=weights).total) == 1.25
    assert len(compared) == 4  # for the table and for their number, of two blocks


def test_statistics_of_an_unchecked_table_are_kept(calls):
    """A table that knows how many samples there were is read as another one: the same for all measures."""
    counted = calls(engine, "_count_pairs")
    table = Contingency.from_labels(TRUE, PRED, n_classes=6, n_clusters=3).with_given(len(TRUE))
    for _ in range(2):
        assert gpuval.rand_score(table) == gpuval.rand_score(TRUE, PRED, n_classes=6, n_clusters=3)
    assert len(counted) == 1 + 2
    read = table.with_none_left_invalid()
    assert read is table.with_none_left_invalid()
    assert type(read) is Contingency
    assert read.given is None
    none = Contingency.from_labels([], [], n_classes=2, n_clusters=2).with_given(3)
    assert int(none.with_none_left_invalid().invalid) == 3
    assert np.isnan(gpuval.rand_score(none))


def test_tables_on_a_device_are_read_anew():
    """What is kept longer would drag a graph, a trace or a stream into another."""
    known = Contingency.from_labels(jnp.asarray(TRUE), jnp.asarray(PRED), n_classes=6, n_clusters=3)

    @jax.jit
    def score(table):
        return gpuval.rand_score(table.with_given(6))

    assert float(score(known)) == float(score(known)) == float(gpuval.rand_score(known.with_given(6)))
