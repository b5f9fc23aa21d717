"""Labels to ignore of one side alone: what is called noise in the reference may be the name of a found cluster."""

from __future__ import annotations

import json
import math
import pickle
from fractions import Fraction
from itertools import combinations

import jax
import numpy as np
import pytest
import torch
from backends import SIZE, N, as_on_a_device, jax_values_refused, transfers_to_host
from only_for import only_for
from packages import da, pd, pl
from scipy.sparse import csr_array

import gpuval
from gpuval import Accumulator, Contingency, InternalAccumulator, multilabel

TRUE, PRED = [0, 1, 1, 2, 2, 1, 2], [1, 1, 1, 2, 2, 0, 0]
"""The reference calls noise 0; of the found clusters one is called 0."""

SIDES = {
    "true": {"true": 0},
    "pred": {"pred": [0, 3]},
    "both": {"true": [0, 2], "pred": 1},
    "the same": {"true": [0], "pred": 0},
    "that does not occur": {"true": [0, 9], "pred": 10**6},
}


def labels(seed=5, n=N):
    rng = np.random.default_rng(seed)
    return rng.integers(0, 5, n), rng.integers(0, 4, n), rng.integers(1, 4, n)


def kept(true, pred, ignore):
    """Which samples count, by the definition."""
    own = {side: np.atleast_1d(ignore.get(side, [])).tolist() for side in ("true", "pred")}
    return np.asarray([a not in own["true"] and b not in own["pred"] for a, b in zip(true, pred, strict=True)])


def exact_ari(true, pred):
    """The adjusted Rand index by its pairs, one by one."""
    pairs = list(combinations(range(len(true)), 2))
    in_true, in_pred = ([x[i] == x[j] for i, j in pairs] for x in (true, pred))
    both = sum(a and b for a, b in zip(in_true, in_pred, strict=True))
    expected = Fraction(sum(in_true) * sum(in_pred), len(pairs))
    return (both - expected) / (Fraction(sum(in_true) + sum(in_pred), 2) - expected)


# ---- values --------------------------------------------------------------------------------------


def test_noise_of_the_reference_alone():
    """The cluster 0 stays: 8/33, and not the 1 of the samples without it."""
    places = [i for i, x in enumerate(TRUE) if x != 0]
    exact = exact_ari([TRUE[i] for i in places], [PRED[i] for i in places])
    assert exact == Fraction(8, 33)
    assert float(gpuval.adjusted_rand_score(TRUE, PRED, ignore_labels={"true": 0})) == pytest.approx(8 / 33, abs=1e-15)
    assert float(gpuval.adjusted_rand_score(TRUE, PRED, ignore_labels=0)) == 1
    mirrored = gpuval.adjusted_rand_score(PRED, TRUE, ignore_labels={"pred": 0})
    assert float(mirrored) == pytest.approx(8 / 33, abs=1e-15)


@pytest.mark.parametrize(
    "kind", [list, np.asarray, lambda x: pd.Series(x), lambda x: pl.Series(x), lambda x: pd.Categorical(x)]
)
def test_labels_that_are_text(kind):
    """Also missing labels of one side, which stay an error on the other."""
    true, pred = (["noise" if x == 0 else f"k{x}" for x in labels] for labels in (TRUE, PRED))
    score = gpuval.adjusted_rand_score(kind(true), kind(pred), ignore_labels={"true": "noise"})
    assert float(score) == pytest.approx(8 / 33, abs=1e-15)
    without = [None if x == "noise" else x for x in true]
    given = without if kind is list else np.asarray(without, dtype=object) if kind is np.asarray else kind(without)
    score = gpuval.adjusted_rand_score(given, kind(pred), ignore_labels={"true": [None]})
    assert float(score) == pytest.approx(8 / 33, abs=1e-15)
    with pytest.raises(ValueError, match=r"labels_pred must not have missing labels \(NaN, None\), got 1 of"):
        gpuval.adjusted_rand_score(kind(pred), given, ignore_labels={"true": [None]})


