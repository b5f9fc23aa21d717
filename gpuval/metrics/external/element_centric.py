"""Element-centric similarity of partitions: compares the class and the cluster of each sample, as sets of samples."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from gpuval.engines import engine_of
from gpuval.engines.backends import Backend, backend_of
from gpuval.engines.cells import dense_is_better
from gpuval.inputs.codes import Codes, spread
from gpuval.inputs.labels import check_not_dask, labelings_by_name
from gpuval.inputs.options import check_dense, check_sizes
from gpuval.inputs.samples import Samples, are_ignored, check_weights, codes_of_given_size, encode_samples, read_samples
from gpuval.inputs.selection import read_ignored
from gpuval.measures.documents import WEIGHTS, document_parameters
from gpuval.measures.measure import Family, measure
from gpuval.measures.result import as_result
from gpuval.metrics.external._metric import table_measure
from gpuval.numerics import Array
from gpuval.numerics.stable import ratio
from gpuval.table.labelings import read_labelings, samples_of_both
from gpuval.table.overlaps import share_of_own_larger_group
from gpuval.table.partitions import cells_of_samples
from gpuval.table.table import Table

__all__ = ["element_centric_consistency", "element_centric_samples", "element_centric_score"]

ELEMENTS = Family("element-centric", table_measure, of_two=True, interval="jackknife", class_weight=1)


@measure(ELEMENTS, short=("ecs",), title="ECS", is_metric=True)
def element_centric_score(table: Table) -> Array:
    """Element-centric similarity: how much the class and the cluster of a sample overlap, on average.

    ``n_ij`` of the ``n`` samples are in class i and in cluster j, class i has ``a_i`` samples, and cluster j has
    ``b_j``. A sample in class i and in cluster j has the value ``n_ij / max(a_i, b_j)``, as in
    :func:`element_centric_samples`. The score is the mean over the samples, ``1/n * sum_ij n_ij^2 / max(a_i, b_j)``
    ([1]_).

    Returns
    -------
    float
        Above 0 to 1, which is best. Symmetric. Not corrected for chance: the value for random partitions depends on the
        number of groups and on their sizes. Every score is at least 1/n, as each sample is in the overlap of its own
        class and cluster.

    Notes
    -----
    The original definition uses two graphs: in one, all samples of the same class are linked; in the other, all samples
    of the same cluster. The value of a sample is ``1 - |p - q| / (2 * alpha)`` for its personalised PageRanks p and q
    on the two graphs. This gives the formula above for any alpha.

    The score has gradients with respect to memberships. Where a class and a cluster have the same size, the gradient is
    that of the mean of the two sizes.

    References
    ----------
    .. [1] A. J. Gates, I. B. Wood, W. P. Hetrick and Y.-Y. Ahn, "Element-centric clustering comparison unifies overlaps
       and hierarchy", Scientific Reports 9, 2019.

    Examples
    --------
    >>> from gpuval import element_centric_score
    >>> float(element_centric_score([0, 0, 1, 1], [1, 1, 0, 0]))
    1.0
    >>> float(element_centric_score([0, 0, 0, 0], [0, 1, 2, 3]))
    0.25

    The worked example of Simovici's book:

    >>> true = [1, 3, 2, 2, 3, 1, 2, 2, 3, 1, 3, 2]
    >>> pred = [2, 3, 2, 1, 3, 1, 3, 2, 3, 1, 3, 1]
    >>> round(float(element_centric_score(true, pred)), 15) == round(19 / 36, 15)
    True
    """
    return share_of_own_larger_group(table)


@measure(ELEMENTS, values="samples")
@document_parameters("", WEIGHTS)
def element_centric_samples(
    labels_true: Any,
    labels_pred: Any,
    *,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
    sample_weight: Any = None,
) -> Any:
    """Element-centric similarity of each sample: how much its class and its cluster overlap.

    ``n_ij`` samples are in class i and in cluster j, class i has ``a_i`` samples, and cluster j has ``b_j``. A sample
    in class i and in cluster j has the value ``n_ij / max(a_i, b_j)`` ([1]_). Use it to see which samples the two
    partitions group differently.

    Parameters
    ----------
    labels_true, labels_pred
        Two label vectors, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes, except those of
        Dask.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        on either side do not count. A mapping names the side, such as ``{"true": 0}``.
    n_classes, n_clusters
        The numbers of classes and of clusters, for labels that are integers from 0 to one below these numbers. With
        both, no data are copied from the device to find them out, and labels outside this range make all values NaN
        there.

    Returns
    -------
    array of shape (n_samples,)
        Above 0 to 1, which is best, of the library and on the device of the labels. NaN for samples that do not count:
        those with a label to ignore, or with the weight 0.

    Raises
    ------
    TypeError, ValueError
        Labels, weights or sizes are not as described above (the message names the argument), or no sample is left.

    Notes
    -----
    The mean, weighted by ``sample_weight``, is :func:`element_centric_score`. This function needs the labels, because a
    contingency table does not tell which sample is in which cell.

    References
    ----------
    .. [1] A. J. Gates, I. B. Wood, W. P. Hetrick and Y.-Y. Ahn, "Element-centric clustering comparison unifies overlaps
       and hierarchy", Scientific Reports 9, 2019.

    Examples
    --------
    >>> import gpuval
    >>> gpuval.element_centric_samples([0, 0, 1, 1], [1, 1, 0, 0])
    array([1., 1., 1., 1.])
    >>> gpuval.element_centric_samples([0, 0, 0, 0], [0, 1, 1, 1])
    array([0.25, 0.75, 0.75, 0.75])
    """
    check_not_dask({"labels_true": labels_true, "labels_pred": labels_pred})
    rows, columns = check_sizes(n_classes, n_clusters)
    samples = read_samples(labels_true, labels_pred, sample_weight, ignore_labels, are_all=True)
    if rows is not None and columns is not None and not samples.true.backend.on_host:
        return as_result(_values_of_given_size(samples, rows, columns))
    view = samples.host_view() if rows is None else None
    seen = samples if view is None else view
    true, pred, _ = encode_samples(seen, rows, columns)
    ignored = are_ignored(seen)
    if ignored is not None:
        true, pred = (spread(x, ~ignored) for x in (true, pred))
    values = similarities(true, pred, seen.weights, None if ignored is None else ~ignored)
    return as_result(values, None if view is None else samples.true.data)


@measure(ELEMENTS, values="samples")
@document_parameters("", WEIGHTS)
def element_centric_consistency(labelings: Any, *, ignore_labels: Any = None, sample_weight: Any = None) -> Any:
    """Element-centric consistency of each sample: how similar its clusters are in several labelings.

    It is the mean of :func:`element_centric_samples` over all pairs of labelings ([1]_). Give it the labelings of one
    method with several seeds: samples with low values have clusters that are not stable.

    Parameters
    ----------
    labelings
        A mapping from names to label vectors (a dictionary, a pandas or polars DataFrame), or a sequence of label
        vectors. There must be two or more, of any kind that :meth:`Contingency.from_labels` takes, except those of
        Dask.
    ignore_labels
        One label or several, for example the label of noise; no mapping, as no side is the true one. A pair of
        labelings leaves out the samples that have such a label in either of the two. The mean of a sample is taken over
        the other pairs.

    Returns
    -------
    array of shape (n_samples,)
        Above 0 to 1, which is best, of the library and on the device of the labels. NaN for samples that every pair
        leaves out, and for those with the weight 0.

    Raises
    ------
    TypeError, ValueError
        There are fewer than two labelings, one of them is no label vector, or the weights are not as described above.

    References
    ----------
    .. [1] A. J. Gates, I. B. Wood, W. P. Hetrick and Y.-Y. Ahn, "Element-centric clustering comparison unifies overlaps
       and hierarchy", Scientific Reports 9, 2019.

    Examples
    --------
    >>> import gpuval
    >>> gpuval.element_centric_consistency([[0, 0, 1, 1], [1, 1, 0, 0], [5, 5, 7, 7]])
    array([1., 1., 1., 1.])
    >>> gpuval.element_centric_consistency([[0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 1], [0, 0, 0, 1, 1, 2]]).round(4)
    array([0.7778, 0.7778, 0.5   , 0.6389, 0.6389, 0.4444])
    """
    _, vectors = labelings_by_name(labelings)
    if len(vectors) < 2:
        raise ValueError(f"labelings must have at least two label vectors, got {len(vectors)}")
    check_not_dask(vectors)
    sides = read_labelings(vectors, sample_weight, read_ignored(ignore_labels), None, None)
    weights = sides[0].weights
    check_weights(weights)
    total: Any = 0.0
    number: Any = 0.0
    for first, second in combinations(sides, 2):
        values = similarities(first.encoded, second.encoded, weights, samples_of_both(first, second))
        xp = backend_of(values).xp
        is_nan = xp.isnan(values)
        total = total + xp.where(is_nan, 0.0, values)
        number = number + xp.where(is_nan, 0.0, xp.ones_like(values))
    return as_result(ratio(total, number, backend_of(number).xp, if_zero=float("nan")))


def _values_of_given_size(samples: Samples, n_classes: int, n_clusters: int) -> Array:
    """Those of samples on a device, without a look at their values."""
    check_dense(n_classes + 1, n_clusters + 1)
    true, pred, weights, broken = codes_of_given_size(samples, n_classes, n_clusters)
    values = similarities(true, pred, weights, true.codes < n_classes, may_be_listed=False)
    return backend_of(values).xp.where(broken == 0, values, float("nan"))


def similarities(
    true: Codes, pred: Codes, weights: Array | None, counted: Array | None, *, may_be_listed: bool = True
) -> Array:
    """The similarity n_ij / max(a_i, b_j) of each sample; NaN for those that are not ``counted``, or weigh nothing.

    ``weights`` are those of all samples; of the codes and weights of samples that do not count, any.
    """
    backend = backend_of(true.codes)
    xp, wide = backend.xp, backend.widest(true.codes).int
    if weights is not None:
        counted = weights > 0 if counted is None else counted & (weights > 0)
    rows, columns = (xp.astype(x.codes, wide) for x in (true, pred))
    if counted is not None:  # what does not count has a class and a cluster of its own
        rows, columns = xp.where(counted, rows, true.size), xp.where(counted, columns, pred.size)
        weights = None if weights is None else xp.where(counted, weights, xp.zeros_like(weights))
    n_rows, n_columns = true.size + 1, pred.size + 1
    if may_be_listed and not dense_is_better(n_rows, n_columns, rows.shape[0]):
        values = _values_by_sort(rows, columns, (n_rows, n_columns), weights, backend)
    else:
        values = _values_by_table(rows, columns, (n_rows, n_columns), weights, backend)
    return values if counted is None else xp.where(counted, values, float("nan"))


def _values_by_table(
    rows: Array, columns: Array, shape: tuple[int, int], weights: Array | None, backend: Backend
) -> Array:
    """From all cells of the table: the value of each, and then that of each sample's."""
    xp, engine = backend.xp, engine_of(rows, columns)
    cells, _ = engine.cells(rows, columns, shape, weights, "dense")
    class_sizes, cluster_sizes, _ = engine.margins(cells)
    larger = xp.maximum(cells.by_class(class_sizes), cells.by_cluster(cluster_sizes))
    value = ratio(backend.as_real(cells.counts, rows), backend.as_real(larger, rows), xp)
    return xp.take(xp.reshape(value, (-1,)), rows * shape[1] + columns)


def _values_by_sort(
    rows: Array, columns: Array, shape: tuple[int, int], weights: Array | None, backend: Backend
) -> Array:
    """From the samples sorted by class and cluster."""
    xp, n_samples = backend.xp, rows.shape[0]
    cell = cells_of_samples(rows, columns, shape)

    def sizes(codes: Array, size: int) -> Array:
        found = backend.count(codes, size) if weights is None else backend.total(weights, codes, size)
        return backend.as_real(xp.take(found, codes), rows)

    shared = sizes(cell, n_samples)
    larger = xp.maximum(sizes(rows, shape[0]), sizes(columns, shape[1]))
    return ratio(shared, xp.maximum(shared, larger), xp)  # sums of real weights in another order may be less
