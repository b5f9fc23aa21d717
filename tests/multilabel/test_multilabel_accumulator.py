"""Scores of labels batch by batch: the forms of batches, the measures, bins, and what is refused."""

import functools
import json
import re
from fractions import Fraction
from math import inf, nan

import multilabel_oracles as oracles
import numpy as np
import pytest
from backends import BACKENDS
from hypothesis import given, settings
from hypothesis import strategies as st
from multilabel_cases import BATCHED_AVERAGES as AVERAGES
from multilabel_cases import BATCHED_LABELS as LABELS
from multilabel_cases import BATCHED_SCORES as SCORES
from multilabel_cases import BATCHES, MASK, MATRICES, OF_ONE_SCORE, OF_SCORES, WEIGHTS, floats, predicted
from multilabel_cases import SHORT as NAMES
from multilabel_cases import batched as definition
from oracles import NAN

from gpuval import multilabel
from gpuval.multilabel import LabelCounts, MultilabelAccumulator

F = Fraction
OF_CURVES = {name: full for name, full in NAMES.items() if full in OF_SCORES}
OTHERS = {
    "f1_geometric": ("f_score", "geometric"),
    "precision_geometric": ("precision_score", "geometric"),
    "f1_macro_of_means": ("f_score", "macro_of_means"),
}
ALONE = [name.removesuffix("_score") for name in OF_ONE_SCORE]


def batch(backend, case, weights=None, mask=None):
    labels, scores = MATRICES[case]
    return {
        "y_true": backend.array(labels),
        "y_score": backend.array(floats(scores)),
        "sample_weight": None if weights is None else backend.array(weights),
        "mask": None if mask is None else backend.of(np.asarray(mask)),
    }


def filled(backend, accumulator, cases=BATCHES, **options):
    for case in cases:
        accumulator.update(**batch(backend, case, **options))
    return accumulator


# ---- batches are one call --------------------------------------------------------------------------


def test_other_averages_and_scores_alone(backend):
    accumulator = MultilabelAccumulator(["precision", "f1", *ALONE], ["geometric", "macro_of_means"])
    found = filled(backend, accumulator).scores
    for name, (full, average) in OTHERS.items():
        backend.assert_close(found[name], definition(full, average), name)
    labels, predictions = LABELS, predicted(SCORES)
    backend.assert_close(found["mean_probability_rate"], oracles.mean_probability_rate(labels, SCORES))
    backend.assert_close(
        found["macro_average_probability_rate"], oracles.macro_average_probability_rate(labels, SCORES)
    )
    backend.assert_close(found["balanced_accuracy"], oracles.balanced_accuracy_score(labels, predictions))
    eps = F(float(np.finfo(np.float64 if backend.has_float64 else np.float32).eps))
    backend.assert_close(found["log_loss"], oracles.log_loss(labels, SCORES, eps=eps))


def test_unknown_labels(backend):
    """By a mask, and by a value of the labels."""
    whole = filled(backend, MultilabelAccumulator(NAMES, AVERAGES), mask=MASK).scores
    ignoring = MultilabelAccumulator(NAMES, AVERAGES, ignore_labels=-1)
    for case in BATCHES:
        labels, scores = MATRICES[case]
        labels = np.where(np.asarray(MASK), np.asarray(labels), -1)
        ignoring.update(backend.array(labels), backend.array(floats(scores)))
    for name, full in NAMES.items():
        for average in AVERAGES:
            wanted = definition(full, average, mask=MASK * 3)
            for found in (whole, ignoring.scores):
                backend.assert_close(found[f"{name}_{average}"], wanted, f"{name} {average}")


