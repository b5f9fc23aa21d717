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
from matplotlib.collections import PathCollection, PolyCollection
from matplotlib.figure import Figure
from picture_data import blobs, clusterings, similar_labelings

import gpuval
from gpuval import plots
from gpuval.plots.agreement import similar_together


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
    np.testing.assert_allclose(found.values("true").sum(axis=1), 1)
    np.testing.assert_allclose(found.values("pred").sum(axis=0), 1)
    np.testing.assert_allclose(found.values("all").sum(), 1)
    assert np.array_equal(found.values(None), found.counts)
    place = found.classes.index("a"), found.clusters.index(1)
    assert [found.values(x)[place] for x in ("true", "pred", "all")] == [1 / 3, 1 / 2, 1 / 9]


def test_shares_of_what_is_empty_are_0():
    assert plots.ConfusionDisplay([[0, 0], [0, 2]], "ab", "cd").values("pred").tolist() == [[0, 0], [0, 1]]


def test_weights_and_labels_to_ignore():
    found = plots.ConfusionDisplay.from_labels(
        [0, 0, 1, 1], [0, 0, 1, -1], sample_weight=[0.5, 0.25, 1, 1], ignore_labels=-1
    )
    assert found.counts.tolist() == [[1.0, 0.0], [0.0, 0.75]]
    ax = found.plot(axes(), normalize=None).ax_
    assert ax.figure.axes[1].get_ylabel() == "weight"


def test_what_is_written_on_a_heatmap():
    display = plots.ConfusionDisplay.from_labels(TRUE, PRED, max_labels=2).plot(axes())
    assert display.figure_ is display.ax_.figure
    assert texts_of(display.ax_.get_yticklabels()) == [*display.classes, "(1 other)"]
    assert texts_of(display.ax_.get_xticklabels()) == [*map(str, display.clusters), "(2 others)"]
    assert (display.ax_.get_xlabel(), display.ax_.get_ylabel()) == ("cluster", "class")
    assert display.figure_.axes[1].get_ylabel() == "share of the class"
    written = {(x.get_position()): x.get_text() for x in display.ax_.texts}
    values = display.values("true")
    assert written == {(j, i): f"{values[i, j]:.2f}" for i, j in np.argwhere(values > 0).tolist()}
    colors = {x.get_text(): x.get_color() for x in display.ax_.texts}
    assert (colors["0.25"], colors["0.75"]) == ("black", "white")


def test_numbers_are_left_out_where_there_is_no_room():
    assert not plots.plot_confusion(*clusterings(17, 17), ax=axes()).texts
    assert not plots.plot_confusion(*clusterings(10, 10), ax=axes(figsize=(1.5, 1.5))).texts


def test_no_cells_are_hidden_by_many_labels():
    ax = plots.plot_confusion(*clusterings(300, 260), max_labels=None, ax=axes())
    assert ax.images[0].get_array().shape == (300, 260)
    assert 10 < len(ax.get_yticklabels()) < 60


# Flows


def polygons(ax):
    return [x for x in ax.collections if isinstance(x, PathCollection | PolyCollection)]


def test_bars_and_ribbons_are_as_high_as_they_have_samples():
    display = plots.FlowDisplay.from_labels(TRUE, PRED).plot(axes())
    ribbons, left, right = polygons(display.ax_)
    shares = display.counts / display.counts.sum()
    for bars, sizes in ((left, shares.sum(axis=1)), (right, shares.sum(axis=0))):
        heights = [np.ptp(x.vertices[:, 1]) for x in bars.get_paths()]
        np.testing.assert_allclose(heights / np.sum(heights), sizes)
        tops = [x.vertices[:, 1].max() for x in bars.get_paths()]
        lows = [x.vertices[:, 1].min() for x in bars.get_paths()]
        assert tops[0] == pytest.approx(1)
        assert lows[-1] == pytest.approx(0)
        assert all(low > top for low, top in zip(lows, tops[1:], strict=False))  # with gaps, and none over another
    assert len(ribbons.get_paths()) == np.count_nonzero(display.counts)
    starts = [x.vertices[x.vertices[:, 0] == x.vertices[:, 0].min(), 1] for x in ribbons.get_paths()]
    np.testing.assert_allclose(
        [np.ptp(x) for x in starts] / np.sum([np.ptp(x) for x in starts]), shares[np.nonzero(shares)]
    )


