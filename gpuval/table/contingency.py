"""The contingency table: the one thing that sees the samples, and the one thing every external measure reads."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, cast

import numpy as np

from gpuval.engines import cuda as _cuda
from gpuval.engines.backends import backend_of, is_dask, library_of, to_host
from gpuval.engines.backends import trees as _pytree
from gpuval.engines.cells import DenseCells, ListedCells
from gpuval.engines.host.one_pass import joint_counts
from gpuval.inputs import labels as _labels
from gpuval.inputs.counts import checked_counts, read_counts, read_memberships
from gpuval.inputs.labels import Codes, Labels
from gpuval.inputs.limits import check_dense, out_of_range, required
from gpuval.inputs.options import needed
from gpuval.inputs.samples import (
    Samples,
    check_any_left,
    check_samples_left,
    codes_of,
    encode_samples,
    fixed_bins,
    how_many_count,
    is_weight,
    kept_labels,
    read_block,
    read_samples,
)
from gpuval.numerics import Array
from gpuval.table import encoded as _cells
from gpuval.table import self_pairs as _self_pairs
from gpuval.table.label_types import concatenated

Layout = Literal["dense", "cells"]


@dataclass(frozen=True, eq=False, repr=False)
class Contingency:
    """How many samples (or how much weight) each class shares with each cluster.

    Classes are the labels of ``labels_true`` (rows), clusters those of ``labels_pred`` (columns). Build a table once
    with :meth:`from_labels`, :meth:`from_counts` or :meth:`from_memberships`, and give it to any number of measures
    in place of the labels. Tables add up: ``a + b`` is the table of the samples of both. For JAX and PyTorch it is a
    tree of its arrays: an argument, a result or a carry of what is compiled, and ``jax.lax.psum`` adds it up.

    A table does not change: it keeps no array that was given, and its arrays of NumPy cannot be written into. PyTorch
    and CuPy cannot forbid that, so there :meth:`to_array` and :meth:`triples` give copies; the attributes are what the
    table computes with, and are not to be written into.

    Attributes
    ----------
    cells
        The cells, in the dense layout (all of them, in shape (..., n_classes, n_clusters); leading dimensions are a
        batch of tables) or the listed one (the non-empty ones).
    class_sizes, cluster_sizes
        The sums of the rows, shape (..., n_classes), and of the columns, shape (..., n_clusters).
    total
        The sum of all cells, shape (...).
    classes, clusters
        The label of each row and of each column.
    fixed
        Whether the caller gave the size, so that rows and columns without samples are kept.
    invalid
        None, or how many samples could not be counted, on the device, shape (...): scores of such a table are NaN.
    self_pairs
        None for a table of integers, or what its sizes do not tell of the pairs of samples, shape (..., 6): what the
        pairs of each sample with itself weigh that are together in both partitions, in the true one only, in the
        predicted one only, and in neither, which scores of pairs leave out; what the pairs of two samples of one cell
        weigh; and 1, or in a sum of more tables that ``+`` has not added, their number.
    given
        None if that is not known, or how many samples there were before labels to ignore and weights left some out,
        shape (...): where there were some and ``total`` is 0, scores are NaN.

    Examples
    --------
    >>> import gpuval
    >>> table = gpuval.Contingency.from_labels(["a", "a", "b", "c"], [0, 0, 1, 1])
    >>> table.to_array()
    array([[2, 0],
           [0, 1],
           [0, 1]])
    >>> float(gpuval.v_measure_score(table))
    0.8
    """

    cells: DenseCells | ListedCells
    class_sizes: Array
    cluster_sizes: Array
    total: Array
    classes: range | Array
    clusters: range | Array
    fixed: bool = False
    invalid: Array | None = None
    self_pairs: Array | None = None
    given: Array | None = None

    def __post_init__(self) -> None:
        if type(self.cells.counts) is np.ndarray:
            _protect(self, "class_sizes", "cluster_sizes", "total", "classes", "clusters")
            _protect(self, "invalid", "self_pairs", "given")
            _protect(self.cells, "counts")
            if isinstance(self.cells, ListedCells):
                _protect(self.cells, "class_of", "cluster_of")

    # Building

    @staticmethod
    def from_labels(
        labels_true: Labels,
        labels_pred: Labels,
        *,
        sample_weight: Any = None,
        ignore_labels: Any = None,
        n_classes: int | None = None,
        n_clusters: int | None = None,
        layout: Layout | None = None,
    ) -> Contingency:
        """Count the samples of each class in each cluster.

        Parameters
        ----------
        labels_true, labels_pred
            Two vectors of labels, shape (n_samples,), of one library and on one device: lists, NumPy arrays of
            integers, booleans, strings or objects, pandas or polars Series, torch, JAX or CuPy arrays, or Dask arrays,
            Series or lists of delayed partitions. Any values.
        sample_weight
            Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones
            only the proportions matter to normalised scores, and a pair of samples weighs the product of its weights.
        ignore_labels
            One label or several, of types that one of the vectors could hold; samples with such a label on either side
            do not count. Numbers of any type are compared by value; None stands for all missing labels.
        n_classes, n_clusters
            The size of the table, where the labels are integers from 0 to below it. With both given, nothing leaves
            the device, and the shape does not depend on the values: that is what jax.jit, torch.compile and CUDA
            graphs need.
        layout
            "dense" for all cells, "cells" for the non-empty ones; by default whichever is smaller.

        Returns
        -------
        Contingency
            The table, in the library and on the device of the labels.

        Raises
        ------
        TypeError, ValueError
            Labels of a wrong type, shape or length, of two libraries, devices or indexes; fractional or missing labels;
            labels outside [0, n_classes); negative weights; labels to ignore of a type that the labels cannot be of;
            no sample left, where there were some. On a device with both sizes given the values are not looked at:
            there samples that cannot be counted are counted in ``invalid``, and scores are NaN, as they are if none is
            left.
        """
        _be_a_tree()
        n_classes, n_clusters = _labels.check_sizes(n_classes, n_clusters)
        if layout not in (None, "dense", "cells"):
            raise ValueError(f"layout must be 'dense', 'cells' or None, got {layout!r}")
        if is_dask(labels_true) or is_dask(labels_pred):
            ignore = _labels.ignored(ignore_labels)
            _labels.check_ignored_by_dtype(ignore, {"labels_true": labels_true, "labels_pred": labels_pred})
            counted = counted_in_blocks(labels_true, labels_pred, sample_weight, ignore, n_classes, n_clusters)
            names, weighs = "labels_true and labels_pred", sample_weight is not None
            return counted.of_all(names, bool(ignore), weighs).laid_out(layout)
        samples = read_samples(labels_true, labels_pred, sample_weight, ignore_labels, are_all=True)
        return table_of_samples(samples, n_classes, n_clusters, layout)

    @staticmethod
    def from_counts(counts: Any) -> Contingency:
        """Take a table that is there already.

        Parameters
        ----------
        counts
            Classes in rows, clusters in columns: an array of any supported library, shape (..., n_classes, n_clusters),
            nested lists, a pandas crosstab (its labels are kept; margins are refused, with a warning instead where
            their name might be that of a class), or a SciPy sparse matrix or array. Whole numbers count samples;
            fractions are shares, of any number of samples.

        Returns
        -------
        Contingency
            The table, in the library and on the device of the counts.

        Raises
        ------
        TypeError, ValueError
            Not numbers, not at least two-dimensional, negative, not finite, or adding up to too much: integers to 2^39
            (2^30 where the device has no 64 bits), others to less than 2^-200 or more than 2^200 (2^-20 and 2^30). On a
            device the values are not looked at: there such cells are counted in ``invalid``, and scores are NaN.
        """
        _be_a_tree()
        scipy_sparse = sys.modules.get("scipy.sparse")
        if scipy_sparse is not None and scipy_sparse.issparse(counts):
            return _table_of_sparse(counts)
        array, classes, clusters, invalid = read_counts(counts)
        fixed = isinstance(classes, range)  # a crosstab is sized by its labels
        self_pairs = _self_pairs.of_counts(array, (-2, -1))
        return with_margins(DenseCells(array), classes, clusters, fixed=fixed, invalid=invalid, self_pairs=self_pairs)

    @staticmethod
    def from_cells(counts: Array, class_of: Array, cluster_of: Array, shape: tuple[int, int]) -> Contingency:
        """Take copies of the non-empty cells of a table of given size, sorted by class and then by cluster."""
        counts, class_of, cluster_of = (backend_of(x).copied(x) for x in (counts, class_of, cluster_of))
        return table_of_cells(counts, class_of, cluster_of, shape)

    @staticmethod
    def from_memberships(memberships_true: Array, memberships_pred: Array, *, sample_weight: Any = None) -> Contingency:
        """Build the table of two soft (fuzzy) clusterings: ``memberships_true.T @ memberships_pred``.

        Differentiable in PyTorch and JAX, and so are the scores of the table, but for those that a host step finds
        (set matching): these carry no gradient. Scores of pairs are of the pairs that are expected if each sample draws
        its class and its cluster from its memberships.

        Parameters
        ----------
        memberships_true
            How much each sample belongs to each class, shape (n_samples, n_classes), not negative; rows usually sum
            to 1.
        memberships_pred
            The same for the clusters, shape (n_samples, n_clusters), of the same library and on the same device.
        sample_weight
            Weights, shape (n_samples,), not negative.

        Returns
        -------
        Contingency
            A dense table of floats.

        Raises
        ------
        TypeError, ValueError
            As for :meth:`from_labels` and :meth:`from_counts`; weights of which none is above 0.
        """
        u, v, weights = read_memberships(memberships_true, memberships_pred, sample_weight)
        table = table_of_memberships(u, v, weights)
        if weights is None or not u.shape[0]:
            return table
        is_lost = table.total == 0
        if table.invalid is not None:
            return replace(table, invalid=table.invalid + table.xp.astype(is_lost, table.invalid.dtype))
        if is_lost:
            raise ValueError(f"sample_weight must be above 0 for at least one sample, got none of {u.shape[0]}")
        return table

    # Reading: what formulas use

    @property
    def xp(self) -> Any:
        """The array namespace of the table."""
        return backend_of(self.counts).xp

    @property
    def counts(self) -> Array:
        """The number in each cell, in the layout of ``cells``."""
        return self.cells.counts

    @property
    def is_integer(self) -> bool:
        """Whether the cells are counts (and not sums of real weights or memberships)."""
        return backend_of(self.counts).kind(self.counts) == "integer"

    @property
    def n_classes(self) -> Array:
        """How many classes occur."""
        return backend_of(self.class_sizes != 0).count_true(self.class_sizes != 0, -1)

    @property
    def n_clusters(self) -> Array:
        """How many clusters occur."""
        return backend_of(self.cluster_sizes != 0).count_true(self.cluster_sizes != 0, -1)

    def real(self, x: Array) -> Array:
        """``x`` in the widest floating-point type of the device."""
        wide = backend_of(self.counts).widest(self.counts).float
        return x.astype(wide) if backend_of(x).on_host else self.xp.astype(x, wide)

    def transposed(self) -> Contingency:
        """The table with the roles of classes and clusters exchanged."""
        xp, cells = self.xp, self.cells
        flipped: DenseCells | ListedCells
        if isinstance(cells, DenseCells):
            flipped = DenseCells(xp.matrix_transpose(cells.counts))
        else:
            order = xp.argsort(cells.cluster_of, stable=True)
            flipped = ListedCells(
                xp.take(cells.counts, order),
                xp.take(cells.cluster_of, order),
                xp.take(cells.class_of, order),
                cells.shape[::-1],
            )
        return replace(
            self,
            cells=flipped,
            class_sizes=self.cluster_sizes,
            cluster_sizes=self.class_sizes,
            classes=self.clusters,
            clusters=self.classes,
            self_pairs=_self_pairs.transposed(self.self_pairs),
        )

    # Adding

    def __radd__(self, other: Any) -> Contingency:
        """Add to 0, as ``sum`` begins."""
        return self if isinstance(other, int) and other == 0 else NotImplemented

    def __add__(self, other: Contingency) -> Contingency:
        """Add the table of other samples; classes and clusters are matched by their labels."""
        if not isinstance(other, Contingency):
            return NotImplemented
        if backend_of(self.counts).xp is not backend_of(other.counts).xp:
            raise TypeError(
                f"tables must be of one array library to be added, got {library_of(self.counts)} and "
                f"{library_of(other.counts)}"
            )
        if not backend_of(self.counts).is_traced(self.counts) and backend_of(self.counts).device(
            self.counts
        ) != backend_of(other.counts).device(other.counts):
            raise ValueError(
                f"tables must be on one device to be added, got {backend_of(self.counts).device(self.counts)} and {backend_of(other.counts).device(other.counts)}"
            )
        if self.fixed != other.fixed:
            raise ValueError(
                "tables must both be of given size, or both be sized by their labels, to be added: give n_classes= and "
                "n_clusters= for both"
            )
        table = self._add_cell_by_cell(other) if self.fixed else self._add_by_label(other)
        return replace(
            table,
            invalid=invalid_of_sum(table, self.invalid, other.invalid),
            self_pairs=_self_pairs_of_sum(self, other, table),
            given=None if self.given is None or other.given is None else self.given + other.given,
        )

    def _add_cell_by_cell(self, other: Contingency) -> Contingency:
        ours, theirs = self._shape, other._shape
        if ours[-2:] != theirs[-2:] or (ours != theirs and 2 not in (len(ours), len(theirs))):
            raise ValueError(f"tables of given size must have the same size to be added, got {ours} and {theirs}")
        if isinstance(self.cells, ListedCells) and isinstance(other.cells, ListedCells):
            (a, b, n), (c, d, m) = self.triples(), other.triples()
            rows, columns = (
                Codes(self.xp.concat(x), size, range(size)) for x, size in zip(((a, c), (b, d)), ours, strict=True)
            )
            return table_of_codes(rows, columns, _counts_together(self, n, other, m), "cells", fixed=True)
        a, b = self.dense(), other.dense()
        added = a.counts + b.counts if a.is_integer == b.is_integer else a.real(a.counts) + b.real(b.counts)
        return with_margins(DenseCells(added), a.classes, a.clusters, fixed=True)

    def _add_by_label(self, other: Contingency) -> Contingency:
        """Add by building the table of the cells: each is a (class, cluster) that weighs its count."""
        (a, b, n), (c, d, m) = self.triples(), other.triples()
        return table_of_triples(concatenated(a, c), concatenated(b, d), _counts_together(self, n, other, m))

    # Converting

    def triples(self) -> tuple[Array, Array, Array]:
        """The non-empty cells as three vectors: label of the class, label of the cluster, count."""
        listed = self.listed().cells
        assert isinstance(listed, ListedCells)
        return (
            labels_at(self.classes, listed.class_of),
            labels_at(self.clusters, listed.cluster_of),
            _given_out(listed.counts) if listed is self.cells else listed.counts,
        )

    def listed(self) -> Contingency:
        """The same table with its non-empty cells listed."""
        if isinstance(self.cells, ListedCells):
            return self
        if backend_of(self.counts).is_traced(self.counts):
            raise TypeError("a table cannot list its cells inside jax.jit or jax.vmap: their number is not known yet")
        if len(self._shape) != 2:
            raise ValueError(f"a single table is needed to list its cells, got a batch of shape {self._shape[:-2]}")
        class_of, cluster_of = self.xp.nonzero(self.counts)
        filled = self.counts[self.counts != 0]
        return replace(self, cells=ListedCells(filled, class_of, cluster_of, tuple(self.counts.shape)))

    def dense(self) -> Contingency:
        """The same table with all its cells."""
        if isinstance(self.cells, DenseCells):
            return self
        n_rows, n_columns = self.cells.shape
        check_dense(n_rows, n_columns)
        flat = self.cells.class_of * n_columns + self.cells.cluster_of
        filled = backend_of(flat).total(self.counts, flat, n_rows * n_columns)
        return replace(self, cells=DenseCells(self.xp.reshape(filled, (n_rows, n_columns))))

    def compact(self) -> Contingency:
        """The same table without classes and clusters that do not occur (a host step on a device: one transfer)."""
        if len(self._shape) != 2:
            raise ValueError(
                f"a single table is needed to leave out what is empty, got a batch of shape {self._shape[:-2]}"
            )
        occur = to_host(self.xp.concat([self.class_sizes, self.cluster_sizes])) != 0
        if occur.all():
            return self
        return _compacted(self, *np.split(occur, [self.class_sizes.shape[0]]))

    def check_valid(self, count: int | None = None) -> None:
        """Raise if samples could not be counted: ``count`` of them, or what ``invalid`` tells (a host step)."""
        if count is None:
            invalid = invalid_if_none_left(self).invalid
            count = 0 if invalid is None else int(to_host(invalid).sum())
        if count:
            raise ValueError(
                f"{count} samples or cells could not be counted: labels outside [0, {self.class_sizes.shape[-1]}) x "
                f"[0, {self.cluster_sizes.shape[-1]}), or values that are negative, not finite, or too large in sum, "
                "or none left to count"
            )

    def to_array(self) -> Array:
        """The counts as a dense array, shape (..., n_classes, n_clusters); one of NumPy cannot be written into."""
        dense = self.dense()
        return _given_out(dense.counts) if dense is self else dense.counts

    def to_pandas(self) -> Any:
        """The counts as a pandas DataFrame with the labels as index and columns (copies to the host).

        Without classes and clusters that do not occur, unless the size of the table was given.
        """
        with needed("to_pandas()", "pandas"):
            import pandas as pd

        if len(self._shape) != 2:
            raise ValueError(f"a single table is needed for a DataFrame, got a batch of shape {self._shape[:-2]}")
        table = (self if self.fixed else self.compact()).dense()
        index, columns = (
            pd.Index(np.asarray(x) if isinstance(x, range) else to_host(x), name=name, copy=True)
            for x, name in ((table.classes, "class"), (table.clusters, "cluster"))
        )
        return pd.DataFrame(to_host(table.counts), index=index, columns=columns, copy=True)

    @property
    def _shape(self) -> tuple[int, ...]:
        """The shape of all cells, in either layout."""
        return self.cells.shape if isinstance(self.cells, ListedCells) else tuple(self.counts.shape)

    @property
    def _cell_axes(self) -> tuple[int, ...] | None:
        """The axes of the cells of a table."""
        return (-2, -1) if isinstance(self.cells, DenseCells) else None

    def __getstate__(self) -> dict[str, Any]:
        """The fields alone: what measures have kept (see ``statistic``) does not travel."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.__post_init__()

    def __repr__(self) -> str:
        *batch, n_rows, n_columns = self._shape
        layout = "dense" if isinstance(self.cells, DenseCells) else f"{self.counts.shape[0]} cells"
        batches = f", batch of {tuple(batch)}" if batch else ""
        return f"Contingency({n_rows} classes x {n_columns} clusters, {layout}, {library_of(self.counts)}{batches})"


