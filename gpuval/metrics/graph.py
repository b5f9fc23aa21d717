"""Measures of a partition of a graph: edges inside the labels and between them, and whether labels are connected."""

from __future__ import annotations

from typing import Any, get_args

from gpuval.geometry.neighbors.components import Connection, component_sizes
from gpuval.geometry.neighbors.graph_sums import LabelSums, count_links, sums_by_label
from gpuval.geometry.neighbors.neighbors import read_edges
from gpuval.geometry.points import Points
from gpuval.inputs.options import check_flag, check_not_negative, check_option
from gpuval.measures.documents import document_parameters
from gpuval.measures.label_scores import LabelScores
from gpuval.measures.measure import Family, measure
from gpuval.measures.samples import LabelValues, as_score_of_any, groups_of
from gpuval.numerics import Array
from gpuval.numerics.stable import cross_difference, ratio

__all__ = ["conductance_scores", "coverage_score", "graph_connectivity_score", "modularity_score", "performance_score"]

GRAPHS = Family("edges of a graph and labels", needs="a graph of the samples")


# Texts that the docstrings of graph measures share.

GRAPH = """\
    graph
        The edges between the samples, as one of:

        - a :class:`Neighbors`;
        - a square sparse matrix of weights, of SciPy or CuPy, a sparse tensor, or the three arrays
          ``(data, indices, indptr)`` of a matrix in CSR format;
        - a pair ``(indices, distances)`` of nearest neighbours: each sample has an edge of weight 1 to each neighbour;
        - an object with a matrix ``connectivities``, such as AnnData in its ``obsp``.

        Weights are finite and not negative; a weight of 0 is no edge. A larger weight means a closer connection, so
        give a matrix of distances as ``Neighbors.from_distances(matrix)``.
"""
LABELS = """\
    labels
        The label of each sample, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes: on the
        device of the graph, or on the host.
"""
PER_LABEL = """\
    return_per_label
        Whether to return the labels and {what} of each label, too. The result prints as a table, and has
        ``to_pandas()``.
"""
COMMON = """\
    ignore_labels
        One label or several; samples with such a label do not count, and neither do their edges.
    n_labels
        The number of labels, if they are the integers from 0 to ``n_labels - 1``. Nothing is then copied from a device
        to find the number, and errors in the labels or the graph there make the score NaN.
"""


# Measures of a partition of a graph: many edges inside the labels and few between them, by weights or by pairs.


