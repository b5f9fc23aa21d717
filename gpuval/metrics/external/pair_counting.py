"""Measures that count pairs of samples: pairs together in both partitions, in one of them only, or in neither."""

from __future__ import annotations

from math import inf
from typing import Any, Literal

import numpy as np

from gpuval.engines.backends import to_host
from gpuval.inputs.options import beta_weights, check_not_negative, check_option
from gpuval.measures.measure import Family, measure
from gpuval.metrics.external._metric import exchanged_f, other_side, table_measure
from gpuval.numerics import Array
from gpuval.numerics.exact import LARGEST_ROOT, to_int, to_python
from gpuval.numerics.stable import ratio, root
from gpuval.table.pairs import PairCounts, count_pairs, exact_pairs
from gpuval.table.table import Side, Table

__all__ = [
    "adjusted_fowlkes_mallows_score",
    "adjusted_rand_score",
    "adjusted_wallace_score",
    "fowlkes_mallows_score",
    "hubert_gamma_score",
    "mcnemar_index",
    "mirkin_distance",
    "pair_braun_blanquet_score",
    "pair_confusion_matrix",
    "pair_f_score",
    "pair_inclusion_score",
    "pair_jaccard_score",
    "pair_kulczynski_score",
    "pair_ochiai_score",
    "pair_precision_score",
    "pair_recall_score",
    "pair_simpson_score",
    "rand_score",
    "rogers_tanimoto_score",
    "russell_rao_score",
    "sokal_sneath_score",
    "wallace_score",
]

PAIRS = Family("pairs of samples", table_measure, of_two=True, follows="pairs", class_weight=2)


@measure(PAIRS, short=("ari", "ar"), title="ARI", usual=1, range=(-0.5, 1.0), adjusted=True, voice=2)
def adjusted_rand_score(table: Table) -> Array:
    """Adjusted Rand index (ARI): share of pairs on which the partitions agree, corrected for chance.

    Of all pairs of samples, ``both`` are together (in one group) in both partitions, ``true_only`` only in the true
    one, ``pred_only`` only in the predicted one, and ``neither`` in none; ``all`` is their sum.
    ``T = both + true_only`` pairs are together in the true partition, ``P = both + pred_only`` in the predicted one. If
    the labels were permuted at random, ``both`` would be ``E = T * P / all`` on average. Then
    ``ARI = (both - E) / ((T + P) / 2 - E)`` ([1]_, equation 2).

    Use it to compare a clustering with known classes; the numbers of clusters and of classes may differ.

    Returns
    -------
    float
        From -0.5 ([2]_) to 1, which is best; 0 is the value expected of a random partition. Symmetric. With sample
        weights the lower bound is -1, which is not reached. For example, take three samples with the weights w, 1 and
        1. If the first is together with the second in one partition and with the third in the other, the score is
        ``-w / (w + 1)``.

    Notes
    -----
    The score is computed as ``2 * (both * neither - true_only * pred_only) / (T * (true_only + neither) + P *
    (pred_only + neither))``. This is the same number, and its differences are exact.

    References
    ----------
    .. [1] L. Hubert and P. Arabie, "Comparing partitions", Journal of Classification 2, 1985.
    .. [2] J. E. Chacón and A. I. Rastrojo, "Minimum adjusted Rand index for two clusterings of a given size",
       Advances in Data Analysis and Classification 17, 2023.

    Examples
    --------
    >>> from gpuval import adjusted_rand_score
    >>> float(adjusted_rand_score([0, 0, 1, 1], ["b", "b", "a", "a"]))
    1.0
    >>> float(adjusted_rand_score([0, 0, 1, 1], [0, 0, 0, 0]))
    0.0
    """
    pairs = count_pairs(table)
    # pairs.pred_apart and pairs.true_apart, written out: each property is a Python call more
    spread = pairs.true * (pairs.true_only + pairs.neither) + pairs.pred * (pairs.pred_only + pairs.neither)
    return pairs.quotient(2.0 * pairs.excess, spread)


