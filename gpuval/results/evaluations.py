"""The results of ``evaluate`` and ``compare``: scores by their names, which print as tables and convert to pandas."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from gpuval.display.digits import HIGHEST, TIED
from gpuval.display.tables import MOST_ROWS, Printable, ResultMapping, label_text, matrix_of_labels
from gpuval.display.text import WIDTH, shorten
from gpuval.engines.backends import to_host
from gpuval.engines.backends.pytrees import as_tree
from gpuval.inputs.options import require_extra
from gpuval.measures.measure import Direction
from gpuval.measures.requests import Metrics
from gpuval.measures.result import as_result
from gpuval.numerics import Array, NDArray
from gpuval.registry.families import formula_of, measure_of
from gpuval.registry.requests import read_metrics
from gpuval.results.columns import is_internal, is_one_sided
from gpuval.results.inferences import BestLabeling, BestLabelings, ScoreEstimate, ScoreEstimates
from gpuval.results.scores import COUNTS, ByMeasure, SampleCounts, equal, index_of_names, is_score, parts, plain
from gpuval.results.texts import (
    ComparisonTable,
    EvaluationTable,
    EvaluationTexts,
    Marks,
    ScoreText,
    Subject,
    best_places,
    common_direction,
    common_measure,
    direction_of_name,
    full_name_of_key,
    measures_of,
    those_ranked,
)
from gpuval.results.verdict import (
    MOST_VOICES,
    Caution,
    Verdict,
    Voice,
    are_of_common_samples,
    judge,
    judge_internal,
    voices_among,
    words_of,
)
from gpuval.table.contingency import Contingency

__all__ = ["Comparison", "Evaluation", "PairwiseScores"]


_OF_INTERVALS = ("low", "high", "standard_error")


class ReferenceChoice(NamedTuple):
    """Which of several references the scores of an evaluation are of: those that fit best."""

    lead: Any
    """The name of the one that fits best by the leading measure, of which the counts are."""
    of_measures: ByMeasure[Any]
    evaluations: Mapping[Any, Evaluation]
    """The evaluation with each reference by its name."""


@as_tree
class Evaluation(ByMeasure[Any]):
    """Scores by the names of their measures: the result of :func:`evaluate`. It prints as a table.

    The names are the full names of the measures, or those that a mapping gave them; a short name such as "ari" finds
    the score of its measure, too. If a measure returns a tuple of scores, the table and ``to_dict()`` have an entry
    ``name.part`` for each part. Two evaluations are equal if they have the same names and the same scores, on whatever
    devices the scores are. For JAX and PyTorch an evaluation is a tree of its scores, without intervals, so a function
    under ``jax.jit`` can return it.

    Attributes
    ----------
    intervals
        A mapping from the same names to the :class:`ScoreEstimate` of each measure that returns one number; None
        without ``confidence_level``.
    measures
        A mapping from the same names to the full names of the measures, "" for your own functions. An evaluation that
        was made without it goes by the names.
    directions
        A mapping from the same names to "higher" or "lower", the better scores, or "" where none are, as of your own
        functions. It goes by the measures, not by the names that a mapping gave them.
    counts
        A dictionary with ``n_classes`` and ``n_clusters``, the numbers of classes and clusters that have samples,
        ``n_samples``, the number of samples that count, and, if it is known, ``n_dropped``, the number of samples that
        do not count. With weights ``n_samples`` is the sum of the weights, because a table knows only this sum (the
        command ``gpuval evaluate``, which has the samples, counts those with a weight above 0). None if these numbers
        are not known: for a batch of tables, and for results that ``jax.jit`` returned. Copies to the host.
    references
        A mapping from the names of external measures to the name of the reference that the score is of, if there were
        several: the one that fits best. None for a single reference, and if it is not known, as for a tree of scores.
    by_reference
        A mapping from the names of references to the evaluation with each of them; None like ``references``.

    Examples
    --------
    >>> import gpuval
    >>> scores = gpuval.evaluate([0, 0, 1, 1], [1, 1, 0, 0], ["adjusted_rand_score", "purity_score"])
    >>> scores
    adjusted_rand_score  1.000
    purity_score         1.000
    >>> float(scores["ari"])
    1.0

    With a level, intervals are printed next to the scores:

    >>> labels = [0, 0, 0, 1, 1, 1, 2, 2], [0, 0, 0, 1, 1, 2, 2, 2]
    >>> scores = gpuval.evaluate(*labels, ["nmi"], confidence_level=0.95)
    >>> scores
    normalized_mutual_info_score  0.78 0.28–1.00
    >>> round(float(scores.intervals["nmi"].standard_error), 3)
    0.21
    """

    def __init__(
        self,
        scores: Mapping[Any, Any],
        intervals: ScoreEstimates | None = None,
        counted: SampleCounts | None = None,
        measures: Mapping[Any, str] | None = None,
        chosen: ReferenceChoice | None = None,
    ) -> None:
        super().__init__(scores)
        self.intervals = intervals
        self.counted = counted
        self.chosen = chosen
        self.measures: dict[Any, str] = {
            name: full_name_of_key(name) if measures is None else measures.get(name, "") for name in scores
        }

    @property
    def directions(self) -> dict[Any, Direction]:
        """Which scores are the better ones."""
        return {name: direction_of_name(measure) for name, measure in self.measures.items()}

    @property
    def counts(self) -> dict[str, int | float] | None:
        """The numbers of classes, clusters and samples, if they are known (copies to the host)."""
        return None if self.counted is None else self.counted.numbers()

    @property
    def references(self) -> Mapping[Any, Any] | None:
        """The name of the reference of each score; None for a single one."""
        return None if self.chosen is None else self.chosen.of_measures

    @property
    def by_reference(self) -> Mapping[Any, Evaluation] | None:
        """The evaluation with each reference; None for a single one."""
        return None if self.chosen is None else self.chosen.evaluations

    def with_scores(self, scores: Mapping[Any, Any]) -> Evaluation:
        """A copy with other scores of the same measures."""
        return Evaluation(scores, self.intervals, self.counted, self.measures, self.chosen)

    def joined(self, other: Evaluation, names: Sequence[Any]) -> Evaluation:
        """A copy with the scores of another one, too, in the order of the names."""
        found = dict(self) | dict(other)
        scores = {name: found[name] for name in names if name in found}
        return Evaluation(scores, self.intervals, self.counted, self.measures | other.measures, self.chosen)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Mapping):
            return NotImplemented
        return set(self) == set(other) and all(equal(score, other[name]) for name, score in self.items())

    def _tables(self) -> Sequence[Printable]:
        return [EvaluationTable(self.shown())]

    def shown(self) -> EvaluationTexts:
        """The texts that are printed."""
        estimates = self._estimates()
        scores = {name: ScoreText.of(score, estimates.get(name)) for name, score in parts(self)}
        level = next((x.confidence_level for x in estimates.values()), None)
        lead, references = (None, {}) if self.chosen is None else self.chosen[:2]
        return EvaluationTexts(scores, self.directions, self.counted, level, self.measures, lead, references)

    def to_dict(self) -> dict[Any, Any]:
        """The scores as Python numbers, and arrays as nested lists (copies to the host).

        With intervals, the dictionary also has ``name.low``, ``name.high`` and ``name.standard_error``; with several
        references ``name.reference``, the name of the one that the score is of.
        """
        return self.numbers(*_OF_INTERVALS, "reference")

    def numbers(self, *fields: str) -> dict[Any, Any]:
        """The scores as Python numbers; after each that has them these fields: of its interval, or its "reference"."""
        found: dict[Any, Any] = {}
        for name, score in parts(self):
            known = self._fields(name)
            of_score = {name: plain(score)} | {f"{name}.{field}": known[field] for field in fields if field in known}
            if taken := [x for x in of_score if x in found]:
                raise ValueError(
                    f"metrics must have names of their own, beside parts and intervals, too, got {taken[0]!r} twice"
                )
            found |= of_score
        return found

    def _fields(self, name: Any) -> dict[str, Any]:
        """What there is of a score, or of a part of one, beside its number."""
        estimate = self._estimates().get(name)
        found = {} if estimate is None else {x: plain(getattr(estimate, x)) for x in _OF_INTERVALS}
        references = {} if self.chosen is None else self.chosen.of_measures
        for key in (name, str(name).rpartition(".")[0]):
            if key in references:
                return found | {"reference": references[key]}
        return found

    def to_pandas(self) -> Any:
        """The scores as a pandas Series (copies to the host).

        With intervals it is a DataFrame, with a row for each measure, or for each part of its score, and the columns
        ``score``, ``low``, ``high`` and ``standard_error``. With several references it has a column ``reference``, too.
        """
        with require_extra("to_pandas()", "pandas"):
            import pandas as pd

        scores = self.numbers()
        index = index_of_names(pd, scores)
        fields = [*_OF_INTERVALS] * (self.intervals is not None) + ["reference"] * (self.chosen is not None)
        if not fields:
            return pd.Series(list(scores.values()), index=index, name="score")
        known = list(map(self._fields, scores))
        columns = {field: [x.get(field, math.nan) for x in known] for field in fields}
        return pd.DataFrame({"score": list(scores.values()), **columns}, index=index)

    def _estimates(self) -> dict[Any, ScoreEstimate]:
        return {} if self.intervals is None else dict(self.intervals)


@as_tree
class Comparison(ResultMapping[Any, Evaluation]):
    """The evaluation of each labeling by its name: the result of :func:`compare`. It prints as a table.

    The table has a row for each labeling, or for each measure if that takes fewer lines. It shows the numbers of
    clusters and of samples if they are not the same for all labelings. Of many labelings, those in the middle are left
    out, but never the best ones. The mark ● stands behind the best score of each measure; with ``confidence_level``
    ≈ stands behind those that are not told apart from it. Measures that get better with the number of clusters alone,
    such as homogeneity, have no marks, nor have groups of less than 100 samples. In a notebook the best is bold.
    Columns of three measures or more have short names, with an arrow where lower scores are better.

    Attributes
    ----------
    levels
        What the names stand for: ``("labeling",)``; or with ``by`` ``("labeling", "by")``, for pairs of a labeling and
        a value, or ``("by",)``, for the values of one labeling.
    best
        The :class:`BestLabeling` of each measure that is better one way: which labeling has the best score, and with
        ``confidence_level`` how far it is ahead of the others. With ``by`` there is one for each value, and the names
        are (measure, value): labelings that ignore most of a value are left out, where others have 100 of its samples
        (or 30, if none has 100) and two classes of at least five. Empty if there is only one labeling. Finding it
        copies the scores to the host.
    by_reference
        A mapping from the names of references to the comparison with each of them, without differences to the best
        labeling; None for a single reference.
    verdict
        The :class:`Verdict`: what up to three measures together say of the labelings, in words, with the doubts. These
        are the first three of ``metrics`` that have a better direction, and are no half of a pair, as homogeneity and
        completeness are. By default they are AMI, which leads, ARI, and NCA, as far as they are there.

    Examples
    --------
    >>> import gpuval
    >>> labelings = {"good": [1, 1, 0, 0], "bad": [0, 1, 0, 1]}
    >>> gpuval.compare([0, 0, 1, 1], labelings, ["adjusted_rand_score", "purity_score"])
    2 labelings: 4 samples, 2 classes
          adjusted_rand_score  purity_score
    good   1.000 ●             1.000
    bad   −0.500               0.500
    ● highest
    """

    def __init__(
        self,
        evaluations: Mapping[Any, Evaluation],
        leads: BestLabelings | None = None,
        levels: Sequence[str] = ("labeling",),
        subject: Subject | None = None,
        voices: Sequence[Any] | None = None,
    ) -> None:
        self._evaluations: dict[Any, Evaluation] = dict(evaluations)
        self.leads = leads
        self.levels = tuple(levels)
        self.subject = subject or Subject()
        self.voices = voices

    @property
    def best(self) -> BestLabelings:
        """The best labeling of each measure; those that were compared with the next one, as they were found."""
        if self.levels == ("by",):  # these are no labelings, but parts of the samples
            return BestLabelings({})
        has_by, names = len(self.levels) > 1, list(self)
        values = [name[1] if has_by else None for name in names]
        leads = dict(self.leads or {})
        found, evaluations = {}, [x.shown() for x in self.values()]
        of_value: dict[Any, dict[int, EvaluationTexts]] = {}
        for place, value in enumerate(values):
            of_value.setdefault(value, {})[place] = evaluations[place]
        compared = [those_ranked(x) if has_by else list(x) for x in of_value.values()]
        for measure, groups in best_places(evaluations, compared).items():
            for places in groups:
                first, *others = (names[place][0] if has_by else names[place] for place in places)
                evaluation = self[names[places[0]]]
                key = (measure, values[places[0]]) if has_by else measure
                if key in leads:
                    found[key] = leads.pop(key)
                elif self.leads is None or measure not in (evaluation.intervals or ()):  # else there is none
                    direction = common_direction(measure, evaluations)
                    found[key] = BestLabeling(first, evaluation[measure], direction, tuple(others))
        return BestLabelings(found | leads)

    @property
    def by_reference(self) -> Mapping[Any, Comparison] | None:
        """The comparison with each reference; None for a single one."""
        chosen = {name: x.chosen.evaluations for name, x in self.items() if x.chosen is not None}
        found = {}
        for reference in dict.fromkeys(reference for x in chosen.values() for reference in x):
            some = {name: x[reference] for name, x in chosen.items() if reference in x}
            subject = self.subject._replace(truth=reference, references=())
            found[reference] = Comparison(some, None, self.levels, subject, self.voices)
        return found or None

    @property
    def verdict(self) -> Verdict:
        """What the measures together say of the labelings, in words (copies to the host)."""
        return self.judge()

    def judge(self, cautions: Iterable[Caution] = ()) -> Verdict:
        """The verdict, with more that is to be kept in mind."""
        if self.levels != ("labeling",):
            raise AttributeError(f"verdict must be of labelings, got a comparison of {' and '.join(self.levels)}")
        texts = {name: x.shown() for name, x in self.items()}
        keys = voices_among(texts) if self.voices is None else self.voices
        voices = [x for key in keys if (x := self._voice(key, texts))]
        if not voices:
            scored = [[x for x in _scores_by(key, texts).values() if not math.isnan(x)] for key in keys]
            unit = self.subject.unit if any(len(some) > 1 for some in scored) else ""
            return judge_internal(self._best_by_shape(texts), len(self), cautions, apart=unit)
        lead = next(iter(texts)) if voices[0].best is None else voices[0].best
        margin = next((x.margin for x in (self.leads or {}).values()), 0.0)
        return judge(voices, self._subject(texts, lead), margin, cautions)

    def _voice(self, key: Any, texts: Mapping[Any, EvaluationTexts]) -> Voice | None:
        """What one measure says; None if no labeling has a score by it."""
        scores, best = _scores_by(key, texts), self._best_of(key, texts)
        if best is None:
            return None
        estimates = {name: (x.intervals or {}).get(key) for name, x in self.items()}
        intervals = {name: (plain(x.low), plain(x.high)) for name, x in estimates.items() if x is not None}
        if best.gaps is None:
            gaps, ends = {name: x - scores[best.name] for name, x in scores.items() if name not in [best.name]}, {}
        else:
            gaps = {name: -plain(x.difference) for name, x in best.gaps.items()}
            ends = {name: (-plain(x.high), -plain(x.low)) for name, x in best.gaps.items()}
        known = {name: x + 0.0 for name, x in gaps.items() if not math.isnan(x)}
        title, counts, corrected = words_of(key, common_measure(key, texts.values()))
        facts = title, counts, best.direction, best.name, best.best_set, scores, known
        found = {name: x for name, x in intervals.items() if not math.isnan(x[0])}
        chosen = {name: x.chosen.of_measures for name, x in self.items() if x.chosen is not None}
        references = {name: x[key] for name, x in chosen.items() if key in x}
        return Voice(key, *facts, intervals=found, gap_intervals=ends, corrected=corrected, references=references)

    def _best_by_shape(self, texts: Mapping[Any, EvaluationTexts]) -> dict[str, BestLabeling]:
        """By the title of each internal measure the best labeling."""
        measures = {key: common_measure(key, texts.values()) for key in measures_of(list(texts.values()))}
        found = {key: self._best_of(key, texts) for key, measure in measures.items() if is_internal(measure)}
        return {words_of(key, measures[key])[0]: x for key, x in found.items() if x is not None}

    def _best_of(self, key: Any, texts: Mapping[Any, EvaluationTexts]) -> BestLabeling | None:
        """The best labeling by one measure, or the only one; None if no labeling has a score by it."""
        return self.best.get(key) or _only_one(key, _scores_by(key, texts), texts)

    def _subject(self, texts: Mapping[Any, EvaluationTexts], lead: Any) -> Subject:
        """What is known of the data; the sizes of classes are those of the samples that count in one labeling."""
        counts = {name: x.counts for name, x in texts.items()}
        clusters = {name: x["n_clusters"] for name, x in counts.items() if "n_clusters" in x}
        counted, of_lead = self[lead].counted, counts[lead]
        sizes = {} if counted is None else counted.class_sizes()
        n_ignored = max((x.get("n_dropped", 0) for x in counts.values()), default=0)
        n_samples = of_lead.get("n_samples", 0) + of_lead.get("n_dropped", 0)
        return self.subject._replace(n_clusters=clusters, class_sizes=sizes, n_ignored=n_ignored, n_samples=n_samples)

    def __getitem__(self, name: Any) -> Evaluation:
        return self._evaluations[name]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._evaluations)

    def __len__(self) -> int:
        return len(self._evaluations)

    def _tables(self) -> Sequence[Printable]:
        texts = {name: x.shown() for name, x in self.items()}
        voices = voices_among(texts) if self.voices is None else self.voices
        marks = self.marks()
        of_common = self.marks_common_samples(marks)
        return [ComparisonTable(self.levels, list(self), list(texts.values()), marks, self.subject, voices, of_common)]

    def marks(self) -> dict[tuple[Any, Any], str]:
        """By name and measure the marks of the best scores, and of those that are not told apart from them.

        Halves of a pair, such as homogeneity, have none, nor have groups in which the best labeling has few samples.
        """
        texts = {name: x.shown() for name, x in self.items()}
        has_by, found = len(self.levels) > 1, {}
        for key, best in self.best.items():
            measure, value = key if has_by else (key, None)
            if is_one_sided(common_measure(measure, texts.values())):
                continue
            if has_by and not texts[best.name, value].is_ranked:
                continue
            for name in best.best_set:
                is_equal = best.gaps is None or name in [best.name] or not plain(best.gaps[name].difference)
                found[(name, value) if has_by else name, measure] = HIGHEST if is_equal else TIED
        return found

    def marks_common_samples(self, marks: Marks) -> bool:
        """Whether marks are not by the scores, but by those of the samples that two labelings have in common."""
        has_by = len(self.levels) > 1
        scores: dict[Any, dict[Any, EvaluationTexts]] = {}
        for name, x in self.items():
            scores.setdefault(name[1] if has_by else None, {})[name[0] if has_by else name] = x.shown()
        for key, best in (self.leads or {}).items():
            measure, value = key if has_by else (key, None)
            if ((best.name, value) if has_by else best.name, measure) in marks:
                gaps = {name: -plain(x.difference) for name, x in (best.gaps or {}).items()}
                if are_of_common_samples(_scores_by(measure, scores[value]), best.name, gaps):
                    return True
        return False

    def to_pandas(self, *, counts: bool = False) -> Any:
        """The scores as a pandas DataFrame (copies to the host).

        It has a row for each labeling and a column for each measure, or for each part of its score; with intervals also
        the columns ``name.low`` and ``name.high``, and with several references ``name.reference``. The names of
        ``levels`` are the names of the index.

        Parameters
        ----------
        counts
            Whether to put the columns ``n_classes``, ``n_clusters``, ``n_samples`` and ``n_dropped`` before the scores;
            NaN where a number is not known.

        Examples
        --------
        >>> import gpuval
        >>> labelings = {"two": [0, 0, 1, 1, -1], "three": [0, 0, 1, 2, 2]}
        >>> comparison = gpuval.compare([0, 0, 1, 1, 1], labelings, ["purity"], ignore_labels=-1)
        >>> comparison.to_pandas(counts=True)["n_samples"]
        labeling
        two      4
        three    5
        Name: n_samples, dtype: int64
        """
        with require_extra("to_pandas()", "pandas"):
            import pandas as pd

        rows = [scores.numbers("low", "high", "reference") for scores in self.values()]
        metrics = list(dict.fromkeys(metric for row in rows for metric in row))
        cells = [[row.get(metric) for metric in metrics] for row in rows]
        if counts:
            if taken := [x for x in metrics if x in COUNTS]:
                raise ValueError(
                    f"metrics must have names other than those of counts with counts=True, got {taken[0]!r}"
                )
            known = [evaluation.counts or {} for evaluation in self.values()]
            cells = [[x.get(name, math.nan) for name in COUNTS] + row for x, row in zip(known, cells, strict=True)]
            metrics = [*COUNTS, *metrics]
        return pd.DataFrame(cells, index=index_of_names(pd, self, self.levels), columns=index_of_names(pd, metrics))


def _scores_by(key: Any, texts: Mapping[Any, EvaluationTexts]) -> dict[Any, float]:
    """The score of each labeling by one measure, NaN for those without one."""
    return {name: x.scores[key].number if key in x.scores else math.nan for name, x in texts.items()}


def _only_one(key: Any, scores: Mapping[Any, float], texts: Mapping[Any, EvaluationTexts]) -> BestLabeling | None:
    """The only labeling as the best one, if it has a score by a measure with a better direction."""
    direction = common_direction(key, texts.values())
    if len(scores) != 1 or not direction or math.isnan(next(iter(scores.values()))):
        return None
    ((name, score),) = scores.items()
    return BestLabeling(name, score, direction)


# The result of ``pairwise``: the scores of all pairs of labelings, with their names.


@as_tree
@dataclass(frozen=True, eq=False, repr=False)
class PairwiseScores:
    """The score of each pair of labelings: the result of :func:`pairwise`. It prints as a table, with the names.

    NumPy functions take it as the array of the scores. For JAX and PyTorch it is a tree of that one array.

    Attributes
    ----------
    names
        The names of the labelings, in their order; for a sequence of labelings, numbers from 0 on.
    scores
        An array of shape (n_labelings, n_labelings), in the library and on the device of the labels. The score in row i
        and column j takes labeling i as the truth and labeling j as the prediction.
    metric
        The name of the measure.
    direction
        Which scores of the measure are the better ones: "higher", "lower", or "" where none are, and of your own
        functions.

    Examples
    --------
    >>> import gpuval
    >>> labelings = {"coarse": [0, 0, 0, 1], "fine": [0, 1, 2, 3], "other": [1, 1, 1, 0]}
    >>> found = gpuval.pairwise(labelings, "purity")
    >>> found
    purity_score
            coarse   fine  other
    coarse   1.000  1.000  1.000
    fine     0.500  1.000  0.500
    other    1.000  1.000  1.000
    >>> float(found.scores[1, 0])
    0.5
    """

    names: tuple[Any, ...]
    scores: Array
    metric: str
    direction: Direction = ""

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray:
        """The scores as a NumPy array (copied to the host, if they are not there)."""
        return np.array(to_host(self.scores), dtype=dtype, copy=copy)

    def to_pandas(self) -> Any:
        """The scores as a pandas DataFrame with the names as index and columns (copies to the host)."""
        with require_extra("to_pandas()", "pandas"):
            import pandas as pd

        index = index_of_names(pd, self.names)
        return pd.DataFrame(to_host(self.scores), index=index, columns=index, copy=True)

    def __repr__(self) -> str:
        metric, names = shorten(label_text(self.metric), WIDTH), self.names[:MOST_ROWS]
        try:
            scores = to_host(self.scores[: len(names), : len(names)]).tolist()
            return f"{metric}\n{matrix_of_labels(names, names, scores, (len(self.names), len(self.names)))}"
        except Exception:  # inside a compiled graph, and of a tree of something else than an array
            return f"PairwiseScores(names={self.names!r}, scores={self.scores!r}, metric={self.metric!r})"


# The measures of an evaluation, and what they give for a table.


@dataclass(frozen=True)
class TableMeasures:
    """Measures of a table by their names."""

    functions: Mapping[Any, Callable[..., Any]]
    are_named: bool
    """Whether each was asked for: then one that is not defined for a table raises, else it is left out."""
    names: Mapping[Any, str] = field(init=False)
    """The full name of each measure; "" for functions of users."""

    def __post_init__(self) -> None:
        measures = {name: measure_of(function) for name, function in self.functions.items()}
        names = {name: "" if measure is None else measure.name for name, measure in measures.items()}
        object.__setattr__(self, "names", names)  # now: torch.compile traces no cached property

    @classmethod
    def read(cls, metrics: Metrics) -> TableMeasures:
        """Those that ``metrics`` stands for."""
        return cls(*read_metrics(metrics))

    @property
    def voices(self) -> tuple[Any, ...]:
        """Those by which a verdict is given: the first three that may lead, or the usual ones."""
        declared = {name: measure for name, x in self.functions.items() if (measure := measure_of(x))}
        if not self.are_named:
            return tuple(sorted((x for x in declared if declared[x].voice), key=lambda x: declared[x].voice))
        return tuple(x for x in declared if declared[x].better and not declared[x].is_one_sided)[:MOST_VOICES]

    @property
    def are_formulas(self) -> bool:
        """Whether an engine may evaluate all of them."""
        return all(formula_of(x) is not None for x in self.functions.values())

    def evaluate(self, table: Contingency, n_given: int | None, like: Array | None = None) -> Evaluation:
        """The scores of a table, in its library or in that of ``like``.

        ``n_given`` is of how many samples some may have been left out, if that is known.
        """
        table = table.with_none_left_invalid()
        shared = table.engine.for_evaluation(table)  # once, so that measures share statistics
        functions = dict(self.functions)
        if not self.are_named and not table.is_integer:
            functions = {name: f for name, f in functions.items() if not f.measure.needs_counts}
        formulas = {name: formula_of(function) for name, function in functions.items()}
        at_once = {name: formula for name, formula in formulas.items() if formula is not None}
        found = dict(zip(at_once, shared.engine.scores(tuple(at_once.values()), shared), strict=True))
        tables = {name: shared if formulas[name] is not None else table for name, function in functions.items()}
        scores = {name: _score(f, name, tables[name], found.get(name)) for name, f in functions.items()}
        scores = {name: as_result(score, like) for name, score in scores.items()}
        return Evaluation(scores, counted=SampleCounts.of_table(table, n_given), measures=self.names)


def _score(function: Callable[..., Any], name: Any, table: Contingency, found: Any) -> Any:
    """The score, if the engine has not found it with others."""
    score = function(table) if found is None else found
    if not is_score(score):
        raise TypeError(
            f"metrics must give a number, an array, or a tuple of these for a table, got {type(score).__name__} from "
            f"{name!r}"
        )
    return score
