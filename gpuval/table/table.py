"""The table itself: its cells, the sums of its rows and columns, and its two layouts, without label vectors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import numpy as np

from gpuval.engines import Engine, engine_of
from gpuval.engines.backends import NUMPY, Backend, backend_if_array, backend_of, to_host
from gpuval.engines.backends.pytrees import as_tree
from gpuval.engines.cells import DenseCells, SparseCells, may_be_dense
from gpuval.inputs.codes import Scale
from gpuval.inputs.options import check_dense
from gpuval.numerics import Array
from gpuval.table.labels import labels_at
from gpuval.table.self_pairs import transpose_self_pairs

Side = Literal["true", "pred"]
_ARRAYS = ("class_sizes", "cluster_sizes", "total", "classes", "clusters", "invalid", "self_pairs", "given")
"""The fields of a table that may be arrays."""

_OF_NUMPY = engine_of(np.empty(0))
"""The engine of all tables of NumPy."""

AnyTable = TypeVar("AnyTable", bound="Table")
Result = TypeVar("Result")


@as_tree
@dataclass(frozen=True, eq=False, repr=False)
class Table:
    """How many samples, or how much weight, each class shares with each cluster.

    :class:`gpuval.Contingency` is the table that users see; its docstring describes the fields.
    """

    cells: DenseCells | SparseCells
    class_sizes: Array
    cluster_sizes: Array
    total: Array
    classes: range | Array
    clusters: range | Array
    fixed: bool = False
    invalid: Array | None = None
    self_pairs: Array | None = None
    given: Array | None = None
    scales: tuple[Scale, Scale] = (None, None)
    """The declared orders of the classes and of the clusters, which only formulas read."""

    if TYPE_CHECKING:  # what follows from the fields is set once, as formulas ask for it many times

        @property
        def counts(self) -> Array:
            """The number in each cell, in the layout of ``cells``."""

        @property
        def backend(self) -> Backend:
            """The backend of the library of the table."""

        @property
        def xp(self) -> Any:
            """The array namespace of the table."""

        @property
        def results(self) -> dict[Any, Any] | None:
            """What statistics have found of the table; None where that is not cached."""

    def __post_init__(self) -> None:
        cells = self.cells
        if type(cells.counts) is np.ndarray:
            _protect(self, _ARRAYS)
            _protect(cells, cells.arrays)
            vars(self).update(counts=cells.counts, backend=NUMPY, xp=NUMPY.xp, results={})
            return
        backend = backend_if_array(cells.counts)  # JAX makes tables of placeholders, too
        object.__setattr__(self, "counts", cells.counts)
        object.__setattr__(self, "backend", backend)
        object.__setattr__(self, "xp", None if backend is None else backend.xp)
        object.__setattr__(self, "results", {} if backend is not None and backend.on_host else None)

    @classmethod
    def of(
        cls: type[AnyTable],
        cells: DenseCells | SparseCells,
        classes: range | Array,
        clusters: range | Array,
        *,
        fixed: bool,
        invalid: Array | None = None,
        self_pairs: Array | None = None,
        scales: tuple[Scale, Scale] = (None, None),
    ) -> AnyTable:
        """The table of given cells; the sums of its rows and columns are computed."""
        margins = engine_of(cells.counts).margins(cells)
        return cls(cells, *margins, classes, clusters, fixed, invalid, self_pairs, scales=scales)

    # Where it lies, and what may be asked of it

    @property
    def engine(self) -> Engine:
        """The engine of the table; of arrays of other libraries it depends on the moment, such as while one traces."""
        return _OF_NUMPY if self.backend is NUMPY else engine_of(self.counts)

    @property
    def is_integer(self) -> bool:
        """Whether the cells are counts (and not sums of real weights or memberships)."""
        return self.backend.kind(self.counts) == "integer"

    @property
    def may_sync(self) -> bool:
        """Whether formulas may wait for the device: if the size was not given, building the table did so already."""
        return isinstance(self.cells, SparseCells) or not self.fixed

    # Reading: what formulas use

    @property
    def n_classes(self) -> Array:
        """How many classes occur."""
        return self.backend.count_true(self.class_sizes != 0, -1)

    @property
    def n_clusters(self) -> Array:
        """How many clusters occur."""
        return self.backend.count_true(self.cluster_sizes != 0, -1)

    def real(self, x: Array) -> Array:
        """A copy of ``x`` in the widest floating-point type of the device; scores may be such copies."""
        backend = self.backend
        return x.astype(np.float64) if backend.on_host else backend.as_real(x, self.counts, copy=True)

    def side(self, of: Side) -> Partition:
        """One side of the table: the sizes of the classes or of the clusters."""
        return Partition(self.class_sizes if of == "true" else self.cluster_sizes, self.total)

    def cached(self, key: Any, function: Callable[..., Result]) -> Result:
        """What ``function`` computes from the table on the host, once; while torch.compile traces, each time."""
        if self.backend.is_compiling():
            return function(self)
        results: dict[Any, Any] = self.__dict__.setdefault("_on_host", {})
        if key not in results:
            results[key] = function(self)
        return results[key]  # type: ignore[no-any-return]

    def with_results(self: AnyTable) -> AnyTable:
        """The same table as a new object that caches all statistics, for one score or one evaluation."""
        on_host = self.__dict__.setdefault("_on_host", {})
        table = replace(self)
        table.__dict__.update(results={}, _on_host=on_host)
        return table

    # Layouts

    def transposed(self: AnyTable) -> AnyTable:
        """The table with the roles of classes and clusters exchanged."""
        return replace(
            self,
            cells=self.cells.transposed(),
            class_sizes=self.cluster_sizes,
            cluster_sizes=self.class_sizes,
            classes=self.clusters,
            clusters=self.classes,
            self_pairs=transpose_self_pairs(self.self_pairs),
            scales=(self.scales[1], self.scales[0]),
        )

    def listed(self: AnyTable) -> AnyTable:
        """The same table with its non-empty cells only, in the listed layout."""
        if isinstance(self.cells, SparseCells):
            return self
        if self.backend.is_traced(self.counts):
            raise TypeError("a table cannot list its cells inside jax.jit or jax.vmap: their number is not known yet")
        if len(self.shape) != 2:
            raise ValueError(f"a single table is needed to list its cells, got a batch of shape {self.shape[:-2]}")
        class_of, cluster_of = self.xp.nonzero(self.counts)
        filled = self.counts[self.counts != 0]
        return replace(self, cells=SparseCells(filled, class_of, cluster_of, tuple(self.counts.shape)))

    def dense(self: AnyTable) -> AnyTable:
        """The same table with all its cells, in the dense layout."""
        if isinstance(self.cells, DenseCells):
            return self
        n_rows, n_columns = self.cells.shape
        check_dense(n_rows, n_columns)
        flat = self.cells.class_of * n_columns + self.cells.cluster_of
        filled = self.backend.total(self.counts, flat, n_rows * n_columns)
        return replace(self, cells=DenseCells(self.xp.reshape(filled, (n_rows, n_columns))))

    def compact(self: AnyTable) -> AnyTable:
        """The same table without classes and clusters that do not occur (a host step on a device: one transfer)."""
        shape = self.cells.shape
        if len(shape) != 2:
            raise ValueError(
                f"a single table is needed to leave out empty rows and columns, got a batch of shape {shape[:-2]}"
            )
        if self.backend.on_host:
            if all_occur(self.class_sizes) and all_occur(self.cluster_sizes):
                return self
            return _select_groups(self, self.class_sizes != 0, self.cluster_sizes != 0)
        occur = to_host(self.xp.concat([self.class_sizes, self.cluster_sizes])) != 0
        if occur.all():
            return self
        return _select_groups(self, *np.split(occur, [self.class_sizes.shape[0]]))

    def triples(self) -> tuple[Array, Array, Array]:
        """The non-empty cells as three vectors: the label of the class, the label of the cluster, and the count."""
        listed = self.listed().cells
        assert isinstance(listed, SparseCells)
        return (
            labels_at(self.classes, listed.class_of),
            labels_at(self.clusters, listed.cluster_of),
            self.backend.user_array(listed.counts) if listed is self.cells else listed.counts,
        )

    def occurring(self: AnyTable) -> AnyTable:
        """The same table without classes and clusters that do not occur, unless its size was given."""
        return self if self.fixed else self.compact()

    # What is known of the samples

    def check_valid(self, count: int | None = None) -> None:
        """Raise if samples could not be counted: ``count`` of them, or as many as ``invalid`` says (a host step)."""
        if count is None:
            invalid = self.with_none_left_invalid().invalid
            count = 0 if invalid is None else int(to_host(invalid).sum())
        if count:
            raise ValueError(
                f"{count} samples or cells could not be counted: labels outside [0, {self.class_sizes.shape[-1]}) x "
                f"[0, {self.cluster_sizes.shape[-1]}), or values that are negative, not finite, or too large in sum, "
                "or no sample was left to count"
            )

    def to_array(self) -> Array:
        """The counts as a dense array, shape (..., n_classes, n_clusters); read-only in NumPy, else a copy."""
        dense = self.dense()
        return self.backend.user_array(dense.counts) if dense is self else dense.counts

    def with_given(self: AnyTable, n_samples: int) -> AnyTable:
        """The table with the number of samples before some were left out; no data leave the device."""
        xp, wide = self.xp, self.backend.widest(self.counts).int
        n_samples = min(n_samples, int(xp.iinfo(wide).max))
        return replace(self, given=xp.full_like(self.total, n_samples, dtype=wide))

    def with_none_left_invalid(self: AnyTable) -> AnyTable:
        """The table as scores read it: it is invalid if all its samples were left out. No data leave the device."""
        given = self.given
        if given is None:
            return self

        def without_given(table: AnyTable) -> AnyTable:
            xp, invalid = table.xp, table.invalid
            none_left = given * xp.astype(table.total == 0, given.dtype)
            if table.backend.on_host:
                return replace(table, given=None, invalid=none_left if none_left.any() else invalid)
            return replace(table, given=None, invalid=none_left if invalid is None else invalid + none_left)

        key, views = (
            (Table.with_none_left_invalid, type(self)),
            [self.backend.host_view(x) for x in (self.total, given)],
        )
        if self.backend.on_host:
            found: AnyTable = self.cached(key, without_given)
            return found
        total, n_given = views
        if total is None or n_given is None or ((total == 0) & (n_given > 0)).any():
            return without_given(self)
        known: AnyTable = self.cached(key, lambda table: replace(table, given=None))
        return known

    # Elsewhere

    def host_view(self: AnyTable) -> AnyTable | None:
        """The table in NumPy, if it is in the host's memory, has known values, and needs no gradient; else None.

        The statistics of such a view are cached, as they are for a NumPy table.
        """
        backend = self.backend
        if backend.on_host:
            return self
        if backend.host_view(self.counts) is None or not (self.invalid is None or backend.is_known(self.invalid)):
            return None
        if not self.is_integer and not backend.widest(self.counts).is_64bit:
            return None  # its sums are rounded as in 32 bits, and formulas go by the type
        view: AnyTable = self.cached(Table.host_view, _numpy_view)
        return view

    def mapped(
        self: AnyTable, function: Callable[[Array], Array], of_labels: Callable[[Array], Array] | None = None
    ) -> AnyTable:
        """The table with ``function`` applied to each array, and ``of_labels``, if given, to the labels."""

        def maybe(name: str) -> Any:
            x = getattr(self, name)
            if x is None or isinstance(x, range):
                return x
            return of_labels(x) if of_labels and name in ("classes", "clusters") else function(x)

        return replace(self, cells=self.cells.mapped(function), **{name: maybe(name) for name in _ARRAYS})

    def for_tree(self: AnyTable) -> AnyTable:
        """The table in the form in which it becomes a tree: all tables of a given size have the same arrays there.

        So a table that was made outside of ``jax.jit`` can be the carry of a loop inside. Tables of more than 2^25
        cells, and tables whose size follows from their labels, stay as they are.
        """
        if not self.fixed or self.backend is None or not may_be_dense(self.shape):  # None: of JAX's placeholders
            return self
        if isinstance(self.cells, DenseCells) and self.invalid is not None and self.given is not None:
            return self
        is_less = self.total < self.total
        none = self.xp.astype(is_less, self.backend.widest(self.total).int)  # 0, which is no transfer to the device
        invalid, given = (none if x is None else x for x in (self.invalid, self.given))
        return replace(self.dense(), invalid=invalid, given=given)

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of all cells, (..., n_classes, n_clusters), in either layout."""
        return self.cells.shape

    @property
    def cell_axes(self) -> tuple[int, ...] | None:
        """The axes of the array of cells over which the cells of one table extend."""
        return self.cells.axes

    def __getstate__(self) -> dict[str, Any]:
        """The fields only: cached statistics are not pickled."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.__post_init__()


@dataclass(eq=False)  # not frozen, as ``Vector`` of labels
class Partition:
    """The sizes of the groups of one labeling, shape (..., n_groups), and their sum."""

    sizes: Array
    total: Array

    @property
    def xp(self) -> Any:
        """The array namespace of the sizes."""
        return backend_of(self.sizes).xp

    def real(self, x: Array) -> Array:
        """``x`` in the widest floating-point type of the device."""
        return backend_of(self.sizes).as_real(x, self.sizes)


def _numpy_view(table: AnyTable) -> AnyTable:
    view = table.mapped(to_widest)
    # Summed anew: sums of real weights, in another order, might leave a rounding where there is nothing.
    return view.of(
        view.cells,
        view.classes,
        view.clusters,
        fixed=view.fixed,
        invalid=view.invalid,
        self_pairs=view.self_pairs,
        scales=view.scales,
    )


def to_widest(x: Array) -> np.ndarray[Any, Any]:
    """A copy on the host, or a view: numbers in the widest type of their kind."""
    host = to_host(x)
    wide = {"i": np.int64, "f": np.float64}.get(host.dtype.kind)
    return host if wide is None else host.astype(wide, copy=False)


def _select_groups(table: AnyTable, *occur: np.ndarray[Any, Any]) -> AnyTable:
    xp = table.xp
    row_places, column_places = (table.backend.from_host(np.flatnonzero(x), table.counts) for x in occur)
    return replace(
        table,
        cells=table.cells.taken(row_places, column_places),
        class_sizes=xp.take(table.class_sizes, row_places),
        cluster_sizes=xp.take(table.cluster_sizes, column_places),
        classes=labels_at(table.classes, row_places),
        clusters=labels_at(table.clusters, column_places),
    )


def _protect(owner: Table | DenseCells | SparseCells, names: tuple[str, ...]) -> None:
    """Put views that cannot be written into in the place of NumPy's arrays."""
    values = vars(owner)
    for name in names:
        x = values[name]
        if type(x) is np.ndarray and x.flags.writeable:
            values[name] = view = x.view()
            view.flags.writeable = False


def table_of_own_counts(
    cells: DenseCells, sizes: tuple[Array, Array], total: Array, labels: tuple[range, range]
) -> Table:
    """The table of NumPy arrays that nobody else holds: each score makes one, without the steps of ``Table(...)``."""
    for x in (cells.counts, *sizes):
        x.flags.writeable = False
    table = object.__new__(Table)
    vars(table).update(cells=cells, class_sizes=sizes[0], cluster_sizes=sizes[1], total=total)
    vars(table).update(classes=labels[0], clusters=labels[1], counts=cells.counts, backend=NUMPY, xp=NUMPY.xp)
    vars(table)["results"] = {}
    return table


def all_occur(sizes: np.ndarray[Any, Any]) -> bool:
    """Whether all groups occur."""
    return int(np.count_nonzero(sizes)) == len(sizes)