@dataclass(frozen=True)
class CountedBlock:
    """The table of a block of samples, how many of them count, and how many there were; blocks add up."""

    table: Contingency
    samples: int
    given: int

    def __add__(self, other: CountedBlock) -> CountedBlock:
        """Add another block."""
        return CountedBlock(self.table + other.table, self.samples + other.samples, self.given + other.given)

    def of_all(self, names: str, ignores: bool, weighs: bool) -> CountedBlock:
        """The same after a check that some samples of all count; with sizes given on a device, in ``invalid``."""
        if not (ignores or weighs):
            return self
        if self.table.fixed and not backend_of(self.table.counts).on_host:
            return replace(self, table=with_given(self.table, self.given))
        is_any = bool(to_host(self.table.total) != 0)
        check_any_left(is_any, self.given, names, ignores=ignores, weighs=weighs and self.samples > 0)
        return self

    def laid_out(self, layout: Layout | None) -> Contingency:
        """The table, in the layout that is asked for or that one call would choose."""
        if layout is None:
            return laid_out(self.table, self.samples)
        return self.table.dense() if layout == "dense" else self.table.listed()


def counted_in_blocks(
    labels_true: Any,
    labels_pred: Any,
    sample_weight: Any,
    ignore_labels: Any,
    n_classes: int | None,
    n_clusters: int | None,
) -> CountedBlock:
    """Count labels that Dask holds, block by block."""
    from gpuval.engines.blocks import from_blocks

    build = functools.partial(_counted, ignore_labels=ignore_labels, n_classes=n_classes, n_clusters=n_clusters)
    columns = {"labels_true": labels_true, "labels_pred": labels_pred, "sample_weight": sample_weight}
    return cast(CountedBlock, from_blocks(build, columns))


