"""Many measures of labels at once: the values of each by definition, names, the table, and what is wrong."""

from __future__ import annotations

import functools
from unittest import mock

import numpy as np
import pytest
from backends import as_on_a_device, transfers_to_host
from multilabel_cases import MASK, MATRICES, Q_LABELS, SHORT, WEIGHTS, L, exact, floats, predicted
from wrong_calls import assert_raises, wrong_calls

from gpuval import multilabel
from gpuval.measures.measure import measures_in, usual_names
from gpuval.multilabel import LabelCounts, MultilabelScores, _inputs, evaluate

CASE = "few ties"
LABELS, SCORES = np.asarray(MATRICES[CASE][0]), floats(MATRICES[CASE][1])
PREDICTED = np.asarray(predicted(MATRICES[CASE][1]))
NAMES = {full: short for short, full in SHORT.items()}
FULL = {NAMES[full]: full for full in usual_names(measures_in(multilabel))}
AVERAGES = ("macro", "weighted", "micro", "samples")
LECTURE = np.asarray(L[0]), floats(L[1])


def assert_are(scores, backend, **building):
    """The scores of all default measures are those of the definitions."""
    assert list(scores) == [f"{name}_{average}" for name in FULL for average in AVERAGES]
    for name, full in FULL.items():
        backend.assert_close(scores.per_class[name], exact(full, CASE, None, **building), name)
        for average in AVERAGES:
            score = f"{name}_{average}"
            backend.assert_close(scores[score], exact(full, CASE, average, **building), score)


def test_scores_are_those_of_the_definitions(backend):
    arrays = [backend.array(x) for x in (LABELS, SCORES, PREDICTED)]
    scores = evaluate(*arrays[:2])
    assert_are(scores, backend)
    assert_are(evaluate(*arrays), backend)
    for score in scores.values():
        backend.assert_at_home(score, arrays[0])
    assert backend.numpy(scores.support).tolist() == LABELS.sum(0).tolist()


def test_weights_and_masks(backend):
    labels, scores, weights, mask = (backend.array(x) for x in (LABELS, SCORES, WEIGHTS, MASK))
    assert_are(evaluate(labels, scores, sample_weight=weights, mask=mask), backend, is_weighted=True, is_masked=True)


@pytest.mark.parametrize("way", ["zero", "one", "skip"])
def test_what_is_undefined(way):
    labels, scores = np.asarray(MATRICES["one-sided"][0]), floats(MATRICES["one-sided"][1])
    found = evaluate(labels, scores, metrics=list(FULL), on_undefined=way)
    for score, value in found.items():
        name, _, average = score.rpartition("_")
        expected = float(exact(FULL[name], "one-sided", average, on_undefined=way))
        assert float(value) == pytest.approx(expected, abs=1e-14, nan_ok=True), score
    own = functools.partial(multilabel.roc_auc_score, on_undefined="zero")
    both = evaluate(labels, scores, metrics={"own": own, "all": "roc_auc"}, averages="macro", on_undefined=way)
    zero = exact("roc_auc_score", "one-sided", "macro", on_undefined="zero")
    assert float(both["own_macro"]) == pytest.approx(float(zero))
    assert both["all_macro"] == found["roc_auc_macro"]


MEASURES = {
    "f1" if name == "f_score" else name.removesuffix("_score"): measure
    for name, measure in vars(multilabel).items()
    if hasattr(measure, "definition")
}


