"""The table of genieclust's names: none is forgotten and all are equal, and other values are as the page says."""

from __future__ import annotations

import re
from fractions import Fraction

import genieclust.compare_partitions as genieclust
import numpy as np
import pytest
from guide_pages import PAGES, ran, rows
from peers import GENIECLUST

import gpuval
from gpuval.registry.families import SHORT_NAMES

PAGE = "coming-from-genieclust.md"
ROWS = [[re.findall(r"`([^`]+)`", cell) for cell in row] for row in rows(PAGE, "genieclust")]
SHORT = {row[1][0]: (row[0][0], row[2][0]) for row in ROWS if row[1]}
LABELS = [1, 1, 1, 1, 2, 2, 2, 3, 3, 3, 3], [1, 1, 2, 1, 2, 2, 3, 3, 3, 3, 1]


def called(text):
    """What a call such as "f(x=True)" begins with, and its options."""
    name, _, options = text.partition("(")
    return name, {key: value == "True" for key, value in re.findall(r"(\w+)=(True|False)", options)}


def test_every_name_of_the_peer_is_in_the_table():
    public = {name for name in vars(genieclust) if not name.startswith("_") and callable(getattr(genieclust, name))}
    assert {called(row[0][0])[0] for row in ROWS} == public


def test_short_names_are_the_keys_of_the_peer_and_find_its_measures():
    assert set(SHORT) == set(genieclust.compare_partitions(*map(np.asarray, LABELS)))
    for short, (_, ours) in SHORT.items():
        assert SHORT_NAMES[short] == ours == GENIECLUST[short]


@pytest.mark.parametrize("short", SHORT)
def test_same_value(short):
    theirs, options = called(SHORT[short][0])
    expected = getattr(genieclust, theirs)(*map(np.asarray, LABELS), **options)
    assert gpuval.evaluate(*LABELS, short.upper())[short] == pytest.approx(expected, rel=1e-12)


def test_scores_that_are_not_clipped():
    """Of the counts 5, 4 and 1, 0: the similarities 4/9 and 1/6 are matched, and chance gives 7/10."""
    labels = np.repeat([0, 0, 1], [5, 4, 1]), np.repeat([0, 1, 0], [5, 4, 1])
    theirs = genieclust.compare_partitions(*labels, psi_clipped=False)
    (row,) = (row for row in ROWS if "psi_clipped" in row[0][0])
    matched = Fraction(4, 9) + Fraction(1, 6)
    expected = {"psi": (matched - Fraction(7, 10)) / (2 - Fraction(7, 10)), "spsi": matched - 1}
    for text, (short, value) in zip(row[2], expected.items(), strict=True):
        ours, options = called(text)
        assert getattr(gpuval, ours)(*labels, **options) == pytest.approx(float(value))
        assert theirs[short] == pytest.approx(float(value))


def test_tables_are_the_same():
    x, y = map(np.asarray, LABELS)
    counts = genieclust.confusion_matrix(x, y)
    table = gpuval.Contingency.from_counts(counts)
    assert gpuval.contingency_matrix(x, y).tolist() == counts.tolist()
    assert gpuval.normalized_confusion_matrix(x, y).tolist() == genieclust.normalized_confusion_matrix(x, y).tolist()
    found = gpuval.normalized_confusion_matrix(table).tolist()
    assert found == genieclust.normalize_confusion_matrix(counts).tolist()
    assert gpuval.normalizing_permutation(table).tolist() == genieclust.normalizing_permutation(counts).tolist()


def test_all_of_the_first_cell_are_equal():
    shown = ran(PAGE).shown[0]
    assert list(shown) == list(SHORT)
    for ours, theirs in shown.values():
        assert ours == pytest.approx(theirs, rel=1e-12)


def test_a_table_in_place_of_labels():
    """Its recalls are those that the documentation of the peer gives: 0.74, 1 and 1."""
    _, shown = ran(PAGE).that_has(PAGE, "from_counts(counts)")
    assert shown == pytest.approx([float((Fraction(37, 50) + 1 + 1 - 1) / 2)] * 2)


def test_the_best_reference_is_named_and_noise_does_not_count():
    """With labels1, ten samples are left: of its classes 2, 4 and 4, 2, 4 and 3 are found."""
    _, best = ran(PAGE).that_has(PAGE, 'ignore_labels={"true": 0}')
    assert set(best.references.values()) == {"labels1"}
    assert best["nca"] == pytest.approx(float((1 + 1 + Fraction(3, 4) - 1) / 2))
    _, shown = ran(PAGE).that_has(PAGE, "def without_noise")
    assert list(shown) == ["labels0", "labels1"]
    for ours, theirs in shown.values():
        assert ours == pytest.approx(theirs)
    assert shown["labels1"][0] > shown["labels0"][0]


def test_random_clusterings():
    """10 clusters each: two pairs agree with 1 - 2 * 9/100, and 1/10 of the pairs of one are pairs of the other."""
    _, scores = ran(PAGE).that_has(PAGE, "nothing = ")
    assert scores["r"] == pytest.approx(0.82, abs=1e-3)
    assert scores["fm"] == pytest.approx(0.1, abs=1e-3)
    for short in ("ar", "nca", "psi"):
        assert abs(scores[short]) < 0.01
    assert "1 - 2(*k* - 1)/*k*²" in PAGES[PAGE]


def test_tables_that_are_not_square():
    labels = ran(PAGE).names["more_clusters"]
    for name in ("compare_partitions", "normalized_clustering_accuracy", "normalized_pivoted_accuracy"):
        with pytest.raises(RuntimeError, match="xc == yc"):
            getattr(genieclust, name)(*map(np.asarray, labels))
    k = 3
    recalls = Fraction(1, 2), 1
    expected = sum((x - Fraction(1, k)) / (1 - Fraction(1, k)) for x in recalls) / 2
    assert ran(PAGE).that_has(PAGE, "more_clusters = ")[1] == pytest.approx(float(expected))


def test_numbers_that_no_sample_has():
    _, shown = ran(PAGE).that_has(PAGE, "same = ")
    assert shown == pytest.approx((1, 2 / 3))
    labels = ran(PAGE).names["same"]
    assert gpuval.pair_sets_index(*labels) == 1
    assert genieclust.pair_sets_index(*labels) < 1
    with pytest.raises(ValueError, match="invalid literal"):
        genieclust.rand_score(np.asarray(["a", "b"]), np.asarray(["a", "b"]))


def test_zero_by_zero():
    printed, _ = ran(PAGE).that_has(PAGE, "no_pairs = ")
    assert printed.split() == ["1.0", "0.0", "nan", "nan"]
    one, no_pairs = (ran(PAGE).names[name] for name in ("one", "no_pairs"))
    theirs = genieclust.compare_partitions(one, one)
    assert {key for key, value in theirs.items() if not np.isnan(value)} == {"r", "fm", "mi"}
    assert all(gpuval.evaluate(one, one, key)[key] == (key != "mi") for key in theirs)
    assert gpuval.adjusted_fowlkes_mallows_score(*no_pairs) == 0
    assert np.isnan(genieclust.adjusted_fm_score(*no_pairs))
    assert gpuval.fowlkes_mallows_score([0, 1], [0, 1]) == 1
