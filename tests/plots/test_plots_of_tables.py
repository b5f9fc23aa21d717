"""Confusion matrices and flows: their numbers, sizes, colours and names, read from what is drawn."""

from itertools import pairwise

import numpy as np
import pytest
from matplotlib.figure import Figure
from picture_data import clusterings
from plot_checks import (
    bars_beside,
    faults_of_numbers,
    heights,
    hex_colors,
    not_proportional,
    polygons,
    repeated,
    texts_in_cells,
)

import gpuval
from gpuval import plots
from gpuval.display.colors import CATEGORIES, OTHERS, class_colors, cluster_colors, contrast
from gpuval.plots._axes import count_on_plot

LIGHT_TEXT = {"black": "#000000", "white": "#FFFFFF"}


def axes(**size):
    return Figure(layout="constrained", **size).subplots()


def texts_of(ticks):
    return [x.get_text() for x in ticks]


def confusion(n=15, k=16, **options):
    display = plots.ConfusionDisplay.from_labels(*clusterings(n, k))
    return display.plot(axes(figsize=(12, 9)), **options)


def flow(n=15, k=16, **options):
    return plots.FlowDisplay.from_labels(*clusterings(n, k), **options).plot(axes(figsize=(9, 7)))


# The numbers of a confusion matrix


@pytest.mark.parametrize("normalize", ["class", "cluster"])
@pytest.mark.parametrize(("n", "k"), [(2, 2), (6, 5), (15, 16), (3, 14)])
def test_numbers_are_whole_percents_that_add_up(n, k, normalize):
    assert list(faults_of_numbers(confusion(n, k, normalize=normalize), normalize)) == []


def test_numbers_that_mislead_are_found():
    display = confusion(6, 5)
    text = next(x for x in display.ax_.texts if x.get_fontweight() == "bold")
    row, before = text.get_position()[1], text.get_text()
    text.set_text("0")
    assert "'0' is written" in list(faults_of_numbers(display))
    text.set_text(str(int(before) - 20))
    assert any(x.startswith(f"{row} adds up to") for x in faults_of_numbers(display))
    text.set_text(before)
    text.set_fontweight("normal")
    assert list(faults_of_numbers(display)) == [f"{row} has bold numbers at []"]


def cell_texts(display):
    return {place: x.get_text() for place, x in texts_in_cells(display).items()}


def dots(display):
    (line,) = display.ax_.lines
    return set(zip(line.get_ydata().tolist(), line.get_xdata().tolist(), strict=True))


def test_what_is_a_number_a_dot_or_blank():
    counts = np.array([[9350, 400, 49, 201], [0, 500, 99, 9401], [1000, 0, 9000, 0], [0, 0, 0, 10]])
    few = plots.ConfusionDisplay(counts, "abcd", "efgh").plot(axes(figsize=(9, 7)))
    assert cell_texts(few) == {
        (0, 0): "94",
        (0, 1): "4",
        (0, 3): "2",
        (1, 1): "5",
        (1, 3): "94",
        (2, 0): "10",
        (2, 2): "90",
        (3, 3): "100",
    }
    assert dots(few) == set()
    wide = np.hstack([counts, np.zeros((4, 4), dtype=int)])
    more = plots.ConfusionDisplay(wide, "abcd", "efghijkl").plot(axes(figsize=(9, 7)))
    assert cell_texts(more) == {x: text for x, text in cell_texts(few).items() if int(text) >= 5}
    assert dots(more) == {(0, 1), (0, 3)}


def test_counts():
    counts = [[9350, 0, 3], [0.5, 1_250_000, 0]]
    display = plots.ConfusionDisplay(counts, "ab", "efg").plot(axes(figsize=(9, 7)), normalize="none")
    assert cell_texts(display) == {(0, 0): "9.3k", (0, 2): "3", (1, 0): "0.5", (1, 1): "1.2M"}
    assert display.ax_.texts[-1].get_text() == "Number of weight; bold: the largest of the class"


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "0"),
        (519, "519"),
        (999, "999"),
        (3173, "3.2k"),
        (999_960, "1.0M"),
        (1.25e6, "1.2M"),
        (2e9, "2.0G"),
        (0.25, "0.25"),
    ],
)
def test_counts_in_few_letters(count, text):
    assert count_on_plot(count) == text


