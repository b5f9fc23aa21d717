"""Sweeps: numbers in names, measures that are shown, the best labelings, and intervals."""

import itertools
import math

import numpy as np
import pytest
from matplotlib.figure import Figure
from picture_data import sweep

import gpuval
from gpuval import plots
from gpuval.plots._sweep_parts import numbers_in_names


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
    assert list(display.scores) == [x for x in comparison[names[0]] if x != "variation_of_information"]
    for metric, values in display.scores.items():
        assert values.tolist() == [comparison[name][metric] for name in names]
        assert display.best[metric] == values.argmax()


def test_other_measures_are_drawn_by_name_and_the_lowest_is_the_best():
    comparison = sweep(6)
    display = plots.SweepDisplay.from_comparison(comparison, ["vi", "ARI"])
    assert list(display.scores) == ["variation_of_information", "adjusted_rand_score"]
    distances = display.scores["variation_of_information"]
    assert display.best["variation_of_information"] == distances.argmin()
    assert plots.SweepDisplay.from_comparison(comparison, "vi").score_name == "variation_of_information"


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
    ax = plots.plot_sweep(scores_of(names, rand_score=np.linspace(0.2, 0.9, len(names)).tolist()), ax=axes())
    ax.figure.draw_without_rendering()
    assert ax.get_xscale() == "log"
    low, high = ax.get_xlim()
    assert [x.get_text() for x in ax.get_xticklabels() if low <= x.get_position()[0] <= high] == shown
    assert low < numbers[0] < numbers[-1] < high


@pytest.mark.parametrize("numbers", [[1, 2, 49], [0, 1, 100], [-1, 100], [1e-101, 1.0], list(range(1, 101))])
def test_other_numbers_have_a_linear_axis(numbers):
    ax = plots.plot_sweep(scores_of(numbers, rand_score=[0.5] * len(numbers)), ax=axes())
    ax.figure.draw_without_rendering()
    assert ax.get_xscale() == "linear"


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
    assert plots.SweepDisplay.from_comparison(without).score_name == "adjusted_mutual_info_score"
    with pytest.raises(
        ValueError, match=r"^metrics must have a measure with finite scores, got adjusted_rand_score, of"
    ):
        plots.plot_sweep(without, "ari")


def test_names_have_places_in_their_order():
    comparison = gpuval.compare([0, 0, 1], {"z": [0, 0, 1], "a": [0, 1, 1]}, ["ari"])
    display = plots.SweepDisplay.from_comparison(comparison).plot(axes())
    assert (display.names, display.numbers, display.axis_name) == (["z", "a"], None, "labeling")
    assert [x.get_text() for x in display.ax_.get_xticklabels()] == ["z", "a"]


def test_names_that_a_mapping_gave():
    comparison = gpuval.compare([0, 0, 1], [[0, 0, 1], [0, 1, 1]], {("my", "own"): "vi", "n": lambda t: t.total})
    assert list(plots.SweepDisplay.from_comparison(comparison, ("my", "own")).scores) == [("my", "own")]
    display = plots.SweepDisplay.from_comparison(comparison, ["n", ("my", "own")])
    assert display.best == {("my", "own"): 0}  # of the other nobody knows which are better


def test_intervals():
    comparison = sweep(5, confidence_level=0.9)
    display = plots.SweepDisplay.from_comparison(comparison).plot(axes())
    assert display.confidence_level == 0.9
    for metric, low in display.low.items():
        estimates = [comparison[name].intervals[metric] for name in display.names]
        assert low.tolist() == [float(x.low) for x in estimates]
        assert display.high[metric].tolist() == [float(x.high) for x in estimates]
    assert display.ax_.get_ylabel() == "score (intervals: 90%)"
    assert len(display.ax_.collections) == len(display.scores)  # bands
    bars = plots.plot_sweep(sweep(5, named="method", confidence_level=0.9), "ari", ax=axes())
    assert len(bars.containers) == 1


@pytest.mark.parametrize("n", [1, 2, 3, 5])
def test_lines_that_are_moved_are_within_the_axes(n):
    lines = {i: np.linspace(0.1, 0.9, n) for i in range(8)}
    ends = {"low": {i: x - 0.1 for i, x in lines.items()}, "high": {i: x + 0.1 for i, x in lines.items()}}
    ax = plots.SweepDisplay(range(n), lines, directions=dict.fromkeys(lines, "higher"), **ends).plot(axes()).ax_
    ax.figure.draw_without_rendering()
    x = np.concatenate([line.get_xdata() for line in ax.lines])
    low, high = ax.get_xlim()
    assert np.ptp(x) > n - 1  # they are moved
    a_star = 7 * (high - low) / (ax.get_window_extent().width * 72 / ax.figure.dpi)  # half of one, in points
    assert low + a_star <= x.min()
    assert x.max() <= high - a_star