def test_ribbons_that_would_not_be_seen_are_left_out():
    display = plots.FlowDisplay([[5000, 2], [0, 4998]], ["a", "b"], ["c", "d"]).plot(axes())
    assert len(polygons(display.ax_)[0].get_paths()) == 2
    assert display.ax_.get_ylabel() == "10,000 samples"
    assert texts_of(display.ax_.get_yticklabels()) == ["a", "b"]
    assert texts_of(display.ax_.child_axes[0].get_yticklabels()) == ["c", "d"]


# Scores of labels


def test_scores_are_sorted_and_the_lowest_are_shown():
    scores = gpuval.cluster_precision(*clusterings(20, 24))
    found = plots.LabelScoresDisplay.from_scores(scores, max_labels=5)
    by_label = dict(zip(scores.clusters.tolist(), scores.scores.tolist(), strict=True))
    assert found.scores.tolist() == sorted(by_label.values())[:5]
    assert [by_label[x] for x in found.labels] == found.scores.tolist()
    assert (found.kind, found.n_more) == ("cluster", 19)
    highest = plots.LabelScoresDisplay.from_scores(scores, order="highest", max_labels=None)
    assert highest.scores.tolist() == sorted(by_label.values(), reverse=True)
    given = plots.LabelScoresDisplay.from_scores(scores, order="label", max_labels=None)
    assert (given.labels, given.n_more) == (scores.clusters.tolist(), 0)


def test_bars_and_what_is_written_beside_them():
    scores = gpuval.class_adjusted_wallace_scores(torch.tensor([0, 0, 1, 1, 2, 2]), torch.tensor([0, 0, 1, 2, 1, 2]))
    display = plots.LabelScoresDisplay.from_scores(scores, max_labels=2).plot(axes(), score_name="Wallace")
    assert display.kind == "class"
    assert [x.get_width() for x in display.ax_.patches] == display.scores.tolist()
    assert texts_of(display.ax_.get_yticklabels()) == [*map(str, display.labels), "(1 more)"]
    assert texts_of(display.ax_.texts) == [f"{x:.2f}" for x in display.scores]
    assert (display.ax_.get_xlabel(), display.ax_.get_ylabel()) == ("Wallace", "class")
    low, high = display.ax_.get_ylim()[::-1]
    assert low < 0 < 2 < high


def test_scores_of_nan_are_last_and_written():
    display = plots.LabelScoresDisplay(["a", "b"], [0.5, np.nan]).plot(axes())
    assert texts_of(display.ax_.texts) == ["0.50", "nan"]
    scores = type(gpuval.cluster_precision([0], [0]))(np.array(["u", "v", "w"]), np.array([np.nan, 0.5, 0.25]))
    for order, labels in (("lowest", "wvu"), ("highest", "vwu")):
        assert plots.LabelScoresDisplay.from_scores(scores, order=order).labels == list(labels)


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


def test_outlines_of_clusters():
    values = [0.5, -0.25, 0.75, 0.1, 0.2]
    display = plots.SilhouetteDisplay(values, [0, 0, 0, 1, 1]).plot(axes())
    first, second = (x.vertices for x in polygons(display.ax_)[0].get_paths())
    assert sorted(set(first[:, 0])) == [-0.25, 0.0, 0.5, 0.75]
    assert np.ptp(first[:, 1]) == pytest.approx(3)
    assert np.ptp(second[:, 1]) == pytest.approx(2)
    assert texts_of(display.ax_.get_yticklabels()) == ["0  0.33", "1  0.15"]
    assert texts_of(display.ax_.texts) == ["mean 0.26"]


def test_many_samples_are_few_points_and_few_clusters_are_named():
    random = np.random.default_rng(0)
    labels = random.integers(0, 60, 100_000)
    values = np.clip(random.normal(0.3, 0.2, 100_000), -1, 1)
    display = plots.SilhouetteDisplay(values, labels).plot(axes(figsize=(6, 10)), max_labels=10)
    paths = polygons(display.ax_)[0].get_paths()
    assert len(paths) == 11
    assert max(len(x.vertices) for x in paths) < 400
    names = texts_of(display.ax_.get_yticklabels())
    assert names[-1].startswith("(50 others)  0.30")
    rest = np.bincount(labels).argsort(kind="stable")[:50]
    height = [np.ptp(x.vertices[:, 1]) for x in paths]
    assert height[-1] == pytest.approx(3 * np.mean(height[:-1]), rel=0.01)
    assert f"{values[np.isin(labels, rest)].mean():.2f}" == "0.30"


