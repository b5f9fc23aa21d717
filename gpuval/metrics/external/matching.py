"""Measures that match classes and clusters one to one. SciPy finds the matching, so this is a host step."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from math import inf
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from gpuval.engines.backends import backend_of, to_host
from gpuval.engines.cells import DenseCells, SparseCells
from gpuval.inputs.labels import labels_of, read_labels
from gpuval.inputs.options import check_flag, check_option
from gpuval.measures.label_scores import pandas_by_label, text_by_label
from gpuval.measures.measure import Family, measure
from gpuval.metrics.external._metric import table_measure
from gpuval.numerics import Array, NDArray
from gpuval.numerics.assignment import best_in_dense, best_one_to_one
from gpuval.numerics.stable import ratio
from gpuval.table.edit_operations import check_edit_costs, saved_by_edits
from gpuval.table.labels import frame_of_counts, labels_at, labels_on_host
from gpuval.table.pairs import rest_of_best_by_class, rest_of_best_by_cluster
from gpuval.table.statistic import must_be_of_counts, statistic
from gpuval.table.table import Table, to_widest

__all__ = [
    "classification_error_distance",
    "cluster_edit_distance",
    "clustering_accuracy",
    "match_labels",
    "normalized_clustering_accuracy",
    "normalized_confusion_matrix",
    "normalized_pivoted_accuracy",
    "normalizing_permutation",
    "pair_sets_index",
    "simplified_pair_sets_index",
    "van_dongen_distance",
]

MATCHING = Family("one-to-one matching", table_measure, of_two=True, interval="jackknife", class_weight=1)

Objective = Literal["count", "recall", "precision", "f"]
"""What a matching makes as large as possible: the sum of this over the matched pairs."""

_NO_SCORE: dict[str, Any] = {
    "better": "",
    "range": (-inf, inf),
    "exchanged": None,
    "reads_names": True,
    "host_steps": 1,
    "in_library": True,
}
"""What is declared of matchings and of tables in their order."""


class LabelMatching(NamedTuple):
    """Pairs of a class and a cluster, and how many samples each pair shares; what :func:`match_labels` returns."""

    classes: Array
    clusters: Array
    counts: Array

    def to_pandas(self) -> Any:
        """The cluster and the count of each pair as a pandas DataFrame, by class (copies to the host)."""
        return pandas_by_label(self)

    def __repr__(self) -> str:
        return text_by_label(self)

    def relabel(self, labels_pred: Any, unmatched: Any = -1) -> np.ndarray[Any, Any]:
        """Replace the cluster of each sample by the class that is matched with it, on the host.

        Parameters
        ----------
        labels_pred
            Labels of clusters, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes.
        unmatched
            The label for samples whose cluster is matched with no class.

        Returns
        -------
        NumPy array of shape (n_samples,)
            The classes. It is an array of objects if some samples are unmatched and ``unmatched`` is of another kind
            than the classes.
        """
        classes, clusters = to_host(self.classes), to_host(self.clusters).tolist()
        class_of = dict(zip(clusters, classes.tolist(), strict=True))
        labels = labels_of(read_labels(labels_pred, "labels_pred"))
        renamed = np.fromiter((class_of.get(x, unmatched) for x in labels), dtype=object, count=len(labels))
        return renamed.astype(classes.dtype if all(x in class_of for x in labels) else _common(classes, unmatched))


class _MatchCells(NamedTuple):
    """The cells of a matching: their rows, columns and counts, on the host."""

    rows: np.ndarray[Any, Any]
    columns: np.ndarray[Any, Any]
    counts: np.ndarray[Any, Any]


@measure(MATCHING, short=("acc",), usual=8, is_metric=True, host_steps=1, title="accuracy", head="acc.")
def clustering_accuracy(table: Table) -> Array:
    """Clustering accuracy (ACC): share of correct samples if clusters are named after classes in the best way.

    Each cluster is matched with at most one class and each class with at most one cluster. ``n_ij`` of the ``n``
    samples are in class i and in cluster j, and ``s(i)`` is the cluster that class i is matched with. Then
    ``ACC = 1/n * max_s sum_i n_(i, s(i))``: the matching that gets most samples right counts ([1]_, equation 18). It is
    also known as unsupervised clustering accuracy, Hungarian accuracy (after the algorithm that finds the matching) and
    pivoted accuracy. This is a host step: SciPy finds the matching on the CPU.

    Returns
    -------
    float
        Above 0 to 1, which is best. Symmetric.

    References
    ----------
    .. [1] Y. Yang, D. Xu, F. Nie, S. Yan and Y. Zhuang, "Image clustering using local discriminant models and global
       integration", IEEE Transactions on Image Processing 19, 2010.

    Examples
    --------
    >>> from gpuval import clustering_accuracy
    >>> float(clustering_accuracy([0, 0, 1, 1], [1, 1, 0, 0]))
    1.0
    >>> float(clustering_accuracy([0, 0, 0, 0], [0, 1, 2, 3]))
    0.25
    """
    return _score_each(table, _accuracy)


@measure(MATCHING, better="lower", is_metric=True, host_steps=1)
def classification_error_distance(table: Table) -> Array:
    """Classification error: share of wrong samples if clusters are named after classes in the best way.

    It is ``1 - ACC``, where ACC is :func:`clustering_accuracy` ([1]_, equation 6). Use it as a distance between
    partitions. This is a host step: SciPy finds the matching on the CPU.

    Returns
    -------
    float
        From 0, which is best, to below 1. Symmetric; a metric.

    References
    ----------
    .. [1] M. Meilă and D. Heckerman, "An experimental comparison of model-based clustering methods", Machine Learning
       42, 2001.

    Examples
    --------
    >>> from gpuval import classification_error_distance
    >>> float(classification_error_distance([0, 0, 1, 1], [1, 1, 0, 0]))
    0.0
    >>> float(classification_error_distance([0, 0, 0, 0], [0, 1, 2, 3]))
    0.75
    """
    return _score_each(table, _error)


@measure(MATCHING, short=("npa",), host_steps=1, head="NPA")
def normalized_pivoted_accuracy(table: Table) -> Array:
    """Clustering accuracy, rescaled: 0 is the value of a contingency table whose cells are all equal.

    ``ACC`` is :func:`clustering_accuracy`, and ``k`` is the number of classes or the number of clusters, whichever is
    larger. The score is ``(ACC - 1/k) / (1 - 1/k)`` ([1]_, section 4). This is a host step: SciPy finds the matching on
    the CPU.

    Returns
    -------
    float
        At most 1, which is best; 0 for a table whose cells are all equal. Symmetric.

    References
    ----------
    .. [1] M. Gagolewski, "Normalised clustering accuracy: an asymmetric external cluster validity measure", Journal of
       Classification 42, 2025.

    Examples
    --------
    >>> from gpuval import normalized_pivoted_accuracy
    >>> float(normalized_pivoted_accuracy([0, 0, 1, 1], [1, 1, 0, 0]))
    1.0
    >>> float(normalized_pivoted_accuracy([0, 0, 1, 1], [0, 1, 0, 1]))
    0.0
    """
    return _score_each(table, _pivoted_accuracy)


@measure(MATCHING, short=("nca",), exchanged=None, class_weight=0, host_steps=1, title="NCA", voice=3)
def normalized_clustering_accuracy(table: Table) -> Array:
    """Normalised clustering accuracy (NCA): mean recall of the classes under the best matching, rescaled.

    Each cluster is matched with at most one class and each class with at most one cluster. ``n_ij`` samples are in
    class i and in cluster j, class i has ``a_i`` samples, and ``s(i)`` is the cluster that class i is matched with. The
    recall of class i is ``n_(i, s(i)) / a_i``, or 0 if it is matched with no cluster. ``s`` is the matching with the
    largest sum of recalls. ``k`` is the number of classes or the number of clusters, whichever is larger. The score is
    the mean over the classes of ``(recall - 1/k) / (1 - 1/k)`` ([1]_, equation 8). Each class counts the same, so it
    suits classes of very different sizes. This is a host step: SciPy finds the matching on the CPU.

    Returns
    -------
    float
        At most 1, which is best; 0 for a contingency table whose cells are all equal. Not symmetric: the reference is
        ``labels_true``.

    References
    ----------
    .. [1] M. Gagolewski, "Normalised clustering accuracy: an asymmetric external cluster validity measure", Journal of
       Classification 42, 2025.

    Examples
    --------
    >>> from gpuval import normalized_clustering_accuracy
    >>> float(normalized_clustering_accuracy([0, 0, 1, 1], [1, 1, 0, 0]))
    1.0
    >>> float(normalized_clustering_accuracy([0, 0, 1, 1], [0, 1, 0, 1]))
    0.0
    """
    return _score_each(table, _normalized_accuracy)


@measure(
    MATCHING,
    short=("psi",),
    range=lambda clipped: (0.0 if clipped else -1.0, 1.0),
    class_weight=0,
    host_steps=1,
    tried={"clipped": (False,)},
    title="PSI",
)
def pair_sets_index(table: Table, *, clipped: bool = True) -> Array:
    """Pair sets index (PSI): similarity of matched classes and clusters, corrected for chance.

    ``n_ij`` of the ``n`` samples are in class i and in cluster j, class i has ``a_i`` samples, and cluster j has
    ``b_j``. A class and a cluster that are matched have the similarity ``n_ij / max(a_i, b_j)``. ``S`` is the sum of
    these similarities over the one-to-one matching that makes it largest.
    ``E = 1/n * sum_i a_(i) * b_(i) / max(a_(i), b_(i))`` is what chance would give: ``a_(i)`` and ``b_(i)`` are the
    i-th largest class and the i-th largest cluster. ``k`` is the number of classes or the number of clusters, whichever
    is larger. Then ``PSI = (S - E) / (k - E)`` ([1]_, equation 18). This is a host step: SciPy finds the matching on
    the CPU.

    Parameters
    ----------
    clipped
        Whether to return 0 in place of a negative value.

    Returns
    -------
    float
        From 0 to 1, which is best. If not clipped, it may be negative. Symmetric.

    References
    ----------
    .. [1] M. Rezaei and P. Fränti, "Set matching measures for external cluster validity", IEEE Transactions on
       Knowledge and Data Engineering 28, 2016.

    Examples
    --------
    >>> from gpuval import pair_sets_index
    >>> float(pair_sets_index([0, 0, 1, 1], [1, 1, 0, 0]))
    1.0
    >>> float(pair_sets_index([0, 0, 1, 1], [0, 1, 0, 1]))
    0.0
    """
    return _score_each(table, _pair_sets_over_chance, clipped=clipped)


@measure(
    MATCHING,
    short=("spsi",),
    range=lambda clipped: (0.0 if clipped else -1.0, 1.0),
    is_metric=lambda clipped: clipped,
    class_weight=0,
    host_steps=1,
    tried={"clipped": (False,)},
    title="SPSI",
)
def simplified_pair_sets_index(table: Table, *, clipped: bool = True) -> Array:
    """Simplified pair sets index: the pair sets index with 1 as the value expected by chance.

    It is ``(S - 1) / (k - 1)``. As in :func:`pair_sets_index`, S is the largest sum of similarities of matched classes
    and clusters, and k is the number of classes or of clusters, whichever is larger ([1]_, equation 20). This is a host
    step: SciPy finds the matching on the CPU.

    Parameters
    ----------
    clipped
        Whether to return 0 in place of a negative value.

    Returns
    -------
    float
        From 0 to 1, which is best. If not clipped, it may be negative. Symmetric.

    References
    ----------
    .. [1] M. Rezaei and P. Fränti, "Set matching measures for external cluster validity", IEEE Transactions on
       Knowledge and Data Engineering 28, 2016.

    Examples
    --------
    >>> from gpuval import simplified_pair_sets_index
    >>> float(simplified_pair_sets_index([0, 0, 1, 1], [1, 1, 0, 0]))
    1.0
    >>> float(simplified_pair_sets_index([0, 0, 1, 1], [0, 1, 0, 1]))
    0.0
    """
    return _score_each(table, _simplified_pair_sets, clipped=clipped)


@measure(
    MATCHING,
    better="lower",
    range=lambda normalized: (0.0, 1.0 if normalized else inf),
    is_metric=True,
    tried={"normalized": (False,)},
)
def van_dongen_distance(table: Table, *, normalized: bool = True) -> Array:
    """Van Dongen's distance (split-join distance): samples outside the best match of their class or cluster.

    ``n_ij`` of the ``n`` samples are in class i and in cluster j. The best match of a class is the cluster with the
    largest number of its samples. The best match of a cluster is the class with the largest number of samples in it.
    Several classes may have the same best match. The distance is ``2 * n - sum_i max_j n_ij - sum_j max_i n_ij`` ([1]_,
    section 2): the samples outside the best match of their class, plus those outside the best match of their cluster.
    All of it is computed on the device of the labels.

    Parameters
    ----------
    normalized
        Whether to divide by ``2 * n``, twice the number of samples.

    Returns
    -------
    float
        From 0, which is best, to below 1, or to below 2n if not normalised. Symmetric; a metric.

    References
    ----------
    .. [1] S. van Dongen, "Performance criteria for graph clustering and Markov cluster experiments", CWI report
       INS-R0012, 2000.

    Examples
    --------
    >>> from gpuval import van_dongen_distance
    >>> float(van_dongen_distance([0, 0, 1, 1], [1, 1, 0, 0]))
    0.0
    >>> float(van_dongen_distance([0, 0, 1, 1], [0, 1, 0, 1]))
    0.5
    """
    xp = table.xp
    of_classes, of_clusters = rest_of_best_by_class(table), rest_of_best_by_cluster(table)
    distance = table.real(table.backend.sum(of_classes, -1) + table.backend.sum(of_clusters, -1))
    return ratio(distance, 2.0 * table.real(table.total), xp) if normalized else distance


@measure(
    MATCHING,
    better="lower",
    range=(0.0, inf),
    exchanged=lambda take_cost, put_cost, make_cost, remove_cost: (
        "same"
        if (take_cost, remove_cost) == (put_cost, make_cost)
        else (
            "cluster_edit_distance",
            {"take_cost": put_cost, "put_cost": take_cost, "make_cost": remove_cost, "remove_cost": make_cost},
        )
    ),
    is_metric=lambda take_cost, put_cost, make_cost, remove_cost: (
        (take_cost, remove_cost) == (put_cost, make_cost) and min(take_cost, make_cost) > 0
    ),
    host_steps=1,
)
def cluster_edit_distance(
    table: Table,
    *,
    take_cost: float = 1.0,
    put_cost: float = 1.0,
    make_cost: float = 1.0,
    remove_cost: float = 1.0,
) -> Array:
    """Edit distance of partitions: smallest number, or cost, of operations that turn the clusters into the classes.

    The operations are: take a sample out of a cluster of several, put a sample into a cluster, make a new cluster of a
    sample, or remove a cluster of one sample ([1]_). If each costs 1, each sample outside the best one-to-one matching
    of classes and clusters is taken out once and put in once. With ``n_ij`` of the ``n`` samples in class i and in
    cluster j, and ``s(i)`` for the cluster that class i is matched with, the distance is then
    ``2 * (n - max_s sum_i n_(i, s(i)))``. This is a host step: SciPy finds the matching on the CPU.

    Parameters
    ----------
    take_cost, put_cost, make_cost, remove_cost
        The cost of each operation, finite and not negative.

    Returns
    -------
    float
        The smallest sum of costs: from 0, which is best, to below 2n if each cost is 1. It is symmetric and, if no cost
        is 0, a metric, if ``take_cost`` is ``put_cost`` and ``make_cost`` is ``remove_cost``. With other costs,
        exchanging the arguments is the same as exchanging these costs.

    Raises
    ------
    TypeError, ValueError
        A cost is no number, negative or not finite. Or weights are real numbers or the table is built from memberships,
        and ``take_cost`` is not ``remove_cost`` or ``put_cost`` is not ``make_cost``: then the last sample of a cluster
        has a cost of its own. (In a compiled graph the result is NaN instead.)

    Notes
    -----
    :func:`cluster_edit_operations` lists the operations. Let T, P, M and R be the costs to take, put, make and remove.
    To remove a cluster of b samples costs ``(b - 1) * T + R``, and to make a class of a samples ``M + (a - 1) * P``. A
    cluster that becomes a class with which it shares k samples costs ``(b - k) * T + (a - k) * P``. No sequence of
    operations needs less: only the last sample of a cluster can be removed with it, and only the first one of a new
    cluster makes it. So the best matching is that with the largest sum, over its pairs, of what they save:
    ``(k - 1) * (T + P) + M + R``. If this is above 0 for k = 0, a cluster may become a class with which it shares no
    sample.

    References
    ----------
    .. [1] A. Dyakonov, "Loss functions and quality functionals, part 3: multi-class problems, ranking, clustering",
       lecture, 2020.

    Examples
    --------
    >>> from gpuval import cluster_edit_distance
    >>> float(cluster_edit_distance([0, 0, 1, 1], [1, 1, 0, 0]))
    0.0
    >>> float(cluster_edit_distance([0, 0, 0, 0], [0, 1, 2, 3]))
    6.0

    From {1 2 3 | 4 5 | 6} to {2 3 | 4 5 6 | 1}:

    >>> labels = [1, 1, 1, 2, 2, 3], [3, 1, 1, 2, 2, 2]
    >>> float(cluster_edit_distance(*labels))
    4.0

    It is 3 if it costs only half as much to make a cluster or to remove one:

    >>> float(cluster_edit_distance(*labels, make_cost=0.5, remove_cost=0.5))
    3.0
    """
    costs = check_edit_costs(take_cost, put_cost, make_cost, remove_cost)
    is_of_counts = None
    if (costs["take_cost"], costs["put_cost"]) != (costs["remove_cost"], costs["make_cost"]):
        is_of_counts = must_be_of_counts(
            table,
            "edit distances with other costs to remove and to make a cluster than to take and to put a sample",
            "the last sample of a cluster has a cost of its own",
        )
    found = _score_each(table, _edits, **costs)
    return found if is_of_counts is None else table.xp.where(is_of_counts, found, float("nan"))


@measure(MATCHING, values="matching", **_NO_SCORE)
def match_labels(table: Table, *, objective: Objective = "count") -> LabelMatching:
    """Match classes and clusters one to one so that they share as many samples as possible.

    ``n_ij`` samples are in class i and in cluster j, class i has ``a_i`` samples, and cluster j has ``b_j``. The
    matching maximises the sum of n_ij over the matched pairs, or of another ``objective``: this is the assignment
    problem, which the Hungarian method solves ([1]_). Pairs that share no sample are not listed. Use it to name
    clusters after classes. This is a host step: SciPy finds the matching on the CPU.

    Parameters
    ----------
    objective
        What to sum over the matched pairs. ``"count"`` is n_ij, so that most samples are right, as in
        :func:`clustering_accuracy`. ``"recall"`` is ``n_ij / a_i``, so that each class counts the same, as in
        :func:`normalized_clustering_accuracy`. ``"precision"`` is ``n_ij / b_j``, so that each cluster counts the same.
        ``"f"`` is ``2 * n_ij / (a_i + b_j)``, the harmonic mean of both.

    Returns
    -------
    LabelMatching
        ``classes`` and ``clusters`` are the labels of each pair, and ``counts`` says how many samples they share. Each
        has the shape (n_pairs,), in the order of the classes. The method ``relabel`` replaces clusters by their classes
        in a label vector, and ``to_pandas`` gives a DataFrame.

    References
    ----------
    .. [1] H. W. Kuhn, "The Hungarian method for the assignment problem", Naval Research Logistics Quarterly 2, 1955.

    Examples
    --------
    >>> from gpuval import match_labels
    >>> matching = match_labels(["a", "a", "b", "b"], [1, 1, 0, 0])
    >>> matching
    class  cluster  count
    a      1            2
    b      0            2
    >>> matching.clusters
    array([1, 0])
    >>> matching.relabel([0, 0, 1, 1])
    array(['b', 'b', 'a', 'a'], dtype='<U1')
    >>> match_labels([0, 0, 0, 0], [0, 1, 2, 3]).counts
    array([1])

    A large class is split, and a small one lies within one of its parts. Most samples are right if the parts keep it:

    >>> from gpuval import Contingency
    >>> table = Contingency.from_counts([[60, 40], [2, 0]])
    >>> match_labels(table)
    class  cluster  count
    0      0           60
    >>> match_labels(table, objective="recall")
    class  cluster  count
    0      1           40
    1      0            2
    """
    matched = _match_by(_host_table(table), objective)
    counts = matched.counts.copy()  # what is kept is not to be written into
    rows, columns, counts = (table.backend.from_host(x, table.counts) for x in (matched.rows, matched.columns, counts))
    return LabelMatching(labels_at(table.classes, rows), labels_at(table.clusters, columns), counts)


@measure(MATCHING, values="matrix", **_NO_SCORE)
def normalizing_permutation(table: Table, *, objective: Objective = "count") -> Array:
    """Order of the columns that makes the sum of the diagonal of the contingency table as large as possible.

    It is that of :func:`match_labels`, and for counts the same as in the Python package genieclust. The columns are
    those of :func:`contingency_matrix` and of the frame that :meth:`Contingency.to_pandas` gives. If there are more
    classes than clusters, the order also has the numbers from n_clusters on. These stand for empty columns, which
    :func:`normalized_confusion_matrix` adds and a frame does not have. So ``order[order < n_clusters]`` is the order
    for the columns of a frame. This is a host step: SciPy finds the matching on the CPU.

    Parameters
    ----------
    objective
        What to sum over the diagonal: ``"count"``, ``"recall"``, ``"precision"`` or ``"f"``, as in
        :func:`match_labels`.

    Returns
    -------
    array of shape (max(n_classes, n_clusters),)
        For each place, the number of the column to put there.

    Examples
    --------
    >>> from gpuval import Contingency, normalizing_permutation
    >>> normalizing_permutation(Contingency.from_counts([[12, 37, 1], [40, 0, 0], [0, 0, 30]]))
    array([1, 0, 2])
    >>> normalizing_permutation([0, 0, 0, 0], [0, 1, 2, 3])
    array([0, 1, 2, 3])
    >>> table = Contingency.from_labels(["a", "a", "b", "c", "c"], ["v", "v", "v", "u", "u"])
    >>> order = normalizing_permutation(table)
    >>> order
    array([1, 2, 0])
    >>> frame = table.to_pandas()
    >>> frame.iloc[:, order[order < frame.shape[1]]].to_numpy()
    array([[2, 0],
           [1, 0],
           [0, 2]])
    """
    return table.backend.from_host(_permutation(_compact_host_table(table), objective), table.counts)


@measure(MATCHING, values="matrix", **_NO_SCORE)
def normalized_confusion_matrix(table: Table, *, objective: Objective = "count", as_frame: bool = False) -> Any:
    """Contingency table with its columns in the order that makes the sum of the diagonal as large as possible.

    The order is :func:`normalizing_permutation`, for counts the same as in the Python package genieclust. If there are
    more classes than clusters, empty columns are added. This is a host step: SciPy finds the matching on the CPU.

    Parameters
    ----------
    objective
        What to sum over the diagonal: ``"count"``, ``"recall"``, ``"precision"`` or ``"f"``, as in
        :func:`match_labels`.
    as_frame
        Whether to return a pandas DataFrame, on the host. The classes are its index and the clusters are its columns;
        an added column has the label None.

    Returns
    -------
    array of shape (n_classes, max(n_classes, n_clusters))
        The counts.

    Examples
    --------
    >>> from gpuval import Contingency, normalized_confusion_matrix
    >>> normalized_confusion_matrix(Contingency.from_counts([[12, 37, 1], [40, 0, 0], [0, 0, 30]]))
    array([[37, 12,  1],
           [ 0, 40,  0],
           [ 0,  0, 30]])
    >>> normalized_confusion_matrix([0, 0, 0, 0], [0, 1, 2, 3])
    array([[1, 1, 1, 1]])
    >>> frame = normalized_confusion_matrix(["a", "a", "b"], ["v", "v", "u"], as_frame=True)
    >>> frame.to_dict("index")
    {'a': {'v': 2, 'u': 0}, 'b': {'v': 0, 'u': 1}}
    """
    check_flag("as_frame", as_frame)
    host = _compact_host_table(table)
    counts, order = host.to_array(), _permutation(host, objective)
    added = max(0, counts.shape[0] - counts.shape[1])
    counts = np.pad(counts, ((0, 0), (0, added)))[:, order]
    if not as_frame:
        return table.backend.from_host(counts, table.counts)
    shown = table.occurring()
    clusters = labels_on_host(shown.clusters)
    if added:
        clusters = np.append(clusters.astype(object), [None] * added)
    return frame_of_counts(counts, shown.classes, clusters[order], "as_frame=True")


# The scores of one table on the host


def _accuracy(t: Table) -> Any:
    return _divide(_samples_in_match(t), t.total, if_zero=1.0)


def _error(t: Table) -> Any:
    return _divide(_samples_out_of_match(t), t.total)


def _edits(t: Table, take_cost: float, put_cost: float, make_cost: float, remove_cost: float) -> Any:
    if (take_cost, put_cost) == (remove_cost, make_cost):
        return (take_cost + put_cost) * _samples_out_of_match(t)
    move, renew = take_cost + put_cost, make_cost + remove_cost
    kept = _match_edits(t, move, renew)
    n_classes, n_clusters = int(t.n_classes), int(t.n_clusters)
    n_kept = min(n_classes, n_clusters) if renew > move else len(kept.rows)
    moved, removed, made = (t.total - kept.counts.sum()).item(), n_clusters - n_kept, n_classes - n_kept
    out = take_cost * (moved - removed) + remove_cost * removed
    return out + put_cost * (moved - made) + make_cost * made


def _pivoted_accuracy(t: Table) -> Any:
    if _are_identical(t):
        return 1.0
    k = _larger_side(t)
    total, shared = t.total.item(), _samples_in_match(t).item()  # Python numbers: k times them may outgrow int64
    return _divide(k * shared - total, (k - 1) * total)


def _normalized_accuracy(t: Table) -> Any:
    if _are_identical(t):
        return 1.0
    rows, _, shared = _match_by(t, "recall")
    k, n_classes = _larger_side(t), int(t.n_classes)
    return _surplus(shared, t.class_sizes[rows], k, n_classes) / (n_classes * (k - 1))


def _pair_sets_over_chance(t: Table, clipped: bool) -> Any:
    a, b = (np.sort(sizes)[::-1] for sizes in (t.class_sizes, t.cluster_sizes))
    shorter = min(len(a), len(b))
    expected = np.minimum(a[:shorter], b[:shorter]).sum().item()  # a b / max(a, b) = min(a, b)
    return _pair_sets(t, expected, t.total.item(), clipped)


def _simplified_pair_sets(t: Table, clipped: bool) -> Any:
    return _pair_sets(t, 1, 1, clipped)


def _score_each(table: Table, score: Callable[..., Any], **flags: float) -> Array:
    """The score of each table of a batch, computed on the host and brought back."""
    backend, xp = table.backend, table.xp
    if not backend.is_known(table.total):
        counts = table.dense().counts
        broken = xp.zeros_like(table.total) if table.invalid is None else table.invalid
        if backend.is_traced(counts):  # an error in a callback of JAX ends others that go on: the score is NaN
            counts = xp.where((broken == 0)[..., None, None], counts, xp.zeros_like(counts))
            broken = xp.zeros_like(broken)
        return backend.host_step(_scores_of_counts, score.__name__, (counts, broken), flags, counts.shape[:-2])
    return table.backend.from_host(_scores_of(_host_table(table, batched=True), score, flags), table.counts)


def _scores_of_counts(score: str, counts: NDArray, broken: NDArray, **flags: float) -> NDArray:
    """The scores, by the name of their function, of counts in NumPy: what a graph of PyTorch or JAX calls."""
    table = _table_of_cells(DenseCells(to_widest(counts)))
    if table.total.any():
        table.check_valid(int(broken.sum()))
    return np.asarray(_scores_of(table, globals()[score], flags))


def _scores_of(host: Table, score: Callable[..., Any], flags: dict[str, float]) -> Any:
    """The score of a table, or of each of a batch."""
    if len(host.shape) == 2:
        return np.float64(score(host, **flags))
    *batch, n_rows, n_columns = host.counts.shape
    tables = host.counts.reshape(math.prod(batch), n_rows, n_columns)
    scores = [score(_table_of_cells(DenseCells(counts)), **flags) for counts in tables]
    return np.asarray(scores, dtype=np.float64).reshape(batch)


def _host_table(table: Table, *, batched: bool = False) -> Table:
    """The table on the host, in one transfer (two, if its listed cells are real)."""
    if not batched and len(table.total.shape):
        raise ValueError(f"a single table is needed here, got a batch of shape {tuple(table.total.shape)}")
    host = table.host_view()
    if host is None:
        host, count = table.cached(_host_table, _brought)
    else:
        count = 0 if host.invalid is None else int(host.invalid.sum())
    if not batched or host.total.any():  # else its scores are made NaN, as all are of a table without samples
        host.check_valid(count)
    return host


def _brought(table: Table) -> tuple[Table, int]:
    """The table on the host, and how many samples could not be counted."""
    cells = table.cells
    broken = None if table.invalid is None else table.xp.astype(table.invalid, table.counts.dtype)
    *arrays, invalid = _together_on_host([*(getattr(cells, name) for name in cells.arrays), broken])
    brought = iter(arrays)
    return _table_of_cells(cells.mapped(lambda _: to_widest(next(brought)))), int(invalid.sum())


def _table_of_cells(cells: DenseCells | SparseCells) -> Table:
    """A table on the host, of which the places of rows and columns stand for the labels."""
    n_rows, n_columns = cells.shape[-2:]
    return Table.of(cells, range(n_rows), range(n_columns), fixed=True)


def _together_on_host(arrays: list[Array | None]) -> list[np.ndarray[Any, Any]]:
    """Arrays on the host, those of a kind in one transfer; None as nothing."""
    host: list[np.ndarray[Any, Any]] = [np.zeros(0)] * len(arrays)
    for kind in ("integer", "real"):
        given: dict[int, Array] = {
            i: x for i, x in enumerate(arrays) if x is not None and backend_of(x).kind(x) == kind
        }
        if given:
            flat = [backend_of(x).xp.reshape(x, (-1,)) for x in given.values()]
            joined = to_host(backend_of(flat[0]).xp.concat(flat))
            ends = np.cumsum([x.shape[0] for x in flat])
            for (i, x), part in zip(given.items(), np.split(joined, ends[:-1]), strict=True):
                host[i] = part.reshape(x.shape)
    return host


def _match(host: Table, values: np.ndarray[Any, Any]) -> _MatchCells:
    """The matching that maximises the sum of ``values``, which are one for each cell."""
    cells = host.cells
    if isinstance(cells, DenseCells):
        rows, columns = best_in_dense(values)
        return _MatchCells(rows, columns, cells.counts[rows, columns])
    rows, columns = best_one_to_one(values, cells.class_of, cells.cluster_of, cells.shape)
    return _MatchCells(rows, columns, cells.counts[_are_matched(cells, rows, columns)])


def _are_matched(
    cells: SparseCells, rows: np.ndarray[Any, Any], columns: np.ndarray[Any, Any]
) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Which of the listed cells are those of the matched rows and columns."""
    partner = np.full(cells.shape[0], -1)
    partner[rows] = columns
    matched: np.ndarray[Any, np.dtype[np.bool_]] = partner[cells.class_of] == cells.cluster_of
    return matched