def covered(ax):
    """How many of many points along all lines the legend is on."""
    ax.figure.draw_without_rendering()
    box = ax.get_legend().get_window_extent()
    lines = [ax.transData.transform(line.get_xydata()) for line in ax.lines]
    steps = np.linspace(0, 1, 50)
    points = [a + t * (b - a) for line in lines for a, b in itertools.pairwise(line) for t in steps]
    return sum(box.contains(*x) for x in points)


@pytest.mark.parametrize("layout", [None, "constrained", "tight"])
def test_the_legend_on_a_small_part_of_a_figure_covers_no_line(layout):
    grid = Figure(figsize=(6.4, 4.8), layout=layout).subplots(2, 2).ravel()
    plots.plot_sweep(sweep(8), ax=grid[0])
    plots.plot_sweep(sweep(2, named="method", confidence_level=0.95, random_state=0), ax=grid[1])
    plots.plot_sweep(sweep(8), "ari", ax=grid[2])
    flat = {f"measure {i}": np.tile([0.1, 0.9], 20) + 0.01 * i for i in range(6)}
    plots.SweepDisplay(range(40), flat).plot(grid[3])
    assert [covered(ax) for ax in grid] == [0, 0, 0, 0]
    assert grid[3].get_ylim()[1] > 1.3  # as there was no room beside the lines


def test_stars_are_at_the_best():
    display = plots.SweepDisplay.from_comparison(sweep(6), ["ari", "vi"]).plot(axes())
    stars = [x.get_xydata()[0].tolist() for x in display.ax_.lines if x.get_marker() == "*"]
    places = [(x, display.best[x]) for x in display.scores]
    assert stars == [[display.numbers[i], display.scores[x][i]] for x, i in places]
    assert [x.get_text() for x in display.ax_.get_legend().get_texts()] == [*display.scores, "best"]


def test_a_measure_alone_is_named_by_its_axis():
    ax = plots.plot_sweep(sweep(6), "ari", ax=axes())
    assert ax.get_ylabel() == "adjusted_rand_score"
    assert [x.get_text() for x in ax.get_legend().get_texts()] == ["best"]


def test_each_measure_has_a_colour_and_a_marker_of_its_own():
    ax = plots.plot_sweep(sweep(6), ax=axes())
    lines = [x for x in ax.lines if x.get_marker() != "*"]
    assert len({x.get_color() for x in lines}) == len({x.get_marker() for x in lines}) == 4


def test_a_line_for_each_value_of_by():
    comparison = sweep(4, by=True)
    display = plots.SweepDisplay.from_comparison(comparison, "ami")
    assert list(display.scores) == ["Bern", "Oslo", "Paris", "Rome"]
    assert display.score_name == "adjusted_mutual_info_score"
    for value, scores in display.scores.items():
        assert scores.tolist() == [comparison[name, value]["ami"] for name in display.names]
    assert plots.SweepDisplay.from_comparison(comparison).score_name == "adjusted_rand_score"  # the first
    with pytest.raises(ValueError, match=r"^metrics must be one measure of a comparison with by, got 2: adjusted_rand"):
        plots.plot_sweep(comparison, ["ari", "ami"])


def test_values_of_one_labeling_are_along_the_axis():
    comparison = gpuval.evaluate([0, 0, 1, 1] * 5, [0, 0, 1, 2] * 5, ["ari", "purity"], by=["u", "v"] * 10)
    display = plots.SweepDisplay.from_comparison(comparison).plot(axes())
    assert (display.names, display.axis_name) == (["u", "v"], "value")
    assert list(display.scores) == ["adjusted_rand_score", "purity_score"]


def test_of_many_lines_the_median_is_told_apart():
    random = np.random.default_rng(0)
    comparison = sweep(3, by=random.integers(0, 30, 3000))
    display = plots.SweepDisplay.from_comparison(comparison, "ari").plot(axes())
    assert len(display.scores) == 30
    assert [x.get_text() for x in display.ax_.get_legend().get_texts()] == ["each of 30", "median"]
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
    assert not [x for x in ax.lines if x.get_marker() == "*"]
