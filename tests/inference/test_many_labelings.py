"""compare() and pairwise(): what one call of a measure gives for each pair, with each labeling read once."""

from __future__ import annotations

import importlib
import re
from collections import Counter

import numpy as np
import pytest
import torch
from known_tables import IGNORED, SCORES, VECTORS, labelings, of_pair, values
from packages import pd, pl

import gpuval
from gpuval.engines.backends import to_host


def assert_one_by_one(truth, given, scores=SCORES, **options):
    found = gpuval.compare(truth, given, scores, **options)
    named = dict(given) if hasattr(given, "keys") else dict(enumerate(given))
    assert list(found) == list(named)
    for name, labels in named.items():
        for score in scores:
            one = getattr(gpuval, score)(truth, labels, **of_pair(options, truth, labels))
            np.testing.assert_array_equal(to_host(found[name][score]), to_host(one), err_msg=f"{name} {score}")


@pytest.mark.parametrize("name", [*VECTORS, "categories"])
def test_compare_is_one_by_one(name):
    truth = labelings()[name]
    assert_one_by_one(truth, labelings(), ignore_labels=IGNORED)
    assert_one_by_one(truth, labelings(), ignore_labels=IGNORED, sample_weight=[1, 2, 3, 0, 5, 6, 7])
    assert_one_by_one(truth, list(labelings().values()), ignore_labels=IGNORED)


def test_compare_of_a_frame():
    numbers = {name: x for name, x in VECTORS.items() if name != "strings"}
    frame = pd.DataFrame(numbers, index=list("abcdefg"))
    assert_one_by_one(frame["integers"], frame, ignore_labels=[-1, None])
    assert_one_by_one(VECTORS["integers"], frame, ignore_labels=[-1, None])
    polars = pl.DataFrame({"x": [0, 0, 1, 1], "y": ["a", "a", "b", "c"]})
    found = gpuval.compare([0, 0, 1, 1], polars, "rand_score")
    assert [float(x["rand_score"]) for x in found.values()] == [1.0, 5 / 6]


NULLABLE = {
    "Int64": [0, 0, 1, 1, 2],
    "boolean": [True, True, False, False, False],
    "string[python]": list("aabbb"),
    "string[pyarrow]": list("aabbb"),
    "category": list("aabcb"),
}


def test_frames_of_nullable_columns():
    names = list("vwxyz")
    columns = {kind: list(labels) for kind, labels in NULLABLE.items()}
    columns |= {f"{kind} with NA": [labels[0], None, *labels[2:]] for kind, labels in NULLABLE.items()}
    dtypes = {name: name.removesuffix(" with NA") for name in columns}
    frame = pd.DataFrame({name: pd.array(x, dtype=dtypes[name]) for name, x in columns.items()}, index=names)
    assert frame.dtypes.astype(str).tolist()[:3] == ["Int64", "boolean", "string"]

    def score(one, other):
        pairs = [(x, y) for x, y in zip(one, other, strict=True) if x is not None and y is not None]
        return gpuval.rand_score(*map(list, zip(*pairs, strict=True)))

    truth = [0, 1, 0, 1, 1]
    for held in (truth, pd.Series(truth, index=names, dtype="Int64")):
        found = gpuval.compare(held, frame, "rand_score", ignore_labels=[None])
        assert {name: x["rand_score"] for name, x in found.items()} == {x: score(truth, columns[x]) for x in columns}
    expected = [[score(one, other) for other in columns.values()] for one in columns.values()]
    np.testing.assert_array_equal(gpuval.pairwise(frame, "rand_score", ignore_labels=[None]), expected)
    whole = frame[list(NULLABLE)]
    np.testing.assert_array_equal(gpuval.pairwise(whole, "rand_score"), [row[:5] for row in expected[:5]])
    for name in list(columns)[5:]:
        with pytest.raises(ValueError, match=rf"labelings\['{re.escape(name)}'\] must not have .*got 1 of 5"):
            gpuval.compare(truth, frame[[name]], "rand_score")