@measure(PAIRS, short=("ri", "r"), title="RI", is_metric=True)
def rand_score(table: Table) -> Array:
    """Rand index: share of the pairs of samples on which the two partitions agree.

    The partitions agree on a pair if it is together (in one group) in both, or apart in both. Of ``all`` pairs,
    ``both`` are together in both partitions and ``neither`` are apart in both. The score is ``(both + neither) / all``
    ([1]_, section 3). To compare clusterings with different numbers of clusters, prefer :func:`adjusted_rand_score`.

    Returns
    -------
    float
        From 0 to 1, which is best. Symmetric. Not corrected for chance: random partitions score far above 0.

    References
    ----------
    .. [1] W. M. Rand, "Objective criteria for the evaluation of clustering methods", JASA 66, 1971.

    Examples
    --------
    >>> from gpuval import rand_score
    >>> float(rand_score([0, 0, 1, 1], [1, 1, 0, 0]))
    1.0
    >>> float(rand_score([0, 0, 0], [0, 1, 2]))
    0.0
    """
    pairs = count_pairs(table)
    return pairs.quotient(pairs.agreements, pairs.all)


@measure(PAIRS, short=("fmi", "fm"), title="FMI", usual=7)
def fowlkes_mallows_score(table: Table) -> Array:
    """Fowlkes-Mallows index: geometric mean of pair precision and pair recall.

    ``T`` pairs of samples are together (in one group) in the true partition, ``P`` in the predicted one, and ``both``
    in both of them. Then ``FM = both / sqrt(T * P)`` ([1]_, equation 3). Pairs that are apart in both partitions do not
    count. See :func:`adjusted_fowlkes_mallows_score` for the same, corrected for chance.

    Returns
    -------
    float
        From 0 to 1, which is best. Two equal partitions into single samples score 1 as well. Symmetric.

    References
    ----------
    .. [1] E. B. Fowlkes and C. L. Mallows, "A method for comparing two hierarchical clusterings", JASA 78, 1983.

    Examples
    --------
    >>> from gpuval import fowlkes_mallows_score
    >>> float(fowlkes_mallows_score([0, 0, 1, 1], [1, 1, 0, 0]))
    1.0
    >>> float(fowlkes_mallows_score([0, 0, 0, 0], [0, 1, 2, 3]))
    0.0
    """
    return _geometric_mean(count_pairs(table))


@measure(PAIRS, short=("afmi", "afm"), range=(-1.0, 1.0), adjusted=True)
def adjusted_fowlkes_mallows_score(table: Table) -> Array:
    """Fowlkes-Mallows index, corrected for chance.

    ``FM`` is :func:`fowlkes_mallows_score`. ``T`` pairs of samples are together in the true partition, ``P`` in the
    predicted one, and ``all`` is the number of pairs. ``E = sqrt(T * P) / all`` is the expected value of FM for a
    random partition ([1]_, equation 4). The score is ``(FM - E) / (1 - E)``, the adjustment of [2]_, equation 4.

    Returns
    -------
    float
        At most 1, which is best; 0 is the value expected of a random partition. Symmetric.

    References
    ----------
    .. [1] E. B. Fowlkes and C. L. Mallows, "A method for comparing two hierarchical clusterings", JASA 78, 1983.
    .. [2] L. Hubert and P. Arabie, "Comparing partitions", Journal of Classification 2, 1985.

    Examples
    --------
    >>> from gpuval import adjusted_fowlkes_mallows_score
    >>> float(adjusted_fowlkes_mallows_score([0, 0, 1, 1], [1, 1, 0, 0]))
    1.0
    >>> float(adjusted_fowlkes_mallows_score([0, 0, 0, 0], [0, 0, 1, 1]))
    0.0
    """
    pairs = count_pairs(table)
    xp, everything = pairs.xp, pairs.all
    mean = root(pairs.true, xp) * root(pairs.pred, xp)
    # all - sqrt(T P) = (all^2 - T P) / (all + sqrt(T P)), and all^2 - T P has only terms that are not negative.
    squares = everything * pairs.true_apart + pairs.true * pairs.pred_apart
    return pairs.quotient(ratio(pairs.excess, mean, xp), ratio(squares, everything + mean, xp))


