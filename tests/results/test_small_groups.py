"""Groups of few samples: no marks below 100 of them, and no intervals below 30, or of less than two classes of 5."""

import numpy as np
import pytest
from html_tables import Tables

import gpuval

SIZES = {"a29": 29, "b30": 30, "c99": 99, "d100": 100, "e": 150}
BY = np.repeat(list(SIZES), list(SIZES.values()))
TRUE = np.concatenate([np.arange(n) % 3 for n in SIZES.values()])
TRUE[-150:] = 0  # of the last group: four of the second class
TRUE[-4:] = 1
RANDOM = np.random.default_rng(0)
LABELINGS = {
    name: np.where(RANDOM.random(len(TRUE)) < share, RANDOM.integers(0, 3, len(TRUE)), TRUE)
    for name, share in {"good": 0.1, "near": 0.12, "far": 0.9}.items()
}


def check():
    options = {"confidence_level": 0.9, "n_resamples": 49, "random_state": 0}
    comparison = gpuval.compare(TRUE, LABELINGS, ["acc"], by=BY, **options)
    head, *rows = Tables(comparison._repr_html_()).rows
    assert head == ["labeling", "by", "clusters", "samples", "clustering_accuracy"]
    for _, value, _, samples, text in rows:
        assert samples == str(SIZES[value])
        assert ("–" in text) == (value in ("b30", "c99", "d100"))
    marked = {row[1] for row in rows if row[4][0] in "●≈"}
    assert marked == {"d100"}
    assert repr(comparison).count("●") == 1 + 1  # the score, and what the mark means


def test_marks_and_intervals_of_small_groups():
    check()


@pytest.mark.parametrize("name", ["gpuval.results.texts.FEWEST_COMPARED", "gpuval.results.texts.FEWEST_RANKED"])
def test_other_sizes_are_seen(name, monkeypatch):
    monkeypatch.setattr(name, 5)
    with pytest.raises(AssertionError):
        check()


@pytest.mark.parametrize("n_kept", [120, 20])
def test_no_labeling_is_tied_with_one_of_few_samples(n_kept):
    """The best labeling of a group ignores most of its samples."""
    true, by = np.arange(400) % 3, np.repeat(["x", "y"], 200)
    fair = np.where(RANDOM.random(400) < 0.4, RANDOM.integers(0, 3, 400), true)
    best = np.where((by == "x") | (np.arange(400) < 200 + n_kept), np.where(np.arange(400) % 20, true, 0), -1)
    same = np.where(best < 0, -1, best + 3)
    options = {"confidence_level": 0.9, "n_resamples": 49, "random_state": 0, "ignore_labels": -1}
    for compared in (options, {"ignore_labels": -1}):
        comparison = gpuval.compare(true, {"fair": fair, "best": best, "same": same}, ["acc"], by=by, **compared)
        marked = {of for of, _ in comparison.marks()}
        of_x = {("best", "x"), ("same", "x")}
        assert marked == (of_x if n_kept == 20 else of_x | {("best", "y"), ("same", "y")})


def test_small_labelings_are_told_all_the_same():
    """Without groups a comparison of few samples has its intervals: they say how little is known."""
    labels = np.arange(20) % 2
    found = gpuval.compare(labels, {"a": labels, "b": 1 - labels}, ["acc"], confidence_level=0.9, n_resamples=9)
    assert "● 1.000 1.00–1.00" in Tables(found._repr_html_()).rows[1][-1]
