"""Scores for people in rows and columns: a row per measure, or per labeling if there are many."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from gpuval.cli.output.numbers import ends_of, formatted, names_of, parts_of_key
from gpuval.cli.scoring.scored import Scores
from gpuval.cli.terminal import Paper
from gpuval.evaluation.results.counts import COUNTS
from gpuval.evaluation.results.directions import ABOUT_STAR, ARROWS, STAR, better

if TYPE_CHECKING:
    from gpuval.evaluation.results.shown_scores import ShownEvaluation


class Grid(NamedTuple):
    """Titles, rows below them, how many columns from the first on are names, and what is said below all."""

    titles: list[str]
    rows: list[list[str]]
    n_names: int
    notes: Sequence[str] = ()
    best: Collection[tuple[int, int]] = ()
    """The row and the column of each score that is the best of its measure."""

    def with_stars(self) -> Grid:
        """The same with a star behind the best scores, a space behind others of their columns, and a last note."""
        if not self.best:
            return self
        columns = {column for _, column in self.best}
        rows = [
            [cell + (STAR if (i, j) in self.best else " ") * (j in columns) for j, cell in enumerate(row)]
            for i, row in enumerate(self.rows)
        ]
        return Grid(self.titles, rows, self.n_names, [*self.notes, ABOUT_STAR])


def are_many(scores: Scores) -> bool:
    """Whether there are more labelings than there is to say of each."""
    return len(scores) > len(names_of(scores))


def per_measure(scores: Scores, paper: Paper, *, has_column: bool = True) -> Grid:
    """A row per count and measure; which scores are better stands in a column of its own, or behind the name."""
    labelings = [paper.written(", ".join(parts_of_key(name))) for name in scores]
    names = names_of(scores)
    numbers = [[formatted(name, values[name]) for values in scores.values()] for name in names]
    n_names = 2 if has_column else 1
    best = best_scores(scores)
    places = {(i, n_names + j) for i, name in enumerate(names) for j, key in enumerate(scores) if (key, name) in best}
    if has_column:
        rows = [[name, _better(name), *row] for name, row in zip(names, numbers, strict=True)]
        return Grid(["metric", "better", *labelings], rows, n_names, best=places)
    rows = [[with_direction(name, paper), *row] for name, row in zip(names, numbers, strict=True)]
    return Grid(["metric", *labelings], rows, n_names, legend(names, paper), places)


def per_labeling(scores: Scores, by: str | None, paper: Paper, *, has_all_counts: bool = True) -> Grid:
    """A row per labeling, or per labeling and value of a column.

    Without ``has_all_counts``, counts but that of clusters are in a note if all labelings have the same.
    """
    names = names_of(scores)
    alike = [name for name in names if name in COUNTS and name != "n_clusters" and not has_all_counts]
    alike = [name for name in alike if len({values[name] for values in scores.values()}) == 1]
    shown = [name for name in names if name not in alike]
    keys = ["labeling"] if by is None else ["labeling", paper.written(by)]
    rows = [
        [*map(paper.written, parts_of_key(key)), *(formatted(name, values[name]) for name in shown)]
        for key, values in scores.items()
    ]
    first = next(iter(scores.values()))
    notes = [f"each labeling: {', '.join(f'{name} {first[name]}' for name in alike)}"] if alike else []
    titles = [*keys, *(with_direction(name, paper) for name in shown)]
    best = best_scores(scores)
    places = {(i, len(keys) + j) for i, key in enumerate(scores) for j, name in enumerate(shown) if (key, name) in best}
    return Grid(titles, rows, len(keys), [*notes, *legend(shown, paper)], places)


def with_direction(name: str, paper: Paper) -> str:
    """The name of a measure, and an arrow to the better scores; a word, where there are no arrows."""
    direction = _better(name)
    if not direction:
        return name
    return f"{name} {ARROWS[direction]}" if paper.has("".join(ARROWS.values())) else f"{name} ({direction})"


def legend(names: Sequence[str], paper: Paper) -> list[str]:
    """What arrows mean, if there are any."""
    if not paper.has("".join(ARROWS.values())):
        return []
    found = dict.fromkeys(filter(None, map(_better, names)))
    return [", ".join(f"{ARROWS[direction]} {direction} is better" for direction in sorted(found))] if found else []


def _better(name: str) -> str:
    return "" if name in COUNTS else better(name)


def best_scores(scores: Scores) -> set[tuple[Any, str]]:
    """The labeling and the measure of each score that is the best; of several values of --by for each of them."""
    from gpuval.evaluation.results.shown_scores import best_places

    keys = list(scores)
    groups = [parts_of_key(key)[1:] for key in keys]
    found = best_places([_shown(values) for values in scores.values()], groups)
    return {(keys[place], name) for name, of_groups in found.items() for places in of_groups for place in places}


def _shown(values: Mapping[str, Any]) -> ShownEvaluation:
    from gpuval.evaluation.results.shown_scores import ShownEvaluation, ShownScore, direction_of_name

    scores = {name: x.score if ends_of(x) else x for name, x in values.items() if name not in COUNTS}
    shown = {name: ShownScore.of(x, None) for name, x in scores.items()}
    return ShownEvaluation(shown, {name: direction_of_name(name) for name in scores}, None, None)
