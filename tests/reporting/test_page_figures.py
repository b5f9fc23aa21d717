"""Figures in a page: the colours of the page, halos and dots as few elements, coordinates, and what is whole."""

import re

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure
from matplotlib.patheffects import withStroke
from report_pages import Page

import gpuval
from gpuval.display.colors import AGREE, DARK_GROUND, contrast
from gpuval.reporting.coordinates import first_columns, key_to_draw, read_coordinates
from gpuval.reporting.svg import INK, PAPER, STYLE, as_svg, color_of_page


@pytest.fixture(autouse=True)
def _of_a_page():
    with mpl.rc_context(STYLE):
        yield


A, B = [0, 0, 0, 1, 1, 1, 2, 2] * 9, [0, 0, 1, 1, 1, 2, 2, 2] * 9


@pytest.mark.parametrize("color", ["#9A9A9A", "#ffffff", "#000000", "#808080", "#0072B2", "#F0E442"])
def test_colours_of_plots_stay(color):
    assert color_of_page(color) == color


@pytest.mark.parametrize("share", [0.1, 0.25, 0.6, 0.9])
def test_mixtures_of_ink_and_paper_are_those_of_the_page(share):
    ink, paper = ([int(x[i : i + 2], 16) for i in (1, 3, 5)] for x in (INK, PAPER))
    mixed = "".join(f"{round(p + share * (i - p)):02x}" for i, p in zip(ink, paper, strict=True))
    assert color_of_page(f"#{mixed}") == f"color-mix(in srgb, currentColor {100 * share:.0f}%, var(--ground))"


def test_text_in_a_colour_of_its_own_is_lighter_on_dark_pages():
    figure = Figure(figsize=(3, 2))
    for place, color in enumerate(("#004f7d", "#f0e442", "#000000", INK)):
        figure.text(0.5, place / 4, color[1:], color=color)
    svg = as_svg(figure, "x", "about")
    (dark,) = re.findall(r"light-dark\(#004f7d, (#\w+)\)", svg)
    assert contrast(dark, DARK_GROUND) >= 4.5
    assert svg.count("light-dark") == 1


def test_ids_do_not_depend_on_the_last_digit_of_a_place():
    """Sums of a machine may differ in it from run to run; a page is the same each time."""
    drawings = []
    for left in (0.1, np.nextafter(0.1, 1)):
        figure = Figure(figsize=(3, 2))
        figure.add_axes((left, 0.1, 0.8, 0.8)).scatter([1, 2, 3], [1, 3, 2])
        drawings.append(as_svg(figure, "x", "about"))
    assert drawings[0] == drawings[1]
    assert set(re.findall(r"#(x-\d+)", drawings[0])) == set(re.findall(r'id="([^"]+)"', drawings[0])) != set()


def test_what_is_as_expected_is_faint_on_both_grounds():
    light, dark = re.findall(r"#\w+", color_of_page(AGREE.lower()))
    assert light == AGREE
    assert contrast(dark, DARK_GROUND) < contrast(light, DARK_GROUND)
    assert contrast(dark, "#e6eaf0") >= 4.5  # text on it


def test_text_with_a_halo_stays_text():
    figure = Figure(figsize=(3, 2))
    text = figure.text(0.5, 0.5, "a name")
    text.set_path_effects([withStroke(linewidth=2.5, foreground="#fdfcfb")])
    svg = as_svg(figure, "x", "about")
    assert ">a name</text>" in svg
    assert "paint-order: stroke; stroke: var(--ground); stroke-width: 2.5" in svg


def test_many_dots_are_few_elements_in_their_places():
    rng = np.random.default_rng(0)
    colors, at = np.array(["#0072b2", "#e69f00"]), rng.random((500, 2))
    figure = Figure(figsize=(4, 4))
    ax = figure.add_axes((0, 0, 1, 1), xlim=(0, 1), ylim=(0, 1))
    ax.scatter(*at.T, s=16, c=colors[np.arange(500) % 2], edgecolors="#112233", linewidths=0.5)
    svg = as_svg(figure, "x", "about")
    assert len(re.findall("<use", svg)) < 40
    points = np.array(re.findall(r"M([\d.]+) ([\d.]+)h0", svg), dtype=float)
    assert len(points) == 500
    expected = at * [288, -288] + [0, 288]  # points of 1/72 inch, y downwards
    nearest = np.abs(points[:, None] - expected[None]).max(axis=2)
    assert nearest.min(axis=0).max() < 0.11  # each is there, rounded to a tenth
    assert nearest.min(axis=1).max() < 0.11
    assert set(re.findall(r"stroke-width: ([\d.]+)", svg)) >= {"4.50", "3.50"}  # diameter 4, and half of each edge


