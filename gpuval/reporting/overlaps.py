"""How one labeling divides the classes: where the samples of each label are, and what causes disagreement."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple

import numpy as np

from gpuval.engines.backends import to_host
from gpuval.metrics.external.tables import contingency_matrix
from gpuval.numerics import NDArray
from gpuval.table.contingency import Contingency
from gpuval.table.labels import labels_on_host
from gpuval.table.overlaps import f_of_each_class

_MOST_PARTS, _SMALLEST_PART = 24, 0.005
"""The largest number of other labels that are known of one label, and the smallest share of these but the first."""


class Part(NamedTuple):
    """Another label, and which share of a label's samples has it."""

    label: Any
    share: float
    place: int
    """Of the other label among those of its side."""


class Cause(NamedTuple):
    """A class that is split among clusters, or a cluster that merges classes, and its share in the disagreement."""

    kind: Literal["split", "merged"]
    label: Any
    share: float
    """The share of this label in all pairs of samples that are together in only one of the two partitions."""
    parts: Sequence[Part]
    """The largest first."""
    n_parts: int


class Spread(NamedTuple):
    """Where the samples of a label are."""

    label: Any
    size: float
    """Its number of samples, or their total weight."""
    parts: Sequence[Part]
    """The largest first."""
    n_parts: int
    best_f: float
    """The largest F-score with any label of the other side."""


@dataclass(frozen=True)
class Overlaps:
    """The samples that each class shares with each cluster, on the host."""

    counts: Any
    """A sparse matrix in CSR format, shape (n_classes, n_clusters)."""
    classes: Sequence[Any]
    clusters: Sequence[Any]
    f_of_classes: NDArray
    """The largest F-score of each class, 2 n_ij / (a_i + b_j), over the clusters j."""
    f_of_clusters: NDArray
    """The same of each cluster, over the classes."""

    @classmethod
    def of(cls, table: Contingency) -> Overlaps:
        """Those of a table whose labels all occur (copies to the host)."""
        labels = (labels_on_host(x).tolist() for x in (table.classes, table.clusters))
        f_scores = (to_host(f_of_each_class(x)) for x in (table, table.transposed()))
        return cls(contingency_matrix(table, sparse=True), *labels, *f_scores)

    @cached_property
    def _cluster_rows(self) -> Any:
        """The counts with clusters in rows."""
        return self.counts.T.tocsr()

    @cached_property
    def class_spreads(self) -> list[Spread]:
        """Each class and its clusters, in the order of the classes."""
        return _spreads(self.counts, self.classes, self.clusters, self.f_of_classes)

    @cached_property
    def cluster_spreads(self) -> list[Spread]:
        """Each cluster and its classes, in the order of the clusters."""
        return _spreads(self._cluster_rows, self.clusters, self.classes, self.f_of_clusters)

    @cached_property
    def causes(self) -> list[Cause]:
        """What makes the partitions disagree, the largest cause first.

        The two partitions disagree on a pair of samples that is together in only one of them. Let a_i be the size of
        class i, b_j that of cluster j, and n_ij the number of samples that they share. Class i is split, which
        separates sum_j n_ij (a_i - n_ij) / 2 of its pairs. Cluster j merges classes, which joins sum_i n_ij (b_j -
        n_ij) / 2 pairs.
        """
        split, merged = _pairs_apart(self.counts), _pairs_apart(self._cluster_rows)
        total = float(split.sum() + merged.sum())
        found = [
            *_causes("split", split, self.class_spreads, total),
            *_causes("merged", merged, self.cluster_spreads, total),
        ]
        return sorted(found, key=lambda cause: -cause.share)


def _causes(
    kind: Literal["split", "merged"], pairs: NDArray, spreads: Sequence[Spread], total: float
) -> Iterator[Cause]:
    for of_label, spread in zip(pairs.tolist(), spreads, strict=True):
        if of_label > 0:
            yield Cause(kind, spread.label, of_label / total, spread.parts, spread.n_parts)


def _pairs_apart(counts: Any) -> NDArray:
    """Of each row, what the pairs of its samples in different columns weigh: half the sum of n_ij (a_i - n_ij)."""
    sizes = np.asarray(counts.sum(axis=1), dtype=float).ravel()
    rows = np.repeat(np.arange(len(sizes)), np.diff(counts.indptr))
    values = counts.data.astype(float)
    apart = values * np.where(np.diff(counts.indptr)[rows] > 1, sizes[rows] - values, 0.0)
    pairs: NDArray = np.bincount(rows, apart, len(sizes)) / 2
    return pairs


def _spreads(counts: Any, labels: Sequence[Any], others: Sequence[Any], f_scores: NDArray) -> list[Spread]:
    sizes, sizes_of_others = (np.asarray(counts.sum(axis=axis)).ravel() for axis in (1, 0))
    found = []
    for row, label in enumerate(labels):
        cells = slice(counts.indptr[row], counts.indptr[row + 1])
        columns, values = counts.indices[cells], counts.data[cells].astype(float)
        order = np.lexsort((columns, -sizes_of_others[columns], -values))[:_MOST_PARTS]  # of equal ones the larger
        shares = [(int(columns[x]), float(values[x] / sizes[row])) for x in order if values[x] > 0]
        parts = [
            Part(others[place], share, place)
            for rank, (place, share) in enumerate(shares)
            if not rank or share >= _SMALLEST_PART
        ]
        n_parts = int((values > 0).sum())
        found.append(Spread(label, sizes[row].item(), parts, n_parts, float(f_scores[row])))
    return found