def test_numbers_are_read_on_their_cells():
    display = confusion(6, 5)
    image = display.ax_.images[0]
    shades = image.cmap(image.norm(image.get_array()))
    for place, text in texts_in_cells(display).items():
        shade = "#" + "".join(f"{round(255 * v):02X}" for v in shades[place][:3])
        assert contrast(shade, LIGHT_TEXT[text.get_color()]) >= 4.5
    assert len(texts_in_cells(display)) > 10


def test_there_is_a_scale_only_where_there_are_no_numbers():
    assert len(confusion(15, 16).ax_.child_axes) == 2  # the bars
    display = confusion(17, 16)
    assert cell_texts(display) == {}
    assert len(display.ax_.child_axes) == 3
    assert {"0 %", "100 %"} <= {x.get_text().split("  ")[-1] for x in display.ax_.texts}
    small = plots.plot_confusion(*clusterings(10, 10), ax=axes(figsize=(2.4, 2.4)))
    assert len(small.child_axes) == 3


# Sizes


@pytest.mark.parametrize(("n", "k"), [(2, 2), (15, 16), (40, 38)])
def test_bars_beside_a_confusion_matrix_are_as_long_as_classes_and_clusters_are_large(n, k):
    display = confusion(n, k)
    for side, axis in (("right", 1), ("top", 0)):
        assert not_proportional(bars_beside(display.ax_, side)[1], display.counts.sum(axis=axis)) == []


@pytest.mark.parametrize(("n", "k"), [(2, 3), (15, 16), (25, 20)])
def test_bars_and_ribbons_of_a_flow_are_as_high_as_they_have_samples(n, k):
    display = flow(n, k)
    ribbons, left, right = polygons(display.ax_)
    sizes = [*display.counts.sum(axis=1), *display.counts.sum(axis=0)]
    assert not_proportional([*heights(left), *heights(right)], sizes) == []  # on one scale
    drawn = display.counts[display.counts >= 0.02 * display.counts.sum(axis=1, keepdims=True)]
    starts = [np.ptp(x.vertices[[0, 7], 1]) for x in ribbons.get_paths()]
    ends = [np.ptp(x.vertices[[3, 4], 1]) for x in ribbons.get_paths()]
    for found in (starts, ends):
        assert not_proportional([*heights(left), *found], [*display.counts.sum(axis=1), *drawn]) == []


def test_areas_that_are_not_proportional_are_found():
    assert not_proportional([1.0, 2.0, 4.0], [10, 20, 40]) == []
    assert not_proportional([1.03, 2.0, 4.0], [10, 20, 40]) == [0]
    assert not_proportional([1.5, 2.0, 4.0], [10, 20, 40], least=1.5) == []
    assert not_proportional([1.5, 2.5, 4.0], [10, 20, 40], least=1.5) == [1]
    display = flow()
    bars = polygons(display.ax_)[1]
    bars.get_paths()[3].vertices[:, 1] *= 1.1
    assert not_proportional(heights(bars), display.counts.sum(axis=1)) == [3]


def test_bars_of_a_flow_are_seen_and_none_is_over_another():
    counts = np.diag([100_000, 3, 1]) + np.array([[0, 0, 0], [2, 0, 0], [0, 0, 0]])
    display = plots.FlowDisplay(counts, "abc", "def").plot(axes(figsize=(6, 4)))
    pixels = display.ax_.get_window_extent().height * 96 / display.figure_.dpi
    for bars in polygons(display.ax_)[1:]:
        found = [x.vertices[:, 1] for x in bars.get_paths()]
        assert all(np.ptp(x) * pixels >= 1.9 for x in found)
        assert all(low.min() > high.max() for low, high in pairwise(found))
        assert min(x.min() for x in found) >= -1e-12
        assert max(x.max() for x in found) <= 1 + 1e-12


def test_small_flows_are_not_drawn_but_counted():
    display = plots.FlowDisplay([[9900, 100], [2, 98]], ["a", "b"], ["c", "d"]).plot(axes())
    assert len(polygons(display.ax_)[0].get_paths()) == 3  # 100 of 10,000 are not drawn, 2 of 100 are
    assert "10,100 samples. Flows under 2 % of their class are not drawn: <1 % of the samples." in " ".join(
        texts_of(display.ax_.texts)
    )
    display = plots.FlowDisplay([[980, 20], [0, 98]], ["a", "b"], ["c", "d"]).plot(axes(), unit="cells")
    assert "1,098 cells" in texts_of(display.ax_.texts)


# Colours


