"""The table of scikit-learn's names: none is forgotten, "same value" is equal, and other values as the page says."""

from __future__ import annotations

import itertools
import re
import warnings

import numpy as np
import pytest
import sklearn.metrics as sk
import sklearn.metrics.cluster as skc
from guide_pages import PAGES, numbers, ran, rows

import gpuval
from gpuval.metrics.internal._measure import INTERNAL

PAGE = "coming-from-scikit-learn.md"
ROWS = [[cell.replace("`", "") for cell in row] for row in rows(PAGE, "scikit-learn")]
NAMES = {row[0].partition("(")[0]: row for row in ROWS if "contingency=" not in row[0]}
SAME = {name: row[1].partition("(")[0] for name, row in NAMES.items() if row[2].startswith("same value")}


def test_every_name_of_the_peer_is_in_the_table():
    assert set(NAMES) == set(skc.__all__)
    assert len(SAME) == len(NAMES) - 1


def test_what_is_not_here():
    assert [name for name, row in NAMES.items() if row[1] == "none"] == ["consensus_score"]
    assert not hasattr(gpuval, "consensus_score")


def labelings():
    random = np.random.default_rng(0)
    for n, r, m in [(12, 2, 3), (50, 5, 4), (200, 10, 12), (30, 30, 2)]:
        yield random.integers(0, r, n), random.integers(0, m, n)


@pytest.mark.parametrize("name", SAME)
def test_same_value(name):
    ours, theirs = getattr(gpuval, SAME[name]), getattr(skc, name)
    for true, pred in labelings():
        if ours.measure.family is INTERNAL:
            X = np.random.default_rng(1).normal(size=(len(true), 3)) + pred[:, None]
            found, expected = ours(X, pred), theirs(X, pred)
        elif name == "entropy":
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", FutureWarning)
                found, expected = ours(true), theirs(true)
        elif name == "expected_mutual_information":
            table = skc.contingency_matrix(true, pred, sparse=True)
            found, expected = ours(true, pred), theirs(table, len(true))
            assert found == pytest.approx(ours(gpuval.Contingency.from_counts(table.toarray())), abs=1e-12)
        else:
            found, expected = ours(true, pred), theirs(true, pred)
        np.testing.assert_allclose(np.asarray(found), np.asarray(expected), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("name", ["v_measure_score", "homogeneity_completeness_v_measure"])
def test_beta_is_the_same(name):
    for labels in labelings():
        np.testing.assert_allclose(
            getattr(gpuval, name)(*labels, beta=0.5), getattr(sk, name)(*labels, beta=0.5), rtol=1e-9
        )


@pytest.mark.parametrize("name", ["normalized_mutual_info_score", "adjusted_mutual_info_score"])
@pytest.mark.parametrize("average", ["min", "geometric", "arithmetic", "max"])
def test_averages_are_the_same(name, average):
    for labels in list(labelings())[:3]:
        found, expected = (getattr(x, name)(*labels, average_method=average) for x in (gpuval, sk))
        assert found == pytest.approx(expected, abs=1e-9)


def test_other_names_of_scikit_learn():
    others = {re.match(r"[\w]+", row[0].strip("`"))[0]: row for row in _other_rows()}
    assert list(others) == ["cohen_kappa_score", "accuracy_score", "precision_score", "ndcg_score"]
    for row in others.values():
        for name in re.findall(r"`(\w+)`", row[0]):
            assert hasattr(sk, name), name
    for labels in list(labelings())[:3]:
        assert gpuval.cohen_kappa_score(*labels) == pytest.approx(sk.cohen_kappa_score(*labels), abs=1e-12)
        matched = gpuval.match_labels(*labels)
        renamed = dict(zip(matched.clusters.tolist(), matched.classes.tolist(), strict=True))
        accuracy = sk.accuracy_score(labels[0], [renamed.get(x, -1) for x in labels[1].tolist()])
        assert gpuval.clustering_accuracy(*labels) == pytest.approx(accuracy, abs=1e-12)


def _other_rows():
    """Those of the second table."""
    text = PAGES[PAGE].partition("These are in `sklearn.metrics` itself:")[2].partition("\n\nValues are")[0]
    return [[x.strip() for x in line.strip("|").split("|")] for line in text.strip().splitlines()[2:]]


def test_a_score_is_a_float_of_python():
    assert isinstance(gpuval.rand_score([0, 1], [0, 1]), float)


def test_zero_by_zero():
    """The maximum of AMI is 0 here; 2/3 is how two rounding errors stand to each other."""
    assert numbers(ran(PAGE).that_has(PAGE, 'average_method="min"')[0]) == pytest.approx([0, 2 / 3])


def test_fractions_in_a_table():
    tables = [[5.9, 2.9], [1.9, 9.9]], [[5, 2], [1, 9]], [[5, 2], [1, 9]]
    found = numbers(ran(PAGE).that_has(PAGE, "counts = ")[0])
    assert found == pytest.approx([_information(x) for x in tables], abs=1e-12)


def _information(counts):
    """The mutual information of a table, by its definition."""
    p = np.asarray(counts, dtype=float) / np.sum(counts)
    return float((p * np.log(p / np.outer(p.sum(1), p.sum(0)))).sum())


def test_single_samples():
    _, (ours, theirs) = ran(PAGE).that_has(PAGE, "sk.fowlkes_mallows_score")
    assert (ours, theirs) == (1, 0)


def test_errors_there_that_are_values_here():
    with pytest.raises(ZeroDivisionError):
        sk.v_measure_score([0, 0, 0], [0, 1, 1], beta=0)
    assert gpuval.v_measure_score([0, 0, 0], [0, 1, 1], beta=0) == 0
    with pytest.raises(ValueError, match="math domain error"):
        sk.mutual_info_score([], [])
    assert gpuval.mutual_info_score([], []) == 0


def test_errors_here_that_are_values_there():
    with pytest.raises(ValueError, match="whole numbers"):
        gpuval.rand_score([0.5, 1.25], [0, 1])
    with pytest.warns(UserWarning, match="continuous"):
        assert sk.rand_score([0.5, 1.25], [0, 1]) == 1


def test_a_sample_of_silhouettes():
    """Two samples are drawn: here their silhouettes are those among all, there two samples are a clustering of two."""
    X, labels = np.asarray([[0.0], [1.0], [2.0], [9.0], [10.0]]), [0, 0, 0, 1, 1]
    all_of_them = sk.silhouette_samples(X, labels)
    means = [(x + y) / 2 for x, y in itertools.combinations(all_of_them, 2)]
    found = gpuval.silhouette_score(X, labels, sample_size=2, random_state=0)
    assert np.abs(np.asarray(means) - found).min() < 1e-12
    with pytest.raises(ValueError, match="Number of labels is"):
        sk.silhouette_score(X, labels, sample_size=2, random_state=0)


def test_cuml_has_names_that_exist_here():
    text = PAGES[PAGE].partition("## cuML")[2]
    names = re.findall(r"`(\w+_score|\w+_samples|entropy)`", text)
    assert len(names) == 8
    assert all(hasattr(gpuval, name) for name in names)
