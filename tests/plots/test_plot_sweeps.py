"""Sweeps: numbers in names, measures that are shown, names at the ends of lines, the best labelings, and intervals."""

import functools
import math

import matplotlib.pyplot as plt
import numpy as np
import pytest
from figure_checks import check_texts
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from picture_data import clusterings
from picture_data import sweep as new_sweep
from plot_checks import not_proportional

import gpuval
from gpuval import plots
from gpuval.plots._sweep_parts import numbers_in_names

sweep = functools.cache(new_sweep)


def axes():
    return Figure(layout="constrained").subplots()


NO_NUMBERS = [
    ["v1.2.9", "v1.2.10"],
    ["v1.9", "v1.11"],
    ["res1.9", "res1.10"],
    ["1.2.9", "1.2.10"],
    ["1/2", "1/3"],
    ["1 / 2", "1 / 3"],
    ["1\N{VULGAR FRACTION ONE HALF}", "2\N{VULGAR FRACTION ONE HALF}"],
    ["2026-01-05", "2026-01-06"],
    ["10:30", "10:45"],
    ["10-20", "10-30"],
    ["1,5", "1,7"],
    ["10^-3", "10^-4"],
    ["10**3", "10**4"],
    ["10\N{SUPERSCRIPT TWO}", "20\N{SUPERSCRIPT TWO}"],
    ["x=\N{MINUS SIGN}1", "x=\N{MINUS SIGN}2"],
    ["k--1", "k--2"],
    ["1_000", "1_500"],
    ["k-1", "k1"],
    ["eps.5", "eps.25"],
    ["x.2", "x.10"],
    ["leiden_0_25", "leiden_0_75"],
    ["leiden_res0_25", "leiden_res1_0"],
    ["leiden_1_25", "leiden_1_5"],
    ["leiden_1_5", "leiden_1_50"],
    ["leiden_1_50", "leiden_1_5"],
]
"""Names that differ by something which is no single number, or not surely."""


@pytest.mark.parametrize(
    ("names", "numbers", "text"),
    [
        (["leiden_0.4", "leiden_1.0", "leiden_10"], [0.4, 1.0, 10.0], "leiden"),
        (["res0.25", "res0.5"], [0.25, 0.5], "res"),
        (["RNA_snn_res.0.4", "RNA_snn_res.0.8"], [0.4, 0.8], "RNA_snn_res"),
        (["res.0.4", "res.1"], [0.4, 1], "res"),
        (["x.2", "x.3"], [2, 3], "x"),
        (["k15_2", "k15_3"], [2, 3], "k15"),
        (["leiden_0.10", "leiden_0.25", "leiden_0.5"], [0.1, 0.25, 0.5], "leiden"),
        (["leiden_2.0", "leiden_1.50"], [2, 1.5], "leiden"),
        (["leiden_.25", "leiden_.5"], [0.25, 0.5], "leiden"),
        (["10", "12", "9"], [10, 12, 9], "labeling"),
        (["k10_pca", "k20_pca"], [10, 20], "k pca"),
        (["k-10", "k-11"], [10, 11], "k"),  # a dash, not a sign
        (["x=-1", "x=2"], [-1, 2], "x"),
        (["-1.5", "-1.25"], [-1.5, -1.25], "labeling"),
        (["t1e-3", "t1e-2"], [1e-3, 1e-2], "t"),
        (["lr=-1", "lr=-2", "lr=-3"], [-1, -2, -3], "lr"),
        (["-1", "-2"], [-1, -2], "labeling"),
        (["res_-0.5", "res_-1"], [-0.5, -1], "res"),
        (["lr=1e-3", "lr=5e-3"], [1e-3, 5e-3], "lr"),
        (["lr=1.5e-10", "lr=2.0e-3"], [1.5e-10, 2e-3], "lr"),
        (["leiden_15_0.4", "leiden_15_0.25"], [0.4, 0.25], "leiden_15"),
        (["2026-01-05 v1.2.9 k=10", "2026-01-05 v1.2.9 k=20"], [10, 20], "2026-01-05 v1.2.9 k"),
        *((names, None, "labeling") for names in NO_NUMBERS),
        ([0.5, 1, np.float32(2)], [0.5, 1, 2], "labeling"),
        (["a1", "a1b"], None, "labeling"),
        (["a", "b"], None, "labeling"),
        (["a1", "b2"], None, "labeling"),
        (["a1", "a1.0"], None, "labeling"),  # one number twice
        (["a1"], None, "labeling"),
        (["a1", 2], None, "labeling"),
        ([True, False], None, "labeling"),
        ([("a", 1), ("a", 2)], None, "labeling"),
        (["", "1"], None, "labeling"),
        ([0.5, float("nan")], None, "labeling"),
        ([1, 10**400], None, "labeling"),  # beyond the floats
        ([1, -(10**5000)], None, "labeling"),
        (["1", "1" + 400 * "0"], None, "labeling"),
        (["k1", "k1e400"], None, "labeling"),
        ([1e308, -1e308], None, "labeling"),  # whose distance is beyond them
    ],
)
def test_numbers_by_which_names_differ(names, numbers, text):
    found = numbers_in_names(names)
    assert found[0] == numbers
    assert numbers is None or found[1] == text