def _counted(
    labels_true: Labels,
    labels_pred: Labels,
    sample_weight: Any = None,
    *,
    ignore_labels: Any,
    n_classes: int | None,
    n_clusters: int | None,
) -> CountedBlock:
    samples = read_block(labels_true, labels_pred, sample_weight, ignore_labels)
    return counted_block(samples, n_classes, n_clusters)


def counted_block(samples: Samples, n_classes: int | None, n_clusters: int | None) -> CountedBlock:
    """Count a block of samples."""
    return CountedBlock(table_of_samples(samples, n_classes, n_clusters), how_many_count(samples), samples.true.size)


def table_of_memberships(u: Array, v: Array, weights: Array | None) -> Contingency:
    """The table of two soft partitions that have been read and checked; no sample need have a weight."""
    xp = backend_of(u).xp
    weighted = u if weights is None else u * xp.astype(weights, u.dtype)[:, None]
    table = Contingency.from_counts(xp.matmul(xp.matrix_transpose(weighted), v))
    table = replace(table, self_pairs=_self_pairs.of_memberships(u, v, weights, table.counts))
    if xp is np:
        return table
    broken = sum(backend_of(~is_weight(x)).count_true(~is_weight(x)) for x in (u, v, weights) if x is not None)
    return replace(table, invalid=table.invalid + broken)