def test_all_measures_and_averages_are_those_of_the_functions(backend):
    labels, scores, weights = (backend.array(x) for x in (LABELS, SCORES, WEIGHTS))
    predictions = multilabel.predicted_labels(scores)
    found = evaluate(
        labels, scores, metrics="all", averages=(*AVERAGES, "geometric", "macro_of_means"), sample_weight=weights
    )
    values = {(name, None): x for name, x in found.per_class.items()}
    values |= dict(zip(found.places, found.values(), strict=True))
    averages = {name: x.definition.averages or (None,) for name, x in MEASURES.items()}
    assert set(values) == {(name, average) for name, own in averages.items() for average in own}
    for (name, average), value in values.items():
        measure = MEASURES[name]
        options = {"average": average} if measure.definition.averages else {}
        given = predictions if measure.definition.kind == "counts" else scores
        expected = backend.numpy(measure(labels, given, sample_weight=weights, **options))
        np.testing.assert_allclose(backend.numpy(value), expected, rtol=1e-6, err_msg=f"{name} {average}")


def test_labels_are_read_and_counted_once():
    with (
        mock.patch.object(_inputs, "read_entries", wraps=_inputs.read_entries) as read,
        mock.patch.object(_inputs, "counts_of_entries", wraps=_inputs.counts_of_entries) as count,
    ):
        evaluate(LABELS, SCORES)
    assert (read.call_count, count.call_count) == (1, 1)


# What is given


def test_counts_and_labels_alone():
    counts = LabelCounts.from_labels(LABELS, PREDICTED)
    of_counts = evaluate(counts)
    assert list(of_counts) == [
        f"{name}_{average}" for name in ("precision", "recall", "f1", "hamming_loss") for average in AVERAGES[:3]
    ]
    of_labels = evaluate(LABELS, y_pred=PREDICTED)
    assert list(of_labels) == [
        f"{name}_{average}" for name in ("precision", "recall", "f1", "hamming_loss") for average in AVERAGES
    ]
    for name, score in of_counts.items():
        assert score == of_labels[name] == evaluate(LABELS, SCORES)[name]
    assert evaluate(counts, metrics="all").keys() >= {"balanced_accuracy", "f1_macro"}
    unknown = LabelCounts.from_counts([2, 5], [2, 10], [1, 0])  # without true negatives, which the Hamming loss reads
    assert list(evaluate(unknown)) == [name for name in of_counts if not name.startswith("hamming_loss")]
    assert evaluate(unknown)["recall_micro"] == 7 / 8
    assert {"hamming_loss_macro"} < set(evaluate(counts, metrics="all")) - set(evaluate(unknown, metrics="all"))
    with pytest.raises(ValueError, match=r"^true_negatives must be given to LabelCounts\.from_counts"):
        evaluate(unknown, metrics="hamming_loss")


def test_one_label_for_each_sample():
    true, pred = Q_LABELS
    scores = evaluate(true, y_pred=pred, metrics=["f1", "recall", "hamming", "balanced_accuracy"])
    assert float(scores["f1_macro"]) == pytest.approx(32 / 63, rel=1e-14)
    assert float(scores["balanced_accuracy"]) == 0.5
    assert float(scores["hamming_loss_micro"]) == 0.5  # of ten samples five are wrong, not of thirty labels
    assert scores.per_class["recall"].tolist() == [0.5, pytest.approx(1 / 3), pytest.approx(2 / 3)]
    names = np.asarray(["ant", "bee", "cow"])
    named = evaluate(names[list(true)], y_pred=names[list(pred)], metrics="f1")
    assert list(named.classes) == ["ant", "bee", "cow"]
    assert named["f1_macro"] == scores["f1_macro"]
    assert evaluate(true, y_pred=pred, n_classes=3, metrics="f1") == evaluate(true, y_pred=pred, metrics="f1")


def test_classes_against_the_rest():
    classes = np.asarray([0, 1, 2, 1])
    rows = np.eye(3, dtype=int)[classes]
    assert evaluate(classes, LECTURE[1]) == evaluate(rows, LECTURE[1])
    best = LECTURE[1].argmax(1)
    scores = evaluate(classes, LECTURE[1], best, metrics=["hamming_loss", "roc_auc"])
    assert float(scores["hamming_loss_micro"]) == (best != classes).mean()
    assert "hamming_loss_samples" not in scores  # labels have no rows, but scores do
    assert "roc_auc_samples" in scores


