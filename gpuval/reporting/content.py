"""The content of a report: its verdict, and its sections in their order."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from gpuval.display.colors import OTHERS
from gpuval.display.digits import ABOUT_TIED, BEST_IN_COMMON, CAUTION, HIGHEST, TIED, count_text
from gpuval.display.tables import label_text
from gpuval.display.text import join_texts
from gpuval.engines.backends import to_host
from gpuval.reporting.figures import Figures
from gpuval.reporting.findings import (
    ReportMeasures,
    errors_of,
    numbers_of,
    rank_labelings,
    score_by_value,
    score_pairs,
    table_of_labeling,
)
from gpuval.reporting.groups import GroupScores, GroupSize, ScoresOfGroups, in_order_of_size
from gpuval.reporting.label_tables import LabelTables
from gpuval.reporting.overlaps import Overlaps
from gpuval.reporting.scores_table import Compared, ScoresOfLabelings
from gpuval.reporting.sections import Closed, CsvOnPage, PageFigure, PanelsOnPage, Section, TableOnPage, Text
from gpuval.reporting.sentences import about_causes, measure_text, name_text, quote_label
from gpuval.reporting.setting_runs import stability_section
from gpuval.reporting.verdict_block import counts_text
from gpuval.results.columns import is_one_sided
from gpuval.results.evaluations import Comparison, PairwiseScores
from gpuval.results.inferences import ends_text
from gpuval.results.settings import Stability
from gpuval.results.texts import FEWEST_COMPARED, FEWEST_RANKED, about_level, common_measure
from gpuval.results.verdict import FEWEST_OF_CLASS, MOST_VOICES, Caution, Verdict

_MOST_PAIRED = 40
"""The largest number of labelings whose pairs are shown."""

_LARGEST_CONFUSION = 60
"""The largest numbers of classes and of clusters whose table is drawn."""

_NOT_BY_GROUP = "Silhouettes of a random sample are not computed for each value"

_ALIKE = 0.98
"""The ARI above which two labelings are almost one partition."""

_USUAL_TRADE_OFF = ("completeness_score", "homogeneity_score")
"""Those of a trade-off that are shown where no measures are named."""


@dataclass
class Content:
    """What a report says, found section by section."""

    asked: ReportMeasures
    comparison: Comparison
    truth: str | None
    """The name of the true labels."""
    by_name: str
    unit: str
    """What one sample is, such as "cell"."""
    details: Sequence[Any] | None = None
    """The labelings that are shown in detail; None for the one that the verdict names first."""
    stability: Stability | None = None
    """That of the runs of settings, if there are several of each."""
    figures: Figures = field(default_factory=Figures)

    @property
    def units(self) -> str:
        """What samples are called."""
        return f"{self.unit}s"

    @cached_property
    def verdict(self) -> Verdict:
        """What is said of the labelings, with what this page alone knows."""
        return self.comparison.judge(self._cautions())

    @cached_property
    def chosen(self) -> Any:
        """The labeling that is named first."""
        lead = self.comparison.verdict.lead
        return next(iter(self.comparison)) if lead is None else lead

    @cached_property
    def _compared(self) -> list[Compared]:
        """The voices of the verdict; without true labels the internal measures, of which each has a highest."""
        voices = self.comparison.verdict.voices
        if voices:
            return [
                Compared(x.name, counts_text(x, self.unit), x.best, x.best_set if x.intervals else None) for x in voices
            ]
        best = self.comparison.best
        known = [(x, best.get(x)) for x in self.asked.measures.internal]
        return [Compared(name, "", x.name, None) for name, x in known if x is not None][:MOST_VOICES]

    @property
    def references(self) -> Sequence[Any]:
        """The names of several references; none of a single one."""
        return self.asked.given.truths.names or ()

    def _reference_of(self, name: Any) -> Any:
        """The reference that a labeling fits best by the leading measure; None of a single one."""
        chosen = self.comparison[name].chosen
        return next(iter(self.references), None) if chosen is None else chosen.lead

    def _truth_of(self, name: Any) -> Any:
        """What the classes of a labeling are those of."""
        return label_text(self._reference_of(name)) if self.references else self.truth

    @property
    def shown_in_detail(self) -> Sequence[Any]:
        """The labelings whose classes are shown one by one."""
        return [self.chosen] if self.details is None else self.details

    @cached_property
    def measure(self) -> Any:
        """The measure that orders labelings: the leading voice, or the first one."""
        return self._compared[0].measure if self._compared else next(iter(self.scores.numbers))

    @cached_property
    def scores(self) -> ScoresOfLabelings:
        """All scores, with what is compared and what is not."""
        numbers = numbers_of(self.comparison)
        shown = {name: x.shown() for name, x in self.comparison.items()}
        measures = {measure: common_measure(measure, shown.values()) for measure in numbers}
        compared = self._compared
        first = compared[0].measure if compared else None
        names = list(self.comparison)
        if first is not None:
            first_measure = measures[first]
            names = rank_labelings(names, numbers[first], first_measure.better if first_measure else "")
        inside = self._with_parts(self.asked.measures.internal, numbers)
        left = [x for x in numbers if x not in {v.measure for v in compared} and x not in inside]
        trade_off = [x for x in left if is_one_sided(measures[x])]
        if not self.asked.measures.are_named:
            trade_off = [x for x in _USUAL_TRADE_OFF if x in trade_off]
        return ScoresOfLabelings(
            names,
            numbers,
            measures,
            compared,
            trade_off,
            [x for x in left if not is_one_sided(measures[x])] if self.asked.measures.are_named else [],
            [x for x in inside if x not in {v.measure for v in compared}],
            self._of_what,
            {name: x.counts.get("n_clusters", "") for name, x in shown.items()},
            {name: x.counts.get("n_samples", "") for name, x in shown.items()},
            self.units,
            self.chosen,
            {name: x.chosen for name, x in self.comparison.items() if x.chosen is not None},
        )

    def _with_parts(self, measures: Mapping[Any, Any], numbers: Mapping[Any, Any]) -> list[Any]:
        """The names that are shown of some measures."""
        return [x for x in numbers if self.asked.name_of_part(x) in measures]

    @property
    def _of_what(self) -> str:
        shape: Sequence[int] = getattr(self.asked.given.X, "shape", ())
        return f"{count_text(shape[1])} feature{'s' * (shape[1] != 1)}" if len(shape) == 2 else ""

    @property
    def summary(self) -> list[str]:
        """The findings as sentences."""
        return [*self.verdict.sentences, *(x.text for x in self.verdict.cautions)]

    def _cautions(self) -> Iterator[Caution]:
        """What to be careful about that a comparison alone does not know."""
        given = self.asked.given
        if self.groups is not None:
            small = [x for x in self.groups.groups if x.size.is_small]
            if small:
                named = join_texts(
                    [f"{name_text(x.value)} ({count_text(x.size.samples)})" for x in small[:3]]
                    + [f"{len(small) - 3} more"] * (len(small) > 3)
                )
                groups = "1 group has" if len(small) == 1 else f"{len(small)} groups have"
                lack = f"too few {self.units}"
                if any(x.size.samples >= FEWEST_COMPARED for x in small):
                    lack += ", or a single class,"
                yield Caution("groups", f"{groups} {lack} to compare: {named}.")
            if given.groups is None and given.level is not None:
                same = f"other {self.units} of the same {name_text(self.by_name)}"
                yield Caution("donors", f"Intervals are for {same}: no groups were given.")
        if pairs := self._almost_the_same:
            named = "; ".join(f"{name_text(a)} and {name_text(b)}" for a, b in pairs[:2])
            yield Caution("alike", f"Almost one partition (ARI over {_ALIKE}): {named}.")
        if self.asked.n_drawn is not None:
            yield Caution(
                "silhouettes", f"Silhouettes are of {count_text(self.asked.n_drawn)} {self.units}, drawn at random."
            )

    @cached_property
    def _pairwise(self) -> PairwiseScores | None:
        """How much the labelings agree with each other, the truth first; None if not all can be compared."""
        kept = self.scores.names[:_MOST_PAIRED]
        if len(kept) < 2:
            return None
        labelings = {name: self.asked.given.labelings[name] for name in kept}
        truths = {}
        own = self.references or [self.truth] * (self.truth is not None)
        for reference, vector in zip(own, self.asked.given.truths.vectors.values(), strict=True):
            name = label_text(reference)
            while name in labelings or name in truths:
                name += " (true labels)"
            truths[name] = vector
        labelings = {**truths, **labelings}
        try:
            return score_pairs(self.asked, labelings, "adjusted_rand_score")
        except ValueError:  # all have been read, so that two of them have no samples in common
            return None

    @cached_property
    def _almost_the_same(self) -> list[tuple[Any, Any]]:
        """Pairs of labelings that hardly differ, the most alike first."""
        if self._pairwise is None:
            return []
        names, scores = self._pairwise.names, to_host(self._pairwise.scores)
        first = len(self.asked.given.truths.vectors)
        pairs = [(i, j) for i in range(first, len(names)) for j in range(i + 1, len(names)) if scores[i, j] > _ALIKE]
        return [(names[i], names[j]) for i, j in sorted(pairs, key=lambda pair: -scores[pair])]

    def sections(self) -> list[Section]:
        """All sections with content, in their order."""
        found = [self._scores_section()]
        if len(self.scores.names) > 1 and self._plotted:
            found.append(self._sweep())
        if self.stability is not None:
            found.append(stability_section(self.stability, self.figures, self.units))
        if self.asked.given.by is not None:
            found.append(self._groups_section())
        for name in self.shown_in_detail:
            found += self._details_of(name)
        if self._pairwise is not None:
            found.append(self._pairs(self._pairwise))
        return found

    def _scores_section(self) -> Section:
        level = self.asked.given.level
        has_sets = any(x.best_set is not None for x in self.scores.compared)
        ends = self._ends_of(x.measure for x in self.scores.compared)
        of_common = any(x.is_of_common_samples for x in self.verdict.voices)
        best = BEST_IN_COMMON if of_common else f"{ends} of its column"
        signs = [f"{HIGHEST} {best}"] * (ends != "" and len(self.scores.names) > 1)
        signs += [f"{TIED} {ABOUT_TIED}"] * (has_sets and len(self.scores.names) > 1)
        said = [f"{'; '.join(signs)}."] * bool(signs)
        if level is not None and self.asked.measures.external:
            said.append(f"Bars: {about_level(level)[0]}, one scale per column.")
        if self.asked.n_drawn is not None:
            drawn = count_text(self.asked.n_drawn)
            said.append(f"Silhouettes are computed for {drawn} {self.units}, drawn at random, among all {self.units}.")
        table = self.scores.table("Scores of each labeling", " ".join(said))
        parts: list[Any] = [TableOnPage(table, "scores.csv")]
        n = len(self.scores.numbers)
        inside: list[Any] = []
        if (whole := self.scores.all_measures("All measures of each labeling")) is not None:
            inside.append(TableOnPage(whole))
        inside.append(CsvOnPage("scores.csv", self.scores.csv))
        parts.append(Closed(f"All {n} measure{'s' * (n != 1)}", inside))
        return Section("scores", "Scores", parts)

    def _text_of(self, measure: Any) -> str:
        """A measure in a sentence."""
        return measure_text(measure, self.scores.measures.get(measure))

    def _ends_of(self, measures: Iterable[Any]) -> str:
        """What the best scores are called, such as "highest"; empty if no measure is known to be better one way."""
        found = (self.scores.measures.get(x) for x in measures)
        return ends_text(x.better for x in found if x is not None)

    @property
    def _plotted(self) -> list[Any]:
        """The measures that are drawn for all labelings: what is compared, or the first one."""
        measures = [x.measure for x in self._compared] or list(self.scores.numbers)[:1]
        numbers = self.scores.numbers
        return [x for x in measures if any(math.isfinite(y.score) for y in numbers[x].values())]

    def _sweep(self) -> Section:
        caption = "Dot or line: a score of a labeling"
        caption += "; band: its interval" if self.asked.given.level is not None else ""
        ends = self._ends_of(self._plotted)
        caption += f"; ring: the {ends}" if ends else ""
        caption += "; bars: numbers of clusters."
        best = [
            f"{self._text_of(x.measure)} {self.scores.text_of(x.measure, x.best)} of {name_text(x.best)}"
            for x in self._compared
            if x.best is not None
        ]
        about = f"Scores of {len(self.scores.names)} labelings"
        about += f"; {ends}: {', '.join(best)}" if best else ""
        figures = [self.figures.sweep(self.comparison, self._plotted, caption, about)]
        if self._is_sweep:
            given = self.asked.given
            bests = list(dict.fromkeys([self.chosen, *(x.best for x in self._compared)]))
            said = f"Each column: the clusters of a labeling, as high as their {self.units} are many"
            n_classes = (self.comparison[self.chosen].counts or {}).get("n_classes", 0)
            reference = self._reference_of(self.chosen)
            truth = given.truths.vector(reference) if n_classes <= _LARGEST_CONFUSION else None
            said += ", in the colours of their classes" if truth is not None else ""
            said += f"; ribbons: shared {self.units}."
            tree = self.figures.tree(given.labelings, truth, bests, given.which_count, said, given.colors)
            figures += [tree] if tree is not None else []
        return Section("sweep", "From one labeling to the next", figures)

    def _embedding(self, name: Any, key: str, colors: Mapping[Any, str]) -> Section | None:
        """The samples where they are drawn; None without coordinates."""
        drawn_at, given = self.asked.drawn_at, self.asked.given
        if drawn_at is None:
            return None
        sides, counts = given.sides_with_mask(name, self._reference_of(name))
        if not counts.any():
            return None
        names = [name_text(self._truth_of(name))] * (self.truth is not None) + [name_text(name)]
        axes = " and ".join(map(name_text, drawn_at.names))
        said = f"Dot: one of the {self.units} at its {axes}. A cluster has the colour of its main class"
        said += ", further ones lighter or darker tones of it. A class that is split is no error here: see each class."
        if self.truth is None:
            said = f"Dot: one of the {self.units} at its {axes}, in the colour of its cluster."
        are_features = given.coordinates is None and tuple(np.shape(given.X))[1:] == (2,)
        figure = self.figures.embedding(drawn_at, sides, counts, names, colors, said, has_units=are_features)
        where = "by both features" if are_features else "in the embedding"
        return Section(f"embedding{key}", f"{name_text(name)} {where}", [figure], link="Samples")

    @cached_property
    def groups(self) -> ScoresOfGroups | None:
        """The scores of each group; None without groups, or where no measure can be found for each."""
        by = self.asked.given.by
        found = None if by is None else self.asked.name_apart(self.measure)
        if found is None:
            return None
        comparison = score_by_value(self.asked, found)
        numbers = numbers_of(comparison)
        measure = next((x for x in numbers if x == self.measure), next(iter(numbers)))
        sizes: dict[Any, GroupSize] = {}
        small: dict[Any, list[Any]] = {}
        for (name, value), evaluation in comparison.items():
            shown = evaluation.shown()
            small.setdefault(value, []).extend([name] * shown.is_small)
            size = GroupSize(shown.counts.get("n_samples", 0), shown.counts.get("n_classes"), shown.is_small)
            sizes[value] = max(size, sizes.get(value, size), key=lambda x: x.samples)
        errors, best = errors_of(comparison, measure), comparison.best
        groups = []
        for value in _in_order(by, list(sizes), sizes):
            own = {name: x for (name, of), x in numbers[measure].items() if of in (value,)}
            lead = best.get((measure, value))
            groups.append(
                GroupScores(
                    value,
                    sizes[value],
                    own,
                    {name: errors[name, value] for name in own},
                    small[value],
                    None if lead is None else lead.name,
                    None if lead is None or lead.gaps is None else lead.best_set,
                )
            )
        of_all = {name: x.score for name, x in self.scores.numbers.get(measure, {}).items()}
        return ScoresOfGroups(
            self._text_of(measure),
            self._ends_of([measure]),
            groups,
            self._in_sweep_order(self.scores.first_names),
            of_all,
            self.chosen,
            self.units,
            self.asked.given.level if self.asked.given.groups is None else None,  # one donor may be in several groups
        )

    def _in_sweep_order(self, names: Sequence[Any]) -> list[Any]:
        """Labelings in the order in which they were given, that of a sweep."""
        return [name for name in self.comparison if name in names]

    def _groups_section(self) -> Section:
        groups, name = self.groups, name_text(self.by_name)
        if groups is None:
            return Section("groups", f"By {name}", [Text(f"{_NOT_BY_GROUP}.")], link=f"By {name}")
        parts: list[Any] = []
        if (sentence := groups.sentence()) is not None:
            parts.append(Text(sentence))
        if groups.measure != self._text_of(self.measure):
            parts.append(Text(f"{_NOT_BY_GROUP}: this is {groups.measure}."))
        if panels := groups.panels():
            parts.append(PanelsOnPage(panels, self._about_panels(groups.measure)))
        if (table := groups.listed(f"{groups.measure} of each group")) is not None:
            parts.append(TableOnPage(table))
        parts.append(Closed("All numbers as CSV", [CsvOnPage("groups.csv", groups.csv)]))
        measure = (
            groups.measure.capitalize() if groups.measure.islower() and groups.measure.isalpha() else groups.measure
        )
        title = f"{measure} by {name}"
        return Section("groups", title, parts, is_beside=bool(panels), link=f"By {name}")

    def _about_panels(self, measure: str) -> str:
        said = [f"Dot: {measure} of a labeling in the group"]
        said[0] += ", with its interval" if self.asked.given.level is not None else ""
        said.append(f"thin line: of all {self.units}")
        return f"{'; '.join(said)}. Hollow: under {FEWEST_RANKED} {self.units}; grey: too few to compare."

    def _details_of(self, name: Any) -> list[Section]:
        """How one labeling divides the classes, and its silhouettes."""
        key, title = self._key(name), name_text(name)
        tables = None
        if self.truth is not None:
            table = table_of_labeling(self.asked, name, self._reference_of(name))
            overlaps, colors = Overlaps.of(table), self.asked.given.colors
            chosen = None if colors is None else [colors.get(label, OTHERS) for label in overlaps.classes]
            tables = LabelTables(overlaps, self.units, chosen=chosen)
        found = [self._embedding(name, key, {} if tables is None else tables.color_of_class)]
        if tables is not None:
            classes = TableOnPage(tables.classes(f"Each class, and the clusters of its {self.units}"))
            clusters = TableOnPage(tables.clusters(f"Each cluster, and the classes of its {self.units}"))
            causes = [Text(x) for x in about_causes(name, tables.overlaps.causes, 3, self.units)]
            has_small = any(x.size < FEWEST_OF_CLASS for x in tables.overlaps.class_spreads)
            about = [Text(f"{CAUTION} under {FEWEST_OF_CLASS} {self.units}.")] * has_small
            parts: list[Any] = [Text(tables.sentence()), classes, *about, *causes, Closed("Each cluster", [clusters])]
            if text := tables.csv_of_classes:
                parts.append(Closed("All classes as CSV", [CsvOnPage(f"classes{key}.csv", text)]))
            of_reference = f" of {name_text(self._truth_of(name))}" * bool(self.references)
            found.append(Section(f"classes{key}", f"Each class{of_reference} in {title}", parts, link="Each class"))
            if max(table.shape) <= _LARGEST_CONFUSION:
                truth, of = quote_label(self._truth_of(name)), quote_label(name)
                caption = f"Shares of each class of {truth} in the clusters of {of}, in percent."
                figure = self.figures.confusion(table, self.units, caption, self.asked.given.colors)
                found.append(Section(f"table{key}", f"Classes and clusters of {title}", [figure], link="Table"))
        silhouettes = self._silhouettes(name, {} if tables is None else tables.color_of_cluster)
        if silhouettes is not None:
            found.append(Section(f"silhouettes{key}", f"Silhouettes of {title}", [silhouettes], link="Silhouettes"))
        return [x for x in found if x is not None]

    def _key(self, name: Any) -> str:
        """What the addresses of the sections of a labeling end with."""
        place = list(self.shown_in_detail).index(name) if name in self.shown_in_detail else 0
        return str(place + 1) if place else ""

    def _silhouettes(self, name: Any, colors: Mapping[Any, str]) -> PageFigure | None:
        """The plot of the silhouettes whose mean the table has, if that is known and weighs all samples equally."""
        measure, given = self.asked.silhouette, self.asked.given
        if measure is None or set(measure.options) - {"metric"} or given.sample_weight is not None:
            return None
        if math.isnan(self.scores.numbers[measure.name][name].score):
            return None
        options = {**measure.options, "sample_size": self.asked.n_drawn, "random_state": self.asked.drawn_by}
        of = f"the {self.units}" if self.asked.n_drawn is None else f"{count_text(self.asked.n_drawn)} {self.units}"
        caption = f"Silhouettes of {of} of each cluster of {quote_label(name)}, each a line as long as its value."
        sides, counts = given.sides_with_mask(name)
        return self.figures.silhouettes(given.X, sides[-1], counts, options, colors, self.units, caption)

    def _pairs(self, found: PairwiseScores) -> Section:
        """How much the labelings agree with each other; closed for a sweep, where neighbours are alike."""
        figure = self.figures.agreement(found, "ARI of all pairs of labelings")
        n = len(self.scores.names)
        said = [Text(f"The {_MOST_PAIRED} best of {n} labelings.")] * (n > _MOST_PAIRED)
        parts = [*said, figure]
        return Section("pairs", "Agreement of all pairs", parts, link="Agreement", is_closed=self._is_sweep)

    @cached_property
    def _is_sweep(self) -> bool:
        from gpuval.plots._sweep_parts import numbers_in_names

        return numbers_in_names(list(self.comparison))[0] is not None


def _in_order(by: Any, values: Sequence[Any], sizes: Mapping[Any, GroupSize]) -> list[Any]:
    """Groups in the order of their categories, if these have one; else from the largest on."""
    dtype: Any = getattr(by, "dtype", None)
    if getattr(dtype, "ordered", False):
        places = {value: place for place, value in enumerate(dtype.categories)}
        return sorted(values, key=lambda value: places.get(value, len(places)))
    return in_order_of_size(values, sizes)