# Agreement


@pytest.mark.parametrize("metric", ["ari", "vi", "homogeneity"])
def test_labelings_that_are_alike_stand_together(metric):
    labelings = similar_labelings(12)
    scores = gpuval.pairwise(labelings, metric)
    for found in (
        plots.AgreementDisplay.from_pairwise(scores),
        plots.AgreementDisplay.from_labelings(pd.DataFrame(labelings), metric),
    ):
        families = [x.split()[0] for x in found.names]
        assert len([x for x, _ in itertools.groupby(families)]) == 3
        places = [scores.names.index(x) for x in found.names]
        np.testing.assert_array_equal(found.scores, np.asarray(scores)[np.ix_(places, places)])
        assert found.metric == scores.metric
        assert found.direction == scores.direction == ("lower" if metric == "vi" else "higher")


def test_neighbours_are_as_alike_as_the_tree_allows():
    # On a line, with each nearer to its neighbours than to all others: the order is that of the line.
    at = np.array([3.0, 0.0, 2.1, 1.0, 6.0])
    distances = np.abs(at[:, None] - at[None])
    for order in (similar_together(distances, falls=True), similar_together(1 - distances / 6)):
        found = at[order]
        assert (np.diff(found) > 0).all() or (np.diff(found) < 0).all()


@pytest.mark.parametrize("n", [1, 2, 3, 8])
def test_pairs_without_a_score(n):
    scores = np.full((n, n), np.nan)
    scores[:2, :2] = 0.5
    assert sorted(similar_together(scores).tolist()) == list(range(n))
    display = plots.AgreementDisplay(scores, range(n), metric="adjusted_rand_score").plot(axes())
    assert display.ax_.patch.get_hatch() == ("////" if n > 2 else None)
    assert len(display.ax_.texts) == min(n, 2) ** 2


@pytest.mark.parametrize("falls", [False, True])
def test_no_pair_with_a_score(falls):
    assert sorted(similar_together(np.full((4, 4), np.nan), falls=falls).tolist()) == [0, 1, 2, 3]
    display = plots.AgreementDisplay(np.full((4, 4), np.inf), range(4), metric="x").plot(axes())
    display.figure_.draw_without_rendering()


def test_what_the_axes_of_agreement_say():
    labelings = similar_labelings(4)
    ax = plots.plot_agreement(labelings, ax=axes())
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("labeling", "labeling")
    ax = plots.plot_agreement(labelings, metric="homogeneity", ax=axes())
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("labeling (as the prediction)", "labeling (as the truth)")
    ax = plots.plot_agreement(gpuval.pairwise(labelings, "vi"), ax=axes())
    assert ax.figure.axes[1].get_ylabel() == "variation_of_information\n(lower is nearer)"


@pytest.mark.parametrize("n", [2, 3, 12])
def test_what_the_colour_bar_says_is_within_the_figure(n):
    labelings = dict(list(similar_labelings(12).items())[:n])
    display = plots.AgreementDisplay.from_labelings(labelings, "vi").plot()
    display.figure_.draw_without_rendering()
    said = display.figure_.axes[1].yaxis.label.get_window_extent()
    low, high = display.figure_.bbox.get_points()
    assert (low <= said.get_points()).all()
    assert (said.get_points() <= high).all()
    matplotlib.pyplot.close(display.figure_)


def test_agreement_with_weights_and_labels_to_ignore():
    labelings = {"a": [0, 0, 1, 1, -1], "b": [0, 1, 1, 1, 0], "c": [0, 0, 0, 1, 1]}
    options = {"sample_weight": [1, 2, 3, 1, 1], "ignore_labels": -1}
    ax = plots.plot_agreement(labelings, ax=axes(), **options)
    expected = plots.AgreementDisplay.from_labelings(labelings, **options)
    assert np.array_equal(ax.images[0].get_array(), expected.scores)
    assert not np.array_equal(expected.scores, plots.AgreementDisplay.from_labelings(labelings).scores)


def test_heatmaps_have_no_grid_whatever_the_style_has():
    with matplotlib.rc_context({"axes.grid": True}):
        for ax in (plots.plot_confusion(TRUE, PRED, ax=axes()), plots.plot_agreement([TRUE, PRED], ax=axes())):
            assert not any(line.get_visible() for line in [*ax.get_xgridlines(), *ax.get_ygridlines()])
