"""What displays hold, by the definitions of orders, shares, sums and means; and what is drawn of it."""

import itertools

import dask.array as da
import jax.numpy as jnp
import matplotlib
import matplotlib.pyplot
import numpy as np
import pandas as pd
import polars as pl
import pytest
import torch
from matplotlib.figure import Figure
from picture_data import blobs, clusterings

import gpuval
from gpuval import plots


def axes(**size):
    return Figure(layout="constrained", **size).subplots()


def texts_of(ticks):
    return [x.get_text() for x in ticks]


# Tables

TRUE, PRED = ["a", "a", "a", "b", "b", "c", "c", "c", "c"], [0, 0, 1, 1, 2, 3, 3, 3, 2]
COUNTS = {("a", 0): 2, ("a", 1): 1, ("b", 1): 1, ("b", 2): 1, ("c", 3): 3, ("c", 2): 1}


def counts_by_label(display):
    found = zip(itertools.product(display.classes, display.clusters), display.counts.ravel().tolist(), strict=True)
    return {pair: count for pair, count in found if count}


@pytest.mark.parametrize("display", [plots.ConfusionDisplay, plots.FlowDisplay])
def test_counts_stay_with_their_labels(display):
    found = display.from_labels(TRUE, PRED)
    assert counts_by_label(found) == COUNTS
    assert (found.classes[0], found.clusters[0]) == ("c", 3)  # the largest
    table = gpuval.Contingency.from_labels(TRUE, PRED)
    for same in (display.from_table(table), display.from_labels(table)):
        assert (same.classes, same.clusters) == (found.classes, found.clusters)
        assert np.array_equal(same.counts, found.counts)


@pytest.mark.parametrize(
    "made",
    [
        *(list, np.asarray, pd.Series, pl.Series, torch.asarray, jnp.asarray),
        *(lambda x: pd.Series(x, dtype="category"), lambda x: da.from_array(np.asarray(x), chunks=4)),
    ],
    ids=["list", "numpy", "pandas", "polars", "torch", "jax", "categorical", "dask"],
)
def test_labels_of_any_library(made):
    true, pred = np.unique(TRUE, return_inverse=True)[1].tolist(), PRED
    found = plots.ConfusionDisplay.from_labels(made(true), made(pred))
    expected = plots.ConfusionDisplay.from_labels(true, pred)
    assert (found.classes, found.clusters) == (expected.classes, expected.clusters)
    assert type(found.counts) is np.ndarray
    assert np.array_equal(found.counts, expected.counts)
    plots.plot_flow(made(true), made(pred), ax=axes())


@pytest.mark.parametrize("layout", ["dense", "cells"])
@pytest.mark.parametrize("most", [1, 3, 39, 40, None])
def test_the_largest_are_shown_and_the_rest_is_summed(most, layout):
    true, pred = clusterings(40, 47, 5)
    table = gpuval.Contingency.from_labels(true, pred, layout=layout)
    found = plots.ConfusionDisplay.from_table(table, max_labels=most)
    for labels, others, given, sums in (
        (found.classes, found.n_other_classes, true, found.counts.sum(axis=1)),
        (found.clusters, found.n_other_clusters, pred, found.counts.sum(axis=0)),
    ):
        sizes = pd.Series(given).value_counts()
        assert len(labels) == min(most or len(sizes), len(sizes))
        assert others == len(sizes) - len(labels)
        assert sums[: len(labels)].tolist() == sizes[labels].tolist()
        assert sizes[labels].min() >= sizes.drop(labels).max() if others else True
        assert sums.sum() == len(true)
    frame = pd.crosstab(true, pred)
    assert np.array_equal(
        found.counts[: len(found.classes), : len(found.clusters)], frame.loc[found.classes, found.clusters]
    )


