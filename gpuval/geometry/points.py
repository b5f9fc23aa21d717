"""The input of internal measures: samples, their clusters and weights, checked and on one device.

Clusters have the codes 0 to ``n_clusters - 1``. A sample that does not count (with an ignored label, or a weight of 0)
has the spare code ``n_clusters``. If the number of clusters is given, no value is copied from a device to the host:
wrong labels and weights are counted there, in ``invalid``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from gpuval.engines import lazily, without_waiting
from gpuval.engines.backends import OfOneLibrary, backend_of, is_array, is_dask, is_sparse, library_of
from gpuval.inputs.codes import as_integers, codes_below_size, encode, fits, spread, with_spare
from gpuval.inputs.features import exact_floats, finite, finite_with_squares, read_features
from gpuval.inputs.labels import Vector, check_indexes, device_hint, library_hint, read_labels
from gpuval.inputs.options import check_option, check_size
from gpuval.inputs.samples import check_weights, is_weight, label_limits
from gpuval.inputs.selection import check_ignored, ignore_mask, read_ignored, read_weights
from gpuval.numerics import Array
from gpuval.numerics.stable import rest_of

_ONE_HOT = "; of one-hot rows or of logits, give the argmax(axis=1)"


@dataclass(frozen=True)
class Points(OfOneLibrary):
    """Samples and their clusters.

    ``X`` has shape (n_samples, n_features) and is real: an array, or a sparse matrix by rows. ``sizes`` are the numbers
    of samples of the clusters, and ``masses`` their total weights, which are the sizes if weights are integers, or not
    given.
    """

    _like = "codes"

    X: Any
    codes: Array
    n_clusters: int
    weights: Array | None
    """The weight of each sample, in the widest float type, also if weights are integers."""
    counts_samples: bool
    """Whether each sample stands for a whole number of samples."""
    sizes: Array
    masses: Array
    values: Any
    """The label of each cluster."""
    invalid: Array | None
    """How many samples could not be read, if values stay on the device; else None."""
    like: Any
    """The array whose library and device the results have: X as it was given, or one of NumPy."""

    @property
    def n_samples(self) -> int:
        """The number of samples, with those that do not count."""
        return int(self.codes.shape[0])

    @property
    def may_sync(self) -> bool:
        """Whether values may be read: ``like`` is not a tracer, and ``n_clusters`` was not given for a device.

        They may also be read while torch.compile runs: without ``n_clusters`` the labels have already broken the graph.
        """
        return self.invalid is None and not backend_of(self.like).is_traced(self.like)

    @property
    def own_weight(self) -> Any:
        """The weight to subtract for a sample's distance to itself: one copy of counts, all of a real weight."""
        return 1.0 if self.counts_samples else self.weights

    @property
    def n_counted(self) -> Array:
        """The number of samples that count; with integer weights, each counts as often as its weight says."""
        counted = self.masses if self.counts_samples else self.sizes
        return self.backend.sum(self.xp.astype(counted, self.masses.dtype))

    def with_new_sizes(self) -> Points:
        """These samples, with sizes and masses counted again from the codes."""
        sizes, masses = _sizes(self.codes, self.weights, self.n_clusters)
        return replace(self, sizes=sizes, masses=masses)

    def finite(self, *, in_any_unit: bool = False) -> Points:
        """These samples, after a check that those that count are finite, if values may be read.

        With ``in_any_unit`` their unit is changed if squares of distances would overflow or underflow in their own.
        """
        if not self._can_be_checked:
            return self
        return replace(self, X=self.with_finite(self.codes < self.n_clusters, in_any_unit=in_any_unit))

    def with_finite(self, counted: Array, *, in_any_unit: bool = False) -> Any:
        """``X`` after the same check of other samples: those of ``counted``."""
        if not self._can_be_checked:
            return self.X
        return (finite_with_squares if in_any_unit else finite)(self.X, counted)

    @property
    def _can_be_checked(self) -> bool:
        return self.may_sync and not isinstance(self.X, Rows)

    def own(self, of_clusters: Array) -> Array:
        """For each sample the number of its cluster; 0 for those that do not count."""
        return self.xp.take(with_zero(of_clusters), self.codes, axis=0)

    def weight_of_others(self) -> Array:
        """For each sample, the total weight of the other samples of its cluster; 0 if there are none.

        With counts, this is the mass of the cluster less 1. With real weights, subtracting the weight of the sample
        from the mass would cancel digits if that weight dominates: so for the largest weight of each cluster, the
        smaller ones are added up.
        """
        masses = self.own(self.masses)
        if self.counts_samples:
            return masses - 1
        backend, k, weights = self.backend, self.n_clusters, self.weights
        xp = backend.xp
        largest = backend.largest(weights, self.codes, k + 1)
        is_largest = weights == xp.take(largest, self.codes)
        smaller = backend.total(xp.where(is_largest, xp.zeros_like(weights), weights), self.codes, k + 1)
        number = backend.total(xp.astype(is_largest, masses.dtype), self.codes, k + 1)
        beside = xp.take(smaller + (number - 1) * largest, self.codes)  # several samples may have the largest weight
        others = xp.where(is_largest, beside, masses - weights)
        return xp.where(self.own(self.sizes) > 1, others, xp.zeros_like(others))

    def weight_elsewhere(self) -> Array:
        """For each sample, the total weight of all other clusters, to all digits; 0 for samples that do not count."""
        return self.own(rest_of(self.masses, self.xp.sum(self.masses), self.xp.sum, self.xp))

    def indices(self, rows: Any) -> Array:
        """Indices of samples, which are on the host, as an array beside the codes: a transfer to a device."""
        return self.backend.from_host(rows, self.codes)