def test_one_class():
    scores = evaluate([0, 1, 0, 1], [0.1, 0.9, 0.8, 0.7])
    assert list(scores.support) == [2]
    assert [float(scores[f"{name}_macro"]) for name in ("precision", "recall", "roc_auc")] == pytest.approx(
        [2 / 3, 1, 3 / 4]
    )
    assert not any(name.endswith("_samples") for name in scores)
    assert evaluate([0, 1, 0, 1], [0.1, 0.9, 0.8, 0.7], [0, 1, 1, 1]) == scores


def test_thresholds():
    at_one = evaluate(*LECTURE, metrics="f1", threshold=1.0)
    assert at_one == evaluate(LECTURE[0], y_pred=LECTURE[1] >= 1, metrics="f1")
    own = evaluate(*LECTURE, metrics="f1", threshold=[0.7, 0.2, 0.3], at_least_one=True)
    labels = multilabel.predicted_labels(LECTURE[1], [0.7, 0.2, 0.3], at_least_one=True)
    assert own == evaluate(LECTURE[0], y_pred=labels, metrics="f1")


def test_names_of_classes():
    pd = pytest.importorskip("pandas")
    labels, scores = (pd.DataFrame(x, columns=["cat", "dog", "owl"]) for x in LECTURE)
    found = evaluate(labels, scores)
    assert found.classes == ("cat", "dog", "owl")
    assert found != evaluate(*LECTURE)  # whose classes are called otherwise
    assert found == dict(evaluate(*LECTURE))
    assert evaluate(*LECTURE, classes=np.asarray(["a", "b", "c"])).classes == ("a", "b", "c")
    torch = pytest.importorskip("torch")
    assert evaluate(*LECTURE, classes=torch.asarray([7, 8, 9])).classes == (7, 8, 9)
    other = scores[["dog", "cat", "owl"]]
    with pytest.raises(ValueError, match=r"^y_true and y_score must have the same columns in one order, got"):
        evaluate(labels, other, metrics="f1")


# What comes out


TABLE = """\
           precision  recall     f1  roc_auc  support
cat            1.000   0.500  0.667    0.625        2
dog            0.500   0.500  0.500    0.500        2
owl            0.000   0.000  0.000    0.333        1
macro          0.500   0.333  0.389    0.486
samples        0.500   0.500  0.500    0.562
geometric      0.000   0.000  0.000

of the classes   mean     sd  least   most  least of  most of
precision       0.500  0.408  0.000  1.000  owl       cat
recall          0.333  0.236  0.000  0.500  owl       cat
f1              0.389  0.283  0.000  0.667  owl       cat
roc_auc         0.486  0.119  0.333  0.625  owl       cat

mean_probability_rate  0.438"""
"""Of 1 of 1, 1 of 2 and 0 of 1 right predictions; areas of 5/8, 1/2 and 1/3; and probabilities of 1.75 in 4 samples."""


def test_it_prints_as_a_table():
    scores = evaluate(
        *LECTURE,
        metrics=["precision", "recall", "f1", "roc_auc", "mpr"],
        averages=["macro", "samples", "geometric"],
        classes=["cat", "dog", "owl"],
    )
    assert repr(scores) == TABLE
    assert repr(evaluate(*LECTURE, metrics="mpr")) == "mean_probability_rate  0.438"


