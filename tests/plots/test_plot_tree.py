"""The plot of how clusters split and merge: what is counted, in which order it stands, and how it is drawn."""

import itertools
import math

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
import torch
from figure_checks import check_texts, drawn_texts
from matplotlib.collections import PathCollection, PolyCollection
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from picture_data import labelings_of

import gpuval
from gpuval import plots
from gpuval.display.colors import OTHERS, class_colors


def axes(**size):
    return Figure(layout="constrained", **size).subplots()


def test_counts_are_those_of_neighbours_and_classes():
    true, labelings = labelings_of()
    display = plots.TreeDisplay.from_labelings(labelings, true)
    assert display.names == list(labelings)
    assert display.numbers == [0.2, 0.4, 0.6, 0.8, 1.0]
    assert display.classes == pd.Series(true).value_counts().index.tolist()
    for (one, other), shared, rows, columns in zip(
        itertools.pairwise(labelings.values()), display.shared, display.clusters, display.clusters[1:], strict=False
    ):
        assert np.array_equal(shared, pd.crosstab(one, other).loc[rows, columns])
    for labels, counts, sizes, clusters in zip(
        labelings.values(), display.class_counts, display.sizes, display.clusters, strict=True
    ):
        assert np.array_equal(counts, pd.crosstab(true, labels).loc[display.classes, clusters])
        assert np.array_equal(sizes, pd.Series(labels).value_counts()[clusters])


@pytest.mark.parametrize("made", [torch.asarray, lambda x: pd.Series(x, dtype="category"), list])
def test_labels_of_any_library(made):
    true, labelings = labelings_of()
    codes = np.unique(true, return_inverse=True)[1]
    expected = plots.TreeDisplay.from_labelings(labelings, codes)
    found = plots.TreeDisplay.from_labelings({k: made(x) for k, x in labelings.items()}, made(codes))
    assert found.clusters == expected.clusters
    assert all(map(np.array_equal, found.shared, expected.shared))


def test_clusters_stand_where_those_are_that_they_come_from():
    """Each cluster of the second labeling comes from one of the first: their order is that of the first, on average."""
    first = np.repeat([0, 1, 2], [50, 30, 20])
    second = np.concatenate([np.repeat([5, 1], [25, 25]), np.repeat([9], [30]), np.repeat([0, 7], [10, 10])])
    display = plots.TreeDisplay.from_labelings([first, second])
    assert display.clusters[0] == [0, 1, 2]
    parents = {5: 0, 1: 0, 9: 1, 0: 2, 7: 2}
    assert [parents[x] for x in display.clusters[1]] == [0, 0, 1, 2, 2]


def bars(ax):
    """The outlines of the clusters of each labeling, as (left, top, right, bottom)."""
    found = []
    for x in (x for x in ax.collections if isinstance(x, PolyCollection) and x.get_zorder() == 3):
        corners = [path.vertices for path in x.get_paths()]
        found.append([(*v.min(axis=0), *v.max(axis=0)) for v in corners])
    return found


def check_heights(ax, display):
    """Fail if bars or ribbons are not as high as they have samples, within 2 %."""
    total = sum(display.sizes[0])
    columns = bars(ax)
    scale = sum(b - t for _, t, _, b in columns[0]) / total
    for boxes, sizes in zip(columns, display.sizes, strict=True):
        np.testing.assert_allclose([b - t for _, t, _, b in boxes], sizes * scale, rtol=0.02, err_msg="bars")
        assert all(one[3] < other[1] for one, other in itertools.pairwise(boxes))
    (ribbons,) = (x for x in ax.collections if isinstance(x, PathCollection))
    counts = [
        x[(x >= 0.01 * a[:, None]) | (x >= 0.01 * b)]
        for x, a, b in zip(display.shared, display.sizes, display.sizes[1:], strict=False)
    ]
    heights = [path.vertices[7, 1] - path.vertices[0, 1] for path in ribbons.get_paths()]
    drawn = np.concatenate([x[x > 0] for x in counts])
    np.testing.assert_allclose(heights, drawn * scale, rtol=0.02, err_msg="ribbons")