@measure(PAIRS, short=("precision",), exchanged=("pair_recall_score", {}))
def pair_precision_score(table: Table) -> Array:
    """Share of the pairs in the same cluster that are also in the same class.

    ``both`` pairs of samples are together in both partitions, and ``pred_only`` pairs in the predicted one only. The
    precision is ``both / (both + pred_only)`` ([1]_, section 16.3). It falls when a cluster mixes classes.

    Returns
    -------
    float
        From 0 to 1, which is best. Not symmetric: with the arguments exchanged it is :func:`pair_recall_score`.

    References
    ----------
    .. [1] C. D. Manning, P. Raghavan and H. Schütze, "Introduction to Information Retrieval", 2008.

    Examples
    --------
    >>> from gpuval import pair_precision_score
    >>> float(pair_precision_score([0, 0, 1, 1], [1, 1, 0, 0]))
    1.0
    >>> float(pair_precision_score([0, 1, 2, 3], [0, 0, 0, 0]))
    0.0
    """
    pairs = count_pairs(table)
    return pairs.quotient(pairs.both, pairs.pred)


@measure(PAIRS, short=("recall",), exchanged=("pair_precision_score", {}))
def pair_recall_score(table: Table) -> Array:
    """Share of the pairs in the same class that are also in the same cluster.

    ``both`` pairs of samples are together in both partitions, and ``true_only`` pairs in the true one only. The recall
    is ``both / (both + true_only)`` ([1]_, section 16.3). It falls when a class is split over clusters.

    Returns
    -------
    float
        From 0 to 1, which is best. Not symmetric: with the arguments exchanged it is :func:`pair_precision_score`.

    References
    ----------
    .. [1] C. D. Manning, P. Raghavan and H. Schütze, "Introduction to Information Retrieval", 2008.

    Examples
    --------
    >>> from gpuval import pair_recall_score
    >>> float(pair_recall_score([0, 0, 1, 1], [1, 1, 0, 0]))
    1.0
    >>> float(pair_recall_score([0, 0, 0, 0], [0, 1, 2, 3]))
    0.0
    """
    pairs = count_pairs(table)
    return pairs.quotient(pairs.both, pairs.true)


@measure(PAIRS, short=("f1",), exchanged=exchanged_f("pair_f_score", "pair_recall_score"), tried={"beta": (2, 0)})
def pair_f_score(table: Table, *, beta: float = 1.0) -> Array:
    """F-score of pairs: weighted harmonic mean of pair precision and pair recall.

    With the precision ``p`` of :func:`pair_precision_score` and the recall ``r`` of :func:`pair_recall_score` it is
    ``(1 + beta^2) * p * r / (beta^2 * p + r)`` ([1]_, section 16.3). With beta = 1 it is the coefficient of Sørensen,
    Dice and Czekanowski.

    Parameters
    ----------
    beta
        How much more recall counts than precision; with 0, only precision counts.

    Returns
    -------
    float
        From 0 to 1, which is best. Symmetric for beta = 1.

    References
    ----------
    .. [1] C. D. Manning, P. Raghavan and H. Schütze, "Introduction to Information Retrieval", 2008.

    Examples
    --------
    >>> from gpuval import pair_f_score
    >>> float(pair_f_score([0, 0, 1, 1], [1, 1, 0, 0]))
    1.0
    >>> float(pair_f_score([0, 0, 0, 0], [0, 1, 2, 3]))
    0.0
    """
    of_true, of_pred = (x * x for x in beta_weights(check_not_negative("beta", beta)))
    pairs = count_pairs(table)
    return pairs.quotient((of_true + of_pred) * pairs.both, of_true * pairs.true + of_pred * pairs.pred)


@measure(PAIRS, short=("jaccard",), is_metric=True)
def pair_jaccard_score(table: Table) -> Array:
    """Jaccard index of pairs: of the pairs together in at least one partition, the share together in both.

    ``both`` pairs of samples are together in both partitions, ``true_only`` only in the true one, and ``pred_only``
    only in the predicted one. The score is ``both / (both + true_only + pred_only)`` ([1]_, section 2). Pairs that are
    apart in both partitions do not count.

    Returns
    -------
    float
        From 0 to 1, which is best. Symmetric.

    References
    ----------
    .. [1] A. Ben-Hur, A. Elisseeff and I. Guyon, "A stability based method for discovering structure in clustered
       data", Pacific Symposium on Biocomputing, 2002.

    Examples
    --------
    >>> from gpuval import pair_jaccard_score
    >>> float(pair_jaccard_score([0, 0, 1, 1], [1, 1, 0, 0]))
    1.0
    >>> float(pair_jaccard_score([0, 0, 0, 0], [0, 1, 2, 3]))
    0.0
    """
    pairs = count_pairs(table)
    return pairs.quotient(pairs.both, pairs.both + pairs.disagreements)


