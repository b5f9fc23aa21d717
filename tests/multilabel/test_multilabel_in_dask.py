"""Labels and scores that Dask holds: counts and sums add up block by block, and are those of one call."""

from __future__ import annotations

import functools
import itertools

import dask
import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from multilabel_cases import (
    AVERAGES,
    MASK,
    MATRICES,
    OF_LABELS,
    OF_NUMBERS,
    OF_ONE_SCORE,
    Q_LABELS,
    WEIGHTS,
    exact,
    floats,
    predicted,
)

from gpuval import multilabel
from gpuval.multilabel import evaluate

CASE = "rare"
LABELS, SCORES = np.asarray(MATRICES[CASE][0]), floats(MATRICES[CASE][1])
PREDICTED = np.asarray(predicted(MATRICES[CASE][1]))
OF_SUMS = (*OF_LABELS, *OF_NUMBERS)


def in_blocks(x, *sizes):
    x = np.asarray(x)
    return da.from_array(x, chunks=sizes[: x.ndim])


@pytest.mark.parametrize("sizes", [(1, 4), (4, 2), (6, 4)])
@pytest.mark.parametrize("name", OF_SUMS)
def test_blocks_add_up_to_the_definition(name, sizes):
    given = in_blocks(LABELS, *sizes), in_blocks(PREDICTED if name in OF_LABELS else SCORES, 2, 4)
    weighing = {"sample_weight": in_blocks(WEIGHTS, 3), "mask": in_blocks(MASK, 2, 4)}
    measure = getattr(multilabel, name)
    for average in AVERAGES[name]:
        for way in (None, "skip", "one"):
            options = {"average": average} | ({} if way is None else {"on_undefined": way})
            found = measure(*given, **options)
            expected = exact(name, CASE, average, on_undefined=way)
            np.testing.assert_allclose(found, np.asarray(expected, dtype=float), rtol=1e-14, err_msg=f"{options}")
            found = measure(*given, **options, **weighing)
            expected = exact(name, CASE, average, is_weighted=True, is_masked=True, on_undefined=way)
            np.testing.assert_allclose(found, np.asarray(expected, dtype=float), rtol=1e-14, err_msg=f"{options}")


@pytest.mark.parametrize("scheduler", ["threads", "synchronous", "processes"])
def test_measures_of_one_score(scheduler):
    with dask.config.set(scheduler=scheduler):
        for name in OF_ONE_SCORE if scheduler == "threads" else OF_ONE_SCORE[:2]:
            given = PREDICTED if name == "balanced_accuracy_score" else SCORES
            measure = getattr(multilabel, name)
            found = measure(in_blocks(LABELS, 2, 4), in_blocks(given, 2, 4))
            assert found == pytest.approx(float(measure(LABELS, given)), rel=1e-14), name


def test_classes_of_samples_beside_scores():
    """F of a block is that of predicted classes, of which a table is counted; 32/63 is of the table Q."""
    true, pred = (in_blocks(x, 3) for x in Q_LABELS)
    scores = np.zeros((len(Q_LABELS[0]), 3))
    for sizes in ((3, 3), (len(scores), 3)):
        found = evaluate(true, in_blocks(scores, *sizes), y_pred=pred, metrics=["f1", "mse"])
        assert found["f1_macro"] == pytest.approx(32 / 63, rel=1e-14)
        assert found["mean_squared_error_macro"] == pytest.approx(1 / 3, rel=1e-14)
    unknown = {"ignore_labels": np.unique(Q_LABELS[0]).tolist()}
    with pytest.raises(ValueError, match="ignore_labels must leave at least one label of y_true, got none left"):
        evaluate(true, in_blocks(scores, 3, 3), y_pred=pred, metrics=["f1"], **unknown)


def test_classes_of_samples():
    true, pred = map(np.asarray, Q_LABELS)
    scores = np.eye(3)[pred]
    assert multilabel.f_score(in_blocks(true, 4), in_blocks(pred, 4)) == pytest.approx(32 / 63, rel=1e-14)
    found = multilabel.mean_squared_error(in_blocks(true, 4), in_blocks(scores, 3, 3))
    assert found == pytest.approx(2 * 5 / 30, rel=1e-14)  # of ten samples five are wrong, in two of three entries each


