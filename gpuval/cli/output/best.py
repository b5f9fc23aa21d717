"""Which scores are the best of their measures, as the library tells."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from gpuval.cli.output.numbers import ends_of, parts_of_key
from gpuval.cli.scoring.scored import Scores
from gpuval.evaluation.results.counts import COUNTS

if TYPE_CHECKING:
    from gpuval.evaluation.results.shown_scores import ShownEvaluation


def best_scores(scores: Scores) -> set[tuple[Any, str]]:
    """The labeling and the measure of each score that is the best; of several values of --by for each of them."""
    from gpuval.evaluation.results.shown_scores import best_places

    keys = list(scores)
    groups = [parts_of_key(key)[1:] for key in keys]
    found = best_places([_shown(values) for values in scores.values()], groups)
    return {(keys[place], name) for name, of_groups in found.items() for places in of_groups for place in places}


def _shown(values: Mapping[str, Any]) -> ShownEvaluation:
    from gpuval.evaluation.results.shown_scores import ShownEvaluation, ShownScore

    scores = {name: x.score if ends_of(x) else x for name, x in values.items() if name not in COUNTS}
    return ShownEvaluation({name: ShownScore.of(x, None) for name, x in scores.items()}, None, None)
