"""How well labels cut a graph into parts with many edges inside and few between: by weights, or by pairs."""

from __future__ import annotations

from typing import Any

from gpuval.geometry.neighbors.graphs.pairs import linked_pairs
from gpuval.geometry.neighbors.graphs.sums import LabelSums, sums_by_label
from gpuval.geometry.neighbors.labeled import read_edges
from gpuval.inputs.options import check_flag, check_not_negative
from gpuval.metrics._common.documents import documented
from gpuval.metrics.graph._documents import COMMON, GRAPH, LABELS, PER_LABEL
from gpuval.metrics.graph._result import scores_by_label, with_each_label
from gpuval.metrics.internal._result import as_score_of_any
from gpuval.numerics import Array
from gpuval.numerics.stable import cross_difference, ratio

__all__ = ["conductance_scores", "coverage_score", "modularity_score", "performance_score"]


@documented(GRAPH, LABELS, "", PER_LABEL.format(what="the part"), COMMON)
def modularity_score(
    graph: Any,
    labels: Any,
    *,
    resolution: float = 1.0,
    directed: bool = False,
    return_per_label: bool = False,
    ignore_labels: Any = None,
    n_labels: int | None = None,
) -> Any:
    """Share of the edges' weight inside labels, beyond what their strengths let one expect.

    Let A be the matrix of weights, of which the entry in row i and column j is an edge from i to j; S the sum of all of
    it, W_c the sum of the entries of which both ends have label c, and O_c and I_c those of the rows and of the columns
    of its samples. Then Q = sum_c (W_c / S - g K_c^2 / S^2) with K_c = (O_c + I_c) / 2 and the resolution g
    ([1]_, [2]_, not checked against the text), and with ``directed`` Q = sum_c (W_c / S - g O_c I_c / S^2)
    ([3]_, not checked against the text). Higher is better; at resolution 1 from -1/2 to below 1, and 0 for one label.

    Parameters
    ----------
    resolution
        The weight g of what is expected, 0 or more; labels of fewer samples have the best score if it is larger.
    directed
        Whether the directions of edges count: those of a symmetric matrix make no difference.

    Returns
    -------
    score
        Of the library of the graph, and on its device. No unit. Without edges it is 0. With ``return_per_label``, a
        named tuple of ``score``, ``labels`` (those that have samples, sorted; all, if ``n_labels`` is given) and
        ``label_scores``, the terms of the sum, both of shape (n_labels,).

    Raises
    ------
    TypeError, ValueError
        For a graph that cannot be read (see :class:`Neighbors`), labels of another number of samples, and a resolution
        that is no finite number of 0 or more.

    Notes
    -----
    A symmetric matrix has each undirected edge twice. Of any other matrix, such as one of nearest neighbours, the score
    without ``directed`` is that of A + A^T, where a neighbour in both directions counts twice. Libraries read the same
    matrix of nearest neighbours as directed or as undirected, and have other scores for that (scverse/scanpy#4099).

    An entry A_ii adds A_ii to the strength of its sample, once. networkx and igraph let a loop of weight w add 2 w in
    an undirected graph: for their score the matrix must have 2 w there, where networkx's matrix of a graph has w.

    Nothing is lost where the score is small: W_c S - K_c^2 is found as W_c R_c - X_c^2, of the weight R_c of the edges
    apart from c and half the weight X_c of those between c and other labels. Leaves the device: the number of labels,
    if it is not given, and with ``return_per_label`` then their sizes.

    References
    ----------
    .. [1] M. E. J. Newman and M. Girvan, "Finding and evaluating community structure in networks", Physical Review E
       69, 2004.
    .. [2] J. Reichardt and S. Bornholdt, "Statistical mechanics of community detection", Physical Review E 74, 2006.
    .. [3] E. A. Leicht and M. E. J. Newman, "Community structure in directed networks", Physical Review Letters 100,
       2008.

    Examples
    --------
    Two triangles that an edge joins, 5/14, and all of one label:

    >>> import gpuval
    >>> from scipy.sparse import coo_array
    >>> first, second = [0, 0, 1, 3, 3, 4, 2], [1, 2, 2, 4, 5, 5, 3]
    >>> graph = coo_array(([1.0] * 14, (first + second, second + first)), shape=(6, 6))
    >>> float(gpuval.modularity_score(graph, [0, 0, 0, 1, 1, 1])) == 5 / 14
    True
    >>> float(gpuval.modularity_score(graph, [0] * 6))
    0.0
    """
    resolution = check_not_negative("resolution", resolution)
    check_flag("directed", directed)
    points = read_edges(graph, labels, "labels", n_labels, ignore_labels, "n_labels")
    terms = _modularities(sums_by_label(points), resolution, directed, points.xp)
    return with_each_label(points.xp.sum(terms), terms, points, return_per_label, n_labels is not None)