def _be_a_tree() -> None:
    _pytree.register(Contingency, DenseCells, ListedCells)


def table_of_samples(
    samples: Samples, n_classes: int | None, n_clusters: int | None, layout: Layout | None = None
) -> Contingency:
    """Count samples that have been read and checked."""
    table = None if layout == "cells" else _table_in_one_pass(samples, n_classes, n_clusters)
    if table is not None:
        return table
    if n_classes and n_clusters and layout != "cells" and not backend_of(samples.true.data).on_host:
        fixed = _fixed_table(samples, n_classes, n_clusters)
        return with_given(fixed, samples.true.size) if samples.are_all else fixed
    table = None if n_classes else _table_of_kernels(samples, layout)
    if table is not None:
        return table
    return table_of_codes(*encode_samples(samples, n_classes, n_clusters), layout, fixed=bool(n_classes))


def _table_in_one_pass(samples: Samples, n_classes: int | None, n_clusters: int | None) -> Contingency | None:
    """The dense table of integers on the host, if it is small and nothing is wrong with them, nor to be left out."""
    if not samples.all_count_once:
        return None
    true, pred = _labels.integers_on_host(samples.true), _labels.integers_on_host(samples.pred)
    if true is None or pred is None:
        return None
    most = _cells.most_dense_cells(len(true))
    joint = joint_counts(true, pred, most)
    if joint is None:
        return None
    rows = joint.rows if n_classes is None else range(n_classes)
    columns = joint.columns if n_clusters is None else range(n_clusters)
    if len(rows) * len(columns) > most or not joint.fits(rows, columns):
        return None
    table = with_margins(DenseCells(joint.placed(rows, columns)), rows, columns, fixed=n_classes is not None)
    table = table if table.fixed else table.compact()
    like = samples.true.data
    return table if backend_of(like).on_host else mapped(table, lambda x: backend_of(like).from_host(x, like))


