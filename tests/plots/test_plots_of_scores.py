"""Scores of labels, silhouettes and agreement: numbers, sizes and names, read from what is drawn."""

import itertools

import numpy as np
import pandas as pd
import polars as pl
import pytest
import torch
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from picture_data import blobs, clusterings, similar_labelings
from plot_checks import heights, hex_colors, not_proportional, polygons

import gpuval
from gpuval import plots
from gpuval.display.colors import WARNING, WARNING_ON_DARK, class_colors, cluster_colors
from gpuval.measures.label_scores import ClusterScores
from gpuval.plots.agreement import cluster_labelings


def axes(**size):
    return Figure(layout="constrained", **size).subplots()


def texts_of(ticks):
    return [x.get_text() for x in ticks]


# Scores of labels


def dots_of(ax):
    return next(x for x in reversed(ax.collections) if isinstance(x, PathCollection))


def scores_of(n=15, k=16):
    table = gpuval.Contingency.from_labels(*clusterings(n, k))
    return gpuval.cluster_precision(table), table


def test_the_worst_come_first_or_the_largest_or_those_of_the_largest_class():
    scores, table = scores_of()
    by_label = dict(zip(scores.clusters.tolist(), scores.scores.tolist(), strict=True))
    found = plots.LabelScoresDisplay.from_scores(scores, table)
    assert found.scores.tolist() == sorted(by_label.values())
    assert [by_label[x] for x in found.labels] == found.scores.tolist()
    assert (found.kind, found.n_more) == ("cluster", 0)
    sizes = dict(zip(list(table.clusters), table.cluster_sizes.tolist(), strict=True))
    by_size = plots.LabelScoresDisplay.from_scores(scores, table, order="size", max_labels=5)
    assert by_size.sizes.tolist() == sorted(sizes.values(), reverse=True)[:5]
    assert [sizes[x] for x in by_size.labels] == by_size.sizes.tolist()
    assert by_size.n_more == 11
    matched = plots.LabelScoresDisplay.from_scores(scores, table, order="matched")
    assert matched.labels == plots.ConfusionDisplay.from_table(table).clusters
    assert plots.LabelScoresDisplay.from_scores(scores).labels == found.labels


def test_of_many_labels_the_worst_and_the_largest_are_shown_and_the_rest_is_counted():
    scores, table = scores_of(90, 80)
    by_label = dict(zip(scores.clusters.tolist(), scores.scores.tolist(), strict=True))
    sizes = dict(zip(list(table.clusters), table.cluster_sizes.tolist(), strict=True))
    display = plots.LabelScoresDisplay.from_scores(scores, table).plot(axes(figsize=(7, 9)))
    assert (len(display.labels), display.n_more) == (40, len(by_label) - 40)
    assert display.scores[:30].tolist() == sorted(by_label.values())[:30]
    others = sorted(set(by_label) - set(display.labels[:30]), key=sizes.get, reverse=True)
    assert set(display.labels[30:]) == set(others[:10])
    assert f"({display.n_more} more)" in texts_of(display.ax_.texts)
    first_after = dots_of(display.ax_).get_offsets()[30, 1]
    assert first_after == 31  # a row is left for the text
    assert plots.LabelScoresDisplay.from_scores(*scores_of(60, 60)).n_more == 0


def test_dots_columns_and_the_mean():
    true = ["a"] * 60 + ["b"] * 30 + ["c"] * 15
    pred = [0] * 50 + [1] * 30 + [2] * 25
    table = gpuval.Contingency.from_labels(true, pred)
    scores = gpuval.cluster_precision(table)
    display = plots.LabelScoresDisplay.from_scores(scores, table)
    display.plot(axes(figsize=(7, 4)), score_name="precision", mean_name="purity", unit="cells")
    ax = display.ax_
    assert display.labels == [2, 1, 0]
    assert display.main_classes == ["c", "b", "a"]
    precisions = [15 / 25, 20 / 30, 1.0]
    np.testing.assert_allclose(display.scores, precisions)
    np.testing.assert_allclose(dots_of(ax).get_offsets()[:, 0], precisions)
    assert display.mean == pytest.approx((15 + 20 + 50) / 105)
    written = texts_of(ax.texts)
    for text in (
        "0.60",
        "0.67",
        "1.00",
        "25",
        "30",
        "50",
        "a",
        "b",
        "c",
        "score",
        "cells",
        "main class",
        "purity 0.81",
    ):
        assert text in written
    assert [x.get_xdata()[0] for x in ax.lines if x.get_linestyle() == "--"] == [pytest.approx(85 / 105)]
    assert ax.get_xlabel() == "precision (area of a dot: cells)"
    counts = np.array([[50, 10, 0], [0, 20, 10], [0, 0, 15]])
    of_clusters = cluster_colors(counts, class_colors([60, 30, 15]))
    assert hex_colors(dots_of(ax)) == of_clusters[::-1]


