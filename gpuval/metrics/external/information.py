"""Measures from information theory: entropies, and how much two partitions tell about each other."""

from __future__ import annotations

import math
from math import inf
from typing import Any, Literal, NamedTuple

from gpuval.inputs.options import as_number, beta_weights, check_not_negative, check_option
from gpuval.measures.measure import Family, measure
from gpuval.metrics.external._metric import exchanged_f, other_side, table_measure
from gpuval.numerics import Array
from gpuval.numerics.stable import ratio, root
from gpuval.table import information as h
from gpuval.table.information import Information, expected_parts, information, is_constant
from gpuval.table.table import Partition, Side, Table

__all__ = [
    "adjusted_mutual_info_score",
    "completeness_score",
    "conditional_entropy",
    "entropy",
    "expected_mutual_info",
    "homogeneity_completeness_v_measure",
    "homogeneity_score",
    "joint_entropy",
    "mutual_info_score",
    "normalized_information_distance",
    "normalized_mutual_info_score",
    "normalized_variation_of_information",
    "v_measure_score",
    "variation_of_information",
]

INFORMATION = Family(
    "information", table_measure, of_two=True, interval="jackknife", follows="information", class_weight=1
)

AverageMethod = Literal["min", "geometric", "arithmetic", "max"]


class HomogeneityCompletenessVMeasure(NamedTuple):
    """The three scores of :func:`homogeneity_completeness_v_measure`."""

    homogeneity: Array
    completeness: Array
    v_measure: Array


@measure(
    INFORMATION,
    better="",
    range=(0.0, inf),
    exchanged=None,
    of_one_labeling=True,
    tried={"of": ("pred",), "base": (2,)},
)
def entropy(partition: Partition, *, base: float | None = None) -> Array:
    """Shannon entropy of one labeling: the information in the label of a random sample.

    ``a_i`` of the ``n`` samples have label i, and ``p_i = a_i / n``. Then ``H = -sum_i p_i log p_i`` ([1]_, section
    2.1). It grows with the number of groups, and with the evenness of their sizes.

    Parameters
    ----------
    of
        ``"true"`` or ``"pred"``: which side of a :class:`Contingency` to take. For label vectors it has no effect.
    base
        The base of the logarithm, above 1: None gives nats, 2 gives bits.

    Returns
    -------
    float
        From 0, for one group, to log(n), for n groups of one sample each.

    References
    ----------
    .. [1] T. M. Cover and J. A. Thomas, "Elements of Information Theory", 2nd edition, 2006.

    Examples
    --------
    >>> from gpuval import entropy
    >>> float(entropy(["a", "a", "b", "b"], base=2))
    1.0
    >>> float(entropy([0, 0, 0, 0]))
    0.0
    """
    unit = _unit(base)
    return h.partition_entropy(partition) / unit


@measure(INFORMATION, better="", range=(0.0, inf), tried={"base": (2,)})
def joint_entropy(table: Table, *, base: float | None = None) -> Array:
    """Joint entropy: the information in the two labels of a random sample together.

    ``n_ij`` of the ``n`` samples are in class i and in cluster j, and ``p_ij = n_ij / n``. Then
    ``H(true, pred) = -sum_ij p_ij log p_ij`` ([1]_, equation 2.8). It is the entropy of the partition whose groups are
    the non-empty cells of the contingency table.

    Parameters
    ----------
    base
        The base of the logarithm, above 1: None gives nats, 2 gives bits.

    Returns
    -------
    float
        From max(H(true), H(pred)) to H(true) + H(pred), where H is :func:`entropy`. Symmetric.

    References
    ----------
    .. [1] T. M. Cover and J. A. Thomas, "Elements of Information Theory", 2nd edition, 2006.

    Examples
    --------
    >>> from gpuval import joint_entropy
    >>> float(joint_entropy([0, 0, 1, 1], [1, 1, 0, 0], base=2))
    1.0
    >>> float(joint_entropy([0, 0, 1, 1], [0, 1, 0, 1], base=2))
    2.0
    """
    unit = _unit(base)
    return h.joint_information(table) / unit


