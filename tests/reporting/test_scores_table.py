"""The table of scores: its columns, digits, signs and order, from numbers that are made here."""

import csv
import io
import math

import pytest

import gpuval
from gpuval.reporting.scores_table import Compared, Numbers, ScoresOfLabelings

AMI, ARI, NCA = "adjusted_mutual_info_score", "adjusted_rand_score", "normalized_clustering_accuracy"
COMPL, HOMOG, SILH, CH, DB = (
    *("completeness_score", "homogeneity_score", "silhouette_score"),
    *("calinski_harabasz_score", "davies_bouldin_score"),
)
MEASURES = {x: getattr(gpuval, x).measure for x in (AMI, ARI, NCA, COMPL, HOMOG, SILH, CH, DB)}
EXACT = math.nan, math.nan


def made(names, numbers, compared, chosen=None, **changed):
    """Scores of labelings; ``numbers`` are by measure those of each name."""
    given = {
        "trade_off": [x for x in (COMPL, HOMOG) if x in numbers],
        "others": [],
        "inside": [x for x in (SILH, CH, DB) if x in numbers],
        "of_what": "2 features",
        "clusters": {name: place + 2 for place, name in enumerate(names)},
        "samples": dict.fromkeys(names, 700),
        "units": "cells",
    } | changed
    by_name = {m: {name: Numbers(*x) for name, x in zip(names, values, strict=True)} for m, values in numbers.items()}
    return ScoresOfLabelings(names, by_name, MEASURES, compared, chosen=chosen or names[0], **given)


@pytest.fixture
def two():
    numbers = {
        AMI: [(0.627, 0.597, 0.657), (0.605, 0.575, 0.635)],
        ARI: [(0.437, 0.397, 0.477), (0.459, 0.409, 0.509)],
        NCA: [(0.387, 0.357, 0.417), (0.393, 0.363, 0.423)],
        COMPL: [(0.688, *EXACT), (0.715, *EXACT)],
        HOMOG: [(0.591, *EXACT), (0.565, *EXACT)],
        SILH: [(0.4347, *EXACT), (0.4128, *EXACT)],
        CH: [(258.21, *EXACT), (1222.4, *EXACT)],
        DB: [(0.812, *EXACT), (1.319, *EXACT)],
    }
    compared = [
        Compared(AMI, "each cell", "x", ("x",)),
        Compared(ARI, "each pair", "y", ("y", "x")),
        Compared(NCA, "each class", "y", ("y",)),
    ]
    return made(["x", "y"], numbers, compared, chosen="y")


def test_columns_are_in_groups_and_at_most_ten(two):
    table = two.table("Scores", "")
    assert [x.text for x in table.heads] == [
        *("labeling", "clusters", "AMI", "ARI", "NCA", "compl.", "homog.", "silh.", "CH", "DB ↓"),
    ]
    assert [(x.text, x.n_columns) for x in table.spans] == [
        ("", 2),
        ("What counts the same", 3),
        ("Trade-off, never ranked", 2),
        ("Without labels (2 features)", 3),
    ]
    assert [x.below for x in table.heads[2:5]] == ["each cell", "each pair", "each class"]
    assert [x.text for x in table.heads if x.begins] == ["AMI", "compl.", "silh."]


def test_samples_are_a_column_where_they_vary(two):
    numbers = {AMI: [(0.5, *EXACT), (0.4, *EXACT)]}
    found = made(["x", "y"], numbers, [], samples={"x": 700, "y": 12345}).table("", "")
    assert [x.text for x in found.heads] == ["labeling", "clusters", "cells"]
    assert [row.cells[1].text for row in found.rows] == ["700", "12,345"]


def test_one_number_of_decimals_for_each_column(two):
    table = two.table("", "")
    texts = [[cell.text for cell in row.cells] for row in table.rows]
    # half-widths of 0.03 and 0.04: the second decimal is noise, and one more tells neighbours apart
    assert texts[0][1:] == ["0.627", "0.437", "0.387", "0.688", "0.591", "0.435", "258", "0.81"]
    assert texts[1][1:] == ["0.605", "0.459", "0.393", "0.715", "0.565", "0.413", "1,222", "1.32"]
    assert [cell.beside for cell in table.rows[0].cells[1:4]] == [
        "0.60\N{EN DASH}0.66",
        "0.40\N{EN DASH}0.48",
        "0.36\N{EN DASH}0.42",
    ]


