"""Isolated labels, such as cell types that only a few batches have: whether they are separate from all others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import and_
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from gpuval.engines import without_waiting
from gpuval.engines.backends import Backend, backend_of, is_dask, to_host
from gpuval.geometry.points import DISTANCES, IN_ANY_UNIT, Distance, Points, all_invalid, distance_name, read_points
from gpuval.inputs.labels import check_indexes, one_or_several, read_labels
from gpuval.inputs.options import check_option, check_size
from gpuval.inputs.samples import Samples
from gpuval.inputs.selection import check_ignored, ignore_mask, read_ignored
from gpuval.measures.documents import PROGRESS, document_parameters
from gpuval.measures.label_scores import pandas_by_label, text_by_label
from gpuval.measures.measure import measure
from gpuval.measures.result import as_result, rename_arguments
from gpuval.measures.samples import OnDegenerate, is_degenerate, labels_as_result
from gpuval.metrics.integration import INTEGRATION
from gpuval.metrics.internal.silhouette import mean_silhouettes
from gpuval.numerics import Array
from gpuval.numerics.stable import ratio
from gpuval.table.building import from_codes, from_samples
from gpuval.table.labelings import Labeling, labels_to_ignore, read_labelings
from gpuval.table.labels import labels_at
from gpuval.table.overlaps import f_of_each_class
from gpuval.table.table import Table

__all__ = ["isolated_labels_score"]

Others = Literal["apart", "together"]


class IsolatedLabels(NamedTuple):
    """The score, and that of each isolated label; the result with ``return_per_label``."""

    score: Any
    """The mean of the scores of the isolated labels."""
    labels: Any
    """The isolated labels, sorted, shape (n_isolated,): of the library of the score if numbers, else NumPy's."""
    label_scores: Any
    """The score of each isolated label, shape (n_isolated,)."""
    label_batches: Any
    """The number of batches that have cells of each isolated label, shape (n_isolated,)."""

    def to_pandas(self) -> Any:
        """The score and the number of batches of each isolated label, as a pandas DataFrame (copies to the host)."""
        return pandas_by_label(self)

    def __repr__(self) -> str:
        return text_by_label(self)


