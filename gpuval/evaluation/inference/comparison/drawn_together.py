"""The paired bootstrap: the scores of all clusterings of the same resampled units."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gpuval.evaluation.inference.comparison.paired import PairedLabels
from gpuval.evaluation.inference.scoring import scores_of
from gpuval.numerics import NDArray
from gpuval.numerics.threads import parallel_map
from gpuval.table.resampling.cells import tables_of
from gpuval.table.resampling.draws import chunks


def scores_drawn_together(
    function: Callable[..., Any], paired: PairedLabels, n_resamples: int, random: np.random.Generator
) -> NDArray:
    """The scores of clusterings of resampled units, shape (n_clusterings, n_resamples).

    A column is of one draw of units. They are drawn some at a time, so that no more of them are there than one chunk
    in each thread, in the cells of one table after the other.
    """
    sampler, countings = paired.sampler(), list(paired.countings())
    tables = [x.table for x in paired.counted]

    def of_chunk(chunk: tuple[np.random.Generator, int]) -> NDArray:
        drawn = sampler(*chunk)
        return np.stack(
            [
                scores_of({None: function}, tables_of(table, *count(drawn)))[None]
                for table, count in zip(tables, countings, strict=True)
            ]
        )

    return np.concatenate(parallel_map(of_chunk, list(chunks(n_resamples, len(paired.counts), random))), axis=1)