@pytest.mark.parametrize(("n", "k"), [(2, 2), (15, 16), (90, 80)])
def test_dots_are_as_large_as_labels_have_samples(n, k):
    display = plots.LabelScoresDisplay.from_scores(*scores_of(n, k)).plot(axes(figsize=(7, 9)))
    areas = dots_of(display.ax_).get_sizes()
    assert not_proportional(areas, display.sizes, least=9.0) == []
    assert not_proportional([*areas[:-1], 1.1 * areas[-1]], display.sizes, least=9.0)


def test_labels_of_few_samples_are_hollow_and_marked():
    true = [0] * 19 + [1] * 20 + [2] * 300
    table = gpuval.Contingency.from_labels(true, true)
    display = plots.LabelScoresDisplay.from_scores(gpuval.cluster_precision(table), table).plot(axes())
    fills = [to_hex(x) for x in dots_of(display.ax_).get_facecolors()]
    assert [x == "#ffffff" for x in fills] == [True, False, False]
    assert "\N{WHITE UP-POINTING TRIANGLE} 19" in texts_of(display.ax_.texts)
    assert "20" in texts_of(display.ax_.texts)


def test_intervals_are_lines():
    scores = ClusterScores(np.array(["u", "v", "w"]), np.array([0.5, 0.25, np.nan]))
    display = plots.LabelScoresDisplay.from_scores(scores, low=[0.4, 0.1, np.nan], high=[0.6, 0.5, np.nan])
    display.plot(axes())
    (lines,) = [x for x in display.ax_.collections if isinstance(x, LineCollection) and len(x.get_segments()) == 2]
    assert [x.tolist() for x in lines.get_segments()] == [[[0.1, 0], [0.5, 0]], [[0.4, 1], [0.6, 1]]]
    assert display.labels == ["v", "u", "w"]  # NaN is last
    assert len(dots_of(display.ax_).get_offsets()) == 2
    assert {"0.25", "0.50", "nan"} <= set(texts_of(display.ax_.texts))
    assert display.ax_.get_xlabel() == "score (line: its interval)"


def test_scores_of_a_device_and_below_0():
    scores = gpuval.class_adjusted_wallace_scores(torch.tensor([0, 0, 1, 1, 2, 2]), torch.tensor([0, 0, 1, 2, 1, 2]))
    display = plots.LabelScoresDisplay.from_scores(scores, max_labels=2).plot(axes(), score_name="Wallace")
    assert (display.kind, display.n_more) == ("class", 1)
    assert texts_of(display.ax_.get_yticklabels()) == [*map(str, display.labels)]
    assert "(1 more)" in texts_of(display.ax_.texts)
    assert (display.ax_.get_xlabel(), display.ax_.get_ylabel()) == ("Wallace", "class")
    low, high = display.ax_.get_xlim()
    assert low < display.scores.min()
    assert 1.0 < high < 1.2
    assert f"\N{MINUS SIGN}{-display.scores[0]:.2f}" in texts_of(display.ax_.texts)


# Silhouettes


def bands_of(ax):
    return polygons(ax)[0]


def test_bands_columns_and_the_mean():
    values = [0.5, -0.25, 0.75, 0.1, 0.2, -0.5, -0.1, 0.3]
    display = plots.SilhouetteDisplay(values, [2, 2, 2, 10, 10, 1, 1, 1]).plot(axes(figsize=(7, 5)), unit="cells")
    ax = display.ax_
    assert texts_of(ax.get_yticklabels()) == ["1", "2", "10"]
    written = texts_of(ax.texts)
    minus = "\N{MINUS SIGN}"
    for text in (f"{minus}0.10", "+0.33", "+0.15", "67 %", "33 %", "0 %", "cells", "mean", "below 0", "mean 0.12"):
        assert text in written
    (marked,) = [x for x in ax.texts if x.get_text() == "67 %"]
    assert (marked.get_color(), marked.get_fontweight()) == (WARNING, "bold")
    (other,) = [x for x in ax.texts if x.get_text() == "33 %"]
    assert other.get_fontweight() == "normal"
    first = bands_of(ax).get_paths()[1].vertices
    assert sorted(set(first[:, 0])) == [-0.25, 0.0, 0.5, 0.75]
    assert ax.get_xlim() == (-0.52, 0.75)
    assert [x.get_xdata()[0] for x in ax.lines if x.get_linestyle() == "--"] == [pytest.approx(np.mean(values))]