def _table_of_kernels(samples: Samples, layout: Layout | None) -> Contingency | None:
    """The table of integers on a GPU, if kernels can count them all: labels to ignore are left out of it afterwards."""
    true, pred, weights = samples.true.data, samples.pred.data, samples.weights
    if weights is not None and (layout == "cells" or samples.ignore):
        return None
    limits = _cuda.limits(true, pred)
    if limits is None or not all(_labels.is_narrow(x, len(true), true) for x in limits):
        return None
    rows, columns = (range(low, high + 1) for low, high in limits)
    if layout == "dense" or (layout is None and _cells.dense_is_better(len(rows), len(columns), len(true))):
        dense = _cuda.dense(true, pred, rows, columns, weights)
        if dense is None:
            return None
        if weights is not None and not _are_sums_of_weights(dense[1], weights):
            return None  # what is wrong is found and said elsewhere
        if samples.ignore:
            return _table_without(samples, DenseCells(dense[0]), rows, columns)
        self_pairs = _self_pairs_of_kernel(samples, dense[0], rows, columns, weights)
        return with_margins(DenseCells(dense[0]), rows, columns, fixed=False, self_pairs=self_pairs)
    listed = None if weights is not None else _cuda.listed(true, pred, rows, columns)
    if listed is None:
        return None
    class_of, cluster_of, counts = listed
    cells = ListedCells(counts, class_of, cluster_of, (len(rows), len(columns)))
    if samples.ignore:
        return _table_without(samples, cells, rows, columns).compact()
    return with_margins(cells, rows, columns, fixed=False).compact()


