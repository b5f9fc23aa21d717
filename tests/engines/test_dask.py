"""Labels held by Dask: blockwise tables give what all labels at once give."""

import dask
import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from dask.highlevelgraph import HighLevelGraph
from dask.utils import ensure_dict
from properties import MEASURES

import gpuval
from gpuval.engines import dask_blocks

RNG = np.random.default_rng(5)
TRUE, PRED = RNG.integers(-3, 7, 500), RNG.integers(0, 2**40, 12)[RNG.integers(0, 12, 500)]
WEIGHTS = RNG.integers(0, 5, 500)


MIXED = (
    "labels_true and labels_pred must be of one array library, got dask.Array and numpy.ndarray; hold both in Dask "
    "(dask.array.from_array), or neither (.compute())"
)


def tables_equal(found, expected):
    np.testing.assert_array_equal(found.to_array(), expected.to_array())
    for side in ("classes", "clusters"):
        np.testing.assert_array_equal(np.asarray(getattr(found, side)), np.asarray(getattr(expected, side)))


@pytest.mark.parametrize("chunks", [(500, 500), (100, 100), (37, 211), (1, 499)])
def test_arrays(chunks):
    true, pred = (da.from_array(x, chunks=size) for x, size in zip((TRUE, PRED), chunks, strict=True))
    tables_equal(gpuval.Contingency.from_labels(true, pred), gpuval.Contingency.from_labels(TRUE, PRED))
    assert gpuval.adjusted_rand_score(true, pred) == gpuval.adjusted_rand_score(TRUE, PRED)
    assert gpuval.entropy(pred) == gpuval.entropy(PRED)


