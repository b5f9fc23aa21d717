"""Internal scores of columns, from the coordinates of an embedding."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gpuval.cli.files.columns import Frame
from gpuval.cli.scoring.arguments import said_of_options
from gpuval.cli.scoring.labels import as_given
from gpuval.cli.scoring.scored import Embedding, WhatToScore


def internal_scores(
    samples: Embedding,
    apart: Any,
    frame: Frame,
    true: str | None,
    preds: Sequence[str],
    asked: WhatToScore,
    weights: Any,
) -> dict[Any, Mapping[str, Any]]:
    """The internal scores of each labeling, or of each (labeling, value of --by).

    ``apart`` has the value of --by of each sample, as categories.
    """
    from gpuval.evaluation.clustering.evaluation import compare

    try:
        comparison = compare(
            None if true is None else as_given(frame[true], asked.ignored.true),
            {name: as_given(frame[name], asked.ignored.pred) for name in preds},
            asked.metrics.internal,
            sample_weight=weights,
            ignore_labels=[None] if asked.ignored else None,
            by=apart,
            X=samples.X,
        )
    except (TypeError, ValueError) as error:
        raise ValueError(said_of_options(str(error), asked)) from None
    return {key: {name: float(score) for name, score in scores.items()} for key, scores in comparison.items()}
