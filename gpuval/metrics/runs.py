"""Measures of several labelings of the same samples, the runs of a method: how often they keep samples together."""

from __future__ import annotations

from itertools import combinations
from math import inf, nan
from typing import Any, Literal

import numpy as np

from gpuval.engines.backends import backend_of, to_host
from gpuval.geometry.sampling import Estimate
from gpuval.inputs.labels import check_not_dask, labelings_by_name
from gpuval.inputs.options import as_number, check_flag, check_option, check_size, generator
from gpuval.inputs.selection import read_ignored
from gpuval.measures.documents import document_parameters
from gpuval.measures.label_scores import ClusterScores
from gpuval.measures.measure import Family, measure
from gpuval.measures.result import as_result
from gpuval.metrics.external.element_centric import element_centric_score
from gpuval.table.co_clustering import (
    consensus_of_clusters,
    pair_frequencies,
    silhouettes_by_pairs,
    silhouettes_of_co_clustering,
)
from gpuval.table.labelings import Labeling, read_labelings, table_of
from gpuval.table.labels import labels_at, labels_beside

__all__ = [
    "cluster_consensus_scores",
    "co_clustering_silhouettes",
    "inconsistency_coefficient",
    "proportion_of_ambiguous_pairs",
]

RUNS = Family("several labelings", needs="several labelings of the same samples")


# Texts that the docstrings share.

_CLUSTERS = """\
    labels
        The clusters to look at, a label vector of shape (n_samples,), of any kind that :meth:`Contingency.from_labels`
        takes, except those of Dask. Samples with a missing label (NaN, None) do not count.
"""
_RUNS = """\
    labelings
        The labels that each run gives the same samples: a mapping from names to label vectors (a dictionary, a pandas
        or polars DataFrame), or a sequence of label vectors. There must be {fewest} or more, of any kind that
        :meth:`Contingency.from_labels` takes, except those of Dask. A run leaves out the samples for which it has a
        missing label (NaN, None).
"""
_IGNORED = """\
    ignore_labels
        One label or several, for example the label of noise; no mapping, as no side is the true one. A run leaves out
        the samples for which it has such a label.
"""


@measure(RUNS, better="lower")
@document_parameters(_RUNS.format(fewest="two"), "", _IGNORED)
def proportion_of_ambiguous_pairs(
    labelings: Any,
    *,
    low: float = 0.1,
    high: float = 0.9,
    n_pairs: int = 1_000_000,
    random_state: Any = None,
    return_standard_error: bool = False,
    ignore_labels: Any = None,
) -> Any:
    """Proportion of ambiguous pairs (PAC): how many pairs of samples are together in some runs, but not in others.

    The frequency f of a pair of samples is the number of runs that give both the same label, divided by the number of
    runs that have both. The score is the share of the pairs with ``low < f <= high`` ([1]_). Pairs that no run has are
    left out.

    Parameters
    ----------
    low, high
        The limits of an ambiguous frequency, from 0 to 1. A frequency that equals ``low`` is not ambiguous, and one
        that equals ``high`` is.
    n_pairs
        How many pairs are drawn, if there are too many to look at all.
    random_state
        A seed or a generator of NumPy, for the pairs to draw.
    return_standard_error
        Whether to return the standard error, too.

    Returns
    -------
    score
        From 0, which is best, to 1, in the array library of the labels, on their device. No unit. With
        ``return_standard_error``, a named tuple of ``score`` and ``standard_error``, which is 0 if no pairs were drawn.

    Raises
    ------
    TypeError, ValueError
        There are fewer than two labelings, one of them is no label vector, they differ in length, index, library or
        device, no run has two samples, or an option is not as described above.

    Notes
    -----
    Samples that have the same labels as each other in all runs make one pattern. Up to 5,000 patterns the score is
    that of all pairs. With more, ``n_pairs`` pairs of different samples are drawn, each time from all pairs. A score s
    of m drawn pairs that a run has has the standard error ``sqrt(s (1 - s) / m)``.

    One cluster in all runs has the score 0, and so have runs that are all equal: a low score is no evidence of
    structure. Other programs differ: ClustAssess counts ``low < f < high``, and pairs that no run has as not ambiguous.

    References
    ----------
    .. [1] Y. Senbabaoglu, G. Michailidis and J. Z. Li, "Critical limitations of consensus clustering in class
       discovery", Scientific Reports 4, 2014.

    Examples
    --------
    >>> import gpuval
    >>> float(gpuval.proportion_of_ambiguous_pairs([[0, 0, 1, 1], [1, 1, 0, 0], [5, 5, 7, 7]]))
    0.0
    >>> float(gpuval.proportion_of_ambiguous_pairs([[0, 0, 1, 1], [0, 1, 0, 1], [0, 1, 1, 0]]))
    1.0

    Seven of fifteen pairs:

    >>> runs = [[0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 1], [0, 0, 0, 1, 1, 2]]
    >>> float(gpuval.proportion_of_ambiguous_pairs(runs)) == 7 / 15
    True
    """
    limits = as_number("low", low), as_number("high", high)
    if not 0.0 <= limits[0] < limits[1] <= 1.0:
        raise ValueError(f"low and high must be from 0 to 1, and low below high, got low={low!r} and high={high!r}")
    number, rng = check_size(n_pairs, "n_pairs", ""), generator(random_state)
    check_flag("return_standard_error", return_standard_error)
    runs = _read_runs(labelings, ignore_labels)
    frequencies = pair_frequencies(runs, number, rng)
    if not (frequencies.n_pairs or frequencies.is_exact):
        raise ValueError(f"n_pairs must be more, as no run has both samples of a drawn pair, got {number}")
    if not frequencies.n_pairs:
        raise ValueError(
            f"labelings must have two samples that one of them does not leave out, got none of {runs[0].vector.size}"
        )
    backend, like = backend_of(runs[0].vector.data), runs[0].vector.data
    estimate = Estimate(*(as_result(backend.from_host(np.float64(x), like)) for x in frequencies.ambiguous(*limits)))
    return estimate if return_standard_error else estimate.score


