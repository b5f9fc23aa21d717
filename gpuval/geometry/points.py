"""What an internal measure reads: the samples, the cluster of each, and their weights, checked and in one place.

A sample that does not count (an ignored label, a weight of 0) has the code ``n_clusters``, one beyond the clusters.
With the number of clusters given, nothing here looks at a value on a device: what is wrong is counted in ``invalid``
there.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol

from gpuval.engines.backends import backend_of, is_array, is_dask, library_of, to_host
from gpuval.geometry.distances.rows import Rows
from gpuval.inputs import labels as _labels
from gpuval.inputs.conversion import Named, of_one_library, on_one_device
from gpuval.inputs.features import finite, read_matrix, with_squares
from gpuval.inputs.options import check_option
from gpuval.inputs.samples import check_weights, fits, is_weight, limits_of
from gpuval.numerics import Array

OnDegenerate = Literal["raise", "nan"]

_ONE_HOT = "; of one-hot rows or of logits, give the argmax(axis=1)"


@dataclass(frozen=True)
class Points:
    """Samples and their clusters.

    ``X`` has shape (n_samples, n_features), real; an array, or a sparse matrix by rows. ``sizes`` are the samples of
    each cluster, and ``masses`` their weights: the same number of samples where weights are integers, or none.
    """

    X: Any
    codes: Array
    n_clusters: int
    weights: Array | None
    """Of the widest float, as those of integers are, too."""
    counts_samples: bool
    """Whether each sample stands for a whole number of samples."""
    sizes: Array
    masses: Array
    values: Any
    """The label of each cluster."""
    invalid: Array | None
    """How many samples could not be read, where values are not looked at; else None."""
    given: Any
    """What results are like: the array that was given, or NumPy's."""

    @property
    def xp(self) -> Any:
        """The array namespace of the codes."""
        return backend_of(self.codes).xp

    @property
    def n_samples(self) -> int:
        """The number of samples, with those that do not count."""
        return int(self.codes.shape[0])

    @property
    def looks(self) -> bool:
        """Whether values may be looked at."""
        return self.invalid is None and not backend_of(self.given).is_traced(self.given)

    @property
    def of_itself(self) -> Any:
        """What a sample weighs among those of its cluster: a copy of it, or all of its weight."""
        return 1.0 if self.counts_samples else self.weights

    @property
    def n_counted(self) -> Array:
        """How many samples there are in all: with integer weights, each as many as it stands for."""
        counted = self.masses if self.counts_samples else self.sizes
        return backend_of(self.xp.astype(counted, self.masses.dtype)).sum(self.xp.astype(counted, self.masses.dtype))

    def counted_anew(self) -> Points:
        """The same with the sizes and masses that the codes have now."""
        sizes, masses = _sizes(self.codes, self.weights, self.n_clusters)
        return replace(self, sizes=sizes, masses=masses)

    def finite(self) -> Points:
        """The same after a check that the samples that count are finite, where values may be looked at."""
        if not self.looks or isinstance(self.X, Rows):
            return self
        return replace(self, X=finite(self.X, self.codes < self.n_clusters))

    def in_any_unit(self) -> Points:
        """The same, where values may be looked at, in a unit in which squares of distances are floats."""
        return replace(self, X=with_squares(self.X, self.codes < self.n_clusters)) if self.looks else self

    def own(self, of_clusters: Array) -> Array:
        """For each sample the number of its cluster; 0 for those that do not count."""
        return self.xp.take(with_none(of_clusters), self.codes, axis=0)


def with_none(of_clusters: Array) -> Array:
    """Numbers of clusters, and zeros for the samples that do not count, whose code is one more."""
    xp = backend_of(of_clusters).xp
    zeros = xp.zeros(
        (1, *of_clusters.shape[1:]), dtype=of_clusters.dtype, device=backend_of(of_clusters).device(of_clusters)
    )
    return xp.concat([of_clusters, zeros])