def all_invalid(*counts: Array | None) -> Array | None:
    """The number of entries that could not be read in several inputs; None if values were read on the host."""
    known = [x for x in counts if x is not None]
    return sum(known[1:], known[0]) if known else None


def with_zero(of_clusters: Array) -> Array:
    """Numbers of clusters, and 0 for the spare code."""
    backend = backend_of(of_clusters)
    zero = backend.zeros_beside((1, *of_clusters.shape[1:]), of_clusters.dtype, of_clusters)
    return backend.xp.concat([of_clusters, zero])


def read_points(
    X: Any,
    labels: Any,
    *,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_clusters: int | None = None,
    name: str = "labels",
    read: Any = read_features,
    ignored_elsewhere: bool = False,
    size_name: str = "n_clusters",
    beside: str = "X",
    may_move: bool = True,
) -> Points:
    """Take samples and labels, and check all that can be told; ``read`` takes another X than samples in rows.

    ``may_move`` says that only differences within a feature matter, for integers that floats do not hold.

    ``ignored_elsewhere`` says that labels to ignore may be those of another vector. Messages call the labels ``name``,
    their number ``size_name``, and X ``beside``.
    """
    size = None if n_clusters is None else check_size(n_clusters, size_name)
    ignore = read_ignored(ignore_labels)
    check_order(X, labels, name)
    vector = read_labels(labels, name, _ONE_HOT)
    if not ignored_elsewhere:
        check_ignored(ignore, vector)
    weights = read_weights(sample_weight, vector)
    check_indexes(**{"X": X, name: labels, "sample_weight": sample_weight})
    backend, data = vector.backend, vector.data
    are_seen = backend.host_view(data) is not None and (weights is None or backend.host_view(weights) is not None)
    if is_array(X) and backend_of(X).on_host and (backend.is_traced(data) or not (are_seen or weights is None)):
        X = backend.from_host(X, weights if weights is not None else data)
    given, matrix, like = read(X, vector.size, are_seen)
    if vector.size != matrix.shape[0]:
        raise ValueError(f"{name} must have as many samples as {beside} ({matrix.shape[0]}), got {vector.size}")
    vector, weights = colocate_labels(vector, weights, X, like, beside)
    if size is None or vector.backend.on_host:
        are_looked_at = True
        invalid = None if size is None else _none_invalid(like)
        codes, size, values = _encode_labels(vector, weights, ignore, size, size_name)
        if weights is not None:
            check_weights(weights)
    else:
        are_looked_at = False
        codes, invalid = _encode_on_device(vector, weights, ignore, size)
        values = range(size)
    codes, weights = to_device_of(codes, like), None if weights is None else to_device_of(weights, like)
    if is_array(matrix) or is_sparse(matrix):
        looks = invalid is None and not backend_of(given).is_traced(given)
        matrix, rounded = exact_floats(matrix, codes < size, may_move=may_move, looks=looks)
        invalid = all_invalid(invalid, rounded)
    # What does not count may be no number, of which 0 times is none either.
    if not are_looked_at and (ignore or weights is not None) and is_array(matrix):
        xp = backend_of(matrix).xp
        matrix = xp.where((codes < size)[:, None], matrix, xp.zeros_like(matrix))
    sizes, masses = _sizes(codes, weights, size)
    counts_samples = weights is None or backend_of(weights).kind(weights) == "integer"
    weights = None if weights is None else backend_of(weights).xp.astype(weights, masses.dtype)
    matrix, codes, weights, sizes, masses, invalid = map(lazily, (matrix, codes, weights, sizes, masses, invalid))
    return Points(matrix, codes, size, weights, counts_samples, sizes, masses, values, invalid, given)