@measure(RUNS, values="clusters", of_nothing=nan)
@document_parameters(_CLUSTERS, _RUNS.format(fewest="one"), _IGNORED)
def cluster_consensus_scores(labels: Any, labelings: Any, *, ignore_labels: Any = None) -> ClusterScores:
    """Consensus of each cluster: how often the runs have its samples together, on average over its pairs.

    The frequency f of a pair of samples is the number of runs that give both the same label, divided by the number of
    runs that have both. The consensus of a cluster is the mean of f over the pairs of its samples ([1]_). Pairs that no
    run has are left out. Use it to see which clusters other runs split.

    Returns
    -------
    ClusterScores
        ``clusters``, the sorted labels, and ``scores``, each of shape (n_clusters,), of the library and on the device
        of the labels; ``to_pandas()`` gives a Series. A score is from 0 to 1, which is best. It is NaN for a cluster of
        one sample, which has no pairs, and for one of which no run has two samples. It does not fall if runs merge
        clusters.

    Raises
    ------
    TypeError, ValueError
        There are no labelings, one of them is no label vector, or they differ in length, index, library or device.

    Notes
    -----
    If no run leaves samples out, the scores follow from the tables of the labels and each run. Else samples that have
    the same labels in ``labels`` and in all runs make one pattern, and up to 5,000 patterns the scores are those of
    all pairs. With more, each pair counts as often as there are runs that have both samples: the score is the number of
    times that samples of the cluster are together, divided by the number of times that a run has both.

    References
    ----------
    .. [1] S. Monti, P. Tamayo, J. Mesirov and T. Golub, "Consensus clustering: a resampling-based method for class
       discovery and visualization of gene expression microarray data", Machine Learning 52, 2003.

    Examples
    --------
    >>> import gpuval
    >>> gpuval.cluster_consensus_scores(["a", "a", "b", "b"], [[0, 0, 1, 1], [1, 1, 0, 0]])
    cluster  score
    a        1.000
    b        1.000
    >>> gpuval.cluster_consensus_scores(["a", "a", "b", "b"], [[0, 1, 0, 1], [0, 1, 1, 0]]).scores
    array([0., 0.])

    Of three pairs of each cluster, the frequencies are 1, 2/3 and 2/3:

    >>> runs = [[0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 1], [0, 0, 0, 1, 1, 2]]
    >>> gpuval.cluster_consensus_scores(runs[0], runs)
    cluster  score
    0        0.778
    1        0.778
    """
    reference, runs = _read_with_runs(labels, labelings, ignore_labels)
    codes = reference.encoded
    backend = backend_of(codes.codes)
    sizes = to_host(backend.count(codes.codes, codes.size + 1))[: codes.size]
    places = backend.from_host(np.flatnonzero(sizes), codes.codes)
    scores = backend.xp.take(consensus_of_clusters(reference, runs), places)
    return ClusterScores(labels_beside(labels_at(codes.values, places), codes.codes), as_result(scores))


