"""Scores of rows that Dask holds, of which each block gives counts and sums."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gpuval.engines import sum_over_blocks
from gpuval.engines.backends import backend_of, is_dask, to_host
from gpuval.metrics.multilabel._labels.counts import Counts
from gpuval.metrics.multilabel._labels.entries import check_some_label_counts, is_vector
from gpuval.metrics.multilabel._measures.averages import Found, Source, means_of_samples, weighed
from gpuval.metrics.multilabel._measures.definition import Wanted
from gpuval.metrics.multilabel._measures.found import ColumnCounts
from gpuval.metrics.multilabel._measures.given import GivenLabels
from gpuval.numerics import Array
from gpuval.numerics.stable import added_sums, sums_for_means, weighed_sums

_ROWS = ("y_true", "y_score", "y_pred", "mask", "sample_weight")
"""The arguments that have something for each sample."""


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
    """The sums of some blocks, None if these have no samples."""

    n_samples: int
    sums: _Sums | None
    is_any_known: bool
    """Whether a label counts."""
    is_any_weight: bool
    """Whether a sample has a weight above 0."""

    def __add__(self, other: _Block) -> _Block:
        known = [x.sums for x in (self, other) if x.sums is not None]
        sums = known[0] + known[1] if len(known) == 2 else known[0] if known else None
        return _Block(
            self.n_samples + other.n_samples,
            sums,
            self.is_any_known or other.is_any_known,
            self.is_any_weight or other.is_any_weight,
        )


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
            return means_of_samples(self.sums.of_samples[place], wanted.on_undefined)[0, ...]
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


def found_in_blocks(wanted: Sequence[Wanted], of_samples: Sequence[Wanted], given: dict[str, Any]) -> OfBlocks:
    """The scores of measures, of arguments of :class:`GivenLabels` of which Dask holds whole rows in each block.

    Of those ``of_samples`` the mean over the samples is wanted, too.
    """
    for one in wanted:
        if one.definition.kind == "curves":
            name = one.definition.formula.__name__
            raise TypeError(
                f"y_true must be in memory for {name}, which compares the scores of all samples, got one that Dask "
                "holds: compute y_true and y_score, or give blocks to a MultilabelAccumulator(n_bins=...)"
            )
    rows = {name: given[name] for name in _ROWS if given.get(name) is not None}
    whole = {name: x for name, x in given.items() if name not in _ROWS}
    build = functools.partial(_sums_of_block, wanted, of_samples, whole)
    matrices = tuple(name for name, x in rows.items() if getattr(x, "ndim", 1) == 2)
    found = sum_over_blocks(build, rows, matrices)
    if found.sums is None:
        raise ValueError("y_true must have at least one sample and one class, got none")
    check_some_label_counts(
        found.n_samples,
        is_any_weight=found.is_any_weight,
        is_any_known=found.is_any_known,
        mask=given["mask"],
        ignore_labels=given["ignore_labels"],
    )
    return OfBlocks(wanted, found.sums)


def _sums_of_block(
    wanted: Sequence[Wanted], of_samples: Sequence[Wanted], whole: dict[str, Any], **block: Any
) -> _Block:
    n_samples, weights = len(block["y_true"]), block.get("sample_weight")
    if not n_samples:
        return _Block(0, None, False, False)
    given = GivenLabels(**{**dict.fromkeys(_ROWS), **block}, **whole, are_all=False)
    sums = _sums_of(given, wanted, of_samples)
    is_any_weight = weights is None or bool(to_host((weights != 0).any()))
    return _Block(n_samples, sums, given.is_any_known(), is_any_weight)


def _sums_of(given: GivenLabels, wanted: Sequence[Wanted], of_samples: Sequence[Wanted]) -> _Sums:
    """The sums of the samples of a block."""
    of_classes, means, counts = {}, {}, None
    for i, one in enumerate(wanted):
        source = given.source(one)
        if one in of_samples:
            values, weights = weighed(source, "samples", one.on_undefined)
            xp = backend_of(values).xp
            means[i] = sums_for_means([weighed_sums(values, weights, xp)], xp)
        if one.definition.kind == "counts":
            counts = given.counted.of_classes
        else:
            of_classes[i] = source.of("classes")
    return _Sums(of_classes, means, counts, given.support)
