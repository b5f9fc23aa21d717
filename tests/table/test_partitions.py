"""Operations on partitions: by sets of samples, and the laws of their lattice and of entropies, on every backend."""

from __future__ import annotations

from itertools import product

import jax
import numpy as np
import pytest
import torch
from backends import N, transfers_to_host
from only_for import only_for
from oracles import all_partitions
from packages import pd

import gpuval

RNG = np.random.default_rng(5)
FIRST, SECOND, THIRD = RNG.integers(-2, 12, N), RNG.integers(0, 9, N) * 1_000_000, RNG.integers(0, 30, N)
CHAIN = np.arange(N) // 2 * 2, (np.arange(N) + 1) // 2
"""Two labelings whose blocks of two samples make one chain."""


def blocks(labels, places=None):
    """The blocks as a set of sets of samples; those that do not count (-1) are in none."""
    places = range(len(labels)) if places is None else places
    found = {}
    for place, label in zip(places, labels, strict=True):
        if label != -1:
            found.setdefault(label, set()).add(place)
    return {frozenset(x) for x in found.values()}


def numbered(keys):
    """Keys of samples as 0, 1, 2, ... in their order."""
    places = {key: i for i, key in enumerate(sorted(set(keys)))}
    return [places[key] for key in keys]


def joined(*labelings):
    """The blocks of the join: any two that share a sample are united, until none do."""
    found = {block for labels in labelings for block in blocks(labels)}
    while pair := next(((a, b) for a in found for b in found if a != b and a & b), None):
        found = found - set(pair) | {pair[0] | pair[1]}
    return found


def numbered_by(first, partition):
    """The number of the block of each sample: blocks in the order of their lowest label in the first labeling."""
    ordered = sorted(partition, key=lambda block: min(first[i] for i in block))
    return [next(i for i, block in enumerate(ordered) if sample in block) for sample in range(len(first))]


@pytest.mark.by_default(once=True)
@only_for(lambda backend: backend.lists_cells)
def test_meet_join_and_refinement(backend):
    """Of few and of many labels, and of labels that are far apart."""
    for labelings in ((FIRST, SECOND), (FIRST, SECOND, THIRD), (THIRD, FIRST), CHAIN, (THIRD,)):
        arrays = [backend.array(x) for x in labelings]
        meet, join = gpuval.partition_meet(*arrays), gpuval.partition_join(*arrays)
        for found in (meet, join):
            assert type(found) is type(arrays[0])
            assert found.device == arrays[0].device
            assert backend.numpy(found).dtype == (np.int64 if backend.has_int64 else np.int32)
        first = labelings[0].tolist()
        assert backend.numpy(meet).tolist() == numbered(list(zip(*(x.tolist() for x in labelings), strict=True)))
        assert backend.numpy(join).tolist() == numbered_by(first, joined(*(x.tolist() for x in labelings)))
        for one in arrays:
            yes = gpuval.is_refinement(meet, one), gpuval.is_refinement(one, join)
            assert all(x.shape == () and bool(x) for x in yes)
        if len(arrays) > 1:
            assert not bool(gpuval.is_refinement(*arrays[:2]))
            assert not bool(gpuval.is_refinement(join, meet))


@pytest.mark.by_default(once=True)
@only_for(lambda backend: backend.lists_cells)
def test_trace_and_sum(backend):
    mask = RNG.random(N) < 0.5
    first, second = backend.array(FIRST), backend.array(SECOND)
    trace = gpuval.partition_trace(first, backend.array(mask))
    assert backend.numpy(trace).tolist() == numbered(FIRST[mask].tolist())
    longer = gpuval.partition_sum(first, second, first)
    expected = [(0, x) for x in FIRST] + [(1, x) for x in SECOND] + [(2, x) for x in FIRST]
    assert backend.numpy(longer).tolist() == numbered(expected)
    assert type(longer) is type(trace) is type(first)
    assert longer.device == trace.device == first.device


@only_for(lambda backend: backend.lists_cells)
def test_labels_to_ignore(backend):
    """They link nothing, number nothing, and are -1."""
    first, second = (backend.array(x) for x in ([3, 3, 7, 5, 5], [0, 9, 9, 1, 2]))
    for ignored in (9, [9]):
        assert backend.numpy(gpuval.partition_meet(first, second, ignore_labels=ignored)).tolist() == [0, -1, -1, 1, 2]
        assert backend.numpy(gpuval.partition_join(first, second, ignore_labels=ignored)).tolist() == [0, -1, -1, 1, 1]
    assert backend.numpy(gpuval.partition_join(first, second)).tolist() == [0, 0, 0, 1, 1]
    assert not bool(gpuval.is_refinement(first, second))
    assert bool(gpuval.is_refinement(second, first, ignore_labels=9))
    assert backend.numpy(gpuval.partition_sum(second, second, ignore_labels=9)).tolist() == [
        *(0, -1, -1, 1, 2),
        *(3, -1, -1, 4, 5),
    ]
    mask = backend.array([True, True, False, True, False])
    assert backend.numpy(gpuval.partition_trace(second, mask, ignore_labels=[9])).tolist() == [0, -1, 1]
    assert backend.numpy(gpuval.partition_trace(second, mask, ignore_labels=[9, 0, 1])).tolist() == [-1, -1, -1]


PARTITIONS = list(all_partitions(4))


