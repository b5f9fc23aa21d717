"""What is said of wrong arguments, what plots load, and what they leave alone."""

import math
import os
import re
import subprocess
import sys

import matplotlib
import numpy as np
import pytest
from matplotlib.figure import Figure
from picture_data import blobs, clusterings, similar_labelings, sweep

import gpuval
from gpuval import plots

LABELS = [0, 0, 1, 1], [0, 1, 1, 1]
TABLE = gpuval.Contingency.from_labels(*LABELS)
BATCH = gpuval.Contingency.from_counts(np.ones((2, 3, 3), dtype=int))
SCORES = gpuval.cluster_precision(*LABELS)
COMPARISON = gpuval.compare(LABELS[0], {"one": LABELS[1]}, ["ari", "vi"])
EVERY = gpuval.compare(LABELS[0], {"one": LABELS[1]}, "all")
ARRAYS = gpuval.Comparison({"one": gpuval.Evaluation({"adjusted_rand_score": np.ones(3)})})
WITHOUT = gpuval.Comparison({x: gpuval.Evaluation({"adjusted_rand_score": math.nan}) for x in "ab"})
TWO = {"x": [0.5, 0.25]}
PAIRS = gpuval.pairwise(LABELS)

WRONG = [
    (lambda: plots.plot_confusion(*LABELS, ax=[1]), "ax must be a matplotlib Axes, got list"),
    (lambda: plots.plot_sweep(COMPARISON, ax=Figure()), "ax must be a matplotlib Axes, got Figure"),
    (lambda: plots.plot_confusion(*LABELS, normalize="rows"), "normalize must be one of 'class', 'cluster', 'none'"),
    (lambda: plots.plot_confusion(*LABELS, max_labels=0), "max_labels must be at least 1, got 0"),
    (lambda: plots.plot_flow(*LABELS, max_labels=2.5), "max_labels must be an integer or None, got 2.5"),
    (lambda: plots.plot_flow(*LABELS, max_labels=True), "max_labels must be an integer or None, got True"),
    (lambda: plots.plot_confusion(LABELS[0]), "labels_pred must be given, or labels_true be a Contingency"),
    (lambda: plots.plot_confusion(TABLE, LABELS[0]), "labels_pred must be left out when a table is given, got list"),
    (lambda: plots.plot_flow(TABLE, ignore_labels=0), "ignore_labels= cannot be given with a table"),
    (lambda: plots.plot_confusion([], []), "labels_true must have at least one sample to be plotted, got none"),
    (lambda: plots.FlowDisplay.from_labels([], []), "labels_true must have at least one sample to be plotted, got"),
    (lambda: plots.plot_flow(gpuval.Contingency.empty(2, 2)), "a table must have at least one sample to be plotted"),
    (lambda: plots.plot_confusion(BATCH), "a single table is needed for a plot, got a batch of shape (2,)"),
    (
        lambda: plots.plot_confusion([0, 1], [0, 1, 1]),
        "labels_pred must have as many samples as labels_true (2), got 3",
    ),
    (lambda: plots.FlowDisplay.from_table(LABELS), "table must be a Contingency, got tuple"),
    (lambda: plots.ConfusionDisplay([[1]], "ab", "c"), "counts must have a row for each class and a column for each"),
    (
        lambda: plots.FlowDisplay([[0, 0]], "a", "bc"),
        "counts must have at least one sample, got only zeros, shape (1, 2",
    ),
    (lambda: plots.ConfusionDisplay([[0.0]], "a", "b"), "counts must have at least one sample, got only zeros, shape"),
    (lambda: plots.FlowDisplay([[3, -2]], "a", "bc"), "counts must be finite and not negative, got -2"),
    (lambda: plots.ConfusionDisplay([[np.nan]], "a", "b"), "counts must be finite and not negative, got nan"),
    (lambda: plots.ConfusionDisplay([["x"]], "a", "b"), "counts must be real numbers, got dtype <U1"),
    (lambda: plots.plot_stability({2: 1.0}), "found must be what gpuval.stability returns, got dict"),
    (lambda: plots.plot_sweep({"one": 1}), "comparison must be what gpuval.compare gives, got dict"),
    (lambda: plots.plot_sweep(gpuval.Comparison({})), "comparison must have at least one labeling, got none"),
    (
        lambda: plots.plot_sweep(COMPARISON, "nmi"),
        "metrics must be measures of the comparison, adjusted_rand_score, va",
    ),
    (
        lambda: plots.plot_sweep(COMPARISON, ["ari", ["vi"]]),
        "metrics must be measures of the comparison, adjusted_rand",
    ),
    (lambda: plots.plot_sweep(COMPARISON, 5), "metrics must be names of measures of the comparison, got 5"),
    (lambda: plots.plot_sweep(COMPARISON, []), "metrics must have at least one measure, got none"),
    (lambda: plots.plot_sweep(ARRAYS), "comparison must have a measure with scores of which higher or lower ones are"),
    (lambda: plots.plot_sweep(ARRAYS, "ari"), "metrics must be of single numbers, got 'adjusted_rand_score'"),
    (lambda: plots.plot_sweep(COMPARISON, counts=1), "counts must be True or False, got 1"),
    (lambda: plots.plot_sweep(COMPARISON, x="log"), "x must be one of 'equal', 'number', got 'log'"),
    (lambda: plots.SweepDisplay("ab", TWO, n_clusters=[1]), "n_clusters must be one for each of the 2 names, got 1"),
    (lambda: plots.plot_sweep(EVERY, list(EVERY["one"])), "metrics must be at most 24, to be told apart, got"),
    (lambda: plots.SweepDisplay([], {}), "scores must be of at least one labeling, got 0 of 0"),
    (lambda: plots.SweepDisplay(["a"], {"x": [1, 2]}), "scores must be one for each of the 1 names, got shape (2,)"),
    (lambda: plots.SweepDisplay("ab", TWO, numbers=[1]), "numbers must be one for each of the 2 names, got 1"),
    (lambda: plots.SweepDisplay("ab", TWO, numbers=[1, np.inf]), "numbers must be finite, got [1.0, inf]"),
    (lambda: plots.SweepDisplay("ab", TWO, numbers=[1, "2"]), "numbers must be a number, got '2'"),
    (
        lambda: plots.SweepDisplay("ab", TWO, low={"x": [1]}, high=TWO),
        "low must be one for each of the 2 names, got sh",
    ),
    (
        lambda: plots.SweepDisplay("ab", TWO, low=TWO, high={"x": 1}),
        "high must be one for each of the 2 names, got sha",
    ),
    (lambda: plots.SweepDisplay("ab", TWO, low=TWO), "low and high must be of the same lines, got ['x'] and []"),
    (
        lambda: plots.SweepDisplay("ab", TWO, low={"y": [1, 2]}, high={"y": [1, 2]}),
        "low must be of lines that scores has, ['x'], got 'y'",
    ),
    (
        lambda: plots.SweepDisplay("ab", TWO, directions={"x": "up"}),
        "directions['x'] must be one of 'higher', 'lower', '', got 'up'",
    ),
    (
        lambda: plots.SweepDisplay("ab", TWO, directions={"y": "lower"}),
        "directions must be of lines that scores has, ['x'], got 'y'",
    ),
    (
        lambda: plots.plot_sweep(WITHOUT, "ari"),
        "metrics must have a measure with finite scores, got adjusted_rand_score, of which all scores are NaN or",
    ),
    (lambda: plots.plot_agreement(PAIRS, metric="ari"), "metric must not be given together with scores, got 'ari'"),
    (lambda: plots.plot_agreement(PAIRS, sample_weight=[1, 1]), "sample_weight must not be given together with scores"),
    (
        lambda: plots.plot_agreement(PAIRS, ignore_labels=-1),
        "ignore_labels must not be given together with scores, got -",
    ),
    (
        lambda: plots.plot_agreement(np.eye(2)),
        "scores must be what gpuval.pairwise gives, or a mapping or a sequence of label vectors, got ndarray of shape",
    ),
    (lambda: plots.plot_agreement(5), "scores must be a mapping or a sequence of label vectors, got int"),
    (lambda: plots.plot_agreement({}), "scores must have at least one label vector, got none"),
    (lambda: plots.plot_agreement(LABELS, metric="arii"), "metric must be the name of a measure"),
    (lambda: plots.AgreementDisplay.from_pairwise(np.eye(2)), "scores must be what gpuval.pairwise gives, got ndarray"),
    (
        lambda: plots.AgreementDisplay(np.eye(2), "abc", metric="x"),
        "scores must have a row and a column for each of at",
    ),
    (lambda: plots.plot_label_scores([0.5]), "scores must be those of classes or clusters, such as gpuval.cluster_pre"),
    (lambda: plots.plot_label_scores(gpuval.cluster_precision(BATCH)), "scores must be those of a single table, got a"),
    (lambda: plots.plot_label_scores(SCORES, order="best"), "order must be one of 'score', 'size', 'matched', got"),
    (lambda: plots.plot_label_scores(type(SCORES)(*np.ones((3, 0)))), "scores must be of at least one label"),
    (lambda: plots.plot_label_scores(SCORES, order="size"), "table must be given for order='size', got None"),
    (lambda: plots.plot_label_scores(SCORES, LABELS[0]), "table must be a Contingency, got list"),
    (
        lambda: plots.plot_label_scores(SCORES, gpuval.Contingency.from_labels([0], [1])),
        "table must have a cluster for each label of scores, got none for 0",
    ),
    (lambda: plots.plot_label_scores(SCORES, low=[0, 0]), "low and high must be given together, got only low"),
    (
        lambda: plots.plot_label_scores(SCORES, low=[0], high=[1]),
        "low must be one for each of the 2 labels, got shape (1,)",
    ),
    (lambda: plots.LabelScoresDisplay("ab", [1, 2], colors=["#000000"]), "colors must be one for each of the 2 labels"),
    (lambda: plots.LabelScoresDisplay("ab", [1, 2], main_classes="x"), "main_classes must be one for each of the 2 la"),
    (lambda: plots.plot_agreement(LABELS, truth="z"), "truth must be the name of one of the 2 labelings, got 'z'"),
    (lambda: plots.plot_flow(*LABELS, max_labels=61), "max_labels must be at most 60 for a flow, got 61"),
    (
        lambda: plots.ConfusionDisplay.from_labels(*LABELS).plot(width=2),
        "width must be from 2.8 to 13 inches, got 2",
    ),
    (lambda: plots.FlowDisplay.from_labels(*LABELS).plot(width="wide"), "width must be a number, got 'wide'"),
    (
        lambda: plots.ConfusionDisplay.from_labels(*LABELS).plot(Figure().subplots(), width=4),
        "width must not be given together with ax, got 4",
    ),
    (
        lambda: plots.SilhouetteDisplay([0.5], [0]).plot(order="size"),
        "order must be one of 'natural', 'mean', got 'size",
    ),
    (lambda: plots.plot_silhouette([[0.0]] * 3, [0, 0, 1], order="x"), "order must be one of 'natural', 'mean', got"),
    (
        lambda: plots.SilhouetteDisplay([0.5], [0], [0, 1]),
        "labels_true must have as many samples as labels (1), got 2",
    ),
    (lambda: plots.LabelScoresDisplay("ab", [1]), "scores must be one for each of the 2 labels, got shape (1,)"),
    (
        lambda: plots.plot_silhouette([[0.0], [1.0]], [0, 0]),
        (
            "labels must have at least 2 clusters, and fewer clusters than samples, to be plotted, got 1 cluster of 2 "
            "samples"
        ),
    ),
    (
        lambda: plots.SilhouetteDisplay.from_samples([[0.0], [1.0], [2.0]], [0, 1, 2]),
        (
            "labels must have at least 2 clusters, and fewer clusters than samples, to be plotted, got 3 clusters of "
            "3 samples"
        ),
    ),
    (lambda: plots.plot_silhouette([[0.0]] * 3, [0, 0, 1], max_labels="x"), "max_labels must be an integer or None"),
    (lambda: plots.plot_silhouette([[0.0]] * 3, [0, 0, 1], sample_size=9), "sample_size must be from 2 to the number"),
    (lambda: plots.SilhouetteDisplay([0.5, 0.5], [0]), "labels must have as many samples as silhouettes (2), got 1"),
    (lambda: plots.SilhouetteDisplay([np.nan], [0]), "silhouettes must have at least one number that is not NaN"),
    (lambda: plots.SilhouetteDisplay([["a"]], [0]), "silhouettes must be a vector of real numbers, got shape (1, 1)"),
]