@measure(INTEGRATION, needs="batches and samples or clusterings")
@document_parameters("", PROGRESS)
def isolated_labels_score(
    labels: Any,
    batch: Any,
    *,
    X: Any = None,
    clusterings: Any = None,
    others: Others = "apart",
    rescale: bool = True,
    metric: Distance = "euclidean",
    most_batches: int | None = None,
    return_per_label: bool = False,
    ignore_labels: Any = None,
    n_labels: int | None = None,
    n_batches: int | None = None,
    n_clusters: int | None = None,
    on_degenerate: OnDegenerate = "raise",
    progress: bool = False,
) -> Any:
    """Isolated label score: how well labels that only a few batches have are separate from all other labels.

    Single-cell benchmarks use it to see whether an integration keeps rare cell types apart. Isolated labels are those
    that are present in the fewest batches. The score is the mean over the isolated labels of one of two scores ([1]_):

    - With ``clusterings``, the F1 score. Label i has a_i cells, cluster j has b_j cells, and n_ij cells are in both.
      The score of label i is the largest ``2 n_ij / (a_i + b_j)`` over all clusters j of all clusterings.
    - With ``X``, an embedding, the average silhouette width (ASW). With the mean silhouette s of the cells of the label
      (see :func:`silhouette_samples`), the score is ``(s + 1) / 2``.

    It ranges from 0 to 1; higher is better.

    Parameters
    ----------
    labels
        The label of each cell, such as its cell type, shape (n_cells,).
    batch
        The batch of each cell, shape (n_cells,), in the library and on the device of the labels. If both have an index,
        it must be the same.
    X
        The cells, shape (n_cells, n_features), such as an embedding, in any form that :func:`silhouette_samples` takes,
        for the score of silhouettes. Labels and batches are on the device of X, or on the host.
    clusterings
        Clusterings of the cells, such as those of a sweep over resolutions, for the F1 score: a mapping from names to
        label vectors (a dictionary, or a DataFrame of pandas or polars), a sequence of label vectors, or one label
        vector. Give either this or ``X``. If a clustering ignores all cells of a label, the F1 of the label there is 0.
    others
        What a silhouette compares an isolated label with. "apart": the nearest of the other labels (as in
        scib-metrics). "together": all other cells as one cluster (as in scib).
    rescale
        Whether to rescale silhouettes to the range 0 to 1. If not, the score is the mean of s, from -1 to 1.
    metric
        The distance of two cells for silhouettes: see :func:`silhouette_samples`. "precomputed" is not possible.
    most_batches
        A label is isolated if it is in at most this many batches. By default, labels in the fewest batches are.
    return_per_label
        Whether to return the score of each isolated label, too. The result prints as a table, and has ``to_pandas()``.
    ignore_labels
        One label or several; cells with such a label, batch or cluster do not count.
    n_labels, n_batches, n_clusters
        The numbers of labels, of batches and, with ``clusterings``, of clusters, if these are integers from 0 to below
        the number. Give all or none. Nothing is then copied from a device to find the numbers, and errors in the labels
        there make the score NaN.
    on_degenerate
        What to do if there is no score: "raise" a ValueError, or return "nan". There is none if no label is isolated
        (all are in all batches, or none is in at most ``most_batches``), if no cell counts, and, for silhouettes, with
        fewer than 2 labels or as many labels as cells. On a device, with the numbers given, the score is NaN in any
        case.

    Returns
    -------
    score
        A number in the array library of X, or of the labels, on its device. No unit. With ``return_per_label``, a named
        tuple of ``score``, ``labels`` (the isolated ones, sorted; in that library if they are numbers, else in NumPy),
        ``label_scores`` and ``label_batches`` (the number of batches of each), the last three of shape (n_isolated,).

    Raises
    ------
    TypeError, ValueError
        If labels, batches, cells, clusterings or options are not as described above; the message names the argument.

    Notes
    -----
    If all labels are in all batches, scib-metrics treats all labels as isolated. To get this, set ``most_batches`` to
    the number of batches.

    If the numbers are given, no value is copied from the device to the host. Otherwise the range of the labels and of
    the batches, the number of batches of each label, and one number for each check of the input are copied. With
    ``return_per_label``, also which labels are isolated.

    References
    ----------
    .. [1] M. D. Luecken et al., "Benchmarking atlas-level data integration in single-cell genomics", Nature Methods 19,
       2022.

    Examples
    --------
    The cells of T are of the first batch alone:

    >>> import gpuval
    >>> labels, batch = ["B", "B", "B", "T", "T", "T"], [1, 2, 2, 1, 1, 1]
    >>> float(gpuval.isolated_labels_score(labels, batch, X=[[0.0], [0.0], [0.0], [8.0], [8.0], [8.0]]))
    1.0
    >>> round(float(gpuval.isolated_labels_score(labels, batch, X=[[0.0], [2.0], [4.0], [0.0], [2.0], [4.0]])), 12)
    0.333333333333
    >>> round(float(gpuval.isolated_labels_score(labels, batch, clusterings=[0, 0, 0, 0, 0, 0])), 12)
    0.666666666667

    Of a sweep the cluster counts that is best for a label:

    >>> sweep = {"0.5": [0, 0, 0, 0, 0, 1], "1.0": [0, 0, 0, 1, 1, 2]}
    >>> found = gpuval.isolated_labels_score(labels, batch, clusterings=sweep, return_per_label=True)
    >>> dict(zip(found.labels.tolist(), found.label_scores.tolist(), strict=True)), found.label_batches.tolist()
    ({'T': 0.8}, [1])
    """
    check_option("others", others, get_args(Others))
    check_option("on_degenerate", on_degenerate, get_args(OnDegenerate))
    most = None if most_batches is None else check_size(most_batches, "most_batches")
    if (X is None) == (clusterings is None):
        raise TypeError(f"exactly one of X and clusterings must be given, got {'neither' if X is None else 'both'}")
    numbers = {"n_labels": n_labels, "n_batches": n_batches}
    if clusterings is not None:
        if (others, rescale, metric) != ("apart", True, "euclidean"):
            raise ValueError("others, rescale and metric must not be given with clusterings: they are for silhouettes")
        numbers["n_clusters"] = n_clusters
        found = _largest_f1_scores(labels, batch, clusterings, read_ignored(ignore_labels), _sizes(numbers))
        isolated = _isolation_mask(found, most, on_degenerate)
        return _mean_over_isolated(found, isolated, found.values, return_per_label)
    if n_clusters is not None:
        raise ValueError(f"n_clusters must be None with X, got {n_clusters!r}: it is for clusterings")
    metric = distance_name(metric, tuple(x for x in DISTANCES if x != "precomputed"))
    points, found = _read_cells(X, labels, batch, read_ignored(ignore_labels), _sizes(numbers))
    if is_degenerate(points, on_degenerate):
        return _mean_over_isolated(found, _none(found), found.batches, return_per_label)
    isolated = _isolation_mask(found, most, on_degenerate)
    points = points.finite(in_any_unit=metric in IN_ANY_UNIT)
    values = _silhouettes(points, found, isolated, others, metric, progress)
    return _mean_over_isolated(found, isolated, (values + 1) / 2 if rescale else values, return_per_label)


