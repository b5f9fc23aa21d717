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


IGNORED = {"confidence_level": 0.9, "n_resamples": 49, "random_state": 0, "ignore_labels": -1}


@pytest.mark.parametrize("options", [IGNORED, {"ignore_labels": -1}], ids=["intervals", "scores"])
@pytest.mark.parametrize("n_kept", [120, 60, 20])
def test_labelings_that_ignore_most_of_a_group_are_not_compared_there(n_kept, options):
    """Two of them have the best scores by few samples."""
    true, by = np.arange(400) % 3, np.repeat(["x", "y"], 200)
    fair, poor = (np.where(RANDOM.random(400) < share, RANDOM.integers(0, 3, 400), true) for share in (0.3, 0.9))
    some = np.where((by == "x") | (np.arange(400) < 200 + n_kept), true, -1)
    labelings = {"poor": poor, "some": some, "fair": fair, "same": np.where(some < 0, -1, 5 - some)}
    comparison = gpuval.compare(true, labelings, ["acc"], by=by, **options)
    best = comparison.best["acc", "y"]
    of_x, of_y = ({("some", value), ("same", value)} for value in "xy")
    if n_kept == 120:
        assert ({of for of, _ in comparison.marks()}, best.name) == (of_x | of_y, "some")
    else:
        assert ({of for of, _ in comparison.marks()}, best.name) == ({*of_x, ("fair", "y")}, "fair")
        assert set(best.gaps or ["poor"]) == {"poor"}
    alone = gpuval.compare(true, {"some": some, "same": labelings["same"]}, ["acc"], by=by, **options)
    assert alone.best["acc", "y"].name == "some"
    assert {of for of, _ in alone.marks()} == (of_x | of_y if n_kept == 120 else of_x)


def test_a_mark_is_of_common_samples_only_where_it_is():
    """The labelings differ in what they ignore in the small group alone, which has no marks."""
    true, by = np.arange(600) % 3, np.repeat(["x", "y"], [560, 40])
    fair = np.where(RANDOM.random(600) < 0.3, RANDOM.integers(0, 3, 600), true)
    good = np.where(RANDOM.random(600) < 0.1, RANDOM.integers(0, 3, 600), true)
    labelings = {"fair": fair, "good": np.where(np.arange(600) > 594, -1, good)}
    comparison = gpuval.compare(true, labelings, ["vi"], by=by, **IGNORED)
    assert repr(comparison).splitlines()[-1] == "● lowest"
    labelings["good"] = np.where(np.arange(600) < 5, -1, good)
    comparison = gpuval.compare(true, labelings, ["vi"], by=by, **IGNORED)
    assert repr(comparison).splitlines()[-1] == "● best of the samples in common"


def test_small_labelings_are_told_all_the_same():
    """Without groups a comparison of few samples has its intervals: they say how little is known."""
    labels = np.arange(20) % 2
    found = gpuval.compare(labels, {"a": labels, "b": 1 - labels}, ["acc"], confidence_level=0.9, n_resamples=9)
    assert "● 1.000 1.00–1.00" in Tables(found._repr_html_()).rows[1][-1]