def test_the_spread_over_the_classes():
    """The recalls of the lecture's classes are 1/2, 1/2 and 0: their mean is 1/3, and their variance 1/18."""
    scores = evaluate(*LECTURE, metrics=["recall", "auc"], averages="macro", classes=["cat", "dog", "owl"])
    spread = scores.spread("recall")
    assert spread.mean == pytest.approx(1 / 3)
    assert spread.standard_deviation == pytest.approx(18**-0.5)
    assert spread[2:] == (0, "owl", 0.5, "cat", 0)
    assert scores.spread("roc_auc") == scores.spread("auc")
    with pytest.raises(ValueError, match="name must be one of recall, roc_auc, got 'precision'"):
        scores.spread("precision")
    line = "recall          0.333  0.236  0.000  0.500  owl       cat"
    assert line in repr(scores).splitlines()
    assert "<td" in scores._repr_html_().partition("of the classes")[2]
    same = evaluate(np.eye(3), y_pred=np.eye(3), metrics="recall", averages="macro")
    assert repr(same).splitlines()[-1].split() == ["recall", "1.000", "0.000", "1.000", "1.000"]
    two = evaluate([[1, 0], [1, 1]], y_pred=[[1, 0], [0, 1]], metrics="recall")
    assert "of the classes" not in repr(two)
    assert two.spread("recall")[:2] == (0.75, 0.25)


def test_many_classes_are_shortened():
    labels = np.eye(13, dtype=int)
    table = repr(evaluate(labels, y_pred=labels, metrics="f1", averages="macro")).splitlines()[:-3]
    assert [line.split()[0] for line in table] == ["f1", *"012345", "...", *map(str, range(7, 13)), "macro"]
    assert table[7] == "...      ...      ..."
    table = repr(evaluate(labels[:12, :12], y_pred=labels[:12, :12], metrics="f1", averages="macro")).splitlines()[:-3]
    assert [line.split()[0] for line in table] == ["f1", *map(str, range(12)), "macro"]


def test_classes_that_are_called_as_an_average():
    scores = evaluate(["macro", "score", "b"], y_pred=["macro", "b", "b"], metrics="f1", averages=["macro"])
    table = scores.to_pandas()
    assert table.index.tolist() == ["b", "macro", "score", "macro (of all)"]
    assert table["f1"].tolist() == pytest.approx([2 / 3, 1, 0, 5 / 9])
    assert [line.split("  ")[0] for line in repr(scores).split("\n")[1:-3]] == ["b", "macro", "score", "macro (of all)"]


def test_to_pandas():
    pytest.importorskip("pandas")
    scores = evaluate(*LECTURE, metrics=["precision", "roc_auc", "mpr"], averages=["macro", "geometric"])
    table = scores.to_pandas()
    assert table.columns.tolist() == ["precision", "roc_auc", "mean_probability_rate", "support"]
    assert table.index.tolist() == [0, 1, 2, "macro", "geometric", "score"]
    assert table["precision"].tolist()[:5] == [1, 0.5, 0, 0.5, 0]
    assert table["roc_auc"].isna().tolist() == [False] * 4 + [True] * 2
    assert table["support"].dtype == "Int64"
    assert table["support"].tolist()[:3] == [2, 2, 1]
    assert table["mean_probability_rate"].isna().tolist() == [True] * 5 + [False]
    weighted = evaluate(*LECTURE, metrics="f1", sample_weight=[0.5, 1, 1, 1]).to_pandas()
    assert weighted["support"].tolist()[:3] == [1.5, 2, 1]
    large = np.eye(100, dtype=int)
    assert len(evaluate(large, y_pred=large, metrics="f1", averages=()).to_pandas()) == 100


def test_to_dict():
    scores = evaluate(*LECTURE, metrics=["f1", "mpr"], averages="micro")
    assert scores.to_dict() == {"f1_micro": pytest.approx(4 / 9), "mean_probability_rate": 0.4375}
    assert all(type(x) is float for x in scores.to_dict().values())


def test_names():
    scores = evaluate(*LECTURE, metrics=["AUC", "f2", "brier", "MPR"], averages=["macro", "micro"])
    assert list(scores) == [
        *("roc_auc_macro", "roc_auc_micro", "f2_macro", "f2_micro"),
        *("mean_squared_error_macro", "mean_squared_error_micro", "mean_probability_rate"),
    ]
    for name in ("auc_micro", "roc_auc_score_micro", "AUC_micro"):
        assert scores[name] == scores["roc_auc_micro"]
    assert scores["mpr"] == scores["mean_probability_rate"]
    assert scores.per_class["auc"] is not None
    assert all(name in scores for name in ("brier_macro", "F2_micro"))
    for name in ("roc_auc", "f1_macro", "auc_weighted", 7):
        assert name not in scores
    named = evaluate(*LECTURE, metrics={"Area": "auc", "chance": "mpr"}, averages="macro")
    assert list(named) == ["Area_macro", "chance"]
    assert list(named.per_class) == ["Area"]


