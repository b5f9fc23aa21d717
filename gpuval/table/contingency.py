"""The contingency table as users see it: what every external measure reads."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from gpuval.engines import Layout
from gpuval.engines.backends import backend_of, is_dask, library_of, to_host, trees
from gpuval.engines.cells import DenseCells, ListedCells
from gpuval.inputs.labels import Labels
from gpuval.inputs.limits import check_size
from gpuval.inputs.matrices.counts import check_like, read_memberships
from gpuval.inputs.options import loaded
from gpuval.numerics import Array
from gpuval.table import building
from gpuval.table.addition import added
from gpuval.table.labels import frame_of_counts, labels_at
from gpuval.table.reading import from_labels
from gpuval.table.table import Table

__all__ = ["Contingency"]

_FOR_FORMULAS = {
    *("backend", "cached", "cell_axes", "engine", "for_tree", "from_table", "host_view", "mapped"),
    *("may_sync", "occurring", "of", "results", "shape", "side"),
    *("with_given", "with_none_left_invalid", "with_results"),
}
"""What tables have for formulas and engines."""

_MOST_ROWS, _MOST_COLUMNS = 12, 40
"""The most classes and clusters whose counts a table shows."""


class Contingency(Table):
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
    counts
        The number in each cell, in the layout of ``cells``.
    xp
        The array namespace of the table.

    Examples
    --------
    >>> import gpuval
    >>> table = gpuval.Contingency.from_labels(["a", "a", "b", "c"], [0, 0, 1, 1])
    >>> table
    Contingency(3 classes x 2 clusters, dense, numpy)
       0  1
    a  2  0
    b  0  1
    c  0  1
    >>> table.to_array()
    array([[2, 0],
           [0, 1],
           [0, 1]])
    >>> float(gpuval.v_measure_score(table))
    0.8
    """

    def __dir__(self) -> list[str]:
        """The names for users: those above, and methods that make, change or show a table."""
        return [name for name in super().__dir__() if name not in _FOR_FORMULAS]

    # Building

    @classmethod
    def from_table(cls, table: Table) -> Contingency:
        """A table as users see it: the same arrays, and what is cached of it."""
        if isinstance(table, cls):
            return table
        trees.register(cls, DenseCells, ListedCells)
        contingency = object.__new__(cls)
        contingency.__dict__.update(table.__dict__)
        return contingency

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
            Series or lists of delayed partitions. Any values. Booleans are the labels 0 and 1, unless they are
            categories.
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
        table = from_labels(labels_true, labels_pred, sample_weight, ignore_labels, n_classes, n_clusters, layout)
        return Contingency.from_table(table)

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
        scipy_sparse = loaded("scipy.sparse")
        is_sparse = scipy_sparse is not None and scipy_sparse.issparse(counts)
        return Contingency.from_table(building.from_sparse(counts) if is_sparse else building.from_counts(counts))

    @staticmethod
    def from_cells(counts: Array, class_of: Array, cluster_of: Array, shape: tuple[int, int]) -> Contingency:
        """Take copies of the non-empty cells of a table of given size, sorted by class and then by cluster."""
        counts, class_of, cluster_of = (backend_of(x).copied(x) for x in (counts, class_of, cluster_of))
        return Contingency.from_table(building.from_cells(counts, class_of, cluster_of, shape))

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
        table = Contingency.from_table(building.from_memberships(u, v, weights))
        if weights is None or not u.shape[0]:
            return table
        is_lost = table.total == 0
        if table.invalid is not None:
            return replace(table, invalid=table.invalid + table.xp.astype(is_lost, table.invalid.dtype))
        if is_lost:
            raise ValueError(f"sample_weight must be above 0 for at least one sample, got none of {u.shape[0]}")
        return table

    @staticmethod
    def empty(n_classes: int, n_clusters: int, *, like: Any = None, real_weights: bool = False) -> Contingency:
        """The table of given size of no samples: what a loop begins with.

        Parameters
        ----------
        n_classes, n_clusters
            The size of the table.
        like
            An array of the library, and on the device, that the table is to be of; by default NumPy's.
        real_weights
            Whether samples with weights that may be fractions are to be added: then the table is one of floats.

        Returns
        -------
        Contingency
            The table.

        Raises
        ------
        TypeError, ValueError
            For sizes that are not positive integers, or what is no array.

        Examples
        --------
        >>> import gpuval
        >>> table = gpuval.Contingency.empty(2, 2)
        >>> table += gpuval.Contingency.from_labels([0, 0, 1], [1, 1, 0], n_classes=2, n_clusters=2)
        >>> table.to_array()
        array([[0, 2],
               [1, 0]])
        """
        size = check_size(n_classes, "n_classes"), check_size(n_clusters, "n_clusters")
        like = check_like(np.zeros(0) if like is None else like)
        return Contingency.from_table(building.of_no_samples(size, like, is_real=real_weights))

    # Adding

    def __radd__(self, other: Any) -> Contingency:
        """Add to 0, as ``sum`` begins."""
        return self if isinstance(other, int) and other == 0 else NotImplemented

    def __add__(self, other: Contingency) -> Contingency:
        """Add the table of other samples; classes and clusters are matched by their labels."""
        return Contingency.from_table(added(self, other)) if isinstance(other, Contingency) else NotImplemented

    # Converting

    def to_pandas(self) -> Any:
        """The counts as a pandas DataFrame with the labels as index and columns (copies to the host).

        Without classes and clusters that do not occur, unless the size of the table was given.
        """
        table = self.occurring().dense() if len(self.shape) == 2 else self
        return frame_of_counts(table.counts, table.classes, table.clusters, "to_pandas()")

    def __repr__(self) -> str:
        if self.backend is None:  # made of something else than arrays, as trees may be
            return f"Contingency({self.cells!r})"
        *batch, n_rows, n_columns = self.shape
        layout = "dense" if isinstance(self.cells, DenseCells) else f"{self.counts.shape[0]} cells"
        batches = f", batch of {tuple(batch)}" if batch else ""
        line = f"Contingency({n_rows} classes x {n_columns} clusters, {layout}, {library_of(self.counts)}{batches})"
        if batch or not (n_rows and n_columns and self.backend.is_known(self.counts)) or is_dask(self.counts):
            return line
        try:
            return f"{line}\n{self._corner()}"
        except Exception:  # of arrays whose values cannot be had here, such as those of another process
            return line

    def _corner(self) -> str:
        """The counts of the first classes and clusters by their labels, without those that do not occur."""
        from gpuval.display.label_tables import matrix_of_labels  # only now: a score shows nothing

        rows, columns = (
            np.arange(len(sizes)) if self.fixed else np.flatnonzero(sizes)
            for sizes in (to_host(self.class_sizes), to_host(self.cluster_sizes))
        )
        shape = len(rows), len(columns)
        rows, columns = rows[:_MOST_ROWS], columns[:_MOST_COLUMNS]
        classes, clusters = (
            [labels[x] for x in places.tolist()]
            if isinstance(labels, range)
            else list(to_host(labels_at(labels, self.backend.from_host(places, self.counts))))
            for labels, places in ((self.classes, rows), (self.clusters, columns))
        )
        return matrix_of_labels(classes, clusters, self.cells.corner(rows, columns).tolist(), shape)