@dataclass(frozen=True)
class _Batches:
    """The number of batches of each label, and of all batches that have cells; if known, a score of each label."""

    batches: Array
    occurs: Array
    n_batches: Array
    names: Any
    invalid: Array | None
    given: Array
    values: Array

    @property
    def backend(self) -> Backend:
        """The backend of all arrays but ``given``."""
        return backend_of(self.batches)

    @property
    def may_sync(self) -> bool:
        """Whether values may be read on the host."""
        return self.invalid is None and not self.backend.is_traced(self.batches)


def _sizes(numbers: dict[str, int | None]) -> tuple[int, ...] | None:
    """The given sizes: all or none of them."""
    given = [x for x in numbers.values() if x is not None]
    if given and len(given) < len(numbers):
        *first, last = numbers
        raise ValueError(
            f"{', '.join(first)} and {last} must be given together, got "
            f"{', '.join(f'{name}={x!r}' for name, x in numbers.items())}"
        )
    return tuple(check_size(x, name) for name, x in numbers.items()) if given else None


# Which labels are isolated


def _isolation_mask(found: _Batches, most: int | None, on_degenerate: OnDegenerate) -> Array:
    """Which labels are isolated: none, if all labels are in all batches."""
    xp, batches = found.backend.xp, found.batches
    beyond = xp.full_like(batches, xp.iinfo(batches.dtype).max)
    if most is None:
        fewest = xp.min(xp.where(found.occurs, batches, beyond)) if batches.shape[0] else found.n_batches
        isolated = found.occurs & (batches == fewest) & (fewest < found.n_batches)
    else:
        isolated = found.occurs & (batches <= most)
    if on_degenerate == "nan" or not found.may_sync or bool(to_host(xp.any(isolated))):
        return isolated
    number = int(to_host(found.n_batches))
    if not number:
        raise ValueError(
            "labels and batch must have at least one cell that counts, got none; on_degenerate='nan' gives NaN"
        )
    if most is None:
        raise ValueError(
            f"batch must have a value that some label has no cells of, got {number} batch{'es' * (number > 1)} with "
            "cells of all labels, of which none is isolated; most_batches= says which are, on_degenerate='nan' gives "
            "NaN"
        )
    least = int(to_host(xp.min(xp.where(found.occurs, batches, beyond))))
    raise ValueError(
        f"most_batches must be at least the number of batches of one label ({least}), got {most}; "
        "on_degenerate='nan' gives NaN"
    )


def _none(found: _Batches) -> Array:
    return found.occurs & ~found.occurs


