"""Labels and names that are hostile to matplotlib, to its pictures, or to whoever reads these."""

import io
import warnings
import xml.etree.ElementTree as ET

import matplotlib
import numpy as np
import pandas as pd
import pytest
from hostile_text import HIDDEN, columns_of, label_sets
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.text import Text

import gpuval
from gpuval import IntegrationScores, plots
from gpuval.measures.label_scores import ClusterScores

pytestmark = [
    pytest.mark.filterwarnings(r"ignore:Glyph \d+ .*missing from (current )?font:UserWarning"),
    pytest.mark.filterwarnings(r"ignore:Matplotlib currently does not support:UserWarning"),
]

SET = [
    "$x_{$",
    "$\\frac{1}{0}$",
    r"\$5",
    "$a$ and $b$",
    "_hidden",
    "",
    " ",
    "\ufffe\uffff",
    "a" * 10_000,
    "שלום",
    "漢字",
]
"""Labels that matplotlib itself would read as mathematics or as not to be shown, and others."""


def union(sets):
    return list(dict.fromkeys(x for labels in sets for x in labels))


def samples_of(labels):
    """Two labelings of these labels, in which no two agree."""
    places = np.repeat(np.arange(len(labels)), 3)
    true = np.array(labels, dtype=object)[places]
    return true, np.array(labels, dtype=object)[(places + (np.arange(len(places)) % 3 == 0)) % len(labels)]


def confusion(labels, ax):
    plots.plot_confusion(*samples_of(labels), ax=ax)


def flow(labels, ax):
    plots.plot_flow(*samples_of(labels), ax=ax, max_labels=None)


