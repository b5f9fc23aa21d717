"""Scores with their uncertainty: estimates, tests, differences, and which labeling is the best."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, NamedTuple

from gpuval.display.digits import MINUS, USUAL_DECIMALS, for_terminal, p_text, score_text
from gpuval.display.tables import Printable, ResultMapping, TextTable
from gpuval.display.text import WIDTH, Block, align_columns, readable_name, shorten_middle, text_width, visible, wrap
from gpuval.inputs.options import require_extra
from gpuval.measures.measure import Direction
from gpuval.numerics import Array
from gpuval.results.scores import ByMeasure, ResultsByName, index_of_names, plain, short_number
from gpuval.table.labels import pandas_index

__all__ = [
    "BestLabeling",
    "BestLabelings",
    "PermutationTest",
    "PermutationTests",
    "ScoreDifference",
    "ScoreDifferences",
    "ScoreEstimate",
    "ScoreEstimates",
]


@dataclass(frozen=True, eq=False, repr=False)
class ScoreEstimate:
    """A score with its standard error and its interval: the result of :func:`bootstrap` and :func:`jackknife`.

    Its numbers are in the library and on the device of the labels.

    Attributes
    ----------
    score
        The score of all samples.
    low, high
        The ends of the confidence interval, which are within the range of the measure.
    standard_error
        An estimate of the standard deviation that the score would have over other samples of the same population.
    bias
        An estimate of how much larger the score is, on average, than its limit for more and more samples.
    acceleration
        How fast the standard error changes with the score, by the jackknife; NaN if no method needed it.
    confidence_level
        The share of such intervals that contain the limit.
    method
        The method by which the interval was found.
    replicates
        The scores of the resampled tables, shape (n_resamples,); None for the jackknife.

    Examples
    --------
    >>> import gpuval
    >>> estimate = gpuval.jackknife("ari", [0, 0, 0, 1, 1, 1, 2, 2], [0, 0, 0, 1, 1, 2, 2, 2])
    >>> estimate
    0.619 [-0.390, 1.000]
    """

    score: Any
    low: Any
    high: Any
    standard_error: Any
    bias: Any
    acceleration: Any
    confidence_level: float
    method: str
    replicates: Any = None

    def __repr__(self) -> str:
        return f"{short_number(self.score)} [{short_number(self.low)}, {short_number(self.high)}]"

    def to_dict(self) -> dict[str, Any]:
        """The numbers as Python numbers, without the replicates (copies to the host)."""
        names = [field.name for field in fields(self) if field.name != "replicates"]
        return {name: plain(getattr(self, name)) for name in names}

    def to_pandas(self) -> Any:
        """The numbers as a pandas Series (copies to the host), without the replicates."""
        with require_extra("to_pandas()", "pandas"):
            import pandas as pd

        return pd.Series(self.to_dict(), dtype=object, name="estimate")


class ScoreEstimates(ResultsByName[ScoreEstimate]):
    """The estimate of each measure by its name; prints as a table.

    A short name such as "ari" finds the estimate of its measure, too, as in an :class:`Evaluation`.
    """


# Which of several labelings has the best score of a measure, and whether its lead is more than noise.

_WIDEST_NAME = 30
"""Of a labeling within a sentence."""

ENDS = {"higher": "highest", "lower": "lowest"}
"""What the best score is called, by which scores are better."""


def ends_text(directions: Iterable[Direction]) -> str:
    """What the best scores of measures are called, such as "highest or lowest"; empty if none of them has one."""
    return " or ".join(sorted({ENDS[x] for x in directions if x}))


@dataclass(frozen=True, eq=False, repr=False)
class BestLabeling:
    """The labeling with the best score of a measure: ``compare(...).best[measure]``. It prints as a sentence.

    With ``confidence_level`` it is compared with all others.

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
        ``confidence_level``: ``gaps`` then says how far apart the labelings are.
    gaps
        A mapping from each other name, the second best first, to the :class:`ScoreDifference` of the two, for the
        samples that both have, by the paired jackknife: the score of the best minus that of the other one, so it is
        negative if lower scores are better. P-values and intervals are of all of these differences together, and they
        take into account that the best of many labelings is partly the luckiest: with the probability of about
        ``confidence_level`` or more, no labeling that is as good as the best is told apart from it, and the intervals
        contain all differences. None without ``confidence_level``.
    margin
        Differences that are smaller do not matter, be they noise or not.

    Examples
    --------
    >>> import gpuval
    >>> truth, labelings = [0, 0, 0, 1, 1, 1] * 9, {"few": [0, 0, 0, 0, 1, 1] * 9, "many": [0, 0, 1, 2, 3, 3] * 9}
    >>> comparison = gpuval.compare(truth, labelings, ["homogeneity", "completeness"], confidence_level=0.95)
    >>> comparison.best["homogeneity"]
    many (1.000) is ahead of few (0.459) by 0.541 [0.343, 0.738], p < 0.001
    >>> comparison.best["completeness"]
    many (0.521) is ahead of few (0.500) by 0.021 [−0.141, 0.184], p = 0.79: no more
    than noise
    >>> comparison.best["completeness"].best_set
    ('many', 'few')
    >>> gpuval.compare(truth, labelings, ["homogeneity"]).best["homogeneity"]
    many (1.000) is the highest
    """

    name: Any
    score: Any
    direction: Direction
    as_good: tuple[Any, ...] = ()
    gaps: Mapping[Any, ScoreDifference] | None = None
    margin: float = 0.0

    @property
    def best_set(self) -> tuple[Any, ...]:
        """The best labeling, and those that cannot be told apart from it, the second best first.

        They are not behind by more than noise, or by less than ``margin``. Without ``confidence_level`` they have equal
        scores. Copies to the host.
        """
        if self.gaps is None:
            return (self.name, *self.as_good)
        return (self.name, *(name for name in self.gaps if not self.is_ahead_of(name)))

    def is_ahead_of(self, name: Any) -> bool:
        """Whether it is better than another labeling by more than noise, and by ``margin`` or more."""
        x = None if self.gaps is None else self.gaps[name]
        return x is not None and x.better == "first" and abs(float(plain(x.difference))) >= self.margin

    @property
    def next(self) -> Any:
        """The name of the labeling with the second best score; None without ``confidence_level``."""
        return next(iter(self.gaps or ()), None)

    @property
    def difference(self) -> ScoreDifference | None:
        """The difference to the next one; None without ``confidence_level``."""
        return self.gaps[self.next] if self.gaps else None

    @property
    def is_ahead(self) -> bool:
        """Whether it is told apart from all others."""
        return self.gaps is not None and len(self.best_set) == 1

    def __repr__(self) -> str:
        return for_terminal(wrap(self.sentence(_WIDEST_NAME)))

    def sentence(self, widest_name: int | None = None) -> str:
        """What is printed, as one line; names that are wider are shortened."""
        first, second, *others = (visible(readable_name(name)) for name in (self.name, self.next, *self.as_good))
        if widest_name is not None:
            first, second, *others = (shorten_middle(name, widest_name) for name in (first, second, *others))
        x = self.difference
        if x is None:
            more = f" and {len(others) - 1} more" if len(others) > 1 else ""
            place = f"as good as {others[0]}{more}" if others else f"the {ENDS[self.direction]}"
            return f"{first} ({_number_text(self.score)}) is {place}"
        numbers = [float(plain(number)) for number in (x.difference, x.low, x.high)]
        if self.direction == "lower":  # how far it is ahead is a positive number
            numbers = [-numbers[0], -numbers[2], -numbers[1]]
        distance, low, high = (score_text(x, USUAL_DECIMALS) for x in numbers)
        best, following = f"{first} ({_number_text(x.first)})", f"{second} ({_number_text(x.second)})"
        if math.isnan(numbers[0]):
            return f"whether {best} is ahead of {following} is not known"
        if numbers[0] == 0:
            return f"{best} is as good as {following}"
        sentence = f"{best} is ahead of {following} by {distance}"
        p = float(plain(x.p_value))
        if math.isnan(p) and x.better:
            return f"{sentence}, whichever sample is left out"
        if math.isnan(p):
            return f"{sentence}: whether that is more than noise is not known"
        sentence = f"{sentence} [{low}, {high}], {p_text(p)}"
        return sentence + self._doubt()

    def _doubt(self) -> str:
        """What is said of the difference to the next one, and of others that cannot be told apart either."""
        if self.is_ahead_of(self.next):
            return ""
        x, n_more = self.difference, len(self.best_set) - 2
        assert x is not None
        why = "no more than noise" if x.better != "first" else f"less than {self.margin:g}, which does not matter"
        return f": {why}" + f", as for {n_more} more" * (n_more > 0)

    def to_dict(self) -> dict[str, Any]:
        """The names, and the score and the difference to the next one as Python numbers (copies to the host)."""
        difference = {} if self.difference is None else self.difference.to_dict()
        found = {"best": self.name, "score": plain(self.score), "next": self.next, "best_set": self.best_set}
        return found | difference

    def to_pandas(self) -> Any:
        """The same as a pandas Series (copies to the host)."""
        with require_extra("to_pandas()", "pandas"):
            import pandas as pd

        return pd.Series(self.to_dict(), dtype=object, name="best_labeling")


def _number_text(x: Any) -> str:
    """A score within a sentence, as the numbers beside it: with the sign of a negative one."""
    text = short_number(x)
    return MINUS + text[1:] if text.startswith("-") else text


class _Sentences(NamedTuple):
    """A sentence for each name."""

    rows: Sequence[tuple[str, str]]

    def blocks(self) -> list[Block]:
        """Each beside its name, if all fit there; else below it."""
        names = [shorten_middle(visible(name), WIDTH) for name, _ in self.rows]
        beside = align_columns([[name, sentence] for name, (_, sentence) in zip(names, self.rows, strict=True)], 2)
        lines = ["  ".join(row).rstrip() for row in beside]
        if max(map(text_width, lines)) <= WIDTH:
            return [lines]
        pairs = zip(names, self.rows, strict=True)
        return [[line for name, (_, sentence) in pairs for line in (name, *wrap(sentence, 2).split("\n"))]]

    def html(self) -> str:
        """Each beside its name."""
        return TextTable(["", ""], self.rows, left=(0, 1)).html()


class BestLabelings(ByMeasure[BestLabeling]):
    """The best labeling of each measure, by the name of the measure: ``compare(...).best``. It prints as a table.

    Only measures with a better direction are in it. A short name such as "ari" finds its measure, too. With ``by``
    there is one for each value, and the names are (measure, value).
    """

    def _full(self, name: Any) -> Any:
        if isinstance(name, tuple) and len(name) == 2:
            return super()._full(name[0]), name[1]
        return super()._full(name)

    def _tables(self) -> Sequence[Printable]:
        return [_Sentences([(readable_name(name), best.sentence(_WIDEST_NAME)) for name, best in self.items()])]

    def to_pandas(self) -> Any:
        """A pandas DataFrame with a row for each measure: best, score, next, and the numbers of the difference."""
        with require_extra("to_pandas()", "pandas"):
            import pandas as pd

        rows = [x.to_dict() for x in self.values()]
        keys = dict.fromkeys(key for row in rows for key in row)
        columns = {key: pandas_index(pd, [row.get(key) for row in rows], tupleize_cols=False) for key in keys}
        return pd.DataFrame(columns, index=index_of_names(pd, self))


# The result of a permutation test, and a mapping of several: they print as a table and convert to pandas.


@dataclass(frozen=True, eq=False, repr=False)
class PermutationTest:
    """A score compared with the scores of permuted labels: the result of :func:`permutation_test`.

    Its numbers are in the library and on the device of the labels.

    Attributes
    ----------
    score
        The score of the table.
    p_value
        The probability of a score that is as good or better, by chance.
    mid_p_value
        The same, but scores that are exactly as good count one half; by chance, it is 1/2 on average.
    z
        (``score`` - ``null_mean``) / ``null_standard_deviation``; NaN if the standard deviation is 0.
    null_mean, null_standard_deviation
        The mean and the standard deviation of the scores of permuted labels.
    n_resamples
        The number of random tables that were drawn; 0 for the method "moments".
    family_wise_p_value
        For one of several labelings: the probability that any of them is as many standard deviations above its mean, by
        chance. None for a single labeling.
    false_discovery_p_value
        For one of several labelings: its p-value, adjusted by the method of Benjamini and Hochberg. None for a single
        labeling.

    Examples
    --------
    >>> import gpuval
    >>> test = gpuval.permutation_test("ari", [0, 0, 0, 1, 1, 1] * 3, [0, 0, 1, 1, 1, 1] * 3, random_state=0)
    >>> test
    0.414, p = 0.005, z = 5.76
    """

    score: Any
    p_value: Any
    mid_p_value: Any
    z: Any
    null_mean: Any
    null_standard_deviation: Any
    n_resamples: int
    family_wise_p_value: Any = None
    false_discovery_p_value: Any = None

    def __repr__(self) -> str:
        family = "" if self.family_wise_p_value is None else f" ({short_number(self.family_wise_p_value)} of all)"
        return f"{short_number(self.score)}, p = {short_number(self.p_value)}{family}, z = {float(plain(self.z)):.2f}"

    def to_dict(self) -> dict[str, Any]:
        """The numbers as Python numbers, without those that are None (copies to the host)."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: plain(value) for name, value in values.items() if value is not None}

    def to_pandas(self) -> Any:
        """The numbers as a pandas Series (copies to the host)."""
        with require_extra("to_pandas()", "pandas"):
            import pandas as pd

        return pd.Series(self.to_dict(), dtype=object, name="permutation_test")