def _none_invalid(like: Array) -> Array | None:
    """The 0 of ``invalid`` for labels that were read on the host: None for NumPy's samples, which may be looked at."""
    backend = backend_of(like)
    return None if backend.on_host else backend.zeros_beside((), backend.widest(like).int, like)


def check_order(X: Any, labels: Any, name: str = "labels") -> None:
    """Check that samples and labels were not exchanged."""
    if len(_shape(X)) == 1 and len(_shape(labels)) == 2:
        raise ValueError(f"X must come before {name}, got X of one dimension and {name} of two; exchange them")


def _shape(x: Any) -> tuple[Any, ...]:
    """The shape of an array or of a frame, or of nested sequences, by the first of each; () if it is not known."""
    if isinstance(x, list | tuple):
        return () if is_dask(x) else (len(x), *(_shape(x[0]) if x else ()))
    if is_array(x) and backend_of(x).storage(x) == "nested":
        return ()
    return tuple(getattr(x, "shape", ()))


def colocate_labels(
    vector: Vector, weights: Array | None, given: Any, like: Array, x: str = "X"
) -> tuple[Vector, Array | None]:
    """Labels that can go with what was given, called x in messages: of its library and device, or on the host."""
    backend, of_X, data = vector.backend, backend_of(like), vector.data
    if backend.on_host:
        return vector, weights
    view = backend.host_view(data) if of_X.on_host else None
    if view is not None:
        seen = None if weights is None else backend.host_view(weights)
        if seen is None and weights is not None:
            raise TypeError(
                "sample_weight must have known values and no gradient if X is of another library, got "
                f"{library_of(weights)} and {library_of(given)}; convert X"
            )
        return replace(vector, data=view), seen
    if backend is not of_X:
        raise TypeError(
            f"{vector.name} must be of the array library of {x}, or on the host, got {library_of(like)} and "
            f"{library_of(data)}; convert one of them: {library_hint(Vector(x, given, like), vector)}"
        )
    if not backend.are_together(data, like):
        raise ValueError(
            f"{vector.name} must be on the device of {x}, or on the host, got {backend.device(like)} and "
            f"{backend.device(data)}; {device_hint(Vector(x, given, like), vector)}"
        )
    return vector, weights


def to_device_of(x: Array, like: Array) -> Array:
    """An array of NumPy, or of the library of ``like``, on the device of ``like``."""
    return backend_of(like).from_host(x, like) if backend_of(x).on_host else x


def _encode_labels(
    vector: Vector, weights: Array | None, ignore: tuple[Any, ...], size: int | None, size_name: str
) -> tuple[Array, int, Any]:
    """The code of each sample, how many codes there are, and the label of each: values are looked at."""
    backend = vector.backend
    backend.check_known(vector.data, f"{size_name} must be given", "labels")
    if weights is not None:
        backend.check_known(weights != 0, f"{size_name} must be given", "weights")
    counted = _are_counted(_are_ignored(vector, ignore), weights)
    integers = as_integers(vector if counted is None else replace(vector, data=vector.data[counted]))
    encoded = encode(integers, label_limits(integers), size, size_name)
    encoded = encoded if counted is None else spread(encoded, counted)
    return backend.xp.astype(encoded.codes, backend.widest(vector.data).int, copy=False), encoded.size, encoded.values


def _are_ignored(vector: Vector, ignore: tuple[Any, ...]) -> Array | None:
    return ignore_mask(vector, ignore) if ignore else None


def _are_counted(are_ignored: Array | None, weights: Array | None) -> Array | None:
    """Which samples count; None for all."""
    if weights is None:
        return None if are_ignored is None else ~are_ignored
    weighed = weights != 0  # a broken weight is told of later
    return weighed if are_ignored is None else weighed & ~are_ignored