def test_missing_numbers_of_one_side():
    true = [math.nan if x == 0 else float(x) for x in TRUE]
    for give in (np.asarray, torch.asarray, pd.Series):
        found = gpuval.adjusted_rand_score(give(true), give(PRED), ignore_labels={"true": [None], "pred": -1})
        assert float(found) == pytest.approx(8 / 33, abs=1e-15)
        with pytest.raises(ValueError, match="labels_true must not have missing labels"):
            gpuval.adjusted_rand_score(give(true), give(PRED), ignore_labels={"pred": [None]})


@pytest.mark.parametrize("weigh", [False, True])
@pytest.mark.parametrize("side", SIDES)
def test_tables_are_those_of_the_samples_that_count(side, weigh, backend):
    """With the size found and given, of labels without and with wide gaps, counted as they are and as codes."""
    true, pred, weights = labels()
    keep, ignore = kept(true, pred, SIDES[side]), {"ignore_labels": SIDES[side]}
    building = {"sample_weight": backend.array(weights)} if weigh else {}
    expected = np.zeros(tuple(SIZE.values()))
    np.add.at(expected, (true[keep], pred[keep]), weights[keep] if weigh else 1)
    found = Contingency.from_labels(backend.array(true), backend.array(pred), **building, **ignore, **SIZE)
    np.testing.assert_array_equal(backend.back(found.to_array()), expected)
    if backend.finds_sizes:
        occurring = expected[np.ix_(expected.any(axis=1), expected.any(axis=0))]
        for layout in (None, "dense", "cells"):
            if layout != "cells" or backend.lists_cells:
                found = Contingency.from_labels(
                    backend.array(true), backend.array(pred), **building, **ignore, layout=layout
                ).occurring()
                np.testing.assert_array_equal(backend.back(found.to_array()), occurring)
    if backend.lists_cells:
        far = {side: (np.atleast_1d(x) * 10**6).tolist() for side, x in SIDES[side].items()}
        there = (backend.array(x * 10**6) for x in (true, pred))
        found = Contingency.from_labels(*there, **building, ignore_labels=far).occurring()
        np.testing.assert_array_equal(backend.back(found.to_array()), occurring)
        assert (np.unique(true[keep]) * 10**6).tolist() == backend.back(found.classes).tolist()


def test_labels_of_one_side_that_its_type_cannot_hold():
    """Nothing is ignored, and nothing wraps around: 256 is no uint8, and 0 of the other side is a class."""
    true, pred = np.asarray(TRUE, np.uint8), np.asarray(PRED, np.int8)
    found = gpuval.adjusted_rand_score(true, pred, ignore_labels={"true": [256, -1], "pred": 0.5})
    assert float(found) == float(gpuval.adjusted_rand_score(TRUE, PRED))


def test_each_sample_and_matched_labels():
    found = gpuval.element_centric_samples(TRUE, PRED, ignore_labels={"true": 0})
    np.testing.assert_array_equal(found[1:], gpuval.element_centric_samples(TRUE[1:], PRED[1:]))
    assert np.isnan(found[0])
    found = gpuval.match_labels(TRUE, PRED, ignore_labels={"true": 0})
    assert str(found) == str(gpuval.match_labels(TRUE[1:], PRED[1:]))


# ---- Dask, graphs, devices -----------------------------------------------------------------------


