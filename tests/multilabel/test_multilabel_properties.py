"""Promises of the measures of several labels, tried on random matrices: what changes nothing, and what bounds them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from multilabel_cases import AVERAGES, MEASURES, OF_LABELS, OF_NUMBERS, OF_SCORES

from gpuval import multilabel
from gpuval.multilabel import LabelCounts, balanced_accuracy_score, log_loss

EVERY = settings(max_examples=30)
NEAR = {"rtol": 1e-12, "atol": 1e-12}
DEFINITIONS = ("recall", "min_precision_recall", "min_recall_specificity", "mean_recall_specificity")


@st.composite
def matrices(draw, most=8):
    """Labels, and scores of few levels from 0 to 1."""
    shape = draw(st.tuples(st.integers(1, most), st.integers(1, 4)))
    size = shape[0] * shape[1]
    labels = draw(st.lists(st.integers(0, 1), min_size=size, max_size=size))
    scores = draw(st.lists(st.integers(0, 8), min_size=size, max_size=size))
    return np.reshape(labels, shape), np.reshape(scores, shape) / 8


def value(name, labels, scores, **options):
    predictions = (scores >= 0.5).astype(int) if name in OF_LABELS else scores
    return getattr(multilabel, name)(labels, predictions, **options)


def all_values(labels, scores, **options):
    """The values of all measures of columns, with all averages."""
    return {
        (name, average): value(name, labels, scores, average=average, **options)
        for name in MEASURES
        for average in AVERAGES[name]
    }


def assert_same(found, wanted):
    for key, x in found.items():
        np.testing.assert_allclose(x, wanted[key], **NEAR, err_msg=str(key))


def weights_of(data, size):
    return np.asarray(data.draw(st.lists(st.integers(0, 3), min_size=size, max_size=size).filter(any)))


# What changes nothing


@EVERY
@given(matrices(), st.sampled_from([np.exp, np.cbrt, np.arctan, lambda x: 3 * x - 100, lambda x: x.astype(np.float16)]))
def test_rising_maps_of_scores_change_nothing(matrix, rising):
    """Areas are of whole numbers of pairs, the same to the last bit; precisions may be added up in another order."""
    labels, scores = matrix
    for average in AVERAGES["roc_auc_score"]:
        for name, digits in (("roc_auc_score", {"rtol": 0}), ("average_precision_score", {"rtol": 1e-14})):
            found = value(name, labels, rising(scores), average=average)
            np.testing.assert_allclose(found, value(name, labels, scores, average=average), **digits, err_msg=name)


def test_a_falling_map_changes_something():
    for name in OF_SCORES:
        assert value(name, [[1], [0]], np.asarray([[0.2], [0.1]])) != value(
            name, [[1], [0]], np.asarray([[-0.2], [-0.1]])
        )


@EVERY
@given(matrices(), st.randoms(use_true_random=False))
def test_the_order_of_samples_changes_nothing(matrix, random):
    order = list(range(len(matrix[0])))
    random.shuffle(order)
    assert_same(all_values(*(x[order] for x in matrix)), all_values(*matrix))


@EVERY
@given(matrices(), st.randoms(use_true_random=False))
def test_the_order_of_classes_changes_nothing_but_theirs(matrix, random):
    order = list(range(matrix[0].shape[1]))
    random.shuffle(order)
    found, wanted = all_values(*(x[:, order] for x in matrix)), all_values(*matrix)
    assert_same(found, {key: x[order] if key[1] is None else x for key, x in wanted.items()})


@EVERY
@given(matrices(), st.data())
def test_weights_are_repetitions(matrix, data):
    weights = weights_of(data, len(matrix[0]))
    for kind in (int, float):
        found = all_values(*matrix, sample_weight=weights.astype(kind))
        assert_same(found, all_values(*(np.repeat(x, weights, axis=0) for x in matrix)))


@EVERY
@given(matrices(), st.data(), st.sampled_from([0.5, 3, 1e-3, 1e6]))
def test_a_common_factor_of_weights_changes_nothing(matrix, data, factor):
    weights = weights_of(data, len(matrix[0]))
    assert_same(all_values(*matrix, sample_weight=weights * factor), all_values(*matrix, sample_weight=weights))


@EVERY
@given(matrices(), st.data())
def test_a_mask_leaves_out_of_a_class(matrix, data):
    labels, scores = matrix
    size = labels.size
    mask = np.reshape(data.draw(st.lists(st.booleans(), min_size=size, max_size=size).filter(any)), labels.shape)
    for name in MEASURES:
        found = value(name, labels, scores, average=None, mask=mask)
        for j in range(labels.shape[1]):
            keep = mask[:, j]
            if keep.any():
                wanted = value(name, labels[keep][:, [j]], scores[keep][:, [j]], average=None)[0]
                np.testing.assert_allclose(found[j], wanted, **NEAR, err_msg=name)


@EVERY
@given(matrices(), st.data())
def test_a_sample_without_known_labels_is_none(matrix, data):
    """But of the mean over the samples, in which it is undefined, and left out with ``skip``."""
    labels, scores = matrix
    keep = np.asarray(data.draw(st.lists(st.booleans(), min_size=len(labels), max_size=len(labels)).filter(any)))
    mask = np.broadcast_to(keep[:, None], labels.shape)
    found = all_values(labels, scores, mask=mask, on_undefined="skip")
    assert_same(found, all_values(labels[keep], scores[keep], on_undefined="skip"))


# What exchanges


@EVERY
@given(matrices())
def test_exchanged_labels_give_the_rest_of_the_area(matrix):
    labels, scores = matrix
    for average in (None, "macro", "micro", "samples"):
        found = value("roc_auc_score", 1 - labels, scores, average=average)
        np.testing.assert_allclose(found, 1 - value("roc_auc_score", labels, scores, average=average), **NEAR)


@EVERY
@given(matrices())
def test_turned_scores_give_the_rest_of_the_area(matrix):
    labels, scores = matrix
    for average in AVERAGES["roc_auc_score"]:
        found = value("roc_auc_score", labels, -scores, average=average)
        np.testing.assert_allclose(found, 1 - value("roc_auc_score", labels, scores, average=average), **NEAR)


@EVERY
@given(matrices())
def test_precision_and_recall_exchange_labels_and_predictions(matrix):
    labels, predictions = matrix[0], (matrix[1] >= 0.5).astype(int)
    for average in ("macro", "micro", "samples", "geometric", None):
        found = multilabel.precision_score(labels, predictions, average=average)
        np.testing.assert_allclose(found, multilabel.recall_score(predictions, labels, average=average), **NEAR)
        found = multilabel.f_score(labels, predictions, average=average)
        np.testing.assert_allclose(found, multilabel.f_score(predictions, labels, average=average), **NEAR)
        found = multilabel.hamming_loss(labels, predictions)
        np.testing.assert_allclose(found, multilabel.hamming_loss(predictions, labels), **NEAR)


@EVERY
@given(matrices())
def test_samples_are_the_classes_of_the_transposed_matrices(matrix):
    for name in MEASURES:
        options = {"on_undefined": "zero"}
        found = value(name, *matrix, average="samples", **options)
        np.testing.assert_allclose(found, value(name, *(x.T for x in matrix), average="macro", **options), **NEAR)


# Bounds


@EVERY
@given(matrices())
def test_bounds(matrix):
    for key, x in all_values(*matrix, on_undefined="zero").items():
        assert (np.asarray(x) >= 0).all(), key
        assert (np.asarray(x) <= 1 + 1e-12).all(), key


@EVERY
@given(matrices())
def test_means_lie_between_the_classes(matrix):
    labels, scores = matrix
    for name in MEASURES:
        values = value(name, labels, scores, average=None, on_undefined="zero")
        for average in set(AVERAGES[name]) - {None, "samples", "macro_of_means"}:
            if average == "micro" and name in OF_SCORES:
                continue  # of all entries, also compared between classes
            if average == "weighted" and not labels.any():
                continue
            found = value(name, labels, scores, average=average, on_undefined="zero")
            defined = value(name, labels, scores, average=None, on_undefined="nan")
            among = defined[~np.isnan(defined)] if average == "micro" else values
            if len(among):
                assert among.min() - 1e-12 <= found <= among.max() + 1e-12, (name, average)


@EVERY
@given(matrices())
def test_kinds_of_means_are_in_order(matrix):
    """The geometric mean is at most the arithmetic one, and the F of means at least the mean of F (Opitz & Burst)."""
    for name in ("precision_score", "recall_score", "f_score"):
        assert value(name, *matrix, average="geometric") <= value(name, *matrix, average="macro") + 1e-12
    assert value("f_score", *matrix, average="macro_of_means") >= value("f_score", *matrix, average="macro") - 1e-12


@EVERY
@given(matrices())
def test_perfect_and_worst(matrix):
    labels, _ = matrix
    has_both = (labels.min(axis=0) < labels.max(axis=0)).all()
    has_all = labels.any(axis=0).all()
    best, worst = labels.astype(float), 1 - labels.astype(float)
    for name in (*OF_NUMBERS, "hamming_loss"):
        assert value(name, labels, best) == 0
        assert value(name, labels, worst) == 1
    for name in ("precision_score", "recall_score", "f_score"):
        assert value(name, labels, worst) == 0
        if has_all:
            for average in AVERAGES[name]:
                if average != "samples":
                    np.testing.assert_allclose(value(name, labels, best, average=average), 1, **NEAR)
    assume(has_both)
    for name in OF_SCORES:
        assert value(name, labels, best) == 1
    assert value("roc_auc_score", labels, worst) == 0
    found = value("average_precision_score", labels, worst, average=None)
    np.testing.assert_allclose(found, labels.mean(axis=0), **NEAR)


@EVERY
@given(matrices(), st.data())
def test_nearer_probabilities_are_better(matrix, data):
    labels, scores = matrix
    nearer = scores + (labels - scores) * data.draw(st.sampled_from([0.25, 0.5, 1]))
    for form in ("categorical", "binary"):
        assert log_loss(labels, nearer, form=form) <= log_loss(labels, scores, form=form) + 1e-9
    for name in OF_NUMBERS:
        assert value(name, labels, nearer) <= value(name, labels, scores) + 1e-12
    assert multilabel.mean_probability_rate(labels, nearer) >= multilabel.mean_probability_rate(labels, scores) - 1e-12


@EVERY
@given(matrices())
def test_definitions_of_balanced_accuracy_are_in_order(matrix):
    labels, predictions = matrix[0], (matrix[1] >= 0.5).astype(int)
    found = {x: balanced_accuracy_score(labels, predictions, definition=x, on_undefined="zero") for x in DEFINITIONS}
    assert all(-1e-12 <= x <= 1 + 1e-12 for x in found.values())
    assert found["min_recall_specificity"] <= found["mean_recall_specificity"] + 1e-12
    if labels.any(axis=0).all():
        assert found["min_recall_specificity"] <= found["recall"] + 1e-12
        assert found["min_precision_recall"] <= found["recall"] + 1e-12


# Counts


@EVERY
@given(matrices(), st.data())
def test_counts_of_parts_add_up(matrix, data):
    labels, predictions = matrix[0], (matrix[1] >= 0.5).astype(int)
    weights = weights_of(data, len(labels)) + 1
    cut = data.draw(st.integers(0, len(labels)))
    parts = [slice(0, cut), slice(cut, None)]
    parts = [part for part in parts if len(labels[part])]
    for given_weights in (None, weights, weights / 4):
        own = [None if given_weights is None else given_weights[part] for part in parts]
        counts = sum(
            LabelCounts.from_labels(labels[part], predictions[part], sample_weight=w)
            for part, w in zip(parts, own, strict=True)
        )
        whole = LabelCounts.from_labels(
            labels, predictions, **({} if given_weights is None else {"sample_weight": given_weights})
        )
        for name in ("true_positives", "false_positives", "false_negatives", "true_negatives"):
            np.testing.assert_array_equal(getattr(counts, name), getattr(whole, name))


@EVERY
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=12))
def test_one_label_a_sample_is_a_matrix_of_one_each(pairs):
    true, pred = (np.asarray(x) for x in zip(*pairs, strict=True))
    matrices = [np.eye(4, dtype=int)[x] for x in (true, pred)]
    for name in ("precision_score", "recall_score", "f_score"):
        for average in set(AVERAGES[name]) - {"samples"}:
            found = getattr(multilabel, name)(true, pred, average=average, n_classes=4)
            wanted = getattr(multilabel, name)(*matrices, average=average)
            np.testing.assert_allclose(found, wanted, **NEAR, err_msg=f"{name} {average}")
    for definition in DEFINITIONS:
        found = balanced_accuracy_score(true, pred, definition=definition, n_classes=4)
        np.testing.assert_allclose(found, balanced_accuracy_score(*matrices, definition=definition), **NEAR)
    assert multilabel.hamming_loss(true, pred) == pytest.approx((true != pred).mean())


@EVERY
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=12))
def test_names_of_labels_change_nothing(pairs):
    true, pred = (np.asarray(x) for x in zip(*pairs, strict=True))
    names = np.asarray(["ant", "bee", "cat", "dog"])
    for name in ("precision_score", "recall_score", "f_score", "hamming_loss"):
        measure = getattr(multilabel, name)
        assert measure(names[true], names[pred]) == measure(true, pred)
        assert measure(true * 10**9 - 5, pred * 10**9 - 5) == measure(true, pred)


@EVERY
@given(matrices())
def test_labels_of_scores(matrix):
    _, scores = matrix
    for threshold in (0.0, 0.3, 0.5, 1.0):
        some = np.asarray(multilabel.predicted_labels(scores, threshold), dtype=bool)
        assert (some == (scores >= threshold)).all()
        one = np.asarray(multilabel.predicted_labels(scores, threshold, at_least_one=True), dtype=bool)
        assert one.any(axis=1).all()
        assert (one >= some).all()
        assert (one == some)[some.any(axis=1)].all()
