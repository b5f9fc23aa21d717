"""Graph connectivity: whether the samples of each label are connected in a graph."""

from __future__ import annotations

from typing import Any, get_args

from gpuval.geometry.neighbors.graphs.components import Connection, component_sizes
from gpuval.geometry.neighbors.labeled import read_edges
from gpuval.inputs.options import check_option
from gpuval.metrics._common.documents import documented
from gpuval.metrics.graph._documents import COMMON, GRAPH, LABELS, PER_LABEL
from gpuval.metrics.graph._result import with_each_label
from gpuval.numerics.stable import ratio

__all__ = ["graph_connectivity_score"]


@documented(GRAPH, LABELS, "", PER_LABEL.format(what="the share"), COMMON)
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
    component by the number of samples of the label. The score is the mean of these shares over the labels ([1]_, not
    checked against the text); each label counts equally, whatever its size. It is above 0 and at most 1; higher is
    better. It is 1 if the samples of each label are all connected.

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
    return with_each_label(score, shares, points, return_per_label, n_labels is not None)
