"""The scores of a report: of all samples, of the values of ``by``, and of all pairs of labelings."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gpuval.engines.backends import is_array, to_host
from gpuval.evaluation.clustering.arguments import Metrics
from gpuval.evaluation.clustering.evaluation import compare, pairwise
from gpuval.evaluation.clustering.samples.asked import AskedOfBoth, InternalMeasure, read_external_and_internal
from gpuval.evaluation.inference.beside_scores.asked import read_intervals
from gpuval.evaluation.results.evaluations import Comparison, Evaluation
from gpuval.evaluation.results.pairwise_scores import PairwiseScores
from gpuval.geometry.sampling import check_sampling
from gpuval.metrics.internal.silhouette import silhouette_score
from gpuval.numerics import NDArray
from gpuval.table.contingency import Contingency

Labelings = Mapping[Any, Any]
"""Label vectors by their names."""


@dataclass(frozen=True, eq=False)
class WhatToReport:
    """The labelings and what is asked for of them, as ``gpuval.report`` takes them."""

    labels_true: Any
    labelings: Labelings
    X: Any
    by: Any
    groups: Any
    metrics: Metrics
    sample_weight: Any
    ignore_labels: Any
    confidence_level: float | None
    n_resamples: int
    random_state: Any
    silhouette_sample_size: int | None
    progress: bool

    @property
    def has_truth(self) -> bool:
        """Whether there are true labels."""
        return self.labels_true is not None

    @property
    def level(self) -> float | None:
        """The level of intervals, which only external scores have."""
        return self.confidence_level if self.has_truth else None

    @functools.cached_property
    def asked(self) -> AskedOfBoth:
        """The measures."""
        return read_external_and_internal(
            self.metrics,
            has_truth=self.has_truth,
            has_weights=self.sample_weight is not None,
            has_samples=self.X is not None,
        )

    def check(self) -> None:
        """Check what can be told before anything is read: measures, intervals, and what is drawn."""
        if not self.has_truth and self.X is None:
            raise ValueError("labels_true must be given without X, got None")
        _ = self.asked
        read_intervals(self.level, self.groups, self.n_resamples, self.random_state)

    def with_silhouettes_of(self, sample_size: int | None) -> WhatToReport:
        """The same with silhouettes of so many samples, if there are more that count in each labeling."""
        check_sampling(sample_size, False, self.random_state)
        if sample_size is not None and sample_size < 2:
            raise ValueError(f"sample_size must be at least 2, got {sample_size}")
        if sample_size is None or self.X is None:
            return self
        counted = None if self.sample_weight is None else _on_host(self.sample_weight) > 0
        tables = (
            Contingency.from_labels(
                labels if self.labels_true is None else self.labels_true,
                labels,
                ignore_labels=self.ignore_labels,
                sample_weight=counted,
            )
            for labels in self.labelings.values()
        )
        fewest = min(int(to_host(table.total)) for table in tables)
        return replace(self, silhouette_sample_size=sample_size if sample_size < fewest else None)

    @property
    def building(self) -> dict[str, Any]:
        """The arguments that say which samples count."""
        return {"sample_weight": self.sample_weight, "ignore_labels": self.ignore_labels}

    @property
    def external(self) -> Metrics:
        """The external measures, as ``compare`` takes them."""
        return dict(self.asked.external) if self.asked.are_named else self.metrics

    @property
    def internal(self) -> dict[Any, Any]:
        """The internal measures, silhouettes of as many samples as are to be drawn."""
        return {name: self._of_some_samples(x) for name, x in self.asked.internal.items()}

    def _of_some_samples(self, measure: InternalMeasure) -> Any:
        options = dict(measure.options)
        is_sampled = measure.metric is silhouette_score and "sample_size" not in options
        if is_sampled and self.silhouette_sample_size is not None:
            options |= {"sample_size": self.silhouette_sample_size, "random_state": self.random_state}
        return functools.partial(measure.metric, **options)


def scored(asked: WhatToReport) -> Comparison:
    """The scores of each labeling, external ones with intervals, in the order asked for."""
    external = internal = None
    if asked.has_truth and asked.asked.external:
        external = _with_intervals(
            asked.labels_true,
            asked.labelings,
            asked.external,
            **asked.building,
            confidence_level=asked.level,
            groups=asked.groups,
            n_resamples=asked.n_resamples,
            random_state=asked.random_state,
        )
    if asked.X is not None and asked.asked.internal:
        internal = compare(
            asked.labels_true, asked.labelings, asked.internal, **asked.building, X=asked.X, progress=asked.progress
        )
    if external is None or internal is None:
        found = external or internal
        assert found is not None
        return found
    merged = {name: _merged(asked, scores, internal[name]) for name, scores in external.items()}
    return Comparison(merged, external.best)


def _with_intervals(*arguments: Any, **options: Any) -> Comparison:
    try:
        return compare(*arguments, **options)
    except ValueError as error:
        if str(error).startswith("an interval needs"):
            raise ValueError(f"{error}; or confidence_level=None, for no intervals") from None
        raise


def _merged(asked: WhatToReport, external: Evaluation, internal: Evaluation) -> Evaluation:
    found = dict(external) | dict(internal)
    return external.with_scores({name: found[name] for name in asked.asked.names if name in found})


def measure_apart(asked: WhatToReport, first: Any) -> Any:
    """The measure that is found for each value of ``by``: the first one, but no silhouette of samples that are drawn.

    None if there is no other.
    """
    drawn = {name for name, x in asked.internal.items() if "sample_size" in x.keywords}
    names = [name for name in asked.asked.names if name not in drawn]
    return first if first in names else next(iter(names), None)


def scored_apart(asked: WhatToReport, measure: Any) -> Comparison:
    """The scores of one measure of each labeling for each value of ``by``."""
    is_external = measure in asked.asked.external
    one = asked.asked.external[measure] if is_external else asked.internal[measure]
    of_samples = {} if is_external else {"X": asked.X, "progress": asked.progress}
    return compare(asked.labels_true, asked.labelings, {measure: one}, **asked.building, by=asked.by, **of_samples)


def scored_pairs(asked: WhatToReport, labelings: Labelings, metric: Any) -> PairwiseScores:
    """The scores of all pairs of labelings."""
    return pairwise(labelings, metric, **asked.building)


def table_of_labeling(asked: WhatToReport, name: Any) -> Contingency:
    """The table of the classes and of one labeling."""
    return Contingency.from_labels(asked.labels_true, asked.labelings[name], **asked.building)


def _on_host(weights: Any) -> NDArray:
    return to_host(weights) if is_array(weights) else np.asarray(weights)