@pytest.mark.parametrize(("call", "said"), WRONG, ids=[x for _, x in WRONG])
def test_wrong_arguments_are_told(call, said):
    with pytest.raises((TypeError, ValueError), match=f"^{re.escape(said)}"):
        call()


# What is loaded, and what is left alone

SEVERAL = {"k=2": LABELS[0], "k=3": LABELS[1]}
PLACES = [[0.0, 0.0], [1.0, 1.0], [0.0, 2.0], [3.0, 1.0]], LABELS[0]
INTEGRATIONS = {x: gpuval.IntegrationScores({"cLISI": 0.5}, {"iLISI": 0.25}) for x in ("PCA", "scVI")}
CALLS = {
    "confusion": lambda ax: plots.plot_confusion(*clusterings(5, 6), ax=ax),
    "flow": lambda ax: plots.plot_flow(*clusterings(5, 6), ax=ax),
    "sweep": lambda ax: plots.plot_sweep(sweep(4), ax=ax),
    "tree": lambda ax: plots.plot_tree(SEVERAL, LABELS[0], ax=ax),
    "stability": lambda ax: plots.plot_stability(gpuval.stability({2: LABELS, 3: LABELS}), ax=ax),
    "embedding": lambda ax: plots.plot_embedding(*PLACES, ax=ax),
    "integration": lambda ax: plots.plot_integration(INTEGRATIONS, ax=ax),
    "agreement": lambda ax: plots.plot_agreement(similar_labelings(4), ax=ax),
    "label_scores": lambda ax: plots.plot_label_scores(gpuval.cluster_recall(*clusterings(5, 6)), ax=ax),
    "silhouette": lambda ax: plots.plot_silhouette(*blobs(4), ax=ax),
}