@measure(
    INFORMATION,
    better="lower",
    range=(0.0, inf),
    exchanged=lambda given, base: ("conditional_entropy", {"given": other_side(given), "base": base}),
    tried={"given": ("true",), "base": (2,)},
)
def conditional_entropy(table: Table, *, given: Side = "pred", base: float | None = None) -> Array:
    """Conditional entropy: the information in one label of a sample if the other label is known.

    ``n_ij`` of the ``n`` samples are in class i and in cluster j, ``p_ij = n_ij / n``, and cluster j has ``b_j``
    samples. For ``given="pred"`` it is ``H(true | pred) = sum_ij p_ij log(b_j / n_ij)``. For ``given="true"`` it is
    H(pred | true), with the size of the class in place of that of the cluster ([1]_, equation 2.12). Use H(true | pred)
    to see how mixed the clusters are, and H(pred | true) to see how the classes are split.

    Parameters
    ----------
    given
        ``"pred"`` or ``"true"``: the partition that is known.
    base
        The base of the logarithm, above 1: None gives nats, 2 gives bits.

    Returns
    -------
    float
        From 0, which is best, to the entropy of the other partition. Not symmetric.

    References
    ----------
    .. [1] T. M. Cover and J. A. Thomas, "Elements of Information Theory", 2nd edition, 2006.

    Examples
    --------
    >>> from gpuval import conditional_entropy
    >>> float(conditional_entropy([0, 0, 1, 1], [1, 1, 0, 0]))
    0.0
    >>> float(conditional_entropy([0, 0, 1, 1], [0, 0, 0, 0], base=2))
    1.0
    """
    check_option("given", given, ("true", "pred"))
    unit = _unit(base)
    return (h.true_given_pred if given == "pred" else h.pred_given_true)(table) / unit


@measure(INFORMATION, short=("mi",), range=(0.0, inf), one_sided=True, tried={"base": (2,)})
def mutual_info_score(table: Table, *, base: float | None = None) -> Array:
    """Mutual information (MI): the information that the two partitions share.

    ``p_ij`` is the share of the samples that are in class i and in cluster j, ``p_i`` the share of class i, and ``p_j``
    the share of cluster j. Then ``I = sum_ij p_ij log(p_ij / (p_i * p_j))`` ([1]_, equation 2.28). To compare
    clusterings, use one of its normalised or adjusted forms, :func:`normalized_mutual_info_score` or
    :func:`adjusted_mutual_info_score`.

    Parameters
    ----------
    base
        The base of the logarithm, above 1: None gives nats, 2 gives bits.

    Returns
    -------
    float
        From 0, for independent partitions, to the smaller of the two entropies. Symmetric.

    Notes
    -----
    The sum is computed in a form in which no term is negative, so that no digits cancel.

    References
    ----------
    .. [1] T. M. Cover and J. A. Thomas, "Elements of Information Theory", 2nd edition, 2006.

    Examples
    --------
    >>> from gpuval import mutual_info_score
    >>> float(mutual_info_score([0, 0, 1, 1], [1, 1, 0, 0], base=2))
    1.0
    >>> float(mutual_info_score([0, 0, 1, 1], [0, 1, 0, 1]))
    0.0
    """
    unit = _unit(base)
    return h.mutual_information(table) / unit


@measure(
    INFORMATION,
    short=("emi",),
    better="",
    range=(0.0, inf),
    needs_counts=True,
    host_steps_found=1,
    tried={"base": (2,)},
)
def expected_mutual_info(table: Table, *, base: float | None = None) -> Array:
    """Expected mutual information (EMI): the mutual information of random partitions with these group sizes.

    It is the mean of :func:`mutual_info_score` over all permutations of the labels. The sizes of the classes and of the
    clusters stay the same, so the number in each cell of the contingency table has a hypergeometric distribution ([1]_,
    equation 24a). :func:`adjusted_mutual_info_score` uses it to correct for chance.

    Parameters
    ----------
    base
        The base of the logarithm, above 1: None gives nats, 2 gives bits.

    Returns
    -------
    float
        From 0 to the smaller of the two entropies. Symmetric.

    Raises
    ------
    ValueError
        The contingency table has cells that are not whole numbers. Chance is modelled for counts of samples only.
        (Inside jax.jit and torch.compile the result is NaN instead.)

    Notes
    -----
    On a device there is a host step, unless ``n_classes=`` and ``n_clusters=`` are given: the distinct group sizes are
    found, and copied to the CPU.

    References
    ----------
    .. [1] N. X. Vinh, J. Epps and J. Bailey, "Information theoretic measures for clusterings comparison", JMLR 11,
       2010.

    Examples
    --------
    >>> from gpuval import expected_mutual_info
    >>> float(expected_mutual_info([0, 1, 2, 3], [3, 2, 1, 0], base=2))
    2.0
    >>> float(expected_mutual_info([0, 0, 1, 1], [0, 0, 0, 0]))
    0.0
    """
    unit = _unit(base)
    return expected_parts(table)[0] / unit


