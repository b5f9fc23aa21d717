"""The tables of names of the pages about rankings and labels, and what these and the page of intervals print."""

from __future__ import annotations

import functools
import inspect
import re
import warnings

import numpy as np
import pytest
import sklearn.metrics as sk
import torch
import torchmetrics.functional.classification
import torchmetrics.functional.retrieval
import torchmetrics.retrieval
from guide_pages import numbers, ran, rows

from gpuval import intervals, multilabel, ranking

RANKINGS, LABELS, INTERVALS = "rankings.md", "multilabel.md", "intervals.md"


def test_names_of_rankings():
    """The calls in the third column of the table, and the names in its first two, which are those of the peers."""
    table = rows(RANKINGS, "torchmetrics 1.9")
    calls = [call.groups() for row in table if (call := re.fullmatch(r"`(\w+)\((.*)\)`", row[2]))]
    assert len(calls) == 8
    for name, arguments in calls:
        parameters = set(inspect.signature(getattr(ranking, name)).parameters)
        assert {x.strip(" =") for x in arguments.split(",")} <= parameters, name
    of_torchmetrics = set(re.findall(r"`(Retrieval\w+)", "".join(row[0] for row in table)))
    assert of_torchmetrics == set(torchmetrics.retrieval.__all__)
    functions = re.findall(r"`(retrieval_\w+)", "".join(row[0] for row in table))
    assert len(functions) == 7
    assert set(functions) <= set(torchmetrics.functional.retrieval.__all__)
    for name in re.findall(r"`(\w+_(?:score|loss|error))", "".join(row[1] for row in table)):
        assert hasattr(sk, name), name


def test_one_class_fails_behind_the_same_macro_average():
    """The recalls are 3/4 three times, and 1, 1 and 1/4, whose variance is 1/8."""
    printed, spread = ran(LABELS).that_has(LABELS, 'spread("recall")')
    of_spread = [line.split()[1:] for line in printed.splitlines() if line.startswith("recall ")]
    assert [row[0] for row in of_spread] == ["0.750"] * 2
    assert of_spread[0][1:4] == ["0.000", "0.750", "0.750"]
    assert of_spread[1][1:] == ["0.354", "0.250", "1.000", "owl", "cat"]
    assert spread.standard_deviation == pytest.approx(8**-0.5)
    assert (spread.mean, spread.least, spread.least_label) == (0.75, 0.25, "owl")


def dcg(relevances, base=2):
    return sum(y / np.log(2 + i) * np.log(base) for i, y in enumerate(relevances))


TIED = [2.5, 2.5, 1.5, 1.5, 1, 2]
"""The mean relevance at each rank of the list of the page, in which the first two are tied, and the next two."""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("torch.tensor([-0.1, -0.2])", [1, 0]),
        ("n=3", [1 / 3, 1]),
        ("divisor=divisor", [1 / 4, 1 / 6, 1 / 2]),
        ("[0.5, 0.5]", [(1 + 1 / 2) / 2, 1 / 2, *[dcg(TIED) / dcg([3, 3, 2, 2, 1, 0])] * 2]),
        (
            "log_base=10",
            [
                *[dcg(TIED, 10)] * 2,
                *[dcg([5, 5, 3.5, 3.5, 1, 3]) / dcg([7, 7, 3, 3, 1, 0])] * 2,
            ],
        ),
        ("empty = ", [1 / 2, 1]),
    ],
)
def test_values_of_rankings(text, expected):
    assert numbers(ran(RANKINGS).that_has(RANKINGS, text)[0]) == pytest.approx(expected, abs=1e-6)


def test_one_document():
    assert ranking.ndcg_score([[2]], [[0.5]]) == 1
    with pytest.raises(ValueError, match="more than 1 document"):
        sk.ndcg_score([[2]], [[0.5]])


def test_batches_of_queries_have_the_scores_of_all():
    _, found = ran(RANKINGS).that_has(RANKINGS, "RankingAccumulator(")
    _, whole = ran(RANKINGS).that_has(RANKINGS, "ranking.evaluate(")
    assert float(found["ndcg_score@10"]) == pytest.approx(float(whole["ndcg_score@10"]), abs=1e-12)
    # ann: hits at ranks 1 and 3, bob: at rank 2
    assert float(found["average_precision_score"]) == pytest.approx(((1 + 2 / 3) / 2 + 1 / 2) / 2, abs=1e-12)


def test_lists_that_lack_documents():
    _, found = ran(RANKINGS).that_has(RANKINGS, "ideal=judged")
    wanted = [3 / dcg([3, 2, 1]), 1 / dcg([1, 1]), 0]
    assert found.query_scores.tolist() == pytest.approx(wanted, abs=1e-12)
    assert found.queries.tolist() == ["ann", "bob", "cleo"]


