"""Values that are worked out elsewhere: of the lecture's matrices, of a table of three classes, and of counts."""

from __future__ import annotations

from array import array
from collections import deque
from fractions import Fraction
from math import inf

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import torch
from multilabel_cases import FP, Q_LABELS, TP, L, Q, floats

import gpuval
from gpuval.multilabel import (
    LabelCounts,
    average_precision_score,
    balanced_accuracy_score,
    f_score,
    hamming_loss,
    log_loss,
    macro_average_probability_rate,
    mean_absolute_error,
    mean_probability_rate,
    mean_squared_error,
    precision_score,
    predicted_labels,
    recall_score,
    roc_auc_score,
)

F = Fraction
Y, A = np.asarray(L[0]), floats(L[1])
NEAR = {"rel": 1e-12, "abs": 1e-12}


def approx(x):
    return pytest.approx([float(v) for v in x] if isinstance(x, list) else float(x), **NEAR)


# The lecture's labels and scores


@pytest.mark.parametrize(
    ("average", "exact", "printed"),
    [
        ("macro", F(35, 72), "0.49"),
        ("micro", F(37, 70), "0.53"),
        ("weighted", F(31, 60), "0.52"),
        ("samples", F(9, 16), "0.56"),
    ],
)
def test_roc_auc(average, exact, printed):
    found = roc_auc_score(Y, A, average=average)
    assert found == approx(exact)
    assert f"{found:.2f}" == printed


def test_roc_auc_of_each_class():
    assert roc_auc_score(Y, A, average=None) == approx([F(5, 8), F(1, 2), F(1, 3)])


def test_roc_auc_of_each_sample():
    """The classes of the transposed matrices, which the lecture prints as values of classes."""
    assert roc_auc_score(Y.T, A.T, average=None) == approx([1, 1, F(1, 4), 0])


def test_roc_auc_without_a_class():
    """A class without positives has no value: the macro mean is NaN, its weighted mean is that of the others."""
    y = Y * [1, 1, 0]
    assert np.isnan(roc_auc_score(y, A))
    assert roc_auc_score(y, A, average="weighted") == approx(F(9, 16))
    assert roc_auc_score(y, A, on_undefined="skip") == approx(F(9, 16))
    assert roc_auc_score(y, A, on_undefined="zero") == approx(F(3, 8))
    assert roc_auc_score(y, A, on_undefined="one") == approx(F(17, 24))


def test_average_precision():
    """By hand: class 0 has its positives at 3/4 (first) and at 0 (last of 4), class 1 at 1/2 (second) and 1/4 (third),
    class 2 one among three tied at 1/4, below a negative."""
    wanted = [(1 + F(1, 2)) / 2, (F(1, 2) + F(2, 3)) / 2, F(1, 4)]
    assert average_precision_score(Y, A, average=None) == approx(wanted)
    assert average_precision_score(Y, A) == approx(sum(wanted) / 3)


def test_hamming_loss():
    assert hamming_loss(Y, predicted_labels(A, 0.5)) == approx(F(5, 12))
    assert hamming_loss(Y, A > 0.5) == approx(F(1, 2))


def test_errors():
    assert mean_squared_error(Y, A) == approx(F(67, 192))
    assert mean_absolute_error(Y, A) == approx(F(23, 48))
    assert mean_squared_error(Y, A, average="macro") == approx(F(67, 192))


def test_log_loss():
    """The fourth sample has a class that is given nothing: infinite, or as large as the bound lets it be."""
    assert log_loss(Y[:3], A[:3]) == approx(0.789041204710538951896971790122785711910)
    assert log_loss(Y, A) == approx(9.94926784109216589105536248227747295295)
    assert log_loss(Y, A, eps=0) == inf


def test_probability_rates():
    assert mean_probability_rate(Y, A) == approx(F(7, 16))
    assert macro_average_probability_rate(Y, A) == approx(F(1, 3))


# Counts of three classes