def read_points(
    X: Any,
    labels: Any,
    *,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_clusters: int | None = None,
    name: str = "labels",
    read: Any = read_matrix,
    ignored_elsewhere: bool = False,
) -> Points:
    """Take samples and labels, and check all that can be told; ``read`` takes another X than samples in rows.

    ``ignored_elsewhere`` says that labels to ignore may be those of another vector.
    """
    size = None if n_clusters is None else _labels.check_size(n_clusters, "n_clusters")
    ignore = _labels.ignored(ignore_labels)
    check_order(X, labels)
    vector = _labels.read_labels(labels, name, _ONE_HOT)
    if not ignored_elsewhere:
        _labels.check_ignored(ignore, vector)
    weights = _labels.read_weights(sample_weight, vector)
    _labels.check_indexes(**{"X": X, name: labels, "sample_weight": sample_weight})
    if backend_of(vector.data).is_traced(vector.data) and is_array(X) and backend_of(X).on_host:
        X = backend_of(vector.data).from_host(X, vector.data)
    near = backend_of(vector.data).on_host or backend_of(vector.data).host_view(vector.data) is not None
    given, matrix, like = read(X, vector.size, near)
    if vector.size != matrix.shape[0]:
        raise ValueError(f"{name} must have as many samples as X ({matrix.shape[0]}), got {vector.size}")
    vector, weights = _beside(vector, weights, X, like)
    if size is None or backend_of(vector.data).on_host:
        is_given = size is not None
        codes, size, values = _coded(vector, weights, ignore, size)
        invalid = None
        if is_given and not backend_of(like).on_host:  # the samples are not to be looked at
            invalid = backend_of(like).xp.zeros(
                (), dtype=backend_of(like).widest(like).int, device=backend_of(like).device(like)
            )
        if weights is not None:
            check_weights(weights)
    else:
        codes, invalid = _coded_unseen(vector, weights, ignore, size)
        values = range(size)
        # What does not count may be no number, of which 0 times is none either.
        if (ignore or weights is not None) and is_array(matrix):
            xp = backend_of(matrix).xp
            matrix = xp.where((codes < size)[:, None], matrix, xp.zeros_like(matrix))
    codes, weights = _at(codes, like), None if weights is None else _at(weights, like)
    sizes, masses = _sizes(codes, weights, size)
    counts_samples = weights is None or backend_of(weights).kind(weights) == "integer"
    weights = None if weights is None else backend_of(weights).xp.astype(weights, masses.dtype)
    return Points(matrix, codes, size, weights, counts_samples, sizes, masses, values, invalid, given)


def check_order(X: Any, labels: Any) -> None:
    """Check that samples and labels are not in each other's place."""
    if len(_shape(X)) == 1 and len(_shape(labels)) == 2:
        raise ValueError("X must come before labels, got X of one dimension and labels of two; exchange them")


def _shape(x: Any) -> tuple[Any, ...]:
    """The shape of an array or of a frame, or of nested sequences, by the first of each; () if it is not known."""
    if isinstance(x, list | tuple):
        return () if is_dask(x) else (len(x), *(_shape(x[0]) if x else ()))
    if is_array(x) and backend_of(x).storage(x) == "nested":
        return ()
    return tuple(getattr(x, "shape", ()))


def _beside(
    vector: _labels.Vector, weights: Array | None, given: Any, like: Array
) -> tuple[_labels.Vector, Array | None]:
    """Labels that can go with X, which was given: of its library and device, or on the host."""
    data = vector.data
    host = backend_of(data).host_view(data) if backend_of(like).on_host and not backend_of(data).on_host else None
    if host is not None:
        return replace(vector, data=host), None if weights is None else to_host(weights)
    if not backend_of(data).on_host:
        if backend_of(data).xp is not backend_of(like).xp:
            raise TypeError(
                f"{vector.name} must be of the array library of X, or on the host, got {library_of(like)} and "
                f"{library_of(data)}; convert one of them: "
                f"{of_one_library(Named('X', given, like, False), Named(vector.name, vector.given, data, False))}"
            )
        if not backend_of(data).are_together(data, like):
            raise ValueError(
                f"{vector.name} must be on the device of X, or on the host, got {backend_of(like).device(like)} and "
                f"{backend_of(data).device(data)}; "
                f"{on_one_device(Named('X', given, like, False), Named(vector.name, vector.given, data, False))}"
            )
    return vector, weights


def _at(x: Array, like: Array) -> Array:
    if not backend_of(x).on_host or backend_of(like).on_host:
        return x
    return backend_of(like).from_host(
        x if x.flags.writeable else x.copy(), like
    )  # PyTorch would share the memory, and warns


def _coded(
    vector: _labels.Vector, weights: Array | None, ignore: tuple[Any, ...], size: int | None
) -> tuple[Array, int, Any]:
    """The code of each sample, how many codes there are, and the label of each: values are looked at."""
    if backend_of(vector.data).is_traced(vector.data):
        raise TypeError("n_clusters must be given inside jax.jit or jax.vmap, where the labels are not known yet")
    kept = _is_kept(_ignored(vector, ignore), weights)
    whole = _labels.whole(vector if kept is None else replace(vector, data=vector.data[kept]))
    codes = _labels.encode(whole, limits_of(whole), size, "n_clusters")
    xp = backend_of(vector.data).xp
    found = xp.astype(codes.codes, backend_of(vector.data).widest(vector.data).int, copy=False)
    if kept is None:
        return found, codes.size, codes.values
    if not found.shape[0]:
        return (
            xp.full(kept.shape, codes.size, dtype=found.dtype, device=backend_of(found).device(found)),
            codes.size,
            codes.values,
        )
    place = backend_of(xp.astype(kept, found.dtype)).cumulative_sum(xp.astype(kept, found.dtype)) - 1
    spread = xp.take(found, xp.where(place < 0, xp.zeros_like(place), place))
    return xp.where(kept, spread, xp.full_like(spread, codes.size)), codes.size, codes.values


