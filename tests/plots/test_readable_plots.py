"""All plots, at few and many categories, wide and on a phone: each text is read, and no label is missing."""

from functools import cache

import matplotlib
import numpy as np
import pytest
from matplotlib.figure import Figure
from picture_data import blobs, clusterings, similar_labelings
from readable import drawn_texts, faults_of_text

import gpuval
from gpuval import plots
from gpuval.plots._axes import names_on_plot

WIDTHS = [None, 7.3, 3.54]
"""Inches: a figure's own, that of half a page of a report, and that of a phone."""

LONG = [
    *("CD4+ T helper 1 cell", "CD4+ T helper 17 cell", "CD8+ cytotoxic T cell", "regulatory T cell", "B naive"),
    *("natural killer cell CD56 bright", "natural killer cell CD56 dim", "classical monocyte", "plasma", "platelet"),
    *("non-classical monocyte", "B memory", "dendritic myeloid", "dendritic plasmacytoid", "megakaryocyte"),
]
"""Names that are longer than their places, some of which differ in few letters."""


def labels_of(n):
    true, pred = clusterings(n, {2: 2, 15: 16, 60: 58, 300: 330}[n])
    if n == 15:
        true = np.array(LONG)[np.unique(true, return_inverse=True)[1]]
    return true, pred


def confusion(n, width):
    return plots.ConfusionDisplay.from_labels(*labels_of(n)).plot(width=width)


def confusion_of_clusters(n, width):
    return plots.ConfusionDisplay.from_labels(*labels_of(n)).plot(width=width, normalize="cluster", unit="cells")


def confusion_of_counts(n, width):
    return plots.ConfusionDisplay.from_labels(*labels_of(n)).plot(width=width, normalize="none")


def flow(n, width):
    return plots.FlowDisplay.from_labels(*labels_of(n), max_labels=25 if n > 60 else None).plot(width=width)


def label_scores(n, width):
    table = gpuval.Contingency.from_labels(*labels_of(n))
    scores = gpuval.cluster_precision(table)
    low, high = scores.scores - 0.05, np.minimum(scores.scores + 0.05, 1.0)
    display = plots.LabelScoresDisplay.from_scores(scores, table, low=low, high=high)
    return display.plot(width=width, score_name="precision", mean_name="purity")


def label_scores_alone(n, width):
    return plots.LabelScoresDisplay.from_scores(gpuval.cluster_recall(*labels_of(n))).plot(width=width)


def silhouette(n, width):
    return plots.SilhouetteDisplay.from_samples(*blobs(n, 20 if n > 100 else 60)).plot(width=width)


@cache
def pairs(n, metric):
    return gpuval.pairwise(similar_labelings(n, 300), metric)


@cache
def pairs_of_a_sweep(n):
    labelings = {f"leiden_{i / 10}": x for i, x in enumerate(similar_labelings(n, 300).values())}
    return gpuval.pairwise({"truth": labelings["leiden_0.0"], **labelings})


def agreement(n, width):
    return plots.AgreementDisplay.from_pairwise(pairs(n, "ari")).plot(width=width)


def agreement_of_two_sides(n, width):
    return plots.AgreementDisplay.from_pairwise(pairs(n, "homogeneity")).plot(width=width)


def agreement_with_a_truth(n, width):
    return plots.AgreementDisplay.from_pairwise(pairs_of_a_sweep(n), truth="truth").plot(width=width)


DRAWN = [
    *(confusion, confusion_of_clusters, confusion_of_counts, flow, label_scores, label_scores_alone, silhouette),
    *(agreement, agreement_of_two_sides, agreement_with_a_truth),
]


@pytest.fixture(autouse=True)
def _figures_are_no_windows():
    from gpuval.plots._axes import detach_from_pyplot

    with detach_from_pyplot():
        yield


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("n", [2, 15, 60, 300])
@pytest.mark.parametrize("draw", DRAWN)
def test_all_text_is_read(draw, n, width):
    figure = draw(n, width).figure_
    assert width is None or figure.get_figwidth() == width
    assert max(figure.get_size_inches()) <= 13
    assert list(faults_of_text(figure)) == []