def test_precision_of_counts():
    counts = LabelCounts.from_counts(TP, FP, (0, 0, 0))
    assert precision_score(counts, average=None) == approx([F(1, 2), F(1, 3), F(1, 5)])
    assert precision_score(counts) == approx(F(31, 90))
    assert f"{precision_score(counts):.4f}" == "0.3444"
    assert precision_score(counts, average="micro") == approx(F(17, 69))
    assert f"{precision_score(counts, average='micro'):.4f}" == "0.2464"
    assert precision_score(counts, average="geometric") == approx(0.321829794868543)


def test_precision_of_counts_with_one_large_class():
    """100 right and 400 wrong ones leave the macro mean as it is; the micro mean is that class."""
    counts = LabelCounts.from_counts((*TP[:2], 100), (*FP[:2], 400), (0, 0, 0))
    assert precision_score(counts) == approx(F(31, 90))
    assert precision_score(counts, average="micro") == approx(F(107, 519))


def test_a_class_of_which_none_is_right():
    counts = LabelCounts.from_counts((2, 0), (2, 3), (0, 0))
    assert precision_score(counts, average="geometric") == 0


# A table


def of_table():
    return [Q_LABELS, (LabelCounts.from_contingency(gpuval.Contingency.from_counts(Q)),)]


@pytest.mark.parametrize("arguments", of_table(), ids=["labels", "counts"])
def test_of_a_table(arguments):
    assert precision_score(*arguments, average=None) == approx([F(2, 3), F(1, 4), F(2, 3)])
    assert recall_score(*arguments, average=None) == approx([F(1, 2), F(1, 3), F(2, 3)])
    assert f_score(*arguments, average="macro") == approx(F(32, 63))
    assert f_score(*arguments, average="macro_of_means") == approx(F(19, 37))
    assert f_score(*arguments, average="micro") == approx(F(1, 2))
    assert balanced_accuracy_score(*arguments) == approx(F(1, 2))
    assert balanced_accuracy_score(*arguments, adjusted=True) == approx(F(1, 4))
    assert balanced_accuracy_score(*arguments, definition="min_precision_recall") == approx(F(17, 36))
    assert balanced_accuracy_score(*arguments, definition="min_recall_specificity") == approx(F(1, 2))
    assert balanced_accuracy_score(*arguments, definition="mean_recall_specificity") == approx(F(79, 126))


def test_of_one_class_only():
    assert np.isnan(balanced_accuracy_score([0, 0], [0, 0], adjusted=True))
    assert balanced_accuracy_score([0, 0], [0, 1]) == 0.5


# Labels of scores


def test_at_least_one_label():
    """Of a sample whose scores are all below the threshold the largest, with all that are tied with it."""
    scores = [[0.1, 0.3, 0.3], [0.6, 0.7, 0.2]]
    assert predicted_labels(scores, 0.5).tolist() == [[0, 0, 0], [1, 1, 0]]
    assert predicted_labels(scores, 0.5, at_least_one=True).tolist() == [[0, 1, 1], [1, 1, 0]]


# What users have


@pytest.mark.parametrize(
    "kind",
    [
        list,
        tuple,
        deque,
        np.asarray,
        pd.Series,
        pa.array,
        lambda x: array("i", x),
        lambda x: [torch.asarray(i) for i in x],
        lambda x: [np.asarray(i) for i in x],
    ],
)
def test_vectors_of_any_kind_have_one_label_for_each_sample(kind):
    """Two of the three that are predicted 0 have it, and all that are predicted 1: a vector is no matrix of 0 and 1."""
    true, pred = kind([0, 1, 1, 0]), kind([0, 1, 0, 0])
    assert precision_score(true, pred, average=None).tolist() == approx([F(2, 3), 1])
    assert LabelCounts.from_labels(true, pred).is_multiclass


def test_labels_that_have_a_length():
    for true, pred in (([b"a", b"bc"], [b"a", b"a"]), (pa.array(["a", "bc"]), pa.array(["a", "a"]))):
        assert recall_score(true, pred, average=None).tolist() == [1, 0]
    assert recall_score(range(3), range(3), average=None).tolist() == [1, 1, 1]


