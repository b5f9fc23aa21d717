"""Measures of several labels a sample are what their definitions say, on every backend and with every option."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from math import inf, nan

import jax
import jax.numpy as jnp
import multilabel_oracles as oracles
import numpy as np
import pytest
import torch
from multilabel_cases import (
    AVERAGES,
    MASK,
    MATRICES,
    MEASURES,
    OF_LABELS,
    OF_NUMBERS,
    OF_SCORES,
    ON_UNDEFINED,
    Q_LABELS,
    SHAPE,
    WEIGHTS,
    exact,
    floats,
    given,
    predicted,
)
from only_for import only_for
from oracles import NAN
from packages import pd

from gpuval import multilabel
from gpuval.multilabel import LabelCounts, balanced_accuracy_score, log_loss

F = Fraction
DEFINITIONS = tuple(oracles.BALANCED)


def assert_is(backend, found, wanted, like, what):
    backend.assert_close(found, wanted, what)
    backend.assert_at_home(found, like, (len(wanted),) if isinstance(wanted, list) else ())


# Columns


@pytest.mark.by_default
@pytest.mark.parametrize("name", MEASURES)
def test_definitions(backend, name):
    for case in MATRICES:
        arrays = given(name, case, backend)
        for average in AVERAGES[name]:
            found = getattr(multilabel, name)(*arrays, average=average)
            assert_is(backend, found, exact(name, case, average), arrays[0], f"{case} {average}")


@pytest.mark.parametrize("name", MEASURES)
def test_weights_and_what_is_undefined(backend, name):
    weights = backend.array(WEIGHTS)
    for case in ("few ties", "rare", "one-sided"):
        arrays = given(name, case, backend)
        for average in AVERAGES[name]:
            for on_undefined in ("zero", "one", "nan", "skip"):
                options = {"average": average, "on_undefined": on_undefined}
                found = getattr(multilabel, name)(*arrays, sample_weight=weights, **options)
                wanted = exact(name, case, average, is_weighted=True, on_undefined=on_undefined)
                assert_is(backend, found, wanted, arrays[0], f"{case} {options}")


@pytest.mark.parametrize("name", MEASURES)
def test_unknown_entries_do_not_count(backend, name):
    """They may hold anything; ``ignore_labels`` leaves out the same ones as ``mask``, and both are joined."""
    labels, predictions = (np.asarray(backend.back(x), dtype=float) for x in given(name, "ties", backend))
    mask, odd = np.asarray(MASK), np.arange(24).reshape(SHAPE) % 2 == 1
    ways = [
        (np.where(mask, labels, nan), np.where(mask, predictions, nan), {"mask": backend.of(mask)}),
        (np.where(mask, labels, -1), np.where(mask, predictions, nan), {"ignore_labels": -1}),
        (
            np.where(mask, labels, np.where(odd, -1, 9)),
            np.where(mask, predictions, -7),
            {"ignore_labels": (-1,), "mask": backend.of(mask | odd)},
        ),
    ]
    for average in AVERAGES[name]:
        for is_weighted in (False, True):
            wanted = exact(name, "ties", average, is_weighted=is_weighted, is_masked=True)
            weights = {"sample_weight": backend.array(WEIGHTS)} if is_weighted else {}
            for way in ways:
                arrays = [backend.array(x) for x in way[:2]]
                found = getattr(multilabel, name)(*arrays, average=average, **way[2], **weights)
                assert_is(backend, found, wanted, arrays[0], f"{average} {way[2].keys()}")


@pytest.mark.parametrize("name", ["None", "NaN", "NA"])
def test_missing_objects_that_are_left_out(name):
    missing = {"None": None, "NaN": nan}[name] if name != "NA" else pd.NA
    mask = np.asarray([[True, False], [True, True], [True, True]])
    labels = np.asarray([[1, missing], [0, 1], [1, 0]], dtype=object)
    scores = np.asarray([[0.75, 0.25], [0.25, 0.25], [0.5, 0.5]], dtype=object)
    for known in ({"mask": mask}, {"ignore_labels": [None]}):
        for given_scores in (scores, np.where(mask, scores, missing)):
            assert multilabel.roc_auc_score(labels, given_scores, **known) == (1 + 0) / 2
            assert multilabel.mean_squared_error(labels.tolist(), given_scores.tolist(), **known) == 19 / 16 / 5
            assert multilabel.evaluate(labels, given_scores, **known, metrics="auc")["auc_macro"] == 1 / 2
        assert multilabel.hamming_loss(labels, np.where(mask, labels, missing), **known) == 0
    for known in ({"mask": [True, False, True]}, {"ignore_labels": [None]}):
        classes = np.asarray([0, missing, 1], dtype=object)
        assert multilabel.mean_probability_rate(classes, scores, **known) == (0.75 + 0.5) / 2


def test_classes_of_samples_that_are_whole_floats(backend):
    """As libraries make of integers where some are missing."""
    classes, scores = np.float32([0, nan, 1]), np.float32([[0.75, 0.25], [0.25, 0.25], [0.5, 0.5]])
    found = multilabel.mean_probability_rate(backend.array(classes), backend.array(scores), ignore_labels=[None])
    backend.assert_close(found, (0.75 + 0.5) / 2)


@pytest.mark.parametrize("beta", [0, 0.5, 2, inf])
def test_beta(backend, beta):
    for case in ("ties", "one-sided", "nothing"):
        arrays = given("f_score", case, backend)
        for average in AVERAGES["f_score"]:
            found = multilabel.f_score(*arrays, beta=beta, average=average)
            if beta == inf and average == "macro_of_means":
                wanted = exact("recall_score", case, "macro")
            else:
                wanted = exact("f_score", case, average, beta=beta)
            backend.assert_close(found, wanted, f"{case} {average}")


@pytest.mark.parametrize("name", OF_LABELS[:3])
def test_counts_in_place_of_labels(backend, name):
    for weights in (None, backend.array(WEIGHTS)):
        arrays = given(name, "ties", backend)
        counts = LabelCounts.from_labels(*arrays, sample_weight=weights)
        for average in set(AVERAGES[name]) - {"samples"}:
            found = getattr(multilabel, name)(counts, average=average)
            assert_is(backend, found, exact(name, "ties", average, is_weighted=weights is not None), arrays[0], average)


@pytest.mark.parametrize("weights", [None, (1, 0, 4, 2, 1, 3), WEIGHTS])
def test_counts(backend, weights):
    labels, scores = MATRICES["ties"]
    given_weights = None if weights is None else backend.array(weights)
    found = LabelCounts.from_labels(*given("f_score", "ties", backend), sample_weight=given_weights)
    exact_counts = zip(*map(oracles.counts, oracles.by_class(labels, predicted(scores), weights=weights)), strict=True)
    names = ("true_positives", "false_positives", "false_negatives", "true_negatives")
    for name, wanted in zip(names, exact_counts, strict=True):
        values = backend.numpy(getattr(found, name))
        assert values.dtype.kind == ("f" if weights is WEIGHTS else "i")
        assert [F(x) for x in values.tolist()] == list(wanted)


def test_counts_of_both_kinds():
    """Of the 6 labels 3 are wrong: as indicators of classes, as of a matrix not every sample has one label."""
    of_vectors = LabelCounts.from_labels([0, 1], [0, 0], n_classes=2)
    assert multilabel.hamming_loss(of_vectors) == 0.5
    assert multilabel.hamming_loss(of_vectors + LabelCounts.from_labels([[0, 1]], [[1, 1]])) == 0.5
    assert multilabel.hamming_loss(of_vectors + of_vectors) == 0.5


@pytest.mark.parametrize("name", [*OF_LABELS, *OF_SCORES])
def test_kinds_of_numbers(backend, name):
    """Labels of booleans, of every integer and of floats; for scores halves, which all floats hold, and integers."""
    labels, predictions = (backend.back(x) for x in given(name, "ties", backend))
    wanted = exact(name, "ties", "macro")
    for kind in (np.bool, np.int8, np.uint8, np.int32, np.float32):
        others = (kind,) if name in OF_LABELS else (np.float32,)
        for other in others:
            arrays = [backend.of(labels.astype(kind)), backend.of(predictions.astype(other))]
            backend.assert_close(getattr(multilabel, name)(*arrays), wanted, str(kind))
    if name in OF_SCORES:
        for kind in (np.int8, np.uint8, np.int32):
            arrays = [backend.of(labels), backend.of((4 * predictions).astype(kind))]
            backend.assert_close(getattr(multilabel, name)(*arrays), wanted, str(kind))


@pytest.mark.parametrize("name", [name for name in MEASURES if name not in OF_LABELS])
def test_two_vectors_are_one_class(backend, name):
    """Of scores and numbers; labels of vectors are of as many classes as there are."""
    labels, scores = MATRICES["ties"]
    column = [row[0] for row in labels], [row[0] for row in scores]
    wanted = oracles.value(name, *([[x] for x in values] for values in column))
    arrays = [backend.array([float(x) for x in values]) for values in column]
    backend.assert_close(getattr(multilabel, name)(*arrays), wanted)


# Scores


@pytest.mark.parametrize("name", OF_SCORES)
def test_infinite_scores(backend, name):
    labels, scores = MATRICES["ties"]
    infinite = [[{F(0): -inf, F(1): inf}.get(x, float(x)) for x in row] for row in scores]
    found = getattr(multilabel, name)(backend.array(labels), backend.array(infinite), average=None)
    backend.assert_close(found, exact(name, "ties", None))


@pytest.mark.parametrize("name", [*OF_SCORES, *OF_NUMBERS])
def test_the_class_of_each_sample(backend, name):
    """One against the rest."""
    _, scores = MATRICES["few ties"]
    classes = (2, 0, 3, 2, 1, 0)
    labels = oracles.indicators(classes, range(4))
    arrays = [backend.array(classes), backend.array(floats(scores))]
    for average in AVERAGES[name]:
        found = getattr(multilabel, name)(*arrays, average=average)
        wanted = oracles.value(name, labels, scores, average, on_undefined=ON_UNDEFINED[name])
        assert_is(backend, found, wanted, arrays[0], average)


@pytest.mark.parametrize("name", OF_SCORES)
def test_large_logits_stay_apart(backend, name):
    """A sigmoid in floats of 32 bits is 1 for each of these."""
    labels, scores = backend.array([[0], [1], [0], [1]]), [[18.0], [19.0], [20.0], [21.0]]
    wanted = oracles.value(name, [[0], [1], [0], [1]], scores)
    found = getattr(multilabel, name)(labels, backend.of(np.asarray(scores, dtype=np.float32)))
    backend.assert_close(found, wanted)


# One label a sample


@pytest.mark.parametrize("name", OF_LABELS[:3])
@only_for(lambda backend: backend.finds_sizes)
def test_one_label_for_each_sample(backend, name):
    true, pred = (backend.array(x) for x in Q_LABELS)
    for average in set(AVERAGES[name]) - {"samples"}:
        wanted = oracles.value(name, *oracles.of_vectors(*Q_LABELS), average)
        assert_is(backend, getattr(multilabel, name)(true, pred, average=average), wanted, true, average)


@pytest.mark.parametrize("name", OF_LABELS[:3])
def test_classes_of_given_number(backend, name):
    """A class that has no sample and is not predicted is there, too, as the last."""
    true, pred = (backend.array(x) for x in Q_LABELS)
    matrices = [oracles.indicators(x, range(4)) for x in Q_LABELS]
    for average in set(AVERAGES[name]) - {"samples"}:
        found = getattr(multilabel, name)(true, pred, average=average, n_classes=4)
        assert_is(backend, found, oracles.value(name, *matrices, average), true, average)


def test_error_rate(backend):
    """Of one label a sample the Hamming loss is the share of those that are wrong: 5 of the 10 of Q."""
    true, pred = (backend.array(x) for x in Q_LABELS)
    weights = backend.array(range(1, 11))
    wrong = sum(i for i, (x, y) in enumerate(zip(*Q_LABELS, strict=True), 1) if x != y)
    backend.assert_close(multilabel.hamming_loss(true, pred, n_classes=3), F(1, 2))
    backend.assert_close(multilabel.hamming_loss(true, pred, sample_weight=weights, n_classes=3), F(wrong, 55))


# Balanced accuracy


@pytest.mark.parametrize("definition", DEFINITIONS)
def test_balanced_accuracy(backend, definition):
    for case, (labels, scores) in MATRICES.items():
        arrays = given("f_score", case, backend)
        for is_weighted in (False, True):
            weights = WEIGHTS if is_weighted else None
            wanted = oracles.balanced_accuracy_score(labels, predicted(scores), definition, weights=weights)
            weights = backend.array(WEIGHTS) if is_weighted else None
            found = balanced_accuracy_score(*arrays, definition=definition, sample_weight=weights)
            assert_is(backend, found, wanted, arrays[0], case)


@pytest.mark.parametrize("definition", DEFINITIONS)
def test_balanced_accuracy_of_one_label(backend, definition):
    true, pred = (backend.array(x) for x in Q_LABELS)
    wanted = oracles.balanced_accuracy_score(*oracles.of_vectors(*Q_LABELS), definition)
    found = balanced_accuracy_score(true, pred, definition=definition, n_classes=3)
    assert_is(backend, found, wanted, true, definition)


def test_adjusted_balanced_accuracy(backend):
    """0 by chance: 1/k of the k classes that have samples; the last one here has none."""
    true, pred = (backend.array(x) for x in ((0, 0, 1, 1, 2, 2), (0, 1, 1, 1, 3, 2)))
    found = balanced_accuracy_score(true, pred, adjusted=True, n_classes=4)
    backend.assert_close(found, (F(2, 3) - F(1, 3)) / (1 - F(1, 3)))


# Probabilities


def test_log_loss(backend):
    eps = F(2) ** (-52 if backend.has_float64 else -23)
    for case, (labels, scores) in MATRICES.items():
        arrays = backend.array(labels), backend.array(floats(scores))
        for is_weighted in (False, True):
            own = {"weights": WEIGHTS} if is_weighted else {}
            weights = {"sample_weight": backend.array(WEIGHTS)} if is_weighted else {}
            wanted = oracles.log_loss(labels, scores, eps=eps, **own)
            assert_is(backend, log_loss(*arrays, **weights), wanted, arrays[0], case)
            wanted = oracles.value("binary_log_loss", labels, scores, "micro", eps=eps, **own)
            assert_is(backend, log_loss(*arrays, form="binary", **weights), wanted, arrays[0], case)


@pytest.mark.parametrize("hold", [np.asarray, torch.asarray])
def test_probabilities_of_32_bits_are_bounded_by_their_own_epsilon(hold):
    """A zero counts as 2^-23, though the loss has 64 bits."""
    found = log_loss(hold(np.asarray([[1, 0]])), hold(np.asarray([[0, 1]], dtype=np.float32)))
    assert float(found) == pytest.approx(23 * np.log(2), rel=1e-12)


def test_log_loss_without_a_bound(backend):
    labels, scores = MATRICES["ties"]
    arrays = backend.array(labels), backend.array(floats(scores))
    assert backend.numpy(log_loss(*arrays, eps=0)) == inf
    inner = [[(x + 1) / 4 for x in row] for row in scores]
    found = log_loss(backend.array(labels), backend.array(floats(inner)), eps=0)
    backend.assert_close(found, oracles.log_loss(labels, inner))
    found = log_loss(*arrays, eps=0.125)
    backend.assert_close(found, oracles.log_loss(labels, scores, eps=F(1, 8)))


def test_a_sample_of_weight_0_adds_nothing(backend):
    """Also if its loss is infinite, or its square is."""
    weights, labels = backend.array([1, 0]), backend.array([[1, 0], [1, 0]])
    far, logits = (1e200, 1.7e308) if backend.has_float64 else (1e30, 3e38)
    probabilities = backend.array([[0.5, 0.5], [0.0, 1.0]])
    for form in ("categorical", "binary"):
        found = log_loss(labels, probabilities, eps=0, form=form, sample_weight=weights)
        assert float(backend.numpy(found)) == pytest.approx(np.log(2), rel=1e-6), form
        scores = backend.array([[0.0, 0.0], [-logits, logits]])
        found = log_loss(labels, scores, from_logits=True, form=form, sample_weight=weights)
        assert float(backend.numpy(found)) == pytest.approx(np.log(2), rel=1e-6), form
    zeros = backend.array([[0], [0]])
    found = multilabel.mean_squared_error(zeros, backend.array([[1.0], [far]]), sample_weight=weights)
    assert float(backend.numpy(found)) == 1
    accumulator = multilabel.MultilabelAccumulator({"loss": partial(log_loss, eps=0)})
    accumulator.update(labels, probabilities, sample_weight=weights)
    accumulator.update(labels, backend.array([[0.0, 1.0], [0.5, 0.5]]), sample_weight=backend.array([0, 1]))
    assert float(backend.numpy(accumulator.scores["loss"])) == pytest.approx(np.log(2), rel=1e-6)


def test_a_sample_of_weight_0_has_no_gradient():
    labels, weights = torch.tensor([[1, 0], [1, 0]]), torch.tensor([1, 0])
    for values, options, wanted in (
        ([[0.5, 0.5], [0.0, 1.0]], {"eps": 0}, [[-2, 0], [0, 0]]),
        ([[0.0, 0.0], [-1.7e308, 1.7e308]], {"from_logits": True}, [[-0.5, 0.5], [0, 0]]),
    ):
        scores = torch.tensor(values, dtype=torch.float64, requires_grad=True)
        log_loss(labels, scores, sample_weight=weights, **options).backward()
        assert scores.grad.tolist() == wanted
    with jax.enable_x64(True):
        given = jnp.asarray(labels.numpy()), jnp.asarray(weights.numpy())
        found = jax.grad(lambda x: log_loss(given[0], x, eps=0, sample_weight=given[1]))(
            jnp.asarray([[0.5, 0.5], [0.0, 1.0]])
        )
    assert found.tolist() == [[-2, 0], [0, 0]]


def test_means_of_numbers_near_the_largest_float(backend):
    """Their sums are beyond the floats; with weights, over classes and samples, and in batches."""
    most = 2.0**1023 if backend.has_float64 else 2.0**127
    labels, scores = backend.array([[0, 0], [0, 0]]), backend.array([[most, most], [most / 2, most / 2]])
    weights = backend.array([3, 1])
    accumulator = multilabel.MultilabelAccumulator(["mae"], averages=["micro", "macro", "samples"])
    for average in ("micro", "macro", "samples"):
        found = multilabel.mean_absolute_error(labels, scores, average=average)
        assert float(backend.numpy(found)) == most * 0.75, average
        found = multilabel.mean_absolute_error(labels, scores, average=average, sample_weight=weights)
        assert float(backend.numpy(found)) == most * 0.875, average
    for _ in range(4):
        accumulator.update(labels, scores)
    for name, found in accumulator.scores.items():
        assert float(backend.numpy(found)) == most * 0.75, name
    square = most**0.5
    roots = backend.array([[square, square], [square, square]])
    found = float(backend.numpy(multilabel.mean_squared_error(labels, roots)))
    assert found == pytest.approx(most, rel=1e-6)


def test_log_loss_of_two_vectors_is_binary(backend):
    labels, scores = [1, 0, 1, 1], [F(3, 4), F(1, 4), F(1, 2), F(1, 8)]
    wanted = oracles.value("binary_log_loss", [[x] for x in labels], [[x] for x in scores], "micro")
    backend.assert_close(log_loss(backend.array(labels), backend.array([float(x) for x in scores])), wanted)


def test_log_loss_of_the_class_of_each_sample(backend):
    _, scores = MATRICES["few ties"]
    inner = [[(x + 1) / 4 for x in row] for row in scores]
    classes = (2, 0, 3, 2, 1, 0)
    wanted = oracles.log_loss(oracles.indicators(classes, range(4)), inner)
    backend.assert_close(log_loss(backend.array(classes), backend.array(floats(inner))), wanted)


def test_log_loss_of_logits(backend):
    """Their softmax over the classes, or the logistic function of each; no logit is too large."""
    labels = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
    logits = ((2, -1, F(1, 2)), (800, -800, 0), (F(-3, 2), 0, 3))
    arrays = backend.array(labels), backend.array(floats(logits))
    real, mp = oracles.real, oracles.mp
    softmax = sum(
        mp.log(sum(mp.exp(real(x)) for x in row)) - sum(real(x) for y, x in zip(own, row, strict=True) if y)
        for own, row in zip(labels, logits, strict=True)
    )
    backend.assert_close(log_loss(*arrays, from_logits=True), softmax / 3)
    binary = sum(
        mp.log1p(mp.exp(real(-x if y else x)))
        for own, row in zip(labels, logits, strict=True)
        for y, x in zip(own, row, strict=True)
    )
    backend.assert_close(log_loss(*arrays, form="binary", from_logits=True), binary / 9)


def test_probability_rates(backend):
    for case, (labels, scores) in MATRICES.items():
        arrays = backend.array(labels), backend.array(floats(scores))
        for is_weighted in (False, True):
            own = {"weights": WEIGHTS} if is_weighted else {}
            weights = {"sample_weight": backend.array(WEIGHTS)} if is_weighted else {}
            found = multilabel.mean_probability_rate(*arrays, **weights)
            assert_is(backend, found, oracles.mean_probability_rate(labels, scores, **own), arrays[0], case)
            found = multilabel.macro_average_probability_rate(*arrays, **weights)
            wanted = oracles.macro_average_probability_rate(labels, scores, **own)
            assert_is(backend, found, wanted, arrays[0], case)


def test_a_class_without_samples_has_no_rate(backend):
    labels, scores = backend.array([[1, 0], [1, 0]]), backend.array([[0.5, 0.25], [0.25, 1.0]])
    backend.assert_close(multilabel.macro_average_probability_rate(labels, scores), F(3, 8))
    labels = backend.array([[0, 0], [0, 0]])
    backend.assert_close(multilabel.macro_average_probability_rate(labels, scores), NAN)


# Labels of scores


@pytest.mark.parametrize("at_least_one", [False, True])
@pytest.mark.parametrize("threshold", [0.5, 0.25, (0.25, 0.5, 0.75, 1.0)])
def test_predicted_labels(backend, threshold, at_least_one):
    for case in ("ties", "few ties"):
        _, scores = MATRICES[case]
        given_threshold = backend.array(threshold) if isinstance(threshold, tuple) else threshold
        found = multilabel.predicted_labels(backend.array(floats(scores)), given_threshold, at_least_one=at_least_one)
        wanted = oracles.predicted_labels(scores, threshold, at_least_one=at_least_one)
        np.testing.assert_array_equal(backend.back(found), wanted)
