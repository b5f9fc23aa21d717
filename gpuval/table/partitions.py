"""Operations on partitions of samples: functions of label vectors that return labels, not scores."""

from __future__ import annotations

from functools import reduce
from typing import Any, NamedTuple

from gpuval.engines import engine_of
from gpuval.engines.backends import Backend, backend_of
from gpuval.engines.cells import dense_is_better
from gpuval.inputs.codes import Codes
from gpuval.inputs.containers import as_data
from gpuval.inputs.labels import (
    Vector,
    check_alike,
    check_lie_together,
    check_not_dask,
    check_one_dimensional,
    labelings_by_name,
    read_labels,
)
from gpuval.inputs.selection import check_ignored, read_ignored
from gpuval.numerics import Array
from gpuval.table.labelings import encode_labeling, read_labelings

__all__ = ["is_refinement", "partition_join", "partition_meet", "partition_sum", "partition_trace"]


class _Coded(NamedTuple):
    """Labels as codes in [0, size), in the widest integer; samples that do not count have the code size - 1."""

    codes: Array
    size: int


def partition_meet(*labelings: Any, ignore_labels: Any = None) -> Any:
    """Meet of partitions: two samples are together if they are together in every labeling.

    The blocks of the meet are the intersections of blocks of all labelings that are not empty ([1]_). It is the
    coarsest partition that is finer than each of them (:func:`is_refinement`). Its entropy is :func:`joint_entropy`.

    Parameters
    ----------
    *labelings
        One label vector or more, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes, except
        those of Dask.
    ignore_labels
        One label or several, for example the label of noise; no mapping, as no side is the true one. Samples with such
        a label in any labeling do not count.

    Returns
    -------
    array of shape (n_samples,)
        The number of the block of each sample, of the library and on the device of the labels. Blocks are numbered from
        0 on, in the order of their labels: by that of the first labeling, then by that of the second one, and so on.
        -1 for samples that do not count. Exchanging the labelings changes no block, but their order.

    Raises
    ------
    TypeError, ValueError
        There is no labeling, one of them is no label vector or has missing labels that are not ignored, or they differ
        in length, index, library or device.

    See Also
    --------
    partition_join : the finest partition that is coarser than each labeling.

    References
    ----------
    .. [1] D. A. Simovici, "Clustering: theoretical and practical aspects", 2021.

    Examples
    --------
    >>> from gpuval import partition_meet
    >>> partition_meet([0, 0, 1, 1], ["b", "a", "a", "a"])
    array([1, 0, 2, 2])
    >>> partition_meet([0, 0, 1, 1], [5, 5, 5, 5])
    array([0, 0, 1, 1])
    >>> partition_meet([0, 0, -1, 1], [7, 7, 7, 7], ignore_labels=-1)
    array([ 0,  0, -1,  1])
    """
    sides, keep = _read(labelings, ignore_labels)
    if len(sides) == 1:
        return _numbered(sides[0], keep)
    n_samples = sides[0].codes.shape[0]

    def intersection(first: _Coded, second: _Coded) -> _Coded:
        return _Coded(cells_of_samples(first.codes, second.codes, (first.size, second.size)), n_samples + 1)

    return _without_ignored(reduce(intersection, sides).codes, keep)


def partition_join(*labelings: Any, ignore_labels: Any = None) -> Any:
    """Join of partitions: two samples are together if a chain of blocks, each sharing a sample with the next, has both.

    The blocks may be of any of the labelings ([1]_). So the blocks of the join of two labelings are the connected
    components of the graph that links a class and a cluster if they share a sample. It is the finest partition that is
    coarser than each labeling (:func:`is_refinement`).

    Parameters
    ----------
    *labelings
        One label vector or more, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes, except
        those of Dask.
    ignore_labels
        One label or several, for example the label of noise; no mapping, as no side is the true one. Samples with such
        a label in any labeling do not count, and link nothing.

    Returns
    -------
    array of shape (n_samples,)
        The number of the block of each sample, of the library and on the device of the labels. Blocks are numbered from
        0 on, in the order of the first label that each has in the first labeling. -1 for samples that do not count.
        Exchanging the labelings changes no block, but their order.

    Raises
    ------
    TypeError, ValueError
        There is no labeling, one of them is no label vector or has missing labels that are not ignored, or they differ
        in length, index, library or device.

    See Also
    --------
    partition_meet : the coarsest partition that is finer than each labeling.

    References
    ----------
    .. [1] D. A. Simovici, "Clustering: theoretical and practical aspects", 2021.

    Examples
    --------
    >>> from gpuval import partition_join
    >>> partition_join([0, 0, 1, 1, 2], ["a", "b", "b", "c", "d"])
    array([0, 0, 0, 0, 1])
    >>> partition_join([0, 0, 1, 1], [0, 1, 2, 3])
    array([0, 0, 1, 1])
    """
    sides, keep = _read(labelings, ignore_labels)
    return _numbered(reduce(_join, sides), keep)


