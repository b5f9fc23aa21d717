"""Labels and weights in arrays of every backend: their dtypes and values, none of them, and none that are left."""

import math

import numpy as np
import pytest
from backends import BACKENDS
from known_tables import INTEGERS, LAYOUTS, NO_SAMPLE, NO_WEIGHT, OTHER, check, check_labels
from only_for import only_for

import gpuval
from gpuval import Contingency
from gpuval.engines.backends import backend_of, to_host

DTYPES = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64", "bool")


def fits(backend, dtype):
    size = np.dtype(dtype).itemsize
    return size < 8 or (backend.has_float64 if dtype == "float64" else backend.has_int64)


def test_every_dtype(backend):
    size = {} if backend.finds_sizes else {"n_classes": 8, "n_clusters": 8}
    for dtype in filter(lambda x: fits(backend, x), DTYPES):
        true, pred = (np.array(x, dtype=dtype) for x in (INTEGERS, OTHER))
        for options in (size, {"n_classes": 8, "n_clusters": 8}):
            table = Contingency.from_labels(backend.of(true), backend.of(pred), **options)
            check(table, true.tolist(), pred.tolist())
            assert type(table.counts) is type(backend.of(true))
            assert backend_of(table.counts).device(table.counts) == backend_of(backend.of(true)).device(
                backend.of(true)
            )


@only_for(lambda backend: backend.finds_sizes)
def test_the_ends_of_a_byte(backend):
    """The highest less the lowest is more than a byte with a sign holds."""
    labels = [-128, 127, -128, 5]
    held = backend.of(np.array(labels, np.int8))
    check(Contingency.from_labels(held, held), labels, labels)


def test_the_widest_dtypes(backend):
    labels = backend.of(np.array([0, 1], np.int8))
    found = backend_of(labels).widest(labels)
    xp = backend_of(labels).xp
    assert xp.iinfo(found.int).bits == (64 if backend.has_int64 else 32)
    assert xp.finfo(found.float).bits == (64 if backend.has_float64 else 32)
    assert found.is_64bit == (backend.has_int64 and backend.has_float64)


def test_two_dtypes_at_once(backend):
    size = {} if backend.finds_sizes else {"n_classes": 8, "n_clusters": 8}
    true, pred = backend.of(np.array(INTEGERS, np.uint8)), backend.of(np.array(OTHER, np.float32))
    check(Contingency.from_labels(true, pred, **size), INTEGERS, OTHER)


@pytest.mark.parametrize("name", ["numpy", "strict", "torch", "jax-x64", "jax", "strict-no-float64"])
@pytest.mark.parametrize(
    "labels",
    [
        [-3, -1, -3, -2, -1, -3],
        [-128, 127, 0, -128, 127, 5],
        [1000, 5, 1000, 999_999, 5, 5],
        [-(2**31), 2**31 - 1, 7, -(2**31), 7, 0],
        [-(2**63), 2**63 - 1, 7, -(2**63), 7, 0],
        [2**63 - 1, 2**63 - 3, 2**63 - 1, 2**63 - 2, 2**63 - 2, 2**63 - 2],
        [-(2**63), -(2**63) + 2, -(2**63) + 1, -(2**63), -(2**63), -(2**63)],
        [0, 2**64 - 1, 2**63, 2**63 - 1, 2**64 - 1, 0],
        [2**64 - 1, 2**64 - 3, 2**64 - 2, 2**64 - 1, 2**64 - 1, 2**64 - 1],
        [2**32 - 1, 2**31, 2**32 - 2, 2**32 - 1, 2**31, 2**31],
    ],
    ids=str,
)
def test_any_values(name, labels):
    backend = BACKENDS[name]
    other = [0, 0, 1, 1, 2, 2]
    with backend.mode():
        dtypes = [x for x in DTYPES[:8] if np.iinfo(x).min <= min(labels) and max(labels) <= np.iinfo(x).max]
        for dtype in filter(lambda x: fits(backend, x) and (name, x) != ("torch", "uint64"), dtypes):
            held, beside = backend.of(np.array(labels, dtype)), backend.of(np.array(other))
            check_labels(held, beside, labels, other)
            for layout in (None, *LAYOUTS):
                check(Contingency.from_labels(held, held, layout=layout), labels, labels)
            left = Contingency.from_labels(held, beside, ignore_labels=labels[0])
            assert int(backend.numpy(left.total)) == sum(
                labels[0] not in pair for pair in zip(labels, other, strict=True)
            )


def test_no_samples(backend):
    for held in (np.array([], np.int32), np.array([], np.float32), np.array([], bool)):
        for options in ({}, {"n_classes": 2, "n_clusters": 2}):
            table = Contingency.from_labels(backend.of(held), backend.of(held), **options)
            assert to_host(table.total) == to_host(table.n_classes) == to_host(table.n_clusters) == 0