def test_a_table_that_would_not_fit_as_a_whole():
    labels = np.arange(400_000)
    found = plots.FlowDisplay.from_labels(np.minimum(labels, 300_000), labels, max_labels=3)
    assert found.counts.sum() == 400_000
    assert found.classes == [0, 1, 300_000]  # the last one shares nothing with the clusters that are shown
    assert (found.n_other_classes, found.n_other_clusters) == (299_998, 399_997)


def test_shares():
    found = plots.ConfusionDisplay.from_labels(TRUE, PRED)
    np.testing.assert_allclose(found.values("class").sum(axis=1), 1)
    np.testing.assert_allclose(found.values("cluster").sum(axis=0), 1)
    assert np.array_equal(found.values("none"), found.counts)
    place = found.classes.index("a"), found.clusters.index(1)
    assert [found.values(x)[place] for x in ("class", "cluster")] == [1 / 3, 1 / 2]


def test_shares_of_what_is_empty_are_0():
    assert plots.ConfusionDisplay([[0, 0], [0, 2]], "ab", "cd").values("cluster").tolist() == [[0, 0], [0, 1]]


def test_weights_and_labels_to_ignore():
    found = plots.ConfusionDisplay.from_labels(
        [0, 0, 1, 1], [0, 0, 1, -1], sample_weight=[0.5, 0.25, 1, 1], ignore_labels=-1
    )
    assert found.counts.tolist() == [[1.0, 0.0], [0.0, 0.75]]
    ax = found.plot(axes(), normalize="none").ax_
    assert "weight" in [x.get_text() for x in ax.texts]


# Silhouettes


def test_silhouettes_by_cluster():
    X, labels = blobs(5)
    values = gpuval.silhouette_samples(X, labels)
    frame = pd.DataFrame({"label": labels, "value": values}).groupby("label")["value"]
    for display in (plots.SilhouetteDisplay.from_samples(X, labels), plots.SilhouetteDisplay(values, labels)):
        assert display.clusters == list(frame.groups)
        np.testing.assert_allclose(display.cluster_means, frame.mean())
        assert display.mean == pytest.approx(gpuval.silhouette_score(X, labels))
        for label, part in zip(display.clusters, display.silhouettes, strict=True):
            np.testing.assert_allclose(part, sorted(frame.get_group(label), reverse=True))


def test_silhouettes_of_some_are_those_of_the_whole():
    X, labels = blobs(5)
    every = np.sort(gpuval.silhouette_samples(X, labels))
    display = plots.SilhouetteDisplay.from_samples(X, labels, sample_size=40, random_state=0)
    drawn = np.concatenate(display.silhouettes)
    assert len(drawn) == 40
    assert np.abs(drawn[:, None] - every[None]).min(axis=1).max() < 1e-12
    score = gpuval.silhouette_score(X, labels, sample_size=40, random_state=0)
    assert display.mean == pytest.approx(score)


def test_silhouettes_without_ignored_samples_and_of_torch():
    X, labels = blobs(3)
    codes = np.unique(labels, return_inverse=True)[1]
    codes[:5] = -1
    values = gpuval.silhouette_samples(torch.asarray(X), torch.asarray(codes), ignore_labels=-1)
    found = plots.SilhouetteDisplay.from_samples(torch.asarray(X), torch.asarray(codes), ignore_labels=-1)
    assert found.clusters == [0, 1, 2]
    assert sum(map(len, found.silhouettes)) == len(codes) - 5
    same = plots.SilhouetteDisplay(values, codes)
    assert same.clusters == [0, 1, 2]  # as -1 has no silhouette
    np.testing.assert_allclose(same.cluster_means, found.cluster_means)


def test_heatmaps_have_no_grid_whatever_the_style_has():
    with matplotlib.rc_context({"axes.grid": True}):
        for ax in (plots.plot_confusion(TRUE, PRED, ax=axes()), plots.plot_agreement([TRUE, PRED], ax=axes())):
            assert not any(line.get_visible() for line in [*ax.get_xgridlines(), *ax.get_ygridlines()])