@measure(GRAPHS, range=lambda resolution: (min(-resolution / 2, 1 - resolution), 1.0))
@document_parameters(GRAPH, LABELS, "", PER_LABEL.format(what="the term"), COMMON)
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
    """Modularity: how much more edge weight lies inside the labels than one would expect by chance.

    It is what the Louvain and Leiden algorithms maximize; use it to compare partitions of one graph.

    Let A be the matrix of weights: the entry in row i and column j is the weight of the edge from sample i to sample j.
    S is the sum of all entries. For each label c, W_c is the sum of the entries whose two ends both have label c; O_c
    is the sum of the rows of its samples (the weight going out), and I_c that of their columns (the weight coming in).
    With ``K_c = (O_c + I_c) / 2`` and the resolution g, the modularity is ``sum_c (W_c / S - g K_c^2 / S^2)`` ([1]_,
    [2]_). With ``directed`` it is ``sum_c (W_c / S - g O_c I_c / S^2)`` ([3]_). Higher is better. At resolution 1 it is
    at least -1/2 and below 1, and it is 0 if there is a single label.

    Parameters
    ----------
    resolution
        The factor g of the expected weight, 0 or more. With a larger one, labels with fewer samples score best.
    directed
        Whether the directions of the edges count. It makes no difference for a symmetric matrix.

    Returns
    -------
    score
        A number in the array library of the graph, on its device. No unit. It is 0 if there are no edges. With
        ``return_per_label``, a named tuple of ``score``, ``labels`` (those that have samples, sorted; all labels, if
        ``n_labels`` is given) and ``label_scores`` (the term of each label in the sum), both of shape (n_labels,).

    Raises
    ------
    TypeError, ValueError
        If the graph cannot be read (see :class:`Neighbors`), if the labels are not as many as the samples, or if
        ``resolution`` is not a finite number of 0 or more.

    Notes
    -----
    A symmetric matrix has each undirected edge twice. Any other matrix, such as one of nearest neighbours, is read
    without ``directed`` as A + A^T, in which two samples that are neighbours in both directions have twice the weight.
    Libraries differ in whether they read a matrix of nearest neighbours as directed or as undirected, and so give
    different scores (scverse/scanpy#4099).

    An entry A_ii adds A_ii to the weight of its sample, once. networkx and igraph count a loop of weight w as 2 w in an
    undirected graph. To get their score, put 2 w there; networkx's matrix of a graph has w.

    Small scores keep their digits: W_c S - K_c^2 is computed as W_c R_c - X_c^2. Here R_c is the weight of the edges
    without an end in c, and X_c is half the weight of the edges between c and other labels.

    If ``n_labels`` is given, no value is copied from the device to the host. Otherwise the number of labels is copied,
    and with ``return_per_label`` their sizes.

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
    return _with_each_label(points.xp.sum(terms), terms, points, return_per_label, n_labels is not None)


def _modularities(sums: LabelSums, resolution: float, directed: bool, xp: Any) -> Array:
    """The term of each label: that at resolution 1, plus what another resolution changes in the expected weight."""
    inside, leaving, entering, apart, whole = sums
    if directed:
        beyond = cross_difference(inside, apart, leaving, entering, xp)
        strengths = (inside + leaving) * (inside + entering)
    else:
        crossing = leaving + entering
        beyond = cross_difference(2 * inside, 2 * apart, crossing, crossing, xp) / 4
        strengths = (inside + crossing / 2) ** 2
    return ratio(beyond + (1 - resolution) * strengths, whole * whole, xp)


@measure(GRAPHS)
@document_parameters("", LABELS, COMMON)
def coverage_score(graph: Any, labels: Any, *, ignore_labels: Any = None, n_labels: int | None = None) -> Any:
    """Coverage: the share of the weight of all edges that lies inside labels.

    It is easy to read, but a single label for all samples always has the best score. :func:`modularity_score` subtracts
    what is expected by chance.

    Let W_c be the weight of the edges whose two ends both have label c, and S the weight of all edges. The coverage is
    ``sum_c W_c / S`` ([1]_). It ranges from 0 to 1; higher is better. It is 1 if no edge connects two different labels.

    Parameters
    ----------
    graph
        The edges between the samples, in any form that :func:`modularity_score` takes.

    Returns
    -------
    score
        A number in the array library of the graph, on its device. No unit. It is 0 if there are no edges.

    Raises
    ------
    TypeError, ValueError
        As :func:`modularity_score` does for graphs and labels.

    Notes
    -----
    It is the modularity at resolution 0.

    If ``n_labels`` is given, no value is copied from the device to the host. Otherwise the number of labels is copied.

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


