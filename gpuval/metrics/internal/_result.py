"""How a measure returns a score: in the library of X, and as NaN or an error where the score is not defined."""

from __future__ import annotations

from typing import Any, Literal, Protocol, get_args

from gpuval.engines.backends import Backend, to_host
from gpuval.inputs.options import check_option
from gpuval.metrics._common.result import finished
from gpuval.numerics import Array

OnDegenerate = Literal["raise", "nan"]


class Clustered(Protocol):
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
    def given(self) -> Any:
        """The array whose library and device the results have."""


def is_degenerate(clustered: Clustered, on_degenerate: OnDegenerate, name: str = "labels") -> bool:
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


def _number_of_clusters(clustered: Clustered) -> Array:
    return clustered.backend.count_true(clustered.masses > 0)


def _has_no_score(clustered: Clustered) -> Array:
    """Whether the number of clusters is not one of 2 to n_samples - 1, as an array."""
    k, n = _number_of_clusters(clustered), clustered.n_counted
    return (k < 2) | (clustered.backend.xp.astype(k, n.dtype) >= n)


def as_score(value: Array, clustered: Clustered) -> Any:
    """Return a score in the library of X (a scalar for NumPy), as NaN where it is not defined."""
    return finished(score_or_nan(value, clustered), clustered.given)


def as_score_of_any(value: Array, clustered: Clustered) -> Any:
    """Return a score that is defined for any number of clusters: NaN only where the input could not be read."""
    if clustered.invalid is not None:
        value = clustered.backend.xp.where(clustered.invalid > 0, float("nan"), value)
    return finished(value, clustered.given)


def score_or_nan(value: Array | None, clustered: Clustered) -> Array:
    """The score, or NaN where it is not defined, not yet converted to the library of X."""
    if value is None:
        return clustered.backend.zeros_beside((), clustered.masses.dtype, clustered.masses) + float("nan")
    xp = clustered.backend.xp
    broken = _has_no_score(clustered)
    if clustered.invalid is not None:
        broken = broken | (clustered.invalid > 0)
    found: Array = xp.where(broken, xp.full_like(value, float("nan")), value)
    return found


def no_score(clustered: Clustered, shape: tuple[int, ...] = ()) -> Any:
    """NaN, in the library of X."""
    backend, masses = clustered.backend, clustered.masses
    return finished(backend.zeros_beside(shape, masses.dtype, masses) + float("nan"), clustered.given)