def _are_sums_of_weights(broken: Array, weights: Array) -> bool:
    """Whether all weights count, some are above 0, and they add up to what a table may hold (a host step)."""
    xp = backend_of(weights).xp
    return not bool(to_host(xp.any(xp.stack([broken > 0, out_of_range(weights), xp.all(weights == 0)]))))


def _table_without(samples: Samples, cells: DenseCells | ListedCells, rows: range, columns: range) -> Contingency:
    """The table of counted cells, without the rows and columns of the labels to ignore (a host step)."""
    table = _without_rows_and_columns(samples, cells, rows, columns)
    if samples.are_all:
        check_samples_left(samples, bool(to_host(table.total) != 0))
    return table


def _without_rows_and_columns(
    samples: Samples, cells: DenseCells | ListedCells, rows: range, columns: range
) -> Contingency:
    keep = kept_labels(samples, rows, columns)
    xp = backend_of(cells.counts).xp
    if isinstance(cells, ListedCells):
        keep_row, keep_column = (backend_of(cells.counts).from_host(x, cells.counts) for x in keep)
        filled = xp.take(keep_row, cells.class_of) & xp.take(keep_column, cells.cluster_of)
        counts, class_of, cluster_of = (x[filled] for x in (cells.counts, cells.class_of, cells.cluster_of))
        return with_margins(ListedCells(counts, class_of, cluster_of, cells.shape), rows, columns, fixed=False)
    row_places, column_places = (backend_of(cells.counts).from_host(np.flatnonzero(x), cells.counts) for x in keep)
    counts = xp.take(xp.take(cells.counts, row_places, axis=-2), column_places, axis=-1)
    classes, clusters = labels_at(rows, row_places), labels_at(columns, column_places)
    return with_margins(DenseCells(counts), classes, clusters, fixed=False)


def _self_pairs_of_kernel(
    samples: Samples, counts: Array, rows: range, columns: range, weights: Array | None
) -> Array | None:
    """The self-pairs of samples that a kernel has counted, where weights are finite and not negative."""
    if weights is None or backend_of(weights).kind(weights) == "integer":
        return None
    xp, wide = backend_of(weights).xp, backend_of(weights).widest(weights).int
    row, column = (
        xp.astype(backend_of(x.data).comparable(x.data), wide) - side.start
        for x, side in ((samples.true, rows), (samples.pred, columns))
    )
    inside = (row >= 0) & (row < len(rows)) & (column >= 0) & (column < len(columns))
    cell = xp.where(inside, row * len(columns) + column, 0)

    def added_up(values: Array) -> Array:
        summed = _cuda.dense(samples.true.data, samples.pred.data, rows, columns, values)
        assert summed is not None  # as it was for the weights
        return xp.reshape(summed[0], (-1,))

    counted = xp.where(inside, weights, xp.zeros_like(weights))
    return _self_pairs.of_weights(counted, cell, xp.reshape(counts, (-1,)), added_up)


def _fixed_table(samples: Samples, n_classes: int, n_clusters: int) -> Contingency:
    if not samples.ignore:
        rows, columns, weights = range(n_classes), range(n_clusters), samples.weights
        found = _cuda.dense(samples.true.data, samples.pred.data, rows, columns, weights)
        if found is not None:
            counts, broken = found
            if weights is not None:
                xp = backend_of(weights).xp
                weights = xp.where(is_weight(weights), weights, xp.zeros_like(weights))
                broken = broken + xp.astype(out_of_range(weights), broken.dtype)
            self_pairs = _self_pairs_of_kernel(samples, counts, rows, columns, weights)
            cells = DenseCells(counts)
            return with_margins(cells, rows, columns, fixed=True, invalid=broken, self_pairs=self_pairs)
    check_dense(n_classes, n_clusters)
    cell, weights, invalid = fixed_bins(samples, n_classes, n_clusters)
    size = n_classes * n_clusters
    engine = backend_of(cell)
    flat = engine.count(cell, size + 1) if weights is None else engine.total(weights, cell, size + 1)
    self_pairs = _self_pairs.of_weights(weights, cell, flat, lambda values: engine.total(values, cell, size + 1))
    counts = backend_of(cell).xp.reshape(flat[:size], (n_classes, n_clusters))
    return with_margins(
        DenseCells(counts), range(n_classes), range(n_clusters), fixed=True, invalid=invalid, self_pairs=self_pairs
    )


