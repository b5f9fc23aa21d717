"""Names and labels of half a surrogate pair, which the text type of pandas 3 cannot hold, go to pandas."""

import numpy as np
import pandas as pd
import pytest

import gpuval

HALF = "\ud800"
LABELS = pd.Series(["a", HALF, "a", HALF, "b", "b"], dtype=object)
TRUE = [0, 0, 1, 1, 2, 2]
LABELINGS = {HALF: TRUE, "other": [0, 0, 0, 1, 2, 2]}

COMPARISON = gpuval.compare(TRUE, LABELINGS, {HALF: "ari"}, confidence_level=0.9)
COMPARISON_BY = gpuval.compare(TRUE, LABELINGS, ["ari"], by=pd.Series(["x", HALF] * 3, dtype=object))
RELEVANT, SCORES = np.asarray([[1, 0], [0, 1]]), np.asarray([[0.9, 0.1], [0.2, 0.8]])
CASES = {
    "names of labelings": (COMPARISON.to_pandas().index, [HALF, "other"]),
    "names of measures": (COMPARISON.to_pandas().columns[:1], [HALF]),
    "measures of one labeling": (COMPARISON[HALF].to_pandas().index[:1], [HALF]),
    "labels": (gpuval.Contingency.from_labels(LABELS, TRUE).to_pandas().index, ["a", "b", HALF]),
}


@pytest.mark.parametrize("case", CASES)
def test_an_axis_has_the_names(case):
    axis, expected = CASES[case]
    assert axis.tolist() == expected


def test_a_level_has_the_values():
    index = COMPARISON_BY.to_pandas().index
    assert index.names == ["labeling", "by"]
    assert set(index) == {(name, value) for name in LABELINGS for value in (HALF, "x")}


def test_a_cell_has_the_name():
    assert COMPARISON.best.to_pandas().loc[HALF, "best"] == HALF


def test_ranking():
    found = gpuval.ranking.evaluate(RELEVANT, SCORES, metrics={HALF: "ndcg"})
    assert found.to_pandas().index.tolist() == [HALF]


def test_matrix_of_pairs():
    frame = gpuval.pairwise(LABELINGS).to_pandas()
    assert frame.index.tolist() == frame.columns.tolist() == list(LABELINGS)