def test_blocks_in_which_nothing_counts():
    weights = np.asarray([0, 0, 1, 1, 0, 0])
    mask = np.asarray([[True] * 4] * 4 + [[False] * 4] * 2)
    for labels, more in (
        (LABELS, {"sample_weight": weights}),
        (LABELS, {"mask": mask}),
        (np.where(mask, LABELS, -1), {"ignore_labels": -1}),
    ):
        held = {name: in_blocks(x, 2, 4) if name != "ignore_labels" else x for name, x in more.items()}
        for average, on_undefined in itertools.product(("macro", "samples"), ("skip", "zero", "one")):
            options = {"average": average, "on_undefined": on_undefined}
            found = multilabel.recall_score(in_blocks(labels, 2, 4), in_blocks(PREDICTED, 2, 4), **options, **held)
            assert found == pytest.approx(multilabel.recall_score(labels, PREDICTED, **options, **more), rel=1e-14)


def test_samples_without_a_known_label_count_in_their_mean():
    """Of four samples the last has a recall, 1, and the others have none."""
    labels = in_blocks([[-1, -1]] * 3 + [[0, 1]], 2, 2)
    all_predicted = in_blocks([[0, 1]] * 4, 2, 2)
    for on_undefined, mean in (("zero", 1 / 4), ("one", 1), ("skip", 1)):
        options = {"average": "samples", "on_undefined": on_undefined}
        assert multilabel.recall_score(labels, all_predicted, ignore_labels=-1, **options) == mean


def test_a_block_without_rows():
    parts = [dask.delayed(x) for x in (LABELS[:2], LABELS[:0], LABELS[2:])]
    shapes = [(2, 4), (0, 4), (4, 4)]
    labels = da.concatenate([da.from_delayed(x, shape, LABELS.dtype) for x, shape in zip(parts, shapes, strict=True)])
    predictions = da.from_array(PREDICTED, chunks=((2, 0, 4), (4,)))
    assert multilabel.hamming_loss(labels, predictions) == pytest.approx(float(exact("hamming_loss", CASE, "micro")))


# Many measures


def test_evaluate():
    held = in_blocks(LABELS, 4, 4), in_blocks(SCORES, 2, 4)
    scores = evaluate(*held)
    in_memory = evaluate(LABELS, SCORES)
    assert list(scores) == [name for name in in_memory if not name.startswith(("roc_auc", "average_precision"))]
    assert list(scores.per_class) == ["precision", "recall", "f1", "hamming_loss"]
    assert scores.to_dict() == pytest.approx({name: float(in_memory[name]) for name in scores}, rel=1e-14)
    assert scores.support.tolist() == LABELS.sum(0).tolist()
    everything = evaluate(*held, metrics="all", averages=["micro", "samples"], sample_weight=in_blocks(WEIGHTS, 6))
    expected = evaluate(LABELS, SCORES, metrics="all", averages=["micro", "samples"], sample_weight=WEIGHTS)
    assert everything.to_dict() == pytest.approx({name: float(expected[name]) for name in everything}, rel=1e-14)
    assert len(everything) == len(expected) - 4
    own = evaluate(*held, metrics=["f1", functools.partial(multilabel.f_score, beta=3)], threshold=0.3)
    assert own.to_dict() == pytest.approx(evaluate(LABELS, SCORES, metrics=["f1", "f3"], threshold=0.3).to_dict())
    with pytest.raises(TypeError, match=r"^y_true must be in memory for roc_auc_score, which compares"):
        evaluate(*held, metrics=["f1", "auc"])


def test_data_frames():
    labels, scores = (pd.DataFrame(x, columns=list("abcd")) for x in (LABELS, SCORES))
    held = [dd.from_pandas(x, npartitions=2) for x in (labels, scores)]
    scores = evaluate(*held, metrics=["f1", "mse"])
    assert scores.classes == tuple("abcd")
    assert scores.to_dict() == pytest.approx(evaluate(LABELS, SCORES, metrics=["f1", "mse"]).to_dict(), rel=1e-14)
    found = multilabel.mean_squared_error(*held)
    assert found == pytest.approx(float(multilabel.mean_squared_error(LABELS, SCORES)), rel=1e-14)