@measure(PAIRS)
def pair_kulczynski_score(table: Table) -> Array:
    """Kulczynski index: arithmetic mean of pair precision and pair recall.

    With the precision ``p`` of :func:`pair_precision_score` and the recall ``r`` of :func:`pair_recall_score` it is
    ``(p + r) / 2`` ([1]_, section 2.4).

    Returns
    -------
    float
        From 0 to 1, which is best. Symmetric.

    References
    ----------
    .. [1] B. Desgraupes, "Clustering indices", vignette of the R package clusterCrit, 2013.

    Examples
    --------
    >>> from gpuval import pair_kulczynski_score
    >>> float(pair_kulczynski_score([0, 0, 1, 1], [1, 1, 0, 0]))
    1.0
    >>> float(pair_kulczynski_score([0, 0, 0, 0], [0, 1, 2, 3]))
    0.0
    """
    pairs = count_pairs(table)
    return (pairs.quotient(pairs.both, pairs.pred) + pairs.quotient(pairs.both, pairs.true)) / 2.0


@measure(PAIRS)
def pair_ochiai_score(table: Table) -> Array:
    """Ochiai index: geometric mean of pair precision and pair recall.

    With the precision ``p`` of :func:`pair_precision_score` and the recall ``r`` of :func:`pair_recall_score` it is
    ``sqrt(p * r)`` ([1]_, table 2). It is the same number as :func:`fowlkes_mallows_score`; this is its name in
    ecology.

    Returns
    -------
    float
        From 0 to 1, which is best. Symmetric.

    References
    ----------
    .. [1] A. N. Albatineh, M. Niewiadomska-Bugaj and D. Mihalko, "On similarity indices and correction for chance
       agreement", Journal of Classification 23, 2006.

    Examples
    --------
    >>> from gpuval import pair_ochiai_score
    >>> float(pair_ochiai_score([0, 0, 1, 1], [1, 1, 0, 0]))
    1.0
    >>> float(pair_ochiai_score([0, 0, 0, 0], [0, 1, 2, 3]))
    0.0
    """
    return _geometric_mean(count_pairs(table))


@measure(PAIRS, one_sided=True)
def pair_simpson_score(table: Table) -> Array:
    """Simpson index of pairs: the larger one of pair precision and pair recall.

    ``T`` pairs of samples are together in the true partition, ``P`` in the predicted one, and ``both`` in both of them.
    The score is ``both / min(T, P)``, which equals max(precision, recall) ([1]_, table 2).

    Returns
    -------
    float
        From 0 to 1, which is best. It is also 1 when one partition refines the other (splits its groups) and has
        at least one pair together. Symmetric.

    References
    ----------
    .. [1] A. N. Albatineh, M. Niewiadomska-Bugaj and D. Mihalko, "On similarity indices and correction for chance
       agreement", Journal of Classification 23, 2006.

    Examples
    --------
    >>> from gpuval import pair_simpson_score
    >>> float(pair_simpson_score([0, 0, 1, 1], [1, 1, 0, 0]))
    1.0
    >>> float(pair_simpson_score([0, 0, 1, 1], [0, 1, 0, 1]))
    0.0
    """
    pairs = count_pairs(table)
    return pairs.quotient(pairs.both, pairs.xp.minimum(pairs.true, pairs.pred))