def test_scores_are_those_of_the_comparison_in_the_order_of_the_numbers():
    comparison = sweep(6)
    names = list(comparison)
    shuffled = gpuval.Comparison({name: comparison[name] for name in [*names[3:], *names[:3]]})
    display = plots.SweepDisplay.from_comparison(shuffled)
    assert display.names == names
    assert display.numbers == [float(x.removeprefix("leiden_")) for x in names]
    assert (display.axis_name, display.score_name) == ("leiden", "score")
    for metric, values in display.scores.items():
        assert values.tolist() == [comparison[name][metric] for name in names]
        assert display.best[metric] == values.argmax()
    assert display.n_clusters == [comparison[name].counts["n_clusters"] for name in names]
    assert display.n_classes == 12


VOICES = ["adjusted_mutual_info_score", "adjusted_rand_score", "normalized_clustering_accuracy"]


def test_the_measures_of_the_verdict_are_drawn_by_default():
    true, labelings = np.arange(60) // 10, {"a": np.arange(60) // 12, "b": np.arange(60) // 9}
    every = gpuval.compare(true, labelings, "all")
    assert list(plots.SweepDisplay.from_comparison(every).scores) == VOICES
    chosen = gpuval.compare(true, labelings, ["homogeneity", "ari", "ami", "vi"])
    assert list(plots.SweepDisplay.from_comparison(chosen).scores) == [x.name for x in chosen.verdict.voices][:2]
    others = gpuval.compare(true, labelings, ["nmi", "homogeneity", "fmi", "acc", "purity"])
    found = list(plots.SweepDisplay.from_comparison(others).scores)
    assert found == [x.name for x in others.verdict.voices]
    assert "homogeneity_score" not in found


def test_other_measures_are_drawn_by_name_and_the_lowest_is_the_best():
    comparison = sweep(6)
    display = plots.SweepDisplay.from_comparison(comparison, ["vi", "ARI"])
    assert list(display.scores) == ["variation_of_information", "adjusted_rand_score"]
    distances = display.scores["variation_of_information"]
    assert display.best["variation_of_information"] == distances.argmin()
    name = plots.SweepDisplay.from_comparison(comparison, "vi").score_name
    assert name == "variation of information \N{DOWNWARDS ARROW}"


def scores_of(labelings, **scores):
    """A comparison with these scores, a list for each measure."""
    rows = zip(*scores.values(), strict=True)
    return gpuval.Comparison(
        {
            name: gpuval.Evaluation(dict(zip(scores, row, strict=True)))
            for name, row in zip(labelings, rows, strict=True)
        }
    )


def test_names_that_are_numbers_beyond_the_floats_are_drawn():
    display = plots.SweepDisplay.from_comparison(scores_of([1, 10**400], rand_score=[0.5, 1.0])).plot(axes())
    assert display.numbers is None
    display.figure_.draw_without_rendering()


@pytest.mark.parametrize(
    ("numbers", "shown"),
    [
        ([0.1, 0.5, 1, 10, 100], ["0.1", "1", "10", "100"]),
        ([1, 2, 60], ["1", "2", "5", "10", "20", "50"]),
        ([1e-100, 2e-100, 1e-98], ["1e-100", "2e-100", "5e-100", "1e-99", "2e-99", "5e-99", "1e-98"]),
    ],
)
def test_numbers_that_span_a_large_ratio_have_a_logarithmic_axis(numbers, shown):
    names = [f"leiden_{x}" for x in numbers]
    comparison = scores_of(names, rand_score=np.linspace(0.2, 0.9, len(names)).tolist())
    ax = plots.plot_sweep(comparison, x="number", ax=axes())
    ax.figure.draw_without_rendering()
    assert ax.get_xscale() == "log"
    low, high = ax.get_xlim()
    assert [x.get_text() for x in ax.get_xticklabels() if low <= x.get_position()[0] <= high] == shown
    assert low < numbers[0] < numbers[-1] < high