class PermutationTests(ResultsByName[PermutationTest]):
    """The test of each measure, or of each labeling, by its name; prints as a table."""


# The result of comparing two clusterings: a difference of scores with its interval and its p-value.


@dataclass(frozen=True, eq=False, repr=False)
class ScoreDifference:
    """The difference of two scores with its uncertainty: the result of :func:`compare_scores`.

    Its numbers are in the library and on the device of the labels.

    Attributes
    ----------
    first, second
        The scores of the two clusterings.
    difference
        ``first - second``, also if lower scores are better.
    low, high
        The ends of the confidence interval of the difference.
    standard_error
        An estimate of the standard deviation that the difference would have over other samples of the same population:
        by the jackknife; for the methods "percentile" and "basic", which need no jackknife, that of the replicates.
    z
        The difference divided by its standard error; 0 if the difference is 0, NaN if only the standard error is 0.
    p_value
        How likely a difference as large as this, in either direction, is if there is none. NaN for the method
        "jackknife" if the difference is not 0 and its standard error is 0: the difference is then the same whichever
        sample is left out, which does not tell how it would vary.
    better
        "first" or "second"; or "" if the interval contains 0, if ``p_value`` is NaN, or if the measure has no better
        direction. The interval excludes 0 where ``p_value`` is at most 1 less the level; for the bootstrap the two may
        disagree by one resample.
    confidence_level
        The share of such intervals that contain the true difference. One of several by :func:`compare_many_scores`: the
        share of data sets in which all of them do; ``p_value`` is then the family-wise one.
    method
        The method by which the interval was found.
    replicates
        The differences of the resampled tables, shape (n_resamples,); None if they were not kept or nothing was drawn.

    Examples
    --------
    >>> import gpuval
    >>> gpuval.compare_scores([0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 0, 0], method="jackknife")
    1.000 [1.000, 1.000], p = nan
    >>> truth, first, second = [0, 0, 0, 1, 1, 1] * 9, [0, 0, 0, 1, 1, 2] * 9, [0, 0, 1, 1, 2, 2] * 9
    >>> gpuval.compare_scores(truth, first, second, method="jackknife")
    0.342 [0.090, 0.595], p = 0.0094: first is better
    """

    first: Any
    second: Any
    difference: Any
    low: Any
    high: Any
    standard_error: Any
    z: Any
    p_value: Any
    better: str
    confidence_level: float
    method: str
    replicates: Any = None

    def __repr__(self) -> str:
        which = f": {self.better} is better" if self.better else ""
        interval = f"{short_number(self.difference)} [{short_number(self.low)}, {short_number(self.high)}]"
        return f"{interval}, p = {float(plain(self.p_value)):.2g}{which}"

    def to_dict(self) -> dict[str, Any]:
        """The numbers as Python numbers, without the replicates (copies to the host)."""
        names = [field.name for field in fields(self) if field.name != "replicates"]
        return {name: plain(getattr(self, name)) for name in names}

    def to_pandas(self) -> Any:
        """The numbers as a pandas Series (copies to the host), without the replicates."""
        with require_extra("to_pandas()", "pandas"):
            import pandas as pd

        return pd.Series(self.to_dict(), dtype=object, name="difference")


