"""Scores of rows that Dask holds, of which each block gives counts and sums."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gpuval.engines import sum_over_blocks
from gpuval.engines.backends import backend_of, is_dask, to_host
from gpuval.metrics.multilabel._labels.counts import Counts
from gpuval.metrics.multilabel._labels.entries import is_vector
from gpuval.metrics.multilabel._measures.averages import Found, Source, weighed
from gpuval.metrics.multilabel._measures.definition import Wanted
from gpuval.metrics.multilabel._measures.found import ColumnCounts
from gpuval.metrics.multilabel._measures.given import GivenLabels
from gpuval.numerics import Array
from gpuval.numerics.stable import added_sums, means_of, sums_for_means, weighed_sums

_ROWS = ("y_true", "y_score", "y_pred", "mask", "sample_weight")
"""The arguments that have something for each sample."""

_LEAVING_OUT = ("mask", "sample_weight")
"""Those of them by which a whole block may not count."""


@dataclass(frozen=True)
class _Sums:
    """What some blocks add up to."""

    of_classes: dict[int, Found]
    """What measures of scores find of the classes, by their places among those that are wanted."""
    of_samples: dict[int, Array]
    """Sums for the means over the samples, by the places of the measures."""
    counts: Counts | None
    """If a measure reads them."""
    support: Array

    def __add__(self, other: _Sums) -> _Sums:
        return _Sums(
            {i: x + other.of_classes[i] for i, x in self.of_classes.items()},
            {i: added_sums(x, other.of_samples[i], backend_of(x).xp) for i, x in self.of_samples.items()},
            None if self.counts is None or other.counts is None else self.counts + other.counts,
            self.support + other.support,
        )


@dataclass(frozen=True)
class _Block:
    """The sums of some blocks, and how many samples these have; no sums if none of them has a weight."""

    n_samples: int
    sums: _Sums | None

    def __add__(self, other: _Block) -> _Block:
        known = [x.sums for x in (self, other) if x.sums is not None]
        sums = known[0] + known[1] if len(known) == 2 else known[0] if known else None
        return _Block(self.n_samples + other.n_samples, sums)


@dataclass(frozen=True)
class OfBlocks:
    """The scores of rows that Dask holds."""

    wanted: Sequence[Wanted]
    sums: _Sums

    @property
    def given(self) -> Array:
        """What results are like."""
        return self.sums.support

    def score(self, wanted: Wanted, average: str | None) -> Array:
        """The score of one of the measures that are wanted: of shape (), or (n_classes,) without an average."""
        place = self.wanted.index(wanted)
        if average == "samples":
            sums = self.sums.of_samples[place]
            return means_of(sums, backend_of(sums).xp)[0, ...]
        if self.sums.counts is not None and wanted.definition.kind == "counts":
            return wanted.score_of(ColumnCounts(self.sums.counts), average)
        found = self.sums.of_classes[place]
        return wanted.score(Source(lambda of: found if of == "classes" else found.total(), None), average)

    @property
    def classes(self) -> Any:
        """The label of each class: a range, if classes are columns."""
        counts, support = self.sums.counts, self.sums.support
        return range(int(support.shape[0])) if counts is None else counts.classes

    @property
    def support(self) -> Array:
        """How many samples have each class, or their weight."""
        return self.sums.support


def are_in_blocks(y_true: Any, y_score: Any, y_pred: Any) -> bool:
    """Whether Dask holds rows; one label for each sample is counted as that of clusterings is."""
    if y_score is None and is_vector(y_true) and is_vector(y_pred):
        return False
    return any(is_dask(x) for x in (y_true, y_score, y_pred))


def found_in_blocks(wanted: Sequence[Wanted], averages: Sequence[str | None], given: dict[str, Any]) -> OfBlocks:
    """The scores of measures, of arguments of :class:`GivenLabels` of which Dask holds whole rows in each block."""
    for one in wanted:
        if one.definition.kind == "curves":
            name = one.definition.formula.__name__
            raise TypeError(
                f"y_true must be in memory for {name}, which compares the scores of all samples, got one that Dask "
                "holds: compute y_true and y_score, or give blocks to a MultilabelAccumulator(n_bins=...)"
            )
    rows = {name: given[name] for name in _ROWS if given.get(name) is not None}
    whole = {name: x for name, x in given.items() if name not in _ROWS}
    build = functools.partial(_sums_of_block, wanted, averages, whole)
    matrices = tuple(name for name, x in rows.items() if getattr(x, "ndim", 1) == 2)
    found = sum_over_blocks(build, rows, matrices)
    if not found.n_samples:
        raise ValueError("y_true must have at least one sample and one class, got none")
    if found.sums is None:
        names = " and ".join(name for name in _LEAVING_OUT if name in rows)
        raise ValueError(f"{names} must leave at least one label of y_true, got none left of {found.n_samples} samples")
    return OfBlocks(wanted, found.sums)


def _sums_of_block(
    wanted: Sequence[Wanted], averages: Sequence[str | None], whole: dict[str, Any], **block: Any
) -> _Block:
    n_samples, leaving_out = len(block["y_true"]), [block[name] for name in _LEAVING_OUT if name in block]
    if not n_samples or not all(bool(to_host((x != 0).any())) for x in leaving_out):
        return _Block(n_samples, None)  # of all samples that is an error, of some it is none
    try:
        return _Block(n_samples, _sums_of(GivenLabels(**block, **whole, are_all=False), wanted, averages))
    except ValueError as error:
        raise ValueError(f"{error} (in a block of Dask, whose rows are counted from 0)") from None


def _sums_of(given: GivenLabels, wanted: Sequence[Wanted], averages: Sequence[str | None]) -> _Sums:
    """The sums of the samples of a block."""
    of_classes, of_samples, counts = {}, {}, None
    for i, one in enumerate(wanted):
        source = given.source(one)
        if "samples" in averages and "samples" in one.definition.averages:
            values, weights = weighed(source, "samples", one.on_undefined)
            xp = backend_of(values).xp
            of_samples[i] = sums_for_means([weighed_sums(values, weights, xp)], xp)
        if one.definition.kind == "counts":
            counts = given.counted.of_classes
        else:
            of_classes[i] = source.of("classes")
    return _Sums(of_classes, of_samples, counts, given.support)