@pytest.mark.parametrize("side", SIDES)
def test_blocks_of_dask(side):
    """Also a block that has none of the labels, and all of a block ignored."""
    true, pred, weights = (np.sort(labels()[0]), *labels()[1:])
    keep = kept(true, pred, SIDES[side])
    for weighted in (False, True):
        given = {"sample_weight": da.from_array(weights, chunks=7)} if weighted else {}
        there = (da.from_array(x, chunks=7) for x in (true, pred))
        found = Contingency.from_labels(*there, **given, ignore_labels=SIDES[side])
        expected = Contingency.from_labels(true[keep], pred[keep], sample_weight=weights[keep] if weighted else None)
        np.testing.assert_array_equal(found.to_array(), expected.to_array())
    held = {"a": da.from_array(pred, chunks=9)}
    found = gpuval.compare(da.from_array(true, chunks=9), held, ["ari"], ignore_labels=SIDES[side])
    assert float(found["a"]["ari"]) == float(gpuval.adjusted_rand_score(true[keep], pred[keep]))
    with pytest.raises(
        TypeError, match=r"ignore_labels\['pred'\] must be of a type that labels_pred could hold, got 'x'"
    ):
        gpuval.rand_score(da.from_array(true), da.from_array(pred), ignore_labels={"true": 0, "pred": "x"})


@pytest.mark.parametrize("side", SIDES)
def test_no_transfer_on_a_device_with_the_size_given(side):
    true, pred, _ = labels()
    keep = kept(true, pred, SIDES[side])
    expected = float(gpuval.adjusted_rand_score(true[keep], pred[keep]))
    with jax.enable_x64(True):

        def score(true, pred):
            return gpuval.adjusted_rand_score(true, pred, ignore_labels=SIDES[side], **SIZE)

        there = jax.numpy.asarray(true), jax.numpy.asarray(pred)
        with as_on_a_device(), jax_values_refused(), transfers_to_host() as copied:
            found = [score(*there), jax.jit(score)(*there)]
        assert not copied
        assert [float(x) for x in found] == pytest.approx([expected] * 2, abs=1e-14)


@pytest.mark.parametrize("side", SIDES)
def test_one_graph_of_pytorch(side):
    true, pred, _ = labels()
    keep = kept(true, pred, SIDES[side])

    @torch.compile(fullgraph=True, backend="eager")
    def score(true, pred):
        return gpuval.adjusted_rand_score(true, pred, ignore_labels=SIDES[side], **SIZE)

    torch._dynamo.reset()
    expected = float(gpuval.adjusted_rand_score(true[keep], pred[keep]))
    assert float(score(torch.asarray(true), torch.asarray(pred))) == pytest.approx(expected, abs=1e-14)
    torch._dynamo.reset()


# ---- evaluations and inference -------------------------------------------------------------------


@pytest.mark.parametrize("side", SIDES)
def test_evaluations(side):
    """Of a labeling and of several; what counts is told for each labeling apart."""
    true, pred, _ = labels()
    other, ignore = labels(6)[1], {"ignore_labels": SIDES[side]}
    by = np.arange(N) % 2
    keep, as_well = (kept(true, x, SIDES[side]) for x in (pred, other))
    names = ["ari", "vi"]
    for there in (np.asarray, torch.asarray):
        found = gpuval.compare(there(true), {"a": there(pred), "b": there(other)}, names, **ignore)
        assert found["a"].to_dict() == gpuval.evaluate(there(true[keep]), there(pred[keep]), names).to_dict()
        assert found["b"].to_dict() == gpuval.evaluate(there(true[as_well]), there(other[as_well]), names).to_dict()
        assert found["b"].counts["n_samples"] == as_well.sum()
    for more in ({}, {"groups": np.arange(N) % 12}):
        options = {"confidence_level": 0.9, "random_state": 0}
        found = gpuval.evaluate(true, pred, names, **more, **options, **ignore).intervals
        left = {name: x[keep] for name, x in more.items()}
        assert str(found) == str(gpuval.evaluate(true[keep], pred[keep], names, **left, **options).intervals)
    found = gpuval.evaluate(true, pred, names, by=by, **ignore)
    left = gpuval.evaluate(true[keep], pred[keep], names, by=by[keep])
    assert {value: x.to_dict() for value, x in found.items()} == {value: x.to_dict() for value, x in left.items()}


