"""The plot of integrations: ranks, marks, fixed scales, and what fits."""

import math

import matplotlib.pyplot as plt
import numpy as np
import pytest
from figure_checks import check_texts, drawn_texts
from matplotlib.colors import to_hex, to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from picture_data import BATCH, BATCH_VALUES, BIO, BIO_VALUES, NAMES, integrations, scores_of
from plot_checks import not_proportional

from gpuval import IntegrationScores, plots


def test_methods_go_by_their_totals_and_incomparable_ones_are_not_ranked():
    scores = integrations()
    display = plots.IntegrationDisplay.from_scores(scores)
    ranked = sorted(set(NAMES) - {"BBKNN", "unintegrated"}, key=lambda x: -scores[x]["Total"])
    assert display.methods == [*ranked, "BBKNN", "unintegrated"]
    assert scores["BBKNN"]["Total"] > scores["LIGER"]["Total"]  # which it would stand above by its number
    assert display.ranked == [True, True, True, True, False, True]
    for name, values in {**display.values, **display.means}.items():
        assert np.array_equal(values, [float(scores[x][name]) for x in display.methods], equal_nan=True)


def test_a_score_that_no_method_has_makes_no_mean_incomparable():
    bio = [[*row[:3], math.nan, row[4]] for row in BIO_VALUES[:3]]
    assert plots.IntegrationDisplay.from_scores(scores_of(NAMES[:3], bio, BATCH_VALUES[:3])).ranked == [True] * 3


def test_the_reference_is_named():
    scores = integrations()
    assert plots.IntegrationDisplay.from_scores(scores).unintegrated == "unintegrated"
    assert plots.IntegrationDisplay.from_scores(scores, unintegrated="scVI").methods[-1] == "scVI"
    del scores["unintegrated"]
    assert plots.IntegrationDisplay.from_scores(scores).unintegrated is None


def texts_by_place(ax):
    return {x.get_text(): x for x in ax.texts}


def numbers(ax, head):
    """The texts and the faces of the cells below a head, from the top to the bottom."""
    (at,) = (x for x in ax.texts if x.get_text() == head)
    x, top = at.get_position()
    below = [t for t in ax.texts if t.get_position()[0] == x and t.get_position()[1] > top]
    cells = sorted(below, key=lambda t: t.get_position()[1])
    patches = [p for p in ax.patches if isinstance(p, Rectangle) and abs(p.get_x() + p.get_width() / 2 - x) < 1e-6]
    return cells, sorted(patches, key=lambda p: p.get_y())


def test_the_best_of_a_column_is_bold_and_framed_and_what_is_left_out_has_its_reason():
    display = plots.IntegrationDisplay.from_scores(integrations()).plot()
    cells, patches = numbers(display.ax_, "iLISI")
    assert [x.get_text() for x in cells] == [f"{x:.2f}" for x in display.values["iLISI"]]
    best = [i == int(np.argmax(display.values["iLISI"])) for i in range(6)]
    assert [x.get_fontweight() == "bold" for x in cells] == best
    assert [x.get_linewidth() > 0 for x in patches] == best
    cells, _ = numbers(display.ax_, "BRAS")
    assert [x.get_text() for x in cells] == ["0.72", "0.70", "0.60", "0.66", "\N{EN DASH}", "0.41"]
    said = [x.get_text() for x in display.ax_.texts]
    note = "\N{EN DASH} Silhouette label, BRAS, PCR comparison of BBKNN: it gives a graph, no coordinates"
    assert note in " ".join(said)
    assert sum(x.endswith("†") for x in said) == 3
    plt.close(display.figure_)


def test_equal_numbers_are_all_the_best():
    cells, _ = numbers(ax := plots.plot_integration(integrations()), "cLISI")
    assert [x.get_fontweight() == "bold" for x in cells] == [x.get_text() == "0.99" for x in cells]
    plt.close(ax.figure)


def lightness(color):
    return sum(to_rgb(color))