@measure(PAIRS, is_metric=True)
def pair_braun_blanquet_score(table: Table) -> Array:
    """Braun-Blanquet index of pairs: the smaller one of pair precision and pair recall.

    ``T`` pairs of samples are together in the true partition, ``P`` in the predicted one, and ``both`` in both of them.
    The score is ``both / max(T, P)``, which equals min(precision, recall) ([1]_, table 2).

    Returns
    -------
    float
        From 0 to 1, which is best. Symmetric.

    References
    ----------
    .. [1] A. N. Albatineh, M. Niewiadomska-Bugaj and D. Mihalko, "On similarity indices and correction for chance
       agreement", Journal of Classification 23, 2006.

    Examples
    --------
    >>> from gpuval import pair_braun_blanquet_score
    >>> float(pair_braun_blanquet_score([0, 0, 1, 1], [1, 1, 0, 0]))
    1.0
    >>> float(pair_braun_blanquet_score([0, 0, 0, 0], [0, 1, 2, 3]))
    0.0
    """
    pairs = count_pairs(table)
    return pairs.quotient(pairs.both, pairs.xp.maximum(pairs.true, pairs.pred))


@measure(
    PAIRS,
    exchanged=lambda of, variant: ("pair_inclusion_score", {"of": other_side(of), "variant": variant}),
    tried={"variant": (2,), "of": ("pred",)},
)
def pair_inclusion_score(table: Table, *, of: Side = "true", variant: Literal[1, 2] = 1) -> Array:
    """Share of the pairs together in one partition that are also together in the other.

    ``A`` pairs of samples are together in the partition that ``of`` names, and ``both`` pairs in both partitions.
    Variant 1 is ``both / A``. Variant 2 is ``both / (2 * A - both)``, where a pair that is not together in the other
    partition counts twice ([1]_).

    Parameters
    ----------
    of
        ``"true"`` or ``"pred"``: the partition whose pairs are looked for in the other one.
    variant
        1 or 2.

    Returns
    -------
    float
        From 0 to 1, which is best. Not symmetric.

    References
    ----------
    .. [1] D. A. Simovici, "Clustering: theoretical and practical aspects", 2021.

    Examples
    --------
    >>> from gpuval import pair_inclusion_score
    >>> float(pair_inclusion_score([0, 0, 1, 1], [1, 1, 0, 0]))
    1.0
    >>> float(pair_inclusion_score([0, 0, 0, 0], [0, 1, 2, 3]))
    0.0
    """
    check_option("of", of, ("true", "pred"))
    check_option("variant", variant, (1, 2))
    pairs = count_pairs(table)
    lost = pairs.true_only if of == "true" else pairs.pred_only
    return pairs.quotient(pairs.both, pairs.both + float(variant) * lost)


@measure(
    PAIRS,
    better="lower",
    range=lambda normalized: (0.0, 1.0 if normalized else inf),
    is_metric=True,
    tried={"normalized": (True,)},
)
def mirkin_distance(table: Table, *, normalized: bool = False) -> Array:
    """Mirkin distance: number of ordered pairs of samples on which the two partitions disagree.

    The partitions disagree on a pair if it is together in one and apart in the other. ``true_only`` pairs are together
    only in the true partition, ``pred_only`` pairs only in the predicted one. Each pair has two orders, so the distance
    is ``2 * (true_only + pred_only)`` ([1]_; [2]_, equation 7).

    Parameters
    ----------
    normalized
        Whether to divide by ``n^2``, the square of the number of samples.

    Returns
    -------
    float
        From 0, which is best, to n (n - 1), or to 1 - 1/n if normalised. Symmetric; a metric.

    References
    ----------
    .. [1] B. Mirkin, "Mathematical classification and clustering", 1996.
    .. [2] M. Meilă, "Comparing clusterings: an information based distance", Journal of Multivariate Analysis 98, 2007.

    Examples
    --------
    >>> from gpuval import mirkin_distance
    >>> float(mirkin_distance([0, 0, 1, 1], [1, 1, 0, 0]))
    0.0
    >>> float(mirkin_distance([0, 0, 0, 0], [0, 1, 2, 3]))
    12.0
    """
    pairs = count_pairs(table)
    if not normalized:
        return pairs.disagreements
    total = table.real(table.total)
    return ratio(ratio(pairs.disagreements, total, pairs.xp), total, pairs.xp)


