"""Turns a formula of samples in clusters into a public measure: its arguments, what it reads, and how it returns."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from inspect import Parameter
from typing import Any, Literal, NamedTuple

from gpuval.geometry.blocks import InBlocks, InMemory, read_clusters
from gpuval.geometry.distances.precomputed import read_samples_or_distances
from gpuval.geometry.moments import Moments
from gpuval.geometry.points import Distance, Points, distance_name
from gpuval.geometry.progress import Progress
from gpuval.inputs.options import option_error
from gpuval.measures.documents import (
    COMMON,
    DISTANCE,
    LABELS,
    PER_LABEL,
    PROGRESS,
    SAMPLES,
    SAMPLES_IN_BLOCKS,
    SAMPLES_OR_MOMENTS,
    WEIGHTS,
    document_by_name,
)
from gpuval.measures.measure import Family, Values
from gpuval.measures.result import Formula
from gpuval.measures.samples import (
    LabelValues,
    OnDegenerate,
    as_score,
    as_score_of_any,
    groups_of,
    is_degenerate,
    no_score,
)
from gpuval.numerics import Array

Reads = Literal["itself", "distances", "clusters", "moments"]

_TEXTS = (LABELS, DISTANCE, WEIGHTS, COMMON, PER_LABEL, PROGRESS)
_BUILDING = "sample_weight", "ignore_labels", "n_clusters"


def internal_measure(
    formula: Formula,
    reads: Reads = "itself",
    beyond_moments: str = "",
    weighs: bool = True,
    has_unit: bool = False,
    of_each_label: bool = False,
    values: Values = "one",
    check: Callable[..., None] | None = None,
) -> Any:
    """Make a public measure of a formula, whose own options are keywords.

    By what the measure ``reads``, the formula is

    - "distances": ``f(points, metric, progress, *, options)``, of the distances between samples;
    - "clusters": ``f(clusters, *, options)``, of samples in memory or in the blocks of Dask;
    - "moments": ``f(moments, *, options)``, of the moments of these clusters;
    - "itself": the measure, which reads its arguments itself. Only its docstring is completed.

    Clusters and moments may be those of an accumulator, unless the measure needs something ``beyond_moments``, which
    its message names. One that ``has_unit`` reads samples in their own unit. One that does not weigh takes no weights.
    One ``of_each_label`` returns the score and that of each label, and is defined for any number of clusters.
    ``check(X, *, options)``, of all its options, is called before X is read.
    """
    if reads == "itself":
        return document_by_name(formula, SAMPLES, *_TEXTS)
    takes_moments = reads != "distances" and not beyond_moments
    left_out = {"on_degenerate" if of_each_label else "return_per_label", "" if weighs else "sample_weight"}
    parameters = _parameters(formula, reads == "distances", takes_moments, left_out)
    defaults = {x.name: x.default for x in parameters if x.kind is x.KEYWORD_ONLY}

    def read(X: Any, labels: Any, given: dict[str, Any]) -> _Reading:
        building = {name: given[name] for name in _BUILDING if name in given}
        if reads == "distances":
            return _read_distances(X, labels, given, building)
        if beyond_moments and isinstance(X, Moments):
            raise TypeError(f"X must be samples, got moments: they do not hold {beyond_moments}")
        clusters = _read_clusters(formula.__name__, X, labels, takes_moments, not has_unit, building)
        return _Reading(clusters.clustered, lambda f: f(clusters.moments() if reads == "moments" else clusters))

    def compute(X: Any, labels: Any, options: dict[str, Any]) -> Any:
        for name in options:
            if name not in defaults:
                raise option_error(formula.__name__, name, defaults)
        given = defaults | options
        if check is not None:
            check(X, **given)
        clustered, evaluate = read(X, labels, given)
        with_options = functools.partial(formula, **{name: given[name] for name in formula.__kwdefaults__ or ()})
        if of_each_label:
            return _with_labels(evaluate(with_options), clustered, given["return_per_label"])
        if is_degenerate(clustered, given["on_degenerate"]):
            return no_score(clustered, (clustered.n_samples,) if values == "samples" else ())
        return as_score(evaluate(with_options), clustered)

    @functools.wraps(formula)
    def score_samples(X: Any, labels: Any, **options: Any) -> Any:
        return compute(X, labels, options)

    @functools.wraps(formula)
    def score_samples_or_moments(X: Any, labels: Any = None, **options: Any) -> Any:
        return compute(X, labels, options)

    score: Any = score_samples_or_moments if takes_moments else score_samples
    score.takes_moments = takes_moments
    score.__signature__ = inspect.Signature(parameters, return_annotation="Any")
    samples = SAMPLES_OR_MOMENTS if takes_moments else SAMPLES if reads == "distances" else SAMPLES_IN_BLOCKS
    return document_by_name(score, samples, *_TEXTS)


INTERNAL = Family("samples and labels (internal)", internal_measure, needs="samples")


# The arguments of measures.


def _shared(
    X: Any,
    labels: Any = None,
    *,
    metric: Distance = "euclidean",
    absent: float | None = None,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_clusters: int | None = None,
    on_degenerate: OnDegenerate = "raise",
    return_per_label: bool = False,
    progress: bool = False,
) -> None:
    """The arguments that measures share, in their order."""


def _parameters(formula: Formula, are_distances: bool, takes_moments: bool, left_out: set[str]) -> list[Parameter]:
    """Those of a measure: the shared ones, and those of its formula before the weights."""
    own = [x for x in inspect.signature(formula).parameters.values() if x.kind is x.KEYWORD_ONLY]
    X, labels, metric, absent, *others, progress = inspect.signature(_shared).parameters.values()
    others = [x for x in others if x.name not in left_out]
    if not takes_moments:
        labels = labels.replace(default=labels.empty)
    return [X, labels, metric, absent, *own, *others, progress] if are_distances else [X, labels, *own, *others]


# What measures read.


class _Reading(NamedTuple):
    """What was read."""

    clustered: Any
    """What a score needs to know of the clusters when it is returned."""
    evaluate: Callable[[Formula], Any]
    """Calls a formula with what it takes."""


def _read_distances(X: Any, labels: Any, given: dict[str, Any], building: dict[str, Any]) -> _Reading:
    metric = distance_name(given["metric"])
    points = read_samples_or_distances(X, labels, metric, given["absent"], **building)

    def evaluate(formula: Formula) -> Any:
        with Progress(points.n_samples, given["progress"]) as progress:
            return formula(points, metric, progress)

    return _Reading(points, evaluate)


class _AccumulatorClusters:
    """Clusters of an accumulator: their moments are given, not the samples."""

    def __init__(self, moments: Moments) -> None:
        self.clustered = moments

    def moments(self) -> Moments:
        """The moments of the clusters."""
        return self.clustered


Clusters = InMemory | InBlocks | _AccumulatorClusters
"""What the moments of clusters can be read from."""


def _read_clusters(
    name: str, X: Any, labels: Any, takes_moments: bool, in_any_unit: bool, building: dict[str, Any]
) -> Clusters:
    """The clusters of samples and labels, or of the moments of an accumulator, for the measure of this name."""
    if isinstance(X, Moments):
        for argument, value in {"labels": labels, **building}.items():
            if value is not None:
                raise TypeError(
                    f"{argument} cannot be given to {name} with moments; give it where the samples are accumulated"
                )
        return _AccumulatorClusters(X)
    if labels is None and takes_moments:
        raise TypeError(
            f"labels must be given with samples; without labels, X must be the moments of an InternalAccumulator, "
            f"got {type(X).__name__}"
        )
    return read_clusters(X, labels, in_any_unit=in_any_unit, **building)


def _with_labels(scores: tuple[Array, Array], clustered: Points | Moments, return_per_label: bool) -> Any:
    """The score as it is returned, with those of the clusters that have samples if they were asked for."""
    whole, of_each = scores
    whole = as_score_of_any(whole, clustered)
    if not return_per_label:
        return whole
    groups = groups_of(clustered)
    each = clustered.xp.take(of_each, clustered.backend.from_host(groups.codes, clustered.masses))
    return LabelValues(whole, groups.labels, as_score_of_any(each, clustered))