def test_all_pairs_of_partitions():
    """Commutative up to the numbers; absorption; and each is finer if its blocks lie in those of the other."""
    for x, y in product(PARTITIONS, repeat=2):
        meet, join = gpuval.partition_meet(x, y), gpuval.partition_join(x, y)
        assert blocks(meet) == {a & b for a in blocks(x) for b in blocks(y) if a & b}
        assert blocks(join) == joined(x, y)
        assert blocks(gpuval.partition_meet(y, x)) == blocks(meet)
        assert blocks(gpuval.partition_join(y, x)) == blocks(join)
        assert blocks(gpuval.partition_meet(x, join)) == blocks(gpuval.partition_join(x, meet)) == blocks(x)
        is_finer = all(any(a <= b for b in blocks(y)) for a in blocks(x))
        assert bool(gpuval.is_refinement(x, y)) == is_finer
        assert (blocks(meet) == blocks(x)) == (blocks(join) == blocks(y)) == is_finer


def test_associativity():
    for x, y, z in product(list(all_partitions(3)), repeat=3):
        for of in (gpuval.partition_meet, gpuval.partition_join):
            assert blocks(of(of(x, y), z)) == blocks(of(x, of(y, z))) == blocks(of(x, y, z))


def test_entropies():
    """Of the meet by the chain rule, and of the sum; Shannon's, and beta-entropies."""
    n, m = N, N // 2
    meet = gpuval.partition_meet(FIRST, SECOND)
    whole = gpuval.partition_sum(FIRST, SECOND[:m])
    parts = np.repeat([0, 1], [n, m])
    assert gpuval.entropy(meet) == pytest.approx(gpuval.joint_entropy(FIRST, SECOND), rel=1e-13)
    for beta in (0.5, 1, 2, 3.5):
        of = {"beta": beta}
        chained = gpuval.beta_conditional_entropy(FIRST, SECOND, **of) + gpuval.beta_entropy(SECOND, **of)
        assert gpuval.beta_entropy(meet, **of) == pytest.approx(chained, rel=1e-12)
        a, b = n / (n + m), m / (n + m)
        weighed = a**beta * gpuval.beta_entropy(FIRST, **of) + b**beta * gpuval.beta_entropy(SECOND[:m], **of)
        assert gpuval.beta_entropy(whole, **of) == pytest.approx(weighed + gpuval.beta_entropy(parts, **of), rel=1e-12)


def test_the_traces_on_a_set_and_on_the_rest_add_up_to_the_meet_with_both():
    mask = RNG.random(N) < 0.3
    traces = [gpuval.partition_trace(FIRST, x) for x in (mask, ~mask)]
    places = [*np.flatnonzero(mask), *np.flatnonzero(~mask)]
    assert blocks(gpuval.partition_sum(*traces), places) == blocks(gpuval.partition_meet(FIRST, mask))
    both = gpuval.partition_meet(FIRST, SECOND)
    assert gpuval.partition_trace(both, mask).tolist() == gpuval.partition_meet(FIRST[mask], SECOND[mask]).tolist()


def test_labels_of_any_kind():
    names = pd.Series(["b", "a", None, "b"])
    assert gpuval.partition_meet(names, [1.0, 1.0, 1.0, 2.0], ignore_labels=[None]).tolist() == [1, 0, -1, 2]
    assert gpuval.partition_trace(names, names.notna()).tolist() == [1, 0, 1]
    assert gpuval.partition_sum(["x", "y"], [5, 5, 4]).tolist() == [0, 1, 3, 3, 2]
    assert bool(gpuval.is_refinement(names, ["p", "q", "q", "p"], ignore_labels=[None]))


def test_no_samples():
    for of in (gpuval.partition_meet, gpuval.partition_join, gpuval.partition_sum):
        assert of([], []).tolist() == of([]).tolist() == []
    assert gpuval.partition_sum([], [4]).tolist() == [0]
    assert gpuval.partition_trace([1, 2], [False, False]).tolist() == []
    assert bool(gpuval.is_refinement([], []))


def test_is_refinement_brings_no_labels_to_the_host():
    labels = torch.arange(N)
    with transfers_to_host() as copied:
        gpuval.is_refinement(labels, labels)
    assert all(np.prod(x.shape) <= 3 for x in copied)  # the smallest and the largest label


def test_wrong_calls():
    import dask.array as da

    labels = [0, 0, 1]
    held = da.from_array(np.asarray(labels), chunks=2)
    for call, message in (
        (lambda: gpuval.partition_meet(labels, held), r"labelings\[1\] must be in memory, got data of Dask"),
        (lambda: gpuval.partition_sum(held), r"labelings\[0\] must be in memory"),
        (lambda: gpuval.is_refinement(labels, held), "coarser must be in memory"),
        (
            lambda: gpuval.partition_trace(labels, [0, 1, 1]),
            "mask must hold booleans and no missing values, got dtype int64",
        ),
        (lambda: gpuval.partition_trace(labels, [True] * 3, ignore_labels="a"), "ignore_labels must be of a type that"),
        (lambda: gpuval.partition_join(labels, ignore_labels={"true": 0}), "labels have no sides here"),
        (lambda: gpuval.partition_sum(labels, torch.asarray(labels)), "must be of one array library"),
        (
            lambda: jax.jit(gpuval.partition_trace)(jax.numpy.asarray(labels), jax.numpy.asarray([True] * 3)),
            "mask must be a constant inside jax.jit",
        ),
    ):
        with pytest.raises(TypeError, match=message):
            call()
    for call, message in (
        (lambda: gpuval.partition_meet(), "labelings must have at least one label vector, got none"),
        (lambda: gpuval.partition_join(labels, [0, 1]), r"labelings\[1\] must have as many samples as labelings\[0\]"),
        (lambda: gpuval.partition_sum(labels, [0, None]), r"labelings\[1\] must not have missing labels"),
        (lambda: gpuval.is_refinement(labels, [0, 1]), r"coarser must have as many samples as finer \(3\), got 2"),
        (lambda: gpuval.partition_trace(labels, [True]), r"mask must have as many samples as labels \(3\), got 1"),
    ):
        with pytest.raises(ValueError, match=message):
            call()