@measure(PAIRS, range=(-1.0, 1.0), adjusted=True)
def hubert_gamma_score(table: Table) -> Array:
    """Hubert's gamma: correlation, over all pairs, of being together in one partition and in the other.

    Of ``all`` pairs of samples, ``both`` are together in both partitions, ``true_only`` only in the true one,
    ``pred_only`` only in the predicted one, and ``neither`` in none. ``T = both + true_only`` and
    ``P = both + pred_only``. The score is the phi coefficient (the correlation of two yes/no variables) of the pairs:
    ``(both * neither - true_only * pred_only) / sqrt(T * P * (all - T) * (all - P))`` ([1]_; [2]_, section 2.4).

    Returns
    -------
    float
        From -1 to 1, which is best; 0 means no correlation. Symmetric.

    References
    ----------
    .. [1] L. Hubert and P. Arabie, "Comparing partitions", Journal of Classification 2, 1985.
    .. [2] B. Desgraupes, "Clustering indices", vignette of the R package clusterCrit, 2013.

    Examples
    --------
    >>> from gpuval import hubert_gamma_score
    >>> float(hubert_gamma_score([0, 0, 1, 1], [1, 1, 0, 0]))
    1.0
    >>> float(hubert_gamma_score([0, 0, 0, 0], [0, 0, 1, 1]))
    0.0
    """
    pairs = count_pairs(table)
    xp = pairs.xp
    true = root(pairs.true, xp) * root(pairs.true_apart, xp)
    pred = root(pairs.pred, xp) * root(pairs.pred_apart, xp)
    return pairs.quotient(ratio(pairs.excess, true, xp), pred)


@measure(PAIRS, is_metric=True)
def rogers_tanimoto_score(table: Table) -> Array:
    """Rogers-Tanimoto index: share of pairs on which the partitions agree; disagreements count twice.

    ``both`` pairs of samples are together in both partitions, ``neither`` pairs are apart in both, and on ``d`` pairs
    the partitions disagree. The score is ``(both + neither) / (both + neither + 2 * d)`` ([1]_; for pairs [2]_, section
    2.4).

    Returns
    -------
    float
        From 0 to 1, which is best. Symmetric.

    References
    ----------
    .. [1] D. J. Rogers and T. T. Tanimoto, "A computer program for classifying plants", Science 132, 1960.
    .. [2] B. Desgraupes, "Clustering indices", vignette of the R package clusterCrit, 2013.

    Examples
    --------
    >>> from gpuval import rogers_tanimoto_score
    >>> float(rogers_tanimoto_score([0, 0, 1, 1], [1, 1, 0, 0]))
    1.0
    >>> float(rogers_tanimoto_score([0, 0, 0, 0], [0, 1, 2, 3]))
    0.0
    """
    pairs = count_pairs(table)
    return pairs.quotient(pairs.agreements, pairs.agreements + 2.0 * pairs.disagreements)


@measure(PAIRS, identical=None, one_sided=True)
def russell_rao_score(table: Table) -> Array:
    """Russell-Rao index: share of all pairs that are together in both partitions.

    Of ``all`` pairs of samples, ``both`` are together in both partitions. The score is ``both / all`` ([1]_; for pairs
    [2]_, section 2.4).

    Returns
    -------
    float
        From 0 to 1. Only partitions into one single group reach 1: the value also depends on how many pairs are
        together at all. Symmetric.

    References
    ----------
    .. [1] P. F. Russell and T. R. Rao, "On habitat and association of species of anopheline larvae in south-eastern
       Madras", Journal of the Malaria Institute of India 3, 1940.
    .. [2] B. Desgraupes, "Clustering indices", vignette of the R package clusterCrit, 2013.

    Examples
    --------
    >>> from gpuval import russell_rao_score
    >>> float(russell_rao_score([0, 0, 0, 0], [1, 1, 1, 1]))
    1.0
    >>> float(russell_rao_score([0, 0, 0, 0], [0, 1, 2, 3]))
    0.0
    """
    pairs = count_pairs(table)
    return ratio(pairs.both, pairs.all, pairs.xp)


