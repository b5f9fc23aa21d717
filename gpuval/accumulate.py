"""A table that grows with the samples, batch by batch: for loops, streams and checkpoints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import ModuleType
from typing import Any

import numpy as np

from gpuval import _labels
from gpuval import _namespace as ns
from gpuval._distributed import Processes, add_up_sums, added_tables
from gpuval._labels import Labels
from gpuval._namespace import Array
from gpuval._running import RunningSums
from gpuval._samples import read_samples
from gpuval.contingency import Contingency, table_of_samples, table_of_triples

__all__ = ["Accumulator"]


class Accumulator:
    """The contingency table of all samples so far, which any measure reads.

    With both sizes given, it holds the table and nothing else: ``update`` adds a batch in place, waits for nothing,
    and memory does not grow. Without them, the label sets grow as labels come, and each update has transfers to the
    host, as the table of a batch and the sum of two tables have.

    Parameters
    ----------
    n_classes, n_clusters
        The size of the table, where the labels are integers from 0 to below it; both or neither.
    ignore_labels
        One label or several; samples with such a label on either side do not count.
    like
        An array of the library, and on the device, that the table is to be of. Without it, or ``xp``, those of the
        first batch.
    xp, device
        Instead of ``like``: an array namespace, such as ``torch``, and a device of it.

    Raises
    ------
    TypeError, ValueError
        For sizes that are not positive integers, or one without the other; and in ``update``, for what
        :meth:`Contingency.from_labels` raises on the device of the batch, or a batch of another library or device.

    Examples
    --------
    >>> import gpuval
    >>> accumulator = gpuval.Accumulator(n_classes=2, n_clusters=2)
    >>> for batch in ([0, 0, 1], [1, 1, 0]), ([1, 0], [0, 1]):
    ...     accumulator.update(*batch)
    >>> accumulator.table.to_array()
    array([[0, 3],
           [2, 0]])
    >>> float(gpuval.adjusted_rand_score(accumulator.table))
    1.0
    >>> accumulator.reset()
    >>> accumulator.update([0, 0, 1, 1], [0, 0, 0, 0])
    >>> float(gpuval.adjusted_rand_score(accumulator.table))
    0.0
    """

    def __init__(
        self,
        n_classes: int | None = None,
        n_clusters: int | None = None,
        *,
        ignore_labels: Any = None,
        like: Array | None = None,
        xp: ModuleType | None = None,
        device: Any = None,
    ) -> None:
        self._sizes = _labels.check_sizes(n_classes, n_clusters)
        self._ignore = ignore_labels
        self._like: Array | None = None
        self._sums: RunningSums | None = None
        self._table: Contingency | None = None
        if like is not None and xp is not None:
            raise TypeError("like and xp must not both be given: like says what xp and device would")
        if xp is None and device is not None:
            raise TypeError(f"device must be given with xp, got device={device!r} alone")
        if xp is not None:
            like = xp.zeros(1)
            like = like if device is None else ns.namespace(like).zeros(1, device=device)
        if like is not None:
            if not ns.is_array(like):
                raise TypeError(f"like must be an array of a supported library, got {type(like).__name__}")
            self._start(like)

    # Adding

    def update(self, labels_true: Labels, labels_pred: Labels, sample_weight: Any = None) -> None:
        """Add a batch.

        On a device, with both sizes given, the values are not looked at: samples with labels outside the table are
        counted there, and reading ``table`` reports them. On the host they are an error here.

        Parameters
        ----------
        labels_true, labels_pred
            Labels as :meth:`Contingency.from_labels` takes them, shape (n_samples,).
        sample_weight
            Weights, shape (n_samples,), not negative.
        """
        if ns.is_dask(labels_true) or ns.is_dask(labels_pred):
            n_classes, n_clusters = self._sizes
            options = {"ignore_labels": self._ignore, "n_classes": n_classes, "n_clusters": n_clusters}
            self._add(Contingency.from_labels(labels_true, labels_pred, sample_weight=sample_weight, **options))
            return
        samples = read_samples(labels_true, labels_pred, sample_weight, self._ignore)
        self._check_place(samples.true.data)
        if self._sums is None:
            self._add(table_of_samples(samples, None, None))
        elif not self._sums.add_samples(samples):
            self._sums.add(table_of_samples(samples, *self._sizes), samples)

    def update_memberships(self, memberships_true: Array, memberships_pred: Array, sample_weight: Any = None) -> None:
        """Add a batch of soft assignments: no gradient goes through them, as the sums outlive the batch.

        Parameters
        ----------
        memberships_true, memberships_pred
            As :meth:`Contingency.from_memberships` takes them, shapes (n_samples, n_classes), (n_samples, n_clusters).
        sample_weight
            Weights, shape (n_samples,), not negative.
        """
        if self._sizes[0] is None:
            raise ValueError("n_classes and n_clusters must be given to the accumulator for memberships")
        shapes = tuple(memberships_true.shape[1:]), tuple(memberships_pred.shape[1:])
        if shapes != tuple((size,) for size in self._sizes):
            raise ValueError(
                f"memberships must have {self._sizes[0]} classes and {self._sizes[1]} clusters, got shapes "
                f"{tuple(memberships_true.shape)} and {tuple(memberships_pred.shape)}"
            )
        u, v = (x.detach() if ns.is_torch(x) else x for x in (memberships_true, memberships_pred))
        self._check_place(u)
        self._add(Contingency.from_memberships(u, v, sample_weight=sample_weight))

    def merge(self, other: Accumulator) -> None:
        """Add the samples of another accumulator, of the same sizes; it stays as it is."""
        if not isinstance(other, Accumulator):
            raise TypeError(f"other must be an Accumulator, got {type(other).__name__}")
        if other._sizes != self._sizes:
            raise ValueError(
                f"accumulators must have the same sizes to be merged, got {self._sizes} and {other._sizes}"
            )
        if other._like is None:
            return
        self._check_place(other._like)
        if self._sums is not None and other._sums is not None:
            self._sums.merge(other._sums)
        elif other._table is not None:
            self._add(other._table)

    def all_reduce(self, group: Any = None) -> Accumulator:
        """The samples of all processes of ``torch.distributed``, in a new accumulator; this one stays as it is.

        Each process has to call it, also one that has no samples. A table of given size is one sum; of growing tables
        labels and counts are exchanged, and their text as UTF-8. If a process fails, the others raise what the group
        raises, within its timeout.

        Parameters
        ----------
        group
            The process group; None for all processes.

        Returns
        -------
        Accumulator
            The same in each process, of the library and on the device of this one (of PyTorch, if it has no samples).
        """
        processes = Processes(group)
        total = Accumulator(*self._sizes, ignore_labels=self._ignore, like=self._like)
        if total._like is None:
            total._start(processes.tensor(np.zeros(1)))
        if total._sums is not None:
            add_up_sums(total._sums if self._sums is None else self._sums, total._sums, processes)
        else:
            total._table = added_tables(self._table, total._like, processes)
        return total

    def reset(self) -> None:
        """Forget all samples; the memory of a table of given size is kept, and used again."""
        self._table = None
        if self._sums is not None:
            self._sums.reset()

    # Reading

    @property
    def table(self) -> Contingency:
        """The table so far; what comes later does not change it.

        Raises ValueError if samples could not be counted, with how many and where their labels are: a host step, of one
        transfer. ``unchecked_table`` is without it.
        """
        table = self.unchecked_table
        if self._sums is not None and not ns.is_numpy(table.counts):
            self._sums.check()
        return table

    @property
    def unchecked_table(self) -> Contingency:
        """The table so far, for loops and CUDA graphs: nothing leaves the device.

        If samples could not be counted, ``invalid`` tells how many, and its scores are NaN.
        """
        if self._sums is not None:
            return self._sums.table()
        if self._table is not None:
            return self._table
        none = np.zeros(0, dtype=np.int64) if self._like is None else self._like[:0]
        return Contingency.from_labels(none, none, n_classes=self._sizes[0], n_clusters=self._sizes[1])

    # Checkpoints

    def state_dict(self) -> dict[str, Any]:
        """All that is needed to go on from here: numbers, and copies of arrays of its own library."""
        state: dict[str, Any] = {"n_classes": self._sizes[0], "n_clusters": self._sizes[1]}
        if self._sums is not None:
            return state | self._sums.state()
        if self._table is not None:
            classes, clusters, counts = self._table.triples()
            state |= {"classes": classes, "clusters": clusters, "counts": counts, "self_pairs": self._table.self_pairs}
        return state

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Go on from ``state``, which :meth:`state_dict` gave; its arrays may be of any library and device."""
        sizes = state["n_classes"], state["n_clusters"]
        if sizes != self._sizes:
            raise ValueError(f"state must be of an accumulator of the same sizes {self._sizes}, got {sizes}")
        self.reset()
        counts = state.get("counts")
        if counts is None:
            return
        if self._like is None:
            self._start(counts)
        if self._sums is not None:
            self._sums.load(state)
            return
        found = [ns.moved(state[name], self._like) for name in ("classes", "clusters", "counts")]
        self_pairs = state["self_pairs"]
        self_pairs = None if self_pairs is None else ns.moved(self_pairs, self._like)
        self._table = replace(table_of_triples(*found), self_pairs=self_pairs)

    def __repr__(self) -> str:
        sizes = "growing" if self._sizes[0] is None else f"{self._sizes[0]} classes x {self._sizes[1]} clusters"
        where = "" if self._like is None else f", {ns.library(self._like)}"
        return f"Accumulator({sizes}{where})"

    # Within

    def _start(self, like: Array) -> None:
        self._like = ns.namespace(like).zeros(1, dtype=ns.widest(like).int, device=ns.device(like))
        if self._sizes[0] is not None and self._sizes[1] is not None:
            self._sums = RunningSums(self._sizes[0], self._sizes[1], self._like)

    def _check_place(self, data: Array) -> None:
        """Check that a batch lies where the table does, or let the table lie where the first batch does."""
        if self._like is None:
            self._start(data)
        elif ns.namespace(self._like) is not ns.namespace(data):
            raise TypeError(
                f"labels must be of the array library of the accumulator ({ns.library(self._like)}), got "
                f"{ns.library(data)}"
            )
        elif not ns.is_traced(data) and ns.device(self._like) != ns.device(data):
            raise ValueError(
                f"labels must be on the device of the accumulator ({ns.device(self._like)}), got {ns.device(data)}"
            )

    def _add(self, table: Contingency) -> None:
        if self._like is None:
            self._start(table.counts)
        if self._sums is not None:
            self._sums.add(table)
        else:
            self._table = table if self._table is None else self._table + table
