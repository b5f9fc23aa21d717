"""Ten thousand sets of hostile labels: what shows them is safe, fits a terminal, and tells them as they are."""

import math

import numpy as np
import pytest
from hostile_text import check_line, label_sets
from html_tables import Tables

import gpuval
from gpuval import (
    BestLabeling,
    BestLabelings,
    Comparison,
    Contingency,
    Evaluation,
    IntegrationScores,
    PairwiseScores,
    PermutationTests,
    ScoreEstimates,
    multilabel,
    ranking,
)
from gpuval.display.text import visible
from gpuval.measures.label_scores import BestClassScores, ClassScores, ClusterScores, LabelScores
from gpuval.measures.samples import LabelEstimates, LabelValues
from gpuval.metrics.external.matching import LabelMatching
from gpuval.metrics.integration.isolated_labels import IsolatedLabels
from gpuval.ranking._measure import QueryValues

SETS = label_sets(seed=0, n_sets=10_000)
TRUE, PRED = [0, 0, 0, 1, 1, 1, 2, 2] * 2, [0, 0, 1, 1, 1, 2, 2, 2] * 2
DRAWN = {"n_resamples": 9, "random_state": 0}
ESTIMATES = list(gpuval.evaluate(TRUE, PRED, ["ari", "vi", "nmi"], confidence_level=0.9).intervals.values())
TESTS = list(gpuval.permutation_test(["ari", "vi"], TRUE, PRED, **DRAWN).values())
DIFFERENCES = [
    gpuval.compare_scores(TRUE, first, second, method="jackknife") for first, second in [(TRUE, PRED), (PRED, PRED)]
]


def cycled(values, n):
    return [values[place % len(values)] for place in range(n)]


def check_html(html, names, width=100 + len(" [-0.000, -0.000]")):
    """Elements of tables alone, and all of these names in cells, or in what is shown when the pointer is on one."""
    found = Tables(html)
    texts = set()
    for row, titles in zip(found.rows, found.titles, strict=True):
        for text, title in zip(row, titles, strict=True):
            check_line(text, width)
            check_line(title, math.inf)
            texts |= {text, title, *title.split(": ")[:1], text.rstrip(" ↑↓"), title.removesuffix(": higher is better")}
    for name in names:
        assert visible(name).strip(" ") in {x.strip(" ") for x in texts}, ascii(name)


def check_text(text, names):
    """Lines that fit, with all short names in them."""
    lines = text.split("\n")
    for line in lines:
        check_line(line)
    for name in map(visible, names):
        if len(name) <= 5:
            assert any(name.rstrip() in line for line in lines), (ascii(name), text)


def check_shown(results, names):
    check_text(repr(results), names)
    check_html(results._repr_html_(), names)


# Each of these shows labels, of which there are at least two.


def of_labels(labels):
    """Results that have a number of each label, as their measures make them."""
    held = np.empty(len(labels), dtype=object)
    held[:] = labels
    numbers = np.linspace(-1, 1, len(labels))
    yield ClassScores(held, numbers)
    yield ClusterScores(held, numbers)
    yield BestClassScores(held, held[::-1], numbers)
    yield LabelScores(held, numbers)
    yield LabelValues(np.float64(0.5), held, numbers)
    yield LabelEstimates(np.float64(0.5), np.float64(0.25), held, numbers, numbers)
    yield IsolatedLabels(np.float64(0.5), held, numbers, np.arange(len(labels)))
    yield QueryValues(np.float64(0.5), held, numbers)
    yield LabelMatching(held, held[::-1], np.arange(len(labels)))


def labelled(labels, place):
    for results in of_labels(labels):
        text = repr(results)
        assert not text.startswith(type(results).__name__)  # what it falls back on where there are no values
        check_text(text, () if isinstance(results, LabelMatching | BestClassScores) else labels)


def table(labels, place):
    text = repr(Contingency.from_labels(labels * 2, [*labels, *labels[::-1]]))
    assert "\n" in text
    check_text(text, sorted(labels)[:2])