def test_bars_and_ribbons_are_as_high_as_they_have_samples():
    true, labelings = labelings_of()
    display = plots.TreeDisplay.from_labelings(labelings, true).plot(axes())
    check_heights(display.ax_, display)
    display.sizes[2] = display.sizes[2] * np.where(np.arange(len(display.sizes[2])) == 1, 1.1, 1)
    with pytest.raises(AssertionError, match="bars"):
        check_heights(display.ax_, display)


def test_ribbons_that_are_left_out_are_counted():
    first = np.repeat([0, 1], [1000, 1000])
    second = first.copy()
    second[[0, 1, -1]] = [1, 1, 0]
    ax = plots.plot_tree([first, second], ax=axes())
    assert ax.get_xlabel() == "labeling\n(2 ribbons under 1 % left out, under 1 % of the samples)"
    assert plots.plot_tree([first, first], ax=axes()).get_xlabel() == "labeling"


def class_faces(ax):
    """The colours of the parts of bars, from the top, of each labeling."""
    parts = [x for x in ax.collections if isinstance(x, PolyCollection) and x.get_zorder() == 2]
    return [[to_hex(c).upper() for c in x.get_facecolors()] for x in parts]


def check_class_colors(ax, display, colors):
    """Fail if the parts of bars do not have the colours of their classes."""
    for faces, counts in zip(class_faces(ax), display.class_counts, strict=True):
        expected = [colors[display.classes[k]] for k, _ in np.argwhere(counts > 0)]
        assert faces == expected, "a class of two colours"


def test_a_class_has_its_colour_in_the_bars_and_in_the_legend():
    true, labelings = labelings_of()
    sizes = pd.Series(true).value_counts()
    colors = dict(zip(sizes.index, class_colors(sizes.to_list()), strict=True))
    display = plots.TreeDisplay.from_labelings(labelings, true).plot(axes())
    check_class_colors(display.ax_, display, colors)
    legend = display.ax_.get_legend()
    shown = {
        text.get_text().rpartition("  ")[0]: to_hex(sign.get_color()).upper()
        for text, sign in zip(legend.get_texts(), legend.legend_handles, strict=True)
    }
    assert shown == colors
    with pytest.raises(AssertionError, match="two colours"):
        check_class_colors(display.ax_, display, {**colors, "type 3": "#000000"})


def test_no_two_classes_share_a_colour_up_to_24_and_more_are_grey():
    true, labelings = labelings_of(3, n_classes=24)
    legend = plots.plot_tree(labelings, true, ax=axes(figsize=(12, 9))).get_legend()
    assert len({x.get_color() for x in legend.legend_handles}) == 24
    true, labelings = labelings_of(3, n_classes=40)
    legend = plots.plot_tree(labelings, true, ax=axes(figsize=(12, 9))).get_legend()
    assert len(legend.get_texts()) == 13
    assert legend.get_texts()[-1].get_text().startswith("28 others")
    assert legend.legend_handles[-1].get_color() == OTHERS


def test_small_clusters_are_one():
    sizes = [400, *[100] * 20, *[3] * 30]
    labels = np.repeat(np.arange(51), sizes)
    display = plots.TreeDisplay.from_labelings([labels, labels]).plot(axes(figsize=(6, 8)))
    assert display.clusters[0] == list(range(21))
    assert display.n_small == [30, 30]
    assert [x[-1] for x in display.sizes] == [90, 90]
    assert sum(x.get_text() == "30 small" for x in display.ax_.texts) == 2
    check_heights(display.ax_, display)
    many = np.arange(300).repeat(10)
    assert len(plots.TreeDisplay.from_labelings([many, many]).clusters[0]) == 15


