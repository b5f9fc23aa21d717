"""The operations that an edit distance of partitions counts, one after the other."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import numpy as np

from gpuval.engines.backends import to_host
from gpuval.inputs.codes import Codes
from gpuval.inputs.labels import check_not_dask
from gpuval.inputs.options import check_not_negative
from gpuval.inputs.samples import are_ignored, encode_samples, read_samples
from gpuval.numerics import NDArray
from gpuval.numerics.assignment import best_one_to_one
from gpuval.table.labels import labels_on_host

__all__ = ["cluster_edit_operations"]


class EditOperation(NamedTuple):
    """One operation on a cluster; :func:`cluster_edit_operations` returns a list of them."""

    kind: Literal["take", "put", "make", "remove"]
    """Take the sample out of a cluster of several, put it into a cluster, make a cluster of it, or remove its own."""
    sample: int
    """The position of the sample in the label vectors."""
    cluster: Any
    """The label of the cluster: that of ``labels_pred``, or that of the class for one that was made."""
    is_new: bool
    """Whether the cluster was made by an operation."""


def cluster_edit_operations(
    labels_true: Any,
    labels_pred: Any,
    *,
    take_cost: float = 1.0,
    put_cost: float = 1.0,
    make_cost: float = 1.0,
    remove_cost: float = 1.0,
    ignore_labels: Any = None,
) -> list[EditOperation]:
    """Operations of the smallest cost that turn the clusters into the classes, in the order in which to do them.

    They are those that :func:`cluster_edit_distance` counts: their costs add up to it. There may be other lists of the
    same cost. A cluster that becomes a class keeps its own name. This is a host step: labels on a device are copied to
    the CPU.

    Parameters
    ----------
    labels_true, labels_pred
        Two label vectors, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes, except those of
        Dask.
    take_cost, put_cost, make_cost, remove_cost
        The cost of each operation, as in :func:`cluster_edit_distance`.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        on either side do not count. A mapping names the side, such as ``{"true": 0}``.

    Returns
    -------
    list of EditOperation
        Named tuples. ``kind`` is "take", "put", "make" or "remove", and ``sample`` the position of the sample.
        ``cluster`` is the label of the cluster in ``labels_pred``, or that of the class if ``is_new`` is true: then the
        cluster was made. The list is empty if the partitions are the same.

    Raises
    ------
    TypeError, ValueError
        Labels are not as described above (the message names the argument), no sample is left, or a cost is negative or
        not finite.

    Notes
    -----
    Each sample is taken from its cluster (or its cluster is removed with it) before it is put into another one (or one
    is made of it). No cluster is ever empty.

    References
    ----------
    .. [1] A. Dyakonov, "Loss functions and quality functionals, part 3: multi-class problems, ranking, clustering",
       lecture, 2020.

    Examples
    --------
    The same partition needs no operation. Then the lecture's example ([1]_), from {1 2 3 | 4 5 | 6} to
    {2 3 | 4 5 6 | 1}; here the samples are 0 to 5:

    >>> from gpuval import cluster_edit_operations
    >>> cluster_edit_operations([0, 0, 1, 1], [1, 1, 0, 0])
    []
    >>> for operation in cluster_edit_operations(["z", "x", "x", "y", "y", "y"], ["a", "a", "a", "b", "b", "c"]):
    ...     print(*operation)
    take 0 a False
    make 0 z True
    remove 5 c False
    put 5 b False
    """
    check_not_dask({"labels_true": labels_true, "labels_pred": labels_pred})
    costs = check_edit_costs(take_cost, put_cost, make_cost, remove_cost)
    samples = read_samples(labels_true, labels_pred, None, ignore_labels, are_all=True)
    true, pred, _ = encode_samples(samples, None, None)
    ignored = are_ignored(samples)
    places = np.arange(samples.true.size) if ignored is None else np.flatnonzero(~to_host(ignored))
    (class_of, classes), (cluster_of, clusters) = _occurring(true), _occurring(pred)
    slots = _Slots(
        class_of, cluster_of, _clusters_to_keep(class_of, cluster_of, (len(classes), len(clusters)), **costs)
    )
    return [
        EditOperation(kind, int(places[x]), *((clusters[slot], False) if slot >= 0 else (classes[~slot], True)))
        for kind, x, slot in slots.operations()
    ]


def check_edit_costs(take_cost: Any, put_cost: Any, make_cost: Any, remove_cost: Any) -> dict[str, float]:
    """The costs of the four operations, as numbers, by the names of the arguments."""
    given = {"take_cost": take_cost, "put_cost": put_cost, "make_cost": make_cost, "remove_cost": remove_cost}
    return {name: check_not_negative(name, cost) for name, cost in given.items()}


def saved_by_edits(counts: NDArray, move: float, renew: float) -> NDArray:
    """What is to be maximised by pairs of a cluster and the class that it becomes, of the samples that they share.

    ``move`` is what it costs to take a sample out and to put it in, and ``renew`` what it costs to remove a cluster and
    to make one. A pair that shares n samples saves ``(n - 1) * move + renew``. If that is above 0 for n = 0, all
    clusters or all classes are in pairs, and what counts is n; else n = 0 is no pair.
    """
    saved: NDArray = counts if renew >= move else np.where(counts > 0, counts * move - (move - renew), 0.0)
    return saved


def _clusters_to_keep(
    class_of: NDArray,
    cluster_of: NDArray,
    shape: tuple[int, int],
    *,
    take_cost: float,
    put_cost: float,
    make_cost: float,
    remove_cost: float,
) -> dict[int, int]:
    """The class that each cluster becomes in the cheapest edits, of clusters that are not removed."""
    move, renew = take_cost + put_cost, make_cost + remove_cost
    (rows, columns), counts = np.unique(np.stack([class_of, cluster_of]), axis=1, return_counts=True)
    matched = best_one_to_one(saved_by_edits(counts, move, renew), rows, columns, shape)
    left = [np.setdiff1d(np.arange(n), x) for n, x in zip(shape, matched, strict=True)]
    pairs = [matched, left] if renew > move else [matched]
    return {cluster: of_class for x, y in pairs for of_class, cluster in zip(x.tolist(), y.tolist(), strict=False)}


def _occurring(codes: Codes) -> tuple[NDArray, list[Any]]:
    """The codes of the labels that occur as 0, 1, 2, ..., and these labels."""
    occurring, numbers = np.unique(to_host(codes.codes), return_inverse=True)
    return numbers.reshape(-1), labels_on_host(codes.values)[occurring].tolist()


class _Slots:
    """Clusters while they change: a cluster has its number, and one that is made of class i has ``~i``."""

    def __init__(self, class_of: NDArray, cluster_of: NDArray, kept: dict[int, int]) -> None:
        self._class_of, self._slot_of = class_of.tolist(), cluster_of.tolist()
        self._kept = kept
        self._slots = {of_class: cluster for cluster, of_class in kept.items()}
        self._size = dict(enumerate(np.bincount(cluster_of).tolist()))
        self._done: list[tuple[Any, int, int]] = []

    def operations(self) -> list[tuple[Any, int, int]]:
        """The kind, the sample and the slot of each operation."""
        for sample in self._first_samples():
            self._move(sample)
        for sample, of_class in enumerate(self._class_of):
            if self._slot_of[sample] != self._slots.get(of_class):
                self._move(sample)
        return self._done

    def _first_samples(self) -> list[int]:
        """A sample of the class of each cluster that becomes a class of which it has none, before its own leave it.

        A cluster gets its sample after the cluster that has this sample got its own one, so that it is not the last
        there. Where clusters wait for one another in a circle, any is the first: it takes one of at least two samples.
        """
        first: dict[int, int] = {}
        alike = set()
        for sample, (of_class, slot) in enumerate(zip(self._class_of, self._slot_of, strict=True)):
            first.setdefault(of_class, sample)
            if self._kept.get(slot) == of_class:
                alike.add(slot)
        wanted = {cluster: first[of_class] for cluster, of_class in self._kept.items() if cluster not in alike}
        order: list[int] = []
        seen: set[int] = set()
        for cluster in wanted:
            path = []
            while cluster in wanted and cluster not in seen:
                seen.add(cluster)
                path.append(wanted[cluster])
                cluster = self._slot_of[wanted[cluster]]
            order += reversed(path)
        return order

    def _move(self, sample: int) -> None:
        """Take a sample out of its slot, and put it into that of its class."""
        old, of_class = self._slot_of[sample], self._class_of[sample]
        self._size[old] -= 1
        self._done.append(("take" if self._size[old] else "remove", sample, old))
        is_there = of_class in self._slots
        new = self._slots.setdefault(of_class, ~of_class)
        self._done.append(("put" if is_there else "make", sample, new))
        self._size[new] = self._size.get(new, 0) + 1
        self._slot_of[sample] = new
