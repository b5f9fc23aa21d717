"""The tables of each class and of each cluster: stacked bars of what they hold, and a reading in fixed words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from gpuval.display.colors import OTHERS, class_colors, cluster_colors, text_on
from gpuval.display.digits import CAUTION, NONE, count_text, share_text
from gpuval.display.text import join_texts, text_width
from gpuval.reporting.overlaps import Overlaps, Part, Spread
from gpuval.reporting.sentences import name_text
from gpuval.reporting.tables import MOST_ROWS, Cell, Head, PageTable, Piece, Row, csv_text
from gpuval.results.verdict import FEWEST_OF_CLASS

_KEPT, _PART, _LOST = 0.8, 0.1, 0.2
"""The share of a class from which it is kept, and that of a part that is named; the F-score below which it is lost."""

_WIDTH, _NARROW, _LETTER, _PADDING = 240, 128, 7.0, 4.0
"""Pixels: the least width of a stacked bar, also on a phone; of a letter in it, and of what is beside the letters."""

_SEARCHED = 25
"""Rows from which there is a box to find some of them."""


@dataclass(frozen=True)
class LabelTables:
    """The tables of one labeling."""

    overlaps: Overlaps
    units: str
    chosen: Sequence[str] | None = None
    """The colours of classes that a user has chosen."""

    @cached_property
    def colors_of_classes(self) -> list[str]:
        """A colour for each class, the largest ones first."""
        sizes = [x.size for x in self.overlaps.class_spreads]
        return class_colors(sizes, self.chosen)

    @cached_property
    def colors_of_clusters(self) -> list[str]:
        """That of each cluster: of its main class, lighter or darker where several clusters have it."""
        classes = [place for place, color in enumerate(self.colors_of_classes) if color != OTHERS]
        mains = [x.parts[0].place if x.parts else None for x in self.overlaps.cluster_spreads]
        clusters = [place for place, main in enumerate(mains) if main in set(classes)]
        counts = self.overlaps.counts[classes][:, clusters].toarray()
        shades = cluster_colors(counts, [self.colors_of_classes[x] for x in classes])
        colors = [OTHERS] * len(mains)
        for place, shade in zip(clusters, shades, strict=True):
            colors[place] = shade
        return colors

    @property
    def color_of_class(self) -> dict[Any, str]:
        """By its label."""
        return dict(zip(self.overlaps.classes, self.colors_of_classes, strict=True))

    @property
    def color_of_cluster(self) -> dict[Any, str]:
        """By its label."""
        return dict(zip(self.overlaps.clusters, self.colors_of_clusters, strict=True))

    @cached_property
    def _main_classes(self) -> dict[int, Any]:
        """The label of the main class by the place of each cluster."""
        return {place: x.parts[0].label if x.parts else None for place, x in enumerate(self.overlaps.cluster_spreads)}

    @cached_property
    def _readings(self) -> list[tuple[str, str]]:
        """For each class the kind of its reading, and the words."""
        return [self._reading(x) for x in self.overlaps.class_spreads]

    def _reading(self, spread: Spread) -> tuple[str, str]:
        if not spread.parts:
            return "lost", "lost"
        top = spread.parts[0]
        main = self._main_classes[top.place]
        if main != spread.label and main is not spread.label:
            return "in another", f"in {name_text(top.label)}, mostly {name_text(main)}"
        if top.share >= _KEPT:
            return "kept", f"kept in {name_text(top.label)}"
        if spread.best_f < _LOST:
            return "lost", "lost"
        large = [x for x in spread.parts if x.share >= _PART] or [top]
        named = [name_text(x.label) for x in large[:4]]
        smaller = spread.n_parts - len(named)
        if len(named) == 1 or len(large) > len(named):
            named.append(f"{count_text(smaller)} {'more' if len(large) > 4 else 'smaller'}")
        return "split", f"split: {' + '.join(named)}"

    def sentence(self) -> str:
        """How many classes are kept, split, in clusters of another class, and lost."""
        found = Counter(kind for kind, _ in self._readings)
        n = sum(found.values())
        verb = {True: "is", False: "are"}
        said = []
        for kind, words in (
            ("kept", "kept"),
            ("split", "split"),
            ("in another", "in clusters of another class"),
            ("lost", "lost"),
        ):
            if found[kind]:
                said.append(f"{count_text(found[kind])} {verb[found[kind] == 1]} {words}")
        return f"Of {count_text(n)} class{'es' * (n != 1)} {join_texts(said)}."

    def classes(self, caption: str) -> PageTable:
        """A row for each class; the largest first, or where there are very many the one that costs most."""
        heads = [
            Head("class", is_number=False),
            Head(self.units, kind="count"),
            Head(
                "its clusters", is_number=False, kind="bar", about="the clusters of its samples, the largest part first"
            ),
            Head("largest", about="the share of the class that is in its largest cluster (recall)"),
            Head("best F", about="the largest F-score with any cluster; 1 is best"),
            Head("reading", is_number=False, kind="words"),
        ]
        words = [[reading] for _, reading in self._readings]
        return self._table(caption, heads, self.overlaps.class_spreads, self.colors_of_clusters, words)

    @property
    def csv_of_classes(self) -> str:
        """All classes with all digits; empty where the table has all of them."""
        spreads = self.overlaps.class_spreads
        if len(spreads) <= MOST_ROWS:
            return ""
        heads = ["class", self.units, "largest cluster", "share in it", "best F", "reading"]
        rows = []
        for spread, (_, reading) in zip(spreads, self._readings, strict=True):
            label, share = (name_text(spread.parts[0].label), spread.parts[0].share) if spread.parts else ("", 0.0)
            rows.append([name_text(spread.label), spread.size, label, share, spread.best_f, reading])
        return csv_text(heads, rows)

    def clusters(self, caption: str) -> PageTable:
        """A row for each cluster."""
        heads = [
            Head("cluster", is_number=False),
            Head(self.units, kind="count"),
            Head(
                "its classes", is_number=False, kind="bar", about="the classes of its samples, the largest part first"
            ),
            Head("precision", about="the share of the cluster that belongs to its main class"),
            Head("best F", about="the largest F-score with any class; 1 is best"),
            Head("main class", is_number=False, kind="words"),
        ]
        words = [[name_text(x.parts[0].label)] if x.parts else [NONE] for x in self.overlaps.cluster_spreads]
        return self._table(caption, heads, self.overlaps.cluster_spreads, self.colors_of_classes, words)

    def _table(
        self,
        caption: str,
        heads: Sequence[Head],
        spreads: Sequence[Spread],
        colors: Sequence[str],
        words: Sequence[Sequence[str]],
    ) -> PageTable:
        places = sorted(range(len(spreads)), key=lambda place: -spreads[place].size)
        if len(places) > MOST_ROWS:  # those that cost most
            places.sort(key=lambda place: -spreads[place].size * (1 - spreads[place].best_f))
        left_out = len(places) - MOST_ROWS
        note = ""
        if left_out > 0:
            note = f"The {MOST_ROWS} rows that cost most, by size and 1 - F; {count_text(left_out)} more are not shown."
        rows = []
        for place in places[:MOST_ROWS]:
            spread = spreads[place]
            share = spread.parts[0].share if spread.parts else 0.0
            is_small = spread.size < FEWEST_OF_CLASS
            cells = [
                Cell(count_text(spread.size), spread.size, mark=CAUTION if is_small else "", kind="few" * is_small),
                Cell("", spread.n_parts, pieces=list(_pieces(spread, colors)), about=_about(spread)),
                Cell(share_text(share), share),
                Cell(f"{spread.best_f:.2f}", spread.best_f),
                *(Cell(text, text) for text in words[place]),
            ]
            rows.append(Row(name_text(spread.label), cells))
        return PageTable(caption, heads, rows, note=note, kind="labels", is_searched=len(places) >= _SEARCHED)


def _pieces(spread: Spread, colors: Sequence[str]) -> list[Piece]:
    """The parts of a stacked bar, and what is left of it."""
    found = []
    for part in spread.parts:
        color, text = colors[part.place], name_text(part.label)
        needed = text_width(text) * _LETTER + _PADDING
        shown = text if needed <= part.share * _WIDTH else ""
        is_wide_only = bool(shown) and needed > part.share * _NARROW
        found.append(Piece(part.share, color, text_on(color), shown, _part_text(part), is_wide_only))
    n_left = spread.n_parts - len(spread.parts)
    rest = 1 - sum(x.share for x in spread.parts)
    if n_left > 0 and rest > 0:
        found.append(Piece(rest, OTHERS, text_on(OTHERS), "", f"{n_left} smaller: {share_text(rest)}"))
    return found


def _part_text(part: Part) -> str:
    return f"{name_text(part.label)}: {share_text(part.share)}"


def _about(spread: Spread) -> str:
    """The largest parts in words."""
    said = [_part_text(x) for x in spread.parts[:5]]
    more = spread.n_parts - len(said)
    return ", ".join([*said, f"{count_text(more)} more"] if more > 0 else said)
