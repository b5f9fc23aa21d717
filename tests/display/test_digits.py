"""How many digits numbers have: one more than the noise leaves, the same in a column, and none that widens a range."""

import math
import re

import numpy as np
import pytest
from html_tables import Tables
from hypothesis import given
from hypothesis import strategies as st

import gpuval
from gpuval.display import digits
from gpuval.display.digits import count_text, decimals, gap_text, interval_text, p_text, score_text, share_text
from gpuval.registry.families import measure_named
from gpuval.results.columns import Column, decimals_of_columns

NAN, INF = math.nan, math.inf


@pytest.mark.parametrize(
    ("half_width", "expected"),
    [(0.5, 2), (0.1, 2), (0.099, 3), (0.02, 3), (0.01, 3), (0.0099, 4), (0.001, 4), (0.0001, 4), (1e-9, 4)],
)
def test_scores_have_one_digit_more_than_noise_leaves(half_width, expected):
    assert expected == min(max(1 + math.ceil(-math.log10(half_width)), 2), 4)
    assert decimals([0.5], [0.5 - half_width], [0.5 + half_width]) == expected


def test_the_median_interval_decides():
    low, high = [0.5 - x for x in (0.2, 0.02, 0.001)], [0.5 + x for x in (0.2, 0.02, 0.001)]
    assert decimals([0.5] * 3, low, high) == 3
    assert decimals([0.5] * 3, [*low[:1], NAN, NAN], [*high[:1], NAN, NAN]) == 2  # what is not known has no width
    assert decimals([0.5], [0.5], [0.5]) == 3  # nor has an interval without any
    assert decimals([0.5]) == decimals([]) == decimals([NAN]) == decimals([0.0]) == 3


@pytest.mark.parametrize(
    ("numbers", "expected"),
    [
        ([222.4, 258.1], ["222", "258"]),
        ([1.3172, 0.8149, 2.5], ["1.32", "0.81", "2.50"]),
        ([22_100.4, 9.3, 30_000], ["22,100", "9", "30,000"]),
        ([12.345, 6.789, 100.1], ["12.3", "6.8", "100.1"]),
        ([0.0001234, 0.00042], ["0.000123", "0.000420"]),
        ([1.2e-9, 3.4e-9], ["1.20e−09", "3.40e−09"]),
        ([1e11, 3e11], ["1.00e+11", "3.00e+11"]),
        ([INF, 2.0], ["inf", "2.00"]),
        ([-INF, NAN], ["−inf", "–"]),
        ([-0.0, -0.0001], ["0.000", "0.000"]),
        ([-0.25, 0.125], ["−0.250", "0.125"]),
    ],
)
def test_numbers_of_a_column(numbers, expected):
    n_decimals = decimals(numbers) if max(map(abs, numbers)) != 0.0001 else 3
    assert [score_text(x, n_decimals) for x in numbers] == expected


def test_intervals_gaps_shares_counts_and_p_values():
    assert interval_text(0.5963, 0.6581, 3) == "0.60–0.66"
    assert interval_text(0.5963, 0.6581, 4) == "0.596–0.658"
    assert interval_text(0.5963, 0.6581, 2) == "0.60–0.66"  # at least 2
    assert interval_text(-0.02, 0.0001, 3) == "−0.02–0.00"
    assert interval_text(212.2, 300.9, 0) == "212–301"
    assert interval_text(NAN, 1, 3) == interval_text(0, NAN, 3) == ""
    assert [gap_text(x, 3) for x in (-0.0221, 0.0221, -0.0, 0.0004, -0.0004)] == [
        "−0.022", "+0.022", "0.000", "0.000", "0.000",
    ]  # fmt: skip
    shares = [share_text(x).replace("\N{NO-BREAK SPACE}", " ") for x in (0, 0.0099, 0.01, 0.345, 0.996, 1)]
    assert shares == ["0 %", "<1 %", "1 %", "34 %", "99 %", "100 %"]
    counts = [0, 999, 1000, 20_000, 10**9, 12.5, 9_999.4, 12_345.6]
    assert [count_text(x) for x in counts] == [
        "0", "999", "1,000", "20,000", "1,000,000,000", "12.5", "9,999", "12,346",
    ]  # fmt: skip
    assert [p_text(x) for x in (0.0312, 0.001, 0.00099, 0, 1)] == [
        "p = 0.031", "p = 0.001", "p < 0.001", "p < 0.001", "p = 1",
    ]  # fmt: skip


@given(st.floats(-1e300, 1e300) | st.sampled_from([NAN, INF, -INF]), st.integers(0, 12))
def test_every_number_reads_as_itself(x, n_decimals):
    text = score_text(x, n_decimals)
    assert not re.search(r"\d{4}(?!.*[.e])\b", text.split(".")[0].split("e")[0])  # groups of three digits
    if math.isnan(x):
        assert text == "–"
    elif math.isinf(x):
        assert text == ("inf" if x > 0 else "−inf")
    else:
        back = float(text.replace(",", "").replace("−", "-"))
        assert back == pytest.approx(x, rel=0.006, abs=0.5 * 10.0**-n_decimals * (1 + 1e-9))
        assert not text.startswith("−0") or back != 0