def test_vectors():
    """Of one class; of the class of each sample with a matrix of scores; and of one label of any kind."""
    one = MultilabelAccumulator("auc", "macro")
    one.update([1, 0, 0], [0.5, -3.0, inf])
    one.update([1], [0.25])
    assert float(one.scores["roc_auc_macro"]) == 0.5  # of four pairs two
    of_scores = MultilabelAccumulator(["auc", "recall"], ["macro", "micro"])
    of_scores.update([0, 1], [[0.5, 0.2, 0.1], [0.75, 0.25, 0.0]])
    of_scores.update([2], [[0.0, 0.5, 1.0]])
    assert of_scores.scores.per_class["roc_auc"].tolist() == [0.5, 0.5, 1.0]
    assert float(of_scores.scores["recall_micro"]) == pytest.approx(2 / 3, abs=1e-15)
    labels = MultilabelAccumulator(["hamming_loss", "f1"], ["micro", "macro"])
    labels.update(["cat", "dog"], y_pred=["cat", "cat"])
    labels.update(["dog", "cat", "cat"], y_pred=["dog", "cat", "cat"])
    assert labels.counts.classes == ["cat", "dog"]
    assert float(labels.scores["hamming_loss_micro"]) == 0.2  # one of five samples
    assert labels.scores.per_class["f1"].tolist() == pytest.approx([6 / 7, 2 / 3], abs=1e-15)
    sized = MultilabelAccumulator("recall", "macro", n_classes=3, on_undefined="nan")
    sized.update([0, 0], y_pred=[0, 1])
    sized.update([2], y_pred=[2])
    assert sized.counts.true_positives.tolist() == [1, 0, 1]
    assert sized.scores.support.tolist() == [2, 0, 1]


def test_vectors_have_no_mean_over_the_samples_by_default():
    """Of a, b, b, where c is never right: precision 1 of a, 1/2 of b, 0 of c; no average was asked for."""
    texts = MultilabelAccumulator("precision")
    texts.update(["a", "b", "c"], y_pred=["a", "b", "b"])
    assert texts.scores.to_dict() == {
        f"precision_{x}": x_of for x, x_of in (("macro", 0.5), ("weighted", 0.5), ("micro", 2 / 3))
    }
    one_class = MultilabelAccumulator("auc")
    one_class.update([0, 1], [0.25, 0.75])
    assert one_class.scores.to_dict() == {"roc_auc_macro": 1, "roc_auc_weighted": 1, "roc_auc_micro": 1}


@pytest.mark.parametrize("weights", [None, [0.0, 0.0]])
@pytest.mark.parametrize("is_first", [False, True])
def test_batches_of_one_label_each_in_which_none_counts(backend, is_first, weights):
    """All labels are to be ignored, or all weights are 0: macro F is (1 + 2/3 + 0) / 3 of the other batch."""
    accumulator = MultilabelAccumulator("f1", "macro", ignore_labels=-1, n_classes=3)
    batches = [
        ([0, 1, 2], [0, 1, 1], weights and [1.0] * 3),
        ([-1, -1] if weights is None else [1, 2], [0, 1], weights),
    ]
    for *labels, own in reversed(batches) if is_first else batches:
        true, pred = (backend.array(np.asarray(x)) for x in labels)
        accumulator.update(true, y_pred=pred, sample_weight=None if own is None else backend.array(np.asarray(own)))
    backend.assert_close(accumulator.scores["f1_macro"], F(5, 9))


@pytest.mark.parametrize("undefined", ["zero", "one", "nan", "skip"])
@pytest.mark.parametrize("rows", [0, 2])
def test_where_nothing_has_a_weight_all_averages_are_undefined(backend, undefined, rows):
    accumulators = [
        MultilabelAccumulator(NAMES, AVERAGES, n_bins=n_bins, on_undefined=undefined) for n_bins in (None, 9)
    ]
    labels, scores = np.eye(2, dtype=int)[:rows], np.eye(2)[:rows] / 2
    for accumulator in accumulators:
        accumulator.update(*map(backend.array, (labels, scores)), sample_weight=backend.array(np.zeros(rows)))
        found = [float(backend.numpy(x)) for x in accumulator.scores.values()]
        wanted = {"zero": 0.0, "one": 1.0}.get(undefined, nan)
        assert len(found) == len(NAMES) * len(AVERAGES)
        assert found == pytest.approx([wanted] * len(found), nan_ok=True)


