"""Scores of groups: what is said of small ones, scales, order, and the sentence about the largest difference."""

import math
from itertools import pairwise
from statistics import NormalDist

import pandas as pd
import pytest

from gpuval.reporting.content import _in_order
from gpuval.reporting.groups import GroupScores, GroupSize, ScoresOfGroups, in_order_of_size
from gpuval.reporting.panels import nice_ticks, tick_texts
from gpuval.reporting.scores_table import Numbers


def group(value, n, score, best="x", best_set=("x",), error=0.01, classes=(50, 50), half=0.05):
    size = GroupSize(n, len(classes), n < 30 or sum(x >= 5 for x in classes) < 2)
    numbers = {"x": Numbers(score, score - half, score + half), "y": Numbers(score - 0.1, score - 0.2, score)}
    return GroupScores(
        value, size, numbers, dict.fromkeys(numbers, error), list(numbers) * size.is_small, best, best_set
    )


def groups_of(*groups, **changed):
    given = {"names": ["x", "y"], "of_all": {"x": 0.6, "y": 0.5}, "chosen": "x", "units": "cells", "level": 0.95}
    return ScoresOfGroups("AMI", "highest", groups, **given | changed)


def test_small_groups_have_hollow_dots_without_intervals_and_no_highest():
    found = groups_of(group("a", 29, 0.6), group("b", 99, 0.6), group("c", 100, 0.6))
    small, medium, large = found.panels()
    assert [x.finding for x in (small, medium, large)] == [
        "too few to compare (under 30)",
        "under 100 cells: none is called highest",
        "highest x",
    ]
    assert [small.size, medium.size] == ["29 cells · 2 classes", "99 cells · 2 classes"]
    assert all(math.isnan(dot.low) and math.isnan(dot.high) for dot in small.dots)
    assert [dot.is_hollow for x in (small, medium, large) for dot in x.dots] == [True, True, True, True, False, False]
    assert [dot.low for dot in medium.dots] == pytest.approx([0.55, 0.4])
    assert 'class="few"' in small.svg
    assert 'class="interval"' not in small.svg
    assert 'class="interval"' in medium.svg
    assert groups_of(group("a", 500, 0.6, classes=(496, 4))).panels()[0].finding == (
        "too few cells in all classes but one"
    )


def test_what_a_panel_says():
    of = lambda **given: groups_of(group("a", 500, 0.6, **given)).panels()[0].finding  # noqa: E731
    assert of(best_set=("x", "y")) == "all 2 within noise"
    assert of(best=None, best_set=None) == "AMI 0.50 to 0.60"  # nobody knows which end is the better one
    of_none = group("a", 500, math.nan, best=None, best_set=None)._replace(numbers={})
    assert groups_of(of_none).panels()[0].finding == "no score"
    assert of(best_set=None) == "highest x"
    of_three = group("a", 500, 0.6, best_set=("x", "y"))
    of_three = of_three._replace(numbers={**of_three.numbers, "z": Numbers(0.1, 0.0, 0.2)})
    three = groups_of(of_three)
    assert three.panels()[0].finding == "highest x; 1 not told apart"


def test_panels_have_one_scale_with_all_that_is_drawn():
    found = groups_of(group("a", 500, 0.6), group("b", 20, 0.95), group("c", 500, 0.3)).panels()
    assert {tuple(x.ticks) for x in found} == {(0.0, 0.25, 0.5, 0.75, 1.0)}
    assert all(x.ticks[0] <= dot.score <= x.ticks[-1] for x in found for dot in x.dots)


def test_many_groups_are_a_list():
    found = groups_of(*(group(f"g{n}", n, 0.6) for n in range(1, 61)))
    assert found.panels() == []
    table = found.listed("")
    assert [row.name for row in table.rows] == [f"g{n}" for n in range(60, 20, -1)]
    assert table.note == "20 smaller groups are only in the CSV."
    assert [row.cells[2].bar is None for row in table.rows] == [int(row.name[1:]) < 30 for row in table.rows]
    assert found.csv.count("\n") == 1 + 60 * 2
    assert groups_of(group("a", 500, 0.6)).listed("") is None


def test_the_sentence_about_two_groups():
    same = groups_of(group("a", 500, 0.61), group("b", 100, 0.6))
    assert same.sentence() == "AMI of x does not differ between a (500 cells) and b (100 cells) by more than noise."
    z = NormalDist().inv_cdf(0.975) * math.hypot(0.01, 0.01)
    apart = groups_of(group("a", 500, 0.4), group("b", 100, 0.6))
    assert apart.sentence() == (
        "AMI of x differs most clearly between b (100 cells) and a (500 cells): by 0.20 "
        f"({0.2 - z:.2f}\N{EN DASH}{0.2 + z:.2f})."
    )


def test_the_sentence_is_of_large_groups():
    found = groups_of(group("a", 500, 0.4), group("b", 99, 0.9), group("c", 500, 0.9, classes=(496, 4)))
    assert found.sentence() is None
    assert groups_of(group("a", 500, 0.4), group("b", 500, 0.9), level=None).sentence() is None
    unknown = groups_of(group("a", 500, 0.4), group("b", 500, 0.9, error=math.nan))
    assert unknown.sentence() is None


def test_the_largest_of_several_differences_is_judged_as_that():
    """A difference that is 2.1 standard errors: more than noise for two groups, not for the largest of 28."""
    gap = 2.1 * math.hypot(0.01, 0.01)
    pair = [group("a", 500, 0.6), group("b", 500, 0.6 - gap)]
    assert "differs most clearly" in groups_of(*pair).sentence()
    others = [group(f"c{i}", 500, 0.6 - gap / 2) for i in range(6)]
    assert groups_of(*pair, *others).sentence() == ("AMI of x does not differ between the 8 groups by more than noise.")


def test_order():
    sizes = {value: GroupSize(n, None, False) for value, n in {"10": 5, "9": 5, "b": 7}.items()}
    assert in_order_of_size(list(sizes), sizes) == ["b", "9", "10"]
    by = pd.Series(pd.Categorical(["late", "early"], categories=["early", "late"], ordered=True))
    sizes = {"late": GroupSize(9, None, True), "early": GroupSize(5, None, True)}
    assert _in_order(by, ["late", "early"], sizes) == ["early", "late"]
    assert _in_order(by.astype(str), ["late", "early"], sizes) == ["late", "early"]


@pytest.mark.parametrize(
    ("low", "high"), [(0, 1), (-0.5, 1), (0.123, 0.1234), (5, 3e6), (0.6, 0.6), (0, 0), (-300, -300)]
)
def test_ticks(low, high):
    ticks = nice_ticks(low, high)
    steps = [b - a for a, b in pairwise(ticks)]
    assert ticks[0] <= low <= high <= ticks[-1]
    assert 2 <= len(ticks) <= 6
    assert steps == pytest.approx([steps[0]] * len(steps))
    assert len(set(tick_texts(ticks))) == len(ticks)


def test_the_clearest_difference_counts_and_not_the_largest():
    """The largest difference is noise: of the two others, which differ by 35 standard errors, the sentence is."""
    noisy = group("noisy", 100, 0.9, error=0.15)
    found = groups_of(noisy, group("b", 100_000, 0.7, error=0.002), group("c", 100_000, 0.6, error=0.002))
    assert "differs most clearly between b (100,000 cells) and c (100,000 cells): by 0.10" in found.sentence()
