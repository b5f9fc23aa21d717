"""Draws with replacement, of samples or of groups of them, as counts of the non-empty cells of a table.

A pair of two copies of one sample is together in both partitions, whatever these are: a resampled table has (n - 1) / 2
such pairs, on average, that no table of n samples has, and chance-corrected scores of many clusters are far too high
for it. So what a draw knows of pairs of copies goes with its counts, and scores of pairs leave them out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from gpuval.numerics import NDArray
from gpuval.numerics.parallel import slices
from gpuval.table.self_pairs import pairs_of_copies

_CHUNK = 1 << 18
"""Numbers that one generator draws: the draws do not depend on how many threads share them."""

_FEW = 4
"""Samples in a cell, on average, up to which each is drawn by itself: quicker than to draw how many a cell has."""

_AT_ONCE = 1 << 20
"""Samples of which that many are drawn at a time."""


class _Draws(NamedTuple):
    """Counts of the cells, shape (n_draws, n_cells), and pairs of copies, shape (n_draws, 6), or None."""

    counts: NDArray
    copies: NDArray | None


Sampler = Callable[[np.random.Generator, int], _Draws]

UnitSampler = Callable[[np.random.Generator, int], NDArray]
"""Draws what is resampled: samples of each cell, shape (n_draws, n_cells), or groups, shape (n_draws, n_groups)."""

Counting = Callable[[NDArray], _Draws]
"""What was drawn by a ``UnitSampler``, in the cells of a table: several tables may count the same draws."""


def sampler_of_samples(counts: NDArray, *, poisson: bool = False, distinct: bool = True) -> Sampler:
    """Draw samples from the cells of a table, as ``sample_units``."""
    units, counting = sample_units(counts, poisson=poisson), counts_of_samples(counts, distinct=distinct)
    return lambda random, size: counting(units(random, size))


def sample_units(counts: NDArray, *, poisson: bool = False) -> UnitSampler:
    """Draw n samples from n: a multinomial over the cells; or each sample Poisson(1) times, but not none."""
    n, n_cells = int(counts.sum()), len(counts)
    if poisson:
        return lambda random, size: _some(lambda k: random.poisson(counts, (k, n_cells)), size)
    if n > _FEW * n_cells:
        return lambda random, size: random.multinomial(n, counts / n, size)
    cell_of = np.repeat(np.arange(n_cells), counts)
    return lambda random, size: np.stack([_draw_one_by_one(cell_of, n_cells, random) for _ in range(size)])


def _some(draw: Callable[[int], NDArray], size: int) -> NDArray:
    """Draws of which none is empty: an empty table is of no population, and those are drawn again."""
    drawn = draw(size)
    while (empty := np.flatnonzero(~drawn.any(axis=1))).size:
        drawn[empty] = draw(len(empty))
    return drawn


def _draw_one_by_one(cell_of: NDArray, n_cells: int, random: np.random.Generator) -> NDArray:
    """A draw of as many samples as lie in these cells, as the counts of the cells."""
    drawn = np.zeros(n_cells, dtype=np.int64)
    for part in slices(len(cell_of), _AT_ONCE):
        chosen = random.integers(0, len(cell_of), part.stop - part.start)
        drawn += np.bincount(cell_of[chosen], minlength=n_cells)
    return drawn


def counts_of_samples(counts: NDArray, sums: Any = None, *, distinct: bool = True) -> Counting:
    """Count drawn samples in the cells of a table, which has so many in each.

    ``sums`` is the matrix by which draws become counts of these cells; None, if they were drawn from them. Of m samples
    that were drawn from the n_ij of a cell, m (m - 1) / n_ij ordered pairs are of copies, on average.
    """

    def count(drawn: NDArray) -> _Draws:
        in_cells = drawn if sums is None else np.asarray(drawn @ sums)
        return _Draws(in_cells, pairs_of_copies(_copies_in(in_cells, counts)) if distinct else None)

    return count


def _copies_in(drawn: NDArray, counts: NDArray) -> NDArray:
    """Ordered pairs of copies that are expected in cells of so many samples of which so many were drawn."""
    pairs = drawn * (drawn - 1)
    return np.vecdot(pairs, 1.0 / counts)  # type: ignore[no-any-return]


def sampler_of_groups(
    groups: Any, classes: Any, clusters: Any, *, poisson: bool = False, distinct: bool = True
) -> Sampler:
    """Draw groups, as ``group_units``, and count their samples, as ``counts_of_groups_drawn``."""
    units = group_units(groups.shape[0], poisson=poisson)
    counting = counts_of_groups_drawn(groups, classes, clusters, distinct=distinct)
    return lambda random, size: counting(units(random, size))


def group_units(n_groups: int, *, poisson: bool = False) -> UnitSampler:
    """Draw G groups from G; or each group Poisson(1) times, but not none."""
    shares = np.full(n_groups, 1.0 / n_groups)

    def draw(random: np.random.Generator, size: int) -> NDArray:
        if poisson:
            return _some(lambda k: random.poisson(1.0, (k, n_groups)), size)
        return random.multinomial(n_groups, shares, size)

    return draw


def counts_of_groups_drawn(groups: Any, classes: Any, clusters: Any, *, distinct: bool = True) -> Counting:
    """Count all samples of drawn groups in the cells of a table.

    Parameters
    ----------
    groups
        The counts of each group, shape (n_groups, n_cells): a sparse matrix of SciPy.
    classes, clusters
        The same by class and by cluster: which pairs of two copies of a group are together.
    distinct
        As for samples.

    Notes
    -----
    Two samples of one group that was drawn w times are w^2 pairs, of which w (w - 1) are of two copies of the group.
    Copies of a group are no two groups, as copies of a sample are no two samples: these pairs do not count.
    """
    both, true, pred = (_squares(x) for x in (groups, classes, clusters))
    everything = np.asarray(groups.sum(axis=1)).reshape(-1).astype(np.float64) ** 2
    kinds = both, true - both, pred - both, everything - true - pred + both

    def count(times: NDArray) -> _Draws:
        repeated = (times * (times - 1)).astype(np.float64)
        return _Draws(np.asarray(times @ groups), pairs_of_copies(*(repeated @ x for x in kinds)) if distinct else None)

    return count


def _squares(counts: Any) -> NDArray:
    """The sum of the squares of each row."""
    squared = counts.astype(np.float64)
    return np.asarray(squared.multiply(squared).sum(axis=1)).reshape(-1)


def chunks(n_draws: int, n_numbers: int, random: np.random.Generator) -> Iterator[tuple[np.random.Generator, int]]:
    """Generators, and how many draws of so many numbers each makes: the same for one seed, whatever the threads."""
    parts = slices(n_draws, max(1, _CHUNK // max(1, n_numbers)))
    root = np.random.SeedSequence(random.integers(0, 1 << 32, size=8, dtype=np.uint32).tolist())
    for part, seed in zip(parts, root.spawn(len(parts)), strict=True):
        yield np.random.default_rng(seed), part.stop - part.start