def test_classes_of_batches_without_samples():
    """Labels that name each class, and lists without rows, take the classes of other batches."""
    named = MultilabelAccumulator("recall", "macro")
    named.update([], y_pred=[])
    with pytest.raises(ValueError, match=r"^an accumulator must have had an update before its scores are read"):
        named.scores
    named.update(["a", "b"], y_pred=["a", "a"])
    named.update(np.asarray([], dtype=str), y_pred=np.asarray([], dtype=str))
    assert named.scores.to_dict() == {"recall_macro": 0.5}
    numbered = MultilabelAccumulator("recall", "macro", n_classes=3, on_undefined="one")
    numbered.update([], y_pred=[])
    numbered.update(np.zeros(0, dtype=int), y_pred=np.zeros(0, dtype=int))
    assert numbered.scores.to_dict() == {"recall_macro": 1}
    lists = MultilabelAccumulator("auc", "macro")
    lists.update([[1, 0], [0, 1]], [[0.9, 0.1], [0.1, 0.9]])
    lists.update([], [])
    assert lists.scores.to_dict() == {"roc_auc_macro": 1}


def test_labels_of_a_device_with_weights_and_without(backend):
    """Two of three samples are right, and then two of weight 3 in 4: 5 of 7."""
    accumulator = MultilabelAccumulator("recall", "micro", n_classes=2)
    true, pred = (backend.array(np.asarray(x)) for x in ([0, 1, 1], [0, 1, 0]))
    accumulator.update(true, y_pred=pred)
    accumulator.update(true, y_pred=pred, sample_weight=backend.array(np.asarray([2.0, 1.0, 1.0])))
    backend.assert_close(accumulator.scores["recall_micro"], Fraction(5, 7))


def test_columns_without_names():
    """NaN is a name like another: one of two frames, or of two batches, is the same."""
    pandas = pytest.importorskip("pandas")

    def framed(x, *names):
        return pandas.DataFrame(x, columns=list(names))

    accumulator = MultilabelAccumulator("auc", "macro")
    for _ in range(2):
        labels, scores = (framed(x, float("nan"), "a") for x in ([[1, 0], [0, 1]], [[0.9, 0.1], [0.1, 0.9]]))
        accumulator.update(labels, scores)
    assert accumulator.scores.to_dict() == {"roc_auc_macro": 1}
    message = "y_true and y_score must have the same columns in one order, got 'a' and 'b' at position 1"
    with pytest.raises(ValueError, match=f"^{message}"):
        accumulator.update(labels, framed([[0.9, 0.1], [0.1, 0.9]], float("nan"), "b"))


def test_data_frames():
    """Their columns are the names of the classes, and the same in all batches."""
    import pandas as pd

    labels, scores = pd.DataFrame({"cat": [1, 0], "dog": [0, 1]}), pd.DataFrame({"cat": [0.5, 0.1], "dog": [0.2, 0.7]})
    accumulator, loaded = (MultilabelAccumulator(["f1", "auc"], "macro") for _ in range(2))
    accumulator.update(labels, scores)
    loaded.load_state_dict(in_json(accumulator.state_dict()))
    message = "y_true must have the columns of the batches before, ['cat', 'dog'], got ['dog', 'cat']; reorder them"
    for one in (accumulator, loaded):
        assert one.scores.classes == ("cat", "dog")
        with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
            one.update(labels[["dog", "cat"]], scores[["dog", "cat"]])
        one.update(labels.to_numpy(), scores.to_numpy())
        assert one.scores.support.tolist() == [2, 2]


