"""The table of torchmetrics' names: none is forgotten, "same value" is equal, and other values are as the page says."""

from __future__ import annotations

import re

import pytest
import torch
import torchmetrics.clustering
import torchmetrics.functional.clustering as tm
from guide_pages import numbers, ran, rows
from sklearn.metrics import adjusted_rand_score

import gpuval
from gpuval.metrics.internal._measure import INTERNAL
from gpuval.torchmetrics import ClusteringMetric

PAGE = "coming-from-torchmetrics.md"
ROWS = {
    re.findall(r"`(\w+)`", row[0])[1]: (re.findall(r"`(\w+)`", row[0])[0], row[1].strip("`"), row[2])
    for row in rows(PAGE, "class, function of torchmetrics")
}


@pytest.fixture(autouse=True)
def without_the_warning():
    torch.sparse.check_sparse_tensor_invariants.disable()


def test_every_name_of_the_peer_is_in_the_table():
    assert set(ROWS) == set(tm.__all__)
    assert {row[0] for row in ROWS.values()} == set(torchmetrics.clustering.__all__)


def labelings():
    random = torch.Generator().manual_seed(0)
    for n, r, m in [(12, 2, 3), (50, 5, 4), (200, 10, 12)]:
        yield torch.randint(0, r, (n,), generator=random), torch.randint(0, m, (n,), generator=random)


@pytest.mark.parametrize("name", [name for name, row in ROWS.items() if row[2].startswith("same value")])
def test_same_value(name):
    ours, theirs = getattr(gpuval, ROWS[name][1]), getattr(tm, name)
    for true, pred in labelings():
        if ours.measure.family is INTERNAL:
            X = torch.randn(len(true), 3, generator=torch.Generator().manual_seed(1)) + pred[:, None]
            found, expected = ours(X, pred), theirs(X, pred)
        else:
            found, expected = ours(true, pred), theirs(pred, true)
            metric = ClusteringMetric(ROWS[name][1], n_classes=10, n_clusters=12)
            metric.update(pred, true)
            assert float(metric.compute()) == pytest.approx(float(found), abs=1e-12)
        assert float(found) == pytest.approx(float(expected), rel=1e-4, abs=1e-5)


def test_what_is_not_the_same():
    others = {name for name, row in ROWS.items() if not row[2].startswith("same value")}
    assert others == {"cluster_accuracy", "dunn_index"}  # the first needs a package that may be missing
    turned = {name for name, row in ROWS.items() if "the other way round" in row[2]}
    assert turned == {"completeness_score", "homogeneity_score"}


def test_accuracy_of_more_clusters_than_classes():
    assert gpuval.clustering_accuracy([0, 0, 1, 1], [0, 0, 1, 2]) == 3 / 4


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("v_measure_score", [0, 1]),
        ("one = ", [1, 1, 0, 0]),
        ("single = ", [1, 0]),
        ("dunn_index", [3 / 2, 4.5]),
    ],
)
def test_differences(text, expected):
    assert numbers(ran(PAGE).that_has(PAGE, text)[0]) == pytest.approx(expected, abs=1e-6)


def test_order_of_arguments():
    assert numbers(ran(PAGE).that_has(PAGE, "classes, cluster =")[0]) == [1, 1]
    classes, cluster = torch.tensor([0, 0, 1, 1]), torch.tensor([0, 0, 0, 0])
    assert float(tm.completeness_score(classes, cluster)) == float(gpuval.completeness_score(cluster, classes)) == 0


def test_many_samples():
    run = ran(PAGE)
    ours, theirs = numbers(run.that_has(PAGE, "200_000")[0])
    random = torch.Generator().manual_seed(0)
    target = torch.randint(0, 10, (200_000,), generator=random)
    agree = torch.rand(200_000, generator=random) < 0.5
    pred = torch.where(agree, target, torch.randint(0, 10, (200_000,), generator=random))
    exact = adjusted_rand_score(target, pred)
    assert ours == pytest.approx(exact, abs=1e-12)
    assert abs(theirs - exact) > 0.01


def test_samples_far_from_the_origin():
    ours, theirs = numbers(ran(PAGE).that_has(PAGE, "1e8")[0])
    assert ours == pytest.approx((1 + 0.5) / 4.5, abs=1e-9)
    assert abs(theirs - ours) > 0.01


def test_weights_and_labels_to_ignore():
    """Cluster 1 has two samples of class 0, cluster 0 one of class 1; the fourth sample does not count."""
    _, purity = ran(PAGE).that_has(PAGE, "real_weights=True")
    assert float(purity) == 1


def test_types_of_labels():
    labels = torch.tensor([0.0, 1.0])
    assert gpuval.rand_score(labels, labels) == 1
    with pytest.raises(ValueError, match="discrete"):
        tm.rand_score(labels, labels)
    with pytest.raises(ValueError, match="whole numbers"):
        gpuval.rand_score(labels / 2 + 0.25, labels)
