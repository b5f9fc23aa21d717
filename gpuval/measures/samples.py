"""How measures of samples return scores: in the library of X, undefined ones, and with the score of each label."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, Protocol, get_args

import numpy as np

from gpuval.engines.backends import Backend, backend_of, to_host
from gpuval.geometry.moments import Moments
from gpuval.geometry.points import Points
from gpuval.geometry.sampling import Estimate
from gpuval.inputs.options import check_option
from gpuval.measures.label_scores import pandas_by_label, text_by_label
from gpuval.measures.result import as_result
from gpuval.numerics import Array, NDArray
from gpuval.table.labels import labels_at, move_labels


class LabelEstimates(NamedTuple):
    """The score of all cells and of each label, with standard errors, as ``return_per_label`` returns them."""

    score: Any
    """The score of all cells."""
    standard_error: Any
    """The standard error of the score; 0 if all cells are measured."""
    labels: Any
    """The sorted labels that have cells, shape (n_labels,): of NumPy, or of the library of X if they are numbers."""
    label_scores: Any
    """The score of the cells of each label, shape (n_labels,); NaN for a label that has none."""
    label_standard_errors: Any
    """The standard errors of the scores of the labels, shape (n_labels,); NaN where it is not known."""

    def to_pandas(self) -> Any:
        """The score and the standard error of each label as a pandas DataFrame (copies to the host)."""
        return pandas_by_label(self)

    def __repr__(self) -> str:
        return text_by_label(self)


class LabelValues(NamedTuple):
    """The score of all samples and of each label, as ``return_per_label`` returns them if nothing is estimated."""

    score: Any
    """The score of all samples."""
    labels: Any
    """The sorted labels, shape (n_labels,): of NumPy, or of the library of the input if they are numbers."""
    label_scores: Any
    """The score of the samples of each label, shape (n_labels,)."""

    def to_pandas(self) -> Any:
        """The scores of the labels as a pandas Series, by label (copies to the host)."""
        return pandas_by_label(self)

    def __repr__(self) -> str:
        return text_by_label(self)


class _Groups(NamedTuple):
    """The labels that have cells: their codes, on the host, and the labels as they are returned."""

    codes: NDArray
    labels: Any


def groups_of(clustered: Points | Moments, *, has_size: bool = False) -> _Groups:
    """The labels that have cells, sorted; for this, masses leave the device. All labels, if their number was given."""
    if has_size:
        size = int(clustered.masses.shape[0])
        numbers = clustered.backend.arange_beside(
            0, size, clustered.backend.widest(clustered.masses).int, clustered.masses
        )
        return _Groups(np.arange(size), as_result(numbers, clustered.like))
    if clustered.backend.is_traced(clustered.masses):
        raise TypeError("return_per_label must be False inside jax.jit or jax.vmap, where the labels are not known yet")
    codes = np.flatnonzero(to_host(clustered.masses))
    values = clustered.values
    if isinstance(values, np.ndarray) and values.dtype.kind == "O":  # of batches and blocks, as they came
        numbers = np.asarray(values.tolist())
        values = numbers if numbers.dtype.kind in "biuf" else values
        codes = codes[np.argsort(values[codes], kind="stable")]
    labels = labels_at(values, clustered.backend.from_host(codes, clustered.masses))
    return _Groups(codes, labels_as_result(labels, clustered.like))


def labels_as_result(labels: Array, like: Any) -> Array:
    """Labels as they are returned: numbers in the library and on the device of ``like``, others in NumPy."""
    is_moved = backend_of(labels).on_host and labels.dtype.kind in "biu"
    moved: Array = move_labels(labels, like) if is_moved else as_result(labels)
    return moved


def with_labels(whole: Estimate, each: Estimate | None, groups: _Groups | None, return_standard_error: bool) -> Any:
    """What is returned: the score, and its standard error and the scores of the labels if they were asked for."""
    if groups is not None and each is not None:
        return LabelEstimates(*whole, groups.labels, *each)
    return whole if return_standard_error else whole.score


def no_scores(points: Points, groups: _Groups | None, return_standard_error: bool) -> Any:
    """What is returned if there is no score: NaN, also for each label."""

    def nan(*shape: int) -> Estimate:
        return Estimate(no_score(points, shape), no_score(points, shape))

    return with_labels(nan(), None if groups is None else nan(len(groups.codes)), groups, return_standard_error)


# How a measure returns a score: in the library of X, and as NaN or an error where the score is not defined.

OnDegenerate = Literal["raise", "nan"]


class _ClusterSummary(Protocol):
    """What a score needs to know of samples, or of their moments, when it is returned."""

    @property
    def backend(self) -> Backend:
        """The backend of the masses."""

    @property
    def masses(self) -> Array:
        """The weight of each cluster."""

    @property
    def n_counted(self) -> Array:
        """How many samples there are."""

    @property
    def invalid(self) -> Array | None:
        """How many samples could not be read, if values stay on the device; else None."""

    @property
    def like(self) -> Any:
        """The array whose library and device the results have."""


def is_degenerate(clustered: _ClusterSummary, on_degenerate: OnDegenerate, name: str = "labels") -> bool:
    """Whether there are too few or too many clusters for a score; an error if ``on_degenerate`` is "raise".

    False as well if the number of clusters is not known on the host.
    """
    check_option("on_degenerate", on_degenerate, get_args(OnDegenerate))
    if clustered.invalid is not None or clustered.backend.is_traced(clustered.masses):
        return False
    if not bool(to_host(_has_no_score(clustered))):
        return False
    if on_degenerate == "nan":
        return True
    k, n = int(to_host(_number_of_clusters(clustered))), int(to_host(clustered.n_counted))
    raise ValueError(
        f"{name} must have more than one cluster, and one with two samples: Number of labels is {k}. Valid values "
        f"are 2 to n_samples - 1 (inclusive), with n_samples = {n}; on_degenerate='nan' gives NaN instead"
    )


def _number_of_clusters(clustered: _ClusterSummary) -> Array:
    return clustered.backend.count_true(clustered.masses > 0)


def _has_no_score(clustered: _ClusterSummary) -> Array:
    """Whether the number of clusters is not one of 2 to n_samples - 1, as an array."""
    k, n = _number_of_clusters(clustered), clustered.n_counted
    return (k < 2) | (clustered.backend.xp.astype(k, n.dtype) >= n)


def as_score(value: Array, clustered: _ClusterSummary) -> Any:
    """Return a score in the library of X (a scalar for NumPy), as NaN where it is not defined."""
    return as_result(score_or_nan(value, clustered), clustered.like)


def as_score_of_any(value: Array, clustered: _ClusterSummary) -> Any:
    """Return a score that is defined for any number of clusters: NaN only where the input could not be read."""
    if clustered.invalid is not None:
        value = clustered.backend.xp.where(clustered.invalid > 0, float("nan"), value)
    return as_result(value, clustered.like)


def score_or_nan(value: Array | None, clustered: _ClusterSummary) -> Array:
    """The score, or NaN where it is not defined, not yet converted to the library of X."""
    if value is None:
        return clustered.backend.zeros_beside((), clustered.masses.dtype, clustered.masses) + float("nan")
    xp = clustered.backend.xp
    broken = _has_no_score(clustered)
    if clustered.invalid is not None:
        broken = broken | (clustered.invalid > 0)
    found: Array = xp.where(broken, xp.full_like(value, float("nan")), value)
    return found


def no_score(clustered: _ClusterSummary, shape: tuple[int, ...] = ()) -> Any:
    """NaN, in the library of X."""
    backend, masses = clustered.backend, clustered.masses
    return as_result(backend.zeros_beside(shape, masses.dtype, masses) + float("nan"), clustered.like)
