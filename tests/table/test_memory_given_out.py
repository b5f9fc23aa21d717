"""What tables and accumulators give out or were given may be written into: neither of them changes by it."""

from __future__ import annotations

import copy
import inspect
import pickle
from dataclasses import fields, is_dataclass

import array_api_strict as strict
import jax.numpy as jnp
import numpy as np
import pandas as pd
import pytest
import torch
from backends import as_on_a_device
from known_tables import triples_of
from properties import NOT_MEASURES

import gpuval
from gpuval import Accumulator, Contingency

TRUE, PRED = [0, 0, 1, 2, 2, 5], [0, 1, 1, 2, 2, 2]
LIBRARIES = {"numpy": np.asarray, "torch": torch.asarray, "jax": jnp.asarray, "strict": strict.asarray}
LAYOUTS = pytest.mark.parametrize("layout", ["dense", "cells"])
ON_THE_HOST = pytest.mark.parametrize("library", ["numpy", "torch", "strict"])
EVERYWHERE = pytest.mark.parametrize("library", LIBRARIES)


def written(x):
    """Write into everything that ``x`` is or holds; how many arrays took it."""
    if x is None or isinstance(x, range | str | int | float | np.generic):
        return 0
    if isinstance(x, dict):
        return sum(map(written, x.values()))
    if isinstance(x, tuple | list):
        return sum(map(written, x))
    if is_dataclass(x):
        return sum(written(getattr(x, field.name)) for field in fields(x))
    if isinstance(x, pd.DataFrame):
        x.iloc[:, :] = 77
        return 1
    if hasattr(x, "data") and hasattr(x, "indptr"):  # SciPy
        return written([x.data, x.indices, x.indptr])
    try:
        x[...] = 77
    except (TypeError, ValueError):  # which refuse it: JAX, and NumPy's that cannot be written into
        return 0
    return 1


def expected():
    counts = {}
    for pair in zip(TRUE, PRED, strict=True):
        counts[pair] = counts.get(pair, 0) + 1
    return counts


def table_in(library, layout="dense", **options):
    return Contingency.from_labels(LIBRARIES[library](TRUE), LIBRARIES[library](PRED), layout=layout, **options)


def test_the_example_of_a_purity_of_thirteen():
    table = Contingency.from_labels([0, 0, 1, 1], [0, 0, 1, 1])
    with pytest.raises(ValueError, match="read-only"):
        table.to_array()[0, 1] = 50
    assert gpuval.purity_score(table) == 1


def test_a_write_is_seen_by_this_check():
    """It can fail: with an array of the table's own."""
    table = table_in("torch")
    assert written(table.cells.counts) == 1
    assert triples_of(table) != expected()


@EVERYWHERE
@LAYOUTS
@pytest.mark.parametrize("sized", [False, True])
def test_what_a_table_gives_out(library, layout, sized):
    table = table_in(library, layout, **({"n_classes": 6, "n_clusters": 3} if sized else {}))
    for _ in range(2):
        written([table.to_array(), table.triples(), table.to_pandas(), gpuval.contingency_matrix(table)])
        written([gpuval.contingency_matrix(table, sparse=True), gpuval.pair_confusion_matrix(table)])
        written([table.listed().to_array(), table.dense().triples(), table.transposed().to_array()])
        assert triples_of(table) == expected()
    assert table.to_pandas().to_numpy().sum() == 6


@LAYOUTS
def test_no_array_of_a_numpy_table_can_be_written_into(layout):
    text = Contingency.from_labels(list("aabccz"), PRED, layout=layout)
    weighted = table_in("numpy", layout, sample_weight=np.full(6, 0.5))
    for table in (table_in("numpy", layout), text, weighted):
        travelled = [pickle.loads(pickle.dumps(table, protocol)) for protocol in (4, 5)]
        for one in (table, *travelled, copy.deepcopy(table), copy.copy(table), table.compact(), table + table):
            before = triples_of(one)
            assert written(one) == 0
            assert triples_of(one) == before


@ON_THE_HOST
def test_what_a_table_was_built_from(library):
    def made(x):
        return LIBRARIES[library](np.array(x))

    counts, u, v, weights = made([[2, 1], [0, 3]]), made(np.eye(3)), made(np.eye(3)), made(np.full(3, 0.5))
    true, pred = made(TRUE), made(PRED)
    cells = [made(x) for x in ([2, 1], [0, 1], [0, 1])]
    tables = [
        Contingency.from_counts(counts),
        Contingency.from_memberships(u, v, sample_weight=weights),
        Contingency.from_labels(true, pred),
        Contingency.from_cells(*cells, (2, 2)),
    ]
    before = [triples_of(table) for table in tables]
    scores = [float(gpuval.purity_score(table)) for table in tables]
    assert written([counts, u, v, weights, true, pred, cells]) == 9
    assert [triples_of(table) for table in tables] == before
    assert [float(gpuval.purity_score(copy.copy(table))) for table in tables] == scores


