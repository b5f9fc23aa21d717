"""Moments of clusters that grow batch by batch: for training loops, streams and checkpoints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from gpuval.engines import without_waiting
from gpuval.engines.backends import backend_of, is_array, library_of, move_to
from gpuval.geometry.blocks import read_clusters
from gpuval.geometry.moments import Moments, label_list
from gpuval.inputs.options import check_size
from gpuval.inputs.selection import read_ignored, standard_labels
from gpuval.numerics import Array
from gpuval.streaming.checkpoints import (
    check_beside,
    check_ignored_by_all,
    check_settings,
    checkpoint_array,
    constants,
    has_samples,
    read_array,
    read_reals,
)
from gpuval.streaming.processes import Processes, digest_of, is_distributed

__all__ = ["InternalAccumulator"]

_ARRAYS = "masses", "places", "offsets", "spreads", "errors", "n_counted"
_NOT_NEGATIVE = "masses", "spreads", "errors", "n_counted", "invalid"
_PARTS = (*_ARRAYS, "given", "invalid", "values")
"""The arrays of moments that are never None, those that are not negative, and what a checkpoint has of samples."""


class InternalAccumulator:
    """Add up the moments of clusters batch by batch, for :func:`calinski_harabasz_score`.

    The moments of a cluster are its mass, its centre and its spread. Memory is that of the centres, however many
    samples come. With ``n_clusters``, ``update`` does not wait for a device. Without it, the set of labels grows with
    the batches, and each update copies data to the host. Update it from one thread at a time.

    Parameters
    ----------
    n_clusters
        The number of clusters, if the labels are integers from 0 to one below this number.
    ignore_labels
        One label or several, for example the label of noise. Samples with such a label do not count.

    Raises
    ------
    TypeError, ValueError
        ``update`` raises what :func:`calinski_harabasz_score` raises for samples and labels, and raises for a batch of
        another library or device, or with another number of features.

    Examples
    --------
    >>> import gpuval
    >>> accumulator = gpuval.InternalAccumulator(n_clusters=2)
    >>> accumulator.update([[0, 0], [6, 0]], [0, 1])
    >>> accumulator.update([[0, 2], [6, 2]], [0, 1])
    >>> round(float(gpuval.calinski_harabasz_score(accumulator.moments)), 12)
    18.0
    >>> accumulator.reset()
    >>> accumulator.update([[0, 0], [0, 2], [0, 0], [0, 2]], [0, 0, 1, 1])
    >>> float(gpuval.calinski_harabasz_score(accumulator.moments))
    0.0
    """

    def __init__(self, n_clusters: int | None = None, *, ignore_labels: Any = None) -> None:
        self._n_clusters = None if n_clusters is None else check_size(n_clusters, "n_clusters")
        self._ignore = standard_labels(read_ignored(ignore_labels))
        self._moments: Moments | None = None

    def update(self, X: Any, labels: Any, sample_weight: Any = None) -> None:
        """Add a batch of samples.

        Parameters
        ----------
        X
            The samples, shape (n_samples, n_features), as :func:`calinski_harabasz_score` takes them.
        labels
            The cluster of each sample, shape (n_samples,).
        sample_weight
            The weight of each sample, shape (n_samples,), not negative.
        """
        X, labels, sample_weight = constants((X, labels, sample_weight), "return the samples and the labels from there")
        reading = {
            "sample_weight": sample_weight,
            "ignore_labels": self._ignore,
            "n_clusters": self._n_clusters,
            "may_move": False,
        }
        clusters = read_clusters(X, labels, **reading)
        with clusters.clustered.backend.lasting():
            moments = clusters.moments()  # kept as found now: the batch may be written into later
            arrays = {name: getattr(moments, name) for name in (*_ARRAYS, "invalid")}
            kept = zip(arrays, without_waiting(tuple(arrays.values()), are_own=True), strict=True)
            self._add(replace(moments, **dict(kept)), "X")

    def merge(self, other: InternalAccumulator) -> None:
        """Add the samples of another accumulator with the same settings; the other one does not change."""
        if not isinstance(other, InternalAccumulator):
            raise TypeError(f"other must be an InternalAccumulator, got {type(other).__name__}")
        if (other._n_clusters, other._ignore) != (self._n_clusters, self._ignore):
            raise ValueError(
                "accumulators must have the same n_clusters and ignore_labels to be merged, got "
                f"{self._n_clusters}, {self._ignore} and {other._n_clusters}, {other._ignore}"
            )
        if other._moments is not None:
            self._add(other._moments, "other")

    def all_reduce(self, group: Any = None) -> InternalAccumulator:
        """Add up the samples of all processes of ``torch.distributed`` in a new accumulator; this one does not change.

        Without a process group, as in a program of one process, it returns this accumulator itself. Else every process
        must call it, also a process without samples, and ``n_clusters`` must have been given.

        Parameters
        ----------
        group
            The process group; None stands for all processes.

        Returns
        -------
        InternalAccumulator
            The same samples in each process, in the library and on the device of this accumulator (PyTorch if this one
            has no samples).
        """
        if group is None and not is_distributed():
            return self
        like = None if self._moments is None else self._moments.masses
        processes, total = Processes(group, like), InternalAccumulator(self._n_clusters, ignore_labels=self._ignore)
        for part in _gather_moments(self._moments, self._n_clusters, digest_of(self._ignore), processes):
            total._add(part, "group")
        return total

    def reset(self) -> None:
        """Forget all samples."""
        self._moments = None

    @property
    def moments(self) -> Moments:
        """The moments of all samples so far, as copies. It raises ValueError if there are no samples."""
        if self._moments is None:
            raise ValueError("an accumulator must have samples before its moments are read, got no update")
        arrays = {name: getattr(self._moments, name) for name in (*_ARRAYS, "invalid", "values")}
        return replace(self._moments, **{name: backend_of(x).copied(x) for name, x in arrays.items() if is_array(x)})

    def state_dict(self) -> dict[str, Any]:
        """All that is needed to continue later: numbers, labels, and copies of the arrays, in their own library.

        NumPy arrays are stored in the same way as in :meth:`gpuval.Accumulator.state_dict`.
        """
        state = self._settings()
        if self._moments is None:
            return state
        given = self._moments.like
        own = {name: getattr(self._moments, name) for name in (*_ARRAYS, "invalid")} | {"given": given}
        arrays = {name: None if x is None else checkpoint_array(x, given) for name, x in own.items()}
        return state | arrays | {"values": label_list(self._moments.values)}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Continue from ``state``, which :meth:`state_dict` returned.

        It raises TypeError or ValueError, and changes nothing, if the state does not fit this accumulator or is no
        state.
        """
        check_settings(state, self._settings())
        if not has_samples(state, _PARTS):
            self.reset()
            return
        values: Any = range(self._n_clusters or 0)
        if self._n_clusters is None:
            if not isinstance(state["values"], Sequence):
                raise TypeError(f"state must have values as a list of labels, got {type(state['values']).__name__}")
            values = np.fromiter(state["values"], dtype=object, count=len(state["values"]))
        width = (0, *read_array(state, "places").shape)[-1]
        are_looked_at = state["invalid"] is None
        shapes = _shapes(len(values), width) | {"n_counted": ()} | ({} if are_looked_at else {"invalid": ()})
        least = {name: 0 if name in _NOT_NEGATIVE else -np.inf for name in shapes}
        arrays = {
            name: _read(read_reals(state, name, shape, least[name], must_be_finite=are_looked_at))
            for name, shape in shapes.items()
        }
        self._moments = Moments(**{"invalid": None} | arrays, like=read_array(state, "given"), values=values)

    def __repr__(self) -> str:
        sizes = "growing" if self._n_clusters is None else f"{self._n_clusters} clusters"
        where = "" if self._moments is None else f", {library_of(self._moments.like)}"
        return f"InternalAccumulator({sizes}{where})"

    def _settings(self) -> dict[str, Any]:
        """What a checkpoint and the accumulator that goes on from it must have in common."""
        return {"n_clusters": self._n_clusters, "ignore_labels": list(self._ignore)}

    def _add(self, moments: Moments, name: str) -> None:
        """Add the moments of other samples, the argument ``name``."""
        if self._moments is None:
            self._moments = moments
            return
        check_beside(self._moments.like, moments.like, name, library_of(moments.like))
        self._moments.check_features(moments, name)
        self._moments = self._moments + moments


