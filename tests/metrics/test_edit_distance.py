"""The edit distance with costs: the cheapest of all sequences of operations; and the operations, one by one."""

from __future__ import annotations

from functools import cache, partial
from heapq import heappop, heappush

import jax
import numpy as np
import pytest
import torch
from backends import SIZE, N
from only_for import only_for
from oracles import ORACLES, all_partitions, blocks, edits, table_of
from packages import pd

import gpuval
from gpuval import Contingency

COSTS = {
    "equal": (1, 1, 1, 1),
    "of moves": (2, 3, 3, 2),
    "cheap clusters": (1, 1, 0.25, 0.5),
    "dear clusters": (1, 1, 4, 3),
    "dear to make": (1, 2, 5, 0.5),
    "dear to remove": (0.5, 1, 0.25, 7),
    "four": (3, 1.5, 0.5, 2),
    "free moves": (0, 0, 1, 1),
    "free clusters": (2, 1, 0, 0),
}
"""To take, to put, to make and to remove."""
KINDS = ("take", "put", "make", "remove")


def named(costs):
    return {f"{kind}_cost": cost for kind, cost in zip(KINDS, costs, strict=True)}


def kind_of(before, after):
    """The operation that leads from some disjoint clusters to others."""
    if sum(map(len, after)) > sum(map(len, before)):
        return "make" if len(after) > len(before) else "put"
    return "remove" if len(after) < len(before) else "take"


@cache
def cheapest(labels, costs):
    """The smallest cost of operations from a partition to every other one, by Dijkstra's search."""
    cost_of, start = dict(zip(KINDS, costs, strict=True)), blocks(labels)
    found, queue, number = {}, [(0, 0, start)], 0
    while queue:
        cost, _, here = heappop(queue)
        if here not in found:
            found[here] = cost
            for there in edits(here, len(labels)):
                number += 1
                heappush(queue, (cost + cost_of[kind_of(here, there)], number, there))
    return found


def applied(operations, pred):
    """The clusters after the operations, as sets of positions; each operation has to be a possible one."""
    clusters = {}
    for sample, label in enumerate(pred):
        clusters.setdefault((label, False), set()).add(sample)
    for kind, sample, label, is_new in operations:
        home = next((key for key, members in clusters.items() if sample in members), None)
        key = label, is_new
        if kind in ("take", "remove"):
            assert home == key
            assert (len(clusters[key]) == 1) == (kind == "remove")
            clusters[key].remove(sample)
            if kind == "remove":
                del clusters[key]
        else:
            assert home is None
            assert (key in clusters) == (kind == "put")
            clusters.setdefault(key, set()).add(sample)
    return frozenset(map(frozenset, clusters.values()))


@pytest.mark.parametrize("costs", COSTS.values(), ids=COSTS)
@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_no_sequence_of_operations_is_cheaper(n, costs):
    """Of all partitions of n samples. Halves and quarters have no rounding."""
    for pred in all_partitions(n):
        distances = cheapest(pred, costs)
        for true in all_partitions(n):
            found = float(gpuval.cluster_edit_distance(true, pred, **named(costs)))
            assert found == distances[blocks(true)]
            operations = gpuval.cluster_edit_operations(true, pred, **named(costs))
            assert sum(named(costs)[f"{x.kind}_cost"] for x in operations) == found
            assert applied(operations, pred) == blocks(true)


SHAPES = [((2, 2, 2), (3, 3)), ((1, 1, 2, 3), (4, 2, 1)), ((5,), (1, 1, 1, 1, 1)), ((2, 2, 2, 2), (2, 2, 2, 2))]


@pytest.mark.parametrize("costs", COSTS.values(), ids=COSTS)
def test_operations_of_many_samples(costs):
    """Also where clusters become classes of which they have no sample, which others of them have."""
    rng = np.random.default_rng(8)
    for sizes_true, sizes_pred in SHAPES * 5:
        n = min(sum(sizes_true), sum(sizes_pred))
        true = rng.permutation(np.repeat(np.arange(len(sizes_true)), sizes_true))[:n]
        pred = rng.permutation(np.repeat(np.arange(len(sizes_pred)), sizes_pred))[:n]
        operations = gpuval.cluster_edit_operations(true, pred, **named(costs))
        assert applied(operations, pred.tolist()) == blocks(true.tolist())
        spent = sum(named(costs)[f"{x.kind}_cost"] for x in operations)
        assert spent == float(gpuval.cluster_edit_distance(true, pred, **named(costs)))


def test_clusters_that_wait_for_one_another():
    """Rows and columns of a square: each cluster of two becomes a class of which another one has the samples."""
    true, pred = [0, 1, 2, 3, 4, 4, 4, 5, 5, 5], [0, 0, 1, 1, 2, 2, 2, 3, 3, 3]
    for order in range(6):
        numbers = np.roll(np.arange(6), order)[true]
        costs = named((1, 1, 9, 9))
        operations = gpuval.cluster_edit_operations(numbers, pred, **costs)
        assert applied(operations, pred) == blocks(true)
        spent = sum(costs[f"{x.kind}_cost"] for x in operations)
        assert spent == float(gpuval.cluster_edit_distance(numbers, pred, **costs))


