"""The definitions themselves: values that are worked out by hand, in the papers, or by scikit-learn."""

from __future__ import annotations

import internal_oracles as oracles
import numpy as np
import pytest
import sklearn.metrics
from oracles import mp

LINE, HALVES = [[0.0], [1.0], [4.0], [6.0]], [0, 0, 1, 1]


def test_silhouettes_by_hand():
    """a = 1, 1, 2, 2 and b = 5, 4, 3.5, 5.5."""
    found = oracles.silhouettes(oracles.distances(LINE, "euclidean"), HALVES)
    assert [float(x) for x in found] == [4 / 5, 3 / 4, 3 / 7, 7 / 11]


def test_weighted_silhouettes_by_hand():
    """The first sample sees 4 with the weight 1 and 6 with the weight 3: b = (4 + 18) / 4."""
    D = oracles.distances(LINE, "euclidean")
    found = oracles.silhouettes(D, HALVES, [0.5, 2.0, 1.0, 3.0])
    assert float(found[0]) == 4.5 / 5.5
    copies, labels = oracles.repeated(LINE, HALVES, [1, 2, 1, 3])
    assert len(copies) == len(labels) == 7
    first = oracles.silhouettes(oracles.distances(copies, "euclidean"), labels)[0]
    assert first == found[0]  # which has no copy, so that both meanings are one


def test_what_does_not_count():
    D = oracles.distances(LINE, "euclidean")
    found = oracles.silhouettes(D, HALVES, [1.0, 1.0, 1.0, 0.0])
    assert found[3] is None
    assert float(found[0]) == 3 / 4  # b = 4, of the only sample that is left there
    assert found[2] == 0


def test_single_cells_by_hand():
    """Of label 0 the batches are apart by 1 and 3; label 1 has one batch only."""
    D = oracles.distances([[0.0], [0.0], [1.0], [9.0], [9.0]], "euclidean")
    labels, batch = [0, 0, 0, 1, 1], [0, 0, 1, 0, 0]
    assert float(oracles.silhouette_batch(D, labels, batch)) == pytest.approx(1 - 2 / 3)
    assert oracles.silhouette_batch(D, [1, 1, 1, 0, 0], [0, 1, 2, 0, 0]) is None


def test_dispersion_by_hand():
    X, labels = [[0, 0], [0, 2], [6, 0], [6, 2]], [0, 0, 1, 1]
    assert oracles.calinski_harabasz(X, labels) == 18
    assert oracles.davies_bouldin(X, labels) == mp.mpf(1) / 3
    assert oracles.calinski_harabasz([[1], [1], [3], [3]], labels) == 1
    assert oracles.davies_bouldin([[0], [2], [0], [2]], labels) == 0


def test_dunn_by_hand():
    for X, expected in (([[0], [2], [5], [6]], 1.5), ([[0], [0], [8], [8]], np.inf), ([[1], [1], [1], [1]], 0)):
        assert float(oracles.dunn(oracles.distances(X, "euclidean"), HALVES)) == expected


@pytest.mark.parametrize("metric", oracles.METRICS)
def test_scikit_learn_says_the_same(metric):
    rng = np.random.default_rng(2)
    X, labels = rng.normal(size=(30, 3)), rng.integers(0, 4, 30)
    D = oracles.distances(X, metric)
    names = labels.tolist()
    expected = sklearn.metrics.silhouette_samples(X, labels, metric=metric)
    np.testing.assert_allclose([float(x) for x in oracles.silhouettes(D, names)], expected, atol=1e-13)
    assert float(oracles.silhouette(D, names)) == pytest.approx(float(expected.mean()), abs=1e-13)
    assert float(oracles.calinski_harabasz(X, names)) == pytest.approx(
        sklearn.metrics.calinski_harabasz_score(X, labels), rel=1e-12
    )
    assert float(oracles.davies_bouldin(X, names)) == pytest.approx(
        sklearn.metrics.davies_bouldin_score(X, labels), rel=1e-12
    )


def test_far_from_the_origin_nothing_is_lost():
    """Moved by a power of two, which keeps every digit, nothing changes; moved in float32 it would."""
    X, labels = np.arange(12.0).reshape(6, 2) ** 2, [0, 0, 1, 1, 2, 2]
    for function in (oracles.calinski_harabasz, oracles.davies_bouldin):
        assert abs(function(X, labels) - function(X + 2.0**40, labels)) < mp.mpf(10) ** -45
