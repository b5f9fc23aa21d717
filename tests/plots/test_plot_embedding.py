"""The plot of samples in the plane: colours, names, those that are off, and pixels in place of many points."""

import io
import itertools
import re
import time

import dask.array as da
import jax.numpy as jnp
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import polars as pl
import pytest
import torch
from figure_checks import check_texts, drawn_texts
from matplotlib.collections import PathCollection
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from picture_data import islands
from plot_checks import bars_beside, hex_colors, polygons, repeated

import gpuval
from gpuval import plots
from gpuval.display.colors import OTHERS, class_colors, cluster_colors
from gpuval.plots._embedding_parts import densest, majorities


def grid(n=3, **size):
    return list(Figure(layout="constrained", **size).subplots(1, n, squeeze=False).ravel())


def faces(ax, layer=-1):
    """The colours of points, by their places, of the scatters of a panel from the lowest to the highest."""
    points = [x for x in ax.collections if isinstance(x, PathCollection)][layer]
    colors = np.broadcast_to(points.get_facecolors(), (len(points.get_offsets()), 4))
    return {tuple(xy): to_hex(c).upper() for xy, c in zip(points.get_offsets().tolist(), colors, strict=True)}


def check_colors(ax, coordinates, labels, colors):
    """Fail if a sample does not have the colour of its label."""
    expected = {tuple(xy): colors[label] for xy, label in zip(coordinates.tolist(), labels, strict=True)}
    assert faces(ax) == expected, "a class of two colours"


def test_samples_have_the_colours_of_their_classes_and_clusters():
    xy, true, pred = islands()
    axes = plots.plot_embedding(xy, true, pred, ax=grid())
    sizes = pd.Series(true).value_counts()
    colors = dict(zip(sizes.index, class_colors(sizes.to_list()), strict=True))
    check_colors(axes[0], xy, true, colors)
    counts = pd.crosstab(true, pred)
    of_clusters = cluster_colors(counts.to_numpy(), [colors[x] for x in counts.index])
    check_colors(axes[1], xy, pred, dict(zip(counts.columns, of_clusters, strict=True)))
    legend = axes[1].get_legend()
    shown = [x.get_text() for x in legend.get_texts()]
    assert shown == [f"{name}  {n}" for name, n in sizes.items()]
    assert [x.get_color() for x in legend.legend_handles] == list(colors.values())
    with pytest.raises(AssertionError, match="two colours"):
        check_colors(axes[0], xy, true, {**colors, sizes.index[0]: "#000000"})


def colors_of_classes(xy, true, pred):
    """The colour of each class in all plots that have one, by plot."""
    embedding = plots.EmbeddingDisplay.from_labels(xy, true, pred).plot(grid())
    confusion = plots.ConfusionDisplay.from_labels(true, pred).plot()
    flow = plots.FlowDisplay.from_labels(true, pred).plot()
    tree = plots.TreeDisplay.from_labelings([pred, pred], true).plot()
    found = {
        "embedding": dict(zip(embedding.classes, embedding.colors, strict=True)),
        "confusion": dict(zip(confusion.classes, bars_beside(confusion.ax_, "right")[0], strict=True)),
        "flow": dict(zip(flow.classes, hex_colors(polygons(flow.ax_)[1]), strict=True)),
    }
    for name, ax in (("legend of embedding", embedding.axes_[1]), ("legend of tree", tree.ax_)):
        legend = ax.get_legend()
        names = [x.get_text().rpartition("  ")[0] for x in legend.get_texts()]
        found[name] = dict(zip(names, [x.get_color() for x in legend.legend_handles], strict=True))
    plt.close("all")
    return found


def check_one_color(found):
    """Fail if a class has two colours."""
    first, *others = found.values()
    for other in others:
        assert {str(k): x.upper() for k, x in other.items()} == first, "a class of two colours"


def test_a_class_has_one_colour_in_all_plots():
    found = colors_of_classes(*islands())
    check_one_color(found)
    found["flow"]["type c"] = "#000000"
    with pytest.raises(AssertionError, match="two colours"):
        check_one_color(found)