def test_a_crosstab_and_its_labels():
    index, columns = np.array(["a", "b"], dtype=object), np.array([7, 8])
    frame = pd.DataFrame(np.array([[2, 1], [0, 3]]), index=index, columns=columns)
    table = Contingency.from_counts(frame)
    written([frame, index, columns])
    assert triples_of(table) == {("a", 7): 2, ("a", 8): 1, ("b", 8): 3}
    shown = table.to_pandas()
    written([shown, shown.index.to_numpy(), shown.columns.to_numpy()])
    assert triples_of(table) == {("a", 7): 2, ("a", 8): 1, ("b", 8): 3}


@EVERYWHERE
@LAYOUTS
def test_what_measures_give_out(library, layout):
    """Also what they keep for one another."""
    table = table_in(library, layout)
    names = [name for name in gpuval.__all__ if hasattr(getattr(gpuval, name), "__wrapped__")]
    names = [name for name in names if "labels_true" in inspect.signature(getattr(gpuval, name)).parameters]
    names = [name for name in names if name not in NOT_MEASURES]
    assert len(names) > 40
    for name in names:
        first = getattr(gpuval, name)(table)
        kept = np.asarray([np.asarray(x) for x in first] if isinstance(first, tuple) else first).tolist()
        written(first)
        again = getattr(gpuval, name)(table)
        found = np.asarray([np.asarray(x) for x in again] if isinstance(again, tuple) else again).tolist()
        np.testing.assert_array_equal(found, kept, err_msg=name)
    for one in (
        gpuval.evaluate(table, metrics="all"),
        gpuval.compare(*[LIBRARIES[library](TRUE)], {"p": LIBRARIES[library](PRED)})["p"],
    ):
        written(list(one.values()))
        written(list(one.to_dict().values()))
    assert triples_of(table) == expected()


SIZES = pytest.mark.parametrize("sizes", [(), (6, 3)])


@EVERYWHERE
@SIZES
def test_what_an_accumulator_gives_out(library, sizes):
    accumulator = Accumulator(*sizes)
    for start in (0, 3):
        accumulator.update(*(LIBRARIES[library](x[start : start + 3]) for x in (TRUE, PRED)))
    for _ in range(2):
        written([accumulator.table, accumulator.unchecked_table, accumulator.state_dict()])
        written([accumulator.table.to_array(), accumulator.table.triples(), accumulator.table.to_pandas()])
        assert triples_of(accumulator.table) == expected()


@EVERYWHERE
@SIZES
def test_merged_and_loaded_accumulators_share_nothing(library, sizes):
    given = Accumulator(*sizes)
    given.update(LIBRARIES[library](TRUE), LIBRARIES[library](PRED))
    merged, loaded = Accumulator(*sizes), Accumulator(*sizes)
    merged.merge(given)
    state = given.state_dict()
    loaded.load_state_dict(state)
    written(state)
    others = [merged, loaded, copy.deepcopy(given), pickle.loads(pickle.dumps(given))]
    for one in others:
        written(one.table)
        one.update(LIBRARIES[library](TRUE[:1]), LIBRARIES[library](PRED[:1]))
        written(one.table)
    for one in others:
        assert triples_of(one.table) == {**expected(), (0, 0): 2}
    assert triples_of(given.table) == expected()


@pytest.mark.parametrize("library", ["torch", "strict"])
@SIZES
def test_tables_that_were_read_stay(library, sizes):
    """As on a device, and with weights that make the counts real."""
    with as_on_a_device():
        accumulator = Accumulator(*sizes)
        columns = [LIBRARIES[library](np.asarray(x)) for x in (TRUE, PRED, [0.5] * 6)]
        accumulator.update(*columns)
        table = accumulator.unchecked_table
        before = triples_of(table)
        written(columns)
        accumulator.update(*(LIBRARIES[library](x) for x in (TRUE, PRED)))
        assert triples_of(table) == before
        written(table)
        assert triples_of(accumulator.table) == {pair: 1.5 * n for pair, n in expected().items()}


def test_states_of_torchmetrics():
    from gpuval.torchmetrics import ClusteringMetric

    metric, other = (ClusteringMetric(n_classes=6, n_clusters=3) for _ in range(2))
    for x in (metric, other):
        x.persistent(True)
    metric.update(torch.asarray(PRED), torch.asarray(TRUE))
    state = metric.state_dict()
    other.load_state_dict(state)
    other.update(torch.asarray(PRED), torch.asarray(TRUE))
    assert int(state["counts"].sum()) == int(metric.counts.sum()) == 6
    for x in state.values():
        x.fill_(77)
    assert int(other.counts.sum()) == 12
    assert int(metric.counts.sum()) == 6