# The result of comparing many clusterings: their scores, their ranks, and the differences of all pairs.


class ScoreDifferences(ResultMapping[tuple[Any, Any], ScoreDifference]):
    """The differences of all pairs of clusterings: the result of :func:`compare_many_scores`. It prints as a table.

    ``found[a, b]`` is the :class:`ScoreDifference` of the clusterings named a and b: the score of a minus that of b.
    Its interval, its p-value and ``better`` are of all pairs together: they are family-wise.
    Both orders of two names are found; iteration gives the pairs with the better clustering first. The table is sorted
    from the best clustering on. It shows the scores, and their differences to the best one with family-wise p-values.

    Attributes
    ----------
    scores
        A mapping from names, in the order in which they were given, to the :class:`ScoreEstimate` of each clustering.
    ranks
        A mapping from names to ranks: 1 for the best clustering; equal scores have the same rank.
    ranking
        The names, from the best clustering on.
    best
        The name of the best clustering.
    p_values, p_family_wise, p_false_discovery
        The p-values of all pairs, shape (n_labelings, n_labelings), in the order of ``scores``, with 1 on the diagonal:
        not adjusted; adjusted family-wise; and adjusted for the false discovery rate. :func:`compare_many_scores`
        explains the adjustments.

    Examples
    --------
    >>> import gpuval
    >>> truth = [0, 0, 0, 1, 1, 1, 2, 2, 2] * 3
    >>> labelings = {"coarse": [x > 0 for x in truth], "exact": truth, "mixed": [0, 0, 1, 1, 1, 2, 2, 2, 0] * 3}
    >>> found = gpuval.compare_many_scores(truth, labelings, method="jackknife")
    >>> found.ranking
    ['exact', 'coarse', 'mixed']
    >>> found["exact", "mixed"].better
    'first'
    """

    def __init__(
        self,
        scores: ScoreEstimates,
        ranks: Mapping[Any, int],
        differences: Mapping[tuple[Any, Any], ScoreDifference],
        p_values: Array,
        p_family_wise: Array,
        p_false_discovery: Array,
    ) -> None:
        self.scores = scores
        self.ranks = dict(ranks)
        self.ranking = sorted(scores, key=self.ranks.__getitem__)
        self.p_values = p_values
        self.p_family_wise = p_family_wise
        self.p_false_discovery = p_false_discovery
        self._differences = dict(differences)

    @property
    def best(self) -> Any:
        """The name of the best clustering."""
        return self.ranking[0]

    @property
    def to_best(self) -> dict[Any, ScoreDifference]:
        """The difference of each other clustering to the best one."""
        return {name: self[name, self.best] for name in self.ranking[1:]}

    @property
    def to_next(self) -> dict[Any, ScoreDifference]:
        """The difference of each clustering to the next one of the ranking; the last one has none."""
        return {name: self[name, other] for name, other in zip(self.ranking, self.ranking[1:], strict=False)}

    def __getitem__(self, names: tuple[Any, Any]) -> ScoreDifference:
        exchanged = self._differences.get(names[::-1]) if isinstance(names, tuple) else None
        return self._differences[names] if exchanged is None else _swap(exchanged)

    def __iter__(self) -> Iterator[tuple[Any, Any]]:
        return iter(self._differences)

    def __len__(self) -> int:
        return len(self._differences)

    def _tables(self) -> Sequence[Printable]:
        rows = [[readable_name(x), repr(self.scores[x]), *self._cells_against_best(x)] for x in self.ranking]
        return [TextTable(["", "score", "difference to the best", "p (family-wise)"], rows, left=(0, 1, 2))]

    def _cells_against_best(self, name: Any) -> list[str]:
        if name in self.ranking[:1]:  # NaN is in it, but does not equal itself
            return ["", ""]
        interval, _, _ = repr(self[name, self.best]).partition(", p = ")
        return [interval, f"{self._p_values_against_best(self.p_family_wise)[name]:.2g}"]

    def _p_values_against_best(self, p_values: Array) -> dict[Any, float]:
        """The p-values of the best clustering and each other one."""
        row: list[float] = plain(p_values)[list(self.scores).index(self.best)]
        return dict(zip(self.scores, row, strict=True))

    def to_pandas(self) -> Any:
        """A pandas DataFrame with a row for each clustering, from the best one on (copies to the host).

        It has the rank and the score with its interval and standard error, then the difference to the best clustering
        with its interval and p-values. These are NaN for the best clustering itself.
        """
        with require_extra("to_pandas()", "pandas"):
            import pandas as pd

        family, discoveries = (
            self._p_values_against_best(self.p_family_wise),
            self._p_values_against_best(self.p_false_discovery),
        )
        rows = []
        for name in self.ranking:
            score = self.scores[name].to_dict()
            row = {"rank": self.ranks[name]} | {key: score[key] for key in ("score", "low", "high", "standard_error")}
            if name not in self.ranking[:1]:
                to_best = self[name, self.best].to_dict()
                row |= {"difference": to_best["difference"]}
                row |= {f"difference_{key}": to_best[key] for key in ("low", "high")}
                row |= {"p_value": to_best["p_value"]}
                row |= {"p_family_wise": family[name], "p_false_discovery": discoveries[name]}
            rows.append(row)
        return pd.DataFrame(rows, index=pandas_index(pd, self.ranking, tupleize_cols=False))


def _swap(x: ScoreDifference) -> ScoreDifference:
    """The difference of the second and the first; 0 is subtracted from, not negated, so that no -0 is seen."""
    return replace(
        x,
        first=x.second,
        second=x.first,
        difference=0 - x.difference,
        low=0 - x.high,
        high=0 - x.low,
        z=0 - x.z,
        better={"first": "second", "second": "first"}.get(x.better, ""),
    )