def _shapes(n_clusters: int, n_features: int) -> dict[str, tuple[int, ...]]:
    """The shapes of the arrays of moments that have more than one number."""
    each, all_of_them = (n_clusters,), (n_clusters, n_features)
    return {"masses": each, "places": all_of_them, "offsets": all_of_them, "spreads": each, "errors": each}


def _read(x: Array | None) -> Array | None:
    """A copy of an array for the moments: a NumPy array if it is on the host."""
    if x is None:
        return None
    view = backend_of(x).host_view(x)
    x = x if view is None else view
    return backend_of(x).copied(x)


def _gather_moments(own: Moments | None, n_clusters: int | None, ignored: int, processes: Processes) -> list[Moments]:
    """The moments of all processes that have some; an error is raised in all processes alike."""
    n_features = 0 if own is None else int(own.places.shape[1])
    header = np.asarray([-1 if n_clusters is None else n_clusters, n_features, ignored], dtype=np.int64)
    headers = np.stack([x.cpu().numpy() for x in processes.gather(processes.tensor(header))])
    sizes, widths = set(headers[:, 0].tolist()), set(headers[:, 1].tolist()) - {0}
    if sizes != {n_clusters} or n_clusters is None:
        given = ", ".join("None" if x < 0 else str(x) for x in sorted(sizes))
        raise ValueError(f"n_clusters must be given, and the same in all processes, got {given}")
    check_ignored_by_all(headers[:, 2].tolist())
    if len(widths) > 1:
        raise ValueError(f"X must have the same number of features in all processes, got {sorted(widths)}")
    if not widths:
        return []
    (width,) = widths
    packed = np.zeros(moments_length(n_clusters, width)) if own is None else pack_moments(own)
    of_all = processes.gather(processes.tensor(packed, "float64"))
    given = of_all[0][:0].clone() if own is None else own.like
    like = _read(given) if own is None else own.masses
    found = zip(of_all, headers[:, 1], strict=True)
    return [unpack_moments(x, n_clusters, width, like=like, given=given) for x, has in found if has]