def test_signs_and_fills_are_those_of_the_best_sets(two):
    x, y = two.table("", "").rows
    assert [(c.mark, c.fill) for c in x.cells[1:4]] == [("●", "best"), ("≈", "tie"), ("", "")]
    assert [(c.mark, c.fill) for c in y.cells[1:4]] == [("", ""), ("●", "best"), ("●", "best")]
    assert all(c.mark == c.fill == "" for row in (x, y) for c in row.cells[4:])
    assert (x.is_chosen, y.is_chosen) == (False, True)


def test_bars_are_on_one_scale_for_each_column(two):
    x, y = (row.cells[1].bar for row in two.table("", "").rows)
    width = 0.657 - 0.575
    assert (x.low, x.high, x.score) == pytest.approx(((0.597 - 0.575) / width, 1, (0.627 - 0.575) / width))
    assert (y.low, y.high, y.score) == pytest.approx((0, (0.635 - 0.575) / width, (0.605 - 0.575) / width))


def test_first_places_that_read_the_same_get_a_decimal_more():
    numbers = {AMI: [(0.62741, 0.6, 0.66), (0.62738, 0.6, 0.66), (0.6, 0.57, 0.63)]}
    names = ["x", "y", "z"]
    found = made(names, numbers, [Compared(AMI, "", "x", ("x", "y"))]).table("", "")
    assert [row.cells[1].text for row in found.rows] == ["0.6274", "0.6274", "0.6000"]
    assert [row.cells[1].mark for row in found.rows] == ["●", "●", ""]  # they share the sign: four decimals say no more
    numbers[AMI][1] = (0.62701, 0.6, 0.66)
    found = made(names, numbers, [Compared(AMI, "", "x", ("x", "y"))]).table("", "")
    assert [row.cells[1].text for row in found.rows] == ["0.6274", "0.6270", "0.6000"]
    assert [row.cells[1].mark for row in found.rows] == ["●", "≈", ""]


def test_without_intervals_only_the_highest_has_a_sign():
    numbers = {AMI: [(0.6, *EXACT), (0.5, *EXACT), (math.nan, *EXACT)]}
    found = made(["x", "y", "z"], numbers, [Compared(AMI, "", "x", None)]).table("", "")
    assert [(row.cells[1].text, row.cells[1].mark) for row in found.rows] == [
        ("0.600", "●"),
        ("0.500", ""),
        ("\N{EN DASH}", ""),
    ]
    assert found.heads[2].kind == "score"


def test_one_labeling_has_no_sign():
    found = made(["x"], {AMI: [(0.6, 0.5, 0.7)]}, [Compared(AMI, "", "x", ("x",))]).table("", "")
    assert [(c.mark, c.fill) for c in found.rows[0].cells] == [("", ""), ("", "")]


def test_of_many_labelings_the_first_are_shown_and_all_that_may_be_the_best():
    names = [f"k{place}" for place in range(30)]
    numbers = {AMI: [(0.9 - 0.01 * place, *EXACT) for place in range(30)]}
    compared = [Compared(AMI, "", "k0", ("k0", "k1")), Compared(ARI, "", "k20", ("k20", "k25"))]
    found = made(names, numbers | {ARI: numbers[AMI]}, compared, chosen="k28")
    assert found.first_names == [*names[:12], "k20", "k25", "k28"]
    table = found.table("", "")
    assert table.n_more == 15
    assert table.is_searched
    assert made(names[:15], {AMI: numbers[AMI][:15]}, compared[:1]).table("", "").n_more == 0


def test_all_measures_are_rows_by_family(two):
    table = two.all_measures("")
    assert [x.text for x in table.heads] == ["measure", "family", "x", "y"]
    assert [row.cells[0].text for row in table.rows][:3] == ["information"] * 3
    assert {row.name for row in table.rows} >= {"AMI · adjusted_mutual_info_score", "DB ↓ · davies_bouldin_score"}
    many = [f"k{place}" for place in range(13)]
    assert made(many, {AMI: [(0.5, *EXACT)] * 13}, []).all_measures("") is None


def test_csv_has_all_digits():
    numbers = {AMI: [(1 / 3, 0.1, 2 / 3), (math.nan, *EXACT)], CH: [(math.inf, *EXACT), (1e-17, *EXACT)]}
    found = made(['a,"b"', "c"], numbers, [])
    heads, first, second = csv.reader(io.StringIO(found.csv))
    assert heads == ["labeling", "clusters", "cells", AMI, f"{AMI}.low", f"{AMI}.high", CH]
    assert first == ['a,"b"', "2", "700", str(1 / 3), "0.1", str(2 / 3), "inf"]
    assert second == ["c", "3", "700", "", "", "", "1e-17"]