def pairwise(labels, place):
    text = repr(PairwiseScores(tuple(labels), np.eye(len(labels)), labels[0]))
    assert text.count("\n") > 1
    check_text(text, labels)


def comparison(labels, place):
    rows = [Evaluation({"ari": 0.5, "vi": number}) for number in np.linspace(0, 1, len(labels))]
    check_shown(Comparison(dict(zip(labels, rows, strict=True))), labels)


def comparison_by_measures_of_users(labels, place):
    scores = dict(zip(labels, cycled([0.5, -1e-9, 1e300, math.nan, (1, 2.0)], len(labels)), strict=True))
    names = [f"{x}.{part}" for x, score in scores.items() for part in ("01" if isinstance(score, tuple) else ())]
    names += [x for x, score in scores.items() if not isinstance(score, tuple)]
    found = Comparison({labels[0]: Evaluation(scores), labels[-1]: Evaluation(scores)})
    check_text(repr(found), ())
    check_html(found._repr_html_(), [labels[0], labels[-1], *names])


def evaluation(labels, place):
    scores = dict(zip(labels, cycled([0.5, -1e-9, 1e300, math.nan], len(labels)), strict=True))
    check_shown(Evaluation(scores), labels)


def comparison_by(labels, place):
    names = [(labels[0], x) for x in labels] + [(labels[1], labels[0])]
    found = Comparison({name: Evaluation({"ari": 0.5}) for name in names}, levels=("labeling", "by"))
    check_text(repr(found), ())
    check_html(found._repr_html_(), labels)


def evaluation_by(labels, place):
    check_shown(Comparison({x: Evaluation({"vi": 0.5}) for x in labels}, levels=("by",)), labels)


def with_intervals(labels, place):
    estimates = ScoreEstimates(dict(zip(labels, cycled(ESTIMATES, len(labels)), strict=True)))
    evaluation = Evaluation({name: x.score for name, x in estimates.items()}, estimates)
    if place % 3 == 0:
        check_shown(evaluation, labels)
    elif place % 3 == 1:
        check_shown(estimates, labels)
    else:
        found = Comparison({labels[0]: evaluation, labels[1]: evaluation})
        check_text(repr(found), ())
        check_html(found._repr_html_(), labels)


def best(labels, place):
    found = [BestLabeling(labels[0], 1.0, "higher", gaps={labels[1]: x}) for x in DIFFERENCES]
    found = BestLabelings({**dict.fromkeys(labels[:2], found[0]), "other": found[1]})
    check_text(repr(found), ())
    check_html(found._repr_html_(), labels[:2], width=math.inf)
    check_text(repr(found["other"]), ())
    check_line(found["other"].sentence(), math.inf)
    assert visible(labels[0]) in found["other"].sentence()


def permutations(labels, place):
    check_shown(PermutationTests(dict(zip(labels, cycled(TESTS, len(labels)), strict=True))), labels)


def rankings(labels, place):
    n = len(labels)
    check_shown(ranking.RankingScores(tuple(labels), [0.5] * n, [0] * n, None, None, (4,)), labels)


def integration(labels, place):
    bio = dict.fromkeys(labels, 0.5)
    found = IntegrationScores(bio, {"x": math.nan}, {"x": f"needs {labels[0]}"}, {"y": bio})
    check_text(repr(found), ())
    check_html(found._repr_html_(), labels)


def multilabels(labels, place):
    truth = np.eye(len(labels), dtype=int)
    check_shown(multilabel.evaluate(truth, y_pred=truth, classes=labels, metrics={labels[0]: "f1"}), labels)


SHOWN = [
    labelled,
    table,
    pairwise,
    comparison,
    comparison_by_measures_of_users,
    evaluation,
    comparison_by,
    evaluation_by,
    with_intervals,
    best,
    permutations,
    rankings,
    integration,
    multilabels,
]


@pytest.mark.parametrize("show", SHOWN, ids=lambda show: show.__name__)
def test_labels_are_shown_as_they_are(show):
    for place, labels in enumerate(SETS[SHOWN.index(show) :: len(SHOWN)]):
        show(labels, place)