def test_predicted_labels_are_given_or_predicted():
    labels, scores = [[1, 0], [0, 1], [1, 1]], [[0.3, 0.6], [0.1, 0.2], [0.3, 0.5]]
    for options, wanted in (
        ({}, [0, 1, 2, 0]),
        ({"threshold": 0.3}, [2, 1, 0, 0]),
        ({"threshold": [0.3, 0.2]}, [2, 1, 0, 0]),
        ({"at_least_one": True}, [0, 2, 2, 0]),
    ):
        accumulator = MultilabelAccumulator("f1", **options)
        accumulator.update(labels, scores)
        counts = accumulator.counts
        found = multilabel.LabelCounts.from_labels(labels, multilabel.predicted_labels(scores, **options))
        for name in ("true_positives", "false_positives", "false_negatives", "true_negatives"):
            assert getattr(counts, name).tolist() == getattr(found, name).tolist()
    accumulator = MultilabelAccumulator(["f1", "auc"], "macro")
    accumulator.update(labels, scores, labels)
    assert float(accumulator.scores["f1_macro"]) == 1.0


def test_settings_are_those_of_each_measure():
    strict = functools.partial(multilabel.f_score, beta=2, on_undefined="one")
    logits = functools.partial(multilabel.log_loss, from_logits=True, form="binary")
    accumulator = MultilabelAccumulator({"F2": strict, "loss": logits}, "macro", on_undefined="nan")
    labels, scores = np.asarray([[1, 0], [0, 0]]), np.asarray([[3.0, -2.0], [-1.0, -50.0]])
    for i in (0, 1):
        accumulator.update(labels[i : i + 1], scores[i : i + 1], scores[i : i + 1] > 0)
    found = accumulator.scores
    assert found.per_class["F2"].tolist() == [1.0, 1.0]
    wanted = multilabel.log_loss(labels, scores, from_logits=True, form="binary")
    assert float(found["loss"]) == pytest.approx(float(wanted), abs=1e-15)


def test_infinite_losses():
    accumulator = MultilabelAccumulator(functools.partial(multilabel.log_loss, eps=0))
    accumulator.update([[1, 0]], [[0.0, 1.0]])
    accumulator.update([[1, 0]], [[1.0, 0.0]])
    (loss,) = accumulator.scores.values()
    assert loss == inf


sizes = st.lists(st.integers(1, 9), min_size=1, max_size=6)


@settings(max_examples=30)
@given(sizes=sizes, seed=st.integers(0, 2**32 - 1), n_bins=st.sampled_from([None, 8]), kind=st.sampled_from("nif"))
def test_random_batches_are_one_call(sizes, seed, n_bins, kind):
    rng, n = np.random.default_rng(seed), sum(sizes)
    labels, scores = rng.integers(0, 2, (n, 3)), rng.integers(0, 8, (n, 3)) / 8
    weights = {"n": None, "i": rng.integers(1, 4, n), "f": rng.random(n) + 0.1}[kind]
    mask = rng.random((n, 3)) < 0.9
    metrics = [*NAMES, *ALONE]
    accumulator, start = MultilabelAccumulator(metrics, AVERAGES, n_bins=n_bins, on_undefined="skip"), 0
    for size in sizes:
        own = slice(start, start := start + size)
        given_weights = None if weights is None else weights[own]
        accumulator.update(labels[own], scores[own], mask=mask[own], sample_weight=given_weights)
    whole = multilabel.evaluate(
        labels,
        scores,
        metrics=metrics,
        averages=AVERAGES,
        mask=mask,
        sample_weight=weights,
        on_undefined="skip",
    )
    found = accumulator.scores
    assert list(found) == list(whole)
    for name, score in whole.items():
        assert float(found[name]) == pytest.approx(float(score), abs=1e-13, nan_ok=True), name
    for name, values in whole.per_class.items():
        np.testing.assert_allclose(found.per_class[name], values, rtol=0, atol=1e-13)
    np.testing.assert_allclose(found.support, whole.support, rtol=1e-15)


# ---- sums ------------------------------------------------------------------------------------------