def is_refinement(finer: Any, coarser: Any, *, ignore_labels: Any = None) -> Any:
    """Whether a partition is finer than another one, or the same: each of its blocks lies in a block of the other.

    The finest partition has a block for each sample, and the coarsest one has a single block ([1]_).

    Parameters
    ----------
    finer, coarser
        Two label vectors, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes, except those of
        Dask.
    ignore_labels
        One label or several, for example the label of noise; no mapping, as no side is the true one. Samples with such
        a label on either side do not count.

    Returns
    -------
    array of shape ()
        A boolean, of the library and on the device of the labels; true also if no sample counts. Not symmetric: if it
        is true in both directions, the partitions are the same.

    Raises
    ------
    TypeError, ValueError
        One of the arguments is no label vector or has missing labels that are not ignored, or they differ in length,
        index, library or device.

    References
    ----------
    .. [1] D. A. Simovici, "Clustering: theoretical and practical aspects", 2021.

    Examples
    --------
    >>> from gpuval import is_refinement
    >>> bool(is_refinement([0, 1, 2, 2], ["a", "a", "b", "b"]))
    True
    >>> bool(is_refinement(["a", "a", "b", "b"], [0, 1, 2, 2]))
    False
    """
    (rows, columns), _ = _read({"finer": finer, "coarser": coarser}, ignore_labels)
    backend = backend_of(rows.codes)
    highest = backend.largest(columns.codes, rows.codes, rows.size)
    return backend.xp.all(backend.xp.take(highest, rows.codes) == columns.codes)


def partition_trace(labels: Any, mask: Any, *, ignore_labels: Any = None) -> Any:
    """Trace of a partition on a subset of the samples, also called its restriction.

    Its blocks are the intersections of the blocks with the subset that are not empty ([1]_).

    Parameters
    ----------
    labels
        A label vector, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes, except those of
        Dask.
    mask
        Which samples are in the subset: booleans, shape (n_samples,), in the library and on the device of the labels.
    ignore_labels
        One label or several, for example the label of noise.

    Returns
    -------
    array of shape (n_in_subset,)
        The number of the block of each sample of the subset, of the library and on the device of the labels. Blocks are
        numbered from 0 on, in the order of their labels. -1 for samples with a label to ignore. Missing labels outside
        the subset make no difference.

    Raises
    ------
    TypeError, ValueError
        ``labels`` is no label vector or has missing labels in the subset that are not ignored, ``mask`` does not hold
        booleans, or the two differ in length, index, library or device.

    References
    ----------
    .. [1] D. A. Simovici, "Clustering: theoretical and practical aspects", 2021.

    Examples
    --------
    >>> from gpuval import partition_trace
    >>> partition_trace(["a", "b", "b", "c"], [False, True, True, True])
    array([0, 0, 1])
    >>> partition_trace([3, 3, 3, 3], [True, True, False, False])
    array([0, 0])
    """
    check_not_dask({"labels": labels, "mask": mask})
    vector = read_labels(labels, "labels")
    data, _ = as_data(mask, "mask")
    check_one_dimensional(data, "mask")
    inside = Vector("mask", mask, data)
    if inside.backend.kind(data) != "bool":
        raise TypeError(
            f"mask must hold booleans and no missing values, got dtype {getattr(mask, 'dtype', data.dtype)}"
        )
    check_alike(vector, inside)
    vector.backend.check_known(data, "mask must be a constant", "values")
    ignored = read_ignored(ignore_labels)
    check_ignored(ignored, vector)
    return _numbered(*_encode(vector.with_data(vector.data[data]), ignored))


def partition_sum(*labelings: Any, ignore_labels: Any = None) -> Any:
    """Sum of partitions of different samples: the partition of all the samples that has the blocks of each.

    The samples of the labelings are different ones, so no block of one labeling is joined with a block of another one,
    whatever their labels are ([1]_).

    Parameters
    ----------
    *labelings
        One label vector or more, of any lengths n_1, n_2, ..., of any kind that :meth:`Contingency.from_labels` takes,
        except those of Dask.
    ignore_labels
        One label or several, for example the label of noise; no mapping, as no side is the true one.

    Returns
    -------
    array of shape (n_1 + n_2 + ...,)
        The number of the block of each sample, first those of the first labeling, of the library and on the device of
        the labels. Blocks are numbered from 0 on: those of the first labeling in the order of their labels, then those
        of the second one, and so on. -1 for samples with a label to ignore.

    Raises
    ------
    TypeError, ValueError
        There is no labeling, one of them is no label vector or has missing labels that are not ignored, or they differ
        in library or device.

    References
    ----------
    .. [1] D. A. Simovici and S. Jaroszewicz, "An axiomatization of partition entropy", IEEE Transactions on Information
       Theory 48, 2002.

    Examples
    --------
    >>> from gpuval import partition_sum
    >>> partition_sum([0, 0, 1], ["b", "a"])
    array([0, 0, 1, 3, 2])
    >>> partition_sum([7, 7], [7, 7])
    array([0, 0, 1, 1])
    """
    _, named = labelings_by_name(labelings)
    check_not_dask(named)
    vectors = [read_labels(x, name) for name, x in named.items()]
    for vector in vectors[1:]:
        check_lie_together(vectors[0], vector)
    ignored = read_ignored(ignore_labels)
    check_ignored(ignored, *vectors)
    xp, parts, start = vectors[0].backend.xp, [], 0
    for vector in vectors:
        numbers = _numbered(*_encode(vector, ignored))
        parts.append(xp.where(numbers < 0, numbers, numbers + start))
        start = start + xp.max(numbers) + 1 if vector.size else start
    return xp.concat(parts)