def test_every_plot_is_called_here():
    assert {f"plot_{name}" for name in CALLS} == {x for x in plots.__all__ if x.islower()}


@pytest.mark.parametrize("name", CALLS)
def test_given_axes_are_drawn_on_and_given_back(name):
    figure = Figure(layout="constrained")
    ax, other = figure.subplots(1, 2)
    assert CALLS[name](ax) is ax
    # A flow and names on a diagonal need no names of axes, and neither do places of an embedding without them.
    assert name in ("flow", "embedding") or ax.get_xlabel() or ax.texts
    assert not other.has_data()
    assert ax.get_title() == ""


@pytest.mark.parametrize("name", CALLS)
def test_a_new_figure_is_one_of_pyplot_and_the_only_one(name):
    from matplotlib import pyplot

    ax = CALLS[name](None)
    assert pyplot.get_fignums() == [ax.figure.number]
    assert (ax.figure.get_size_inches() <= 13.0).all()
    pyplot.close(ax.figure)


@pytest.mark.parametrize("name", CALLS)
def test_settings_stay_as_they_are_and_colours_of_text_follow_them(name):
    light = {"text.color": "#eeeeee", "axes.labelcolor": "#dddddd", "xtick.color": "#cccccc", "ytick.color": "#cccccc"}
    with matplotlib.rc_context(light):
        before = dict(matplotlib.rcParams)
        ax = CALLS[name](Figure().subplots())
        assert dict(matplotlib.rcParams) == before
    assert ax.yaxis.label.get_color() == "#dddddd"
    if name in ("integration", "stability", "sweep"):  # with text on colours, or in those of lines
        return
    of_cells = {x for x in ax.texts if x.get_text().strip("0.1 23456789") == "" and name in ("confusion", "agreement")}
    assert {x.get_color() for x in {*ax.texts} - of_cells} <= {"#eeeeee"}


