"""The scores of a report: of all samples, of each value of ``by``, and of all pairs of labelings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from gpuval.evaluation.clustering.evaluation import compare, pairwise
from gpuval.evaluation.results.evaluations import Comparison
from gpuval.evaluation.results.pairwise_scores import PairwiseScores
from gpuval.reporting.found.asked import ReportMeasures
from gpuval.table.contingency import Contingency


def scored(asked: ReportMeasures) -> Comparison:
    """The scores of each labeling, external ones with intervals, in the order asked for."""
    given = asked.given
    external = internal = None
    if given.labels_true is not None and asked.measures.external:
        external = _with_intervals(asked)
    if given.X is not None and asked.measures.internal:
        samples = {"X": given.X, "progress": given.progress}
        internal = compare(given.labels_true, given.labelings, asked.internal, **given.which_count, **samples)
    if external is None or internal is None:
        found = internal if external is None else external
        assert found is not None
        return found
    names = asked.measures.names
    merged = {name: scores.joined(internal[name], names) for name, scores in external.items()}
    return Comparison(merged, external.leads)


def _with_intervals(asked: ReportMeasures) -> Comparison:
    given = asked.given
    try:
        return compare(
            given.labels_true,
            given.labelings,
            asked.external,
            **given.which_count,
            confidence_level=given.level,
            groups=given.groups,
            n_resamples=given.n_resamples,
            random_state=given.random_state,
        )
    except ValueError as error:
        if str(error).startswith("an interval needs a table of counts"):
            raise ValueError(
                "sample_weight must count samples where there are intervals, got real weights or fractions; use "
                "weights of an integer type, or confidence_level=None for no intervals"
            ) from None
        raise


def scored_apart(asked: ReportMeasures, name: Any) -> Comparison:
    """The scores of one measure of each labeling for each value of ``by``."""
    given = asked.given
    is_external = name in asked.measures.external
    measure = asked.measures.external[name] if is_external else asked.internal[name]
    samples = {} if is_external else {"X": given.X, "progress": given.progress}
    return compare(given.labels_true, given.labelings, {name: measure}, **given.which_count, by=given.by, **samples)


def scored_pairs(asked: ReportMeasures, labelings: Mapping[Any, Any], metric: Any) -> PairwiseScores:
    """The scores of all pairs of labelings."""
    given = asked.given
    ignored = replace(given.ignore_labels, true=given.ignore_labels.pred)
    return pairwise(labelings, metric, sample_weight=given.sample_weight, ignore_labels=ignored)


def table_of_labeling(asked: ReportMeasures, name: Any) -> Contingency:
    """The table of the classes and of one labeling."""
    return Contingency.from_labels(asked.given.labels_true, asked.given.labelings[name], **asked.given.which_count)
