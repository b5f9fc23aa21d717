"""How stable the clusters of one labeling of a setting are in its runs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gpuval.engines.backends import backend_of, to_host
from gpuval.numerics import Array
from gpuval.numerics.stable import ratio
from gpuval.results.settings import DISSOLVED, RECOVERED, ClusterStability
from gpuval.table.co_clustering import consensus_of_clusters
from gpuval.table.labelings import Labeling, table_of_codes
from gpuval.table.labels import labels_at
from gpuval.table.overlaps import jaccard_of_each_class


def stability_of_clusters(
    reference: Labeling, runs: Sequence[Labeling], consistency: Array, silhouettes: Array
) -> ClusterStability:
    """The clusters of the reference in the other runs; with two values for each sample, which are averaged."""
    codes = reference.encoded
    backend = backend_of(codes.codes)
    xp = backend.xp
    sizes = backend.count(codes.places, codes.size + codes.has_spare)[: codes.size]
    jaccard, is_present = _jaccard_scores(reference, runs)
    n_present = xp.sum(xp.astype(is_present, jaccard.dtype), axis=0)

    def mean_over_runs(values: Array) -> Array:
        """Over the runs that have the cluster."""
        total = xp.sum(xp.where(is_present, xp.astype(values, jaccard.dtype), 0.0), axis=0)
        return ratio(total, n_present, xp, if_zero=float("nan"))

    columns = {
        "sizes": sizes,
        "consistency": _mean_by_cluster(consistency, reference),
        "jaccard": mean_over_runs(jaccard),
        "dissolved": mean_over_runs(jaccard <= DISSOLVED),
        "recovered": mean_over_runs(jaccard > RECOVERED),
        "n_absent": backend.count_true(~is_present, 0),
        "consensus": consensus_of_clusters(reference, runs) if runs else mean_over_runs(jaccard),
        "silhouettes": _mean_by_cluster(silhouettes, reference),
    }
    places = backend.from_host(np.flatnonzero(to_host(sizes)), sizes)
    return ClusterStability(
        clusters=labels_at(codes.values, places), **{name: xp.take(x, places) for name, x in columns.items()}
    )


def _jaccard_scores(reference: Labeling, runs: Sequence[Labeling]) -> tuple[Array, Array]:
    """The Jaccard index of each cluster with the most similar one of each run, and whether the run has any of it."""
    codes = reference.encoded
    backend = backend_of(codes.codes)
    xp = backend.xp
    nothing = backend.zeros_beside((0, codes.size), backend.widest(codes.codes).float, codes.codes)
    tables = [table_of_codes(reference, run) for run in runs]
    scores = [jaccard_of_each_class(x)[None, :] for x in tables]
    return xp.concat([nothing, *scores]), xp.concat([nothing > 0, *(x.class_sizes[None, :] > 0 for x in tables)])


def _mean_by_cluster(values: Array, reference: Labeling) -> Array:
    """The mean over the samples of each cluster of the values that are known."""
    codes = reference.encoded
    backend = backend_of(values)
    xp, size = backend.xp, codes.size + codes.has_spare
    is_known = ~xp.isnan(values)
    total = backend.total(xp.where(is_known, values, 0.0), codes.places, size)
    number = backend.total(xp.astype(is_known, values.dtype), codes.places, size)
    return ratio(total, number, xp, if_zero=float("nan"))[: codes.size]