@measure(PAIRS, is_metric=lambda variant: variant == 1, tried={"variant": (2,)})
def sokal_sneath_score(table: Table, *, variant: Literal[1, 2] = 1) -> Array:
    """Sokal-Sneath index: share of pairs on which the partitions agree; disagreements count twice or half.

    ``both`` pairs of samples are together in both partitions, ``neither`` pairs are apart in both, and on ``d`` pairs
    the partitions disagree. Variant 1 is ``both / (both + 2 * d)``. Variant 2 is
    ``(both + neither) / (both + neither + d / 2)`` ([1]_; for pairs [2]_, section 2.4).

    Parameters
    ----------
    variant
        1: disagreements count twice, and pairs that are apart in both partitions do not count. 2: disagreements count
        half.

    Returns
    -------
    float
        From 0 to 1, which is best. Symmetric.

    References
    ----------
    .. [1] R. R. Sokal and P. H. A. Sneath, "Principles of numerical taxonomy", 1963.
    .. [2] B. Desgraupes, "Clustering indices", vignette of the R package clusterCrit, 2013.

    Examples
    --------
    >>> from gpuval import sokal_sneath_score
    >>> float(sokal_sneath_score([0, 0, 1, 1], [1, 1, 0, 0]))
    1.0
    >>> float(sokal_sneath_score([0, 0, 0, 0], [0, 1, 2, 3]))
    0.0
    """
    check_option("variant", variant, (1, 2))
    pairs = count_pairs(table)
    same, weight = (pairs.both, 2.0) if variant == 1 else (pairs.agreements, 0.5)
    return pairs.quotient(same, same + weight * pairs.disagreements)


@measure(PAIRS, better="", range=(-inf, inf), identical=0.0, exchanged="negated")
def mcnemar_index(table: Table) -> Array:
    """McNemar's statistic: whether one partition puts more pairs together than the other.

    ``true_only`` pairs of samples are together only in the true partition, ``pred_only`` pairs only in the predicted
    one; each pair counts once. The statistic is ``(true_only - pred_only) / sqrt(true_only + pred_only)``: the root of
    McNemar's chi-square, with its sign ([1]_). It shows whether a clustering is too fine or too coarse, not whether it
    is right.

    Returns
    -------
    float
        0 if both partitions put equally many pairs together (these need not be the same pairs). Positive if the true
        partition puts more pairs together. Exchanging the arguments changes the sign.

    References
    ----------
    .. [1] Q. McNemar, "Note on the sampling error of the difference between correlated proportions or percentages",
       Psychometrika 12, 1947.

    Examples
    --------
    >>> from gpuval import mcnemar_index
    >>> float(mcnemar_index([0, 0, 1, 1], [1, 1, 0, 0]))
    0.0
    >>> round(float(mcnemar_index([0, 0, 0], [0, 1, 2])) ** 2, 9)
    3.0
    """
    pairs = count_pairs(table)
    return ratio(pairs.surplus / 2.0, root(pairs.disagreements / 2.0, pairs.xp), pairs.xp)


@measure(PAIRS, exchanged=lambda given: ("wallace_score", {"given": other_side(given)}), tried={"given": ("pred",)})
def wallace_score(table: Table, *, given: Side = "true") -> Array:
    """Wallace coefficient: probability that a pair together in one partition is also together in the other.

    ``T`` pairs of samples are together in the true partition, ``P`` in the predicted one, and ``both`` in both of them.
    The score is ``both / T`` for ``given="true"`` and ``both / P`` for ``given="pred"`` ([1]_, equations 1 and 2).
    These are :func:`pair_recall_score` and :func:`pair_precision_score`.

    Parameters
    ----------
    given
        ``"true"`` or ``"pred"``: the partition in which the pairs are known to be together.

    Returns
    -------
    float
        From 0 to 1, which is best. Not symmetric.

    References
    ----------
    .. [1] D. L. Wallace, "A method for comparing two hierarchical clusterings: comment", JASA 78, 1983.

    Examples
    --------
    >>> from gpuval import wallace_score
    >>> float(wallace_score([0, 0, 1, 1], [1, 1, 0, 0]))
    1.0
    >>> float(wallace_score([0, 0, 0, 0], [0, 1, 2, 3]))
    0.0
    """
    check_option("given", given, ("true", "pred"))
    pairs = count_pairs(table)
    return pairs.quotient(pairs.both, pairs.true if given == "true" else pairs.pred)


