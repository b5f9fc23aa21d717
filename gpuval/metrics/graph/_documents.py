"""Texts that the docstrings of graph measures share."""

from __future__ import annotations

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
