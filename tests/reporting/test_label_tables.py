"""The tables of classes and of clusters: readings by their definitions, stacked bars, colours."""

import numpy as np
import pytest

from gpuval import Contingency
from gpuval.display.colors import CATEGORIES, OTHERS
from gpuval.reporting.label_tables import LabelTables
from gpuval.reporting.overlaps import Overlaps


def tables_of(counts, classes=None, units="cells"):
    counts = np.asarray(counts)
    classes = classes or [f"c{place}" for place in range(len(counts))]
    truth = np.repeat(np.repeat(classes, counts.shape[1]), counts.ravel())
    found = np.repeat(np.tile(np.arange(counts.shape[1]), len(classes)), counts.ravel())
    return LabelTables(Overlaps.of(Contingency.from_labels(truth, found)), units)


def readings(counts, **given):
    return {row.name: row.cells[-1].text for row in tables_of(counts, **given).classes("").rows}


def test_kept_from_four_fifths_on():
    assert readings([[80, 20]])["c0"] == "kept in 0"
    assert readings([[79, 21]])["c0"] == "split: 0 + 1"


def test_parts_of_a_tenth_are_named():
    assert readings([[50, 41, 9]])["c0"] == "split: 0 + 1"
    assert readings([[50, 40, 10]])["c0"] == "split: 0 + 1 + 2"
    assert readings([[73, 9, 9, 9]])["c0"] == "split: 0 + 3 smaller"
    assert readings([[20, 20, 20, 20, 20]])["c0"] == "split: 0 + 1 + 2 + 3 + 1 more"


def test_in_the_cluster_of_another_class():
    assert readings([[100, 0], [30, 10]]) == {"c0": "kept in 0", "c1": "in 0, mostly c0"}


def test_lost():
    """Split into clusters that are its own, each a small part: the best F is 2 * 5 / (50 + 5) < 0.2."""
    assert readings([[5] * 10])["c0"] == "lost"
    assert readings([[6] * 9])["c0"].startswith("split")  # 2 * 6 / (54 + 6) = 0.2


def test_the_sentence_counts_the_readings():
    tables = tables_of([[100, 0, 0], [0, 60, 40], [30, 0, 0]])
    assert tables.sentence() == "Of 3 classes 1 is kept, 1 is split and 1 is in clusters of another class."
    assert tables_of([[10]]).sentence() == "Of 1 class 1 is kept."


def test_each_row_is_the_row_of_the_table():
    counts = np.array([[120, 80, 0], [10, 0, 5]])
    big, small = tables_of(counts, units="cells").classes("").rows
    assert [c.text for c in big.cells] == ["200", "", "60\u00a0%", f"{2 * 120 / (200 + 130):.2f}", "split: 0 + 1"]
    assert [(p.share, p.text) for p in big.cells[1].pieces] == [(0.6, "0"), (0.4, "1")]
    assert (big.cells[0].mark, small.cells[0].mark) == ("", "△")
    assert [p.about for p in small.cells[1].pieces] == ["0: 67\u00a0%", "2: 33\u00a0%"]
    rows = tables_of(counts).clusters("").rows
    assert [(row.name, row.cells[0].text, row.cells[2].text, row.cells[-1].text) for row in rows] == [
        ("0", "130", "92\u00a0%", "c0"),
        ("1", "80", "100\u00a0%", "c0"),
        ("2", "5", "100\u00a0%", "c1"),
    ]


def test_parts_of_a_bar_sum_to_one():
    rng = np.random.default_rng(0)
    counts = rng.integers(0, 9, (40, 60)) ** 2
    for table in (tables_of(counts).classes(""), tables_of(counts).clusters("")):
        for row in table.rows:
            assert sum(p.share for p in row.cells[1].pieces) == pytest.approx(1, abs=1e-12)


def test_names_are_written_where_there_is_room():
    pieces = tables_of([[950, 50]]).classes("").rows[0].cells[1].pieces
    assert [p.text for p in pieces] == ["0", "1"]  # 12 px for one letter
    pieces = tables_of([[980, 20]]).classes("").rows[0].cells[1].pieces
    assert [p.text for p in pieces] == ["0", ""]


def test_a_class_has_one_colour_in_both_tables():
    tables = tables_of([[100, 0], [0, 60]])
    of_classes = [row.cells[1].pieces[0].color for row in tables.classes("").rows]
    of_clusters = [row.cells[1].pieces[0].color for row in tables.clusters("").rows]
    assert of_classes == of_clusters == list(CATEGORIES[:2])


def test_very_many_classes_and_clusters():
    labels = np.arange(3000) // 3
    tables = LabelTables(Overlaps.of(Contingency.from_labels(labels, labels)), "cells")
    table = tables.classes("")
    assert len(table.rows) == 500
    assert table.note == "The 500 rows that cost most, by size and 1 - F; 500 more are not shown."
    assert tables.colors_of_clusters.count(OTHERS) == 1000 - 12
    heads, *rows = tables.csv_of_classes.splitlines()
    assert heads == "class,cells,largest cluster,share in it,best F,reading"
    assert rows[7] == "7,3,7,1.0,1.0,kept in 7"
    assert len(rows) == 1000
    assert tables_of([[3, 1]]).csv_of_classes == ""