def _modularities(sums: LabelSums, resolution: float, directed: bool, xp: Any) -> Array:
    """The term of each label: at resolution 1, and for another what that leaves of the product of its strengths."""
    inside, leaving, entering, apart, whole = sums
    if directed:
        beyond = cross_difference(inside, apart, leaving, entering, xp)
        strengths = (inside + leaving) * (inside + entering)
    else:
        crossing = leaving + entering
        beyond = cross_difference(2 * inside, 2 * apart, crossing, crossing, xp) / 4
        strengths = (inside + crossing / 2) ** 2
    return ratio(beyond + (1 - resolution) * strengths, whole * whole, xp)


@documented("", LABELS, COMMON)
def coverage_score(graph: Any, labels: Any, *, ignore_labels: Any = None, n_labels: int | None = None) -> Any:
    """Share of the weight of all edges that is inside labels.

    sum_c W_c / S, of the weight W_c of the edges of which both ends have label c, and that of all, S ([1]_, not checked
    against the text). Higher is better, 1 where no edge is between two labels; from 0 to 1.

    Parameters
    ----------
    graph
        The edges between the samples, as :func:`modularity_score` takes them.

    Returns
    -------
    score
        Of the library of the graph, and on its device. No unit. Without edges it is 0.

    Raises
    ------
    TypeError, ValueError
        For what :func:`modularity_score` raises of graphs and labels.

    Notes
    -----
    It is modularity at resolution 0, and best for one label of all samples. Leaves the device: the number of labels, if
    it is not given.

    References
    ----------
    .. [1] S. Fortunato, "Community detection in graphs", Physics Reports 486, 2010.

    Examples
    --------
    Two triangles that an edge joins, 6/7, and two samples of two labels:

    >>> import gpuval
    >>> from scipy.sparse import coo_array
    >>> first, second = [0, 0, 1, 3, 3, 4, 2], [1, 2, 2, 4, 5, 5, 3]
    >>> graph = coo_array(([1.0] * 14, (first + second, second + first)), shape=(6, 6))
    >>> float(gpuval.coverage_score(graph, [0, 0, 0, 1, 1, 1])) == 6 / 7
    True
    >>> float(gpuval.coverage_score(graph, [0] * 6))
    1.0
    >>> float(gpuval.coverage_score(coo_array([[0.0, 1.0], [1.0, 0.0]]), [0, 1]))
    0.0
    """
    points = read_edges(graph, labels, "labels", n_labels, ignore_labels, "n_labels")
    sums, xp = sums_by_label(points), points.xp
    return as_score_of_any(ratio(xp.sum(sums.inside), sums.whole, xp), points)