def _ignored(vector: _labels.Vector, ignore: tuple[Any, ...]) -> Array | None:
    return _labels.ignored_samples(vector, ignore) if ignore else None


def _is_kept(ignored: Array | None, weights: Array | None) -> Array | None:
    if weights is None:
        return None if ignored is None else ~ignored
    counted = weights != 0  # a broken weight is told of later
    return counted if ignored is None else counted & ~ignored


def _coded_unseen(
    vector: _labels.Vector, weights: Array | None, ignore: tuple[Any, ...], size: int
) -> tuple[Array, Array]:
    """The code of each sample, and how many are broken, without a look at a value."""
    data = backend_of(vector.data).comparable(vector.data)
    xp, wide = backend_of(data).xp, backend_of(data).widest(data)
    fine = fits(data, size, xp)
    if weights is not None:
        fine = fine & is_weight(weights)
    ignored = _ignored(vector, ignore)
    kept = _is_kept(ignored, weights)
    counted = fine if kept is None else fine & kept
    codes = xp.astype(xp.where(counted, data, xp.zeros_like(data)), wide.int)
    broken = backend_of(~fine if ignored is None else ~fine & ~ignored).count_true(
        ~fine if ignored is None else ~fine & ~ignored
    )
    return xp.where(counted, codes, xp.full_like(codes, size)), broken


def _sizes(codes: Array, weights: Array | None, size: int) -> tuple[Array, Array]:
    engine, xp, wide = backend_of(codes), backend_of(codes).xp, backend_of(codes).widest(codes)
    sizes = engine.count(codes, size + 1)[:size]
    if weights is None:
        return sizes, xp.astype(sizes, wide.float)
    weights = xp.where(codes < size, weights, xp.zeros_like(weights))
    return sizes, xp.astype(engine.total(weights, codes, size + 1)[:size], wide.float)


class Clusters(Protocol):
    """What is asked of samples, or of their moments, when a score goes out."""

    @property
    def masses(self) -> Array:
        """The weight of each cluster."""

    @property
    def n_counted(self) -> Array:
        """How many samples there are."""

    @property
    def invalid(self) -> Array | None:
        """How many samples could not be read, where values are not looked at."""

    @property
    def given(self) -> Any:
        """What results are like."""


def _is_degenerate(clusters: Clusters) -> Array:
    """Whether the number of clusters is not one of 2 to n - 1, as an array."""
    masses, n = clusters.masses, clusters.n_counted
    found = backend_of(masses > 0).count_true(masses > 0)
    return (found < 2) | (backend_of(masses).xp.astype(found, n.dtype) >= n)


def is_degenerate(clusters: Clusters, on_degenerate: OnDegenerate) -> bool:
    """Whether it is known that there are too few clusters or too many for a score, if that is no error."""
    check_option("on_degenerate", on_degenerate, ("raise", "nan"))
    if (
        clusters.invalid is not None
        or backend_of(clusters.masses).is_traced(clusters.masses)
        or not bool(to_host(_is_degenerate(clusters)))
    ):
        return False
    if on_degenerate == "nan":
        return True
    found, n = (
        int(to_host(backend_of(clusters.masses > 0).count_true(clusters.masses > 0))),
        int(to_host(clusters.n_counted)),
    )
    raise ValueError(
        f"labels must have more than one cluster, and one with two samples: Number of labels is {found}. Valid values "
        f"are 2 to n_samples - 1 (inclusive), with n_samples = {n}; on_degenerate='nan' gives NaN instead"
    )


def no_score(clusters: Clusters, shape: tuple[int, ...] = ()) -> Any:
    """NaN, as a score goes out."""
    xp, where = backend_of(clusters.masses).xp, backend_of(clusters.masses).device(clusters.masses)
    return brought_back(xp.full(shape, float("nan"), dtype=clusters.masses.dtype, device=where), clusters)


def finished(value: Array, clusters: Clusters) -> Any:
    """A score as it goes out: NaN where there is none, in the library of X; a scalar on NumPy."""
    xp = backend_of(value).xp
    broken = _is_degenerate(clusters)
    if clusters.invalid is not None:
        broken = broken | (clusters.invalid > 0)
    value = xp.where(broken, xp.full_like(value, float("nan")), value)
    return brought_back(value, clusters)


def brought_back(value: Array, clusters: Clusters) -> Any:
    """A value in the library of X; a scalar on NumPy."""
    if not backend_of(value).on_host:
        return value
    return (
        value[()] if backend_of(clusters.given).on_host else backend_of(clusters.given).from_host(value, clusters.given)
    )


def check_unused(who: str, **given: Any) -> None:
    """Check that what was said where the samples were read is not said again."""
    for name, value in given.items():
        if value is not None:
            raise TypeError(f"{name} must be given where the samples are: {who} of moments takes no {name}=")
