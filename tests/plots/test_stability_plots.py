"""Plots of stability: what is drawn is what was found, also where little is known."""

import functools
import math

import matplotlib.pyplot as plt
import numpy as np
import pytest
from figure_checks import check_texts
from matplotlib.collections import PathCollection
from matplotlib.figure import Figure
from picture_data import stabilities
from plot_checks import not_proportional

import gpuval
from gpuval import plots

KINDS = ("curve", "clusters", "pairs", "consensus")
TWO = [[0, 0, 0, 0, 1, 1, 1, 1], [1, 1, 1, 1, 0, 0, 0, 0], [0, 0, 0, 0, 1, 1, 1, 0]]
FOUR = [[0, 0, 1, 1, 2, 2, 3, 3], [0, 1, 0, 1, 2, 3, 2, 3], [0, 1, 1, 0, 2, 3, 3, 2]]
stability = functools.cache(stabilities)


def drawn(found, kind, **options):
    return plots.StabilityDisplay(found).plot(Figure(layout="constrained").subplots(), kind=kind, **options).ax_


def dots(ax):
    """The collections of dots, one for each setting."""
    return [x for x in ax.collections if isinstance(x, PathCollection)]


def test_curves_are_the_mean_scores_with_what_chance_gives():
    found = stability()
    ax = drawn(found, "curve")
    for metric in ("element_centric_score", "adjusted_rand_score"):
        scores = [x.scores[metric] for x in found.values()]
        (line,) = (x for x in ax.lines if x.get_label() == metric)
        assert line.get_ydata().tolist() == [x.mean for x in scores]
        assert [x.expected for x in scores] in [list(x.get_ydata()) for x in ax.lines if x.is_dashed()]
    best = found.best["ecs"].best_set
    (hollow,) = (
        x.get_xdata().tolist()
        for x in ax.lines
        if x.get_markerfacecolor() == "#ffffff" and set(x.get_ydata()) <= {y.scores["ecs"].mean for y in found.values()}
    )
    assert hollow == [place for place, x in enumerate(found) if x not in best]
    assert "7" in {x.get_text() for x in ax.texts}  # clusters of the second setting
    assert {x.get_text() for x in ax.get_xticklabels()} == {f"{x:g}" for x in found}


def test_dots_are_the_clusters():
    found = stability()
    ax = drawn(found, "clusters")
    names = [x.get_text() for x in ax.texts]
    for place, (collection, x) in enumerate(zip(dots(ax), found.values(), strict=True)):
        at, heights = collection.get_offsets().T
        assert heights.tolist() == x.clusters.jaccard.tolist()
        assert (abs(at - place) < 0.5).all()
        assert not not_proportional(collection.get_sizes(), x.clusters.sizes, least=3.5**2)
        is_hollow = (collection.get_facecolors()[:, :3] == 1).all(axis=1)
        assert is_hollow.tolist() == (x.clusters.sizes < 20).tolist()
    least, _ = list(found.values())[-1].clusters.least()
    assert f"{least:g}" in names
    assert "up to it: dissolved" in names


def test_dots_are_the_pairs_of_runs():
    found = stability()
    ax = drawn(found, "pairs")
    for collection, x in zip(dots(ax), found.values(), strict=True):
        pairs = x.scores["ecs"].pairs[np.triu_indices(8, 1)]
        assert collection.get_offsets()[:, 1].tolist() == pairs.tolist()
    assert ax.get_ylabel() == "ECS of pairs of runs"
    of_ari = plots.StabilityDisplay(found, "ari").plot(Figure().subplots(), kind="pairs").ax_
    assert of_ari.get_ylabel() == "ARI of pairs of runs"


def test_curves_of_pairs_rise_by_what_is_ambiguous():
    found = stability(n_settings=12, n_runs=4, n_samples=300)
    ax = drawn(found, "consensus")
    assert "(10 of 12 settings)" in ax.get_xlabel().replace("\n", " ")
    legend = {x.get_text().split()[0]: x.get_text().split()[-1] for x in ax.get_legend().get_texts()}
    for line in ax.lines:
        x, y = line.get_data()
        low, high = (y[np.flatnonzero(np.asarray(x) <= end)[-1]] for end in (0.1, 0.9))
        ambiguous = found[float(line.get_label())].ambiguous
        assert high - low == pytest.approx(ambiguous, abs=1e-12)
        assert legend[line.get_label()] == f"{ambiguous:.3f}"
    assert len(ax.lines) == 10


def test_samples_are_the_stronger_in_colour_the_less_consistent():
    labels = [[0, 0, 1, 1, None, 1], [0, 0, 1, 1, None, 0], [0, 0, 1, 1, 0, 0]]
    found = gpuval.stability({"a": labels})
    places = np.arange(12.0).reshape(6, 2)
    ax = drawn(found, "cells", coordinates=places)
    (collection,) = dots(ax)
    assert len(collection.get_offsets()) == 5  # the fifth is in one run alone
    at = {
        tuple(x): tuple(color) for x, color in zip(collection.get_offsets(), collection.get_facecolors(), strict=True)
    }
    assert at[2.0, 3.0] != at[10.0, 11.0]
    assert sum(int(x.get_text().split()[-1]) for x in ax.get_legend().get_texts()) == 5


@pytest.mark.parametrize("kind", KINDS)
def test_little_is_drawn_of_what_is_little_known(kind):
    """Two runs have no interval, one run no score, and one cluster is not ranked; names are no numbers."""
    found = gpuval.stability({"fine": FOUR, "two runs": TWO[:2], "one run": TWO[:1], "one cluster": [[0] * 8] * 2})
    figure = plots.StabilityDisplay(found).plot(kind=kind, width=7).figure_
    figure.canvas.draw()
    check_texts(figure)
    plt.close(figure)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("width", [3.54, 7.3])