def test_equality():
    scores = evaluate(*LECTURE, metrics="f1")
    assert scores == evaluate(*LECTURE, metrics="f1") == dict(scores)
    assert scores != evaluate(*LECTURE, metrics="f2")
    assert scores != evaluate(LECTURE[0][::-1], LECTURE[1][::-1], metrics="f1", sample_weight=[2, 2, 2, 2])
    assert scores != 1


def test_no_averages():
    scores = evaluate(*LECTURE, metrics="f1", averages=())
    assert dict(scores) == {}
    assert scores.per_class["f1"].tolist() == [pytest.approx(2 / 3), 0.5, 0]


# On a device


def test_nothing_leaves_the_device(backend):
    arrays = [backend.array(x) for x in (LABELS, SCORES, WEIGHTS)]
    with as_on_a_device(), transfers_to_host() as copied:
        evaluate(*arrays[:2], metrics="all", sample_weight=arrays[2])
        evaluate(arrays[0], y_pred=backend.array(PREDICTED))
    assert copied == []


def test_jit():
    import jax

    arrays = jax.numpy.asarray(LABELS), jax.numpy.asarray(SCORES)
    scores = jax.jit(lambda *x: evaluate(*x, classes=list("abcd")))(*arrays)
    assert type(scores) is MultilabelScores
    assert (list(scores), scores.classes) == (list(evaluate(*arrays)), tuple("abcd"))
    for name, score in evaluate(LABELS, SCORES).items():
        np.testing.assert_allclose(scores[name], score, rtol=1e-6)
    seen = []
    jax.jit(lambda *x: seen.append(repr(evaluate(*x, metrics="f1"))))(*arrays)
    assert "macro" in seen[0]


def test_compiled_by_pytorch():
    import torch

    arrays = torch.asarray(LABELS), torch.asarray(SCORES)
    step = torch.compile(lambda *x: dict(evaluate(*x, metrics="all")), fullgraph=True, backend="eager")
    found = {name: float(x) for name, x in step(*arrays).items()}
    assert found == pytest.approx(evaluate(*arrays, metrics="all").to_dict(), rel=1e-14)


def test_gradients():
    import torch

    scores = torch.asarray(SCORES, requires_grad=True)
    evaluate(torch.asarray(LABELS), scores, metrics=["mse", "f1", "roc_auc"])["mse_micro"].backward()
    np.testing.assert_allclose(scores.grad, 2 * (SCORES - LABELS) / LABELS.size, rtol=1e-14)


# What is wrong

COUNTS = LabelCounts.from_labels(LABELS, PREDICTED)