def _encode_on_device(vector: Vector, weights: Array | None, ignore: tuple[Any, ...], size: int) -> tuple[Array, Array]:
    """The code of each sample, and how many are broken; no value is transferred."""
    fine = fits(vector, size)
    if weights is not None:
        fine = fine & is_weight(weights)
    are_ignored = _are_ignored(vector, ignore)
    candidates = _are_counted(are_ignored, weights)
    counted = fine if candidates is None else fine & candidates
    broken = vector.backend.count_true(~fine if are_ignored is None else ~fine & ~are_ignored)
    return with_spare(codes_below_size(vector, size, counted), counted).codes, broken


def _sizes(codes: Array, weights: Array | None, size: int) -> tuple[Array, Array]:
    """How many samples each cluster has, and what they weigh, in the widest float."""
    backend = backend_of(codes)
    xp, wide = backend.xp, backend.widest(codes).float
    sizes = backend.count(codes, size + 1)[:size]
    if weights is None:
        return sizes, xp.astype(sizes, wide)
    weights = xp.where(codes < size, weights, xp.zeros_like(weights))
    return sizes, xp.astype(backend.total(weights, codes, size + 1)[:size], wide)


# The samples row by row, dense, for distances: from an array, a sparse matrix, or computed from other rows.


class Rows:
    """Samples that are made of others, the source, when they are read."""

    source: Any
    shape: tuple[int, ...]

    def read(self, rows: Any) -> Array:
        """Those of a slice, or with the indices of an array, dense."""
        raise NotImplementedError


class RowSubset(Rows):
    """Some of the samples: those with the indices of an array."""

    def __init__(self, X: Any, rows: Array) -> None:
        self.source, self._rows = X, rows
        self.shape = (int(rows.shape[0]), int(X.shape[1]))

    def read(self, rows: Any) -> Array:
        """Those of a slice, or with the indices of an array, dense."""
        return rows_of(self.source, self._rows[rows])


def is_made_of_sparse(X: Any) -> bool:
    """Whether samples are sparse, or made of such: no more than a tile of them is to be dense at a time."""
    return is_made_of_sparse(X.source) if isinstance(X, Rows) else is_sparse(X)


def rows_of(X: Any, rows: Any) -> Array:
    """Rows of the samples as a dense array: those of a slice, or with the indices of an array."""
    if isinstance(X, Rows):
        return X.read(rows)
    part = X[rows, :] if isinstance(rows, slice) else take_rows(X, rows)
    return lazily(part.toarray()) if is_sparse(part) else part


def take_rows(X: Any, rows: Array | None) -> Any:
    """The rows with these indices; all for None, and None of nothing."""
    if rows is None or X is None:
        return X
    if is_sparse(X):
        return X[without_waiting(rows), :]
    backend = backend_of(X)
    return X[rows] if backend.on_host else backend.xp.take(X, rows, axis=0)


# Distances in any library, a tile at a time, by differences of features: digits never cancel.


class Differences:
    """The distances of the rows of X to those of Y."""

    def __init__(self, X: Any, Y: Any, metric: str) -> None:
        self._X, self._Y, self._metric = X, Y, metric

    def rows(self, rows: slice) -> Array:
        """The rows of a tile, prepared for any columns."""
        return rows_of(self._X, rows)

    def tile(self, prepared: Array, columns: slice) -> Array:
        """The distances of prepared rows to some columns."""
        return pairwise_distances(prepared, rows_of(self._Y, columns), self._metric)


def pairwise_distances(x: Array, y: Array, metric: str) -> Array:
    """All distances of x to y: "euclidean", "sqeuclidean" or "cityblock"; of NumPy in 64 bits."""
    backend = backend_of(x)
    if not backend.on_host:
        return backend.pairwise(x, y, metric)
    from scipy.spatial.distance import cdist  # only now: few measures need SciPy

    return cdist(x, y, metric)


# The names of the distances that users can choose.

Distance = Literal[
    "euclidean", "l2", "sqeuclidean", "cosine", "correlation", "cityblock", "manhattan", "l1", "precomputed"
]
DISTANCES: tuple[str, ...] = get_args(Distance)

IN_ANY_UNIT = ("euclidean", "sqeuclidean", "cityblock")
"""Distances whose squares or sums may be beyond the floats, and whose scores have no unit."""

_OTHER_NAMES: dict[str, Distance] = {"l2": "euclidean", "manhattan": "cityblock", "l1": "cityblock"}


def distance_name(metric: Any, allowed: tuple[str, ...] = DISTANCES) -> Distance:
    """Check the name of a distance; of names for the same one, the first."""
    check_option("metric", metric, allowed)
    first: Distance = _OTHER_NAMES.get(metric, metric)
    return first