@pytest.mark.parametrize("side", SIDES)
def test_evaluations_with_samples(side):
    """A sample that is noise of the reference has no silhouette; without a reference there is one side."""
    true, pred, _ = labels()
    X = np.random.default_rng(0).normal(size=(N, 2))
    keep = kept(true, pred, SIDES[side])
    found = gpuval.compare(true, {"a": pred}, ["ari", "asw"], X=X, ignore_labels=SIDES[side])["a"]
    assert float(found["ari"]) == float(gpuval.adjusted_rand_score(true[keep], pred[keep]))
    assert float(found["asw"]) == pytest.approx(float(gpuval.silhouette_score(X[keep], pred[keep])), abs=1e-13)
    found = gpuval.evaluate(None, pred, ["asw"], X=X, ignore_labels={"pred": 0})
    expected = gpuval.silhouette_score(X[pred != 0], pred[pred != 0])
    assert float(found["asw"]) == pytest.approx(float(expected), abs=1e-13)
    with pytest.raises(ValueError, match=r"no key 'true' without labels_true, got \{'true': \[0\]\}$"):
        gpuval.evaluate(None, pred, ["asw"], X=X, ignore_labels={"true": 0})


@pytest.mark.parametrize("side", SIDES)
def test_intervals_and_tests(side):
    """The true labels are one side, each labeling is the other."""
    true, pred, _ = labels()
    other = labels(6)[1]
    ignore = {"ignore_labels": SIDES[side]}
    keep = kept(true, pred, SIDES[side])
    both = keep & kept(true, other, SIDES[side])
    for estimate, options in ((gpuval.jackknife, {}), (gpuval.bootstrap, {"random_state": 0, "n_resamples": 99})):
        found, left = (
            estimate("ari", true, pred, **options, **ignore),
            estimate("ari", true[keep], pred[keep], **options),
        )
        assert (found.score, found.low, found.high) == (left.score, left.low, left.high)
    resampled = {"random_state": 0, "n_resamples": 99}
    found = gpuval.permutation_test("ari", true, pred, **resampled, **ignore)
    assert str(found) == str(gpuval.permutation_test("ari", true[keep], pred[keep], **resampled))
    several = gpuval.permutation_test("ari", true, {"a": pred, "b": other}, **resampled, **ignore)
    left = {"a": pred[both], "b": other[both]}
    assert str(several) == str(gpuval.permutation_test("ari", true[both], left, **resampled))
    found = gpuval.compare_scores(true, pred, other, "ari", **resampled, **ignore)
    assert str(found) == str(gpuval.compare_scores(true[both], pred[both], other[both], "ari", **resampled))
    found = gpuval.compare_many_scores(true, {"a": pred, "b": other}, "ari", **resampled, **ignore)
    assert str(found) == str(gpuval.compare_many_scores(true[both], left, "ari", **resampled))


# ---- streams -------------------------------------------------------------------------------------


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("sizes", [tuple(SIZE.values()), ()])
@only_for(lambda sizes, backend: sizes or backend.lists_cells)
def test_accumulators(sizes, side, backend):
    true, pred, _ = labels()
    keep = kept(true, pred, SIDES[side])
    accumulator = Accumulator(*sizes, ignore_labels=SIDES[side])
    for start in range(0, N, 20):
        accumulator.update(*(backend.array(x[start : start + 20]) for x in (true, pred)))
    again = Accumulator(*sizes, ignore_labels=dict(reversed(SIDES[side].items())))
    again.load_state_dict(accumulator.state_dict())
    again.merge(accumulator)
    expected = Contingency.from_labels(true[keep], pred[keep], **(SIZE if sizes else {})).to_array()
    np.testing.assert_array_equal(backend.back(accumulator.table.to_array()), expected)
    np.testing.assert_array_equal(backend.back(again.table.to_array()), 2 * expected)


