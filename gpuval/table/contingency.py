"""The contingency table as users see it: every external measure is computed from one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from gpuval.engines import Layout
from gpuval.engines.backends import backend_of, is_dask, library_of, to_host
from gpuval.engines.backends.pytrees import as_tree
from gpuval.engines.cells import DenseCells
from gpuval.inputs.counts import check_like, read_memberships
from gpuval.inputs.labels import Labels
from gpuval.inputs.options import check_size, library_if_loaded
from gpuval.numerics import Array
from gpuval.table import building
from gpuval.table.labels import frame_of_counts, labels_at
from gpuval.table.reading import from_labels
from gpuval.table.table import Table

__all__ = ["Contingency"]

_FOR_FORMULAS = {
    *("backend", "cached", "cell_axes", "engine", "for_tree", "from_table", "host_view", "mapped"),
    *("may_sync", "occurring", "of", "results", "scales", "shape", "side"),
    *("with_given", "with_none_left_invalid", "with_results"),
}
"""What tables have for formulas and engines."""

_MOST_ROWS, _MOST_COLUMNS = 12, 40
"""The most classes and clusters whose counts a table shows."""


@as_tree
class Contingency(Table):
    """Contingency table: how many samples (or how much weight) each class shares with each cluster.

    The rows are the classes, which are the labels of ``labels_true``. The columns are the clusters, which are the
    labels of ``labels_pred``. Build a table once, with :meth:`from_labels`, :meth:`from_counts` or
    :meth:`from_memberships`, and give it to any number of measures in place of the labels. Tables can be added:
    ``a + b`` is the table of the samples of both. JAX and PyTorch see a table as a tree (pytree) of its arrays. So a
    table can be an argument, a result or a loop carry of a compiled function, and ``jax.lax.psum`` adds it up.

    A table does not change. It keeps no array that you gave to it, and its NumPy arrays are read-only. PyTorch and CuPy
    have no read-only arrays, so for these :meth:`to_array` and :meth:`triples` return copies. The attributes are the
    arrays that the table computes with: do not write into them.

    Attributes
    ----------
    cells
        The cells, in one of two layouts. The dense layout has all cells, shape (..., n_classes, n_clusters), where
        leading dimensions are a batch of tables. The listed layout has the non-empty cells only.
    class_sizes, cluster_sizes
        The sums of the rows, shape (..., n_classes), and of the columns, shape (..., n_clusters).
    total
        The sum of all cells, shape (...).
    classes, clusters
        The label of each row and of each column.
    fixed
        Whether the caller gave the size of the table, so that rows and columns without samples are kept.
    invalid
        None, or the number of samples that could not be counted, on the device, shape (...). Scores of a table with
        such samples are NaN.
    self_pairs
        None for a table of integers. Else numbers that scores of pairs need and that the sizes do not tell, shape
        ``(..., 6)``. The first four are weights of the pairs of each sample with itself, which scores of pairs leave
        out: of those together in both partitions, in the true one only, in the predicted one only, and in neither. The
        fifth is the weight of the pairs of two samples of one cell. The sixth is 1, or the number of tables in a sum
        that was not made by ``+``.
    given
        None if it is not known, or the number of samples before labels to ignore and weights left some out, shape
        (...). If it is above 0 and ``total`` is 0, scores are NaN.
    counts
        The number in each cell, in the layout of ``cells``.
    xp
        The array namespace of the table, such as ``numpy`` or ``torch``.

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
        """The same table as a :class:`Contingency`: it shares the arrays, and what is cached."""
        if isinstance(table, cls):
            return table
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
            The reference labels (classes) and the predicted labels (clusters): two vectors, shape (n_samples,), of one
            library and on one device. They may be lists, NumPy arrays of integers, booleans, strings or objects, pandas
            or polars Series, arrays of PyTorch, JAX or CuPy, or Dask arrays, Dask Series or lists of delayed
            partitions. The labels may have any values. Booleans are the labels 0 and 1, unless they are categories.
        sample_weight
            The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that
            many samples. Of floating-point weights, only the proportions matter to normalised scores, and the weight of
            a pair of samples is the product of their weights.
        ignore_labels
            One label or several, of types that one of the vectors could hold. Samples with such a label on either side
            do not count: a reference that calls noise 0 then loses the found cluster 0, too. A mapping names the side:
            ``{"true": 0}`` keeps that cluster, and ``{"true": [0, None], "pred": -1}`` ignores other labels on each
            side. Numbers of any type are compared by value. None among several stands for all missing labels.
        n_classes, n_clusters
            The numbers of classes and of clusters, if the labels are integers from 0 to one below these numbers. With
            both, no data are copied from the device, and the shape of the table does not depend on the values of the
            labels. This is what jax.jit, torch.compile and CUDA graphs need.
        layout
            ``"dense"`` stores all cells, ``"cells"`` only the non-empty ones. The default is the layout that is
            smaller.

        Returns
        -------
        Contingency
            The table, in the library and on the device of the labels.

        Raises
        ------
        TypeError, ValueError
            The labels have a wrong type, shape or length, are of two libraries, devices or indexes, are fractional or
            missing, or are outside [0, n_classes) or [0, n_clusters); weights are negative; labels to ignore are of a
            type that the labels cannot have; or labels to ignore and weights leave no sample. On a device, if both
            sizes are given, the values are not looked at. Then samples that cannot be counted are counted in
            ``invalid``, and scores are NaN. Scores are NaN there, too, if no sample is left.
        """
        table = from_labels(labels_true, labels_pred, sample_weight, ignore_labels, n_classes, n_clusters, layout)
        return Contingency.from_table(table)

    @staticmethod
    def from_counts(counts: Any) -> Contingency:
        """Make a table of counts that you have already.

        Parameters
        ----------
        counts
            The counts, with classes in rows and clusters in columns: an array of any supported library, shape (...,
            n_classes, n_clusters), nested lists, a pandas crosstab, or a SciPy sparse matrix or array. A crosstab keeps
            its labels. Its margins (the row and column of sums) are an error, or a warning if their name could be that
            of a class. Whole numbers count samples; fractions are shares of any number of samples.

        Returns
        -------
        Contingency
            The table, in the library and on the device of the counts.

        Raises
        ------
        TypeError, ValueError
            The counts are not numbers, have fewer than two dimensions, are negative or not finite, or have a sum
            outside the limits. The sum of integers must be below 2^39 (2^30 where the device has no 64-bit numbers).
            The sum of floats must be from 2^-200 to 2^200 (2^-20 to 2^30 there), or 0. On a device the values are not
            looked at. Then cells that are wrong are counted in ``invalid``, and scores are NaN.
        """
        scipy_sparse = library_if_loaded("scipy.sparse")
        is_sparse = scipy_sparse is not None and scipy_sparse.issparse(counts)
        return Contingency.from_table(building.from_sparse(counts) if is_sparse else building.from_counts(counts))

    @staticmethod
    def from_cells(counts: Array, class_of: Array, cluster_of: Array, shape: tuple[int, int]) -> Contingency:
        """Make a table of given size from copies of its non-empty cells, sorted by class and then by cluster."""
        counts, class_of, cluster_of = (backend_of(x).copied(x) for x in (counts, class_of, cluster_of))
        return Contingency.from_table(building.from_cells(counts, class_of, cluster_of, shape))

    @staticmethod
    def from_memberships(memberships_true: Array, memberships_pred: Array, *, sample_weight: Any = None) -> Contingency:
        """Build the table of two soft (fuzzy) clusterings: ``memberships_true.T @ memberships_pred``.

        In PyTorch and JAX the table is differentiable. So are its scores, except those of set matching, which are
        computed in a host step (on the CPU): these have no gradient. Scores of pairs use the expected number of pairs,
        if each sample draws its class and its cluster at random from its memberships.

        Parameters
        ----------
        memberships_true
            How much each sample belongs to each class, shape (n_samples, n_classes), not negative. Rows usually sum to
            1.
        memberships_pred
            How much each sample belongs to each cluster, shape (n_samples, n_clusters), of the same library and on the
            same device.
        sample_weight
            The weight of each sample, shape (n_samples,), not negative.

        Returns
        -------
        Contingency
            A dense table of floats.

        Raises
        ------
        TypeError, ValueError
            As for :meth:`from_labels` and :meth:`from_counts`, and if no weight is above 0.
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
        """A table of given size without samples: the start value of a loop that adds tables.

        Parameters
        ----------
        n_classes, n_clusters
            The numbers of classes and of clusters.
        like
            An array of the library and on the device that the table should have; the default is NumPy.
        real_weights
            Whether samples with fractional weights will be added. Then the table is one of floats.

        Returns
        -------
        Contingency
            The table.

        Raises
        ------
        TypeError, ValueError
            The sizes are not positive integers, or ``like`` is not an array.

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
        return Contingency.from_table(building.empty_table(size, like, is_real=real_weights))

    # Adding

    def __radd__(self, other: Any) -> Contingency:
        """Add to 0, which is the start value of ``sum``."""
        return self if isinstance(other, int) and other == 0 else NotImplemented

    def __add__(self, other: Contingency) -> Contingency:
        """Add a table of other samples; rows and columns with the same label are added."""
        from gpuval.table.addition import add_tables  # only now: few tables are added

        return Contingency.from_table(add_tables(self, other)) if isinstance(other, Contingency) else NotImplemented

    # Converting

    def to_pandas(self) -> Any:
        """The counts as a pandas DataFrame, with the classes as index and the clusters as columns (copies to the host).

        Classes and clusters that do not occur are left out, unless the size of the table was given.
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
        from gpuval.display.tables import matrix_of_labels  # only now: a score shows nothing

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
