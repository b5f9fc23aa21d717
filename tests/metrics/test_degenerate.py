"""The degenerate inputs, worked out by hand, on every backend, in both layouts, with the size found and given."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from backends import BACKENDS, BATCH, SIZE, Backend, assert_close
from oracles import DEGENERATE, DEGENERATE_OPTION_VALUES, DEGENERATE_VALUES
from properties import SCORES

from gpuval import Contingency

EXPECTED = {
    **{(name, ()): values for name, values in DEGENERATE_VALUES.items()},
    **{(name, options): values for (name, options), values in DEGENERATE_OPTION_VALUES.items()},
}
ROWS = {
    f"{row}": (row, EXPECTED[key])
    for row in SCORES
    for key in EXPECTED
    if key[0] == row.name and dict(key[1]) == row.options
}
FROM_LABELS = ("empty", "independent")
"""The cases that each measure gets as labels, too. All make one table of two vectors; of one there are other ways."""


def test_every_value_by_hand_is_tested():
    assert len(ROWS) == len(EXPECTED)


def padded(row, expected):
    """Values for each class or cluster, with those of the ones that do not occur."""
    if not row.of_groups:
        return expected
    return [*expected, *[row.of_nothing] * (SIZE[f"n_{row.groups}"] - len(expected))]


@cache
def tables(backend: Backend, case: str) -> dict[str, Contingency]:
    """The table of a case in every way that the backend has; on backends that compile, only with the size given.

    The measures of a table share the statistics that they read of it; from labels each finds its own.
    """
    labels = [backend.array(x) for x in DEGENERATE[case]]
    ways = {"size given": SIZE}
    if backend.finds_sizes and not backend.compiles:
        ways["size found"] = {}
        if backend.lists_cells:
            ways["cells, size found"] = {"layout": "cells"}
            ways["cells, size given"] = {"layout": "cells", **SIZE}
    return {way: Contingency.from_labels(*labels, **options).with_results() for way, options in ways.items()}


@pytest.mark.parametrize("row", ROWS)
def test_degenerate(row, backend):
    measure, values = ROWS[row]
    for case in DEGENERATE:
        for way, table in tables(backend, case).items():
            expected = padded(measure, values[case]) if "given" in way else values[case]
            backend.assert_close(measure.of_table(table), expected, f"{row} of {case}, {way}")
    for case in DEGENERATE if measure.of_one_labeling else FROM_LABELS:
        true, pred = (backend.array(x) for x in DEGENERATE[case])
        found = measure.of_labels(true, pred, **SIZE)
        backend.assert_close(found, padded(measure, values[case]), f"{row} of the labels of {case}, size given")
        if backend.finds_sizes and not backend.compiles and case != "empty":
            found = measure.of_labels(true, pred)
            backend.assert_close(found, values[case], f"{row} of the labels of {case}, size found")
    if backend.finds_sizes:
        none = backend.array(())
        for weights in (None, none):
            found = measure.of_labels(none, none, sample_weight=weights)
            backend.assert_close(found, values["empty"], f"{row} of no labels")
            assert_exact_without_samples(backend, measure, found)


def assert_exact_without_samples(backend, measure, found):
    """Two partitions of no samples are the same; what a measure gives to them is a whole number, and exact."""
    if measure.values == "one" and measure.identical is not None and not np.isnan(measure.of_nothing):
        assert float(backend.numpy(found)) == measure.identical


WITHOUT_VALUES_BY_HAND = [row for row in SCORES if str(row) not in ROWS and row.values == "one"]
"""Rows with other options. Two partitions of no samples are the same: scores are 1, entropies and distances 0."""


def test_no_samples_with_other_options(backend):
    none = backend.array(())
    for row in WITHOUT_VALUES_BY_HAND:
        for options in ({}, SIZE) if backend.finds_sizes else (SIZE,):
            for weights in (None, none):
                value = row.of_labels(none, none, sample_weight=weights, **options)
                backend.assert_close(value, row.best or 0, f"{row} of no labels")
                assert_exact_without_samples(backend, row, value)


@pytest.mark.parametrize("case", ["empty", "one_vs_two", "independent"])
@pytest.mark.parametrize("layout", ["dense", "cells"])
@pytest.mark.parametrize("name", ["jax", "jax-x64"])
def test_degenerate_with_the_size_found_by_jax(name, layout, case):
    backend = BACKENDS[name]
    with backend.mode():
        labels = (backend.array(x) for x in DEGENERATE[case])
        table = Contingency.from_labels(*labels, layout=layout)
        for row in ("adjusted_rand_score", "adjusted_mutual_info_score", "purity_score"):
            measure, values = ROWS[row]
            backend.assert_close(measure.of_table(table), values[case], row)


@cache
def batches(backend: Backend) -> list[tuple[list[str], Contingency]]:
    """All of them in batches of tables, with their names."""
    names, number = list(DEGENERATE), BATCH[0] * BATCH[1]
    found = []
    for start in range(0, len(names), number):
        some = (names[start:] + names)[:number]
        counts = np.zeros((number, *BATCH[2:]), np.int64)
        for table, name in zip(counts, some, strict=True):
            np.add.at(table, tuple(np.asarray(x, np.int64) for x in DEGENERATE[name]), 1)
        found.append((some, Contingency.from_counts(backend.array(counts.reshape(BATCH))).with_results()))
    return found


@pytest.mark.parametrize("row", [name for name, (row, _) in ROWS.items() if row.values == "one"])
def test_degenerate_batch(row, backend):
    measure, values = ROWS[row]
    for names, table in batches(backend):
        found = backend.numpy(measure.of_table(table))
        assert found.shape == BATCH[:2]
        assert_close(found.reshape(-1), [values[name] for name in names], row, float64=backend.has_float64)


def test_a_wrong_value_is_found_out(backend):
    measure, values = ROWS["rand_score"]
    true, pred = (backend.array(x) for x in DEGENERATE["independent"])
    with pytest.raises(AssertionError, match="must be"):
        backend.assert_close(measure.of_labels(true, pred, **SIZE), values["one_vs_two"])