def colors_of_classes(true, pred):
    """The colour of each class in each plot, from what is drawn."""
    table = gpuval.Contingency.from_labels(true, pred)
    matrix = plots.ConfusionDisplay.from_table(table).plot(axes(figsize=(12, 9)))
    ribbons = plots.FlowDisplay.from_table(table).plot(axes(figsize=(9, 9)))
    scores = plots.LabelScoresDisplay.from_scores(gpuval.class_adjusted_wallace_scores(table), table)
    dotted = scores.plot(axes(figsize=(7, 9)))
    return [
        dict(zip(matrix.classes, bars_beside(matrix.ax_, "right")[0], strict=False)),
        dict(zip(ribbons.classes, hex_colors(polygons(ribbons.ax_)[1]), strict=False)),
        dict(zip(dotted.labels, hex_colors(polygons(dotted.ax_)[-1]), strict=True)),
    ]


def colors_of_clusters(true, pred):
    table = gpuval.Contingency.from_labels(true, pred)
    matrix = plots.ConfusionDisplay.from_table(table).plot(axes(figsize=(12, 9)))
    ribbons = plots.FlowDisplay.from_table(table).plot(axes(figsize=(9, 9)))
    scores = plots.LabelScoresDisplay.from_scores(gpuval.cluster_precision(table), table).plot(axes(figsize=(7, 9)))
    bands = plots.SilhouetteDisplay(np.linspace(-1, 1, len(pred)), pred, true).plot(axes(figsize=(7, 9)))
    names = [int(x.get_text()) for x in bands.ax_.get_yticklabels()]
    return [
        dict(zip(matrix.clusters, bars_beside(matrix.ax_, "top")[0], strict=False)),
        dict(zip(ribbons.clusters, hex_colors(polygons(ribbons.ax_)[2]), strict=False)),
        dict(zip(scores.labels, hex_colors(polygons(scores.ax_)[-1]), strict=True)),
        dict(zip(names, hex_colors(polygons(bands.ax_)[0]), strict=True)),
    ]


def differing(colors):
    """The labels that have two colours."""
    return sorted(x for x in colors[0] if len({found.get(x, colors[0][x]) for found in colors}) > 1)


@pytest.mark.parametrize(("n", "k"), [(2, 2), (15, 16), (24, 22), (40, 38)])
@pytest.mark.parametrize("colors_of", [colors_of_classes, colors_of_clusters])
def test_a_class_and_a_cluster_have_one_colour_in_all_plots(colors_of, n, k):
    assert differing(colors_of(*clusterings(n, k))) == []


def test_a_class_of_two_colours_is_found():
    colors = colors_of_classes(*clusterings(5, 5))
    label = next(iter(colors[1]))
    colors[1][label] = CATEGORIES[20]
    assert differing(colors) == [label]


@pytest.mark.parametrize("n", [2, 7, 15, 24])
def test_no_colour_is_there_twice(n):
    display = flow(n, n)
    for bars in polygons(display.ax_)[1:]:
        assert repeated(hex_colors(bars)) == []
    for side in ("top", "right"):
        assert repeated(bars_beside(confusion(n, n).ax_, side)[0]) == []
    true, pred = clusterings(n, n)
    for classes in (None, true):
        bands = plots.SilhouetteDisplay(np.linspace(-1, 1, len(pred)), pred, classes).plot(axes(figsize=(7, 9)))
        assert repeated(hex_colors(polygons(bands.ax_)[0])) == []


def test_a_colour_that_is_there_twice_is_found():
    bars = polygons(flow(7, 7).ax_)[1]
    colors = hex_colors(bars)
    bars.set_facecolors([*colors[:-1], colors[0]])
    assert repeated(hex_colors(bars)) == [colors[0]]


def test_colours_are_by_size_or_those_of_the_user():
    counts = np.array([[5, 0, 1], [0, 30, 9]])
    display = plots.FlowDisplay(counts, ["a", "b"], [1, 2, 3]).plot(axes())
    of_classes = class_colors([6, 39])
    assert hex_colors(polygons(display.ax_)[1]) == of_classes
    assert hex_colors(polygons(display.ax_)[2]) == cluster_colors(counts, of_classes)
    for other in (plots.FlowDisplay, plots.ConfusionDisplay):
        chosen = other(counts, ["a", "b"], [1, 2, 3], colors={"a": "#112233"})
        assert chosen.colors_shown() == (["#112233", OTHERS], ["#112233", OTHERS, OTHERS])