def test_labels_of_users():
    """What is ignored is in no operation, and positions are those of all samples."""
    true = pd.Series(["z", "noise", "x", "x", "y", "y", "y"])
    found = gpuval.cluster_edit_operations(true, [1.0, 7.0, 1.0, 1.0, 2.0, 2.0, 3.0], ignore_labels="noise")
    assert found == [("take", 0, 1, False), ("make", 0, "z", True), ("remove", 6, 3, False), ("put", 6, 2, False)]
    assert gpuval.cluster_edit_operations([], []) == []


@only_for(lambda backend: backend.finds_sizes)
def test_devices(backend):
    rng = np.random.default_rng(2)
    true, pred = rng.integers(0, 5, N), rng.integers(0, 6, N)
    costs = named((3, 1.5, 0.5, 2))
    held = backend.array(true), backend.array(pred)
    found = gpuval.cluster_edit_distance(*held, **costs, **SIZE)
    backend.assert_at_home(found, held[0])
    operations = gpuval.cluster_edit_operations(*held, **costs)
    assert operations == gpuval.cluster_edit_operations(true.tolist(), pred.tolist(), **costs)
    spent = sum(costs[f"{x.kind}_cost"] for x in operations)
    assert float(backend.numpy(found)) == spent
    exchanged = named((1.5, 3, 2, 0.5))
    backend.assert_close(gpuval.cluster_edit_distance(*held[::-1], **exchanged, n_classes=7, n_clusters=8), spent)


def test_compiled():
    true, pred = [0, 0, 1, 1, 2, 3], [0, 1, 1, 2, 2, 2]
    costs = named((3, 1.5, 0.5, 2))

    def distance(true, pred, **weights):
        return gpuval.cluster_edit_distance(true, pred, n_classes=4, n_clusters=3, **costs, **weights)

    wanted = cheapest(tuple(pred), tuple(costs.values()))[blocks(true)]
    assert float(distance(np.asarray(true), np.asarray(pred))) == wanted
    assert float(jax.jit(distance)(jax.numpy.asarray(true), jax.numpy.asarray(pred))) == wanted
    labels = torch.asarray(true), torch.asarray(pred)
    assert float(torch.compile(distance, fullgraph=True, backend="eager")(*labels)) == wanted
    weights = jax.numpy.asarray([0.5] * 6)
    of_reals = jax.jit(lambda weights: distance(*map(jax.numpy.asarray, (true, pred)), sample_weight=weights))
    assert np.isnan(of_reals(weights))


def test_weights():
    """Integers count samples; with real weights what it costs to move them is the same for the last one."""
    true, pred, weights = [0, 0, 1, 1, 2], [0, 1, 1, 2, 2], [2, 1, 3, 1, 2]
    repeated = [np.repeat(x, weights) for x in (true, pred)]
    costs = named((3, 1.5, 0.5, 2))
    found = gpuval.cluster_edit_distance(true, pred, sample_weight=weights, **costs)
    assert found == gpuval.cluster_edit_distance(*repeated, **costs)
    moves = named((2, 3, 3, 2))
    halves = gpuval.cluster_edit_distance(true, pred, sample_weight=np.asarray(weights) / 2, **moves)
    assert halves * 2 == gpuval.cluster_edit_distance(*repeated, **moves)
    with pytest.raises(ValueError, match="need a table of counts, got one of real weights"):
        gpuval.cluster_edit_distance(true, pred, sample_weight=np.asarray(weights) / 2, **costs)


def test_the_jackknife_has_the_costs():
    rng = np.random.default_rng(4)
    true, pred = rng.integers(0, 4, 12), rng.integers(0, 3, 12)
    with_costs = partial(gpuval.cluster_edit_distance, **named((3, 1.5, 0.5, 2)))
    left_out = [float(with_costs(np.delete(true, i), np.delete(pred, i))) for i in range(12)]
    mean = sum(left_out) / 12
    expected = np.sqrt(11 / 12 * sum((x - mean) ** 2 for x in left_out))
    for found in (
        gpuval.jackknife(with_costs, true, pred),
        gpuval.jackknife("cluster_edit_distance", true, pred, **with_costs.keywords),
    ):
        assert found.standard_error == pytest.approx(expected, rel=1e-12)


def test_without_costs_it_is_the_number_of_operations():
    for true in all_partitions(4):
        for pred in all_partitions(4):
            assert len(gpuval.cluster_edit_operations(true, pred)) == ORACLES["cluster_edit_distance"](
                table_of(true, pred)
            )


def test_wrong_calls():
    table = Contingency.from_counts([[1, 2], [3, 4]])
    for of in (partial(gpuval.cluster_edit_distance, table), partial(gpuval.cluster_edit_operations, [0, 1], [0, 1])):
        with pytest.raises(ValueError, match="make_cost must be finite and not negative, got -1"):
            of(make_cost=-1)
        with pytest.raises(ValueError, match="take_cost must be finite and not negative, got inf"):
            of(take_cost=float("inf"))
        with pytest.raises(TypeError, match="put_cost must be a"):
            of(put_cost="2")
    with pytest.raises(TypeError, match="labels_true must be a vector"):
        gpuval.cluster_edit_operations(table, [0, 1])
    with pytest.raises(ValueError, match="labels_pred must have as many samples as labels_true"):
        gpuval.cluster_edit_operations([0, 1], [0])
