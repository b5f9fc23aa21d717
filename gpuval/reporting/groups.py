"""Scores of each group of samples, as small panels or as a list, with the size of each group beside them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from statistics import NormalDist
from typing import Any, NamedTuple

from gpuval.display.digits import TO, count_text, decimals, interval_text, score_text
from gpuval.display.names import natural_order, short_names
from gpuval.display.text import shorten_middle
from gpuval.reporting.panels import Dot, GroupPanel, nice_ticks
from gpuval.reporting.scores_table import UNKNOWN, Numbers, span_of_numbers
from gpuval.reporting.sentences import name_text, quote_label
from gpuval.reporting.tables import EMPTY, Bar, Cell, Head, PageTable, Row, csv_text, sort_key
from gpuval.results.texts import FEWEST_COMPARED, FEWEST_RANKED

_MOST_PANELS, _MOST_LISTED = 12, 40
"""The largest numbers of groups with a panel each, and in a list."""

_WIDEST_NAME = 14
"""Of a labeling beside its row in a panel."""


class GroupSize(NamedTuple):
    """How many samples a group has, and how many classes."""

    samples: float
    classes: int | None
    """None without true labels."""
    is_small: bool
    """Whether these are too few to compare anything."""


class GroupScores(NamedTuple):
    """One group: its size, the numbers of each labeling, and which of them are the best."""

    value: Any
    size: GroupSize
    numbers: Mapping[Any, Numbers]
    errors: Mapping[Any, float]
    """The standard error of each score; NaN without one."""
    small: Sequence[Any]
    """The labelings that have too few samples of it."""
    best: Any
    """None where none is known to be."""
    best_set: tuple[Any, ...] | None


@dataclass(frozen=True)
class ScoresOfGroups:
    """The scores of one measure for each group."""

    measure: str
    """What sentences call it."""
    end: str
    """What its best score is called, such as "highest"; empty if neither end is the better one."""
    groups: Sequence[GroupScores]
    """In the order in which they are shown."""
    names: Sequence[Any]
    """The labelings in the order of a sweep."""
    of_all: Mapping[Any, float]
    """The score of all samples, of each labeling."""
    chosen: Any
    """The labeling that sentences are about."""
    units: str
    level: float | None

    @cached_property
    def _decimals(self) -> int:
        known = [x for group in self.groups if not group.size.is_small for x in group.numbers.values()]
        with_ends = [x for x in known if x.has_interval]
        if with_ends:
            return decimals((x.score for x in with_ends), (x.low for x in with_ends), (x.high for x in with_ends))
        return decimals(x.score for x in known)

    def size_text(self, group: GroupScores) -> str:
        """The size of a group in words."""
        said = f"{count_text(group.size.samples)} {self.units}"
        n_classes = group.size.classes
        return said if n_classes is None else f"{said} · {n_classes} class{'es' * (n_classes != 1)}"

    def finding(self, group: GroupScores) -> str:
        """One line about a group: which labeling is highest, or why none is."""
        if group.size.samples < FEWEST_COMPARED:
            return f"too few to compare (under {FEWEST_COMPARED})"
        if group.size.is_small:
            return f"too few {self.units} in all classes but one"
        known = [x.score for x in group.numbers.values() if not math.isnan(x.score)]
        if not known:
            return "no score"
        ends = [score_text(x, self._decimals) for x in (min(known), max(known))]
        if len(self.names) == 1:
            return f"{self.measure} {ends[0]}"
        if group.best is None:
            return f"{self.measure} {ends[0]} to {ends[1]}"
        n_labelings = len(group.numbers)
        if group.best_set is not None and len(group.best_set) == n_labelings > 1:
            return f"all {n_labelings} within noise"
        if group.size.samples < FEWEST_RANKED:
            return f"under {FEWEST_RANKED} {self.units}: none is called {self.end}"
        n_others = 0 if group.best_set is None else len(group.best_set) - 1
        return f"{self.end} {name_text(group.best)}" + (f"; {n_others} not told apart" if n_others else "")

    def panels(self) -> list[GroupPanel]:
        """A panel for each group, all with the same scale; none for many groups."""
        if len(self.groups) > _MOST_PANELS:
            return []
        shown = [x for group in self.groups for x in (self._shown(group, name) for name in self.names)]
        limits = span_of_numbers([*shown, *(Numbers(y, math.nan, math.nan) for y in self.of_all.values())])
        if limits is None:
            return []
        ticks = nice_ticks(*limits)
        names = _row_names(self.names)
        found = []
        for group in self.groups:
            dots = [self._dot(group, name, row) for row, name in zip(names, self.names, strict=True)]
            found.append(
                GroupPanel(
                    name_text(group.value),
                    self.size_text(group),
                    self.finding(group),
                    dots,
                    ticks,
                    f"{self.measure} of {len(self.names)} labelings for {quote_label(group.value)}, "
                    f"{self.size_text(group)}: {self.finding(group)}",
                    is_small=group.size.is_small,
                )
            )
        return found

    def _shown(self, group: GroupScores, name: Any) -> Numbers:
        """The numbers of a labeling that are shown: without an interval, if it has few samples."""
        found = group.numbers.get(name, UNKNOWN)
        return Numbers(found.score, math.nan, math.nan) if name in group.small else found

    def _dot(self, group: GroupScores, name: Any, row: str) -> Dot:
        x = self._shown(group, name)
        said = f"{name_text(name)}: {score_text(x.score, self._decimals)}"
        if x.has_interval:
            said += f" {interval_text(x.low, x.high, self._decimals)}"
        is_hollow = name in group.small or group.size.samples < FEWEST_RANKED
        return Dot(row, said, *x, self.of_all.get(name, math.nan), is_hollow=is_hollow)

    def listed(self, caption: str) -> PageTable | None:
        """A row for each of many groups, the largest ones: the score of one labeling, and which ones are the best."""
        if len(self.groups) <= _MOST_PANELS:
            return None
        shown = sorted(self.groups, key=lambda group: -group.size.samples)[:_MOST_LISTED]
        of_one = [self._shown(group, self.chosen) for group in shown]
        limits = span_of_numbers(of_one)
        heads = [
            Head("group", is_number=False),
            Head(self.units, kind="count"),
            Head("classes", kind="count"),
            Head(f"{self.measure} of {shorten_middle(name_text(self.chosen), 24)}", kind="voice"),
            Head(self.end or "scores", is_number=False, kind="words"),
        ]
        rows = []
        for group, x in zip(shown, of_one, strict=True):
            n_classes = group.size.classes
            cells = [
                Cell(count_text(group.size.samples), group.size.samples),
                EMPTY if n_classes is None else Cell(str(n_classes), n_classes),
                self._listed_score(group, x, limits),
                Cell(finding := self.finding(group), finding),
            ]
            rows.append(Row(name_text(group.value), cells))
        left_out = len(self.groups) - len(shown)
        note = f"{count_text(left_out)} smaller groups are only in the CSV." if left_out else ""
        return PageTable(caption, heads, rows, note=note)

    def _listed_score(self, group: GroupScores, x: Numbers, limits: tuple[float, float] | None) -> Cell:
        if math.isnan(x.score) or limits is None:
            return EMPTY
        text, value = score_text(x.score, self._decimals), sort_key(x.score)
        if not x.has_interval:
            return Cell(text, value, kind="few" if self.chosen in group.small else "")
        low, width = limits[0], (limits[1] - limits[0]) or 1.0
        bar = Bar(*((y - low) / width for y in (x.low, x.high, x.score)))
        return Cell(text, value, interval_text(x.low, x.high, self._decimals), bar=bar)

    @property
    def csv(self) -> str:
        """All groups and labelings, with all digits."""
        heads = ["group", self.units, "classes", "labeling", self.measure, "low", "high"]
        rows = []
        for group in self.groups:
            for name, x in group.numbers.items():
                n_classes = "" if group.size.classes is None else group.size.classes
                rows.append([name_text(group.value), group.size.samples, n_classes, name_text(name), *x])
        return csv_text(heads, rows)

    def sentence(self) -> str | None:
        """How a labeling's score differs between large groups; None if fewer than two have an interval.

        Groups are independent of each other, so the variance of a difference is the sum of both. The pair is told whose
        difference is largest by its standard error, among the largest groups.
        """
        known = [
            group
            for group in self.groups
            if group.size.samples >= FEWEST_RANKED
            and self.chosen not in group.small
            and math.isfinite(group.numbers.get(self.chosen, UNKNOWN).score)
            and math.isfinite(group.errors.get(self.chosen, math.nan))
        ]
        known = sorted(known, key=lambda group: -group.size.samples)[:_MOST_LISTED]
        if self.level is None or len(known) < 2:
            return None
        pairs = list(combinations(known, 2))
        first, second = max(pairs, key=lambda pair: self._distance(*pair))
        if self._gap(first, second) < 0:
            first, second = second, first
        gap = self._gap(first, second)
        # the farthest of several pairs: each end at a level that holds for all of them
        half = NormalDist().inv_cdf(1 - (1 - self.level) / 2 / len(pairs)) * self._error(first, second)
        of_one = f"{self.measure} of {name_text(self.chosen)}"
        sizes = {id(x): f"{name_text(x.value)} ({count_text(x.size.samples)} {self.units})" for x in known}
        if gap - half <= 0:
            both = " and ".join(sizes[id(group)] for group in known)
            many = f"the {len(known)} largest groups" if len(known) < len(self.groups) else f"the {len(known)} groups"
            return f"{of_one} does not differ between {both if len(known) == 2 else many} by more than noise."
        ends = TO.join(score_text(x, self._decimals) for x in (gap - half, gap + half))
        return (
            f"{of_one} differs most clearly between {sizes[id(first)]} and {sizes[id(second)]}: by "
            f"{score_text(gap, self._decimals)} ({ends})."
        )

    def _gap(self, first: GroupScores, second: GroupScores) -> float:
        return first.numbers[self.chosen].score - second.numbers[self.chosen].score

    def _error(self, first: GroupScores, second: GroupScores) -> float:
        return math.hypot(first.errors[self.chosen], second.errors[self.chosen])

    def _distance(self, first: GroupScores, second: GroupScores) -> float:
        gap, error = abs(self._gap(first, second)), self._error(first, second)
        return gap / error if error else math.inf * gap if gap else 0.0


def in_order_of_size(values: Sequence[Any], sizes: Mapping[Any, GroupSize]) -> list[Any]:
    """Groups from the largest on; of equal ones in the order of their names."""
    by_name = [values[place] for place in natural_order(values)]
    return sorted(by_name, key=lambda value: -sizes[value].samples)


def _row_names(names: Sequence[Any]) -> list[str]:
    """What stands beside the rows of a panel: the numbers by which names differ, or the names, shortened."""
    from gpuval.plots._sweep_parts import numbers_in_names

    numbers, _ = numbers_in_names(names)
    if numbers is not None:
        return [f"{x:g}" for x in numbers]
    return short_names([name_text(x) for x in names], _WIDEST_NAME)