@measure(RUNS, range=(-1.0, 1.0), values="samples")
@document_parameters(_CLUSTERS, _RUNS.format(fewest="one"), "", _IGNORED)
def co_clustering_silhouettes(
    labels: Any,
    labelings: Any,
    *,
    method: Literal["pooled", "pairs"] = "pooled",
    sample_size: int | None = None,
    random_state: Any = None,
    ignore_labels: Any = None,
) -> Any:
    """Silhouette of each sample, where samples are near each other if many runs have them together.

    The distance of two samples is 1 less the share of the runs that give both the same label. A sample has the mean
    distance a to the other samples of its own cluster, and the mean distance b to the samples of the nearest other
    cluster, for which it is smallest. Its silhouette is ``(b - a) / max(a, b)``, or 0 if both are 0 ([1]_ uses this
    distance). Use it to see which samples lie between clusters.

    It is circular: it judges clusters by other runs of the method that made them. Clusters that are wrong in the same
    way in each run have high values. Report it, but do not choose a clustering by it alone.

    Parameters
    ----------
    method
        What the mean distance of a sample and a cluster is, if runs leave samples out; else both are the same:

        - "pooled": 1 less the number of times that a run has the sample and a sample of the cluster together, divided
          by the number of times that a run has both, each added up over the runs and over the samples of the cluster;
        - "pairs": the mean over the samples of the cluster of 1 less the share of the runs with both samples that have
          them together. Pairs that no run has are left out.
    sample_size
        With "pairs", for how many samples to find it, drawn without replacement; the others have NaN. Each is compared
        with all samples. The default is all samples.
    random_state
        A seed or a generator of NumPy, for the samples to draw.

    Returns
    -------
    array of shape (n_samples,)
        From -1 to 1, which is best, of the library and on the device of the labels. 0 for a sample that runs have
        together with no other sample of its cluster, or with no other cluster. NaN for samples that do not count, that
        every run leaves out, or that were not drawn.

    Raises
    ------
    TypeError, ValueError
        There are no labelings, one of them is no label vector, they differ in length, index, library or device,
        ``sample_size`` is given with "pooled" or is not from 1 to the number of samples that count.

    Notes
    -----
    Of n samples, k clusters and r runs, "pooled" takes a time of n k r, and "pairs" one of n r for each sample. None
    needs the distances of all pairs at once.

    References
    ----------
    .. [1] R. Patterson-Cross, A. J. Levine and V. Menon, "Selecting single cell clustering parameter values using
       subsampling-based robustness metrics", BMC Bioinformatics 22, 2021.

    Examples
    --------
    >>> import gpuval
    >>> gpuval.co_clustering_silhouettes([0, 0, 1, 1], [[1, 1, 0, 0], [5, 5, 7, 7]])
    array([1., 1., 1., 1.])
    >>> gpuval.co_clustering_silhouettes([0, 0, 1, 1], [[0, 1, 0, 1], [5, 7, 5, 7]])
    array([-0.5, -0.5, -0.5, -0.5])
    >>> runs = [[0, 0, 1, 1, 1, 1], [0, 0, 0, 1, 1, 2]]
    >>> gpuval.co_clustering_silhouettes([0, 0, 0, 1, 1, 1], runs)
    array([0.75, 0.75, 0.  , 0.7 , 0.7 , 0.4 ])
    """
    check_option("method", method, ("pooled", "pairs"))
    rng = generator(random_state)
    if sample_size is not None:
        check_size(sample_size, "sample_size", "")
        if method == "pooled":
            raise ValueError(f"sample_size must be given with method='pairs' only, got {sample_size}")
    reference, runs = _read_with_runs(labels, labelings, ignore_labels)
    if method == "pooled":
        return as_result(silhouettes_of_co_clustering(reference, runs))
    n_samples, like = reference.vector.size, reference.vector.data
    keep = np.ones(n_samples, dtype=bool) if reference.keep is None else to_host(reference.keep)
    places = np.flatnonzero(keep)
    if sample_size is not None:
        if sample_size > len(places):
            raise ValueError(f"sample_size must be from 1 to the number of samples ({len(places)}), got {sample_size}")
        places = np.sort(rng.choice(places, sample_size, replace=False))
    backend = backend_of(like)
    where = backend.from_host(places, like)
    values = backend.total(silhouettes_by_pairs(reference, runs, where), where, n_samples)
    return as_result(backend.xp.where(backend.count(where, n_samples) > 0, values, nan))


