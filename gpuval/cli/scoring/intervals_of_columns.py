"""Intervals of the scores of columns, and which labeling is the best."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any

from gpuval.cli.files.columns import Frame
from gpuval.cli.scoring.arguments import said_of_options
from gpuval.cli.scoring.labels import as_given
from gpuval.cli.scoring.scored import WhatToScore


def with_intervals(
    found: Mapping[Any, Mapping[str, Any]],
    apart: Any,
    frame: Frame,
    true: str,
    preds: Sequence[str],
    asked: WhatToScore,
    weights: Any,
) -> tuple[dict[Any, Mapping[str, Any]], list[str], list[str]]:
    """The same with the estimates in the place of scores, which labeling is best by each metric, and notes.

    ``apart`` has the value of --by of each sample, as categories.
    """
    from gpuval.evaluation.clustering.evaluation import compare

    try:
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always", UserWarning)
            comparison = compare(
                as_given(frame[true], asked.ignored.true),
                {name: as_given(frame[name], asked.ignored.pred) for name in preds},
                asked.metrics.external,
                sample_weight=weights,
                ignore_labels=[None] if asked.ignored else None,
                confidence_level=asked.level,
                groups=None if asked.groups is None else frame[asked.groups],
                by=apart,
                n_resamples=asked.n_resamples,
                random_state=asked.seed,
            )
    except ValueError as error:
        raise ValueError(said_of_options(str(error), asked)) from None
    evaluations: Mapping[Any, Any] = comparison
    estimates: dict[Any, Mapping[str, Any]] = {
        key: {**numbers, **(evaluations[key].intervals or {})} for key, numbers in found.items()
    }
    notes = [said_of_options(str(x.message), asked) for x in told if x.category is UserWarning]
    return estimates, _sentences(comparison.leads or {}, apart), notes


def _sentences(best: Mapping[Any, Any], apart: Any) -> list[str]:
    """Which labeling is best by each metric, for one value of --by after the other."""
    if apart is None:
        return [f"{metric}: {x.sentence()}" for metric, x in best.items()]
    place = {value: i for i, value in enumerate(apart.categories)}
    in_order = sorted(best.items(), key=lambda item: place[item[0][1]])
    return [f"{value}: {metric}: {x.sentence()}" for (metric, value), x in in_order]