def test_the_third_panel_shows_one_minus_purity():
    xy, true, pred = islands()
    display = plots.EmbeddingDisplay.from_labels(xy, true, pred).plot(grid())
    assert display.is_off.mean() == pytest.approx(1 - float(gpuval.purity_score(true, pred)))
    mains = pd.crosstab(true, pred).idxmax()
    off = mains[pred].to_numpy() != true
    assert np.array_equal(display.is_off, off)
    grey, colored = faces(display.axes_[2], 0), faces(display.axes_[2], 1)
    assert set(grey) == set(map(tuple, xy[~off].tolist()))
    assert len(set(grey.values())) == 1
    colors = dict(zip(display.classes, display.colors, strict=True))
    assert colored == {tuple(p): colors[x] for p, x in zip(xy[off].tolist(), true[off], strict=True)}
    title = display.axes_[2].get_title(loc="left").replace("\n", " ")
    assert title == f"Not of their cluster's main class: {off.sum()} of 600 ({100 * off.mean():.0f}\N{NO-BREAK SPACE}%)"


@pytest.mark.parametrize(
    ("made", "of_places"),
    [
        (list, list),
        (torch.asarray, torch.asarray),
        (jnp.asarray, jnp.asarray),
        (lambda x: da.from_array(np.asarray(x), chunks=200), da.from_array),
        (pd.Series, pd.DataFrame),
        (pl.Series, pl.from_numpy),
        (lambda x: pd.Series(x, dtype="category"), np.asarray),
    ],
    ids=["list", "torch", "jax", "dask", "pandas", "polars", "categorical"],
)
def test_labels_and_coordinates_of_any_library(made, of_places):
    xy, true, pred = islands()
    codes = np.unique(true, return_inverse=True)[1]
    found = plots.EmbeddingDisplay.from_labels(of_places(xy), made(codes), made(pred))
    expected = plots.EmbeddingDisplay.from_labels(xy, codes, pred)
    np.testing.assert_allclose(found.coordinates, xy, rtol=1e-6)
    assert found.clusters == expected.clusters
    assert np.array_equal(found.cluster_codes, expected.cluster_codes)


def test_one_set_of_labels_may_be_clusters():
    """Without labels of the other side it is not known which they are; counts are of labels."""
    xy, true, pred = islands()
    for labels in (true, pred):
        (ax,) = plots.EmbeddingDisplay.from_labels(xy, labels).plot().axes_
        assert ax.get_title(loc="left") == f"{len(set(labels))} labels"
        plt.close(ax.figure)


def test_columns_of_frames_name_the_axes():
    xy, true, _ = islands()
    frame = pd.DataFrame(xy, columns=["UMAP 1", "UMAP 2"])
    ax = plots.plot_embedding(frame, true, ax=grid(1)[0])
    assert [ax.get_xlabel(), ax.get_ylabel()] == ["UMAP 1 \N{RIGHTWARDS ARROW}", "UMAP 2 \N{RIGHTWARDS ARROW}"]
    assert plots.EmbeddingDisplay.from_labels(frame, true, axis_names=("a", "b")).axis_names == ("a", "b")


def test_features_have_numbers_and_scales_of_their_own():
    xy, true, pred = islands()
    features = pd.DataFrame(xy * [1.0, 1000.0], columns=["length (cm)", "weight (g)"])
    axes = plots.plot_embedding(features, true, pred, has_units=True)
    assert {ax.get_aspect() for ax in axes} == {"auto"}
    assert [ax.yaxis.get_tick_params()["labelleft"] for ax in axes] == [True, False, False]
    for ax in axes:
        assert len(ax.get_xticks()) > 2
        np.testing.assert_array_less(ax.get_ylim()[0], features["weight (g)"].min())
    in_plane = plots.plot_embedding(features, true, pred)
    assert not any(len(ax.get_xticks()) for ax in in_plane)
    for x in (axes, in_plane):
        plt.close(x[0].figure)


def test_colours_of_users_and_of_what_is_spoken_of():
    xy, true, _ = islands()
    display = plots.EmbeddingDisplay.from_labels(xy, true, colors={"type b": "#123456"})
    assert display.colors[display.classes.index("type b")] == "#123456"
    xy, true, _ = islands(3000, 40, 40)
    rare = pd.Series(true).value_counts().index[-1]
    display = plots.EmbeddingDisplay.from_labels(xy, true)
    assert display.colors[display.classes.index(rare)] == OTHERS
    assert sum(x != OTHERS for x in display.colors) == 12
    display = plots.EmbeddingDisplay.from_labels(xy, true, named=[rare])
    assert display.colors[display.classes.index(rare)] != OTHERS