def test_counts_are_exact_integers(backend):
    """Beyond 2^31, by an integer weight of 2^30, and by adding an accumulator to itself."""
    has_64_bits = backend.has_int64 and backend.has_float64
    accumulator = MultilabelAccumulator(["f1", "auc"], "macro", n_bins=4)
    weights = backend.array(np.asarray([2**30 if has_64_bits else 2**20, 1]))
    for _ in range(4):
        accumulator.update(
            backend.array([[1, 0], [0, 1]]), backend.array([[1.0, 0.0], [0.0, 0.0]]), sample_weight=weights
        )
    for _ in range(10):
        other = MultilabelAccumulator(["f1", "auc"], "macro", n_bins=4)
        other.merge(accumulator)
        accumulator.merge(other)
    large, small = 2**12 * (2**30 if has_64_bits else 2**20), 2**12
    if has_64_bits:
        counts = accumulator.counts
        assert backend.numpy(counts.true_positives).tolist() == [large, 0]
        assert backend.numpy(counts.false_negatives).tolist() == [0, small]
        assert backend.numpy(counts.true_negatives).tolist() == [small, large]
        assert backend.numpy(accumulator.scores.support).tolist() == [large, small]
    elif "real_counts" in accumulator._label_state.state:
        total = backend.numpy(accumulator._label_state.state["real_counts"]).astype(np.float64).sum(axis=0)
        assert total.tolist() == [[large, 0], [0, 0], [0, small], [small, large]]
    else:  # of JAX, whose arrays lie on the host, and are counted in NumPy
        with pytest.raises(ValueError, match=r"integers must be -2\*\*31 to less than 2\*\*31 on a device without"):
            _ = accumulator.counts
    backend.assert_close(accumulator.scores["f1_macro"], F(1, 2))
    backend.assert_close(accumulator.scores["roc_auc_macro"], F(3, 4))


def arrays_of(x):
    return [y for part in x for y in arrays_of(part)] if isinstance(x, tuple) else [] if x is None else [x]


@pytest.mark.parametrize("n_bins", [None, 5])
def test_what_is_kept(backend, n_bins):
    """Of bins nothing that grows; else a score and a byte for each entry, which are no views of a batch."""
    accumulator, before = MultilabelAccumulator([*NAMES, *ALONE], AVERAGES, n_bins=n_bins), None
    for n_batches in (1, 2, 3):
        labels, scores = MATRICES["ties"]
        given_scores = backend.of(floats(scores).astype(np.float32))
        accumulator.update(backend.array(labels), given_scores)
        state = accumulator._label_state.state
        if n_bins:
            assert "rows" not in state
            sizes = {name: tuple(x.shape) for name, x in state.items()}
            assert before in (None, sizes)
            before = sizes
        else:
            assert len(state["rows"]) == n_batches
            assert [str(x.dtype).rpartition(".")[2] for x in state["rows"][-1][:2]] == ["float32", "uint8"]
        for x in arrays_of(tuple(state.values())):
            assert getattr(x, "base", None) is None or x.base.size <= x.size * 2
    if backend.name == "numpy" and not n_bins:
        given_scores[...] = 0
        assert float(accumulator.scores["roc_auc_macro"]) == pytest.approx(
            float(definition("roc_auc_score", "macro", labels=labels, scores=scores)), abs=1e-14
        )


# ---- bins ------------------------------------------------------------------------------------------

BINNED = {"metrics": list(OF_CURVES), "averages": AVERAGES}


