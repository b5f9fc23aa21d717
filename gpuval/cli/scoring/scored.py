"""What to score in a file, and the results with their notes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from gpuval.cli.asked.ignored_labels import IgnoredByOptions
from gpuval.cli.asked.metrics import AskedMetrics
from gpuval.cli.files.columns import Matrix

if TYPE_CHECKING:
    from gpuval.evaluation.inference.estimation.estimates import ScoreEstimate

Scores = Mapping[Any, Mapping[str, "float | ScoreEstimate"]]
"""What there is to say of every labeling, or of every (labeling, value of --by): count or metric -> number."""


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

    metrics: AskedMetrics
    ignored: IgnoredByOptions = field(default_factory=IgnoredByOptions)
    weight: str | None = None
    by: str | None = None
    groups: str | None = None
    level: float | None = None
    n_resamples: int = 999
    seed: int = 0
    samples: Embedding | None = None


@dataclass(frozen=True)
class ScoresOfColumns:
    """The scores, which labeling is the best, as sentences, and the columns that are no labels, with the reason."""

    scores: Scores
    best: Sequence[str]
    left_out: Mapping[str, str]
    notes: Sequence[str]
    """What else there is to say, as sentences."""