@measure(GRAPHS, better="lower", values="labels")
@document_parameters("", LABELS, COMMON)
def conductance_scores(graph: Any, labels: Any, *, ignore_labels: Any = None, n_labels: int | None = None) -> Any:
    """Conductance of each label: the share of the edge weight at its samples that leads to other labels.

    Use it to find the labels that the graph does not separate from the rest.

    Let the strength of a sample be the weight of all edges at it. K_c is the sum of the strengths of the samples of
    label c, K that of all samples, and X_c the weight of the edges between c and other labels. The conductance of c is
    ``X_c / min(K_c, K - K_c)`` ([1]_). It ranges from 0 to 1; lower is better. It is 0 for a label without edges to
    other labels.

    Parameters
    ----------
    graph
        The edges between the samples, in any form that :func:`modularity_score` takes.

    Returns
    -------
    LabelScores
        A named tuple with ``to_pandas()`` of ``labels``, sorted, and ``scores``, both of shape (n_labels,). The scores
        are in the array library of the graph, on its device. No unit. Labels without samples are left out (on a device,
        this is a host step); with ``n_labels`` they are kept and have NaN. The score is also NaN, for 0/0, if a label
        has no edges, or if one label has all edges: one more weak edge could make it 0 as well as 1.

    Raises
    ------
    TypeError, ValueError
        As :func:`modularity_score` does for graphs and labels.

    Notes
    -----
    A matrix that is not symmetric is read as A + A^T, and loops as in :func:`modularity_score`. A label has the same
    conductance as all other labels together.

    If ``n_labels`` is given, no value is copied from the device to the host. Otherwise the number of labels and their
    sizes are copied.

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
    label  score
    a      0.000
    b      0.000
    >>> gpuval.conductance_scores(coo_array([[0.0, 1.0], [1.0, 0.0]]), [0, 1]).scores
    array([1., 1.])
    """
    points = read_edges(graph, labels, "labels", n_labels, ignore_labels, "n_labels")
    sums, xp = sums_by_label(points), points.xp
    crossing = sums.leaving + sums.entering
    scores = ratio(crossing, crossing + 2 * xp.minimum(sums.inside, sums.apart), xp, float("nan"))
    return _scores_by_label(scores, points, n_labels is not None)


