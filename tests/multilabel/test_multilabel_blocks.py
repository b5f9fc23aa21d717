"""Matrices that are read block by block: where something is wrong in a later one, and that all blocks count."""

from __future__ import annotations

import numpy as np
import pytest

from gpuval import multilabel

N, K = 70_001, 3
"""Several blocks, and a last one that is shorter."""


def drawn(order):
    random = np.random.default_rng(0)
    labels, predicted = (random.integers(0, 2, (N, K)) for _ in range(2))
    return np.asarray(labels, order=order), np.asarray(predicted, order=order)


@pytest.mark.parametrize("order", ["C", "F"])
def test_counts_are_those_of_all_samples(order):
    labels, predicted = drawn(order)
    mask = np.random.default_rng(1).random((N, K)) < 0.9
    for given, counted in (({}, np.ones((N, K), dtype=bool)), ({"mask": mask}, mask)):
        counts = multilabel.LabelCounts.from_labels(labels, predicted, **given)
        for name, a, b in (("true_positives", 1, 1), ("false_positives", 0, 1), ("false_negatives", 1, 0)):
            wanted = [np.count_nonzero(column) for column in ((labels == a) & (predicted == b) & counted).T]
            assert getattr(counts, name).tolist() == wanted, name


@pytest.mark.parametrize("order", ["C", "F"])
def test_errors_of_samples_are_in_their_order(order):
    """Shares of three labels, of which each stands where its sample does; then their mean by weights."""
    labels, predicted = drawn(order)
    weights = np.arange(N)
    shares = [sum(row) / K for row in (labels != predicted).tolist()]
    wanted = sum(w * x for w, x in zip(weights.tolist(), shares, strict=True)) / sum(weights.tolist())
    found = multilabel.hamming_loss(labels, predicted, average="samples", sample_weight=weights)
    assert abs(found - wanted) < 1e-12
    found = multilabel.mean_squared_error(labels, predicted, average="samples", sample_weight=weights)
    assert abs(found - wanted) < 1e-12


@pytest.mark.parametrize("name", ["y_true", "y_pred"])
def test_what_is_wrong_in_a_later_block_stands_in_its_row(name):
    labels, predicted = drawn("C")
    {"y_true": labels, "y_pred": predicted}[name][65_432, 1] = 2
    with pytest.raises(ValueError, match=f"^{name} must hold 0 and 1, got 2 at row 65432, column 1"):
        multilabel.LabelCounts.from_labels(labels, predicted)
    mask = np.ones((N, K), dtype=bool)
    mask[65_432, 1] = False
    assert multilabel.LabelCounts.from_labels(labels, predicted, mask=mask).n_classes == K


def test_a_class_that_does_not_exist_in_a_later_block_stands_in_its_place():
    classes = np.zeros(N, dtype=np.int64)
    classes[65_432] = K
    message = "^y_true must hold the class of each sample, from 0 to below 3, got 3 at position 65432$"
    with pytest.raises(ValueError, match=message):
        multilabel.roc_auc_score(classes, np.zeros((N, K)))