def sweep(labels, ax):
    true, pred = (np.arange(12) // 3, np.arange(12) % 4)
    comparison = gpuval.compare(
        true, {x: np.roll(pred, i) for i, x in enumerate(labels)}, dict.fromkeys(labels[:9], "ri")
    )
    plots.plot_sweep(comparison, labels[:9], ax=ax)


def sweep_by(labels, ax):
    true, pred = samples_of(labels)
    plots.plot_sweep(gpuval.compare(pred, {"one": true, "two": pred}, ["ri"], by=true), ax=ax)


def agreement(labels, ax):
    scores = np.add.outer(np.arange(len(labels)), np.arange(len(labels))) / len(labels) / 2
    plots.AgreementDisplay(scores, labels, metric=labels[0]).plot(ax)


def label_scores(labels, ax):
    scores = ClusterScores(np.array(labels, dtype=object), np.linspace(-1, 1, len(labels)))
    plots.plot_label_scores(scores, score_name=labels[-1], ax=ax)


def silhouette(labels, ax):
    true, _ = samples_of(labels)
    plots.SilhouetteDisplay(np.linspace(-1, 1, len(true)), true).plot(ax)


def tree(labels, ax):
    true, pred = samples_of(labels)
    plots.plot_tree({x: pred if i % 2 else true for i, x in enumerate(labels)}, true, ax=ax)


def embedding(labels, ax):
    true, _ = samples_of(labels)
    places = np.random.default_rng(0).normal(0, 1, (len(true), 2))
    plots.plot_embedding(places, true, names=(labels[0], ""), axis_names=(labels[-1], labels[1]), ax=ax)


def integration(labels, ax):
    parts = [dict.fromkeys(map(str, labels[i::2]), 0.5) for i in range(2)]
    reasons = {str(labels[0]): str(labels[1])}
    plots.plot_integration({x: IntegrationScores(*parts, reasons) for x in labels}, unintegrated=labels[0], ax=ax)


def stability_of(labels):
    """Each label is a setting, and a cluster of its runs."""
    true, pred = samples_of(labels)
    runs = {(x, run): y for x in labels for run, y in enumerate((true, pred, np.roll(true, 1)))}
    with warnings.catch_warnings(action="ignore"):  # -1 may be among them
        return gpuval.stability(runs)


def clusters_of_runs(labels, ax):
    plots.plot_stability(stability_of(labels), "clusters", ax=ax)


def pairs_of_samples(labels, ax):
    plots.plot_stability(stability_of(labels), "consensus", ax=ax)


DRAWN = [confusion, flow, sweep, sweep_by, agreement, label_scores, silhouette, tree, embedding, integration]
DRAWN += [clusters_of_runs, pairs_of_samples]


@pytest.mark.parametrize("figure_of_plot", range(6))
@pytest.mark.parametrize("draw", DRAWN)
def test_labels_are_shown_as_text(draw, figure_of_plot):
    """420 sets of labels, twelve to a figure, and those above on a figure of each plot."""
    labels = union(label_sets(10 * DRAWN.index(draw) + figure_of_plot, 12)) if figure_of_plot else SET
    figure = Figure(figsize=(6, 6), dpi=30, layout="constrained")
    draw(labels, figure.subplots())
    FigureCanvasAgg(figure).draw()  # once, where ``savefig`` would draw twice
    check_texts(figure)
    figure.set_layout_engine("none")  # it has been laid out
    with matplotlib.rc_context({"svg.fonttype": "none"}):  # text as text
        written = io.BytesIO()
        FigureCanvasSVG(figure).print_svg(written, metadata={"Date": None})
    tags = {x.tag.rpartition("}")[2] for x in ET.fromstring(written.getvalue().decode()).iter()}
    assert not tags & {"script", "img", "a"}


def check_texts(figure):
    """No letters that are hidden, no long lines, and no mathematics."""
    for text in figure.findobj(Text):
        shown = text.get_text()
        assert not HIDDEN.search(shown.replace("\N{MINUS SIGN}", "-")), ascii(shown)
        assert columns_of(shown) <= 70, ascii(shown)
        if "$" in shown or "\\" in shown:
            assert not text.get_parse_math(), ascii(shown)
            assert not text.get_usetex()


def test_text_that_is_hostile_is_found():
    figure = Figure()
    text = figure.text(0.5, 0.5, "$x$")
    with pytest.raises(AssertionError):
        check_texts(figure)
    text.set_text("a\nb")
    with pytest.raises(AssertionError):
        check_texts(figure)


def test_settings_for_tex_do_not_reach_the_text_of_users():
    with matplotlib.rc_context({"text.usetex": True}):
        figure = Figure(layout="constrained")
        confusion(SET, figure.subplots())
    names = [x for axis in (figure.axes[0].xaxis, figure.axes[0].yaxis) for x in (*axis.get_ticklabels(), axis.label)]
    assert not any(x.get_usetex() for x in names)


def test_labels_that_would_not_be_seen_are_in_quotes():
    labels = ["", " ", "\u200b\u2060", "b"]
    ax = plots.plot_confusion(labels, labels, ax=Figure().subplots())
    assert [x.get_text() for x in ax.get_yticklabels()] == ["''", "' '", "b", "'\u200b\u2060'"]


@pytest.mark.parametrize(
    "labels",
    [
        [("a", 1), ("a", 2), ("b", 1)],
        [1.5, "x", None],
        [10**30, -1, 0],
        [True, False, True],
    ],
)
def test_labels_that_are_no_text(labels):
    codes = [0, 1, 2, 0]
    scores = ClusterScores(_objects(labels), np.array([0.1, 0.2, 0.3]))
    ax = plots.plot_label_scores(scores, ax=Figure().subplots())
    assert len(ax.get_yticklabels()) == 3
    given = _objects(labels)[codes]
    if labels[2] is None:
        with pytest.raises(ValueError, match="missing labels"):
            plots.plot_flow(given, codes, ax=Figure().subplots())
        plots.plot_flow(given, codes, ax=Figure().subplots(), ignore_labels=[None, 1.5])
    else:
        plots.plot_flow(pd.Series(given), pd.Series(codes), ax=Figure().subplots())


def _objects(labels):
    found = np.empty(len(labels), dtype=object)
    found[:] = labels
    return found
