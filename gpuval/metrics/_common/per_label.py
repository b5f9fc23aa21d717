"""A score of all samples together with the score of each label: which labels there are, and what is returned."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gpuval.engines.backends import backend_of, to_host
from gpuval.geometry.moments import Moments
from gpuval.geometry.points import Points
from gpuval.geometry.sampling import Estimate
from gpuval.metrics._common.labelled import in_pandas, printed_by_label
from gpuval.metrics._common.result import finished
from gpuval.metrics.internal._result import no_score
from gpuval.numerics import NDArray
from gpuval.table.labels import labels_at, moved_labels


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
        return in_pandas(self)

    def __repr__(self) -> str:
        return printed_by_label(self)


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
        return in_pandas(self)

    def __repr__(self) -> str:
        return printed_by_label(self)


class Groups(NamedTuple):
    """The labels that have cells: their codes, on the host, and the labels as they are returned."""

    codes: NDArray
    labels: Any


def groups_of(clustered: Points | Moments, *, has_size: bool = False) -> Groups:
    """The labels that have cells, sorted; for this, masses leave the device. All labels, if their number was given."""
    if has_size:
        size = int(clustered.masses.shape[0])
        numbers = clustered.backend.arange_beside(
            0, size, clustered.backend.widest(clustered.masses).int, clustered.masses
        )
        return Groups(np.arange(size), finished(numbers, clustered.given))
    if clustered.backend.is_traced(clustered.masses):
        raise TypeError("return_per_label must be False inside jax.jit or jax.vmap, where the labels are not known yet")
    codes = np.flatnonzero(to_host(clustered.masses))
    values = clustered.values
    if isinstance(values, np.ndarray) and values.dtype.kind == "O":  # of batches and blocks, as they came
        numbers = np.asarray(values.tolist())
        values = numbers if numbers.dtype.kind in "biuf" else values
        codes = codes[np.argsort(values[codes], kind="stable")]
    labels = labels_at(values, clustered.backend.from_host(codes, clustered.masses))
    is_moved = backend_of(labels).on_host and labels.dtype.kind in "biu"
    return Groups(codes, moved_labels(labels, clustered.given) if is_moved else finished(labels))


def with_labels(whole: Estimate, each: Estimate | None, groups: Groups | None, return_standard_error: bool) -> Any:
    """What is returned: the score, and its standard error and the scores of the labels if they were asked for."""
    if groups is not None and each is not None:
        return LabelEstimates(*whole, groups.labels, *each)
    return whole if return_standard_error else whole.score


def no_scores(points: Points, groups: Groups | None, return_standard_error: bool) -> Any:
    """What is returned if there is no score: NaN, also for each label."""

    def nan(*shape: int) -> Estimate:
        return Estimate(no_score(points, shape), no_score(points, shape))

    return with_labels(nan(), None if groups is None else nan(len(groups.codes)), groups, return_standard_error)