def assert_within(labels, scores, n_bins, weights=None, score_range=(0.0, 1.0), on_undefined="skip"):
    """The exact areas, by definition in fractions, are no further than the errors from those of bins."""
    accumulator = MultilabelAccumulator(**BINNED, n_bins=n_bins, score_range=score_range, on_undefined=on_undefined)
    half = max(1, len(labels) // 2)
    for own in (slice(0, half), slice(half, None)):
        if len(labels[own]):
            accumulator.update(labels[own], scores[own], sample_weight=None if weights is None else weights[own])
    found, errors = accumulator.scores, accumulator.errors
    names = [name for name in found if not name.endswith("samples")]
    assert list(errors) == names
    rows = [[F(x) if np.isfinite(x) else x for x in row] for row in np.asarray(scores).tolist()]
    for name, full in OF_CURVES.items():
        for average in (*AVERAGES, None):
            options = {"weights": None if weights is None else weights.tolist(), "on_undefined": on_undefined}
            exact = oracles.value(full, np.asarray(labels).tolist(), rows, average, **options)
            if average is None:
                areas, bounds = found.per_class[name], errors.per_class[name]
            else:
                areas, bounds = found[f"{name}_{average}"], errors.get(f"{name}_{average}", 0.0)
            wanted = np.asarray([nan if x is NAN else float(x) for x in (exact if average is None else [exact])])
            assert np.all((np.abs(wanted - areas) <= bounds + 1e-14) | np.isnan(wanted)), (name, average)
            assert np.all((np.asarray(bounds) >= 0) | np.isnan(bounds))
            assert np.array_equal(np.isnan(wanted), np.isnan(np.atleast_1d(areas)))
    return found, errors


@settings(max_examples=25)
@given(seed=st.integers(0, 2**32 - 1), n_bins=st.integers(1, 12), n=st.integers(2, 24), weighed=st.sampled_from("nif"))
def test_errors_of_bins_hold(seed, n_bins, n, weighed):
    rng = np.random.default_rng(seed)
    labels = (rng.random((n, 3)) < rng.random(3)).astype(int)
    scores = rng.choice([rng.random((n, 3)), rng.beta(0.2, 0.2, (n, 3)), rng.integers(-1, 4, (n, 3)) / 2])
    weights = {"n": None, "i": rng.integers(0, 4, n), "f": rng.random(n)}[weighed]
    weights = None if weights is None else [*weights[:-1].tolist(), 1]
    assert_within(labels, scores, n_bins, weights=None if weights is None else np.asarray(weights))


@pytest.mark.parametrize("is_right", [True, False])
def test_errors_of_bins_are_reached(is_right):
    """All pairs of one bin in order, or none: the error is one half, and the exact area at its end."""
    scores = np.asarray([[0.1], [0.2], [0.3], [0.4]])
    labels = np.asarray([[0], [0], [1], [1]]) if is_right else np.asarray([[1], [1], [0], [0]])
    found, errors = assert_within(labels, scores, 2)
    assert (float(found["roc_auc_macro"]), float(errors["roc_auc_macro"])) == (0.5, 0.5)


def test_bins_of_any_range():
    """Logits, scores outside of the range and infinite ones; each score in a bin of its own is exact."""
    labels = np.asarray([[1], [0], [1], [0], [1]])
    for scores, score_range in (
        ([[-90.0], [-3.0], [0.0], [5.0], [70.0]], (-5.0, 5.0)),
        ([[-inf], [-3.0], [0.0], [5.0], [inf]], (-100.0, 100.0)),
        ([[-1e308], [1e308], [0.0], [0.5], [1e300]], (-1.7e308, 1.7e308)),
    ):
        assert_within(labels, np.asarray(scores), 6, score_range=score_range)
    found, errors = assert_within(labels, np.arange(5.0)[:, None], 5, score_range=(-0.5, 4.5))
    assert float(errors["roc_auc_macro"]) == 0.0
    assert float(found["roc_auc_macro"]) == 0.5


def test_errors_of_exact_areas_are_none():
    accumulator = filled(BACKENDS["numpy"], MultilabelAccumulator(NAMES))
    assert dict(accumulator.errors) == {}
    assert dict(filled(BACKENDS["numpy"], MultilabelAccumulator("f1", n_bins=3)).errors) == {}


def test_bins_on_every_backend(backend):
    """Scores are multiples of 1/64 and less: one bin for each, so that areas are exact."""
    for weights in (None, WEIGHTS, (1, 0, 4, 2, 1, 3)):
        accumulator = MultilabelAccumulator(OF_CURVES, AVERAGES, n_bins=65, score_range=(-1 / 128, 129 / 128))
        found = filled(backend, accumulator, weights=weights).scores
        every = None if weights is None else weights * 3
        for name, full in OF_CURVES.items():
            for average in AVERAGES:
                backend.assert_close(found[f"{name}_{average}"], definition(full, average, weights=every), average)
            backend.assert_close(found.per_class[name], definition(full, None, weights=every), name)
        for name, x in accumulator.errors.items():
            assert name.startswith(tuple(OF_CURVES))
            assert np.isnan(float(backend.numpy(x))) or float(backend.numpy(x)) >= 0


# ---- on a device -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["torch", "jax"])
@pytest.mark.parametrize("n_bins", [None, 5])
def test_what_is_wrong_on_a_device_is_nan(name, n_bins):
    backend = BACKENDS[name]
    metrics = ["f1", "auc", "mse", "log_loss"]
    with backend.mode():
        for wrong, of_measures in (
            ({"y_true": [[1, 0], [7, 1]]}, metrics),
            ({"y_score": [[0.5, 0.25], [nan, 1.0]]}, metrics),
            ({"y_score": [[0.5, 0.25], [inf, 1.0]]}, metrics[2:]),
            ({"y_score": [[0.5, 0.25], [2.0, 1.0]]}, metrics[3:]),
            ({"sample_weight": [-1.0, 1.0]}, metrics),
        ):
            given_arrays = {"y_true": [[1, 0], [0, 1]], "y_score": [[0.5, 0.25], [0.0, 1.0]]}
            accumulator = MultilabelAccumulator(metrics, ["macro", "samples"], n_bins=n_bins, on_undefined="skip")
            for arrays in (given_arrays, given_arrays | wrong, given_arrays):
                accumulator.update(**{name: backend.array(x) for name, x in arrays.items()})
            for score, x in accumulator.scores.items():
                is_wrong = any(score.startswith(canonical) for canonical in map(FULL.get, of_measures))
                assert np.isnan(float(backend.numpy(x))) == is_wrong, (wrong, score)


FULL = {"f1": "f1", "auc": "roc_auc", "mse": "mean_squared_error", "log_loss": "log_loss"}


# ---- checkpoints -----------------------------------------------------------------------------------


def in_json(x):
    return json.loads(json.dumps(x))


def test_a_state_of_labels_of_any_kind():
    for classes in (["cat", "dog"], [3, 5]):
        half = MultilabelAccumulator("f1", "macro")
        half.update(classes, y_pred=classes[::-1])
        other = MultilabelAccumulator("f1", "macro")
        other.load_state_dict(in_json(half.state_dict()))
        other.update(classes, y_pred=classes)
        assert float(other.scores["f1_macro"]) == 0.5
        assert list(other.counts.classes) == classes


# ---- what is refused -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            lambda x: x.update([[1, 0]]),
            ValueError,
            "y_score must be given for roc_auc, got None",
        ),
        (
            lambda x: MultilabelAccumulator("f1").update([[1, 0]]),
            ValueError,
            "y_pred must be given, or y_score, of which labels are predicted, got neither",
        ),
        (
            lambda x: x.update([[1, 0, 1]], [[0.5, 0.25, 1.0]]),
            ValueError,
            "y_true must have as many classes as the batches before (2), got 3",
        ),
        (
            lambda x: x.update([[1, 0]], [[1, 0]]),
            TypeError,
            "y_score must have scores of one dtype in all batches, or floats, got float64 and int64",
        ),
        (
            lambda x: x.update([[1, 3]], [[0.5, 0.25]]),
            ValueError,
            (
                "y_true must hold 0 and 1, got 3 at row 0, column 1; give y_true == label where a class has another "
                "label than 1, and sets where rows hold labels"
            ),
        ),
        (
            lambda x: x.update([[1, 0]], [[0.5, nan]]),
            ValueError,
            "y_score must not hold NaN, got nan at row 0, column 1",
        ),
        (
            lambda x: x.update(LabelCounts.from_counts([1], [1], [1])),
            TypeError,
            "y_true must be labels in batches, got LabelCounts; add them up by +",
        ),
        (
            lambda x: MultilabelAccumulator("f1", ["macro", "samples"]).update([0, 1], y_pred=[0, 1]),
            ValueError,
            "averages must be others than 'samples' without matrices, whose rows samples are, got macro, samples",
        ),
        (
            lambda x: MultilabelAccumulator("f1").update(["a", "b"], ["b", "b"]),
            TypeError,
            (
                "y_true must hold numbers, got dtype <U1; text goes with predicted labels, y_pred=; with scores give "
                "y_true == label"
            ),
        ),
        (
            lambda x: x.update(np.zeros((0, 3)), np.zeros((0, 2))),
            ValueError,
            "y_score must have the shape of y_true, (0, 3), got (0, 2)",
        ),
        (
            lambda x: x.update(np.zeros((2, 0)), np.zeros((2, 0))),
            ValueError,
            "y_true must have at least one class, got shape (2, 0)",
        ),
        (
            lambda x: MultilabelAccumulator("f1", "macro", n_classes=3).update([[1, 0]], [[0.5, 0.25]]),
            ValueError,
            "y_true must be of n_classes=3 classes, got 2; give sets where rows hold labels",
        ),
        (
            lambda x: MultilabelAccumulator("auc", n_bins=2.5),
            TypeError,
            "n_bins must be an integer, or None to keep all scores, got 2.5",
        ),
        (lambda x: MultilabelAccumulator("auc", n_bins=0), ValueError, "n_bins must be at least 1, got 0"),
        (
            lambda x: MultilabelAccumulator("auc", n_bins=10**12),
            ValueError,
            (
                "n_bins must be at most 1048576, as each bin takes 16 bytes for each class, got 1000000000000; without "
                "n_bins areas are exact"
            ),
        ),
        (
            lambda x: MultilabelAccumulator("auc", n_bins=9, score_range=(0, 5e-324)),
            ValueError,
            "score_range must be at least 4.5e-308 wide, got (0, 5e-324)",
        ),
        (
            lambda x: MultilabelAccumulator("auc", n_bins=9, score_range=(1, 0)),
            ValueError,
            "score_range must be two finite numbers, the lower first, got (1, 0)",
        ),
        (
            lambda x: MultilabelAccumulator("auc", n_bins=9, score_range=1),
            TypeError,
            "score_range must be two finite numbers, the lower first, got 1",
        ),
        (lambda x: MultilabelAccumulator("f1", threshold=nan), ValueError, "threshold must not be NaN, got nan"),
        (lambda x: MultilabelAccumulator("f1", threshold="half"), TypeError, "threshold must be a number, got 'half'"),
        *(
            (
                lambda x, threshold=threshold: MultilabelAccumulator("f1", threshold=threshold),
                TypeError,
                f"threshold must be a number, or a list of one for each class, got {threshold!r}",
            )
            for threshold in ({0.5}, [], {"cat": 0.5})
        ),
        (
            lambda x: MultilabelAccumulator("f1", n_classes=0),
            ValueError,
            "n_classes must be a positive integer, got 0",
        ),
        (
            lambda x: MultilabelAccumulator("auc").counts,
            ValueError,
            "metrics must have a measure of predicted labels for counts, got roc_auc",
        ),
        (
            lambda x: MultilabelAccumulator("auc").errors,
            ValueError,
            "an accumulator must have had an update before its errors are read, got none",
        ),
        (
            lambda x: MultilabelAccumulator("f1").counts,
            ValueError,
            "an accumulator must have had an update before its counts are read, got none",
        ),
    ],
)
def test_what_is_refused_changes_nothing(call, error, message):
    accumulator = MultilabelAccumulator(["f1", "auc"], "macro")
    accumulator.update([[1, 0], [0, 1]], [[0.5, 0.25], [0.0, 1.0]])
    before = accumulator._label_state
    with pytest.raises(error, match=f"^{re.escape(message)}$"):
        call(accumulator)
    assert accumulator._label_state is before


def test_batches_of_other_classes():
    words = MultilabelAccumulator("f1", "macro")
    words.update(["a", "b"], y_pred=["b", "b"])
    message = (
        "y_true must have the classes of the batches before, ['a', 'b'], got ['a', 'c']; n_classes= takes labels from "
        "0 to below it, of which batches may have some"
    )
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        words.update(["a", "c"], y_pred=["a", "c"])