@measure(
    INFORMATION,
    short=("nmi",),
    title="NMI",
    usual=3,
    is_metric=lambda average_method: average_method in ("max", "joint"),
    tried={"average_method": ("min", "geometric", "max", "joint")},
)
def normalized_mutual_info_score(
    table: Table, *, average_method: AverageMethod | Literal["joint"] = "arithmetic"
) -> Array:
    """Normalised mutual information (NMI): mutual information divided by an average of the two entropies.

    ``I`` is :func:`mutual_info_score`, and H is :func:`entropy`. Then ``NMI = I / average(H(true), H(pred))`` ([1]_,
    table 2). With ``average_method="joint"`` it is ``I / H(true, pred)``, where H(true, pred) is :func:`joint_entropy`.
    With the arithmetic mean it is the V-measure, :func:`v_measure_score`.

    Parameters
    ----------
    average_method
        The average of the entropies: ``"arithmetic"``, ``"geometric"``, ``"min"``, ``"max"``, or ``"joint"`` for the
        joint entropy in its place.

    Returns
    -------
    float
        From 0 to 1, which is best. Symmetric. Not corrected for chance: it grows with the number of clusters.

    References
    ----------
    .. [1] N. X. Vinh, J. Epps and J. Bailey, "Information theoretic measures for clusterings comparison", JMLR 11,
       2010.

    Examples
    --------
    >>> from gpuval import normalized_mutual_info_score
    >>> float(normalized_mutual_info_score([0, 0, 1, 1], [1, 1, 0, 0]))
    1.0
    >>> float(normalized_mutual_info_score([0, 0, 1, 1], [0, 0, 0, 0]))
    0.0
    """
    check_option("average_method", average_method, ("min", "geometric", "arithmetic", "max", "joint"))
    info = information(table)
    if average_method == "joint":
        return info.quotient(info.mutual, info.joint)
    if average_method == "geometric":  # a product of quotients, so that it cannot exceed 1
        of_true, of_pred = info.quotient(info.mutual, info.true), info.quotient(info.mutual, info.pred)
        return root(of_true, info.xp) * root(of_pred, info.xp)
    return info.quotient(info.mutual, _average(info, average_method))


@measure(
    INFORMATION,
    short=("ami",),
    title="AMI",
    usual=2,
    range=(-inf, 1.0),
    adjusted=True,
    needs_counts=True,
    host_steps_found=1,
    tried={"average_method": ("min", "geometric", "max")},
    voice=1,
)
def adjusted_mutual_info_score(table: Table, *, average_method: AverageMethod = "arithmetic") -> Array:
    """Adjusted mutual information (AMI): mutual information, corrected for chance and normalised.

    ``I`` is :func:`mutual_info_score`, ``E`` its expected value for random partitions, :func:`expected_mutual_info`,
    and H is :func:`entropy`. Then ``AMI = (I - E) / (average(H(true), H(pred)) - E)`` ([1]_, equation 22). Use it to
    compare clusterings whose numbers of clusters differ.

    Parameters
    ----------
    average_method
        The average of the entropies: ``"arithmetic"``, ``"geometric"``, ``"min"`` or ``"max"``.

    Returns
    -------
    float
        At most 1, which is best. 0 is the value expected of a random partition, and a negative value is worse than
        that. Symmetric. A partition into one cluster, or into single samples, scores 0 against any other partition.

    Raises
    ------
    ValueError
        The contingency table has cells that are not whole numbers. Chance is modelled for counts of samples only.
        (Inside jax.jit and torch.compile the result is NaN instead.)

    Notes
    -----
    On a device there is a host step, unless ``n_classes=`` and ``n_clusters=`` are given: the distinct group sizes are
    found, and copied to the CPU.

    References
    ----------
    .. [1] N. X. Vinh, J. Epps and J. Bailey, "Information theoretic measures for clusterings comparison", JMLR 11,
       2010.

    Examples
    --------
    >>> from gpuval import adjusted_mutual_info_score
    >>> float(adjusted_mutual_info_score([0, 0, 1, 1], [1, 1, 0, 0]))
    1.0
    >>> float(adjusted_mutual_info_score([0, 0, 1, 1], [0, 0, 0, 0]))
    0.0
    """
    check_option("average_method", average_method, ("min", "geometric", "arithmetic", "max"))
    info = information(table)
    xp = info.xp
    smaller = xp.minimum(info.true_given_pred, info.pred_given_true)
    excess = xp.abs(info.true_given_pred - info.pred_given_true)
    expected, left = expected_parts(table)
    # `left` is the expected value of the smaller conditional entropy. For given sizes I + H(true|pred) is constant, so
    # I - E = left - smaller: whichever difference has the smaller numbers is taken. No entropy needs one with E.
    near_chance = info.mutual + expected < smaller + left
    gain = xp.where(near_chance, info.mutual - expected, left - smaller)
    room = _average_above(expected, left, left + excess, average_method, xp)
    score = xp.where(is_constant(table), 0.0, ratio(gain, room, xp))
    return xp.where(info.identical, 1.0, score)