@pytest.mark.parametrize("through", [lambda x: json.loads(json.dumps(x)), lambda x: pickle.loads(pickle.dumps(x))])
def test_accumulators_that_ignore_labels_of_other_sides(through):
    """The same labels of both sides are those of a plain list."""
    one, plain = Accumulator(ignore_labels={"true": [None, 0.0]}), Accumulator(ignore_labels=0)
    one.update(TRUE, PRED)
    again = Accumulator(ignore_labels={"true": [0, math.nan], "pred": ()})
    again.load_state_dict(through(one.state_dict()))
    assert again.table.to_array().tolist() == [[1, 2, 0], [1, 0, 2]]
    message = r"ignore the same labels to be merged, got \[0\] and \{'true': \[None, 0\]\}$"
    with pytest.raises(ValueError, match=message):
        plain.merge(one)
    none = Accumulator()
    with pytest.raises(ValueError, match=r"ignore the same labels to be merged, got \[\] and "):
        none.merge(one)
    message = r"same ignore_labels=\[0\], got \{'true': \[None, 0\]\}$"
    with pytest.raises(ValueError, match=message):
        plain.load_state_dict(one.state_dict())
    plain.merge(Accumulator(ignore_labels={"true": 0, "pred": 0}))


# ---- labels that have no sides, and faults -------------------------------------------------------

X = [[0.0], [1.0], [5.0], [6.0]]
APART = [0, 0, 1, 1]


@pytest.mark.parametrize(
    "call",
    [
        lambda ignored: gpuval.pairwise([APART, APART], ignore_labels=ignored),
        lambda ignored: gpuval.element_centric_consistency([APART, APART], ignore_labels=ignored),
        lambda ignored: gpuval.entropy(APART, ignore_labels=ignored),
        lambda ignored: gpuval.silhouette_score(X, APART, ignore_labels=ignored),
        lambda ignored: gpuval.silhouette_scores(X, [APART, APART], ignore_labels=ignored),
        lambda ignored: gpuval.silhouette_batch(X, APART, [0, 1, 0, 1], ignore_labels=ignored),
        lambda ignored: gpuval.isolated_labels_score(APART, [0, 1, 0, 0], X=X, ignore_labels=ignored),
        lambda ignored: gpuval.isolated_labels_score(APART, [0, 1, 0, 0], clusterings=APART, ignore_labels=ignored),
        lambda ignored: gpuval.modularity_score(csr_array(1 - np.eye(4)), APART, ignore_labels=ignored),
        lambda ignored: InternalAccumulator(2, ignore_labels=ignored),
        lambda ignored: multilabel.LabelCounts.from_labels(APART, APART, ignore_labels=ignored),
        lambda ignored: multilabel.MultilabelAccumulator("f1", ignore_labels=ignored),
    ],
)
def test_a_side_where_labels_have_none(call):
    with pytest.raises(TypeError, match=r"ignore_labels must be one label or a sequence of labels, .*got {'true': 0}$"):
        call({"true": 0})


def test_unknown_labels_of_a_wrong_type():
    with pytest.raises(TypeError, match="ignore_labels must be of a type that y_true could hold, got 'x' of type str"):
        multilabel.LabelCounts.from_labels(APART, APART, ignore_labels="x")


def test_a_side_of_matrices_of_labels():
    with pytest.raises(TypeError, match=r"ignore_labels must be a number or several numbers, got {'true': 0}$"):
        multilabel.f_score([[0, 1]], [[0, 1]], ignore_labels={"true": 0})