def test_of_many_labelings_some_are_drawn_and_always_those_that_are_named():
    _, labelings = labelings_of(30)
    names = list(labelings)
    display = plots.TreeDisplay.from_labelings(labelings, always=[names[17]])
    assert len(display.names) == 12
    assert names[17] in display.names
    assert (display.names[0], display.names[-1]) == (names[0], names[-1])
    assert display.places == [names.index(x) for x in display.names]  # where a sweep of all has them
    assert display.axis_name == "leiden (12 of 30)"
    assert len(plots.TreeDisplay.from_labelings(labelings, max_labelings=None).names) == 30


def test_scores_are_colours_on_a_scale():
    true, labelings = labelings_of()
    color = {name: gpuval.cluster_precision(true, labels) for name, labels in labelings.items()}
    display = plots.TreeDisplay.from_labelings(labelings, color=color).plot(axes())
    for name, clusters, scores in zip(display.names, display.clusters, display.scores, strict=True):
        expected = dict(zip(color[name].clusters.tolist(), color[name].scores.tolist(), strict=True))
        assert scores.tolist() == [expected[x] for x in clusters]
    assert [x.get_text() for x in display.ax_.get_legend().get_texts()] == ["0.00", "0.25", "0.50", "0.75", "1.00"]
    same = plots.TreeDisplay.from_labelings(labelings, color={"leiden_0.2": {0: 0.5}})
    assert np.isnan(same.scores[1]).all()
    (score,) = (x for x in same.scores[0] if not math.isnan(x))
    assert score == 0.5


def test_samples_that_are_ignored_are_in_no_bar_of_that_labeling():
    first, second = np.array([0, 0, 1, 1]), np.array([0, -1, 1, 1])
    display = plots.TreeDisplay.from_labelings([first, second], [5, 5, 6, 6], ignore_labels={"pred": -1})
    assert [x.tolist() for x in display.sizes] == [[2, 2], [1, 2]]
    assert display.shared[0].tolist() == [[1, 0], [0, 2]]
    weighted = plots.TreeDisplay.from_labelings([first, second], sample_weight=[0.5, 0.25, 1, 1])
    assert [x.tolist() for x in weighted.sizes] == [[2.0, 0.75], [2.0, 0.5, 0.25]]


CASES = {
    "two": (2, 9, None),
    "few": (5, 9, None),
    "fifteen": (7, 15, 15),
    "sixty": (12, 45, 60),
    "many": (30, 60, 300),
}


@pytest.mark.parametrize("width", [None, 7.3, 3.54])
@pytest.mark.parametrize("case", CASES)
def test_all_text_is_read_at_each_width(case, width):
    n_levels, n_classes, most = CASES[case]
    true, labelings = labelings_of(n_levels, 20_000, n_classes, most=most)
    display = plots.TreeDisplay.from_labelings(labelings, true).plot(width=width)
    check_texts(display.figure_)
    assert (display.figure_.get_size_inches() <= 13.01).all()
    if width:
        assert display.figure_.get_size_inches()[0] == pytest.approx(width)
    if case in ("two", "few", "fifteen"):
        written = sorted(x.get_text() for x in display.ax_.texts)
        assert written == sorted(str(x) for column in display.clusters for x in column)
    plt.close(display.figure_)


def test_long_names_are_read_too():
    true, labelings = labelings_of(4)
    long = {f"{'Leiden with cosine distances' * 3} {x}": y for x, y in zip("abcd", labelings.values(), strict=True)}
    named = {k: np.array([f"{'a long name ' * 8}{i}" for i in range(20)])[x] for k, x in long.items()}
    for width in (None, 3.54):
        classes = np.array([f"{'t' * 80}{x}" for x in true])
        ax = plots.TreeDisplay.from_labelings(named, classes).plot(width=width).ax_
        check_texts(ax.figure)
        names = [x.get_text() for x in drawn_texts(ax.figure)]
        ticks = [x.get_text() for x in ax.get_xticklabels()]
        assert len(set(ticks)) == 4
        assert set(ticks) <= set(names)
        plt.close(ax.figure)