@measure(GRAPHS)
@document_parameters("", LABELS, COMMON)
def performance_score(graph: Any, labels: Any, *, ignore_labels: Any = None, n_labels: int | None = None) -> Any:
    """Performance: the share of the pairs of samples on which the graph and the labels agree.

    They agree on a pair if the samples are linked and have one label, or are not linked and have two labels. It treats
    the graph as the truth about which samples belong together, without weights.

    Let N be the number of all pairs of two samples, L the number of linked pairs of one label, and U the number of
    pairs of two labels that are not linked. The performance is ``(L + U) / N`` ([1]_). Two samples are linked by an
    edge in either direction. It ranges from 0 to 1; higher is better. It is 1 if samples are linked if and only if they
    have one label.

    Parameters
    ----------
    graph
        The edges between the samples, in any form that :func:`modularity_score` takes.

    Returns
    -------
    score
        A number in the array library of the graph, on its device. No unit. It is 0 if there are fewer than two samples.

    Raises
    ------
    TypeError, ValueError
        As :func:`modularity_score` does for graphs and labels.

    Notes
    -----
    Loops do not count, and several entries for one pair count once. In a graph with few edges, the score is near 1 for
    any labels with few samples each.

    If ``n_labels`` is given, no value is copied from the device to the host. Otherwise the number of labels is copied.

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
    linked, xp = count_links(points), points.xp
    inside, between = (points.backend.as_real(x, points.codes) for x in linked)
    n_pairs, of_one_label = _pairs_of(xp.sum(points.masses)), xp.sum(_pairs_of(points.masses))
    return as_score_of_any(ratio(inside + (n_pairs - of_one_label - between), n_pairs, xp), points)


def _pairs_of(sizes: Array) -> Array:
    return sizes * (sizes - 1) / 2


# Graph connectivity: whether the samples of each label are connected in a graph.


@measure(GRAPHS)
@document_parameters(GRAPH, LABELS, "", PER_LABEL.format(what="the share"), COMMON)
def graph_connectivity_score(
    graph: Any,
    labels: Any,
    *,
    connection: Connection = "weak",
    return_per_label: bool = False,
    ignore_labels: Any = None,
    n_labels: int | None = None,
) -> Any:
    """Graph connectivity: how far the samples of each label are connected to one another in a graph.

    Single-cell benchmarks use it to see whether cells of one type stay together when batches are integrated.

    For each label, take the graph of its samples alone, and divide the number of samples in its largest connected
    component by the number of samples of the label. The score is the mean of these shares over the labels ([1]_); each
    label counts equally, whatever its size. It is above 0 and at most 1; higher is better. It is 1 if the samples of
    each label are all connected.

    Parameters
    ----------
    connection
        When two samples are in one component. "weak": a path of edges connects them, whatever the directions of the
        edges. "strong": directed paths lead from each to the other. Both are the same for a symmetric matrix.

    Returns
    -------
    score
        A number in the array library of the graph, on its device. No unit. NaN if there are no samples. With
        ``return_per_label``, a named tuple of ``score``, ``labels`` (those that have samples, sorted; all labels, if
        ``n_labels`` is given) and ``label_scores`` (the shares; NaN for a label without samples), both of shape
        (n_labels,).

    Raises
    ------
    TypeError, ValueError
        As :func:`modularity_score` does for graphs and labels; if ``connection`` is another value, or "strong" inside
        ``jax.jit``.

    Notes
    -----
    scIB, which defined the measure, uses a symmetric graph. scib-metrics uses the strong components of the directed
    graph of nearest neighbours; that score is lower. The share of a label of one sample is 1.

    If ``n_labels`` is given, no value is copied from the device to the host. Otherwise the number of labels is copied,
    and, after each of at most 2 log2 n rounds for n samples, whether the round has changed anything; with
    ``return_per_label`` the sizes of the labels, too. For strong components the graph is copied.

    References
    ----------
    .. [1] M. D. Luecken et al., "Benchmarking atlas-level data integration in single-cell genomics", Nature Methods 19,
       2022.

    Examples
    --------
    Two labels of which each is a path; and if that of the second has a gap in the middle:

    >>> import gpuval
    >>> from scipy.sparse import coo_array
    >>> graph = coo_array(([1.0] * 5, ([0, 2, 3, 4, 1], [1, 3, 4, 5, 2])), shape=(6, 6))
    >>> float(gpuval.graph_connectivity_score(graph, [0, 0, 1, 1, 1, 1]))
    1.0
    >>> graph = coo_array(([1.0] * 3, ([0, 2, 4], [1, 3, 5])), shape=(6, 6))
    >>> found = gpuval.graph_connectivity_score(graph, ["B", "B", "T", "T", "T", "T"], return_per_label=True)
    >>> float(found.score), dict(zip(found.labels.tolist(), found.label_scores.tolist(), strict=True))
    (0.75, {'B': 1.0, 'T': 0.5})

    Without an edge each sample is on its own:

    >>> float(gpuval.graph_connectivity_score(coo_array((4, 4)), [0, 0, 1, 1]))
    0.5
    """
    check_option("connection", connection, get_args(Connection))
    points = read_edges(graph, labels, "labels", n_labels, ignore_labels, "n_labels")
    backend, xp, n_codes = points.backend, points.xp, points.n_clusters + 1
    if connection == "strong" and backend.is_traced(points.X.targets + points.codes[:1]):
        raise TypeError(
            "connection must be 'weak' inside jax.jit, got 'strong': strong components are found on the host"
        )
    sizes = component_sizes(points, connection)
    largest = backend.largest(sizes, points.codes, n_codes)[:-1]
    shares = ratio(xp.astype(largest, points.masses.dtype), points.masses, xp, float("nan"))
    has_samples = points.sizes > 0
    total = xp.sum(xp.where(has_samples, shares, xp.zeros_like(shares)))
    score = ratio(total, xp.astype(backend.count_true(has_samples), shares.dtype), xp, float("nan"))
    return _with_each_label(score, shares, points, return_per_label, n_labels is not None)


# How a graph measure returns scores: in the library of the graph, NaN if the graph or the labels are not valid.


def _scores_by_label(scores: Array, points: Points, has_size: bool) -> LabelScores:
    """The labels that have samples (all labels, if their number is given), and their scores."""
    groups = groups_of(points, has_size=has_size)
    if not has_size:
        scores = points.xp.take(scores, points.indices(groups.codes))
    return LabelScores(groups.labels, as_score_of_any(scores, points))


def _with_each_label(score: Array, scores: Array, points: Points, return_per_label: bool, has_size: bool) -> Any:
    """The score; if asked for, also the labels and the score of each label."""
    whole = as_score_of_any(score, points)
    return LabelValues(whole, *_scores_by_label(scores, points, has_size)) if return_per_label else whole