def table_of_codes(
    true: Codes, pred: Codes, weights: Array | None = None, layout: Layout | None = None, *, fixed: bool = False
) -> Contingency:
    """Count samples that have been encoded."""
    n_samples = true.codes.shape[0]
    dense = _cells.dense_is_better(true.size, pred.size, n_samples) if layout is None else layout == "dense"
    cells: DenseCells | ListedCells
    if dense:
        cells, self_pairs = _cells.dense_cells(true, pred, weights)
    else:
        if weights is not None:  # a sample that weighs nothing fills no cell
            keep = weights > 0
            true, pred = (replace(x, codes=x.codes[keep]) for x in (true, pred))
            weights = weights[keep]
        cells, self_pairs = _cells.listed_cells(true, pred, weights)
    table = with_margins(cells, true.values, pred.values, fixed=fixed, self_pairs=self_pairs)
    return table if fixed or (dense and not backend_of(true.codes).on_host) else table.compact()


def table_of_cells(counts: Array, class_of: Array, cluster_of: Array, shape: tuple[int, int]) -> Contingency:
    """The table of given size of its non-empty cells, sorted by class and then by cluster."""
    cells, self_pairs = ListedCells(counts, class_of, cluster_of, shape), _self_pairs.of_counts(counts)
    return with_margins(cells, range(shape[0]), range(shape[1]), fixed=True, self_pairs=self_pairs)


def table_of_triples(classes: Array, clusters: Array, counts: Array) -> Contingency:
    """The table of (label of the class, label of the cluster, count); equal pairs of labels add up (a host step)."""
    return table_of_codes(codes_of(classes), codes_of(clusters), counts).compact()


def with_given(table: Contingency, n_samples: int) -> Contingency:
    """The table, and how many samples there were before some were left out: nothing leaves the device."""
    wide = backend_of(table.counts).widest(table.counts).int
    n_samples = min(n_samples, int(table.xp.iinfo(wide).max))
    return replace(table, given=table.xp.full_like(table.total, n_samples, dtype=wide))


def invalid_if_none_left(table: Contingency) -> Contingency:
    """The table as scores read it: invalid if there were samples and none is left; nothing leaves the device."""
    if table.given is None:
        return table
    none_left = table.given * table.xp.astype(table.total == 0, table.given.dtype)
    if table.xp is np:
        return replace(table, given=None, invalid=none_left if none_left.any() else table.invalid)
    return replace(table, given=None, invalid=none_left if table.invalid is None else table.invalid + none_left)


def laid_out(table: Contingency, samples: int) -> Contingency:
    """The table in the layout of one call with so many samples, so that scores are the same to the last digit."""
    sizes = [
        _labels.size_of_codes(values, size, samples)
        for values, size in zip((table.classes, table.clusters), table._shape, strict=True)
    ]
    return table.dense() if _cells.dense_is_better(sizes[0], sizes[1], samples) else table.listed()


def _self_pairs_of_sum(a: Contingency, b: Contingency, added: Contingency) -> Array | None:
    """The self-pairs of two tables; of those added as triples, the pairs between the triples are between the tables."""
    if added.is_integer:
        return None
    numbers = [
        _self_pairs.of_integers(x.counts, x._cell_axes) if x.self_pairs is None else x.self_pairs for x in (a, b)
    ]
    if added.self_pairs is None:
        ours, theirs = (x.real(x.to_array()) for x in (a, b))
        between = _self_pairs.between(ours, theirs, (-2, -1))
    else:
        between = added.self_pairs[..., 4]
    return _self_pairs.put_together(numbers[0] + numbers[1], between)


def invalid_of_sum(table: Contingency, *known: Array | None) -> Array | None:
    """How many samples of a table that was added up could not be counted, and whether the sum is too large to be."""
    too_large = out_of_range(table.total[..., None], -1)
    if table.xp is np:
        if too_large.any():
            raise ValueError(f"tables must add up to {required(table.counts)}, got {table.total.max()}")
        return None
    return sum(
        (x for x in known if x is not None),
        table.xp.astype(too_large, backend_of(table.counts).widest(table.counts).int),
    )


def table_of_codes_and_spares(true: Codes, pred: Codes) -> Contingency:
    """Count samples that have been encoded, except those whose code is ``size`` on either side."""
    rows, columns = (replace(x, size=x.size + 1) for x in (true, pred))
    cells, _ = _cells.dense_cells(rows, columns, None)
    table = with_margins(DenseCells(cells.counts[:-1, :-1]), true.values, pred.values, fixed=False)
    return table.compact() if backend_of(true.codes).on_host else table


def _table_of_sparse(counts: Any) -> Contingency:
    if counts.ndim != 2:
        raise ValueError(f"counts must have two dimensions, got shape {counts.shape}")
    coo = counts.tocoo()  # its duplicates are added up below, in the widest type
    weights, _ = checked_counts(coo.data, "counts")
    rows, columns = (np.asarray(x, dtype=np.int64) for x in (coo.row, coo.col))
    codes = (
        Codes(rows, counts.shape[0], range(counts.shape[0])),
        Codes(columns, counts.shape[1], range(counts.shape[1])),
    )
    table = table_of_codes(*codes, weights, "cells", fixed=True)
    return replace(table, self_pairs=_self_pairs.of_counts(table.counts))