def test_many_samples_are_few_marks():
    random = np.random.default_rng(0)
    labelings = [random.integers(0, k, 1_000_000) for k in (5, 30)]
    ax = plots.plot_tree(labelings, ax=axes())
    assert sum(len(x.get_paths()) for x in ax.collections) < 300


TRUE, SOME = [0, 0, 1, 1], {"a": [0, 0, 1, 1], "b": [0, 1, 1, 1]}
WRONG = [
    (lambda: plots.plot_tree({}), "labelings must have at least one label vector, got none"),
    (lambda: plots.plot_tree(5), "labelings must be a mapping or a sequence of label vectors, got int"),
    (lambda: plots.plot_tree(SOME, color={"c": {}}), "color must be of the labelings \\['a', 'b'\\], got 'c'"),
    (lambda: plots.plot_tree(SOME, always="c"), "always must be of the labelings \\['a', 'b'\\], got 'c'"),
    (
        lambda: plots.plot_tree(SOME, always=["a", "b"], max_labelings=1),
        "always must name at most max_labelings=1 labelings, got 2",
    ),
    (lambda: plots.plot_tree(SOME, color={"a": [1]}), "color\\['a'\\] must be a mapping from labels to scores, or"),
    (lambda: plots.plot_tree(SOME, color={"a": {0: "x"}}), "color\\['a'\\] must be a number, got 'x'"),
    (lambda: plots.plot_tree(SOME, max_labelings=0), "max_labelings must be at least 1, got 0"),
    (lambda: plots.plot_tree(SOME, max_labelings=1.5), "max_labelings must be an integer or None, got 1.5"),
    (lambda: plots.plot_tree({"a": []}), "labelings must have at least one sample to be plotted, got none"),
    (lambda: plots.plot_tree(SOME, TRUE[:2]), "labelings\\['a'\\] must have as many samples as labels_true"),
    (lambda: plots.TreeDisplay.from_labelings(SOME).plot(width=-1), "width must be from 2.8 to 13 inches, got -1"),
    (lambda: plots.plot_tree(SOME, ax=3), "ax must be a matplotlib Axes, got int"),
    (lambda: plots.TreeDisplay([], [], [], []), "names must be of at least one labeling, got none"),
    (lambda: plots.TreeDisplay("a", ["x"], [[1, 2]], []), "sizes must be for the clusters, of shapes"),
    (lambda: plots.TreeDisplay("ab", ["x", "y"], [[1], [1]], [[[1, 2]]]), "shared must be for the clusters, of shapes"),
]


@pytest.mark.parametrize(("call", "said"), WRONG, ids=[x for _, x in WRONG])
def test_wrong_arguments_are_told(call, said):
    with pytest.raises((TypeError, ValueError), match=f"^{said}"):
        call()


def test_samples_that_some_labelings_ignore():
    """Classes and clusters without samples in one of the tables stay in their places."""
    truth = np.array(list("aaabbbcc"))
    first, second = np.array([0, 0, 1, 1, 1, 9, 2, 2]), np.array([9, 9, 9, 0, 0, 1, 1, 1])
    display = plots.TreeDisplay.from_labelings({"k=1": first, "k=2": second}, truth, ignore_labels={"pred": [9]})
    assert [dict(zip(x, y.tolist(), strict=True)) for x, y in zip(display.clusters, display.sizes, strict=True)] == [
        {0: 2, 1: 3, 2: 2},
        {0: 2, 1: 3},
    ]
    shared = {
        (a, b): display.shared[0][i, j].item()
        for i, a in enumerate(display.clusters[0])
        for j, b in enumerate(display.clusters[1])
    }
    assert shared == {(a, b): int(((first == a) & (second == b)).sum()) for a in (0, 1, 2) for b in (0, 1)}
    for clusters, counts, labels in zip(display.clusters, display.class_counts, (first, second), strict=True):
        for row, kind in enumerate(display.classes):
            expected = [int(((truth == kind) & (labels == x)).sum()) for x in clusters]
            assert counts[row].tolist() == expected