@documented("", LABELS, COMMON)
def conductance_scores(graph: Any, labels: Any, *, ignore_labels: Any = None, n_labels: int | None = None) -> Any:
    """Share of the weight at each label that is on edges to other labels.

    For label c the weight of the edges between it and other labels by min(K_c, K - K_c), of the sum K_c of the
    strengths of its samples, and that of all samples, K ([1]_, not checked against the text). Lower is better, 0 for a
    label without edges to others; from 0 to 1.

    Parameters
    ----------
    graph
        The edges between the samples, as :func:`modularity_score` takes them.

    Returns
    -------
    LabelScores
        ``labels``, in their order, and ``scores``, each of shape (n_labels,), with ``to_pandas()``. The scores are of
        the library of the graph, and on its device. No unit. Labels without samples are left out; with ``n_labels``
        they are kept and have NaN. (On a device, leaving them out is a host step.) NaN, too, for a label without edges,
        and for one that has all: 0/0, which one weak edge more could make 0 as well as 1.

    Raises
    ------
    TypeError, ValueError
        For what :func:`modularity_score` raises of graphs and labels.

    Notes
    -----
    A matrix that is not symmetric is read as A + A^T, and a loop as in :func:`modularity_score`. A label and all others
    together have the same value. Leaves the device: the number of labels and their sizes, if it is not given.

    References
    ----------
    .. [1] R. Kannan, S. Vempala and A. Vetta, "On clusterings: good, bad and spectral", Journal of the ACM 51, 2004.

    Examples
    --------
    Two triangles that an edge joins, 1/7 each; without it; and two samples of two labels:

    >>> import gpuval
    >>> from scipy.sparse import coo_array
    >>> first, second = [0, 0, 1, 3, 3, 4, 2], [1, 2, 2, 4, 5, 5, 3]
    >>> graph = coo_array(([1.0] * 14, (first + second, second + first)), shape=(6, 6))
    >>> gpuval.conductance_scores(graph, [0, 0, 0, 1, 1, 1]).scores.tolist() == [1 / 7, 1 / 7]
    True
    >>> graph = coo_array(([1.0] * 6, (first[:6], second[:6])), shape=(6, 6))
    >>> gpuval.conductance_scores(graph, ["a", "a", "a", "b", "b", "b"])
    label   score
    a      0.0000
    b      0.0000
    >>> gpuval.conductance_scores(coo_array([[0.0, 1.0], [1.0, 0.0]]), [0, 1]).scores
    array([1., 1.])
    """
    points = read_edges(graph, labels, "labels", n_labels, ignore_labels, "n_labels")
    sums, xp = sums_by_label(points), points.xp
    crossing = sums.leaving + sums.entering
    scores = ratio(crossing, crossing + 2 * xp.minimum(sums.inside, sums.apart), xp, float("nan"))
    return scores_by_label(scores, points, n_labels is not None)


@documented("", LABELS, COMMON)
def performance_score(graph: Any, labels: Any, *, ignore_labels: Any = None, n_labels: int | None = None) -> Any:
    """Share of the pairs of samples that are linked and of one label, or neither linked nor of one label.

    (L + U) / N, of the N pairs of two samples, the L linked ones of one label, and the U of two labels that are not
    linked ([1]_, not checked against the text). Two samples are linked by an edge in either direction; weights do not
    matter. Higher is better, 1 where samples are linked if and only if they have one label; from 0 to 1.

    Parameters
    ----------
    graph
        The edges between the samples, as :func:`modularity_score` takes them.

    Returns
    -------
    score
        Of the library of the graph, and on its device. No unit. Of fewer than two samples it is 0.

    Raises
    ------
    TypeError, ValueError
        For what :func:`modularity_score` raises of graphs and labels.

    Notes
    -----
    Loops do not count, and several entries for one pair count once. In a graph with few edges it is near 1 for any
    labels of which each has few samples. Leaves the device: the number of labels, if it is not given.

    References
    ----------
    .. [1] S. Fortunato, "Community detection in graphs", Physics Reports 486, 2010.

    Examples
    --------
    Two triangles that an edge joins, 14/15; without it; and two samples of two labels that are linked:

    >>> import gpuval
    >>> from scipy.sparse import coo_array
    >>> first, second = [0, 0, 1, 3, 3, 4, 2], [1, 2, 2, 4, 5, 5, 3]
    >>> graph = coo_array(([1.0] * 7, (first, second)), shape=(6, 6))
    >>> float(gpuval.performance_score(graph, [0, 0, 0, 1, 1, 1])) == 14 / 15
    True
    >>> graph = coo_array(([1.0] * 6, (first[:6], second[:6])), shape=(6, 6))
    >>> float(gpuval.performance_score(graph, [0, 0, 0, 1, 1, 1]))
    1.0
    >>> float(gpuval.performance_score(coo_array([[0.0, 1.0], [1.0, 0.0]]), [0, 1]))
    0.0
    """
    points = read_edges(graph, labels, "labels", n_labels, ignore_labels, "n_labels")
    linked, xp = linked_pairs(points), points.xp
    inside, between = (points.backend.as_real(x, points.codes) for x in linked)
    n_pairs, of_one_label = _pairs_of(xp.sum(points.masses)), xp.sum(_pairs_of(points.masses))
    return as_score_of_any(ratio(inside + (n_pairs - of_one_label - between), n_pairs, xp), points)


def _pairs_of(sizes: Array) -> Array:
    return sizes * (sizes - 1) / 2