@pytest.mark.parametrize("row", [str(row) for row in MEASURES])
def test_every_measure(row):
    measure = next(row_ for row_ in MEASURES if str(row_) == row)
    true, pred = TRUE[:120] % 3, PRED[:120] % 3
    found = measure.of_labels(da.from_array(true, chunks=50), da.from_array(pred, chunks=50))
    expected = measure.of_labels(true, pred)
    for ours, theirs in zip(*(x if isinstance(x, tuple) else (x,) for x in (found, expected)), strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_weights_ignored_labels_and_given_sizes():
    true, pred, weights = (da.from_array(x, chunks=90) for x in (TRUE, PRED, WEIGHTS))
    options = {"ignore_labels": [-3, int(PRED[0])]}
    expected = gpuval.Contingency.from_labels(TRUE, PRED, sample_weight=WEIGHTS, **options)
    tables_equal(gpuval.Contingency.from_labels(true, pred, sample_weight=weights, **options), expected)
    sizes = {"n_classes": 10, "n_clusters": 10}
    found = gpuval.Contingency.from_labels(true + 3, true + 3, **sizes)
    tables_equal(found, gpuval.Contingency.from_labels(TRUE + 3, TRUE + 3, **sizes))


def test_series_of_strings_and_categories():
    frame = pd.DataFrame({"true": TRUE.astype(str), "pred": pd.Categorical(PRED % 7)})
    frames = dd.from_pandas(frame, npartitions=6)
    expected = gpuval.Contingency.from_labels(frame["true"], frame["pred"])
    tables_equal(gpuval.Contingency.from_labels(frames["true"], frames["pred"]), expected)


def test_chunks_of_unknown_length():
    true, pred = (da.from_array(x, chunks=50) for x in (TRUE, PRED))
    kept = TRUE > 0
    found = gpuval.Contingency.from_labels(true[true > 0], pred[true > 0])
    tables_equal(found, gpuval.Contingency.from_labels(TRUE[kept], PRED[kept]))


def test_one_computation():
    calls = []
    true, pred = (da.from_array(x, chunks=50).map_blocks(_seen, calls, dtype=x.dtype, meta=x[:0]) for x in (TRUE, PRED))
    with dask.config.set(scheduler="sync"):
        gpuval.evaluate(true, pred)
    assert len(calls) == 20


def _seen(block, calls):
    calls.append(len(block))
    return block


def test_compare_and_pairwise():
    labelings = {"one": PRED, "two": TRUE}
    held = {name: da.from_array(x, chunks=64) for name, x in labelings.items()}
    truth = da.from_array(TRUE, chunks=64)
    found = gpuval.compare(truth, held, ignore_labels=-3)
    expected = gpuval.compare(TRUE, labelings, ignore_labels=-3)
    assert {name: scores.to_dict() for name, scores in found.items()} == {
        name: scores.to_dict() for name, scores in expected.items()
    }
    np.testing.assert_array_equal(gpuval.pairwise(held), gpuval.pairwise(labelings))


@pytest.mark.parametrize(
    ("true", "pred", "error", "message"),
    [
        (
            da.from_array(TRUE),
            PRED,
            TypeError,
            MIXED,
        ),
        (
            da.from_array(TRUE),
            da.from_array(PRED[:-1]),
            ValueError,
            "labels_pred must have as many samples as labels_true (500), got 499",
        ),
        (
            da.from_array(TRUE.reshape(2, 250)),
            da.from_array(PRED),
            ValueError,
            "labels_true must be one-dimensional, got shape (2, 250)",
        ),
    ],
)
def test_wrong_input(true, pred, error, message):
    with pytest.raises(error) as raised:
        gpuval.adjusted_rand_score(true, pred)
    assert str(raised.value) == message


def test_delayed_partitions():
    """What reads a file for each: labels of any kind, with weights; as many on either side."""
    true, pred = np.asarray(["a", "b", "a", "c", "c"]), np.asarray([0, 1, 0, 2, 1])
    weights = np.asarray([1, 2, 3, 4, 5])
    parts = [[dask.delayed(x[i : i + 2]) for i in (0, 2, 4)] for x in (true, pred, weights)]
    for name in ("adjusted_rand_score", "v_measure_score"):
        measure = getattr(gpuval, name)
        assert measure(*parts[:2]) == measure(true, pred)
        assert measure(*parts[:2], sample_weight=parts[2]) == measure(true, pred, sample_weight=weights)
    with pytest.raises(ValueError, match=r"labels_pred must have as many partitions as labels_true \(3\), got 2"):
        gpuval.rand_score(parts[0], parts[1][:2])
    with pytest.raises(TypeError, match="must be of one array library"):
        gpuval.rand_score(parts[0], pred)
    with pytest.raises(TypeError, match="must be of one array library"):
        gpuval.rand_score(pred, parts[0])


@pytest.mark.parametrize("n", [2000, 100_000])
@pytest.mark.parametrize("size", [{}, {"n_classes": 300, "n_clusters": 300}])
@pytest.mark.parametrize("weighted", [False, True])
def test_scores_are_those_of_one_call_to_the_last_bit(n, size, weighted):
    rng = np.random.default_rng(3)
    columns = [rng.integers(0, 300, n) for _ in range(2)] + ([rng.integers(0, 90, n)] if weighted else [])
    held = [da.from_array(x, chunks=n // 10) for x in columns]
    given = {"ignore_labels": 3, **size}
    one, many = (
        gpuval.Contingency.from_labels(true, pred, sample_weight=weight[0] if weight else None, **given)
        for true, pred, *weight in (columns, held)
    )
    assert type(one.cells) is type(many.cells)
    for name in ("adjusted_mutual_info_score", "variation_of_information", "joint_entropy"):
        assert getattr(gpuval, name)(one) == getattr(gpuval, name)(many)
    accumulator = gpuval.Accumulator(**size, ignore_labels=3)
    accumulator.update(*held)
    assert gpuval.joint_entropy(accumulator.table) == gpuval.joint_entropy(one)


@pytest.mark.parametrize("layout", ["dense", "cells"])
def test_the_layout_is_what_was_asked_for(layout):
    labels = da.from_array(np.arange(100) % 7, chunks=30)
    table = gpuval.Contingency.from_labels(labels, labels, layout=layout)
    assert ("dense" in repr(table)) == (layout == "dense")


def test_one_delayed_and_an_array_of_delayed():
    labels = np.arange(6) % 2
    parts = da.from_array(labels, chunks=2).to_delayed()
    assert gpuval.rand_score(parts, parts) == 1
    one = dask.delayed(labels)
    with pytest.raises(TypeError, match="labels_true must be a list of delayed partitions, got one Delayed"):
        gpuval.rand_score(one, one)


def test_the_finer_chunks_are_taken(monkeypatch):
    labels = np.arange(100) % 7
    coarse, fine = da.from_array(labels, chunks=100), da.from_array(labels, chunks=10)
    aligned, seen = dask_blocks._align, []
    monkeypatch.setattr(dask_blocks, "_align", lambda given: seen.append(aligned(given)) or seen[-1])
    for true, pred in ((coarse, fine), (fine, coarse)):
        assert gpuval.rand_score(true, pred) == 1
    assert [{x.chunks for x in arrays.values()} for arrays in seen] == [{fine.chunks}] * 2


ROWS = np.arange(400.0).reshape(100, 4)
USERS = {  # a function and what it takes, of each user of `sum_over_blocks`
    "table": (gpuval.rand_score, TRUE[:100], PRED[:100]),
    "moments": (gpuval.calinski_harabasz_score, ROWS, np.arange(100) % 2),
    "ranking": (gpuval.ranking.ndcg_score, ROWS % 2, ROWS),
    "multilabel": (gpuval.multilabel.hamming_loss, ROWS % 2 == 0, ROWS % 3 == 0),
    "intervals": (gpuval.intervals.jaccard_score, ROWS[:, :2], ROWS[:, :2] + 1),
}


@pytest.mark.parametrize(("user", "kind"), [*((user, "array") for user in USERS), ("table", "delayed")])
def test_one_graph_for_all_blocks(user, kind, monkeypatch):
    """As many tasks as blocks, with those that read them, and one for each group of eight, which are culled once."""
    measure, *columns = USERS[user]
    held = [da.from_array(x, chunks=(2, *x.shape[1:])) for x in columns]
    if kind == "delayed":
        held = [list(x.to_delayed(optimize_graph=False).ravel()) for x in held]
    culled, sizes, cull = [], [], HighLevelGraph.cull

    def counted_cull(graph, keys):
        culled.append(keys)
        return cull(graph, keys)

    def get(graph, keys, **kwargs):
        sizes.append(len(ensure_dict(graph)))
        return dask.get(graph, keys, **kwargs)

    monkeypatch.setattr(HighLevelGraph, "cull", counted_cull)
    with dask.config.set(scheduler=get):
        found = measure(*held)
    assert float(found) == pytest.approx(float(measure(*columns)), rel=1e-14)
    assert len(culled) == len(sizes) == 1
    assert sizes[0] <= 3 * 50 + 7 + 1 + 2


def test_annotations_of_delayed_partitions_stay():
    """What says where or how often a partition is read, where it is a task of its own."""
    with dask.annotate(retries=3):
        parts = [dask.delayed(np.arange)(n) for n in (2, 3)]
    seen = []

    def get(graph, keys, **kwargs):
        seen.extend(layer.annotations for layer in graph.layers.values() if layer.annotations)
        return dask.get(graph, keys, **kwargs)

    with dask.config.set(scheduler=get):
        assert gpuval.rand_score(parts, parts) == 1
    assert seen == [{"retries": 3}] * 2