@pytest.mark.parametrize("numbers", [[1, 2, 49], [0, 1, 100], [-1, 100], [1e-101, 1.0], list(range(1, 101))])
def test_other_numbers_have_a_linear_axis(numbers):
    ax = plots.plot_sweep(scores_of(numbers, rand_score=[0.5] * len(numbers)), x="number", ax=axes())
    ax.figure.draw_without_rendering()
    assert ax.get_xscale() == "linear"


def test_labelings_are_at_equal_distances_by_default():
    comparison = scores_of(["k=2", "k=3", "k=50"], rand_score=[0.5, 0.6, 0.7])
    ax = plots.plot_sweep(comparison, ax=axes())
    assert ax.lines[0].get_xdata().tolist() == [0, 1, 2]
    assert [x.get_text() for x in ax.get_xticklabels()] == ["2", "3", "50"]
    assert plots.plot_sweep(comparison, x="number", ax=axes()).lines[0].get_xdata().tolist() == [2, 3, 50]
    with pytest.raises(ValueError, match=r"^x must be 'equal' where the names of labelings do not differ by a number"):
        plots.plot_sweep(scores_of("ab", rand_score=[0.5, 0.6]), x="number", ax=axes())


def test_measures_without_a_score_are_left_out():
    none = [math.nan, math.nan]
    comparison = scores_of("ab", adjusted_rand_score=none, rand_score=[0.5, 1.0], purity_score=[math.inf] * 2)
    for metrics in (None, ["ari", "ri"], ["purity", "ri"]):
        assert list(plots.SweepDisplay.from_comparison(comparison, metrics).scores) == ["rand_score"]
    with pytest.raises(ValueError, match=r"rand_score, purity_score, of which all scores are NaN or infinite$"):
        plots.plot_sweep(comparison, ["ari", "purity"])
    with pytest.raises(
        ValueError, match=r"^comparison must have .*; of adjusted_rand_score all scores are NaN or infini"
    ):
        plots.plot_sweep(scores_of("ab", adjusted_rand_score=none))


def test_the_first_measure_without_a_score_of_values():
    comparison = sweep(2, by=True)
    without = gpuval.Comparison(
        {x: gpuval.Evaluation({**e, "adjusted_rand_score": math.nan}) for x, e in comparison.items()},
        levels=comparison.levels,
    )
    assert plots.SweepDisplay.from_comparison(comparison).score_name == "ARI"  # the first that was asked for
    assert plots.SweepDisplay.from_comparison(without).score_name == "AMI"
    with pytest.raises(ValueError, match=r"^metrics must have a measure with finite scores, got adjusted_rand_score"):
        plots.plot_sweep(without, "ari")


def test_names_have_places_in_their_order_and_dots_without_lines():
    comparison = gpuval.compare([0, 0, 1], {"z": [0, 0, 1], "a": [0, 1, 1]}, ["ari"])
    display = plots.SweepDisplay.from_comparison(comparison).plot(axes())
    assert (display.names, display.numbers, display.axis_name) == (["z", "a"], None, "labeling")
    assert [x.get_text() for x in display.ax_.get_xticklabels()] == ["z", "a"]
    assert display.ax_.lines[0].get_linestyle() == "None"
    of_numbers = plots.plot_sweep(sweep(3), "ari", ax=axes())
    assert of_numbers.lines[0].get_linestyle() == "-"


def test_names_that_a_mapping_gave():
    comparison = gpuval.compare([0, 0, 1], [[0, 0, 1], [0, 1, 1]], {("my", "own"): "vi", "n": lambda t: t.total})
    assert list(plots.SweepDisplay.from_comparison(comparison, ("my", "own")).scores) == [("my", "own")]
    display = plots.SweepDisplay.from_comparison(comparison, ["n", ("my", "own")])
    assert display.best == {("my", "own"): 0}  # of the other nobody knows which are better


FOUR = ["ami", "ari", "homogeneity", "completeness"]
WITH_INTERVALS = sweep(7, confidence_level=0.9)


def test_bands_are_the_intervals_of_the_measures_of_the_verdict_only():
    display = plots.SweepDisplay.from_comparison(WITH_INTERVALS, FOUR).plot(axes())
    assert display.confidence_level == 0.9
    for metric, low in display.low.items():
        estimates = [WITH_INTERVALS[name].intervals[metric] for name in display.names]
        assert low.tolist() == [float(x.low) for x in estimates]
        assert display.high[metric].tolist() == [float(x.high) for x in estimates]
    assert display.ax_.get_ylabel() == "score, 90 % intervals"
    bands = [x for x in display.ax_.collections if isinstance(x, PolyCollection)]
    assert len(bands) == 2
    bars = plots.plot_sweep(sweep(5, named="method", confidence_level=0.9), "ari", ax=axes())
    assert len(bars.containers) == 2  # of the intervals, and of the numbers of clusters