NOTHING = [
    ({"ignore_labels": [0, 1]}, NO_SAMPLE),
    ({"sample_weight": [0, 0, 0, 0]}, f"{NO_WEIGHT}, got none of 4"),
    ({"sample_weight": [0.0, 0.0, 0.0, 0.0]}, f"{NO_WEIGHT}, got none of 4"),
    ({"ignore_labels": [0, 1], "sample_weight": [1, 2, 3, 4]}, NO_SAMPLE),
    ({"ignore_labels": 0, "sample_weight": [4, 0, 0, 4]}, f"{NO_WEIGHT} that ignore_labels leaves, got none of 4"),
]


@pytest.mark.parametrize(("options", "message"), NOTHING)
def test_nothing_left_is_an_error_or_not_a_number(options, message, backend):
    """An error where values are looked at; with both sizes given, on a device, the score is NaN."""
    labels = backend.array([0, 1, 1, 0])
    if "sample_weight" in options:
        options = options | {"sample_weight": backend.array(options["sample_weight"])}
    sizes = {"n_classes": 2, "n_clusters": 2}
    given = [sizes] if not backend.finds_sizes else [{}, sizes]
    for size in given:
        if size and backend.name != "numpy":
            table = Contingency.from_labels(labels, labels, **options, **size)
            assert (int(backend.numpy(table.given)), int(backend.numpy(table.total))) == (4, 0)
            assert math.isnan(backend.numpy(gpuval.adjusted_rand_score(table)))
            assert math.isnan(backend.numpy(gpuval.adjusted_rand_score(labels, labels, **options, **size)))
            alone = {name: x for name, x in size.items() if name == "n_classes"}
            assert math.isnan(backend.numpy(gpuval.entropy(labels, **options, **alone)))
            found = gpuval.compare(labels, [labels], "rand_score", **options, **size)
            assert math.isnan(backend.numpy(found[0]["rand_score"]))
            continue
        for layout in (None, *LAYOUTS) if backend.lists_cells else (None,):
            with pytest.raises(ValueError, match=message):
                Contingency.from_labels(labels, labels, layout=layout, **options, **size)
        of_one = message.replace("labels_true and labels_pred", "labels")
        with pytest.raises(ValueError, match=of_one):
            gpuval.entropy(labels, **options, **({"n_classes": 2} if size else {}))
        for function in (
            gpuval.contingency_matrix,
            gpuval.cohen_kappa_score,
            gpuval.evaluate,
            gpuval.clustering_accuracy,
        ):
            with pytest.raises(ValueError, match=message):
                function(labels, labels, **options, **size)
        of_two = message.replace("labels_true and labels_pred", r"labels_true and labelings\['x'\]")
        with pytest.raises(ValueError, match=of_two):
            gpuval.compare(labels, {"x": labels}, **options, **size)
        of_pair = message.replace("labels_true and labels_pred", r"labelings\[0\] and labelings\[0\]")
        with pytest.raises(ValueError, match=of_pair):
            gpuval.pairwise([labels, labels], **options)


def test_no_samples_to_begin_with_leave_nothing(backend):
    none, sizes = backend.array(np.zeros(0, np.int64)), {"n_classes": 2, "n_clusters": 2}
    for options in ({"ignore_labels": [0, 1]}, {"sample_weight": none}, {"ignore_labels": 1, "sample_weight": none}):
        for size in [{}, sizes] if backend.finds_sizes else [sizes]:
            assert backend.numpy(gpuval.adjusted_rand_score(none, none, **options, **size)) == 1
            found = gpuval.compare(none, [none], "rand_score", **options, **size)
            assert backend.numpy(found[0]["rand_score"]) == 1


@pytest.mark.parametrize("layout", LAYOUTS)
@only_for(lambda layout, backend: layout != "cells" or backend.lists_cells)
def test_weights(layout, backend):
    size = {} if backend.finds_sizes else {"n_classes": 8, "n_clusters": 8}
    true, pred = backend.array(INTEGERS), backend.array(OTHER)
    for weights in (
        [1, 0, 2, 3, 0, 0, 1],
        [0.5, 0.25, 2.0, 0.0, 1.5, 0.0, 8.0],
        [True, False, True, True, False, True, True],
    ):
        held = backend.of(np.array(weights, None if isinstance(weights[0], bool) else np.float32))
        table = Contingency.from_labels(true, pred, sample_weight=held, layout=layout, **size)
        check(table, INTEGERS, OTHER, weights)
        assert table.is_integer == isinstance(weights[0], bool)
