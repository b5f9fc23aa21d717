"""How often samples are together in several labelings of them, the runs, without a matrix of all pairs of samples.

The frequency of a pair is the share of the runs with both samples in which the two have the same label. Samples with
the same pattern of labels over all runs have the same frequencies, so that patterns are compared, tile by tile. What is
a sum over pairs, such as a mean distance, is found from tables of a reference and each run.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from gpuval.engines.backends import backend_of, to_host
from gpuval.inputs.codes import Codes
from gpuval.inputs.options import check_dense
from gpuval.numerics import Array, NDArray
from gpuval.numerics.parallel import parallel_map, slices
from gpuval.numerics.stable import ratio
from gpuval.table.labelings import Labeling, table_of_codes
from gpuval.table.partitions import cells_of_samples

_MOST_PATTERNS = 5_000
"""Of more patterns, pairs of samples are drawn."""
_TILE = 1 << 11
"""So many rows and columns of pairs are compared at once."""
_BLOCK = 1 << 20
"""So many numbers are found at once: of drawn pairs, and of samples and clusters."""
_BLOCK_IN_CACHE = 1 << 16
"""The same on the host, where blocks of samples and clusters should stay in the cache of a processor."""


class PairFrequencies(NamedTuple):
    """How often pairs of samples are together in the runs that have both."""

    values: NDArray
    """The frequencies that occur, ascending."""
    counts: NDArray
    """How many pairs have each."""
    n_pairs: int
    """How many pairs there are, or were drawn; pairs that are in no run together are left out."""
    is_exact: bool
    """Whether these are all pairs, and not some that were drawn."""

    def ambiguous(self, low: float, high: float) -> tuple[float, float]:
        """The share of the pairs with a frequency above ``low``, up to ``high``, and its standard error.

        The error is 0 of all pairs; both are NaN if there is no pair.
        """
        if not self.n_pairs:
            return math.nan, math.nan
        is_between = (low < self.values) & (self.values <= high)
        share = float(self.counts[is_between].sum() / self.n_pairs)
        return share, 0.0 if self.is_exact else math.sqrt(share * (1.0 - share) / self.n_pairs)

    def mean(self) -> float:
        """The mean frequency; NaN if there is no pair."""
        return float(self.values @ self.counts) / self.n_pairs if self.n_pairs else math.nan


def pair_frequencies(runs: Sequence[Labeling], n_pairs: int, rng: np.random.Generator) -> PairFrequencies:
    """The frequencies of all pairs of samples; of ``n_pairs`` drawn ones if there are more than 5,000 patterns."""
    n_samples = runs[0].vector.size
    if n_samples < 2:
        return _frequencies(np.zeros((len(runs) + 1, len(runs) + 1), dtype=np.int64), is_exact=True)
    patterns = _patterns(runs)
    if patterns is not None:
        return _frequencies_of_patterns(*patterns, are_whole=_are_whole(runs))
    codes = [_codes_or_absent(run) for run in runs]
    backend = backend_of(codes[0])
    total = np.zeros((len(runs) + 1) ** 2, dtype=np.int64)
    for block in slices(n_pairs, _BLOCK):
        n_drawn = block.stop - block.start
        first, second = rng.integers(n_samples, size=n_drawn), rng.integers(n_samples - 1, size=n_drawn)
        second += second >= first  # another sample than the first
        places = (backend.from_host(x, codes[0]) for x in (first, second))
        sides = ([backend.xp.take(x, place) for x in codes] for place in places)
        numbers = _numbers_of_pairs(*sides, are_whole=_are_whole(runs))
        total += to_host(backend.count(numbers, len(total)))
    return _frequencies(np.reshape(total, (len(runs) + 1, -1)), is_exact=False)


def consensus_of_clusters(reference: Labeling, runs: Sequence[Labeling]) -> Array:
    """The mean frequency of the pairs of each cluster of the reference; NaN if it has no pair.

    If runs leave out samples, and there are more than 5,000 patterns, each pair counts as often as runs have it.
    """
    codes = _codes(reference)
    if codes.codes.shape[0] and not _are_whole(runs):
        patterns = _patterns([reference, *runs])
        if patterns is not None:
            (of_cluster, *of_runs), sizes = patterns
            # In the order of patterns those of a cluster follow each other; those without a cluster are -1, and last.
            clusters = to_host(of_cluster)
            ends = np.cumsum(np.bincount(clusters[clusters >= 0], minlength=codes.size)).tolist()
            means = [
                _frequencies_of_patterns([x[start:stop] for x in of_runs], sizes[start:stop], are_whole=False).mean()
                if start < stop
                else math.nan
                for start, stop in zip([0, *ends], ends, strict=False)
            ]
            return backend_of(codes.codes).from_host(np.asarray(means, dtype=np.float64), codes.codes)
    together, pairs = 0.0, 0.0
    for run in runs:
        table = table_of_codes(reference, run)
        together = together + table.cells.sum_by_class(_pairs_of(table.counts, codes.codes))
        pairs = pairs + _pairs_of(table.class_sizes, codes.codes)
    return ratio(together, pairs, backend_of(codes.codes).xp, if_zero=math.nan)


def silhouettes_of_co_clustering(reference: Labeling, runs: Sequence[Labeling]) -> Array:
    """The silhouette of each sample, with 1 less the share of runs that have two samples together as their distance.

    The distance of a sample and a cluster is 1 less a pooled share: the sum over the other samples of the cluster of
    the runs that have both together, divided by that of the runs that have both. Clusters with which no run has the
    sample do not count. It is 0 if no other cluster is left, or no other sample of its own cluster; NaN for samples
    that the reference or all runs leave out.
    """
    reference = _without_gaps(reference)
    own = _codes(reference)
    like = own.codes
    backend = backend_of(like)
    xp = backend.xp
    tables, sizes = [], []
    for run in runs:
        check_dense(run.encoded.size, own.size)
        table = table_of_codes(run, reference).dense()  # a row for each label of the run, of which rows are taken
        by_label = backend.as_real(table.counts, like)
        nothing = xp.zeros((1, own.size), dtype=by_label.dtype, device=backend.device(like))
        tables.append(xp.concat([by_label, nothing]))  # the last row is of samples that the run leaves out
        sizes.append(backend.as_real(table.cluster_sizes, like))
    of_runs = xp.stack(sizes)

    def of_block(block: slice) -> Array:
        labels = [_codes(run, block).codes for run in runs]
        are_in = [x < table.shape[0] - 1 for x, table in zip(labels, tables, strict=True)]
        in_runs = xp.stack([backend.as_real(x, like) for x in are_in])
        both = backend.matmul(xp.matrix_transpose(in_runs), of_runs)
        together: Any = 0.0
        for table, x in zip(tables, labels, strict=True):
            together = together + xp.take(table, x, axis=0)
        n_runs = xp.sum(in_runs, axis=0)
        return _silhouettes(both - together, both, like[block], n_runs, n_runs)

    size = _BLOCK_IN_CACHE if backend.on_host else _BLOCK
    blocks = slices(like.shape[0], max(1, size // max(1, own.size)))
    found = parallel_map(of_block, blocks) if backend.on_host else [of_block(block) for block in blocks]
    return xp.concat(found) if found else backend.as_real(like, like)


def silhouettes_by_pairs(reference: Labeling, runs: Sequence[Labeling], places: Array) -> Array:
    """Those of the samples at ``places``, with the mean distance of a sample and the samples of a cluster.

    Pairs that are in no run together do not count.
    """
    own, codes = _codes(_without_gaps(reference)), [_codes_or_absent(run) for run in runs]
    like = own.codes
    backend = backend_of(like)
    xp, clusters = backend.xp, backend.arange_beside(0, own.size, like.dtype, like)
    found = []
    for rows in slices(places.shape[0], _TILE):
        chosen = [xp.take(x, places[rows]) for x in codes]
        sums: Any = 0.0
        numbers: Any = 0.0
        for columns in slices(like.shape[0], _TILE):
            sides = [x[:, None] for x in chosen], [x[columns][None, :] for x in codes]
            counts = _runs_of_pairs(*sides, are_whole=_are_whole(runs))
            together, both = (backend.as_real(x, like) for x in counts)
            is_of = backend.as_real(like[columns][:, None] == clusters[None, :], like)
            sums = sums + backend.matmul(ratio(both - together, both, xp), is_of)
            numbers = numbers + backend.matmul(backend.as_real(both > 0.0, like), is_of)
        n_runs = xp.sum(xp.stack([backend.as_real(x >= 0, like) for x in chosen]), axis=0)
        itself = backend.as_real(n_runs > 0.0, like)
        found.append(_silhouettes(sums, numbers, xp.take(like, places[rows]), n_runs, itself))
    return xp.concat(found) if found else backend.as_real(places, like)


def _silhouettes(sums: Array, numbers: Array, own: Array, n_runs: Array, itself: Array) -> Array:
    """From the mean distances ``sums / numbers`` of samples and clusters, both of shape (n_samples, n_clusters).

    ``itself`` is what each sample has added to the numbers of its own cluster; its distance to itself is 0.
    """
    backend = backend_of(sums)
    xp, n_clusters = backend.xp, sums.shape[1]
    clusters = backend.arange_beside(0, n_clusters, own.dtype, own)
    is_own = own[:, None] == clusters[None, :]
    numbers = numbers - xp.where(is_own, itself[:, None], 0.0)
    distances = ratio(sums, numbers, xp, if_zero=math.inf)
    within = xp.min(xp.where(is_own, distances, math.inf), axis=1)
    beside = xp.min(xp.where(is_own, math.inf, distances), axis=1)
    is_defined = xp.isfinite(within) & xp.isfinite(beside)
    within, beside = (xp.where(is_defined, x, 0.0) for x in (within, beside))
    values = ratio(beside - within, xp.maximum(within, beside), xp)
    return xp.where((own < n_clusters) & (n_runs > 0.0), values, math.nan)


# Tables and patterns


def _pairs_of(sizes: Array, like: Array) -> Array:
    """The ordered pairs of so many samples."""
    real = backend_of(like).as_real(sizes, like)
    return real * (real - 1.0)


def _patterns(runs: Sequence[Labeling]) -> tuple[list[Array], Array] | None:
    """The labels of each pattern in each run, -1 if left out, and how many samples have it; None of too many patterns.

    Patterns are in the order of their labels: by that of the first run, then by that of the second one, and so on. They
    are on the host if the device cannot count all pairs.
    """
    like = _codes(runs[0]).codes
    backend = backend_of(like)
    xp, wide = backend.xp, backend.widest(like)
    numbers, n_patterns = xp.zeros_like(like), 1
    for codes in map(_codes, runs):
        numbers = cells_of_samples(numbers, codes.codes, (n_patterns, codes.size + 1))
        n_patterns = int(to_host(xp.max(numbers))) + 1
        if n_patterns > _MOST_PATTERNS:
            return None
    last = backend.largest(backend.arange_beside(0, like.shape[0], like.dtype, like), numbers, n_patterns)
    labels, sizes = [xp.take(_codes_or_absent(run), last) for run in runs], backend.count(numbers, n_patterns)
    return (labels, sizes) if wide.is_64bit else ([to_host(x) for x in labels], to_host(sizes).astype(np.int64))


def _frequencies_of_patterns(labels: Sequence[Array], sizes: Array, *, are_whole: bool) -> PairFrequencies:
    """Those of all pairs of the samples that have the patterns."""
    backend, n_runs, n_patterns = backend_of(sizes), len(labels), sizes.shape[0]
    n_numbers = (n_runs + 1) ** 2
    itself = backend.total(sizes, _numbers_of_pairs(labels, labels, are_whole=are_whole), n_numbers)
    total = -to_host(itself).astype(np.int64)
    for rows in slices(n_patterns, _TILE):
        for columns in slices(n_patterns, _TILE, rows.start):
            sides = [x[rows][:, None] for x in labels], [x[columns][None, :] for x in labels]
            numbers = _numbers_of_pairs(*sides, are_whole=are_whole)
            weights = backend.xp.reshape(sizes[rows][:, None] * sizes[columns][None, :], (-1,))
            of_tile = backend.total(weights, backend.xp.reshape(numbers, (-1,)), n_numbers)
            total += (1 if rows == columns else 2) * to_host(of_tile)  # each pair twice
    return _frequencies(np.reshape(total // 2, (n_runs + 1, -1)), is_exact=True)


def _frequencies(pairs: NDArray, *, is_exact: bool) -> PairFrequencies:
    """From how many pairs are together in j of the i runs that have both, in row i and column j."""
    pairs = pairs[1:, :]
    both, together = np.nonzero(pairs)
    values, places = np.unique(together / (both + 1), return_inverse=True)
    counts = np.bincount(places, pairs[both, together], minlength=len(values)).astype(np.int64)
    return PairFrequencies(values, counts, int(counts.sum()), is_exact)


def _runs_of_pairs(first: Sequence[Array], second: Sequence[Array], *, are_whole: bool) -> tuple[Array, Array]:
    """How many runs have both samples of each pair together, and how many have both, as the smallest integers.

    The labels of the samples in each run are -1 if left out; those of both sides broadcast to pairs.
    """
    xp = backend_of(first[0]).xp
    integer = _smallest(len(first), xp)
    together: Any = 0
    both: Any = 0
    for x, y in zip(first, second, strict=True):
        is_together = x == y
        if not are_whole:
            in_run = (x >= 0) & (y >= 0)
            is_together = is_together & in_run
            both = both + xp.astype(in_run, integer)
        together = together + xp.astype(is_together, integer)
    return together, xp.zeros_like(together) + len(first) if are_whole else both


def _numbers_of_pairs(first: Sequence[Array], second: Sequence[Array], *, are_whole: bool) -> Array:
    """The runs that have both, times the number of runs + 1, and those that have them together, added up."""
    together, both = _runs_of_pairs(first, second, are_whole=are_whole)
    backend = backend_of(both)
    wide = backend.widest(both).int
    return backend.xp.astype(both, wide) * (len(first) + 1) + backend.xp.astype(together, wide)


def _are_whole(runs: Sequence[Labeling]) -> bool:
    """Whether no run leaves samples out."""
    return all(run.n_kept == run.vector.size for run in runs)


def _codes(labeling: Labeling, block: slice | None = None) -> Codes:
    """Its codes, or those of a block of the samples, in the widest integers."""
    codes = labeling.encoded
    chosen = codes if block is None else replace(codes, codes=codes.codes[block])
    return replace(chosen, codes=chosen.places)


def _without_gaps(labeling: Labeling) -> Labeling:
    """The same with codes that all occur, but for one where none does."""
    codes = _codes(labeling)
    backend = backend_of(codes.codes)
    xp = backend.xp
    occurs = xp.astype(backend.count(codes.codes, codes.size + 1) > 0, codes.codes.dtype)
    places = backend.cumulative_sum(occurs) - occurs
    size = max(1, int(to_host(places[-1])))
    numbers = xp.where(codes.codes < codes.size, xp.take(places, codes.codes), size)
    return replace(labeling, codes=Codes(numbers, size, range(size), codes.has_spare))


def _codes_or_absent(run: Labeling) -> Array:
    """The codes of a run, -1 for samples that it leaves out, as the smallest integers."""
    codes = _codes(run)
    xp = backend_of(codes.codes).xp
    inside = codes.codes if run.keep is None else xp.where(run.keep, codes.codes, -1)
    return xp.astype(inside, _smallest(codes.size, xp))


def _smallest(largest: int, xp: Any) -> Any:
    """The smallest signed integers that hold a number."""
    return next(x for x in (xp.int8, xp.int16, xp.int32, xp.int64) if largest <= xp.iinfo(x).max)