def test_measures_of_one_side_are_grey_dashes_without_a_ring():
    ax = plots.plot_sweep(WITH_INTERVALS, FOUR, ax=axes())
    lines = {x.get_label(): x for x in ax.lines if x.get_label() in FULL}
    grey = [lines[FULL[2]], lines[FULL[3]]]
    assert len({x.get_color() for x in grey}) == 1
    assert all(x.is_dashed() and x.get_linewidth() < lines[FULL[0]].get_linewidth() for x in grey)
    assert len(rings(ax)) == 2


FULL = ["adjusted_mutual_info_score", "adjusted_rand_score", "homogeneity_score", "completeness_score"]


def rings(ax):
    return [x for x in ax.lines if x.get_markerfacecolor() == "none" and x.get_markersize() > 10]


def check_marks(ax, display):
    """Fail if a ring is not at the best labeling, or a marker is hollow that is not told apart from it, or not else."""
    for line, best in display.best.items():
        (drawn,) = (x for x in ax.lines if x.get_label() == line)
        color = drawn.get_color()
        (ring,) = (x for x in rings(ax) if x.get_markeredgecolor() == color)
        assert ring.get_xydata()[0].tolist() == [best, display.scores[line][best]], "ring"
        hollow = [
            x for x in ax.lines if x.get_markeredgecolor() == color and x.get_markersize() < 10 and x is not drawn
        ]
        places = sorted(int(x) for line in hollow for x in line.get_xdata())
        assert places == [i for i in range(len(display.names)) if i not in display.best_sets[line]], "hollow"


def test_the_best_has_a_ring_and_those_behind_are_hollow():
    display = plots.SweepDisplay.from_comparison(WITH_INTERVALS, ["ami", "ari"]).plot(axes())
    for line, places in display.best_sets.items():
        assert {display.names[i] for i in places} == set(WITH_INTERVALS.best[line].best_set)
        assert 0 < len(places) < 7
    check_marks(display.ax_, display)
    values = [x.get_text() for x in display.ax_.texts]
    assert all(f"{max(scores):.3f}" in values for scores in display.scores.values())
    line = next(iter(display.best_sets))
    moved = [i for i in range(7) if i not in display.best_sets[line]]
    display.best_sets[line] = (*display.best_sets[line], moved[0])
    with pytest.raises(AssertionError, match="hollow"):
        check_marks(display.ax_, display)
    display.best[line] = moved[0]
    with pytest.raises(AssertionError, match="ring"):
        check_marks(display.ax_, display)


def test_without_intervals_there_is_only_the_ring():
    display = plots.SweepDisplay.from_comparison(sweep(6), ["ari", "vi"]).plot(axes())
    assert display.best_sets == {}
    assert len(rings(display.ax_)) == 2
    assert len([x for x in display.ax_.lines if x.get_label() in display.scores]) == 2
    markers = [x for x in display.ax_.lines if x.get_markersize() < 10 and x.get_marker() not in ("None", "")]
    assert len(markers) == 2


def check_names(figure, ax, names):
    """Fail if a line has no name within 12 pixels (of 96 to an inch) of its end, or no line that leads there."""
    figure.draw_without_rendering()
    per_pixel = figure.dpi / 96
    leaders = [x for x in ax.texts if not x.get_text() and getattr(x, "arrow_patch", None)]
    paths = [x.arrow_patch.get_transform().transform_path(x.arrow_patch.get_path()).vertices for x in leaders]
    for line, name in names.items():
        (drawn,) = (x for x in ax.lines if x.get_label() == str(line))
        values = drawn.get_xydata()
        end = ax.transData.transform(values[~np.isnan(values[:, 1])][-1])
        written = [x.get_window_extent() for x in ax.texts if x.get_text() == name]
        assert len(written) == 1, f"no name: {name}"
        place = np.array([written[0].x0, (written[0].y0 + written[0].y1) / 2])
        is_near = np.hypot(*(place - end)) <= 12 * per_pixel
        leads = [p for p in paths if min(np.hypot(*(p - end).T)) <= 12 * per_pixel]
        assert is_near or any(min(np.hypot(*(p - place).T)) <= 12 * per_pixel for p in leads), (
            f"far from its end: {name}"
        )