@statistic
def _match_counts(host: Table) -> _MatchCells:
    """The matching that shares most samples."""
    return _match(host, host.counts)


def _match_by(host: Table, objective: Objective) -> _MatchCells:
    """The matching with the largest sum of an objective."""
    check_option("objective", objective, get_args(Objective))
    if objective == "count":
        return _match_counts(host)
    classes, clusters = host.cells.by_class(host.class_sizes), host.cells.by_cluster(host.cluster_sizes)
    if objective == "f":
        return _match(host, _shares(host.counts, classes / 2 + clusters / 2))
    return _match(host, _shares(host.counts, classes if objective == "recall" else clusters))


def _match_edits(host: Table, move: float, renew: float) -> _MatchCells:
    """The clusters that become a class of which they have samples, and that class, in the cheapest edits."""
    return _match_counts(host) if renew >= move else _match(host, saved_by_edits(host.counts, move, renew))


@statistic
def _match_shares(host: Table) -> _MatchCells:
    """The matching with the largest sum of n_ij / max(a_i, b_j)."""
    cells = host.cells
    wholes = np.maximum(cells.by_class(host.class_sizes), cells.by_cluster(host.cluster_sizes))
    return _match(host, _shares(host.counts, wholes))


def _shares(counts: np.ndarray[Any, Any], wholes: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """``counts / wholes``; 0 where there is nothing."""
    shares = np.zeros(counts.shape)
    np.divide(counts, wholes, out=shares, where=counts != 0)
    return shares


def _are_identical(host: Table) -> bool:
    """Whether the partitions are the same: the non-empty cells are a one-to-one relation."""
    return bool(np.count_nonzero(host.counts) == host.n_classes == host.n_clusters)


def _larger_side(host: Table) -> int:
    """The number of classes or of clusters, whichever is larger: the other side is padded to it."""
    return int(max(host.n_classes, host.n_clusters))


def _samples_in_match(host: Table) -> Any:
    return _match_counts(host).counts.sum()


def _samples_out_of_match(host: Table) -> Any:
    """How many samples lie outside of the matching; real weights are added up, as a difference would lose digits."""
    rows, columns, counts = _match_counts(host)
    if host.is_integer:
        return host.total - counts.sum()
    cells = host.cells
    if isinstance(cells, DenseCells):
        others = cells.counts.copy()
        others[rows, columns] = 0.0
        return others.sum()
    return cells.counts[~_are_matched(cells, rows, columns)].sum()


def _pair_sets(host: Table, expected: Any, times: Any, clipped: bool) -> Any:
    """(S - E) / (k - E) where E is ``expected / times``."""
    if _are_identical(host):
        return 1.0
    rows, columns, shared = _match_shares(host)
    wholes = np.maximum(host.class_sizes[rows], host.cluster_sizes[columns])
    score = _surplus(shared, wholes, times, expected) / (_larger_side(host) * times - expected)
    return max(score, 0.0) if clipped else score


def _surplus(parts: Any, wholes: Any, times: Any, expected: Any) -> Any:
    """``times * sum(parts / wholes) - expected``, of counts to 2^-200, so that it is 0 where it should be."""
    if parts.dtype.kind == "f":
        return times * (parts / wholes).sum() - expected
    summed = sum((part << 256) // whole for part, whole in zip(parts.tolist(), wholes.tolist(), strict=True))
    return Fraction((times * summed - (expected << 256) + (1 << 55)) >> 56, 1 << 200)


def _compact_host_table(table: Table) -> Table:
    """The table on the host, without classes and clusters that do not occur, unless its size was given."""
    host = _host_table(table)
    return host if table.fixed else host.compact()


def _permutation(host: Table, objective: Objective) -> np.ndarray[Any, Any]:
    matched = _match_by(host, objective)
    size = max(len(host.class_sizes), len(host.cluster_sizes))
    order = np.full(size, -1)
    order[matched.rows] = matched.columns
    order[order < 0] = np.setdiff1d(np.arange(size), matched.columns)
    return order


def _common(classes: np.ndarray[Any, Any], other: Any) -> np.dtype[Any]:
    """The dtype of labels and one more, where that changes no label; else that of objects."""
    more = np.asarray(other)
    if more.ndim:
        return np.dtype(object)
    common = np.result_type(classes, more)
    kinds = {x.kind.replace("u", "i").replace("T", "U") for x in (classes.dtype, more.dtype, common)}
    return common if len(kinds) == 1 else np.dtype(object)


def _divide(numerator: Any, denominator: Any, if_zero: float = 0.0) -> Any:
    return numerator / denominator if denominator else if_zero
