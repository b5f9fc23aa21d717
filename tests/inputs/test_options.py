"""Options of measures, on every backend: numbers mixed with arrays of another kind."""

from __future__ import annotations

import numpy as np
import pytest
from only_for import only_for
from properties import MEASURES

import gpuval

SIZE = {"n_classes": 2, "n_clusters": 2}


@pytest.mark.parametrize("eps", [0, 1, 0.5])
def test_a_number_is_added_to_counts(eps, backend):
    """To integers as to floats: the sum is of the widest float, in which large counts keep their digits."""
    large = 2**24 + 1 if backend.has_float64 else 2**20 + 1
    true, pred, weights = (backend.array(x) for x in ([0, 0, 1], [0, 1, 1], [1, 2, large]))
    found = gpuval.contingency_matrix(true, pred, sample_weight=weights, eps=eps, **SIZE)
    assert backend.numpy(found).tolist() == [[1 + eps, 2 + eps], [eps, large + eps]]
    assert backend.numpy(found).dtype == (np.float64 if backend.has_float64 else np.float32)
    halves = backend.array([0.5, 0.5, 2.0])
    found = gpuval.contingency_matrix(true, pred, sample_weight=halves, eps=eps, **SIZE)
    assert backend.numpy(found).tolist() == [[0.5 + eps, 0.5 + eps], [eps, 2.0 + eps]]


@pytest.mark.parametrize("costs", [[], [[0]], [[0, 1], [1, 0]]])
@only_for(lambda backend: backend.finds_sizes)
def test_labels_that_agree_where_there_are_none(costs, backend):
    """Whatever the costs would be."""
    costs = np.asarray(costs, dtype=float).reshape(len(costs), len(costs))
    none = backend.array(np.zeros(0, np.int64))
    for weights in (None, "linear", "quadratic", costs):
        assert backend.numpy(gpuval.cohen_kappa_score(none, none, weights=weights)) == 1.0
    with pytest.raises(ValueError, match="weights must have a row and a column for each of the 0 labels, got shape"):
        gpuval.cohen_kappa_score(none, none, weights=np.zeros((1, 2)))
    with pytest.raises(ValueError, match="weights must be finite and not negative, got -1"):
        gpuval.cohen_kappa_score(none, none, weights=np.asarray([[0.0, -1.0], [1.0, 0.0]]))


@pytest.mark.parametrize("row", [row for row in MEASURES if row.options], ids=str)
def test_values_of_numpy_are_those_of_python(row):
    true, pred = [0, 0, 1, 1, 2, 2], [0, 0, 1, 2, 2, 2]
    given = row.with_options({option: np.asarray([value])[0] for option, value in row.options.items()})
    np.testing.assert_array_equal(given.of_labels(true, pred), row.of_labels(true, pred))


@pytest.mark.parametrize("metric", ["euclidean", "l2", "sqeuclidean", "cosine", "correlation", "l1", "precomputed"])
def test_distances_named_by_strings_of_numpy(metric):
    x, labels = np.asarray([[0.0, 1, 3, 4], [1, 0, 2, 5], [3, 2, 0, 6], [4, 5, 6, 0]]), [0, 0, 1, 1]
    for measure in (gpuval.silhouette_score, gpuval.dunn_index):
        assert measure(x, labels, metric=np.str_(metric)) == measure(x, labels, metric=metric)
    found = gpuval.silhouette_score(x, [0, 0, 0, 0], metric=metric, on_degenerate=np.str_("nan"))
    assert np.isnan(found)


# Before any work

WRONG = {
    "base": (1, "base must be a finite number above 1, or None for nats, got 1"),
    "beta": (-1, "beta must be finite and not negative, got -1"),
    "eps": (-1, "eps must be finite and not negative, got -1"),
    "average_method": ("mean", "average_method must be one of .*, got 'mean'"),
    "average": ("micro", "average must be one of .*, got 'micro'"),
    "given": ("both", "given must be one of .*, got 'both'"),
    "variant": (3, "variant must be one of .*, got 3"),
}
"""Values that options must not have, and what is said of them."""


class Unread:
    """A table of which nothing may be read."""

    def __getattr__(self, name):
        raise AssertionError(f"{name} is read of the table before the options are checked")


CHECKED = [
    (name, option)
    for name in gpuval.__all__
    for option in getattr(getattr(getattr(gpuval, name), "__wrapped__", None), "__kwdefaults__", None) or ()
    if option in WRONG and hasattr(getattr(gpuval, name), "formula")
]


@pytest.mark.parametrize(("name", "option"), CHECKED)
def test_options_are_checked_before_the_work(name, option):
    value, message = WRONG[option]
    with pytest.raises(ValueError, match=message):
        getattr(gpuval, name).__wrapped__(Unread(), **{option: value})


def test_all_options_of_measures_are_among_them():
    assert {option for _, option in CHECKED} == set(WRONG)
    assert len(CHECKED) >= 20


@pytest.mark.parametrize("name", ["entropy", "gini_index", "beta_entropy"])
def test_the_side_is_checked_before_the_labels(name):
    with pytest.raises(ValueError, match="of must be one of 'true', 'pred', got 'both'"):
        getattr(gpuval, name)("no labels", of="both")
