"""Which of several labelings has the best score of a measure, and whether its lead is more than noise."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from gpuval.display.mappings import Shown, ShownTable
from gpuval.display.safe_text import shortened_inside, shown_name, text_width, visible
from gpuval.display.text_tables import WIDTH, Block, aligned, wrapped
from gpuval.evaluation.results.scores import ByMeasure, index_of_names, plain, rounded
from gpuval.inputs.options import needed
from gpuval.table.labels import pandas_index

if TYPE_CHECKING:
    from gpuval.evaluation.inference.comparison.score_difference import ScoreDifference

__all__ = ["BestLabeling", "BestLabelings"]

_WIDEST_NAME = 30
"""Of a labeling within a sentence."""


@dataclass(frozen=True, eq=False, repr=False)
class BestLabeling:
    """The labeling with the best score of a measure: ``compare(...).best[measure]``. It prints as a sentence.

    With ``confidence_level`` it is compared with the second best.

    Attributes
    ----------
    name
        The name of the labeling with the best score; of equal ones the first. Each score is of the samples that its
        labeling does not ignore. With ``confidence_level``, which of the two best ones is ahead is decided by the
        scores of the samples that both have, and only if these are equal by their own scores.
    score
        Its score.
    direction
        Which scores of the measure are better: "higher" or "lower".
    as_good
        The names of other labelings whose scores are the same but for rounding; a tuple. Empty with
        ``confidence_level``: ``difference`` then says how far apart the two best ones are.
    next
        The name of the labeling with the second best score; None without ``confidence_level``.
    difference
        The :class:`ScoreDifference` of the two, for the samples that both have, by the paired jackknife: the score of
        the best minus that of the next one, so it is negative if lower scores are better. It is computed as if the two
        had been chosen before their scores were seen. The best of many labelings is partly the luckiest, which
        :func:`compare_many_scores` takes into account. None without ``confidence_level``.

    Examples
    --------
    >>> import gpuval
    >>> truth, labelings = [0, 0, 0, 1, 1, 1] * 9, {"few": [0, 0, 0, 0, 1, 1] * 9, "many": [0, 0, 1, 2, 3, 3] * 9}
    >>> comparison = gpuval.compare(truth, labelings, ["homogeneity", "completeness"], confidence_level=0.95)
    >>> comparison.best["homogeneity"]
    many (1.000) is ahead of few (0.459) by 0.541 [0.348, 0.734], p < 0.0001
    >>> comparison.best["completeness"]
    many (0.521) is ahead of few (0.500) by 0.021 [-0.138, 0.180], p = 0.79: no more
    than noise
    >>> gpuval.compare(truth, labelings, ["homogeneity"]).best["homogeneity"]
    many (1.000) is the best
    """

    name: Any
    score: Any
    direction: str
    as_good: tuple[Any, ...] = ()
    next: Any = None
    difference: ScoreDifference | None = None

    @property
    def is_ahead(self) -> bool:
        """Whether there is an interval of the difference, and it does not contain 0."""
        return self.difference is not None and self.difference.better == "first"

    def __repr__(self) -> str:
        return wrapped(self.sentence(_WIDEST_NAME))

    def sentence(self, widest_name: int | None = None) -> str:
        """What is printed, as one line; names that are wider are shortened."""
        first, second, *others = (visible(shown_name(name)) for name in (self.name, self.next, *self.as_good))
        if widest_name is not None:
            first, second, *others = (shortened_inside(name, widest_name) for name in (first, second, *others))
        x = self.difference
        if x is None:
            more = f" and {len(others) - 1} more" if len(others) > 1 else ""
            place = f"as good as {others[0]}{more}" if others else "the best"
            return f"{first} ({rounded(self.score)}) is {place}"
        numbers = [float(plain(number)) for number in (x.difference, x.low, x.high)]
        if self.direction == "lower":  # how far it is ahead is a positive number
            numbers = [-numbers[0], -numbers[2], -numbers[1]]
        distance, low, high = map(rounded, numbers)
        best, following = f"{first} ({rounded(x.first)})", f"{second} ({rounded(x.second)})"
        if math.isnan(numbers[0]):
            return f"whether {best} is ahead of {following} is not known"
        if numbers[0] == 0:
            return f"{best} is as good as {following}"
        sentence = f"{best} is ahead of {following} by {distance}"
        p = float(plain(x.p_value))
        if math.isnan(p):
            return f"{sentence}: whether that is more than noise is not known"
        p_value = "p < 0.0001" if p < 1e-4 else f"p = {p:.2g}"
        sentence = f"{sentence} [{low}, {high}], {p_value}"
        return sentence if self.is_ahead else f"{sentence}: no more than noise"

    def to_dict(self) -> dict[str, Any]:
        """The names, and the score and the difference as Python numbers (copies to the host)."""
        difference = {} if self.difference is None else self.difference.to_dict()
        return {"best": self.name, "score": plain(self.score), "next": self.next} | difference

    def to_pandas(self) -> Any:
        """The same as a pandas Series (copies to the host)."""
        with needed("to_pandas()", "pandas"):
            import pandas as pd

        return pd.Series(self.to_dict(), dtype=object, name="best_labeling")


class _Sentences(NamedTuple):
    """A sentence for each name."""

    rows: Sequence[tuple[str, str]]

    def blocks(self) -> list[Block]:
        """Each beside its name, if all fit there; else below it."""
        names = [shortened_inside(visible(name), WIDTH) for name, _ in self.rows]
        beside = aligned([[name, sentence] for name, (_, sentence) in zip(names, self.rows, strict=True)], 2)
        lines = ["  ".join(row).rstrip() for row in beside]
        if max(map(text_width, lines)) <= WIDTH:
            return [lines]
        pairs = zip(names, self.rows, strict=True)
        return [[line for name, (_, sentence) in pairs for line in (name, *wrapped(sentence, 2).split("\n"))]]

    def html(self) -> str:
        """Each beside its name."""
        return ShownTable(["", ""], self.rows, left=(0, 1)).html()


class BestLabelings(ByMeasure[BestLabeling]):
    """The best labeling of each measure, by the name of the measure: ``compare(...).best``. It prints as a table.

    Only measures with a better direction are in it. A short name such as "ari" finds its measure, too. With ``by``
    there is one for each value, and the names are (measure, value).
    """

    def _full(self, name: Any) -> Any:
        if isinstance(name, tuple) and len(name) == 2:
            return super()._full(name[0]), name[1]
        return super()._full(name)

    def _tables(self) -> Sequence[Shown]:
        return [_Sentences([(shown_name(name), best.sentence(_WIDEST_NAME)) for name, best in self.items()])]

    def to_pandas(self) -> Any:
        """A pandas DataFrame with a row for each measure: best, score, next, and the numbers of the difference."""
        with needed("to_pandas()", "pandas"):
            import pandas as pd

        rows = [x.to_dict() for x in self.values()]
        keys = dict.fromkeys(key for row in rows for key in row)
        columns = {key: pandas_index(pd, [row.get(key) for row in rows], tupleize_cols=False) for key in keys}
        return pd.DataFrame(columns, index=index_of_names(pd, self))