def test_colours_do_not_depend_on_how_many_labels_are_shown():
    true, pred = clusterings(40, 38)
    whole = plots.ConfusionDisplay.from_labels(true, pred)
    part = plots.ConfusionDisplay.from_labels(true, pred, max_labels=20)
    for names, place in (("classes", 0), ("clusters", 1)):
        known = dict(zip(getattr(whole, names), whole.colors_shown()[place], strict=True))
        shown = dict(zip(getattr(part, names), part.colors_shown()[place], strict=False))
        assert shown == {x: known[x] for x in shown}
        assert part.colors_shown()[place][-1] == OTHERS


# Names


def test_names_and_sizes_beside_a_confusion_matrix():
    display = plots.ConfusionDisplay.from_labels(*clusterings(15, 16), max_labels=10)
    display.plot(axes(figsize=(12, 9)), unit="cells")
    assert texts_of(display.ax_.get_yticklabels()) == [*display.classes, "(5 others)"]
    assert texts_of(display.ax_.get_xticklabels()) == [*map(str, display.clusters), "(6 others)"]
    assert (display.ax_.get_xlabel(), display.ax_.get_ylabel()) == ("cluster", "class")
    written = texts_of(display.ax_.texts)
    for axis in (0, 1):
        assert {count_on_plot(x) for x in display.counts.sum(axis=axis).tolist()} <= set(written)
    assert "cells" in written


def test_of_many_classes_those_least_in_one_cluster_are_named():
    display = confusion(60, 58)
    shares = display.values("class").max(axis=1)
    worst = [display.classes[i] for i in sorted(np.argsort(shares, kind="stable")[:12])]
    named = [x.get_text() for x in display.ax_.texts if " % of " in x.get_text()]
    assert [x.split("  ")[0] for x in named] == worst
    sizes = dict(zip(display.classes, display.counts.sum(axis=1).tolist(), strict=True))
    assert [x.rpartition(" ")[2] for x in named] == [f"{sizes[x]:,}" for x in worst]
    assert (display.ax_.get_xlabel(), display.ax_.get_ylabel()) == ("58 clusters", "60 classes")


def test_very_many_cells_are_squares_that_are_seen():
    display = confusion(300, 260)
    others, main = polygons(display.ax_)
    shares = display.values("class")
    assert len(others.get_offsets()) + len(main.get_offsets()) == (shares >= 0.05).sum()
    for column, row in main.get_offsets().astype(int).tolist():
        assert row == display.counts[:, column].argmax()
    assert hex_colors(main) != hex_colors(others)
    assert min(*main.get_sizes(), *others.get_sizes()) >= 2.25**2  # 3 pixels


def test_all_names_of_a_flow_are_there_with_sizes():
    display = flow(25, 24)
    written = texts_of(display.ax_.texts)
    for names, axis in ((display.classes, 1), (display.clusters, 0)):
        for name, size in zip(names, display.counts.sum(axis=axis).tolist(), strict=True):
            assert f"{name}  {size:,}" in written
    assert {"class, samples", "cluster, samples"} <= set(written)


def test_a_flow_on_small_axes_has_the_names_of_the_largest_bars():
    display = plots.FlowDisplay.from_labels(*clusterings(20, 20)).plot(axes(figsize=(6, 2.4)))
    left = [x.get_text() for x in display.ax_.texts if x.get_ha() == "right" and "  " in x.get_text()]
    sizes = display.counts.sum(axis=1)
    shown = [display.classes.index(x.split("  ")[0]) for x in left]
    assert 3 < len(left) < 20
    assert sizes[shown].min() >= np.delete(sizes, shown).max()


def test_of_many_labels_a_flow_has_the_largest():
    true, pred = clusterings(60, 58)
    display = plots.FlowDisplay.from_labels(true, pred)
    assert (len(display.classes), display.n_other_classes) == (25, 35)
    assert (len(display.clusters), display.n_other_clusters) == (25, 33)
    assert plots.FlowDisplay.from_labels(true, pred, max_labels=60).n_other_classes == 0
    with pytest.raises(ValueError, match=r"at most 60 classes for a flow, got 61; plot_confusion shows more"):
        plots.plot_flow(np.arange(61), np.zeros(61))
    with pytest.raises(ValueError, match=r"at most 60 clusters for a flow, got 61; plot_confusion shows more"):
        plots.plot_flow(np.zeros(61), np.arange(61))
    assert plots.FlowDisplay.from_labels(np.arange(61), np.zeros(61), max_labels=3).n_other_classes == 58