WRONG = """
multilabel.evaluate(LABELS)
    TypeError: y_score or y_pred must be given, got neither
multilabel.evaluate(LABELS, None, PREDICTED, metrics="auc")
    TypeError: y_score must be given for roc_auc, which needs scores, got None
multilabel.evaluate(COUNTS, metrics=["f1", "mse"])
    TypeError: y_score must be given for mean_squared_error, which needs scores, got None
multilabel.evaluate(COUNTS, SCORES, metrics="f1")
    TypeError: y_score= cannot be given with a LabelCounts: give it to LabelCounts.from_labels
multilabel.evaluate(COUNTS, averages="samples")
    ValueError: averages must be others than 'samples' without matrices, whose rows the samples are
multilabel.evaluate([0, 1], [0.1, 0.2], averages=["samples"])
    ValueError: averages must be others than 'samples' without matrices, whose rows the samples are
multilabel.evaluate(LABELS, SCORES, PREDICTED, threshold=0.3)
    TypeError: threshold must be left out where no measure reads labels that are predicted of scores, got
    0.3
multilabel.evaluate(LABELS, None, PREDICTED, at_least_one=True)
    TypeError: at_least_one must be left out where no measure reads labels that are predicted of scores, got
    True
multilabel.evaluate(LABELS, SCORES, n_classes=4)
    TypeError: n_classes must be left out where y_score says how many there are, got 4
multilabel.evaluate(LABELS, SCORES, classes=["a", "b"])
    ValueError: classes must have a name for each class (4), got 2
multilabel.evaluate(LABELS, SCORES, classes="abcd")
    TypeError: classes must be a sequence with the name of each class, got 'abcd'
multilabel.evaluate(LABELS, SCORES, classes={"a": 0, "b": 1, "c": 2, "d": 3})
    TypeError: classes must be a sequence with the name of each class, got {'a': 0, 'b': 1, 'c': 2, 'd': 3}
multilabel.evaluate(LABELS, SCORES, classes=frozenset([1, 2, 3, 4]))
    TypeError: classes must be a sequence with the name of each class, got frozenset({1, 2, 3, 4})
multilabel.evaluate(LABELS, SCORES, classes=[["a"], ["b"], ["c"], ["d"]])
    TypeError: classes must have names that are strings or other hashable values, got ['a']
multilabel.evaluate(LABELS, SCORES, classes=np.asarray([1, 2, 1, 3]))
    ValueError: classes must have names that differ, got 1 twice
multilabel.evaluate(LABELS, SCORES, metrics="auc", threshold="low")
    TypeError: threshold must be left out where no measure reads labels that are predicted of scores, got
    'low'
multilabel.evaluate(LABELS, SCORES, metrics=["mse", "ap"], at_least_one=True)
    TypeError: at_least_one must be left out where no measure reads labels that are predicted of scores, got
    True
multilabel.evaluate(LABELS, SCORES, on_undefined="none")
    ValueError: on_undefined must be one of 'zero', 'one', 'nan', 'skip', got 'none'
multilabel.evaluate(LABELS, SCORES[:3])
    ValueError: y_score must have the shape of y_true, (6, 4), got (3, 4)
multilabel.evaluate(LABELS, SCORES + 1, metrics="log_loss")
    ValueError: y_score must hold probabilities, from 0 to 1, for log_loss, got FIRST at row 0, column 0; give
    probabilities, or other metrics; log_loss(from_logits=True) takes logits
multilabel.evaluate(LABELS, SCORES + 1, metrics="all")
    ValueError: y_score must hold probabilities, from 0 to 1, for log_loss, macro_average_probability_rate,
    mean_probability_rate, got FIRST at row 0, column 0; give probabilities, or other metrics;
    log_loss(from_logits=True) takes logits
multilabel.evaluate(LABELS, SCORES + 1, metrics={"f1": "f1", "surprise": "log_loss", "mse": "mse"})
    ValueError: y_score must hold probabilities, from 0 to 1, for surprise, got FIRST at row 0, column 0; give
    probabilities, or other metrics; log_loss(from_logits=True) takes logits
multilabel.MultilabelAccumulator(["f1", "mpr"]).update(LABELS, SCORES + 1)
    ValueError: y_score must hold probabilities, from 0 to 1, for mean_probability_rate, got FIRST at row 0, column 0;
    give probabilities, or other metrics; log_loss(from_logits=True) takes logits
""".replace("FIRST", str(SCORES[0, 0] + 1))
"""What is wrong with the labels and the scores themselves is in tests/multilabel/test_bad_multilabel.py."""


@pytest.mark.parametrize(("call", "error"), wrong_calls(WRONG))
def test_a_wrong_call_raises_one_clear_error(call, error):
    assert_raises(call, error, globals())