def test_rows_of_any_kind_are_a_matrix():
    for kind in (deque, tuple, lambda x: [torch.asarray(row) for row in x]):
        assert precision_score(kind([[1, 0], [1, 1]]), kind([[1, 1], [0, 1]]), average=None).tolist() == [1, 1 / 2]


@pytest.mark.filterwarnings("ignore:the matrix subclass")
def test_matrices_of_numpy():
    assert roc_auc_score(np.matrix(Y), np.matrix(A)) == roc_auc_score(Y, A)
    assert hamming_loss(np.matrix(Y), np.matrix(A >= 0.5)) == hamming_loss(Y, A >= 0.5)


@pytest.mark.parametrize("dtype", ["boolean", "bool[pyarrow]", bool])
def test_a_frame_of_booleans_is_a_mask(dtype):
    mask = np.asarray([[True, True, False]] * 4)
    assert hamming_loss(Y, A >= 0.5, mask=pd.DataFrame(mask).astype(dtype)) == approx(F(3, 8))


# What others get wrong


def test_tied_scores_are_worth_a_half():
    assert roc_auc_score([0, 1, 1, 0], [0.5, 0.5, 0.5, 0.5]) == 0.5
    assert average_precision_score([0, 1, 1, 0], [0.5, 0.5, 0.5, 0.5]) == 0.5


def test_absent_classes_count():
    """Of four classes, of which one has no sample and is not predicted, and one alone is found: 1/4."""
    assert recall_score([0, 1, 2, 2], [0, 0, 0, 1], n_classes=4) == approx(F(1, 4))
    assert recall_score([0, 1, 2, 2], [0, 0, 0, 1], n_classes=4, on_undefined="skip") == approx(F(1, 3))


# Counts of which some are not known


def test_measures_of_some_counts():
    """Of the lecture's table, which has true and false positives alone."""
    counts = LabelCounts.from_counts(TP, FP, None)
    assert precision_score(counts) == approx(F(31, 90))
    assert precision_score(counts, average="micro") == approx(F(17, 69))
    assert precision_score(counts, average=None).tolist() == approx([F(1, 2), F(1, 3), F(1, 5)])
    of_recall = LabelCounts.from_counts(TP, None, FP)
    assert recall_score(of_recall) == balanced_accuracy_score(of_recall) == approx(F(31, 90))
    assert recall_score(of_recall, average="weighted") == approx(F(17, 69)), "each class as often as it occurs"
    both = counts + LabelCounts.from_counts(TP, FP, FP)
    assert (both.false_negatives, precision_score(both)) == (None, approx(F(31, 90)))
    assert precision_score(LabelCounts.from_counts(torch.tensor(TP), torch.tensor(FP))) == approx(F(31, 90))


def test_evaluation_of_some_counts():
    found = gpuval.multilabel.evaluate(LabelCounts.from_counts(TP, FP, None))
    assert list(found) == ["precision_macro", "precision_micro"]
    assert np.isnan(found.support).all()
    found = gpuval.multilabel.evaluate(LabelCounts.from_counts(TP, None, FP))
    assert list(found) == ["recall_macro", "recall_weighted", "recall_micro"]
    assert found.support.tolist() == [4, 15, 50]


@pytest.mark.parametrize(("beta", "on_undefined", "wanted"), [(0, "one", 1), (0, "zero", 0), (inf, "one", 0)])
def test_f_of_one_mean(beta, on_undefined, wanted):
    """No class is predicted, so that precisions are 0/0, and recalls 0: F is the one of the two that beta says."""
    counts = LabelCounts.from_counts([0, 0], [0, 0], [3, 3])
    options = {"beta": beta, "average": "macro_of_means", "on_undefined": on_undefined}
    assert f_score(counts, **options) == wanted
    assert np.isnan(f_score(counts, **options | {"on_undefined": "nan"})) == (beta == 0)
