"""What the docstrings of measures of a graph have in common."""

from __future__ import annotations

GRAPH = """\
    graph
        The edges between the samples: a :class:`Neighbors`; a square sparse matrix of weights, of SciPy or CuPy, a
        sparse tensor, or its arrays ``(data, indices, indptr)`` by rows; a pair ``(indices, distances)`` of the nearest
        neighbours, to each of which there is an edge of weight 1; or an object with a matrix ``connectivities``, such
        as AnnData in its ``obsp``. Weights are finite and not negative; one of 0 is no edge. A larger weight is a
        closer tie: a matrix of distances is to be given as ``Neighbors.from_distances(matrix)``.
"""
LABELS = """\
    labels
        The label of each sample, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes: beside the
        graph, or on the host.
"""
PER_LABEL = """\
    return_per_label
        Whether to return the labels and {what} of each, too. The result prints as a table, and has ``to_pandas()``.
"""
COMMON = """\
    ignore_labels
        One label or several; samples with such a label do not count, nor do the edges from and to them.
    n_labels
        The number of labels, for labels from 0 to below it: with it nothing leaves the device to find it out, and what
        is wrong with the labels or the graph there makes the score NaN.
"""