def test_a_figure_is_as_large_as_it_was_drawn():
    svg = as_svg(Figure(figsize=(3.54, 2)), "x", "about <b>")
    assert ' width="340" height="192"' in svg
    assert 'aria-label="about &lt;b&gt;"' in svg


def test_ids_are_those_of_one_figure():
    html = gpuval.report(A, {"k=2": A, "k=3": B}, X=np.random.default_rng(0).normal(size=(72, 2))).html
    page = Page(html)  # which fails where an id is there twice
    assert len({x.partition("-")[0] for x in page.ids if x.startswith("figure")}) >= 4
    for used in re.findall(r"(?:href=\"|url\()#(figure[^\")]*)", html):
        assert used in page.ids


# Where samples are drawn.


def test_coordinates_and_their_names():
    frame = pd.DataFrame({"UMAP 1": np.arange(72.0), "UMAP 2": 0.0})
    page = Page(gpuval.report(A, {"b": B}, coordinates=frame, metrics=["ari"], n_resamples=9).html)
    assert {x[:-1].strip() for x in page.svg_texts if x.endswith("→")} == {"UMAP 1", "UMAP 2"}
    assert "b in the embedding" in page.headings
    features = frame.set_axis(["length", "weight"], axis=1).to_numpy()
    page = Page(gpuval.report(A, {"b": B}, X=features, metrics=["ari"], n_resamples=9).html)
    assert "b by both features" in page.headings
    none = Page(gpuval.report(A, {"b": B}, metrics=["ari"], n_resamples=9).html)
    assert "b in the embedding" not in none.headings


def test_the_first_columns_of_samples():
    X = np.arange(12.0).reshape(4, 3)
    for given in (X, X.tolist(), pd.DataFrame(X, columns=list("xyz"))):
        assert first_columns(given).points.tolist() == X[:, :2].tolist()
    assert first_columns(pd.DataFrame(X, columns=list("xyz"))).names == ("x", "y")
    assert first_columns(X).names == ("column 1", "column 2")
    assert first_columns(X[:, :1]) is None
    assert first_columns(None) is None
    assert first_columns(np.full((4, 2), np.nan)) is None


def test_distances_are_no_places():
    X = np.random.default_rng(0).normal(size=(72, 2))
    distances = np.linalg.norm(X[:, None] - X[None], axis=2)
    from functools import partial

    metric = partial(gpuval.silhouette_score, metric="precomputed")
    page = Page(gpuval.report(A, {"b": B}, X=distances, metrics=[metric], confidence_level=None).html)
    assert "b in the embedding" not in page.headings


@pytest.mark.parametrize(
    ("keys", "found"),
    [
        (["X_pca"], None),
        (["X_pca", "X_draw_graph_fa"], "X_draw_graph_fa"),
        (["X_tsne", "X_umap"], "X_umap"),
        (["X_draw_graph_fr", "X_tsne"], "X_tsne"),
    ],
)
def test_which_embedding_is_drawn(keys, found):
    assert key_to_draw(keys) == found


@pytest.mark.parametrize(
    ("coordinates", "message"),
    [
        (np.zeros((4, 3)), r"coordinates must have shape \(n_samples, 2\), got \(4, 3\)"),
        (np.zeros((3, 2)), r"coordinates must have as many samples as the labelings \(4\), got 3"),
        (np.full((4, 2), np.inf), "coordinates must be finite"),
    ],
)
def test_wrong_coordinates(coordinates, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        read_coordinates(coordinates, 4)


def test_coordinates_that_are_no_numbers():
    with pytest.raises(TypeError, match=r"^coordinates must be"):
        read_coordinates("X_umap", 4)