@measure(RUNS, better="lower", range=(1.0, inf))
@document_parameters(_RUNS.format(fewest="two"), _IGNORED)
def inconsistency_coefficient(labelings: Any, *, ignore_labels: Any = None) -> Any:
    """Inconsistency coefficient (IC): how much the labelings of several runs differ; 1 if they are the same partition.

    With ``S_rs``, the :func:`element_centric_score` of the runs r and s, and B runs it is ``B^2 / sum_rs S_rs``. The
    sum has all B^2 ordered pairs, also those of a run with itself, which have 1. Equivalently it is 1 divided by
    ``p' S p``, where p are the shares of runs that give the same partition, and S is the matrix of the scores of
    different partitions ([1]_).

    Returns
    -------
    score
        From 1, which is best, to the number of runs, in the array library of the labels, on their device. No unit. It
        is not corrected for chance: few clusters have a low value.

    Raises
    ------
    TypeError, ValueError
        There are fewer than two labelings, one of them is no label vector, they differ in length, index, library or
        device, or two of them have no sample in common.

    Notes
    -----
    A pair of runs is compared over the samples that neither leaves out.

    References
    ----------
    .. [1] H. Kim, I. Park, J.-E. Park, J. K. Kim, M. Seo and J. K. Kim, "scICE: enhancing clustering reliability and
       efficiency of scRNA-seq data with multi-cluster label consistency evaluation", Nature Communications 16, 2025.

    Examples
    --------
    >>> import gpuval
    >>> float(gpuval.inconsistency_coefficient([[0, 0, 1, 1], [1, 1, 0, 0], [5, 5, 7, 7]]))
    1.0
    >>> float(gpuval.inconsistency_coefficient([[0, 0, 0, 0], [0, 1, 2, 3]]))  # 4 / (1 + 1 + 1/4 + 1/4)
    1.6
    """
    runs = _read_runs(labelings, ignore_labels)
    total = sum(element_centric_score(table_of(first, second)) for first, second in combinations(runs, 2))
    return as_result(len(runs) ** 2 / (2.0 * total + len(runs)))


def _read_runs(labelings: Any, ignore_labels: Any) -> list[Labeling]:
    """The labelings of two runs or more, each of which leaves out samples without a label."""
    _, vectors = labelings_by_name(labelings)
    if len(vectors) < 2:
        raise ValueError(f"labelings must have at least two label vectors, got {len(vectors)}")
    return _read(vectors, ignore_labels)


def _read_with_runs(labels: Any, labelings: Any, ignore_labels: Any) -> tuple[Labeling, list[Labeling]]:
    """Labels, and the labelings of several runs."""
    _, vectors = labelings_by_name(labelings)
    reference, *runs = _read({"labels": labels, **vectors}, ignore_labels)
    return reference, runs


def _read(vectors: dict[str, Any], ignore_labels: Any) -> list[Labeling]:
    check_not_dask(vectors)
    return read_labelings(vectors, None, (None, *read_ignored(ignore_labels)), None, None)