def test_the_order_of_bands():
    values = {"a10": [0.1, 0.2], "a2": [0.5, 0.6], "a1": [0.3, 0.3]}
    labels = [x for x in values for _ in range(2)]
    display = plots.SilhouetteDisplay(np.concatenate(list(values.values())), labels)
    assert texts_of(display.plot(axes()).ax_.get_yticklabels()) == ["a1", "a2", "a10"]
    assert texts_of(display.plot(axes(), order="mean").ax_.get_yticklabels()) == ["a2", "a1", "a10"]


@pytest.mark.parametrize(
    "made",
    [lambda x, of: pd.Series(pd.Categorical(x, of, ordered=True)), lambda x, of: pl.Series(x, dtype=pl.Enum(of))],
    ids=["pandas", "polars"],
)
def test_ordered_categories_keep_their_order(made):
    labels = made(["mid", "low", "high", "low"], ["low", "mid", "high", "none"])
    display = plots.SilhouetteDisplay([0.1, 0.2, 0.3, 0.4], labels)
    assert texts_of(display.plot(axes()).ax_.get_yticklabels()) == ["low", "mid", "high"]
    display = plots.SilhouetteDisplay.from_samples([[0.0], [1.0], [2.0], [1.5]], labels)
    assert texts_of(display.plot(axes()).ax_.get_yticklabels()) == ["low", "mid", "high"]


@pytest.mark.parametrize("limits", [[0.1, 0.4], [-0.4, -0.1], [-0.3, 0.3]])
def test_0_is_always_in(limits):
    low, high = plots.SilhouetteDisplay(limits, [0, 0]).plot(axes()).ax_.get_xlim()
    assert low == min(0, limits[0] - 0.02)
    assert high == max(0, limits[1])


@pytest.mark.parametrize("k", [3, 15, 41])
def test_bands_are_as_high_as_clusters_are_large_or_a_line_of_text(k):
    display = plots.SilhouetteDisplay.from_samples(*blobs(k)).plot(axes(figsize=(7, 12)))
    paths = bands_of(display.ax_)
    sizes = {str(x): len(part) for x, part in zip(display.clusters, display.silhouettes, strict=True)}
    names = texts_of(display.ax_.get_yticklabels())
    numbers = [sizes.get(x, min(sizes.values())) for x in names]
    found = heights(paths)
    assert not_proportional(found, numbers, least=found.min()) == []
    assert found.min() > 9.5
    planted = found.copy()
    planted[np.argmax(planted)] *= 1.1
    assert not_proportional(planted, numbers, least=found.min())


def test_many_samples_are_few_points_and_few_clusters_have_bands():
    random = np.random.default_rng(0)
    labels = random.integers(0, 60, 100_000)
    values = np.clip(random.normal(0.3, 0.2, 100_000), -1, 1)
    display = plots.SilhouetteDisplay(values, labels)
    assert len(bands_of(display.plot(axes(figsize=(6, 12))).ax_).get_paths()) == 41
    ax = display.plot(axes(figsize=(6, 10)), max_labels=10).ax_
    paths = bands_of(ax).get_paths()
    assert len(paths) == 11
    assert max(len(x.vertices) for x in paths) < 400
    names = texts_of(ax.get_yticklabels())
    assert names[-1] == "(50 others)"
    assert names[:-1] == sorted(names[:-1], key=int)
    rest = np.bincount(labels).argsort(kind="stable")[:50]
    assert f"{np.isin(labels, rest).sum():,}" in texts_of(ax.texts)


