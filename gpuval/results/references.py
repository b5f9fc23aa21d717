"""Several true labelings of the same samples, such as those of a benchmark: the score of the one that fits best."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gpuval.engines.backends import backend_of, is_array
from gpuval.inputs.labels import labelings_by_name, name_of_labels
from gpuval.results.evaluations import Evaluation, ReferenceChoice
from gpuval.results.inferences import ScoreEstimates
from gpuval.results.scores import ByMeasure
from gpuval.results.texts import Subject, best_places


@dataclass(frozen=True)
class References:
    """True labels as they are given: one labeling, or several by their names."""

    names: tuple[Any, ...] | None
    """None of a single one."""
    vectors: Mapping[str, Any]
    """Label vectors by the names that messages use."""

    @classmethod
    def read(cls, labels_true: Any) -> References:
        """A mapping or a frame holds several labelings; all else is one."""
        if isinstance(labels_true, Mapping) or hasattr(labels_true, "columns"):
            names, vectors = labelings_by_name(labels_true, "labels_true")
            return cls(tuple(names), vectors)
        return cls(None, {"labels_true": labels_true})

    @property
    def first(self) -> Any:
        """The first of the label vectors; None if there is none."""
        return next(iter(self.vectors.values()), None)

    @property
    def labels(self) -> Any:
        """What stands for them as ``labels_true``: it can be read many times."""
        return self.first if self.names is None else dict(zip(self.names, self.vectors.values(), strict=True))

    def vector(self, name: Any) -> Any:
        """The label vector of a name; the single one, whatever the name is."""
        return self.first if self.names is None else self.labels[name]

    @property
    def subject(self) -> Subject:
        """What sentences say of them."""
        return Subject(name_of_labels(self.first) if self.names is None else None, references=self.names or ())


NO_REFERENCES = References(None, {})
"""Where there are internal measures alone."""


def best_evaluation(
    names: Sequence[Any] | None, by_place: Mapping[int, Evaluation], voices: Iterable[Any]
) -> Evaluation:
    """The best score of each measure, of the evaluations of one labeling with each reference (copies to the host).

    Scores that are not better one way are of the reference that fits best by the leading measure: the first voice of
    the verdict, or the first measure that is better one way. Without names there is a single reference.
    """
    evaluations = list(by_place.values())
    first = evaluations[0]
    if names is None or not first:
        return first
    names = [names[place] for place in by_place]
    directed = [key for key in dict.fromkeys([*voices, *first]) if first.directions.get(key)]
    if not directed:
        raise ValueError(
            "metrics must have a measure of agreement of which higher or lower scores are better, to tell which "
            f"reference fits best, got {', '.join(map(str, first))}"
        )
    _check_known([x[key] for x in evaluations for key in directed])
    places = best_places([x.shown() for x in evaluations], [range(len(names))])
    best = {key: some[0] for key, some in places.items() if some}
    leading = next((best[key][0] for key in directed if key in best), 0)
    chosen = {key: leading if leading in best.get(key, [leading]) else best[key][0] for key in first}
    scores = {key: evaluations[place][key] for key, place in chosen.items()}
    intervals = None
    if first.intervals is not None:
        estimates: list[Mapping[Any, Any]] = [x.intervals or {} for x in evaluations]
        known = {key: place for key, place in chosen.items() if key in estimates[place]}
        intervals = ScoreEstimates({key: estimates[place][key] for key, place in known.items()})
    return Evaluation(
        scores,
        intervals,
        evaluations[leading].counted,
        first.measures,
        ReferenceChoice(
            names[leading],
            ByMeasure({key: names[place] for key, place in chosen.items()}),
            dict(zip(names, evaluations, strict=True)),
        ),
    )


def _check_known(scores: Iterable[Any]) -> None:
    """Check that scores have values, which tell the best of them."""
    for score in scores:
        if is_array(score):
            backend_of(score).check_known(
                score, "labels_true must be a single labeling", "scores of several references"
            )
