"""Pictures of all plots at 2, 15, 60 and 300 labels, on a phone and on dark ground, and those looked at: ``baseline/``.

``pytest tests/plots/test_pictures.py --mpl-generate-path=tests/plots/baseline`` makes them anew; look at each then.
"""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from matplotlib import style
from matplotlib.figure import Figure
from picture_data import blobs, clusterings, similar_labelings, sweep

import gpuval
from gpuval import plots

SIZES = (2, 15, 60, 300)


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
@pytest.mark.parametrize("n", [15, 60])
@pytest.mark.parametrize("draw", DRAWN)
def test_on_a_phone(draw, n):
    return draw(n, width=3.54)


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