def cells_of_samples(rows: Array, columns: Array, shape: tuple[int, int]) -> Array:
    """The number of the cell of each sample among those that are not empty, by row and then by column."""
    backend = backend_of(rows)
    xp, n_samples = backend.xp, rows.shape[0]
    if dense_is_better(*shape, n_samples):
        places = rows * shape[1] + columns
        is_filled = backend.count(places, shape[0] * shape[1]) > 0
        return xp.take(backend.cumulative_sum(xp.astype(is_filled, rows.dtype)) - 1, places)
    order, changes = engine_of(rows, columns).by_cell(rows, columns, shape)
    first = xp.zeros(min(1, n_samples), dtype=rows.dtype, device=backend.device(rows))
    numbers = backend.cumulative_sum(xp.concat([first, xp.astype(changes, rows.dtype)]))
    return backend.total(numbers, order, n_samples)  # a sum of one: each place occurs once in the order


def _read(labelings: Any, ignore_labels: Any) -> tuple[list[_Coded], Array | None]:
    """Labelings of the same samples, and which samples count; None: all."""
    if isinstance(labelings, dict):
        named = labelings
    else:
        _, named = labelings_by_name(labelings)
    check_not_dask(named)
    sides = read_labelings(named, None, read_ignored(ignore_labels), None, None)
    keep = None
    for side in sides:
        if side.keep is not None:
            keep = side.keep if keep is None else keep & side.keep
    return [_coded(x.codes, keep) for x in sides if x.codes is not None], keep


def _encode(vector: Vector, ignored: tuple[Any, ...]) -> tuple[_Coded, Array | None]:
    """One labeling, and which samples count; None: all."""
    labeling = encode_labeling(vector, None, ignored)
    return _coded(labeling.encoded, labeling.keep), labeling.keep


def _coded(codes: Codes, keep: Array | None) -> _Coded:
    backend = backend_of(codes.codes)
    wide = codes.places
    return _Coded(wide if keep is None else backend.xp.where(keep, wide, codes.size), codes.size + 1)


def _numbered(coded: _Coded, keep: Array | None) -> Array:
    """The codes that occur as 0, 1, 2, ... in the same order; -1 for samples that do not count."""
    backend = backend_of(coded.codes)
    xp, codes = backend.xp, coded.codes
    occur = xp.astype(backend.count(codes, coded.size) > 0, codes.dtype)
    return _without_ignored(xp.take(backend.cumulative_sum(occur) - 1, codes), keep)


def _without_ignored(numbers: Array, keep: Array | None) -> Array:
    return numbers if keep is None else backend_of(numbers).xp.where(keep, numbers, -1)


def _join(first: _Coded, second: _Coded) -> _Coded:
    """The lowest code of the first side in the component of each sample, found in rounds.

    The codes of the first side are in trees, each of which points to its lowest code, its root. In a round, each root
    is hung below the lowest root with which its tree shares a code of the second side. ``component_sizes`` of graphs
    has the same rounds, and the proof of their number.
    """
    rows, columns, backend = first.codes, second.codes, backend_of(first.codes)
    xp, n_rows = backend.xp, first.size
    places = backend.arange_beside(0, n_rows, rows.dtype, rows)

    def next_roots(roots: Array) -> Array:
        of_samples = xp.take(roots, rows)
        of_columns = _smallest(of_samples, columns, second.size, n_rows, backend)
        lowest = _smallest(xp.take(of_columns, columns), of_samples, n_rows, n_rows, backend)
        parents = xp.take(xp.minimum(places, lowest), roots)
        return backend.until_same(lambda x: xp.take(x, x), parents, (n_rows - 1).bit_length(), looks=True)

    roots = backend.until_same(next_roots, places, 2 * (n_rows.bit_length() - 1), looks=True)
    return _Coded(xp.take(roots, rows), n_rows)


def _smallest(values: Array, codes: Array, size: int, above: int, backend: Backend) -> Array:
    """The smallest value of each code, of values below ``above``, which codes that do not occur have."""
    smallest: Array = above - backend.largest(above - values, codes, size)
    return smallest