@pytest.mark.parametrize(
    ("ignored", "error", "message"),
    [
        ({"labels_true": 0}, ValueError, "ignore_labels must have no keys but 'true' and 'pred', got 'labels_true'"),
        ({"true": 0, 1: 2}, ValueError, "ignore_labels must have no keys but 'true' and 'pred', got 1"),
        (
            {"true": {"true": 0}},
            TypeError,
            r"ignore_labels\['true'\] must be one label or a sequence of labels, .*got {",
        ),
        (
            {"pred": [[1]]},
            TypeError,
            r"ignore_labels\['pred'\] must be one label or a sequence of labels, got \[1\] as",
        ),
        (
            {"true": "a"},
            TypeError,
            r"ignore_labels\['true'\] must be of a type that labels_true could hold, got 'a' of",
        ),
        (
            {"true": [0, 1, 2]},
            ValueError,
            "ignore_labels must leave at least one sample of labels_true and labels_pred",
        ),
    ],
)
def test_faults(ignored, error, message):
    with pytest.raises(error, match=message):
        gpuval.adjusted_rand_score(TRUE, PRED, ignore_labels=ignored)
    with pytest.raises(error, match=message.replace("and labels_pred", r"and labelings\['a'\]")):
        gpuval.compare(TRUE, {"a": PRED}, ignore_labels=ignored)


def test_a_label_is_of_the_type_of_its_own_side():
    """Text of the reference is no label among numbers of clusters."""
    true = [f"k{x}" for x in TRUE]
    found = gpuval.adjusted_rand_score(true, PRED, ignore_labels={"true": "k0", "pred": -1})
    assert float(found) == pytest.approx(8 / 33, abs=1e-15)
    message = r"ignore_labels\['pred'\] must be of a type that labels_pred could hold, got 'k0' of type str"
    with pytest.raises(TypeError, match=message):
        gpuval.adjusted_rand_score(true, PRED, ignore_labels={"pred": "k0"})
    found = gpuval.compare(true, {"numbers": PRED, "names": true}, ["ari"], ignore_labels={"pred": "k1"})
    assert float(found["numbers"]["ari"]) == float(gpuval.adjusted_rand_score(TRUE, PRED))


def test_nothing_to_ignore():
    whole = float(gpuval.adjusted_rand_score(TRUE, PRED))
    for nothing in ({}, {"true": None}, {"true": [], "pred": ()}):
        assert float(gpuval.adjusted_rand_score(TRUE, PRED, ignore_labels=nothing)) == whole


@pytest.mark.parametrize("ignored", [lambda: iter([0]), lambda: {"true": iter([0]), "pred": iter([0])}])
def test_an_iterator_of_labels_is_read_once(ignored):
    """A second reader would find none, and ignore nothing."""
    true, pred, _ = labels()
    X = np.random.default_rng(0).normal(size=(N, 2))
    found = gpuval.compare(true, {"a": pred, "b": pred}, ["ari", "asw"], X=X, ignore_labels=ignored())
    expected = gpuval.compare(true, {"a": pred, "b": pred}, ["ari", "asw"], X=X, ignore_labels=0)
    assert str(found) == str(expected)
    accumulator = Accumulator(5, 4, ignore_labels=ignored())
    for _ in range(2):
        accumulator.update(true, pred)
    keep = (true != 0) & (pred != 0)
    assert int(accumulator.table.total) == 2 * keep.sum()


def test_an_iterator_of_labels_of_samples_is_read_once():
    true, pred, _ = labels()
    X = np.random.default_rng(0).normal(size=(N, 2))
    held = da.from_array(X, chunks=20), da.from_array(true, chunks=20)
    rare = np.where(true == 1, 0, pred)
    for score in (
        lambda ignored: gpuval.silhouette_scores(X, [true, pred], ignore_labels=ignored),
        lambda ignored: gpuval.silhouette_batch(X, true, pred, ignore_labels=ignored),
        lambda ignored: gpuval.isolated_labels_score(true, rare, X=X, ignore_labels=ignored),
        lambda ignored: gpuval.isolated_labels_score(true, rare, clusterings=pred, ignore_labels=ignored),
        lambda ignored: gpuval.calinski_harabasz_score(*held, ignore_labels=ignored),
        lambda ignored: gpuval.davies_bouldin_score(*held, ignore_labels=ignored),
    ):
        np.testing.assert_array_equal(score(iter([2])), score([2]))