def _mean_over_isolated(found: _Batches, isolated: Array, values: Array, return_per_label: bool) -> Any:
    """The mean over the isolated labels (NaN if there are none), and the values of each."""
    backend = found.backend
    xp, real = backend.xp, backend.as_real(values, found.batches)
    number = backend.count_true(isolated)
    total = xp.sum(xp.where(isolated, real, xp.zeros_like(real)))
    broken = number == 0 if found.invalid is None else (number == 0) | (found.invalid > 0)
    score = ratio(total, xp.astype(number, real.dtype), xp)
    score = as_result(xp.where(broken, xp.full_like(score, float("nan")), score), found.given)
    if not return_per_label:
        return score
    if backend.is_traced(isolated):
        raise TypeError(
            "return_per_label must be False inside jax.jit or jax.vmap: which labels are isolated is not known there"
        )
    places = backend.from_host(np.flatnonzero(to_host(isolated)), found.batches)
    names = labels_as_result(labels_at(found.names, places), found.given)
    each = (as_result(xp.take(x, places), found.given) for x in (real, found.batches))
    return IsolatedLabels(score, names, *each)


# By clusterings


def _largest_f1_scores(
    labels: Any, batch: Any, clusterings: Any, ignore: tuple[Any, ...], sizes: tuple[int, ...] | None
) -> _Batches:
    """The largest F1 of each label over the clusters of all clusterings."""
    vectors = {name: _compute_dask(x) for name, x in one_or_several(clusterings, "clusterings").items()}
    both = {"labels": _compute_dask(labels), "batch": _compute_dask(batch)}
    if sizes is None:
        of_labels, of_batches, *several = read_labelings(both | vectors, None, ignore, None, None)
        tables = [_table_of(of_labels, of_batches), *(_table_of(of_labels, of_batches, x) for x in several)]
    else:
        tables = _tables_of_sizes(both, vectors, ignore, sizes)
    views = [x.host_view() for x in tables]
    seen = [x for x in views if x is not None]
    by_batch, *others = seen if len(seen) == len(tables) else tables
    return _with_scores(by_batch, others, read_labels(both["labels"], "labels").data)


def _compute_dask(labels: Any) -> Any:
    return labels.compute() if is_dask(labels) else labels


def _table_of(*labelings: Labeling) -> Table:
    """The table of the first labeling with the last, of the cells that count in all labelings.

    It has a row for each code of the labels, also for those without cells: so the rows of several tables correspond.
    """
    rows, columns = labelings[0].codes, labelings[-1].codes
    assert rows is not None  # as labels are in memory, and no size is given
    assert columns is not None
    kept = [x.keep for x in labelings if x.keep is not None]
    if kept:
        keep = reduce(and_, kept)
        rows, columns = (replace(x, codes=x.codes[keep], has_spare=False) for x in (rows, columns))
    return from_codes(rows, columns, fixed=True)


def _tables_of_sizes(
    both: dict[str, Any], vectors: dict[str, Any], ignore: tuple[Any, ...], sizes: tuple[int, ...]
) -> list[Table]:
    """The tables of the labels with the batches and with each clustering, of given sizes: values stay on the device."""
    n_labels, n_batches, n_clusters = sizes
    with rename_arguments(n_classes="n_labels", n_clusters="n_batches"):
        by_batch = _table_of_size(*read_labelings(both, None, ignore, n_labels, n_batches))
    weights = None
    if ignore:
        vector = read_labels(both["batch"], "batch")
        mask = ignore_mask(vector, ignore)
        weights = None if mask is None else vector.backend.xp.astype(~mask, vector.backend.widest(vector.data).int)
    with rename_arguments(n_classes="n_labels"):
        named = {"labels": both["labels"]} | vectors
        of_labels, *several = read_labelings(named, weights, ignore, n_labels, n_clusters)
        return [by_batch, *(_table_of_size(of_labels, x) for x in several)]


def _table_of_size(true: Labeling, pred: Labeling) -> Table:
    """The table of two labelings of given sizes, in which possibly no sample counts."""
    assert true.size is not None
    return from_samples(Samples(true.vector, pred.vector, true.weights, labels_to_ignore(true, pred)), *true.size)