def test_samples_that_are_ignored_are_not_drawn():
    display = plots.EmbeddingDisplay.from_labels([[0, 0], [1, 1], [2, 2]], [0, -1, 1], [0, 0, -1], ignore_labels=[-1])
    assert display.coordinates.tolist() == [[0, 0]]
    assert display.classes[display.class_codes[0]] == 0


@pytest.mark.parametrize(("n", "area"), [(700, 30.0), (10_000, 12.0), (150_000, 1.0)])
def test_points_are_smaller_the_more_they_are(n, area):
    xy, true, _ = islands(n)
    ax = plots.plot_embedding(xy, true, ax=grid(1)[0])
    (points,) = ax.collections
    assert points.get_sizes().tolist() == [area]
    assert bool(points.get_rasterized()) == (n >= 2_000)


def test_the_order_of_drawing_is_random_and_the_same_each_time():
    xy, true, _ = islands()
    one, same = (plots.plot_embedding(xy, true, ax=grid(1)[0]).collections[0].get_offsets() for _ in range(2))
    assert np.array_equal(one, same)
    assert not np.array_equal(one, xy)
    assert np.array_equal(np.sort(one, axis=0), np.sort(xy, axis=0))


def test_names_stand_where_samples_are_densest():
    """A group of two islands: its median lies between them, its name does not."""
    random = np.random.default_rng(0)
    islands_of_one = np.concatenate([random.normal(-5, 0.3, (300, 2)), random.normal(5, 0.3, (200, 2))])
    place = densest(islands_of_one, np.zeros(500, dtype=int), 2)
    np.testing.assert_allclose(place[0], [-5, -5], atol=0.5)
    assert np.isnan(place[1]).all()


def test_of_names_that_would_overlap_the_one_of_the_larger_group_is_written():
    xy = np.random.default_rng(0).normal(0, 1, (300, 2))
    labels = np.repeat(["many of them", "some of them"], [200, 100])
    ax = plots.plot_embedding(xy, labels, ax=grid(1)[0])
    assert [x.get_text() for x in ax.texts] == ["many of them"]
    assert [x.get_text() for x in ax.get_legend().get_texts()] == ["many of them  200", "some of them  100"]


def test_pixels_have_the_colour_of_most_of_their_samples():
    pixels, codes = np.array([3, 3, 3, 5, 5, 5]), np.array([0, 1, 1, 2, 0, 2])
    assert majorities(pixels, codes, 3)[[3, 5, 4]].tolist() == [1, 2, 0]


def test_pixels_are_the_more_opaque_the_more_samples_they_have():
    xy, true, pred = islands(250_000)
    axes = plots.plot_embedding(xy, true, pred, ax=grid())
    (picture,) = axes[0].images
    pixels = picture.get_array()
    assert pixels.shape == (700, 700, 4)
    left, right, bottom, top = picture.get_extent()
    edges = np.linspace(bottom, top, 701), np.linspace(left, right, 701)
    counts = np.histogram2d(xy[:, 1], xy[:, 0], bins=edges)[0]
    assert ((pixels[..., 3] > 0) == (counts > 0)).mean() > 0.9999
    order = np.argsort(counts.ravel())
    opacity = pixels[..., 3].ravel()[order]
    assert (np.diff(opacity[::500].astype(int)) >= -40).all()
    assert np.corrcoef(np.log1p(counts.ravel()), pixels[..., 3].ravel())[0, 1] > 0.8
    colors = {tuple(int(x[i : i + 2], 16) for i in (1, 3, 5)) for x in class_colors(range(6))}
    assert {tuple(x[:3]) for x in pixels[counts > 0].reshape(-1, 4).tolist()} == colors


def test_a_million_samples_are_small_and_soon_drawn():
    xy, true, pred = islands(1_000_000, 45, 48)
    codes = np.unique(true, return_inverse=True)[1]
    start = time.process_time()
    axes = plots.plot_embedding(xy, codes, pred, ax=grid(figsize=(12, 4)))
    assert time.process_time() - start < 3.0
    written = io.BytesIO()
    axes[0].figure.savefig(written, format="svg")
    sizes = [3 / 4 * len(x) for x in re.findall(r'base64,([^"]+)"', written.getvalue().decode())]
    assert len(sizes) == 3
    assert max(sizes) < 300_000


CASES = {"two": (100, 2, 3), "fifteen": (3000, 15, 18), "sixty": (20_000, 60, 70), "many": (250_000, 300, 320)}