@measure(INFORMATION, short=("homogeneity",), usual=4, exchanged=("completeness_score", {}), head="homog.")
def homogeneity_score(table: Table) -> Array:
    """Homogeneity: how far each cluster has samples of a single class only.

    H(true) is the :func:`entropy` of the classes, and H(true | pred) is their :func:`conditional_entropy` if the
    clusters are known. Then ``h = 1 - H(true | pred) / H(true)`` ([1]_, equation 1). It falls when a cluster mixes
    classes, and does not fall when a class is split over clusters: look at :func:`completeness_score`, too.

    Returns
    -------
    float
        From 0 to 1, which is best. It is also 1 if there is only one class. Not symmetric: with the arguments exchanged
        it is :func:`completeness_score`.

    References
    ----------
    .. [1] A. Rosenberg and J. Hirschberg, "V-Measure: a conditional entropy-based external cluster evaluation measure",
       EMNLP-CoNLL 2007.

    Examples
    --------
    >>> from gpuval import homogeneity_score
    >>> float(homogeneity_score([0, 0, 1, 1], [0, 1, 2, 2]))
    1.0
    >>> float(homogeneity_score([0, 0, 1, 1], [0, 0, 0, 0]))
    0.0
    """
    mutual, rest = h.mutual_information(table), h.true_given_pred(table)
    return ratio(mutual, mutual + rest, table.xp, if_zero=1.0)


@measure(INFORMATION, short=("completeness",), usual=5, exchanged=("homogeneity_score", {}), head="compl.")
def completeness_score(table: Table) -> Array:
    """Completeness: how far all samples of a class are in a single cluster.

    H(pred) is the :func:`entropy` of the clusters, and H(pred | true) is their :func:`conditional_entropy` if the
    classes are known. Then ``c = 1 - H(pred | true) / H(pred)`` ([1]_, equation 2). It falls when a class is split over
    clusters, but stays 1 when whole classes are merged into one cluster: look at :func:`homogeneity_score`, too.

    Returns
    -------
    float
        From 0 to 1, which is best. It is also 1 if there is only one cluster. Not symmetric: with the arguments
        exchanged it is :func:`homogeneity_score`.

    References
    ----------
    .. [1] A. Rosenberg and J. Hirschberg, "V-Measure: a conditional entropy-based external cluster evaluation measure",
       EMNLP-CoNLL 2007.

    Examples
    --------
    >>> from gpuval import completeness_score
    >>> float(completeness_score([0, 0, 1, 1], [0, 0, 0, 0]))
    1.0
    >>> float(completeness_score([0, 0, 0, 0], [0, 1, 2, 3]))
    0.0
    """
    mutual, rest = h.mutual_information(table), h.pred_given_true(table)
    return ratio(mutual, mutual + rest, table.xp, if_zero=1.0)