def with_margins(
    cells: DenseCells | ListedCells,
    classes: range | Array,
    clusters: range | Array,
    *,
    fixed: bool,
    invalid: Array | None = None,
    self_pairs: Array | None = None,
) -> Contingency:
    """The table of cells, with the sums of its rows and columns."""
    margins = _cuda.margins(cells.counts) if isinstance(cells, DenseCells) else None
    if margins is not None:
        return Contingency(cells, *margins, classes, clusters, fixed, invalid, self_pairs)
    class_sizes = cells.sum_by_class(cells.counts)
    cluster_sizes = cells.sum_by_cluster(cells.counts)
    total = backend_of(class_sizes).sum(class_sizes, -1)
    if (
        backend_of(total).kind(total) == "real"
    ):  # sums of one group alone are to be the total to the last digit, or 0/0 is no 0
        xp = backend_of(total).xp
        for sizes in (class_sizes, cluster_sizes):
            occur = sizes != 0
            # Masked: of a sum of sums XLA would make one sum of all cells, which rounds in another order.
            alone = backend_of(xp.where(occur, sizes, xp.zeros_like(sizes))).sum(
                xp.where(occur, sizes, xp.zeros_like(sizes)), -1
            )
            total = xp.where(backend_of(occur).count_true(occur, -1) == 1, alone, total)
    return Contingency(cells, class_sizes, cluster_sizes, total, classes, clusters, fixed, invalid, self_pairs)


def _compacted(table: Contingency, *occur: np.ndarray[Any, Any]) -> Contingency:
    xp, cells = table.xp, table.cells
    kept: DenseCells | ListedCells
    row_places, column_places = (backend_of(table.counts).from_host(np.flatnonzero(x), table.counts) for x in occur)
    if isinstance(cells, DenseCells):
        kept = DenseCells(xp.take(xp.take(cells.counts, row_places, axis=-2), column_places, axis=-1))
    else:
        new_row, new_column = (backend_of(table.counts).from_host(np.cumsum(x) - 1, table.counts) for x in occur)
        kept = ListedCells(
            cells.counts,
            xp.take(new_row, cells.class_of),
            xp.take(new_column, cells.cluster_of),
            (row_places.shape[0], column_places.shape[0]),
        )
    return replace(
        table,
        cells=kept,
        class_sizes=xp.take(table.class_sizes, row_places),
        cluster_sizes=xp.take(table.cluster_sizes, column_places),
        classes=labels_at(table.classes, row_places),
        clusters=labels_at(table.clusters, column_places),
    )


def mapped(table: Contingency, function: Callable[[Array], Array]) -> Contingency:
    """The table with each of its arrays as ``function`` gives it."""

    def maybe(x: Any) -> Any:
        return x if x is None or isinstance(x, range) else function(x)

    cells = table.cells
    new: DenseCells | ListedCells
    if isinstance(cells, DenseCells):
        new = DenseCells(function(cells.counts))
    else:
        new = ListedCells(function(cells.counts), function(cells.class_of), function(cells.cluster_of), cells.shape)
    return Contingency(
        new,
        function(table.class_sizes),
        function(table.cluster_sizes),
        function(table.total),
        maybe(table.classes),
        maybe(table.clusters),
        table.fixed,
        maybe(table.invalid),
        maybe(table.self_pairs),
        maybe(table.given),
    )


def unshared(table: Contingency) -> Contingency:
    """The table, in memory of its own where it could be written into."""
    return mapped(table, _given_out)


def labels_at(values: range | Array, places: Array) -> Array:
    """The labels of the rows (or columns) at ``places``."""
    if isinstance(values, range):
        return _shifted(places, values)
    if backend_of(values).on_host and not backend_of(places).on_host:
        return values[to_host(places)]
    return backend_of(values).xp.take(values, places)


def _shifted(places: Array, labels: range) -> Array:
    """``places + labels.start``, unsigned where their own type does not hold the labels."""
    xp = backend_of(places).xp
    if not labels or labels[-1] <= xp.iinfo(places.dtype).max:
        return places + labels.start
    return xp.astype(places, xp.uint32) + backend_of(places).from_host(
        np.uint32(labels.start), places
    )  # those of 64 bits are no range


def _counts_together(a: Contingency, n: Array, b: Contingency, m: Array) -> Array:
    both = [n, m] if a.is_integer == b.is_integer else [a.real(n), b.real(m)]
    return a.xp.concat(both)


def _protect(owner: Contingency | DenseCells | ListedCells, *names: str) -> None:
    """Put views that cannot be written into in the place of NumPy's arrays."""
    for name in names:
        x = getattr(owner, name)
        if type(x) is np.ndarray and x.flags.writeable:
            view = x.view()
            view.setflags(write=False)
            object.__setattr__(owner, name, view)


def _given_out(x: Array) -> Array:
    """An array of a table, or a copy of it where it could be written into."""
    return backend_of(x).given_out(x)
