"""Intervals of the scores of columns, and which labeling is the best."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gpuval.report.cli.scoring.labels import as_given
from gpuval.report.cli.scoring.report import WhatToScore
from gpuval.report.files.columns import Frame


def with_intervals(
    found: Mapping[Any, Mapping[str, Any]],
    values: Sequence[str | None],
    part_of: Any,
    frame: Frame,
    true: str,
    preds: Sequence[str],
    asked: WhatToScore,
    weights: Any,
) -> tuple[dict[Any, Mapping[str, Any]], list[str]]:
    """The same with the estimates in the place of scores, and which labeling is best by each metric.

    ``values`` are those of --by, and ``part_of`` the place among them of the value of each sample.
    """
    from gpuval.report.clustering.evaluation import compare

    try:
        comparison = compare(
            as_given(frame[true], asked.ignored),
            {name: as_given(frame[name], asked.ignored) for name in preds},
            asked.metrics.external,
            sample_weight=weights,
            ignore_labels=[None] if asked.ignored else None,
            confidence_level=asked.level,
            groups=None if asked.groups is None else frame[asked.groups],
            by=None if asked.by is None else part_of,
            n_resamples=asked.n_resamples,
            random_state=asked.seed,
        )
    except ValueError as error:
        subject, _, rest = str(error).partition(" ")
        names = {"groups": f"the values of --groups {asked.groups!r}", "sample_weight": "--weight"}
        raise ValueError(f"{names.get(subject, subject)} {rest}") from None
    evaluations: Mapping[Any, Any] = comparison
    if asked.by is not None:
        evaluations = {(name, values[place]): scores for (name, place), scores in comparison.items()}
    estimates: dict[Any, Mapping[str, Any]] = {
        key: {**numbers, **(evaluations[key].intervals or {})} for key, numbers in found.items()
    }
    return estimates, _sentences(comparison.best or {}, values, asked.by)


def _sentences(best: Mapping[Any, Any], values: Sequence[str | None], by: str | None) -> list[str]:
    """Which labeling is best by each metric, for one value of --by after the other."""
    if by is None:
        return [f"{metric}: {x.sentence()}" for metric, x in best.items()]
    in_order = sorted(best.items(), key=lambda item: item[0][1])
    return [f"{values[place]}: {metric}: {x.sentence()}" for (metric, place), x in in_order]
