"""What a comparison of labelings says in words: which is best, by which way to count, and with which doubts."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from gpuval.display.digits import (
    BEHIND,
    CAUTION,
    HIGHEST,
    TIED,
    TO,
    count_text,
    decimals,
    for_terminal,
    gap_text,
    interval_text,
    score_text,
    share_text,
)
from gpuval.display.names import short_names
from gpuval.display.tables import short_label
from gpuval.display.text import column_blocks, join_texts, text_of_blocks, wrap
from gpuval.measures.measure import Direction, Measure
from gpuval.results.columns import is_internal, measure_of_key
from gpuval.results.inferences import ENDS, BestLabeling
from gpuval.results.scores import plain
from gpuval.results.texts import EvaluationTexts, Subject, common_measure, measures_of

__all__ = ["Verdict"]

FEWEST_OF_CLASS = 20
"""Samples of a class below which it is named with caution."""

LONGEST_SENTENCE = 240
"""Letters of sentences, where names of labelings take at most 24."""

MOST_VOICES = 3
"""Measures by which labelings are compared."""

_MOST_NAMES, _MOST_SENTENCES, _MOST_CAUTIONS, _MOST_ROWS = 3, 3, 5, 4
_LONGEST_NAME, _WIDEST_NAME, _WIDEST_TITLE = 200, 40, 24
_MANY_LABELINGS = 20
_IMBALANCED = 0.75
"""Classes are imbalanced where 1 / (sum of p^2) is less than this share of their number, p being the shares of them."""


@dataclass(frozen=True)
class Voice:
    """One way to count: a measure, and how labelings are to each other by it.

    Attributes
    ----------
    name
        The key of the measure in the comparison.
    title
        What sentences call it, such as "AMI".
    counts
        What counts the same: "sample", "pair" or "class"; empty for other measures.
    best
        The name of the labeling with the best score.
    best_set
        The names of those that are not told apart from it, it first. Without intervals those of equal scores.
    scores
        A mapping from names to scores, NaN where there is none.
    gaps
        A mapping from each other name to its score minus the best one, of the samples that both have.
    intervals, gap_intervals
        The ends of intervals by names; empty without intervals.
    """

    name: Any
    title: str
    counts: str
    direction: Direction
    best: Any
    best_set: tuple[Any, ...]
    scores: Mapping[Any, float]
    gaps: Mapping[Any, float]
    intervals: Mapping[Any, tuple[float, float]]
    gap_intervals: Mapping[Any, tuple[float, float]]
    corrected: bool = False
    """Whether random labels score 0."""
    references: Mapping[Any, Any] = field(default_factory=dict)
    """Of several references that which each score is of."""

    @property
    def is_compared(self) -> bool:
        """Whether it is known which differences are more than noise."""
        return bool(self.gap_intervals)

    @property
    def is_of_common_samples(self) -> bool:
        """Whether labelings are compared by samples that two have in common, which are not those of the scores."""
        return are_of_common_samples(self.scores, self.best, self.gaps)

    def mark(self, name: Any) -> str:
        """The mark of a labeling; none without intervals for one that is neither the best nor equal."""
        if name in [self.best] or (name in self.best_set and not self.gaps.get(name, math.nan)):
            return HIGHEST  # NaN, as a name, is in a list, but does not equal itself
        return TIED if name in self.best_set else BEHIND if self.is_compared and name in self.gaps else ""


def are_of_common_samples(scores: Mapping[Any, float], best: Any, gaps: Mapping[Any, float]) -> bool:
    """Whether gaps are not what scores minus the best one are, as labelings do not ignore the same samples."""
    of_best = scores[best]
    tolerance = 1e-6 * (1 + abs(of_best))
    return any(abs(scores[name] - of_best - gap) > tolerance for name, gap in gaps.items())


def words_of(key: Any, measure: Measure | None) -> tuple[str, str, bool]:
    """What sentences call a measure by its key, what counts the same in it, and whether random labels score 0."""
    own = short_label(key, _WIDEST_TITLE)
    if measure is None:
        return own, "", False
    return measure.sentence_name if measure is measure_of_key(key) else own, measure.counts, measure.adjusted


def voices_among(evaluations: Mapping[Any, EvaluationTexts]) -> tuple[Any, ...]:
    """The names of measures by which a comparison that does not say so is judged."""
    found = measures_of(list(evaluations.values()))
    measures = {key: measure for key in found if (measure := common_measure(key, evaluations.values()))}
    usual = sorted((key for key, x in measures.items() if x.voice), key=lambda key: measures[key].voice)
    others = [key for key, x in measures.items() if x.better and not x.is_one_sided and not is_internal(x)]
    return tuple(usual or others)[:MOST_VOICES]


class Caution(NamedTuple):
    """What is to be kept in mind, and what it is about."""

    about: str
    """One of ``CAUTIONS``."""
    text: str


CAUTIONS = ("groups", "classes", "clusters", "donors", "luck", "alike", "ignored", "silhouettes")
"""What cautions are about, in their order."""


@dataclass(frozen=True, repr=False)
class Verdict:
    """What a careful colleague would say of a comparison: ``compare(...).verdict``. It prints as text.

    Labelings are compared by up to three measures, each of which counts something else alike: AMI each sample, ARI each
    pair of samples, NCA each class. For each there is the labeling with the best score, and those that cannot be told
    apart from it (:class:`BestLabeling`). A labeling is called the best only if none of the measures is against it.

    Attributes
    ----------
    case
        "one" labeling; no more than "chance"; a "clear" best one; one that is highest by all measures but "tied" with
        others; the "nearest" to best by all; "several" that are not told apart; "all" of them; or it "depends" on what
        should count. "internal" without true labels, "nothing" without scores.
    sentences
        A tuple of at most three; the first is the headline.
    voices
        A tuple with what each measure says, the leading one first.
    core
        The names of the labelings that no measure tells apart from its best one, in the order of the leading measure.
    lead
        The name of the labeling that is named first.
    cautions
        A tuple of what is to be kept in mind, each with what it is ``about`` and its ``text``.

    Examples
    --------
    >>> import gpuval
    >>> truth = [0, 0, 0, 1, 1, 1] * 20
    >>> labelings = {"right": [1, 1, 1, 0, 0, 0] * 20, "coarse": [0, 0, 0, 0, 1, 1] * 20}
    >>> gpuval.compare(truth, labelings, ["ami", "ari", "nca"], confidence_level=0.95).verdict
    right agrees best, however you count: AMI 1.00, ahead of coarse by 0.52
    (0.40–0.65).
    """

    case: str
    sentences: tuple[str, ...]
    voices: tuple[Voice, ...]
    core: tuple[Any, ...]
    lead: Any
    cautions: tuple[Caution, ...]

    @property
    def headline(self) -> str:
        """The first sentence."""
        return self.sentences[0]

    @property
    def labelings(self) -> tuple[Any, ...]:
        """The labelings that the sentences compare: the best by each measure, and at most a few that all leave."""
        bests = dict.fromkeys(x.best for x in self.voices)
        core = dict.fromkeys(self.core) if len({*bests, *self.core}) <= _MOST_ROWS else {}
        lead = {self.lead: None} if self.voices else {}
        return tuple({**lead, **bests, **core})

    @property
    def decimals(self) -> int:
        """Of the scores."""
        return _decimals_of_voices(self.voices)

    def cell(self, name: Any, voice: Voice) -> str:
        """The mark of a labeling by one measure, and its score, if that is the best, or how far it is from that."""
        if math.isnan(voice.scores.get(name, math.nan)):
            return ""
        is_best = voice.mark(name) == HIGHEST
        text = score_text(voice.scores[name], self.decimals) if is_best else ""
        if not is_best and name in voice.gaps:
            text = gap_text(voice.gaps[name], self.decimals)
        return f"{voice.mark(name)} {text}".strip()

    def __repr__(self) -> str:
        parts = [wrap(" ".join(self.sentences))]
        if len(self.labelings) > 1:
            names = short_names([short_label(x, _LONGEST_NAME) for x in self.labelings], _WIDEST_NAME)
            rows = [
                [name, *(self.cell(x, v) for v in self.voices)] for name, x in zip(names, self.labelings, strict=True)
            ]
            heads = ["", *(x.title for x in self.voices)]
            parts.append(text_of_blocks(column_blocks([heads, *rows], left=range(len(heads)))))
        parts += [wrap(f"{CAUTION} {x.text}") for x in self.cautions]
        return for_terminal("\n".join(parts))

    def to_dict(self) -> dict[str, Any]:
        """All of it as texts, names and Python numbers."""
        voices = {
            x.name: {"best": x.best, "best_set": list(x.best_set), "scores": dict(x.scores), "gaps": dict(x.gaps)}
            for x in self.voices
        }
        found = {"case": self.case, "sentences": list(self.sentences), "lead": self.lead, "core": list(self.core)}
        return found | {"voices": voices, "cautions": [x.text for x in self.cautions]}


def _decimals_of_voices(voices: Iterable[Voice]) -> int:
    """How many decimals the scores of all have."""
    scores = [x for voice in voices for x in voice.scores.values()]
    intervals = [x for voice in voices for x in voice.intervals.values()]
    return decimals(scores, [low for low, _ in intervals], [high for _, high in intervals])


def judge(voices: Sequence[Voice], subject: Subject, margin: float, cautions: Iterable[Caution] = ()) -> Verdict:
    """The verdict of measures, the leading one first, which have scores of the same labelings."""
    names = list(dict.fromkeys(name for x in voices for name in x.scores))
    core = tuple(name for name in _by_score(voices[0], names) if all(name in x.best_set for x in voices))
    wording = _Wording(voices, subject, margin, core, names)
    case = _case(voices, core, names)
    said, lead = wording.of_case(case)
    more = [*said, *wording.reference(lead), *wording.choice(case), *wording.imbalance()][:_MOST_SENTENCES]
    found = [*cautions, *_cautions(voices, names, subject, wording.end if wording.is_compared else "")]
    return Verdict(case, tuple(more), tuple(voices), core, lead, _most_important(found))


def _most_important(cautions: Iterable[Caution]) -> tuple[Caution, ...]:
    return tuple(sorted(cautions, key=lambda x: CAUTIONS.index(x.about))[:_MOST_CAUTIONS])


def _by_score(voice: Voice, names: Iterable[Any]) -> list[Any]:
    """The best first; those without a score last."""
    sign = 1 if voice.direction == "lower" else -1
    return sorted(names, key=lambda x: (math.isnan(voice.scores[x]), sign * voice.scores[x], x not in [voice.best]))


def _case(voices: Sequence[Voice], core: Sequence[Any], names: Sequence[Any]) -> str:
    corrected = [x for x in voices if x.corrected]
    reach_0 = corrected and all(x.intervals and all(a <= 0 for a, _ in x.intervals.values()) for x in corrected)
    if reach_0 and len(core) == len(names):
        return "chance"
    if len(names) == 1:
        return "one"
    if len(core) == len(names):
        return "all"
    if len({_key(x.best) for x in voices}) == 1:
        return "clear" if all(len(x.best_set) == 1 for x in voices) else "tied"
    return {0: "depends", 1: "nearest"}.get(len(core), "several")


def _key(name: Any) -> Any:
    """A name, so that NaN equals itself."""
    return "nan" if name != name else (name,)


class _Wording:
    """The sentences about voices."""

    def __init__(
        self, voices: Sequence[Voice], subject: Subject, margin: float, core: Sequence[Any], names: Sequence[Any]
    ) -> None:
        self.voices, self.subject, self.margin, self.core, self.n_labelings = voices, subject, margin, core, len(names)
        self._name = _Names(names)
        self.leading = voices[0]
        self.is_compared = self.leading.is_compared
        ends = {ENDS[x.direction] for x in voices}
        self.end = ends.pop() if len(ends) == 1 else "first"  # as high scores of one are as good as low ones of another
        self.decimals = _decimals_of_voices(voices)

    def of_case(self, case: str) -> tuple[list[str], Any]:
        """The sentences of a case, and the labeling that is named first."""
        say: Callable[[], tuple[list[str], Any]] = getattr(self, f"_{case}")
        return say()

    def _one(self) -> tuple[list[str], Any]:
        name = self.leading.best
        scores = ", ".join(f"{x.title} {self._score(x, name)}" for x in self.voices)
        verb = "agrees with" if self.leading.intervals else "against"
        return [f"{self._name(name)} {verb} {self._truth}: {scores}."], name

    def _chance(self) -> tuple[list[str], Any]:
        return [f"No labeling can be told apart from chance agreement with {self._truth}."], self.leading.best

    def _clear(self) -> tuple[list[str], Any]:
        name, x = self.leading.best, self.leading
        if not self.is_compared:
            return [f"{self._name(name)} is {self.end}{self._however}: {x.title} {self._score(x, name)}."], name
        following = _by_score(x, x.gaps)[0]
        gap, interval = self._gap(x, following), self._gap_interval(x, following)
        ahead = f"ahead of {self._name(following)} by {gap}{interval}"
        number = score_text(x.scores[name], self.decimals)
        return [f"{self._name(name)} agrees best{self._however}: {x.title} {number}, {ahead}."], name

    def _tied(self) -> tuple[list[str], Any]:
        name = self.leading.best
        of_set: dict[Any, list[Voice]] = {}
        for x in self.voices:
            of_set.setdefault(frozenset(map(_key, x.best_set)), []).append(x)
        clauses = [self._tie(name, voices) for voices in of_set.values() if len(voices[0].best_set) > 1]
        full, short = (
            f"{self._name(name)} is {self.end}{self._however}; {'; '.join(some)}." for some in (clauses, clauses[:1])
        )
        return [full if len(full) <= LONGEST_SENTENCE else short], name

    def _tie(self, name: Any, voices: Sequence[Voice]) -> str:
        """Which labelings these measures do not tell apart from the best one."""
        x = voices[0]
        others = _join([self._name(other) for other in _by_score(x, x.best_set) if other not in [name]])
        many = len(x.best_set) > 2
        gaps = [v.gaps.get(other, math.nan) for v in voices for other in x.best_set if other not in [name]]
        what = "are equal to it" if many else "is equal to it"
        if any(gaps):
            what = "cannot be told apart from it"
            if any(self._is_close(v, other) for v in voices for other in x.best_set):
                what = f"{'are' if many else 'is'} behind by less than {self.margin:g} or by noise"
        said = f"{others} {what} by {_join([v.title for v in voices])}"
        if not any(gaps):
            own = [{other: v.gaps[other] for other in x.best_set if other in v.gaps} for v in voices]
            if any(are_of_common_samples(v.scores, v.best, some) for v, some in zip(voices, own, strict=True)):
                return f"{said}, on the {self.subject.unit}s that both have"
        return said

    def _nearest(self) -> tuple[list[str], Any]:
        (name,) = self.core
        ways = {2: "both ways", 3: "all three ways"}[len(self.voices)]
        if not self.is_compared:  # then it is equal to the highest
            return [f"{self._name(name)} is {self.end}, or equal to the {self.end}, by {ways} to count."], name
        behind = [x for x in self.voices if x.best not in [name] and name in x.gaps]
        if not behind:  # the samples that it shares with the best do not tell
            return [f"No labeling is best by {ways} to count.", f"{self._with_clusters(name)} comes nearest."], name
        gaps = _join([f"{self._gap(x, name)} in {x.title}" for x in behind])
        noise = [x for x in behind if abs(x.gaps[name]) >= self.margin or self._is_noise(x, name)]
        how = "within noise" if len(noise) == len(behind) else f"within noise or under {self.margin:g}"
        how = f"under {self.margin:g}" if not noise else how
        both = "both " * (len(behind) == 2)
        nearest = f"{self._with_clusters(name)} comes nearest: behind by {gaps}, {both}{how}."
        return [f"No labeling is best by {ways} to count.", nearest], name

    def _several(self) -> tuple[list[str], Any]:
        names = _join([self._name(x) for x in self.core])
        what = "cannot be told apart" if self.is_compared else "have equal scores"
        if any(self._is_close(x, name) for x in self.voices for name in self.core):
            what = f"differ from the best by less than {self.margin:g} or by noise"
        said = f"{len(self.core)} labelings {what}: {names}."
        known = {name: self.subject.n_clusters[name] for name in self.core if name in self.subject.n_clusters}
        fewest = [name for name, n in known.items() if n == min(known.values())]
        if len(fewest) == 1 and len(known) == len(self.core):
            said += f" {self._name(fewest[0])} has the fewest clusters ({count_text(known[fewest[0]])})."
        return [said], self.core[0]

    def _all(self) -> tuple[list[str], Any]:
        if all(len(x.gaps) == self.n_labelings - 1 and not any(x.gaps.values()) for x in self.voices):
            said = f"These {self.n_labelings} labelings have equal scores"
            if any(x.is_of_common_samples for x in self.voices):
                said += f" on the {self.subject.unit}s that {'both' if self.n_labelings == 2 else 'two of them'} have"
            return [f"{said}."], self.leading.best
        if any(self._is_close(x, name) for x in self.voices for name in self.core):
            said = f"These {self.n_labelings} labelings differ by less than {self.margin:g}, or by no more than noise."
            return [said], self.leading.best
        return [f"The data do not tell these {self.n_labelings} labelings apart."], self.leading.best

    def _depends(self) -> tuple[list[str], Any]:
        bests = {_key(x.best) for x in self.voices}
        silent = [x for x in self.voices if bests <= {_key(name) for name in x.best_set}]
        of_best: dict[Any, list[Voice]] = {}
        for x in self.voices:
            if x not in silent:
                of_best.setdefault(_key(x.best), []).append(x)
        behind = ""
        if silent and self.is_compared:
            by = _join([f"{self._unit_of(x)}s ({x.title})" if x.counts else x.title for x in silent])
            behind = f" By {by} {'neither is' if len(of_best) == 2 else 'none of them is'} behind."
        choices = list(of_best.values())
        full, short = (f"It depends on what should count: {x}.{behind}" for x in self._ways(choices))
        return [full if len(full) <= LONGEST_SENTENCE else short], choices[0][0].best

    def _ways(self, choices: Sequence[Sequence[Voice]]) -> tuple[str, str]:
        """Which labeling is the best by which measures, and the same without what these count."""
        full, short = [], []
        for place, voices in enumerate(choices):
            titles = ", ".join(x.title for x in voices)
            short.append(f"{self._name(voices[0].best)} by {titles}")
            name = self._with_clusters(voices[0].best, says_clusters=not place)
            counted = " or ".join(f"each {self._unit_of(x)}" for x in voices)
            is_known = all(x.counts for x in voices)
            full.append(f"{name} if {counted} does ({titles})" if is_known else f"{name} by {titles}")
        return ", ".join(full), ", ".join(short)

    def reference(self, name: Any) -> Iterator[str]:
        """Which of several references a labeling fits best."""
        titles: dict[Any, list[str]] = {}
        for x in self.voices:
            if name in x.references:
                titles.setdefault(x.references[name], []).append(x.title)
        fits = [f"“{short_label(x, _WIDEST_NAME)}”{f' by {_join(y)}' * (len(titles) > 1)}" for x, y in titles.items()]
        if fits and len(self.subject.references) > 1:
            yield f"Of {len(self.subject.references)} references, {self._name(name)} fits {_join(fits)} best."

    def choice(self, case: str) -> Iterator[str]:
        """That the leading measure alone cannot choose."""
        n = len(self.leading.best_set)
        if case == "nearest" and self.is_compared and n > 1:
            yield f"{self.leading.title} alone cannot choose between {n} of the {self.n_labelings}."

    def imbalance(self) -> Iterator[str]:
        """How much the largest class weighs, if classes are imbalanced and a measure counts pairs."""
        sizes = {name: n for name, n in self.subject.class_sizes.items() if n > 0}
        of_pairs = [x for x in self.voices if x.counts == "pair"]
        total, squares = math.fsum(sizes.values()), math.fsum(n * n for n in sizes.values())
        if not of_pairs or len(sizes) < 2 or total**2 / squares >= _IMBALANCED * len(sizes):
            return
        largest = max(sizes, key=lambda name: sizes[name])
        share, of_all_pairs = sizes[largest] / total, sizes[largest] ** 2 / squares
        by_class = [x.title for x in self.voices if x.counts == "class"]
        by_sample = [x.title for x in self.voices if x.counts == "sample" and x.corrected]
        then = f", then {by_class[0]} for rare classes" if by_class else ""
        advice = f" Read {by_sample[0]} first{then}." if by_sample else ""
        of_samples = f"{_class_name(largest)} is {share_text(share)} of the {self.subject.unit}s"
        of_pairs_text = f"{share_text(of_all_pairs)} of the pairs that {of_pairs[0].title} counts"
        said = f"The classes are imbalanced: {of_samples}, and {of_pairs_text}."
        yield said + advice if len(said + advice) <= LONGEST_SENTENCE else said

    @property
    def _however(self) -> str:
        """By which measures, if not by several that count different things alike."""
        if len({x.counts for x in self.voices if x.counts}) > 1:
            return ", however you count"
        return "" if len(self.voices) == 1 else " by both measures" if len(self.voices) == 2 else " by all measures"

    def _is_close(self, voice: Voice, name: Any) -> bool:
        """Whether a labeling of the best set is behind by more than noise, but by less than the margin."""
        return (
            voice.gap_intervals.get(name, None) is not None
            and voice.gaps.get(name, 0) != 0
            and not (self._is_noise(voice, name))
        )

    @property
    def _truth(self) -> str:
        if self.subject.references:
            return "the reference that fits best"
        return "the true labels" if self.subject.truth is None else f"“{short_label(self.subject.truth, _WIDEST_NAME)}”"

    def _unit_of(self, voice: Voice) -> str:
        return self.subject.unit if voice.counts == "sample" else voice.counts

    def _with_clusters(self, name: Any, *, says_clusters: bool = True) -> str:
        n = self.subject.n_clusters.get(name)
        return self._name(name) if n is None else f"{self._name(name)} ({count_text(n)}{' clusters' * says_clusters})"

    def _score(self, voice: Voice, name: Any) -> str:
        text = score_text(voice.scores[name], self.decimals)
        ends = voice.intervals.get(name)
        return text if ends is None else f"{text} ({interval_text(*ends, self.decimals)})"

    def _gap(self, voice: Voice, name: Any) -> str:
        return score_text(abs(voice.gaps[name]), self.decimals)

    def _gap_interval(self, voice: Voice, name: Any) -> str:
        if name not in voice.gap_intervals:
            return ""
        low, high = sorted(map(abs, voice.gap_intervals[name]))
        return f" ({TO.join(score_text(x, self.decimals) for x in (low, high))})"

    def _is_noise(self, voice: Voice, name: Any) -> bool:
        low, high = voice.gap_intervals[name]
        return low < 0 < high


class _Names:
    """What labelings are called within sentences: shortened so that no two become equal."""

    def __init__(self, names: Sequence[Any]) -> None:
        short = short_names([short_label(x, _LONGEST_NAME) for x in names], _WIDEST_NAME)
        self._names = {_key(name): _with_kind(text, "labeling") for name, text in zip(names, short, strict=True)}

    def __call__(self, name: Any) -> str:
        return self._names[_key(name)]


def _class_name(name: Any) -> str:
    return _with_kind(short_label(name, _WIDEST_NAME), "class")


def _with_kind(text: str, kind: str) -> str:
    """A name within a sentence; what it is stands before a number."""
    return f"{kind} {text}" if text.replace(".", "").replace("-", "").isdigit() else text


def _join(texts: Sequence[str]) -> str:
    """Texts as an enumeration; of many the first ones, and the number of the others."""
    shown = texts if len(texts) <= _MOST_NAMES + 1 else [*texts[:_MOST_NAMES], f"{len(texts) - _MOST_NAMES} more"]
    return join_texts(shown)


def _cautions(voices: Sequence[Voice], names: Sequence[Any], subject: Subject, end: str) -> Iterator[Caution]:
    """What is to be kept in mind, as far as sizes and numbers tell; the best of compared labelings is at one end."""
    unit = f"{subject.unit}s"
    small = {name: n for name, n in subject.class_sizes.items() if 0 < n < FEWEST_OF_CLASS}
    if small and all(float(n).is_integer() for n in small.values()):  # and no sums of weights
        in_order = sorted(small, key=lambda name: -small[name])
        texts = _join([f"{short_label(name, _WIDEST_NAME)} ({count_text(small[name])})" for name in in_order])
        subjects = "1 class has" if len(small) == 1 else f"{len(small)} classes have"
        yield Caution("classes", f"{subjects} under {FEWEST_OF_CLASS} {unit}: {texts}.")
    n_classes = sum(n > 0 for n in subject.class_sizes.values())
    few = {name: subject.n_clusters[name] for name in names if subject.n_clusters.get(name, n_classes) < n_classes / 2}
    if few:
        called = _Names(names)
        texts = _join([f"{called(name)} ({count_text(n)})" for name, n in few.items()])
        yield Caution("clusters", f"Far fewer clusters than the {count_text(n_classes)} classes: {texts}.")
    if len(names) >= _MANY_LABELINGS and end:
        yield Caution("luck", f"The {end} of {len(names)} labelings is partly the luckiest.")
    if subject.n_ignored:
        total = f" of {count_text(subject.n_samples)}" if subject.n_samples else ""
        said = f"Up to {count_text(subject.n_ignored)}{total} {unit} are ignored."
        if end and any(x.is_of_common_samples for x in voices):
            said += f" Two labelings are compared by those that both have: the best one need not have the {end} score."
        yield Caution("ignored", said)
    lack = [name for name in names if any(_has_no_samples_in_common(x, name) for x in voices)]
    if lack:
        called = _Names(names)
        texts = _join([called(name) for name in lack])
        yield Caution("ignored", f"Not compared, as it has no {unit} in common with the best labeling: {texts}.")


def _has_no_samples_in_common(voice: Voice, name: Any) -> bool:
    return voice.is_compared and name not in [voice.best, *voice.gap_intervals] and not math.isnan(voice.scores[name])


def _own_text(score: float) -> str:
    """A score that is beside no others of its measure."""
    return score_text(score, decimals([score]))


def judge_internal(
    bests: Mapping[str, BestLabeling], n_labelings: int, cautions: Iterable[Caution] = (), apart: str = ""
) -> Verdict:
    """What is said without measures of agreement: by the title of each internal one the labeling with the best score.

    ``apart`` is the unit of the samples if labelings have scores that cannot be compared, as none of the samples counts
    in two of them.
    """
    if apart:
        text = f"Not compared, as the labeling with the best score has no {apart} in common with others."
        cautions = [Caution("ignored", text), *cautions]
    found = _most_important(cautions)
    called = _Names([x.name for x in bests.values()])
    shown = list(bests.items())[:MOST_VOICES]
    if not shown:
        return Verdict("nothing", ("None of these measures says which labeling to take.",), (), (), None, found)
    if n_labelings == 1:
        scores = ", ".join(f"{title} {_own_text(plain(x.score))}" for title, x in shown)
        said = f"{called(shown[0][1].name)}: {scores}."
    else:
        listed = "; ".join(f"{ENDS[x.direction]} {title}: {called(x.name)}" for title, x in shown)
        said = f"{listed[0].upper()}{listed[1:]}."
    doubt = "These measure the shape of clusters, and not whether they are true."
    return Verdict("internal", (said, doubt), (), (), shown[0][1].name, found)