@measure(
    INFORMATION,
    short=("v", "v_measure"),
    title="V-measure",
    usual=6,
    exchanged=exchanged_f("v_measure_score"),
    tried={"beta": (2.0, 0.0)},
    head="V",
)
def v_measure_score(table: Table, *, beta: float = 1.0) -> Array:
    """V-measure: weighted harmonic mean of homogeneity and completeness.

    ``h`` is :func:`homogeneity_score`, and ``c`` is :func:`completeness_score`. Then
    ``V = (1 + beta) * h * c / (beta * h + c)`` ([1]_, equation 3). With beta = 1 it is the normalised mutual
    information (NMI) with the arithmetic mean.

    Parameters
    ----------
    beta
        How much more completeness counts than homogeneity. With 0 the score is the homogeneity, or 0 where the
        completeness is 0.

    Returns
    -------
    float
        From 0 to 1, which is best. Symmetric for beta = 1.

    Notes
    -----
    It is computed as ``(1 + beta) * I / (beta * H(pred) + H(true))``, where I is :func:`mutual_info_score` and H is
    :func:`entropy`.

    References
    ----------
    .. [1] A. Rosenberg and J. Hirschberg, "V-Measure: a conditional entropy-based external cluster evaluation measure",
       EMNLP-CoNLL 2007.

    Examples
    --------
    >>> from gpuval import v_measure_score
    >>> float(v_measure_score([0, 0, 1, 1], [1, 1, 0, 0]))
    1.0
    >>> round(float(v_measure_score([0, 0, 1, 2], [0, 0, 1, 1])), 15)
    0.8
    >>> round(float(v_measure_score([0, 1, 2, 3], [0, 0, 1, 1])), 15)
    0.666666666666667
    >>> float(v_measure_score([0, 0, 0, 0], [0, 1, 2, 3]))
    0.0
    >>> float(v_measure_score([0, 0, 1, 1], [0, 0, 0, 0]))
    0.0
    """
    beta = check_not_negative("beta", beta)
    return _v_measure(information(table), beta)


@measure(INFORMATION, exchanged=None, values="several")
def homogeneity_completeness_v_measure(table: Table, *, beta: float = 1.0) -> HomogeneityCompletenessVMeasure:
    """Homogeneity, completeness and V-measure in one call.

    It returns :func:`homogeneity_score`, :func:`completeness_score` and :func:`v_measure_score` ([1]_), from a single
    contingency table.

    Parameters
    ----------
    beta
        How much more completeness counts than homogeneity in the V-measure.

    Returns
    -------
    tuple of three floats
        ``homogeneity``, ``completeness`` and ``v_measure``, each from 0 to 1, which is best. Exchanging the arguments
        exchanges the first two.

    References
    ----------
    .. [1] A. Rosenberg and J. Hirschberg, "V-Measure: a conditional entropy-based external cluster evaluation measure",
       EMNLP-CoNLL 2007.

    Examples
    --------
    >>> from gpuval import homogeneity_completeness_v_measure
    >>> [float(x) for x in homogeneity_completeness_v_measure([0, 0, 1, 1], [1, 1, 0, 0])]
    [1.0, 1.0, 1.0]
    >>> [float(x) for x in homogeneity_completeness_v_measure([0, 0, 1, 1], [0, 0, 0, 0])]
    [0.0, 1.0, 0.0]
    """
    beta = check_not_negative("beta", beta)
    info = information(table)
    return HomogeneityCompletenessVMeasure(
        ratio(info.mutual, info.true, info.xp, if_zero=1.0),
        ratio(info.mutual, info.pred, info.xp, if_zero=1.0),
        _v_measure(info, beta),
    )


@measure(
    INFORMATION,
    short=("vi",),
    usual=12,
    better="lower",
    range=(0.0, inf),
    is_metric=True,
    tried={"base": (2,)},
    head="VI",
)
def variation_of_information(table: Table, *, base: float | None = None) -> Array:
    """Variation of information (VI): the information in which the two partitions differ.

    H(true | pred) is the :func:`conditional_entropy` of the classes if the clusters are known, and H(pred | true) that
    of the clusters if the classes are known. Then ``VI = H(true | pred) + H(pred | true)`` ([1]_, equation 16). Use it
    as a distance between partitions.

    Parameters
    ----------
    base
        The base of the logarithm, above 1: None gives nats, 2 gives bits.

    Returns
    -------
    float
        From 0, which is best, to log(n) for n samples. Symmetric; a metric.

    References
    ----------
    .. [1] M. Meilă, "Comparing clusterings: an information based distance", Journal of Multivariate Analysis 98, 2007.

    Examples
    --------
    >>> from gpuval import variation_of_information
    >>> float(variation_of_information([0, 0, 1, 1], [1, 1, 0, 0]))
    0.0
    >>> float(variation_of_information([0, 0, 1, 1], [0, 1, 0, 1], base=2))
    2.0
    """
    unit = _unit(base)
    return (h.true_given_pred(table) + h.pred_given_true(table)) / unit