@pytest.mark.parametrize("width", [None, 7.3, 3.54])
@pytest.mark.parametrize("n", [2, 7, 30])
def test_each_line_has_its_name_at_its_end(n, width):
    display = plots.SweepDisplay.from_comparison(sweep(n), FOUR).plot(width=width)
    shown = [x.get_text() for x in display.ax_.texts]
    names = {line: name if name in shown else display.short_names[line] for line, name in display.line_names.items()}
    check_names(display.figure_, display.ax_, names)
    check_texts(display.figure_)
    assert display.ax_.get_legend() is None
    plt.close(display.figure_)


FAULTS = {
    "no name": lambda name: name.set_text(""),
    "far from its end": lambda name: name.set_position((7, -60)),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_name_that_is_not_at_its_end_is_found(fault):
    display = plots.SweepDisplay.from_comparison(WITH_INTERVALS, FOUR).plot()
    FAULTS[fault](next(x for x in display.ax_.texts if x.get_text() == "AMI"))
    with pytest.raises(AssertionError, match=fault):
        check_names(display.figure_, display.ax_, display.line_names)
    plt.close(display.figure_)


@pytest.mark.parametrize("fault", ["over each other", "outside the canvas"])
def test_a_name_that_is_not_read_is_found(fault):
    display = plots.SweepDisplay.from_comparison(WITH_INTERVALS, FOUR).plot()
    display.figure_.set_layout_engine("none")
    of_name = {x.get_text(): x for x in display.ax_.texts}
    if fault == "over each other":
        of_name["AMI"].xy = of_name["ARI"].xy
        of_name["AMI"].set_position(of_name["ARI"].get_position())
    else:
        of_name["completeness"].set_text("completeness of all the clusters")
    with pytest.raises(AssertionError, match=fault):
        check_texts(display.figure_)
    plt.close(display.figure_)


def test_names_of_lines_that_end_alike_are_moved_and_joined():
    lines = {f"line {i}": np.linspace(0.1 * i, 0.5, 4) for i in range(6)}
    display = plots.SweepDisplay(range(4), lines, numbers=range(4)).plot()
    check_texts(display.figure_)
    check_names(display.figure_, display.ax_, {x: x for x in lines})
    plt.close(display.figure_)


def check_styles(ax, lines):
    """Fail if two lines have the same colour, marker and dashes."""
    drawn = [x for x in ax.lines if x.get_label() in lines]
    assert len(drawn) == len(lines)
    dashes = [str(x._unscaled_dash_pattern) for x in drawn]
    styles = {(x.get_color(), x.get_marker(), d) for x, d in zip(drawn, dashes, strict=True)}
    assert len(styles) == len(drawn), "two lines alike"


def test_no_two_lines_share_colour_marker_and_dashes():
    lines = {f"line {i}": [0.1 * i, 0.5] for i in range(6)}
    ax = plots.SweepDisplay([1, 2], lines, numbers=[1, 2], halves=["line 1", "line 3", "line 5"]).plot(axes()).ax_
    check_styles(ax, lines)
    one, other = (x for x in ax.lines if x.get_label() in ("line 0", "line 2"))
    other.set(color=one.get_color(), marker=one.get_marker(), linestyle=one.get_linestyle())
    with pytest.raises(AssertionError, match="two lines alike"):
        check_styles(ax, lines)


def test_a_measure_alone_is_named_by_its_axis():
    ax = plots.plot_sweep(sweep(6), "ari", ax=axes())
    assert ax.get_ylabel() == "ARI"
    assert "ARI" not in [x.get_text() for x in ax.texts]


def test_the_strip_has_the_number_of_clusters_of_each_labeling():
    display = plots.SweepDisplay.from_comparison(sweep(7)).plot()
    ax = display.ax_
    bars = [x for x in ax.patches if isinstance(x, Rectangle)]
    heights = np.array([x.get_height() for x in bars])
    assert not_proportional(heights, display.n_clusters) == []
    assert not_proportional(heights, [*display.n_clusters[:-1], 1.1 * display.n_clusters[-1]])
    (line,) = (x for x in ax.lines if x.get_xdata() is not None and list(x.get_xdata()) == [0, 1] and x.is_dashed())
    assert line.get_ydata()[0] / heights[0] == pytest.approx(12 / display.n_clusters[0])
    shown = [x.get_text() for x in ax.texts]
    assert {*map(str, display.n_clusters), "12 classes", "clusters"} <= set(shown)
    scores = [y for x in ax.lines if x.get_label() in display.scores for y in x.get_ydata()]
    low, high = ax.get_ylim()
    assert (min(scores) - low) / (high - low) > heights.max()  # no line goes through the strip
    plt.close(display.figure_)
    without = plots.plot_sweep(sweep(7), counts=False, ax=axes())
    assert not [x for x in without.patches if isinstance(x, Rectangle)]
    assert not [x for x in without.texts if x.get_text() == "clusters"]


def test_more_than_six_lines_have_a_panel_each():
    lines = {f"line {i}": np.linspace(0.1, 0.1 * i, 5) for i in range(1, 9)}
    display = plots.SweepDisplay(range(5), lines, numbers=range(5), n_clusters=range(5), n_classes=3).plot()
    panels = display.ax_.child_axes
    assert [x.get_title(loc="left") for x in panels] == [*lines, "clusters (line: 3 classes)"]
    for panel, values in zip(panels, lines.values(), strict=False):
        assert panel.lines[0].get_ydata().tolist() == values.tolist()
    lefts = {round(x.get_position().x0, 3) for x in panels}
    assert len(lefts) == 2  # two beside each other
    check_texts(display.figure_)
    plt.close(display.figure_)
    few = plots.SweepDisplay(range(5), dict(list(lines.items())[:6]), numbers=range(5)).plot(axes())
    assert few.ax_.child_axes == []


def test_measures_of_several_scales_have_a_panel_each():
    """A silhouette has no line at the foot of an axis that Calinski-Harabasz needs; what ends at 1 shares its axis."""
    lines = {"silhouette": [0.2, 0.4, 0.3], "Calinski-Harabasz": [310.0, 540.0, 480.0], "Davies-Bouldin": [1.4, 0.9, 2]}
    display = plots.SweepDisplay("abc", lines).plot(axes())
    assert [x.get_title(loc="left") for x in display.ax_.child_axes] == list(lines)
    for panel, values in zip(display.ax_.child_axes, lines.values(), strict=True):
        assert np.ptp(values) > 0.4 * np.ptp(panel.get_ylim())
    check_texts(display.figure_)
    together = plots.SweepDisplay("abc", {x: lines[x] for x in ("silhouette", "Davies-Bouldin")}).plot(axes())
    assert together.ax_.child_axes == []


@pytest.mark.parametrize("width", [None, 3.54])
@pytest.mark.parametrize("n_lines", [7, 12, 24])
def test_all_text_of_panels_is_read(n_lines, width):
    lines = {f"measure {i}": np.linspace(0.1, 0.9, 6) ** (i + 1) for i in range(n_lines)}
    display = plots.SweepDisplay(range(6), lines, numbers=range(6), directions=dict.fromkeys(lines, "higher"))
    display.plot(width=width)
    check_texts(display.figure_)
    plt.close(display.figure_)


@pytest.mark.parametrize("width", [None, 3.54])
@pytest.mark.parametrize("n", [1, 2, 15, 60, 300])
@pytest.mark.parametrize("named", ["leiden_{:.3f}", "method"])
def test_all_text_is_read_at_each_width(named, n, width):
    values = np.linspace(0.2, 3.0, n)
    names = [named.format(x) if "{" in named else f"a method of which {i} is said" for i, x in enumerate(values)]
    random = np.random.default_rng(0)
    scores = {x: random.random(n) for x in FULL}
    low, high = ({x: y + d for x, y in scores.items()} for d in (-0.1, 0.1))
    display = plots.SweepDisplay(
        names, scores, numbers=values.tolist() if "{" in named else None, low=low, high=high, halves=FULL[2:],
        directions=dict.fromkeys(FULL, "higher"), n_clusters=random.integers(2, 400, n).tolist(), n_classes=12,
        confidence_level=0.95, line_names={x: getattr(gpuval, x).measure.sentence_name for x in FULL},
        short_names={x: getattr(gpuval, x).measure.short_head for x in FULL},
    ).plot(width=width)  # fmt: skip
    check_texts(display.figure_)
    if width:
        assert display.figure_.get_size_inches()[0] == pytest.approx(width)
    plt.close(display.figure_)


@pytest.mark.parametrize("width", [12.3, 8, 3.54])
def test_the_sweep_and_the_tree_share_their_labelings(width):
    """The figure of a report: scores above, and how clusters split and merge below, at the same places along x."""
    true, labelings = clusterings(6, 8)[0], {}
    for i in range(5):
        labelings[f"leiden_{0.2 * (i + 1):.1f}"] = clusterings(6, 4 + 2 * i)[1]
    figure = Figure(figsize=(width, 9), layout="constrained")
    above, below = figure.subplots(2, 1, sharex=True)
    comparison = gpuval.compare(true, labelings, ["ami", "ari"], confidence_level=0.95)
    plots.plot_sweep(comparison, ax=above)
    plots.plot_tree(labelings, true, ax=below)
    check_texts(figure)
    assert above.get_xlim() == below.get_xlim()
    assert [x.get_text() for x in below.get_xticklabels()] == ["0.2", "0.4", "0.6", "0.8", "1"]
    assert (above.get_xlabel(), below.get_xlabel().split("\n")[0]) == ("", "leiden")
    lefts, rights = zip(*[(x.get_position().x0, x.get_position().x1) for x in (above, below)], strict=True)
    assert lefts[0] == pytest.approx(lefts[1])
    assert rights[0] == pytest.approx(rights[1])
    columns = [x for x in below.collections if isinstance(x, PolyCollection) and x.get_zorder() == 3]
    places = [np.mean([p.vertices[:, 0].mean() for p in x.get_paths()]) for x in columns]
    (line,) = (x for x in above.lines if x.get_label() == "adjusted_mutual_info_score")
    np.testing.assert_allclose(places, line.get_xdata(), atol=0.05)


def test_a_line_for_each_value_of_by():
    comparison = sweep(4, by=True)
    display = plots.SweepDisplay.from_comparison(comparison, "ami")
    assert list(display.scores) == ["Bern", "Oslo", "Paris", "Rome"]
    assert display.score_name == "AMI"
    for value, scores in display.scores.items():
        assert scores.tolist() == [comparison[name, value]["ami"] for name in display.names]
    ax = display.plot(axes()).ax_
    assert {"Bern", "Oslo", "Paris", "Rome"} <= {x.get_text() for x in ax.texts}
    with pytest.raises(ValueError, match=r"^metrics must be one measure of a comparison with by, got 2: adjusted_rand"):
        plots.plot_sweep(comparison, ["ari", "ami"])


def test_intervals_of_values_of_by():
    comparison = sweep(4, by=True, confidence_level=0.95)
    display = plots.SweepDisplay.from_comparison(comparison, "ami").plot(axes())
    for value, places in display.best_sets.items():
        best = comparison.best[("adjusted_mutual_info_score", value)]
        assert {display.names[i] for i in places} == set(best.best_set)
    check_marks(display.ax_, display)


@pytest.mark.parametrize("why", ["few samples", "one class"])
def test_small_values_of_by_have_neither_ring_nor_intervals(why):
    random = np.random.default_rng(0)
    truth, batch = random.integers(0, 3, 300), np.repeat(["large", "small"], [200, 100])
    if why == "few samples":
        truth, batch = truth[:225], batch[:225]
    else:
        truth[batch == "small"] = 1
    labelings = {f"res_{i}": np.where(random.random(len(truth)) < 0.2 * i, 0, truth) for i in range(3)}
    comparison = gpuval.compare(truth, labelings, ["ami"], by=batch, confidence_level=0.95, n_resamples=19)
    display = plots.SweepDisplay.from_comparison(comparison)
    assert list(display.scores) == ["large", "small"]
    assert [list(x) for x in (display.best, display.best_sets, display.low, display.high)] == [["large"]] * 4


def test_panels_of_values_of_by_are_of_one_scale():
    random = np.random.default_rng(0)
    display = plots.SweepDisplay.from_comparison(new_sweep(4, by=random.integers(0, 9, 3000)), "ari").plot(axes())
    panels = display.ax_.child_axes
    np.testing.assert_allclose([x.get_ylim() for x in panels], [panels[0].get_ylim()] * 9)
    assert panels[0].get_title(loc="left") == "0: ARI"


def test_values_of_one_labeling_are_along_the_axis():
    comparison = gpuval.evaluate([0, 0, 1, 1] * 5, [0, 0, 1, 2] * 5, ["ari", "purity"], by=["u", "v"] * 10)
    display = plots.SweepDisplay.from_comparison(comparison, ["ari", "purity"]).plot(axes())
    assert (display.names, display.axis_name) == (["u", "v"], "value")
    assert list(display.scores) == ["adjusted_rand_score", "purity_score"]


def test_values_of_one_labeling_have_no_ring_and_small_ones_no_interval():
    random, batch = np.random.default_rng(0), np.repeat(["large", "small"], [200, 25])
    truth = random.integers(0, 3, 225)
    pred = np.where(random.random(225) < 0.2, 0, truth)
    found = gpuval.evaluate(truth, pred, ["ami"], by=batch, confidence_level=0.95, n_resamples=19)
    display = plots.SweepDisplay.from_comparison(found).plot(axes())
    ((low, high),) = zip(display.low.values(), display.high.values(), strict=True)
    assert np.isnan([low, high]).tolist() == [[False, True]] * 2
    assert (display.best, rings(display.ax_)) == ({}, [])


def test_values_whose_best_labeling_is_small_have_no_ring():
    random, batch = np.random.default_rng(0), np.repeat(["large", "small"], 200)
    truth = random.integers(0, 3, 400)
    fair = np.where(random.random(400) < 0.4, 0, truth)
    best = np.where(np.arange(400) < 225, truth, -1)
    options = {"by": batch, "ignore_labels": -1, "confidence_level": 0.95, "n_resamples": 19}
    display = plots.SweepDisplay.from_comparison(gpuval.compare(truth, {"b": best, "f": fair}, ["ami"], **options))
    assert display.best == {"large": 0}
    assert np.isnan(display.low["small"]).tolist() == [True, False]


def test_of_many_lines_the_median_is_told_apart():
    random = np.random.default_rng(0)
    comparison = new_sweep(3, by=random.integers(0, 30, 3000))
    display = plots.SweepDisplay.from_comparison(comparison, "ari").plot(axes())
    assert len(display.scores) == 30
    assert {"each of 30", "median"} <= {x.get_text() for x in display.ax_.texts}
    medians = np.median(list(display.scores.values()), axis=0)
    np.testing.assert_allclose(display.ax_.lines[-1].get_ydata(), medians)


def test_scores_that_are_missing():
    display = plots.SweepDisplay(
        ["a", "b"], {"x": [np.nan, 0.5], "y": [np.nan, np.nan]}, directions={"x": "higher", "y": "higher"}
    )
    assert display.best == {"x": 1}
    display.plot(axes()).figure_.draw_without_rendering()


def test_one_labeling():
    ax = plots.plot_sweep(gpuval.compare([0, 0, 1], {"only": [0, 1, 1]}), ax=axes())
    assert [x.get_text() for x in ax.get_xticklabels()] == ["only"]
    assert rings(ax) == []


def test_long_and_hostile_names_of_lines_are_read():
    lines = {f"{'a measure of my own ' * 4}{i}": [0.5, 0.6 + i / 10] for i in range(4)}
    for width in (None, 3.54):
        display = plots.SweepDisplay(["$x$1", "$x$2"], lines, numbers=[1, 2]).plot(width=width)
        check_texts(display.figure_)
        names = [x.get_text() for x in display.ax_.texts if x.get_text().startswith("a me")]
        assert len(set(names)) == 4
        plt.close(display.figure_)


def test_low_axes_have_no_strip():
    ax = plots.plot_sweep(sweep(7), ax=Figure(figsize=(4, 2), layout="constrained").subplots())
    assert [x for x in ax.patches if isinstance(x, Rectangle)] == []
    assert "12 classes" not in [x.get_text() for x in ax.texts]
    check_texts(ax.figure)


def test_a_legend_is_as_wide_as_its_part_of_the_figure():
    true, labelings = clusterings(6, 8)[0], {"k=2": clusterings(6, 2)[1], "k=8": clusterings(6, 8)[1]}
    figure = Figure(figsize=(8, 5), layout="constrained")
    left, right = figure.subplots(1, 2, width_ratios=[1, 3])
    for ax, middle in ((left, 1 / 8), (right, 5 / 8)):
        plots.plot_tree(labelings, true, ax=ax)
        figure.draw_without_rendering()
        box = ax.get_legend().get_window_extent()
        assert (box.x0 + box.x1) / 2 / figure.bbox.width == pytest.approx(middle, abs=0.01)
    check_texts(figure)


def test_names_that_users_give_are_those_of_their_measures():
    """A key may be the name of another measure: the line, its arrow, and what is no best go by the measure."""
    labelings = {f"leiden_{i}": np.where(np.arange(60) % (7 + i), np.arange(60) % 3, 1) for i in range(4)}
    metrics = {"ari": "nmi", "h": "homogeneity", "my": "vi"}
    display = plots.SweepDisplay.from_comparison(gpuval.compare(np.arange(60) % 3, labelings, metrics), list(metrics))
    assert display.line_names == {"ari": "ari", "h": "h", "my": "my \N{DOWNWARDS ARROW}"}
    assert display.halves == ("h",)
    assert display.directions == {"ari": "higher", "h": "higher", "my": "lower"}


def test_the_ring_is_at_the_best_labeling_of_the_samples_that_both_have():
    """Of the first one the samples that are hard are ignored, so its score is higher, but not on what both have."""
    true = np.repeat([0, 1], 100)
    first, second = true.copy(), true.copy()
    first[:80] = -1
    first[80:95], second[:10] = 1, 1
    comparison = gpuval.compare(true, {"a_1": first, "a_2": second}, ["acc"], ignore_labels=-1, confidence_level=0.95)
    best = comparison.best["acc"]
    display = plots.SweepDisplay.from_comparison(comparison, "acc")
    assert display.names[display.best["clustering_accuracy"]] == best.name