def test_colours_are_on_a_fixed_scale():
    """A column of small differences looks as alike as it is; the same score has the same colour in each column."""
    low, high = (dict.fromkeys(BIO, x) for x in (0.50, 0.51))
    batch = dict.fromkeys(BATCH, 0.5)
    ax = plots.plot_integration({"a": IntegrationScores(low, batch), "b": IntegrationScores(high, batch)})
    _, patches = numbers(ax, "cLISI")
    assert abs(lightness(patches[0].get_facecolor()[:3]) - lightness(patches[1].get_facecolor()[:3])) < 0.05
    rescaled = plots.plot_integration(
        {"a": IntegrationScores(low, batch), "b": IntegrationScores(high, batch)}, scale="minmax"
    )
    assert any("Rescaled" in x.get_text() for x in rescaled.texts)
    assert not any("Rescaled" in x.get_text() for x in ax.texts)
    _, patches = numbers(rescaled, "cLISI")
    assert abs(lightness(patches[0].get_facecolor()[:3]) - lightness(patches[1].get_facecolor()[:3])) > 1
    plt.close("all")


def test_rescaled_scores_and_their_means():
    scores = integrations()
    del scores["BBKNN"]
    display = plots.IntegrationDisplay.from_scores(scores, scale="minmax")
    for name in (*BIO, *BATCH):
        values = np.array([float(scores[x][name]) for x in display.methods])
        np.testing.assert_allclose(display.values[name], (values - values.min()) / np.ptp(values))
    bio = np.mean([display.values[x] for x in BIO], axis=0)
    batch = np.mean([display.values[x] for x in BATCH], axis=0)
    np.testing.assert_allclose(display.means["Total"], 0.6 * bio + 0.4 * batch)


def test_bars_are_as_long_as_their_means():
    display = plots.IntegrationDisplay.from_scores(integrations()).plot()
    bars = [x for x in display.ax_.patches if x.get_zorder() == 2 and x.get_linewidth() in (0, 1.2)]
    tracks = {round(x.get_x(), 6): x.get_width() for x in display.ax_.patches if x.get_zorder() == 1}
    means = np.concatenate([display.means[x] for x in ("Total", "Bio conservation", "Batch correction")])
    shares = [x.get_width() / tracks[round(x.get_x(), 6)] for x in bars]
    assert not_proportional(shares, means) == []
    np.testing.assert_allclose(shares, means, rtol=0.02)
    assert not_proportional([1.1 * shares[0], *shares[1:]], means)
    lines = [x.get_xdata() for x in display.ax_.lines if x.get_linestyle() == "--"]
    starts = sorted({x.get_x() for x in bars})
    at = [(x[0] - start) / tracks[round(start, 6)] for x, start in zip(lines, starts, strict=True)]
    np.testing.assert_allclose(at, means[5::6])
    plt.close(display.figure_)


def test_repeats_are_means_with_the_span_of_totals():
    scores = integrations()
    repeats = [scores["scVI"], scores["Harmony"], scores["LIGER"]]
    display = plots.IntegrationDisplay.from_scores({"a": repeats, "b": scores["LIGER"]})
    totals = [x["Total"] for x in repeats]
    assert display.methods == ["a", "b"]
    assert display.means["Total"][0] == pytest.approx(np.mean(totals))
    assert [display.low[0], display.high[0]] == [min(totals), max(totals)]
    assert np.isnan(display.low[1])


def test_many_methods_are_bars_only():
    ax = plots.plot_integration(integrations(60))
    said = [x.get_text() for x in ax.texts]
    assert "iLISI" not in said
    assert all(f"method {i}" in said for i in range(59))
    assert "Without the 10 scores that the means are of" in said
    plt.close(ax.figure)


def test_of_too_many_methods_the_rest_is_counted():
    ax = plots.plot_integration(integrations(300))
    said = [x.get_text() for x in ax.texts]
    n_shown = sum(x.startswith("method") for x in said)
    assert f"({299 - n_shown} more)" in said
    assert "unintegrated" in said
    check_texts(ax.figure)
    plt.close(ax.figure)


SIZES = [(n, width) for n in (1, 2, 6, 20, 60) for width in (None, 7.3, 3.54)]


@pytest.mark.parametrize("kind", ["table", "scatter"])
@pytest.mark.parametrize(("n", "width"), SIZES)
def test_all_text_is_read_at_each_width(n, width, kind):
    scores = integrations(n)
    ax = plots.IntegrationDisplay.from_scores(scores).plot(width=width, kind=kind).ax_
    check_texts(ax.figure)
    if width:
        assert ax.figure.get_size_inches()[0] == pytest.approx(width)
    if kind == "table":
        shown = {x.get_text() for x in ax.texts}
        assert shown.issuperset(scores)
        assert ("iLISI" in shown) == (n <= 6 or (n == 20 and width != 3.54))
    plt.close(ax.figure)