def _with_scores(by_batch: Table, tables: Sequence[Table], like: Array) -> _Batches:
    backend, xp, cells = by_batch.backend, by_batch.xp, by_batch.cells
    is_there = xp.astype(by_batch.counts > 0, backend.widest(by_batch.counts).int)
    best = None
    for table in tables:
        each = f_of_each_class(table)
        best = each if best is None else xp.maximum(best, each)
    assert best is not None
    return _Batches(
        batches=cells.sum_by_class(is_there),
        occurs=by_batch.class_sizes > 0,
        n_batches=by_batch.n_clusters,
        names=by_batch.classes,
        invalid=all_invalid(*(x.invalid for x in (by_batch, *tables))),
        given=like,
        values=best,
    )


# By silhouettes


def _read_cells(
    X: Any, labels: Any, batch: Any, ignore: tuple[Any, ...], sizes: tuple[int, ...] | None
) -> tuple[Points, _Batches]:
    """The cells by their labels, without those of ignored batches, and the number of batches of each label."""
    n_labels, n_batches = sizes or (None, None)
    reading: dict[str, Any] = {"ignore_labels": ignore, "ignored_elsewhere": True}
    points = read_points(X, labels, n_clusters=n_labels, size_name="n_labels", **reading)
    in_batches = read_points(
        without_waiting(points.X), batch, n_clusters=n_batches, size_name="n_batches", name="batch", **reading
    )
    check_indexes(X=X, labels=labels, batch=batch)
    if ignore:
        named = {"labels": labels, "batch": batch}
        check_ignored(ignore, *(read_labels(x, name) for name, x in named.items()))
    xp, k, b = points.xp, points.n_clusters, in_batches.n_clusters
    codes = xp.where(in_batches.codes < b, points.codes, xp.full_like(points.codes, k))
    points = replace(points, codes=codes, invalid=all_invalid(points.invalid, in_batches.invalid)).with_new_sizes()
    counts = points.backend.count(codes * (b + 1) + in_batches.codes, (k + 1) * (b + 1))
    is_there = xp.reshape(counts, (k + 1, b + 1))[:k, :b] > 0
    batches = points.backend.count_true(is_there, 1)
    of_any = points.backend.count_true(xp.any(is_there, axis=0))
    return points, _Batches(batches, batches > 0, of_any, points.values, points.invalid, points.like, batches)


def _silhouettes(
    points: Points, found: _Batches, isolated: Array, others: Others, metric: str, progress: bool
) -> Array:
    """The mean silhouette of the cells of each label, shape (n_labels,); any value for labels that are not isolated."""
    backend, xp, k = points.backend, points.xp, points.n_clusters
    if others == "apart":
        ((values, _),) = mean_silhouettes([points], metric, None, progress)
        values = xp.where(points.codes < k, values, xp.zeros_like(values))
        return ratio(backend.total(values, points.codes, k + 1)[:k], xp.astype(points.sizes, values.dtype), xp)
    chosen = np.flatnonzero(to_host(isolated)).tolist() if found.may_sync else list(range(k))
    means: dict[int, Array] = {}
    of_each = mean_silhouettes([_against_the_rest(points, x) for x in chosen], metric, None, progress) if chosen else []
    for label, (values, _) in zip(chosen, of_each, strict=True):
        own = points.codes == label
        total = xp.sum(xp.where(own, values, xp.zeros_like(values)))
        means[label] = ratio(total, xp.astype(backend.count_true(own), values.dtype), xp)
    nothing = backend.zeros_beside((), points.masses.dtype, points.masses)
    return xp.stack([means.get(label, nothing) for label in range(k)])


def _against_the_rest(points: Points, label: int) -> Points:
    """The cells of one label as one cluster, and all other cells that count as the other."""
    xp, codes = points.xp, points.codes
    is_own, counts = codes == label, codes < points.n_clusters
    codes = xp.where(is_own, xp.zeros_like(codes), xp.where(counts, xp.ones_like(codes), xp.full_like(codes, 2)))
    return replace(points, codes=codes, n_clusters=2, values=range(2)).with_new_sizes()