@pytest.mark.parametrize("name", CALLS)
def test_a_subfigure_and_a_figure_without_layout(name):
    figure = Figure()
    CALLS[name](figure.subfigures(1, 2)[0].subplots())
    figure.draw_without_rendering()


WITHOUT_PYPLOT = """
import sys
import gpuval.plots
from matplotlib.figure import Figure

ax = [Figure().subplots() for _ in range(9)]
labels = [0, 0, 1, 1], [0, 1, 1, 1]
gpuval.plots.plot_confusion(*labels, ax=ax[0])
gpuval.plots.plot_flow(*labels, ax=ax[1])
gpuval.plots.plot_sweep(gpuval.compare(labels[0], {"a": labels[1], "b": labels[0]}, ["ari"]), ax=ax[2])
gpuval.plots.plot_agreement(labels, ax=ax[3])
gpuval.plots.plot_label_scores(gpuval.cluster_precision(*labels), ax=ax[4])
gpuval.plots.plot_silhouette([[0.0], [0.0], [1.0], [2.0]], labels[0], ax=ax[5])
gpuval.plots.plot_tree(labels, labels[0], ax=ax[6])
gpuval.plots.plot_embedding([[0.0, 1.0], [0.0, 2.0], [1.0, 1.0], [2.0, 0.0]], labels[0], ax=ax[7])
gpuval.plots.plot_integration({"a": gpuval.IntegrationScores({"x": 1.0}, {"y": 0.5})}, ax=ax[8])
assert "matplotlib.pyplot" not in sys.modules
gpuval.plots.plot_agreement(labels)
assert "matplotlib.pyplot" in sys.modules
"""


def test_given_axes_need_no_pyplot():
    environment = {**os.environ, "MPLBACKEND": "Agg"}
    subprocess.run([sys.executable, "-c", WITHOUT_PYPLOT], check=True, env=environment)