def test_clusters_have_the_colours_of_their_classes():
    true, pred = clusterings(5, 7)
    values = np.linspace(-1, 1, len(true))
    values[::7] = np.nan
    display = plots.SilhouetteDisplay(values, pred, true)
    counts = pd.crosstab(true[np.isfinite(values)], pred[np.isfinite(values)])
    assert display.clusters == list(counts.columns)
    assert display.colors == cluster_colors(counts.to_numpy(), class_colors(counts.sum(axis=1)))
    assert hex_colors(bands_of(display.plot(axes(figsize=(7, 9))).ax_)) == display.colors
    X, labels = blobs(4)
    some = plots.SilhouetteDisplay.from_samples(X, labels, labels_true=labels, sample_size=40, random_state=0)
    assert some.colors == class_colors([len(x) for x in some.silhouettes])
    alone = plots.SilhouetteDisplay.from_samples(X, labels).plot(axes(figsize=(7, 9)))
    assert alone.colors is None
    assert hex_colors(bands_of(alone.ax_)) == class_colors([len(x) for x in alone.silhouettes])


def test_warnings_are_read_on_dark_ground():
    import matplotlib

    with matplotlib.rc_context({"axes.facecolor": "black"}):
        ax = plots.SilhouetteDisplay([-0.5, 0.5], [0, 1]).plot(axes()).ax_
    assert next(x for x in ax.texts if x.get_text() == "100 %").get_color() == WARNING_ON_DARK


# Agreement


@pytest.mark.parametrize("metric", ["ari", "vi", "homogeneity"])
def test_labelings_that_are_alike_stand_together(metric):
    labelings = {f"{chr(97 + i)} {x.split()[0]}": labels for i, (x, labels) in enumerate(similar_labelings(12).items())}
    scores = gpuval.pairwise(labelings, metric)
    for found in (
        plots.AgreementDisplay.from_pairwise(scores),
        plots.AgreementDisplay.from_labelings(pd.DataFrame(labelings), metric),
    ):
        families = [x.split()[1] for x in found.names]
        assert len([x for x, _ in itertools.groupby(families)]) == 3
        places = [scores.names.index(x) for x in found.names]
        np.testing.assert_array_equal(found.scores, np.asarray(scores)[np.ix_(places, places)])
        assert found.metric == scores.metric
        assert found.direction == scores.direction == ("lower" if metric == "vi" else "higher")


def test_labelings_of_a_sweep_are_in_its_order_and_the_truth_is_first():
    labels = list(similar_labelings(4).values())
    labelings = dict(zip(("k_10", "k_2", "z", "k_5"), labels, strict=True))
    found = plots.AgreementDisplay.from_labelings(labelings, truth="z")
    assert found.names == ["z", "k_2", "k_5", "k_10"]
    assert (found.has_truth, found.tree) == (True, None)
    ax = found.plot(axes()).ax_
    ends = [x.get_extent()[:2] for x in ax.images]
    np.testing.assert_allclose(ends, [[-0.5, 0.5], [0.85, 3.85]])  # with a gap after the truth
    clustered = plots.AgreementDisplay.from_labelings({**labelings, "y": labels[1]}, truth="y")
    assert clustered.names[0] == "y"
    assert clustered.tree is not None


def test_neighbours_are_as_alike_as_the_tree_allows():
    # On a line, with each nearer to its neighbours than to all others: the order is that of the line.
    at = np.array([3.0, 0.0, 2.1, 1.0, 6.0])
    distances = np.abs(at[:, None] - at[None])
    for order, tree in (cluster_labelings(distances, falls=True), cluster_labelings(1 - distances / 6)):
        found = at[order]
        assert (np.diff(found) > 0).all() or (np.diff(found) < 0).all()
        left, right = sorted(tree[0, :2].astype(int))
        assert right == left + 1  # the leaves are places in the order
        assert sorted(found[[left, right]]) == [2.1, 3.0]  # the nearest two


def test_each_pair_is_drawn_once_and_each_name():
    labelings = dict(zip("abcde", similar_labelings(5).values(), strict=True))
    display = plots.AgreementDisplay.from_labelings(labelings).plot(axes(figsize=(7, 5)))
    (image,) = display.ax_.images
    drawn = ~np.ma.getmaskarray(image.get_array()) & np.isfinite(np.ma.filled(image.get_array(), np.nan))
    assert np.array_equal(drawn, np.tri(5, k=-1, dtype=bool))
    written = texts_of(display.ax_.texts)
    assert all(written.count(x) == 1 for x in labelings)
    numbers = {x.get_position(): x.get_text() for x in display.ax_.texts}
    for i, j in np.argwhere(np.tri(5, k=-1)).tolist():
        assert numbers[(j, i)] == f"{display.scores[i, j]:.2f}".replace("-0.00", "0.00").replace("-", "\N{MINUS SIGN}")
    for i, name in enumerate(display.names):
        (text,) = [x for x in display.ax_.texts if x.get_text() == name]
        assert text.get_position()[1] == i