@pytest.mark.parametrize("fault", ["small", "outside", "over"])
def test_text_that_is_not_read_is_found(fault):
    ax = plots.plot_integration(integrations())
    text = next(x for x in ax.texts if x.get_text() == "Harmony")
    other = next(x for x in ax.texts if x.get_text() == "LIGER")
    change = {
        "small": lambda: text.set_fontsize(6),
        "outside": lambda: text.set_x(-30),
        "over": lambda: text.set_position(other.get_position()),
    }
    ax.figure.set_layout_engine("none")  # which would make room
    change[fault]()
    said = {"small": "too small", "outside": "outside the canvas", "over": "over each other"}
    with pytest.raises(AssertionError, match=said[fault]):
        check_texts(ax.figure)
    plt.close(ax.figure)


@pytest.mark.parametrize(("scale", "title"), [("unit", ""), ("minmax", "Rescaled: lowest 0, highest 1")])
def test_the_scatter_says_that_scores_are_rescaled(scale, title):
    ax = plots.plot_integration(integrations(), scale=scale, kind="scatter")
    assert ax.get_title(loc="left") == title
    plt.close(ax.figure)


def test_the_scatter_has_a_point_for_each_method_at_its_means():
    display = plots.IntegrationDisplay.from_scores(integrations()).plot(kind="scatter")
    points = [x.get_xydata()[0] for x in display.ax_.lines if x.get_marker() in "os"]
    np.testing.assert_allclose(
        points, np.stack([display.means["Batch correction"], display.means["Bio conservation"]], 1)
    )
    for line in (x for x in display.ax_.lines if x.get_marker() not in "os"):
        totals = 0.6 * line.get_ydata() + 0.4 * line.get_xdata()
        np.testing.assert_allclose(totals, totals[0])
    names = [x.get_text() for x in drawn_texts(display.figure_)]
    assert {"scVI", "BBKNN†", "unintegrated"} <= set(names)
    plt.close(display.figure_)


def test_on_a_dark_ground_zero_is_the_ground():
    with plt.style.context("dark_background"):
        batch = dict.fromkeys(BATCH, 0.0)
        ax = plots.plot_integration({"a": IntegrationScores(dict.fromkeys(BIO, 0.0), batch)})
        _, patches = numbers(ax, "cLISI")
        assert to_hex(patches[0].get_facecolor()) == "#000000"
        plt.close(ax.figure)


WRONG = [
    (lambda: plots.plot_integration([1]), "scores must be a mapping from methods to IntegrationScores, got list"),
    (lambda: plots.plot_integration({}), "scores must be of at least one method, got none"),
    (lambda: plots.plot_integration({"a": 5}), "scores\\['a'\\] must be IntegrationScores, or those of at least one"),
    (lambda: plots.plot_integration({"a": [5]}), "scores\\['a'\\] must be IntegrationScores, got int"),
    (
        lambda: plots.plot_integration(integrations(), unintegrated="x"),
        "unintegrated must be one of the methods",
    ),
    (lambda: plots.plot_integration(integrations(), scale="log"), "scale must be one of 'unit', 'minmax', got 'log'"),
    (lambda: plots.plot_integration(integrations(), kind="bars"), "kind must be one of 'table', 'scatter', got 'bars'"),
    (lambda: plots.IntegrationDisplay.from_scores(integrations()).plot(width=0), "width must be from 2.8 to 13 inches"),
    (lambda: plots.plot_integration(integrations(), ax=Figure()), "ax must be a matplotlib Axes, got Figure"),
    (lambda: plots.IntegrationDisplay([], {}, {}, {}), "methods must be at least one, got none"),
    (lambda: plots.IntegrationDisplay("a", {"x": [1, 2]}, {}, {}), "values must be one for each of the 1 methods, got"),
    (lambda: plots.IntegrationDisplay("a", {}, {"Total": [1]}, {}), "means must have 'Total', 'Bio conservation' and"),
    (
        lambda: plots.IntegrationDisplay(
            "a", {}, {"Total": [1], "Bio conservation": [1], "Batch correction": [1]}, {"Batch correction": ["x"]}
        ),
        "groups must be of scores that values has, \\[\\], got 'x'",
    ),
]


@pytest.mark.parametrize(("call", "said"), WRONG, ids=[x for _, x in WRONG])
def test_wrong_arguments_are_told(call, said):
    with pytest.raises((TypeError, ValueError), match=f"^{said}"):
        call()