def test_compare_on_devices(backend):
    held = {name: backend.array(x) for name, x in {"a": [0, 1, 1, 0, 2], "b": [0, 0, 1, 1, 1]}.items()}
    scores = ["rand_score", "purity_score"]
    weights = backend.array([1, 2, 3, 1, 0])
    options = {"n_classes": 3, "n_clusters": 3}
    assert_one_by_one(held["a"], held, scores=scores, **options)
    assert_one_by_one(held["a"], held, sample_weight=weights, ignore_labels=1, scores=scores, **options)
    if backend.lists_cells:
        far = {"far": backend.array([70_000, 5, 70_000, -1, 5]), **held}
        assert_one_by_one(held["a"], far, scores=scores)
        assert_one_by_one(far["far"], far, ignore_labels=[-1, 2], sample_weight=weights, scores=scores)
        gone = backend.array([-1] * 5)
        assert_one_by_one(gone, far, scores=scores)
        for options in ({}, {"sample_weight": weights}):
            with pytest.raises(
                ValueError, match=r"at least one sample of labels_true and labelings\[0\], got none left of 5"
            ):
                gpuval.compare(held["a"], [gone], ignore_labels=-1, **options)


@pytest.mark.parametrize("score", ["adjusted_rand_score", "homogeneity_score"])
@pytest.mark.parametrize("weights", [None, [1, 2, 3, 0, 5, 6, 7]])
def test_pairwise_is_one_by_one(score, weights):
    options = {"ignore_labels": IGNORED, "sample_weight": weights}
    measure = getattr(gpuval, score)
    each = list(labelings().values())
    expected = [[measure(x, y, **of_pair(options, x, y)) for y in each] for x in each]
    for given in (labelings(), each):
        np.testing.assert_allclose(gpuval.pairwise(given, score, **options), expected, rtol=1e-14)


def counted(original, name, calls):
    """A function that adds 1 to its number of calls."""

    def count(*args, **options):
        calls[name] += 1
        return original(*args, **options)

    return count


@pytest.mark.parametrize("by", [None, np.repeat(["x", "y"], 60)], ids=["whole", "by"])
def test_scores_are_computed_once(by, monkeypatch):
    """Neither intervals nor comparisons compute again what an evaluation has, nor a difference its errors again."""
    calls = Counter()
    inputs, paired = (importlib.import_module(f"gpuval.inference.{x}") for x in ("inputs", "paired"))
    monkeypatch.setattr(inputs, "_score_of", counted(inputs._score_of, "scores", calls))
    monkeypatch.setattr(paired, "from_left_out", counted(paired.from_left_out, "errors", calls))
    truth = np.tile([0, 0, 1, 1, 2, 2], 20)
    given = {"right": truth, "moved": np.roll(truth, 1)}
    gpuval.compare(truth, given, ["ami"], by=by, confidence_level=0.95)
    assert calls == {"errors": 1 if by is None else 2}  # one for the difference of each value


def test_each_labeling_is_read_and_encoded_once(monkeypatch):
    calls = Counter()
    for module in map(importlib.import_module, ("gpuval.table.labelings", "gpuval.inputs.samples")):
        for name in ("read_labels", "ignore_mask", "as_integers", "encode"):
            monkeypatch.setattr(module, name, counted(getattr(module, name), name, calls))
    gpuval.compare(VECTORS["integers"], labelings(), ignore_labels=IGNORED)
    assert calls == dict.fromkeys(calls, 1 + len(labelings()))
    calls.clear()
    gpuval.pairwise(labelings(), ignore_labels=IGNORED)
    assert calls == dict.fromkeys(calls, len(labelings()))
    assert len(calls) == 4


def test_ignored_labels_do_not_widen_a_labeling():
    from gpuval.table.labelings import read_labelings

    far = np.array([10**12, 10**12 + 1, -1])
    for labels in (far, torch.tensor(far), far.astype(float), torch.tensor(far).double()):
        (labeling,) = read_labelings({"x": labels}, None, -1, None, None)
        assert labeling.codes.size == 2
        assert values(labeling.codes.values) == [10**12, 10**12 + 1]