@measure(INFORMATION, short=("nvi",), better="lower", is_metric=True)
def normalized_variation_of_information(table: Table) -> Array:
    """Normalised variation of information (NVI): variation of information divided by the joint entropy.

    ``VI`` is :func:`variation_of_information`, ``I`` is :func:`mutual_info_score`, and H(true, pred) is
    :func:`joint_entropy`. Then ``NVI = VI / H(true, pred) = 1 - I / H(true, pred)`` ([1]_, table 2).

    Returns
    -------
    float
        From 0, which is best, to 1, for independent partitions. Symmetric; a metric.

    References
    ----------
    .. [1] N. X. Vinh, J. Epps and J. Bailey, "Information theoretic measures for clusterings comparison", JMLR 11,
       2010.

    Examples
    --------
    >>> from gpuval import normalized_variation_of_information
    >>> float(normalized_variation_of_information([0, 0, 1, 1], [1, 1, 0, 0]))
    0.0
    >>> float(normalized_variation_of_information([0, 0, 1, 1], [0, 1, 0, 1]))
    1.0
    """
    info = information(table)
    return ratio(info.true_given_pred + info.pred_given_true, info.joint, info.xp)


@measure(INFORMATION, short=("nid",), better="lower", is_metric=True)
def normalized_information_distance(table: Table) -> Array:
    """Normalised information distance (NID): the share of the larger entropy that the partitions do not have in common.

    ``I`` is :func:`mutual_info_score`, and H is :func:`entropy`. Then ``NID = 1 - I / max(H(true), H(pred))`` ([1]_,
    table 2).

    Returns
    -------
    float
        From 0, which is best, to 1, for independent partitions. Symmetric; a metric.

    References
    ----------
    .. [1] N. X. Vinh, J. Epps and J. Bailey, "Information theoretic measures for clusterings comparison", JMLR 11,
       2010.

    Examples
    --------
    >>> from gpuval import normalized_information_distance
    >>> float(normalized_information_distance([0, 0, 1, 1], [1, 1, 0, 0]))
    0.0
    >>> float(normalized_information_distance([0, 0, 1, 1], [0, 1, 0, 1]))
    1.0
    """
    info = information(table)
    larger = info.xp.maximum(info.true_given_pred, info.pred_given_true)
    return ratio(larger, info.mutual + larger, info.xp)


def _v_measure(info: Information, beta: float) -> Array:
    of_pred, of_true = beta_weights(beta)
    return info.quotient((of_pred + of_true) * info.mutual, of_pred * info.pred + of_true * info.true)


def _average(info: Information, method: str) -> Array:
    xp, a, b = info.xp, info.true, info.pred
    match method:
        case "min":
            return xp.minimum(a, b)
        case "geometric":
            return root(a, xp) * root(b, xp)
        case "max":
            return xp.maximum(a, b)
        case _:
            return (a + b) / 2.0


def _average_above(least: Array, smaller: Array, larger: Array, method: str, xp: Any) -> Array:
    """The average of ``least + smaller`` and ``least + larger``, less ``least``."""
    match method:
        case "min":
            return smaller
        case "geometric":
            mean = root(least + smaller, xp) * root(least + larger, xp)
            return ratio(least * (smaller + larger) + smaller * larger, mean + least, xp)
        case "max":
            return larger
        case _:
            return (smaller + larger) / 2.0


def _unit(base: float | None) -> float:
    """How many nats make one unit of information."""
    if base is None:
        return 1.0
    number = as_number("base", base)
    if not 1 < number < math.inf:
        raise ValueError(f"base must be a finite number above 1, or None for nats, got {base!r}")
    return math.log(number)
