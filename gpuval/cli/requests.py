"""What to score in a file: the measures of --metrics, the columns, and the results with their notes."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from gpuval.cli.files.columns import Matrix
from gpuval.cli.ignored_labels import IgnoreOptions
from gpuval.cli.terminal import own_command
from gpuval.measures.result import rename_arguments

if TYPE_CHECKING:
    from gpuval.results.inferences import ScoreEstimate


Scores = Mapping[Any, Mapping[str, "float | ScoreEstimate | str"]]
"""What there is to say of every labeling, or of every (labeling, value of --by): count or metric -> number.

Of several columns of true labels, "reference" names the one that the counts are of, and "metric.reference" that of a
score.
"""

REFERENCE = "reference"


class Embedding(NamedTuple):
    """Where the samples are."""

    name: str
    """The text of --embedding."""
    X: Matrix
    columns: Sequence[str]
    """The columns of the file that X is of; none, if it is a matrix by itself."""


@dataclass(frozen=True)
class WhatToScore:
    """What is asked for of the columns, beside the true labels and the clusters."""

    metrics: MetricsRequest
    ignored: IgnoreOptions = field(default_factory=IgnoreOptions)
    weight: str | None = None
    by: str | None = None
    groups: str | None = None
    level: float | None = None
    n_resamples: int = 999
    seed: int = 0
    samples: Embedding | None = None
    unit: str = "sample"
    """What one sample is."""


class Emphasis(NamedTuple):
    """Which scores are marked, and of which groups only the scores are shown."""

    marks: Mapping[tuple[Any, str], str] | None = None
    """By labeling and measure the mark of a score that is the best, or is not told apart from it.

    None if the best scores are marked, as there are no intervals.
    """
    small: Collection[Any] = ()
    """The labelings and values of --by with too few samples for intervals and marks."""
    of_common_samples: bool = False
    """Whether marks are not by the scores, but by those of the samples that two labelings have in common."""


NO_EMPHASIS = Emphasis()


@dataclass(frozen=True)
class ScoresOfColumns:
    """The scores, which labeling is the best, as sentences, and the columns that are no labels, with the reason."""

    scores: Scores
    best: Sequence[str]
    emphasis: Emphasis
    left_out: Mapping[str, str]
    notes: Sequence[str]
    """What else there is to say, as sentences."""


# Rewrites errors about arguments of the library as errors about options of the command line.


def said_of_options(message: str, asked: WhatToScore) -> str:
    """A message that begins with an argument, of the option, and with places in X as they are in the file."""
    names = {"groups": f"--groups {asked.groups!r}", "by": f"--by {asked.by!r}", "sample_weight": "--weight"}
    if asked.samples is not None:
        names["X"] = f"--embedding {asked.samples.name!r}"
        message = _with_place_in_file(message, asked.samples)
    subject, _, rest = message.partition(" ")
    rest = rest.replace(" where by is ", f" where --by {asked.by!r} is ")
    return f"{names.get(subject, subject)} {rest}"


def _with_place_in_file(message: str, samples: Embedding) -> str:
    """A message about a number of X, with its row counted from 1, as all rows of files, and its column by its name."""
    found = re.fullmatch(r"(X must .* in row )(\d+), column (\d+)", message)
    if found is None:
        return message
    column = int(found[3])
    name = repr(samples.columns[column]) if samples.columns else column + 1
    return f"{found[1]}{int(found[2]) + 1}, column {name}"


# Reads --metrics: splits external and internal measures, and checks them before a file is opened.

_CALLED = {
    "metrics must": "--metrics must",
    "labels_true must": "--true must",
    "X must": "--embedding must",
    "sample_weight must": "--weight must",
}
"""What options are called in Python: with the word behind them, as calls that messages show have other ones."""


class MetricsRequest(NamedTuple):
    """The measures that are asked for, by their full names."""

    external: Literal["all"] | Sequence[str] | None = None
    """Those of a table of labels; None for the usual ones."""
    internal: Sequence[str] = ()
    """Those of samples and labels."""
    in_order: Sequence[str] = ()
    """All of them in the order in which they are named; none, if they are not named one by one."""

    @property
    def has_external(self) -> bool:
        """Whether there are measures of a table of labels."""
        return self.external is None or len(self.external) > 0


def metric_names(
    texts: Sequence[str], *, has_truth: bool = True, has_samples: bool = False, has_weights: bool = False
) -> MetricsRequest:
    """The measures that the texts of --metrics ask for, of what there is: true labels, samples, weights."""
    from gpuval.registry.requests import read_metrics  # only now: it loads the measures

    names = [name for text in texts for x in text.split(",") if (name := x.strip())]
    if texts and not names:
        raise ValueError("--metrics must name at least one measure")
    given: Literal["all"] | Sequence[str] | None = "all" if "all" in map(str.lower, names) else names or None
    if has_truth and not has_samples:
        with suppress(TypeError, ValueError):  # what is wrong, or of samples, is said below
            external, are_named = read_metrics(given)
            return MetricsRequest(list(external), (), list(external)) if are_named else MetricsRequest(given)
    from gpuval.evaluation.internal_scores import read_external_and_internal  # only now: few ask for these measures

    lists = {"gpuval.METRICS has them all": f"'{own_command()} metrics' lists them all"}
    with rename_arguments(**_CALLED, **lists):
        asked = read_external_and_internal(given, has_truth=has_truth, has_weights=has_weights, has_samples=has_samples)
    if asked.are_named:
        return MetricsRequest(list(asked.external), list(asked.internal), asked.names)
    return MetricsRequest(given if has_truth else (), list(asked.internal))