def test_a_measure_of_two_sides_has_all_pairs_but_the_diagonal():
    ax = plots.plot_agreement(similar_labelings(4), metric="homogeneity", ax=axes(figsize=(7, 5)))
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("as the prediction", "as the truth")
    assert np.array_equal(np.isfinite(np.ma.filled(ax.images[0].get_array(), np.nan)), ~np.eye(4, dtype=bool))
    assert texts_of(ax.get_xticklabels()) == texts_of(ax.get_yticklabels())


@pytest.mark.parametrize(("low", "end"), [(0.37, "0.3"), (0.3, "0.3"), (-0.12, "\N{MINUS SIGN}0.2"), (1.0, "0.9")])
def test_the_scale_begins_at_the_smallest_score_rounded_down(low, end):
    scores = np.array([[1.0, low, 1.0], [low, 1.0, 1.0], [1.0, 1.0, 1.0]])
    ax = plots.AgreementDisplay(scores, "abc", metric="x").plot(axes()).ax_
    assert texts_of(ax.texts)[-2:] == [f"x  {end}", "1"]
    assert ax.images[0].norm.vmin == pytest.approx(float(end.replace("\N{MINUS SIGN}", "-")))
    assert ax.images[0].norm.vmax == 1


def test_what_is_said_of_distances():
    ax = plots.plot_agreement(gpuval.pairwise(similar_labelings(4), "vi"), ax=axes(figsize=(7, 5)))
    assert any(x.startswith("variation_of_information (lower is nearer)  0") for x in texts_of(ax.texts))


@pytest.mark.parametrize("n", [1, 2, 3, 8])
def test_pairs_without_a_score(n):
    scores = np.full((n, n), np.nan)
    scores[:2, :2] = 0.5
    order, _ = cluster_labelings(scores)
    assert sorted(order.tolist()) == list(range(n))
    display = plots.AgreementDisplay(scores, list("abcdefgh")[:n], metric="adjusted_rand_score").plot(axes())
    hatched = [x.get_xy() for x in display.ax_.patches if x.get_hatch() == "////"]
    assert hatched == [(j - 0.5, i - 0.5) for i in range(n) for j in range(i) if i > 1]
    assert texts_of(display.ax_.texts).count("0.50") == (n > 1)


@pytest.mark.parametrize("falls", [False, True])
def test_no_pair_with_a_score(falls):
    order, _ = cluster_labelings(np.full((4, 4), np.nan), falls=falls)
    assert sorted(order.tolist()) == [0, 1, 2, 3]
    display = plots.AgreementDisplay(np.full((4, 4), np.inf), range(4), metric="x").plot(axes())
    display.figure_.draw_without_rendering()


def test_agreement_with_weights_and_labels_to_ignore():
    labelings = {"a": [0, 0, 1, 1, -1], "b": [0, 1, 1, 1, 0], "c": [0, 0, 0, 1, 1]}
    options = {"sample_weight": [1, 2, 3, 1, 1], "ignore_labels": -1}
    expected = plots.AgreementDisplay.from_labelings(labelings, **options)
    ax = plots.plot_agreement(labelings, ax=axes(), **options)
    drawn = np.ma.filled(ax.images[0].get_array(), np.nan)
    below = np.tri(3, k=-1, dtype=bool)
    assert np.array_equal(drawn[below], expected.scores[below])
    assert not np.array_equal(expected.scores, plots.AgreementDisplay.from_labelings(labelings).scores)


def test_the_tree_is_drawn_below_its_columns():
    labelings = dict(zip("abcdef", similar_labelings(6).values(), strict=True))
    display = plots.AgreementDisplay.from_labelings(labelings).plot(axes(figsize=(7, 5)))
    tree = display.ax_.child_axes[0]
    (lines,) = tree.collections
    assert len(lines.get_segments()) == 5
    ends = [tuple(x) for line in lines.get_segments() for x in line[[0, 3]] if x[1] == 0]
    assert sorted(x for x, _ in ends) == [0, 1, 2, 3, 4, 5]
    display.figure_.draw_without_rendering()
    assert tree.get_window_extent().height * 72 / display.figure_.dpi == pytest.approx(30)  # 40 pixels