def test_names_of_labels():
    """The calls in the third column of the table, and the names in its first two, which are those of the peers."""
    table = rows(LABELS, "scikit-learn 1.9")
    calls = [call for row in table for call in re.findall(r"`([\w.]+)\(([^`]*)\)`", row[2])]
    assert len(calls) == 14
    for name, arguments in calls:
        function = functools.reduce(getattr, name.split("."), multilabel)
        assert {x.strip(" =") for x in arguments.split(",")} <= set(inspect.signature(function).parameters), name
    of_sklearn = re.findall(r"`(\w+_(?:score|loss|matrix|error|support))`", "".join(row[0] for row in table))
    assert len(of_sklearn) == 14
    for name in of_sklearn:
        assert hasattr(sk, name), name
    of_torchmetrics = re.findall(r"`(multi(?:label|class)_[a-z0-9_]+)`", "".join(row[1] for row in table))
    assert len(of_torchmetrics) == 13
    for name in of_torchmetrics:
        assert hasattr(torchmetrics.functional.classification, name), name


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("sk.hamming_loss", [5 / 12, 5 / 12, 6 / 12]),
        ("logits, target", [3 / 4, 1 / 2]),
        ("thresholds=5", [3 / 4, 1 / 2]),
        ("absent = ", [np.nan, (5 / 6 + 1 / 2) / 2, (5 / 6 + 1 / 2) / 3]),
        ("labels=[0, 1, 2]", [(1 / 2 + 1 + 0) / 3, (1 / 2 + 1) / 2, (1 / 2 + 1 + 0) / 3, (1 / 2 + 1) / 2]),
        ("sk.precision_score(true, pred))", [3 / 4, 1]),
        ("sk.balanced_accuracy_score", [3 / 4, 3 / 4, 1 / 2]),
        ("macro_of_means", [32 / 63, 19 / 37, 32 / 63]),
        ("unknown = ", [(0 + 1) / 2, (0 + 1 + 1) / 3]),
    ],
)
def test_values_of_labels(text, expected):
    assert numbers(ran(LABELS).that_has(LABELS, text)[0]) == pytest.approx(expected, abs=1e-6, nan_ok=True)


def test_log_loss():
    """A label that was given the probability 0 costs -log(eps), by scikit-learn, or infinity."""
    ours, theirs, unclipped, binary = numbers(ran(LABELS).that_has(LABELS, "halves = ")[0])
    assert ours == pytest.approx(theirs, abs=1e-12)
    assert unclipped == np.inf
    assert binary == pytest.approx(np.log(2), abs=1e-12)


def test_torchmetrics_counts_both_areas_as_0_without_positives():
    names = ran(LABELS).names
    both = torch.as_tensor(names["scores"]), torch.as_tensor(names["absent"])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        areas = names["tm"].multilabel_auroc(*both, num_labels=3)
        precisions = names["tm"].multilabel_average_precision(*both, num_labels=3)
    assert float(areas) == pytest.approx((5 / 8 + 1 / 2) / 3)
    assert float(precisions) == pytest.approx((5 / 6 + 1 / 2) / 3)


def test_a_sigmoid_of_whole_batches():
    """The threshold of torchmetrics means something else where one score of the batch is above 1."""
    tm = torchmetrics.functional.classification
    assert tm.binary_stat_scores(torch.tensor([0.4, 0.3]), torch.tensor([1, 1])).tolist() == [0, 0, 0, 2, 2]
    assert tm.binary_stat_scores(torch.tensor([0.4, 1.3]), torch.tensor([1, 1])).tolist() == [2, 0, 0, 0, 2]


def test_ties_in_average_precision():
    tied = [0, 0, 0, 1], [0.5, 0.5, 0.5, 0.5]
    assert multilabel.average_precision_score(*tied) == sk.average_precision_score(*tied) == 1 / 4


def test_means_over_samples():
    assert numbers(ran(LABELS).that_has(LABELS, 'average="samples"')[0])[-1] == 9 / 16


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# the mean of 3/7 and 4/5", (3 / 7 + 4 / 5) / 2),
        ("endless = ", (np.nan, 1 / 2)),
    ],
)
def test_values_of_intervals(text, expected):
    assert ran(INTERVALS).that_has(INTERVALS, text)[1] == pytest.approx(expected, abs=1e-12, nan_ok=True)


def test_masks_and_weights_of_intervals():
    found = numbers(ran(INTERVALS).that_has(INTERVALS, "mask=")[0])
    assert found == pytest.approx([3 / 7, (3 / 7 + 3 * 4 / 5) / 4], abs=1e-12)


def test_the_gradient_moves_both_ends_towards_the_target():
    _, gradient = ran(INTERVALS).that_has(INTERVALS, "loss.backward()")
    assert (gradient > 0).all()  # against it: 1 towards 0, and 7 towards 4
    # J = 3/7 with I = 4 - s and A + B - I = 4 + (e - s) - (4 - s) = e: 1 - J has the slopes 1/7 and 3/49
    assert gradient.ravel().tolist() == pytest.approx([1 / 7, 3 / 49], abs=1e-6)


def test_formulas_of_intervals():
    """The table of the page: I = 3, A = 4, B = 6, also with its own words for the precision of the prediction."""
    table = {row[0].strip("`"): row[1] for row in rows(INTERVALS, "function")}
    assert set(table) == set(intervals.__all__) - {"IntervalAccumulator"}
    for name, formula in table.items():
        text = formula.partition(", or")[0].replace("\N{MINUS SIGN}", "-")
        text = text.replace("2 I", "2 * I").replace("√(A B)", "(A * B) ** 0.5")
        expected = eval(text, {"I": 3, "A": 4, "B": 6, "max": max, "min": min, "f": float, "g": float})
        assert getattr(intervals, name)([0, 4], [1, 7]) == pytest.approx(expected, abs=1e-12), name
    assert intervals.inclusion_score([0, 4], [1, 7], of="pred") == 3 / 6


def test_points_of_intervals():
    assert intervals.jaccard_score([2, 2], [2, 2]) == 1
    assert intervals.jaccard_score([2, 2], [0, 4]) == 0


def test_batches_of_intervals():
    """Jaccard 1/2, 1 and 0; inclusion of the true interval, 1/2, 1 and 0."""
    _, scores = ran(INTERVALS).that_has(INTERVALS, "IntervalAccumulator(")
    assert {name: float(x) for name, x in scores.items()} == {"jaccard_score": 1 / 2, "inclusion_score": 1 / 2}