# Moments as one vector, which is exchanged and added up as a whole.


def moments_length(n_clusters: int, n_features: int) -> int:
    """The length of the vector of moments."""
    return sum(int(np.prod(shape)) for shape in _shapes(n_clusters, n_features).values()) + 2


def pack_moments(moments: Moments) -> Array:
    """Moments of clusters with known labels as a vector: all zeros are the moments of no samples."""
    xp, n_counted = moments.xp, moments.n_counted
    invalid = xp.zeros_like(n_counted) if moments.invalid is None else xp.astype(moments.invalid, n_counted.dtype)
    parts = [*(getattr(moments, name) for name in _shapes(0, 0)), n_counted, invalid]
    wide = moments.masses.dtype
    return xp.concat([xp.astype(xp.reshape(x, (-1,)), wide) for x in parts])


def unpack_moments(packed: Array, n_clusters: int, n_features: int, *, like: Array, given: Array) -> Moments:
    """The moments of a vector, in the library and on the device of ``like``; results are like ``given``."""
    arrays, start = {}, 0
    xp = backend_of(packed).xp
    for name, shape in _shapes(n_clusters, n_features).items():
        size = int(np.prod(shape))
        arrays[name] = move_to(xp.reshape(packed[start : start + size], shape), like)
        start += size
    counted, invalid = (move_to(packed[i], like) for i in (start, start + 1))
    is_known_as_fine = backend_of(invalid).on_host and invalid == 0  # as None says, where values may be looked at
    invalid = None if is_known_as_fine else invalid
    return Moments(**arrays, n_counted=counted, values=range(n_clusters), invalid=invalid, like=given)
