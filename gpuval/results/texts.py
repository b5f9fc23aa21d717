"""The texts of scores and intervals that evaluations print, in tables, and which scores are the best."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from typing import Any, NamedTuple, Protocol, TypeVar

from gpuval.display.digits import ABOUT_TIED, BEST_IN_COMMON, HIGHEST, TIED, count_text, interval_text, score_text
from gpuval.display.html import GapRow, HtmlCell, HtmlRow, html_table
from gpuval.display.text import (
    Block,
    column_blocks,
    gap_sizes,
    n_lines,
    readable_name,
    text_width,
    visible_runs,
    wrap,
)
from gpuval.measures.measure import ARROW, Direction, Measure
from gpuval.results.columns import Column, decimals_of_columns, group_of_column, head_of_column, measure_of_key
from gpuval.results.inferences import ScoreEstimate, ends_text
from gpuval.results.scores import SampleCounts, host_value, one_line_text, plain

FEWEST_COMPARED, FEWEST_RANKED = 30, 100
"""Samples of a group below which its scores have no interval and no mark, and below which none is the highest."""

_FEWEST_CLASSES, _FEWEST_IN_CLASS = 2, 5
"""A group is small as well if it has fewer classes of so many samples."""

_Name = TypeVar("_Name")

_ROUNDING = 2.0**-44
"""How far scores of 1 may be apart that are the same but for rounding."""


@dataclass(frozen=True)
class ScoreText:
    """A score, or a part of one, as it is shown."""

    number: float
    """NaN where it is no real number, or has no value yet."""
    low: float
    high: float
    """The ends of its interval, NaN without one."""
    exact: str
    """All digits."""
    whole: str
    """What is shown of a score that has no decimals, such as an array; empty for others."""

    @classmethod
    def of(cls, score: Any, estimate: ScoreEstimate | None) -> ScoreText:
        """A score with its interval, if it has one."""
        value = host_value(score)
        ends = [] if estimate is None else [plain(estimate.low), plain(estimate.high)]
        exact = f"{one_line_text(value)} [{', '.join(map(str, ends))}]" if ends else one_line_text(value)
        whole = "" if isinstance(value, float) else one_line_text(value)
        low, high = ends or (math.nan, math.nan)
        return cls(_real(value), low, high, exact, whole)

    def text(self, n_decimals: int) -> str:
        """The score with these decimals."""
        return self.whole or score_text(self.number, n_decimals)

    def interval(self, n_decimals: int) -> str:
        """The ends of its interval; empty without one."""
        return interval_text(self.low, self.high, n_decimals)


class Subject(NamedTuple):
    """What sentences say of the data besides scores."""

    truth: str | None = None
    """The name of the true labels, if they have one."""
    unit: str = "sample"
    """What one sample is, such as "cell"."""
    n_clusters: Mapping[Any, int] = {}
    """Of each labeling, where that is known."""
    class_sizes: Mapping[Any, float] = {}
    """Of each class, where that is known."""
    n_ignored: int = 0
    n_samples: int = 0
    references: Sequence[Any] = ()
    """The names of several true labelings, of which each score is of the one that fits best."""


@dataclass(frozen=True)
class EvaluationTexts:
    """The scores of an evaluation by their names, those of a tuple apart; and its counts, none where not known."""

    scores: Mapping[Any, ScoreText]
    directions: Mapping[Any, Direction]
    """Which scores are the better ones, of the measures of which that is known."""
    counted: SampleCounts | None
    level: float | None
    """The confidence level of the intervals, if there are any."""
    measures: Mapping[Any, str] = field(default_factory=dict)
    """The full names of the measures; those of other scores are their own names."""
    lead: Any = None
    """Of several references the name of the one that fits best by the leading measure."""
    references: Mapping[Any, Any] = field(default_factory=dict)
    """Of several references those that the scores are of."""

    def measure(self, key: Any) -> Measure | None:
        """What is declared of the measure of a score; None of functions of users, and of parts of tuples."""
        return measure_of_key(self.measures.get(key, key))

    @cached_property
    def counts(self) -> Mapping[str, Any]:
        """The counts, found when a table asks for them (copies to the host)."""
        return {} if self.counted is None else self.counted.numbers() or {}

    @property
    def clusters(self) -> str:
        """How many clusters there are; empty where that is not known."""
        return self._count("n_clusters")

    @property
    def classes(self) -> str:
        """How many classes there are; empty where that is not known."""
        return self._count("n_classes")

    def _count(self, name: str) -> str:
        return count_text(self.counts[name]) if name in self.counts else ""

    @property
    def samples(self) -> str:
        """How many samples count, and of how many, if some do not."""
        if "n_samples" not in self.counts:
            return ""
        used, dropped = self.counts["n_samples"], self.counts.get("n_dropped", 0)
        return f"{count_text(used)} of {count_text(used + dropped)}" if dropped else count_text(used)

    @property
    def reference(self) -> str:
        """The reference that fits best; empty for a single one."""
        return readable_name(self.lead) if self.references else ""

    def other_reference(self, key: Any) -> str:
        """That of a score, if it is another one than by the leading measure; else empty."""
        found = self.references.get(key, self.lead)
        is_leading = found is self.lead or found == self.lead  # NaN, as a name, is itself
        return "" if is_leading else f"({readable_name(found)})"

    @property
    def is_small(self) -> bool:
        """Whether these are too few samples to tell what others of the same group would show."""
        n_samples = self.counts.get("n_samples", FEWEST_COMPARED)
        sizes = {} if self.counted is None else self.counted.class_sizes()
        n_classes = sum(n >= _FEWEST_IN_CLASS for n in sizes.values()) if sizes else _FEWEST_CLASSES
        return bool(n_samples < FEWEST_COMPARED or n_classes < _FEWEST_CLASSES)

    @property
    def is_ranked(self) -> bool:
        """Whether these are enough samples to say which labeling of a group is the best."""
        return not self.is_small and bool(self.counts.get("n_samples", FEWEST_RANKED) >= FEWEST_RANKED)

    def words(self, unit: str = "sample", *, with_clusters: bool = True) -> list[str]:
        """What is known of samples, classes, clusters and the level of intervals, in this order."""
        clusters = self.clusters if with_clusters else ""
        counts = {f"{unit}s": self.samples, "classes": self.classes, "clusters": clusters}
        return [*(_with_number(x, name) for name, x in counts.items() if x), *about_level(self.level)]


def about_level(level: float | None) -> list[str]:
    """What is said of the level of intervals; nothing without any."""
    return [] if level is None else [f"{100 * level:g}\N{NO-BREAK SPACE}% intervals"]


def measures_of(evaluations: Sequence[EvaluationTexts]) -> list[Any]:
    """The names of all scores, each once."""
    return list(dict.fromkeys(name for x in evaluations for name in x.scores))


class _HasDirections(Protocol):
    """What knows which of its scores are the better ones."""

    @property
    def directions(self) -> Mapping[Any, Direction]:
        """By the name of each measure of which it is known."""


def common_direction(name: Any, evaluations: Iterable[_HasDirections]) -> Direction:
    """Which scores of a measure are the better ones: "higher", "lower", or "" where that is not known."""
    return next((x.directions[name] for x in evaluations if name in x.directions), "")


def common_measure(key: Any, evaluations: Iterable[EvaluationTexts]) -> Measure | None:
    """The measure by which labelings have a score of this name; None for a function of a user."""
    return next((x.measure(key) for x in evaluations if key in x.scores), None)


def direction_of_name(name: Any) -> Direction:
    """That of the measure of gpuval which has the name; "" for any other name."""
    measure = measure_of_key(name)
    return "" if measure is None else measure.better


def full_name_of_key(key: Any) -> str:
    """The full name of the measure of gpuval which has the name; "" for any other name."""
    measure = measure_of_key(key)
    return "" if measure is None else measure.name


def those_ranked(evaluations: Mapping[_Name, EvaluationTexts]) -> list[_Name]:
    """Of the labelings of a group those that are compared: with enough samples, or with fewer where none has so many.

    They need not have the same samples, as a labeling may ignore most of a group.
    """
    for some in (
        [name for name, x in evaluations.items() if x.is_ranked],
        [name for name, x in evaluations.items() if not x.is_small],
    ):
        if some:
            return some
    return list(evaluations)


def best_places(evaluations: Sequence[EvaluationTexts], groups: Sequence[Sequence[int]]) -> dict[Any, list[list[int]]]:
    """By the name of each measure that is better one way the places of the best scores, for each group of places.

    There are none in a group of one; all that are the same but for rounding are the best.
    """
    several = [some for some in groups if len(some) > 1]
    found = {}
    for name in measures_of(evaluations):
        if direction := common_direction(name, evaluations):
            best = [_best_of(name, direction, evaluations, some) for some in several]
            found[name] = [places for places in best if places]
    return found


def _best_of(name: Any, direction: str, evaluations: Sequence[EvaluationTexts], places: Sequence[int]) -> list[int]:
    found = {place: evaluations[place].scores[name].number for place in places if name in evaluations[place].scores}
    numbers = {place: number for place, number in found.items() if not math.isnan(number)}
    if not numbers:
        return []
    best = (min if direction == "lower" else max)(numbers.values())
    return [place for place, x in numbers.items() if math.isclose(x, best, rel_tol=_ROUNDING, abs_tol=_ROUNDING)]


def _real(value: Any) -> float:
    try:
        return float(value) if isinstance(value, float | int) else math.nan
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def decimals_by_measure(evaluations: Sequence[EvaluationTexts]) -> dict[Any, int]:
    """How many decimals the scores of each measure have, in a table of evaluations."""
    columns = {}
    for key in measures_of(evaluations):
        scores = [x.scores[key] for x in evaluations if key in x.scores and not x.scores[key].whole]
        ends = [x.low for x in scores], [x.high for x in scores]
        columns[key] = Column([x.number for x in scores], *ends, common_measure(key, evaluations))
    return decimals_of_columns(columns)


# Tables of evaluations and comparisons, as text and as HTML.

_MOST_LABELINGS = 40
"""How many labelings are printed before those in the middle are left out; but none that may be the best."""

_MOST_ROWS = 60
"""The same of a notebook."""

_WIDEST_LABELING = 24
"""Of names of labelings above their columns."""

_WIDEST_NUMBER = 16
"""Of scores and ends of intervals that stand below each other."""

_FEWEST_SHORT = 3
"""Measures from which on they have short names."""

_MOST_WITHOUT_FAMILIES = 4
"""Scores of one labeling that are not grouped by families of measures."""

_COUNTS = ("clusters", "samples")
"""What there is to say of a labeling before its scores, beside its reference."""


class _Cell(NamedTuple):
    """A score, its mark, and its interval."""

    score: str = ""
    mark: str = ""
    interval: str = ""
    reference: str = ""


Marks = Mapping[tuple[Any, Any], str]
"""The marks of scores by the name of a labeling and the key of a measure; others are not marked."""


@dataclass(frozen=True)
class ComparisonTable:
    """The scores of several labelings."""

    levels: Sequence[str]
    """What names are: labelings, values of ``by``, or tuples of both."""
    names: Sequence[Any]
    evaluations: Sequence[EvaluationTexts]
    marks: Marks
    subject: Subject
    """What is known of the true labels and of the samples."""
    voices: Sequence[Any]
    """The measures by which a verdict is given."""
    of_common_samples: bool = False
    """Whether marks are not by the scores, but by those of the samples that two labelings have in common."""

    def blocks(self) -> list[Block]:
        """A row for each labeling, if all measures fit beside each other; else whatever takes fewer lines.

        A line above says what is compared, and one below what the marks mean.
        """
        first, *others = self._blocks()
        about = wrap(self._about()).split("\n") if self._about() else []
        blocks = [[*about, *first], *others]
        if note := self._about_marks:
            blocks[-1] = [*blocks[-1], note]
        return blocks

    def _blocks(self) -> list[Block]:
        runs = visible_runs(len(self.names), _MOST_LABELINGS, self._marked_places())
        places = [place for run in runs for place in run]
        heads = [*self._shown_counts(places), *map(self._head, self._measures)]
        columns = [[getattr(self.evaluations[place], x) for place in places] for x in self._shown_counts(places)]
        columns += [_join_parts([self._cell(place, key) for place in places]) for key in self._measures]
        rows = [["", *heads], *map(list, zip(map(self._name, places), *columns, strict=True))]
        for run, n_hidden in reversed(list(zip(runs, [0, *gap_sizes(runs)], strict=True))):
            if n_hidden:
                rows.insert(1 + places.index(run.start), [f"({n_hidden} more)", *[""] * len(heads)])
        n_counts = len(self._shown_counts(places))
        by_labeling = column_blocks(rows, left=[0, *range(1 + n_counts, 1 + len(heads))])
        if len(by_labeling) == 1 or len(runs) > 1:
            return by_labeling
        return min(by_labeling, self._blocks_by_measure(places), key=n_lines)

    def _blocks_by_measure(self, places: Sequence[int]) -> list[Block]:
        """A row for each measure."""
        counts = self._shown_counts(places)
        columns = []
        for place in places:
            cells = _join_parts([self._cell(place, key) for key in self._measures])
            columns.append([self._name(place), *(getattr(self.evaluations[place], x) for x in counts), *cells])
        rows = zip(["", *counts, *map(self._head, self._measures)], *columns, strict=True)
        return column_blocks(list(map(list, rows)), left=range(1 + len(places)), widest_head=_WIDEST_LABELING)

    def html(self) -> str:
        """A row for each labeling; with ``by`` of each value of it. The best scores of each measure are bold."""
        counts = [x for x in (*_COUNTS, "reference") if any(getattr(evaluation, x) for evaluation in self.evaluations)]
        rows: list[HtmlRow | GapRow] = []
        runs = visible_runs(len(self.names), _MOST_ROWS, self._marked_places())
        for run, n_hidden in zip(runs, [0, *gap_sizes(runs)], strict=True):
            rows += [GapRow(n_hidden)] * bool(n_hidden)
            for place in run:
                evaluation = self.evaluations[place]
                cells = [HtmlCell(getattr(evaluation, x)) for x in counts]
                cells += [self._html_cell(place, key) for key in self._measures]
                rows.append(HtmlRow(self._parts(self.names[place]), cells))
        heads = [*self.levels, *counts, *map(self._head, self._measures)]
        titles = [*[""] * (len(self.levels) + len(counts)), *map(self._title, self._measures)]
        spans = [("", len(self.levels) + len(counts)), *self._spans()]
        note = ". ".join(filter(None, [self._about(), self._about_marks]))
        return html_table(heads, rows, titles, left=range(len(self.levels)), note=note, spans=spans)

    @cached_property
    def _measures(self) -> list[Any]:
        return measures_of(self.evaluations)

    @cached_property
    def _decimals(self) -> dict[Any, int]:
        return decimals_by_measure(self.evaluations)

    def _about(self) -> str:
        """What is compared, as far as it is the same for all."""
        several = [x.words(self.subject.unit, with_clusters=False) for x in self.evaluations]
        about = ", ".join(x for x in several[0] if all(x in words for words in several)) if several else ""
        if "by" in self.levels:
            return about
        truth = self.subject.truth
        against = f" against {readable_name(truth)}" if truth is not None else ""
        if self.subject.references:
            against = f" against the best of {_with_number(count_text(len(self.subject.references)), 'references')}"
        title = _with_number(count_text(len(self.names)), "labelings") + against
        return f"{title}: {about}" if about else title

    @property
    def _about_marks(self) -> str:
        return about_marks(self.marks, self.evaluations, of_common_samples=self.of_common_samples)

    def _shown_counts(self, places: Sequence[int]) -> list[str]:
        """The counts that are not the same for all; with ``by`` the samples in any case."""
        shown = [self.evaluations[place] for place in places]
        differ = [x for x in _COUNTS if len({getattr(evaluation, x) for evaluation in shown}) > 1]
        return [*differ, *["reference"] * any(x.reference for x in shown)]

    def _cell(self, place: int, key: Any) -> _Cell:
        score = self.evaluations[place].scores.get(key)
        if score is None:
            return _Cell()
        n_decimals = self._decimals[key]
        is_small = "by" in self.levels and self.evaluations[place].is_small
        interval, mark = "" if is_small else score.interval(n_decimals), self.marks.get((self.names[place], key), "")
        return _Cell(score.text(n_decimals), mark, interval, self.evaluations[place].other_reference(key))

    def _html_cell(self, place: int, key: Any) -> HtmlCell:
        text, mark, interval, other = self._cell(place, key)
        score = self.evaluations[place].scores.get(key)
        if score is None:
            return HtmlCell()
        return HtmlCell(" ".join(filter(None, [text, other])), interval, score.exact, mark == HIGHEST, mark)

    def _head(self, key: Any) -> str:
        if self._are_short:
            return head_of_column(key, common_measure(key, self.evaluations))
        return _with_arrow(key, common_direction(key, self.evaluations))

    @property
    def _are_short(self) -> bool:
        """Whether heads of columns are short names."""
        return len(self._measures) >= _FEWEST_SHORT

    def _title(self, key: Any) -> str:
        full_name = readable_name(key) if self._are_short else ""
        return ": ".join(filter(None, [full_name, _about(common_direction(key, self.evaluations))]))

    def _spans(self) -> list[tuple[str, int]]:
        """The groups of columns, if each of several is in one place."""
        measures = [common_measure(key, self.evaluations) for key in self._measures]
        groups = [group_of_column(*x, self.voices) for x in zip(self._measures, measures, strict=True)]
        runs = [(title, len(list(some))) for title, some in groupby(groups)]
        return runs if 1 < len(runs) == len({*groups}) else []

    def _marked_places(self) -> list[int]:
        named = [name for name, _ in self.marks]
        return [place for place, name in enumerate(self.names) if name in named]

    def _name(self, place: int) -> str:
        return readable_name(self.names[place])

    def _parts(self, name: Any) -> list[str]:
        """The parts of a name, one for each level."""
        return list(map(readable_name, name)) if len(self.levels) > 1 else [readable_name(name)]


def about_marks(marks: Marks, evaluations: Sequence[EvaluationTexts], *, of_common_samples: bool) -> str:
    """What the marks mean that there are."""
    ends = ends_text(common_direction(key, evaluations) for (_, key), mark in marks.items() if mark == HIGHEST)
    said = {HIGHEST: BEST_IN_COMMON if of_common_samples else ends, TIED: ABOUT_TIED}
    return "  ".join(f"{mark} {text}" for mark, text in said.items() if mark in marks.values())


def _join_parts(cells: Sequence[_Cell]) -> list[str]:
    """The parts of the cells of a column, each below the others; what is long, such as an array, moves none."""
    *others, references = zip(*cells, strict=True)
    parts = [*map(_align_short, others), references]
    return [" ".join(filter(None, row)) for row in zip(*parts, strict=True)]


def _align_short(texts: Sequence[str]) -> list[str]:
    width = max((x for x in map(text_width, texts) if x <= _WIDEST_NUMBER), default=0)
    return [" " * (width - text_width(x)) + x for x in texts]


@dataclass(frozen=True)
class EvaluationTable:
    """The scores of one labeling."""

    evaluation: EvaluationTexts

    def blocks(self) -> list[Block]:
        """A line for each score, below the family of its measure if there are many."""
        texts = _join_parts([self._cell(key) for key in self.evaluation.scores])
        lines = dict(zip(self.evaluation.scores, texts, strict=True))
        families = self._families()
        if len(lines) <= _MOST_WITHOUT_FAMILIES or len(families) == 1:
            rows = [[readable_name(key), text] for key, text in lines.items()]
        else:
            rows = []
            for family, keys in families.items():
                rows += [[family, ""], *([f"  {readable_name(key)}", lines[key]] for key in keys)]
        return [block[1:] for block in column_blocks([["", ""], *rows], left=(0, 1))]

    def html(self) -> str:
        """A row for each score; below them how many classes, clusters and samples there are."""
        rows = []
        for key in self.evaluation.scores:
            direction, (text, _, interval, of) = common_direction(key, [self.evaluation]), self._cell(key)
            cells = [HtmlCell(text, interval, self.evaluation.scores[key].exact)]
            cells += [HtmlCell(of)] * bool(self.evaluation.references)
            rows.append(HtmlRow([_with_arrow(key, direction)], cells, _about(direction)))
        heads = ["measure", "score", *["reference"] * bool(self.evaluation.references)]
        return html_table(heads, rows, note=", ".join(self.evaluation.words()))

    @cached_property
    def _decimals(self) -> dict[Any, int]:
        return decimals_by_measure([self.evaluation])

    def _cell(self, key: Any) -> _Cell:
        score, n_decimals = self.evaluation.scores[key], self._decimals[key]
        references = self.evaluation.references
        of = readable_name(references[key]) if key in references else ""
        return _Cell(score.text(n_decimals), "", score.interval(n_decimals), of)

    def _families(self) -> dict[str, list[Any]]:
        """The keys of measures by the titles of their families, in the order in which these are first met."""
        found: dict[str, list[Any]] = {}
        for key in self.evaluation.scores:
            measure = self.evaluation.measure(key) or self.evaluation.measure(str(key).split(".")[0])
            found.setdefault("other" if measure is None else measure.family.title, []).append(key)
        return found


def _with_number(number: str, name: str) -> str:
    """A number before what there are so many of; of one without the ending of many."""
    one = name.removesuffix("es" if name == "classes" else "s")
    return f"{number} {one if number == '1' else name}"


def _with_arrow(measure: Any, direction: Direction) -> str:
    return readable_name(measure) + f" {ARROW}" * (direction == "lower")


def _about(direction: Direction) -> str:
    return f"{direction} is better" if direction else ""
