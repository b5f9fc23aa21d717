"""The degenerate inputs, worked out by hand, on every backend, in both layouts, with the size found and given."""

from __future__ import annotations

import pytest
from backends import Backend
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
SIZE = {"n_classes": 4, "n_clusters": 4}
LISTED: dict = {}


def test_every_value_by_hand_is_tested():
    assert len(ROWS) == len(EXPECTED)


def padded(row, expected):
    """Values for each cluster, with 0 for the clusters that do not occur."""
    if row.values != "clusters":
        return expected
    return [*expected, *[0] * (SIZE["n_clusters"] - len(expected))]


def listed(backend: Backend, case: str, given: bool) -> Contingency:
    """The table of a case with its cells listed, built once for each backend."""
    key = (backend.name, case, given)
    if key not in LISTED:
        labels = (backend.array(x) for x in DEGENERATE[case])
        LISTED[key] = Contingency.from_labels(*labels, layout="cells", **(SIZE if given else {}))
    return LISTED[key]


@pytest.mark.parametrize("row", ROWS)
def test_degenerate(row, backend):
    measure, values = ROWS[row]
    for case, labels in DEGENERATE.items():
        true, pred = (backend.array(x) for x in labels)
        given = measure.of_labels(true, pred, **SIZE)
        backend.assert_close(given, padded(measure, values[case]), f"{row} of {case}, size given")
        if not backend.finds_sizes or (backend.compiles and case not in ("empty", "one_vs_two", "independent")):
            continue
        found = measure.of_labels(true, pred)
        backend.assert_close(found, values[case], f"{row} of {case}, size found")
        if not backend.lists_cells:
            continue
        found = measure.of_table(listed(backend, case, given=False))
        backend.assert_close(found, values[case], f"{row} of {case}, cells, size found")
        if not backend.compiles:
            given = measure.of_table(listed(backend, case, given=True))
            backend.assert_close(given, padded(measure, values[case]), f"{row} of {case}, cells, size given")


@pytest.mark.parametrize("row", ROWS)
def test_degenerate_batch(row, backend):
    """All of them at once, as one batch of tables."""
    measure, values = ROWS[row]
    if measure.values != "one":
        return
    counts = [[[0] * 4 for _ in range(4)] for _ in DEGENERATE]
    for table, labels in zip(counts, DEGENERATE.values(), strict=True):
        for i, j in zip(*labels, strict=True):
            table[i][j] += 1
    batch = measure.of_table(Contingency.from_counts(backend.array(counts)))
    backend.assert_close(batch, [values[case] for case in DEGENERATE], row)


def test_a_wrong_value_is_found_out(backend):
    measure, values = ROWS["rand_score"]
    true, pred = (backend.array(x) for x in DEGENERATE["independent"])
    with pytest.raises(AssertionError, match="must be"):
        backend.assert_close(measure.of_labels(true, pred, **SIZE), values["one_vs_two"])