@pytest.mark.filterwarnings(r"ignore:Glyph \d+ .*missing from (current )?font:UserWarning")
@pytest.mark.parametrize("width", [None, 2.8, 12.3])
@pytest.mark.parametrize("size", [9, 14])
def test_long_names_are_read(width, size):
    true, pred = clusterings(7, 8)
    codes = np.unique(true, return_inverse=True)[1]
    true = np.array([f"the {i}th of the classes of cells that have a name of about 80 letters, $x_{i}$" for i in codes])
    pred = np.array([f"{i} \u6f22 and a cluster with a name that is as long as those of classes" for i in pred])
    table = gpuval.Contingency.from_labels(true, pred)
    values = np.linspace(-0.02, 0.01, len(true))
    labelings = {f"one of the labelings, which has the longest name of all, number {i}": true for i in range(4)}
    with matplotlib.rc_context({"font.size": size}):
        for display in (
            plots.ConfusionDisplay.from_table(table),
            plots.FlowDisplay.from_table(table),
            plots.LabelScoresDisplay.from_scores(gpuval.cluster_precision(table), table),
            plots.SilhouetteDisplay(values, pred, true),
            plots.AgreementDisplay.from_labelings({**labelings, "other": pred}, truth="other"),
        ):
            assert list(faults_of_text(display.plot(width=width).figure_)) == [], type(display)


def names_of(display):
    """The labels that a display has a row, column, bar or band for."""
    if isinstance(display, plots.ConfusionDisplay | plots.FlowDisplay):
        return [*display.classes, *display.clusters]
    if isinstance(display, plots.AgreementDisplay):
        return display.names
    if isinstance(display, plots.LabelScoresDisplay):
        return display.labels
    sizes = [-len(x) for x in display.silhouettes]
    return [display.clusters[i] for i in np.argsort(sizes, kind="stable")[:40]]


def missing_names(display):
    """The labels that no text begins with."""
    written = [x.get_text() for x, *_ in drawn_texts(display.figure_)]
    names = names_on_plot(names_of(display))
    return [name for name in names if not any(x == name or x.startswith(f"{name}  ") for x in written)]


@pytest.mark.parametrize(
    ("draw", "n"),
    [
        *((draw, n) for draw in DRAWN for n in (2, 15)),
        *((flow, 60), (label_scores, 60), (label_scores_alone, 300), (silhouette, 60), (silhouette, 300)),
    ],
)
def test_all_labels_are_there(draw, n):
    assert missing_names(draw(n, None)) == []


def test_a_label_that_is_missing_is_found():
    display = silhouette(15, None)
    planted = display.ax_.get_yticklabels()[4]
    name = planted.get_text()
    others = [x.get_text().replace(name, "") for x in display.ax_.get_yticklabels()]
    display.ax_.set_yticks(display.ax_.get_yticks(), labels=others)
    assert missing_names(display) == [name]


@pytest.mark.parametrize("n", [15, 60])
def test_clusters_are_in_natural_order(n):
    names = [x.get_text() for x in silhouette(n, None).ax_.get_yticklabels()]
    numbers = [int(x.split()[1]) for x in names if x.startswith("cluster")]
    assert len(numbers) == min(n, 40)
    assert numbers == sorted(numbers)


def test_text_that_is_not_read_is_found():
    figure = Figure(figsize=(4, 3))
    figure.text(0.5, 0.5, "over another")
    assert list(faults_of_text(figure)) == []
    for place, options, said in (
        ((0.5, 0.51), {}, "'planted' and 'over another' overlap"),
        ((0.1, 0.1), {"fontsize": 8}, "'planted' is small: 8.00 points"),
        ((0.9, 0.1), {}, "'planted' is not within the figure"),
        ((0.2, 0.2), {"rotation": 45}, "'planted' is slanted"),
    ):
        planted = figure.text(*place, "planted", **options)
        assert list(faults_of_text(figure)) == [said]
        planted.remove()