# Columns of a table


def column(key, scores, half=NAN):
    return Column(scores, [x - half for x in scores], [x + half for x in scores], measure_named(key))


def test_columns_from_minus_1_to_1_share_their_decimals():
    columns = {
        "ari": column("ari", [0.5, 0.4], 0.05),
        "ami": column("ami", [0.3, 0.2], 0.04),
        "vi": column("vi", [0.5, 0.25], 0.001),  # which may be above 1
        "own": column("own", [0.7, 0.6], 0.03),
        "count": column("own", [400.0, 300.0]),
    }
    assert decimals_of_columns(columns) == {"ari": 3, "ami": 3, "vi": 3, "own": 3, "count": 0}
    wide = {name: x if name == "vi" else column(name, x.scores, 0.4) for name, x in columns.items()}
    assert decimals_of_columns(wide) == {"ari": 2, "ami": 2, "vi": 3, "own": 2, "count": 0}


def test_two_best_scores_that_would_read_the_same_have_a_digit_more():
    near = column("ari", [0.6271, 0.6274, 0.1], 0.05)
    assert decimals_of_columns({"ari": near, "nmi": column("nmi", [0.5, 0.4, 0.3], 0.05)}) == {"ari": 4, "nmi": 3}
    assert decimals_of_columns({"ari": column("ari", [0.62711, 0.62712], 0.05)}) == {"ari": 4}  # at most
    assert decimals_of_columns({"ari": column("ari", [0.1, 0.6, 0.6], 0.05)}) == {"ari": 3}  # equal ones may
    assert decimals_of_columns({"hom": column("homogeneity", [0.6271, 0.6274], 0.05)}) == {"hom": 3}  # none is the best
    assert decimals_of_columns({"own": column("own", [0.6271, 0.6274], 0.05)}) == {"own": 3}


NUMBER = re.compile(r"[\d,]+\.(\d+)")


def check_one_number_of_decimals(rows):
    """In each column scores have as many decimals as each other, at most 4, and so have both ends of intervals."""
    for cells in zip(*rows, strict=True):
        found = [list(map(len, NUMBER.findall(cell))) for cell in cells if NUMBER.search(cell)]
        assert all(x == found[0] for x in found), cells
        assert all(max(x) <= 4 and len(set(x[1:])) <= 1 for x in found), cells


RANDOM = np.random.default_rng(4)
TRUE = RANDOM.integers(0, 4, 12_000)
LABELINGS = {
    name: np.where(RANDOM.random(12_000) < share, RANDOM.integers(0, 4, 12_000), TRUE)
    for name, share in {"a": 0.2, "b": 0.21, "c": 0.6}.items()
}


@pytest.mark.parametrize("level", [None, 0.95])
def test_a_printed_comparison_has_one_number_of_decimals_in_each_column(level):
    options = {} if level is None else {"confidence_level": level, "n_resamples": 49, "random_state": 0}
    comparison = gpuval.compare(TRUE, LABELINGS, ["ami", "ari", "nca", "homogeneity", "acc"], **options)
    text = repr(comparison)
    check_one_number_of_decimals(Tables(comparison._repr_html_()).rows[1:])
    assert "12,000 samples" in text.splitlines()[0]
    assert not re.search(r"\d{5}", text)
    assert re.search(r"\d\.\d{3}", text)


@pytest.mark.parametrize("cells", [("0.123", "0.12"), ("0.123 0.11–0.13", "0.125 0.1–0.13"), ("0.12345", "0.12345")])
def test_another_number_of_decimals_is_seen(cells):
    with pytest.raises(AssertionError):
        check_one_number_of_decimals([[cell] for cell in cells])


# Ends of intervals

FEW = np.asarray([0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4])


def check_ends():
    """Each end of an interval is within the range of its measure, also of 17 samples."""
    nearly = [np.where(np.arange(17) == place, 1, FEW) for place in (0, 9, 16)]
    labelings = {"right": FEW, **dict(zip("abc", nearly, strict=True)), "one": np.zeros(17, int), "all": np.arange(17)}
    comparison = gpuval.compare(FEW, labelings, "all", confidence_level=0.99, n_resamples=99, random_state=0)
    for scores in comparison.values():
        for key, x in scores.intervals.items():
            low, high = measure_named(key).range
            rounding = 1e-9 * max(1.0, abs(float(x.score)))
            assert not min(x.low, x.high) < low - rounding, key
            assert not max(x.low, x.high) > high + rounding, key


def test_ends_of_intervals_are_within_the_range():
    check_ends()


def test_ends_beyond_the_range_are_seen(monkeypatch):
    monkeypatch.setattr("gpuval.inference.estimation.clip_interval", lambda ends, score, low, high: (low, high))
    with pytest.raises(AssertionError):
        check_ends()


def test_the_letters_of_marks_are_one_column_wide():
    marks = (digits.HIGHEST, digits.TIED, digits.BEHIND, digits.CAUTION, digits.NONE)
    assert [len(x) for x in marks] == [1] * 5
    assert len(set(marks)) == 5