@pytest.mark.parametrize("width", [None, 7.3, 3.54])
@pytest.mark.parametrize("case", [*CASES, "features"])
def test_all_text_is_read_at_each_width(case, width):
    xy, true, pred = islands(*CASES.get(case, CASES["two"]))
    how = {"names": ("cell types of all donors", "leiden_1.5"), "has_units": case == "features"}
    display = plots.EmbeddingDisplay.from_labels(xy, true, pred, **how)
    display.plot(width=width)
    check_texts(display.figure_)
    assert (display.figure_.get_size_inches() <= 13.01).all()
    if width:
        assert display.figure_.get_size_inches()[0] == pytest.approx(width)
    shown = [x.get_text() for x in drawn_texts(display.figure_)]
    sizes = pd.Series(true).value_counts()
    assert all(f"{name}  {n:,}" in shown for name, n in sizes.head(12 if len(sizes) > 24 else 24).items())
    plt.close(display.figure_)


def test_up_to_24_classes_have_colours_of_their_own():
    xy, true, _ = islands(3000, 24, 24)
    display = plots.EmbeddingDisplay.from_labels(xy, true)
    assert repeated(display.colors) == []
    display.colors[3] = display.colors[5]
    assert repeated(display.colors) == [display.colors[3]]


def test_long_names_are_read_too():
    xy, true, pred = islands()
    long = np.array([f"{'a long name ' * 7}{x}" for x in true])
    for width in (None, 3.54):
        display = plots.EmbeddingDisplay.from_labels(xy, long, pred, names=("$x$" * 30, "<script>"))
        axes = display.plot(width=width).axes_
        check_texts(axes[0].figure)
        written = [x.get_text() for x in axes[0].texts]
        assert len(set(written)) == len(written)
        plt.close(axes[0].figure)


def test_points_of_one_place_and_one_sample():
    for xy in ([[1.0, 2.0]] * 5, [[1.0, 1e9]] * 5):
        axes = plots.plot_embedding(xy, [0] * 5, [0, 1] * 2 + [0], ax=grid())
        axes[0].figure.draw_without_rendering()
        assert len(axes) == 3
    ax = plots.plot_embedding([[0, 0]], ["a"], ax=grid(1)[0])
    ax.figure.draw_without_rendering()
    assert len(ax.collections) > 0


def test_panels_have_the_same_limits():
    xy, true, pred = islands()
    axes = plots.plot_embedding(xy, true, pred)
    for one, other in itertools.pairwise(axes):
        assert one.get_xlim() == other.get_xlim()
        assert one.get_ylim() == other.get_ylim()
    assert {ax.get_aspect() for ax in axes} == {1.0}
    plt.close(axes[0].figure)


XY = [[0.0, 0.0], [1.0, 1.0]]
WRONG = [
    (lambda: plots.plot_embedding([[0.0], [1.0]], [0, 1]), "coordinates must have two columns, got shape (2, 1)"),
    (lambda: plots.plot_embedding([[0.0, np.nan], [1.0, 1.0]], [0, 1]), "coordinates must be finite, got NaN or infin"),
    (lambda: plots.plot_embedding(XY, [0]), "labels_true must have as many samples as coordinates (2), got 1"),
    (lambda: plots.plot_embedding(XY, [0, 1], [0]), "labels_pred must have as many samples as labels_true (2), got 1"),
    (lambda: plots.plot_embedding(XY, [0, 0], ignore_labels=0), "coordinates must be of at least one sample, got none"),
    (lambda: plots.plot_embedding("xy", [0, 1]), "coordinates must be an array of samples and features, got str"),
    (lambda: plots.plot_embedding(XY, [0, 1], [0, 1], ax=grid(2)), "ax must be 3 matplotlib Axes, one for each panel"),
    (lambda: plots.plot_embedding(XY, [0, 1], ax=Figure()), "ax must be a matplotlib Axes, got Figure"),
    (lambda: plots.EmbeddingDisplay.from_labels(XY, [0, 1]).plot(width="a"), "width must be a number, got 'a'"),
    (lambda: plots.EmbeddingDisplay(XY, [0], "a"), "class_codes must be one for each of the 2 samples, got shape (1,)"),
    (lambda: plots.EmbeddingDisplay(XY, [0, 1], "a"), "class_codes must be integers from 0 to 0, the places of labels"),
]


@pytest.mark.parametrize(("call", "said"), WRONG, ids=[x for _, x in WRONG])
def test_wrong_arguments_are_told(call, said):
    with pytest.raises((TypeError, ValueError), match=f"^{re.escape(said)}"):
        call()