def test_texts_are_read(kind, width):
    figure = plots.StabilityDisplay(stability()).plot(kind=kind, width=width).figure_
    figure.canvas.draw()
    check_texts(figure)
    plt.close(figure)


@pytest.mark.parametrize("kind", KINDS)
def test_a_single_setting(kind):
    found = gpuval.stability({0.5: FOUR})
    ax = drawn(found, kind)
    scores = found[0.5].scores["ecs"]
    if kind == "curve":
        assert scores.mean in [y for line in ax.lines for y in line.get_ydata()]
    elif kind == "consensus":
        assert [x.get_text() for x in ax.get_legend().get_texts()] == [f"0.5  PAC {found[0.5].ambiguous:.3f}"]
    else:
        expected = found[0.5].clusters.jaccard if kind == "clusters" else scores.pairs[np.triu_indices(3, 1)]
        (collection,) = dots(ax)
        assert collection.get_offsets()[:, 1].tolist() == expected.tolist()


def test_the_interval_of_a_single_setting_is_a_line():
    ax = drawn(gpuval.stability({0.5: FOUR}, metrics="ecs"), "curve")
    assert len(ax.containers[0].lines[2][0].get_segments()) == 1


def test_settings_of_names_go_by_their_numbers():
    display = plots.StabilityDisplay(gpuval.stability({"k=10": FOUR, "k=2": TWO}))
    assert display.settings == ["k=2", "k=10"]
    assert [x.get_text() for x in display.plot(Figure().subplots()).ax_.get_xticklabels()] == ["2", "10"]


@pytest.mark.parametrize("kind", ["curve", "clusters"])
def test_settings_have_all_their_digits(kind):
    ax = drawn(gpuval.stability({0.1234567: TWO, 0.1234568: FOUR, 1000000.0: FOUR}), kind)
    assert [x.get_text() for x in ax.get_xticklabels()] == ["0.1234567", "0.1234568", "1000000"]


def test_the_tree_has_the_colours_of_stability():
    found = gpuval.stability({2: TWO, 4: [[*FOUR[0][:7], None], *FOUR[1:]]}, reference=0)
    display = plots.TreeDisplay.from_labelings(found)
    assert display.axis_name == "setting"
    assert [x.sum() for x in display.sizes] == [8, 7]  # a sample is left out of the finer labels
    for setting, labels, scores in zip(found, display.clusters, display.scores, strict=True):
        clusters = found[setting].clusters
        expected = dict(zip(clusters.clusters.tolist(), clusters.jaccard.tolist(), strict=True))
        assert dict(zip(labels, scores.tolist(), strict=True)) == expected
    legend = display.plot(Figure(layout="constrained").subplots()).ax_.get_legend()
    assert legend.get_title().get_text() == "Jaccard index, mean over runs"
    of_classes = plots.TreeDisplay.from_labelings(found, list("aabbccdd"))
    assert (of_classes.scores, len(of_classes.classes)) == (None, 4)
    own = plots.TreeDisplay.from_labelings({2: TWO[0]}, color={2: found[2].clusters})
    assert own.scores[0].tolist() == display.scores[0].tolist()


FOUND = gpuval.stability({2: TWO, 4: FOUR})
ONE_RUN = gpuval.stability({2: TWO, 4: FOUR[:1]})
WRONG = [
    (lambda: plots.plot_stability(FOUND, "tree"), ValueError, "kind must be one of 'curve', 'clusters', 'pairs'"),
    (lambda: plots.plot_stability(FOUND, metrics="ami"), ValueError, "metrics must be measures that found has"),
    (lambda: plots.plot_stability(FOUND, metrics=[]), ValueError, "metrics must be measures that found has"),
    (lambda: plots.plot_stability(FOUND, metrics=5), ValueError, "metrics must be measures that found has"),
    (lambda: plots.plot_stability(FOUND, setting=2), ValueError, "coordinates and setting must be given with kind="),
    (lambda: plots.plot_stability(FOUND, "cells"), TypeError, "coordinates must be given with kind='cells', got None"),
    (
        lambda: plots.plot_stability(FOUND, "cells", coordinates=np.ones((8, 3))),
        ValueError,
        "coordinates must be finite",
    ),
    (
        lambda: plots.plot_stability(FOUND, "cells", coordinates=np.ones((7, 2))),
        ValueError,
        "coordinates must have a row for each of the 8 samples, got 7",
    ),
    (
        lambda: plots.plot_stability(FOUND, "cells", coordinates=np.ones((8, 2)), setting=3),
        ValueError,
        r"setting must be one of \[2, 4\], got 3",
    ),
    (
        lambda: plots.plot_stability(FOUND, "cells", coordinates=np.ones((8, 2)), setting=[2]),
        ValueError,
        r"setting must be one of \[2, 4\], got \[2\]",
    ),
    (
        lambda: plots.plot_stability(ONE_RUN, "cells", coordinates=np.ones((8, 2)), setting=4),
        ValueError,
        "setting must have two runs or more, got 4",
    ),
]


@pytest.mark.parametrize(("call", "kind", "message"), WRONG)
def test_mistakes_are_explained(call, kind, message):
    with pytest.raises(kind, match=f"^{message}"):
        call()


def test_chance_is_not_named_where_it_is_not_known():
    found = gpuval.stability({2: TWO, 4: FOUR}, metrics="fmi")
    assert math.isnan(found[2].scores["fmi"].expected)
    assert not [x for x in drawn(found, "curve").texts if "chance" in x.get_text()]