@measure(
    PAIRS,
    range=(-inf, 1.0),
    exchanged=lambda given: ("adjusted_wallace_score", {"given": other_side(given)}),
    adjusted=True,
    tried={"given": ("pred",)},
)
def adjusted_wallace_score(table: Table, *, given: Side = "true") -> Array:
    """Wallace coefficient, corrected for chance.

    ``W`` is :func:`wallace_score`, and ``E`` is the share of all pairs that are together in the other partition, the
    one that is not given. The score is ``(W - E) / (1 - E)`` ([1]_, equation 7).

    Parameters
    ----------
    given
        ``"true"`` or ``"pred"``: the partition in which the pairs are known to be together.

    Returns
    -------
    float
        At most 1, which is best; 0 is the value expected of independent partitions. Not symmetric.

    References
    ----------
    .. [1] A. Severiano, F. R. Pinto, M. Ramirez and J. A. Carriço, "Adjusted Wallace coefficient as a measure of
       congruence between typing methods", Journal of Clinical Microbiology 49, 2011.

    Examples
    --------
    >>> from gpuval import adjusted_wallace_score
    >>> float(adjusted_wallace_score([0, 0, 1, 1], [1, 1, 0, 0]))
    1.0
    >>> float(adjusted_wallace_score([0, 0, 0, 0], [0, 0, 1, 1]))
    0.0
    """
    check_option("given", given, ("true", "pred"))
    pairs = count_pairs(table)
    spread = pairs.true * pairs.pred_apart if given == "true" else pairs.pred * pairs.true_apart
    return pairs.quotient(pairs.excess, spread)


@measure(PAIRS, better="", range=(-inf, inf), exchanged="transposed", values="matrix", host_steps=1, in_library=True)
def pair_confusion_matrix(table: Table) -> Array:
    """Pair confusion matrix: ordered pairs of samples, counted by whether they are together in each partition.

    The matrix is ``[[neither, pred_only], [true_only, both]]``, as in scikit-learn. ``both`` pairs are together in both
    partitions, ``true_only`` only in the true one, ``pred_only`` only in the predicted one, and ``neither`` in none.
    Each pair counts in both orders, so each number is twice the number of unordered pairs.

    Returns
    -------
    array of shape (2, 2)
        Rows: apart and together in the true partition; columns: the same for the predicted one. The numbers are exact
        integers of type int64. Where int64 is too small, NumPy gets Python integers in an object array. A table of
        floats, or a device without 64-bit integers, gives floats. Exchanging the arguments transposes the matrix.

    Raises
    ------
    OverflowError
        The table is on a device, and its pairs do not fit into int64.

    Notes
    -----
    On a device this is a host step: one transfer to the CPU, to check that int64 is large enough.

    Examples
    --------
    >>> from gpuval import pair_confusion_matrix
    >>> pair_confusion_matrix([0, 0, 1, 1], [1, 1, 0, 0])
    array([[8, 0],
           [0, 4]])
    >>> pair_confusion_matrix([0, 0, 0], [0, 1, 2])
    array([[0, 0],
           [6, 0]])
    """
    xp = table.xp
    if not (table.is_integer and table.backend.widest(table.counts).is_64bit):
        table.check_valid()
        pairs = count_pairs(table)
        flat: list[Any] = [pairs.neither, pairs.pred_only, pairs.true_only, pairs.both]
    else:
        both, true_only, pred_only, neither = exact_pairs(table)
        fits = _fits_int64(table)
        if not fits and not table.backend.on_host:
            raise OverflowError(
                f"pair_confusion_matrix of {int(np.max(to_host(table.total)))} samples does not fit int64; "
                "bring the table to the host"
            )
        exact = to_int if fits else to_python
        flat = [exact(x) for x in (neither, pred_only, true_only, both)]
    stacked = xp.stack(flat, axis=-1)
    return xp.reshape(stacked, (*stacked.shape[:-1], 2, 2))


def _fits_int64(table: Table) -> bool:
    """Whether int64 holds the pairs of a table whose samples could all be counted: one transfer for both."""
    xp = table.xp
    fits = xp.all(table.total <= LARGEST_ROOT)
    if table.invalid is None:
        return bool(to_host(fits))
    fits, invalid = to_host(xp.stack([xp.astype(fits, table.invalid.dtype), table.backend.sum(table.invalid)]))
    table.check_valid(int(invalid))
    return bool(fits)


def _geometric_mean(pairs: PairCounts) -> Array:
    xp = pairs.xp
    return root(pairs.quotient(pairs.both, pairs.true), xp) * root(pairs.quotient(pairs.both, pairs.pred), xp)
