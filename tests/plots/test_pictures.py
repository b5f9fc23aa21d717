"""Pictures of all plots at 2, 15, 60 and 300 labels, on a phone and on dark ground, and those looked at: ``baseline/``.

``pytest tests/plots/test_pictures.py --mpl-generate-path=tests/plots/baseline`` makes them anew; look at each then.
"""

import functools
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from matplotlib import style
from matplotlib.figure import Figure
from picture_data import blobs, clusterings, integrations, islands, labelings_of, similar_labelings, stabilities, sweep

import gpuval
from gpuval import plots

SIZES = (2, 15, 60, 300)

PHONE = 3.54
"""Inches of a figure on a phone."""


def pictured(test):
    """Compare the figure that the test returns, drawn in matplotlib's own style whatever the user's is."""
    return pytest.mark.mpl_image_compare(style="default", backend="agg", tolerance=2, savefig_kwargs={"dpi": 40})(test)


def labels_of(n):
    """Labels of so many classes, and of about as many clusters."""
    return clusterings(n, {2: 2, 15: 16, 60: 58, 300: 330}[n])


def confusion(n, **options):
    return plots.ConfusionDisplay.from_labels(*labels_of(n)).plot(**options).figure_


def flow(n, **options):
    most = 25 if n > 60 else None
    return plots.FlowDisplay.from_labels(*labels_of(n), max_labels=most).plot(**options).figure_


def agreement(n, **options):
    return plots.AgreementDisplay.from_labelings(similar_labelings(n, 400)).plot(**options).figure_


def label_scores(n, **options):
    table = gpuval.Contingency.from_labels(*labels_of(n))
    scores = gpuval.cluster_precision(table)
    low, high = scores.scores - 0.06, np.minimum(scores.scores + 0.06, 1)
    display = plots.LabelScoresDisplay.from_scores(scores, table, low=low, high=high)
    return display.plot(score_name="precision", mean_name="purity", **options).figure_


def silhouette(n, **options):
    X, labels = blobs(n, 20 if n > 100 else 60)
    return plots.SilhouetteDisplay.from_samples(X, labels).plot(**options).figure_


DRAWN = [confusion, flow, agreement, label_scores, silhouette]


@pictured
@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("draw", DRAWN)
def test_sizes(draw, n):
    return draw(n)


@pictured
@pytest.mark.parametrize("draw", DRAWN)
def test_on_a_phone(draw):
    return draw(15, width=PHONE)


@pictured
@pytest.mark.parametrize("draw", DRAWN)
def test_on_dark_ground(draw):
    with style.context("dark_background"):
        return draw(15)


@pictured
def test_confusion_of_counts():
    return plots.plot_confusion(*clusterings(5, 4), normalize="none").figure


@pictured
def test_agreement_of_few_by_distances():
    return plots.plot_agreement(similar_labelings(2), metric="vi").figure


@pictured
def test_agreement_of_two_sides():
    return plots.plot_agreement(similar_labelings(6, 400), metric="homogeneity").figure


@pictured
def test_agreement_of_a_sweep_with_its_truth():
    labelings = list(similar_labelings(7, 400).values())
    named = {"truth": labelings[0], **{f"leiden_{i / 10}": x for i, x in enumerate(labelings)}}
    return plots.plot_agreement(named, truth="truth").figure


@pictured
def test_silhouettes_in_the_colours_of_classes():
    X, labels = blobs(8)
    classes = np.unique(labels, return_inverse=True)[1] // 3
    return plots.plot_silhouette(X, labels, labels_true=classes, order="mean").figure


@pictured
@pytest.mark.parametrize("n", [5, 30, 300])
def test_sweep_of_names(n):
    return plots.plot_sweep(sweep(n, named="method")).figure


@pictured
def test_sweep_of_numbers_with_intervals():
    return plots.plot_sweep(sweep(8, confidence_level=0.95, random_state=0)).figure


@pictured
@pytest.mark.parametrize("n", [2, 5])
def test_sweep_of_names_with_intervals(n):
    return plots.plot_sweep(sweep(n, named="method", confidence_level=0.95, random_state=0)).figure


@pictured
def test_sweep_of_a_large_ratio():
    numbers = (0.1, 0.2, 0.5, 1, 2, 10, 50, 100)
    comparison = zip(numbers, sweep(8).values(), strict=True)
    return plots.plot_sweep(gpuval.Comparison({f"leiden_{x}": scores for x, scores in comparison})).figure


@pictured
def test_sweeps_in_a_grid():
    figure = Figure(figsize=(6.4, 4.8), layout="constrained")
    axes = figure.subplots(2, 2).ravel()
    plots.plot_sweep(sweep(8), ax=axes[0])
    plots.plot_sweep(sweep(2, named="method", confidence_level=0.95, random_state=0), ax=axes[1])
    plots.plot_sweep(sweep(8), "ari", ax=axes[2])
    plots.plot_sweep(sweep(8, by=True), "ari", ax=axes[3])
    return figure


@pictured
def test_sweep_by_batch():
    return plots.plot_sweep(sweep(8, by=True), "ari").figure


@pictured
def test_all_beside_each_other():
    figure = Figure(figsize=(14, 8), layout="constrained")
    axes = figure.subplots(2, 3).ravel()
    labels = clusterings(6, 8)
    plots.plot_confusion(*labels, ax=axes[0])
    plots.plot_sweep(sweep(8), ax=axes[1])
    plots.plot_agreement(similar_labelings(12), ax=axes[2])
    plots.plot_flow(*labels, ax=axes[3])
    plots.plot_label_scores(gpuval.cluster_precision(*labels), ax=axes[4])
    plots.plot_silhouette(*blobs(8), ax=axes[5])
    return figure


@pictured
@pytest.mark.parametrize("width", [8.4, PHONE])
def test_sweep_and_tree(width):
    true, labelings = labelings_of(7, 2000, 10)
    metrics = ["ami", "ari", "nca", "homogeneity", "completeness"]
    comparison = gpuval.compare(true, labelings, metrics, confidence_level=0.95, random_state=0)
    figure = Figure(figsize=(width, 9), layout="constrained")
    above, below = figure.subplots(2, 1, sharex=True)
    plots.plot_sweep(comparison, metrics, ax=above)
    plots.plot_tree(labelings, true, ax=below)
    return figure


@pictured
@pytest.mark.parametrize("width", [7.3, PHONE])
def test_sweep_in_panels(width):
    true, labelings = labelings_of(5, 2000, 10)
    metrics = ["ami", "ari", "nmi", "fmi", "acc", "purity", "homogeneity", "completeness"]
    return (
        plots.SweepDisplay.from_comparison(gpuval.compare(true, labelings, metrics), metrics).plot(width=width).figure_
    )


@pictured
@pytest.mark.parametrize(("n_levels", "n_classes"), [(2, 6), (7, 15)])
def test_tree(n_levels, n_classes):
    true, labelings = labelings_of(n_levels, 5000, n_classes)
    return plots.plot_tree(labelings, true).figure


@pictured
def test_tree_without_classes():
    return plots.plot_tree(labelings_of(7, 2000, 10)[1]).figure


@pictured
def test_tree_of_scores_on_a_phone():
    true, labelings = labelings_of(5, 2000, 8)
    scores = {name: gpuval.cluster_precision(true, labels) for name, labels in labelings.items()}
    return plots.TreeDisplay.from_labelings(labelings, color=scores).plot(width=PHONE).figure_


@pictured
@pytest.mark.parametrize(("n", "n_classes"), [(700, 10), (250_000, 15)])
def test_embedding(n, n_classes):
    return plots.plot_embedding(*islands(n, n_classes, n_classes + 4))[0].figure


@pictured
def test_embedding_on_a_phone():
    return plots.EmbeddingDisplay.from_labels(*islands(700, 10, 13)).plot(width=PHONE).figure_


@pictured
@pytest.mark.parametrize("n", [6, 60])
def test_integration(n):
    return plots.plot_integration(integrations(n)).figure


@pictured
def test_integration_on_a_phone():
    return plots.IntegrationDisplay.from_scores(integrations(6)).plot(width=PHONE).figure_


@pictured
def test_integration_as_points():
    return plots.plot_integration(integrations(6), kind="scatter").figure


stability = functools.cache(stabilities)


@pictured
@pytest.mark.parametrize("kind", ["curve", "clusters", "pairs", "consensus"])
def test_stability(kind):
    return plots.plot_stability(stability(), kind).figure


@pictured
@pytest.mark.parametrize("kind", ["curve", "clusters", "consensus"])
def test_stability_on_a_phone(kind):
    return plots.StabilityDisplay(stability()).plot(kind=kind, width=PHONE).figure_


@pictured
def test_stability_of_samples():
    places = islands(2000)[0]
    return plots.plot_stability(stability(), "cells", coordinates=places, setting=1.1).figure


@pictured
def test_tree_of_stability():
    return plots.plot_tree(stability()).figure


DARK = {
    "sweep": lambda: plots.plot_sweep(sweep(8, confidence_level=0.95), ["ami", "ari", "homogeneity"]),
    "tree": lambda: plots.plot_tree(*labelings_of(5, 2000, 10)[::-1]),
    "embedding": lambda: plots.plot_embedding(*islands(700, 10, 13))[0],
    "integration": lambda: plots.plot_integration(integrations(6)),
    "stability": lambda: plots.plot_stability(stability(), "clusters"),
    "pairs": lambda: plots.plot_stability(stability(), "pairs"),
}


@pytest.mark.mpl_image_compare(style="dark_background", backend="agg", tolerance=2, savefig_kwargs={"dpi": 40})
@pytest.mark.parametrize("name", DARK)
def test_more_on_dark_ground(name):
    return DARK[name]().figure


# That pictures are compared at all.


def test_a_plain_run_compares(pytestconfig):
    assert pytestconfig.getoption("--mpl")


OF_ANOTHER = """
import pytest
from gpuval import plots

@pytest.mark.mpl_image_compare(style="default", backend="agg", tolerance=2, savefig_kwargs={{"dpi": 40}},
                               baseline_dir={baseline!r}, filename="test_confusion_of_counts.png")
def test_other():
    true, pred = clusterings(5, 4)
    return plots.plot_confusion(true, {pred}, normalize="none").figure
"""


@pytest.mark.parametrize(("pred", "passes"), [("pred", True), ("(pred + (true == true[0])) % 4", False)])
def test_another_picture_is_found(tmp_path, pred, passes):
    here = Path(__file__).parent
    text = "from picture_data import clusterings\n" + OF_ANOTHER.format(baseline=str(here / "baseline"), pred=pred)
    (tmp_path / "test_other.py").write_text(text)
    (tmp_path / "picture_data.py").write_text((here / "picture_data.py").read_text(encoding="utf-8"))
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "--mpl", "-q", "-p", "no:cacheprovider", str(tmp_path)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert (ran.returncode == 0) is passes, ran.stdout[-2000:]
    assert passes or "Image files did not match" in ran.stdout
