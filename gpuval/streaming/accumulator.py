"""A contingency table that grows batch by batch: for training loops, streams and checkpoints."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Mapping
from dataclasses import replace
from types import ModuleType
from typing import Any

import numpy as np

from gpuval.engines.backends import backend_of, is_dask, library_of, move_to, to_host
from gpuval.inputs.counts import check_like, read_memberships
from gpuval.inputs.labels import Labels
from gpuval.inputs.options import check_dense, check_sizes
from gpuval.inputs.samples import read_samples
from gpuval.inputs.selection import LabelsToIgnore
from gpuval.numerics import Array
from gpuval.streaming.checkpoints import (
    check_beside,
    check_counted,
    check_settings,
    checkpoint_array,
    constants,
    has_samples,
    read_array,
    read_cell_counts,
    read_integers,
    read_number,
    read_scales,
    read_self_pairs,
)
from gpuval.streaming.processes import Processes, add_up_sums, add_up_tables, digest_of, is_distributed
from gpuval.streaming.sums import Sums
from gpuval.table.addition import add_tables
from gpuval.table.building import choose_layout, from_memberships, from_triples
from gpuval.table.contingency import Contingency
from gpuval.table.labels import move_labels
from gpuval.table.reading import BlockCounts, count_block, count_label_blocks
from gpuval.table.table import Table

__all__ = ["Accumulator"]

_OF_SIZES = "counts", "invalid", "furthest", "self_pairs", "samples", "given"
_OF_LABELS = "classes", "clusters", "counts", "self_pairs", "invalid", "samples", "given", "scales"
"""What a checkpoint has of samples: that of an accumulator of given size, and of a growing one."""

_OUTSIDE = "build tables with n_classes= and n_clusters= there and add them up"
"""What to do where an accumulator cannot be updated."""


class Accumulator:
    """Count samples batch by batch into one contingency table, which any measure can read.

    Give both sizes if you know them. Then the accumulator holds a table of this size, and ``update`` adds a batch in
    place and does not wait for the device. On the CPU, some samples are kept to be counted together later. Memory is at
    most that of the table, plus an eighth of it, plus 256 KB. Without the sizes, the sets of labels grow with the
    batches, and each update copies data to the host. Use an accumulator from one thread at a time, also for reading.

    Parameters
    ----------
    n_classes, n_clusters
        The numbers of classes and of clusters, if the labels are integers from 0 to one below these numbers. Give both
        or neither.
    ignore_labels
        One label or several, for example the label of noise. Samples with such a label on either side do not count. A
        mapping names the side, such as ``{"true": 0}``, as for :meth:`Contingency.from_labels`.
    like
        An array of the library and on the device that the table should have. Without ``like`` and ``xp``, these are the
        library and the device of the first batch.
    xp, device
        An array namespace, such as the module ``torch``, and one of its devices: another way to say what ``like`` says.

    Raises
    ------
    TypeError, ValueError
        The sizes are not positive integers, or only one of them is given. ``update`` raises what
        :meth:`Contingency.from_labels` raises on the device of the batch, and raises for a batch of another library or
        device. A batch that raises an error changes nothing.

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
        self._sizes = check_sizes(n_classes, n_clusters)
        if self._sizes[0] is not None and self._sizes[1] is not None:
            check_dense(self._sizes[0], self._sizes[1])  # before the first batch says where the table is to lie
        self._ignore = LabelsToIgnore.read(ignore_labels).standard_form()
        self._like: Array | None = None
        self._sums: Sums | None = None
        self._table: Table | None = None
        self._samples = self._given = 0  # of a growing table: those that count, and all of them
        if like is not None and xp is not None:
            raise TypeError("like and xp must not both be given: like already says the library and the device")
        if xp is None and device is not None:
            raise TypeError(f"device must be given with xp, got device={device!r} alone")
        if xp is not None:
            if not hasattr(xp, "zeros"):
                raise TypeError(f"xp must be an array namespace, such as the module torch, got {xp!r}")
            like = xp.zeros(1)
            like = like if device is None else backend_of(like).xp.zeros(1, device=device)
        if like is not None:
            self._like = _place_beside(check_like(like))
            self._sums = None if self._sizes[0] is None else self._sums_at(self._like)

    # Adding

    def update(self, labels_true: Labels, labels_pred: Labels, sample_weight: Any = None) -> None:
        """Add a batch of samples.

        If both sizes are given, labels outside the table are an error here for NumPy labels. On a device the values are
        not looked at here. There such samples are counted, and reading ``table`` raises an error that reports them. If
        labels to ignore and weights leave no sample of the batch, it adds nothing.

        Parameters
        ----------
        labels_true, labels_pred
            The labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes.
        sample_weight
            The weight of each sample, shape (n_samples,), not negative.
        """
        is_plain = sample_weight is None and not self._ignore
        if is_plain and self._sums is not None and self._sums.add_at_once(labels_true, labels_pred):
            return
        labels_true, labels_pred, sample_weight = constants((labels_true, labels_pred, sample_weight), _OUTSIDE)
        if is_dask(labels_true) or is_dask(labels_pred):
            counted = count_label_blocks(labels_true, labels_pred, sample_weight, self._ignore, *self._sizes)
            self._check_place(counted.table.counts, "labels_true", counted.table.counts)
            self._add(counted)
            return
        samples = read_samples(labels_true, labels_pred, sample_weight, self._ignore)
        self._check_place(samples.true.data, "labels_true", labels_true)
        if self._sizes[0] is None:
            with backend_of(samples.true.data).lasting():
                self._add(count_block(samples, None, None))
        else:
            place = self._place(samples.true.data)
            sums = self._sums_at(place)
            sums.add_samples(samples)
            self._like, self._sums = place, sums

    def update_memberships(self, memberships_true: Array, memberships_pred: Array, sample_weight: Any = None) -> None:
        """Add a batch of soft (fuzzy) assignments; these have no gradient, because the sums outlive the batch.

        Parameters
        ----------
        memberships_true, memberships_pred
            As for :meth:`Contingency.from_memberships`, of the shapes (n_samples, n_classes) and (n_samples,
            n_clusters).
        sample_weight
            The weight of each sample, shape (n_samples,), not negative.
        """
        if self._sizes[0] is None:
            raise ValueError("n_classes and n_clusters must be given to the accumulator for memberships")
        u, v, weights = constants((memberships_true, memberships_pred, sample_weight), _OUTSIDE)
        u, v, weights = read_memberships(u, v, weights)
        table = from_memberships(u, v, weights)
        if tuple(table.counts.shape) != self._sizes:
            raise ValueError(
                f"memberships must have {self._sizes[0]} classes and {self._sizes[1]} clusters, got "
                f"{table.counts.shape[0]} and {table.counts.shape[1]}"
            )
        self._check_place(table.counts, "memberships_true", memberships_true)
        self._add(BlockCounts(table, u.shape[0], u.shape[0]))

    def merge(self, other: Accumulator) -> None:
        """Add the samples of another accumulator of the same sizes; the other one does not change."""
        if not isinstance(other, Accumulator):
            raise TypeError(f"other must be an Accumulator, got {type(other).__name__}")
        if other._sizes != self._sizes:
            raise ValueError(
                f"accumulators must have the same sizes to be merged, got {self._sizes} and {other._sizes}"
            )
        if other._ignore != self._ignore:
            raise ValueError(
                "accumulators must ignore the same labels to be merged, got "
                f"{self._ignore.as_setting()} and {other._ignore.as_setting()}"
            )
        if other._like is None:
            return
        self._check_place(other._like, "other", other)
        if other._sums is not None:
            place = self._place(other._like)
            sums = self._sums_at(place)
            sums.merge(other._sums)
            self._like, self._sums = place, sums
        elif other._table is not None:
            self._add(BlockCounts(other._table, other._samples, other._given))

    def all_reduce(self, group: Any = None) -> Accumulator:
        """Add up the samples of all processes of ``torch.distributed`` in a new accumulator; this one does not change.

        Without a process group, as in a program of one process, it returns this accumulator itself, not a copy. Else
        every process must call it, also a process without samples. A table of given size is added up in one sum. Of
        growing tables, the processes exchange the labels and the counts; labels that are text are sent as UTF-8. If a
        process fails, the others raise the error of the process group, within its timeout.

        Parameters
        ----------
        group
            The process group; None stands for all processes.

        Returns
        -------
        Accumulator
            The same samples in each process, in the library and on the device of this accumulator (PyTorch if this one
            has no samples).
        """
        if group is None and not is_distributed():
            return self
        processes, ignored = Processes(group, self._like), digest_of(self._ignore.as_setting())
        total = Accumulator(*self._sizes, ignore_labels=self._ignore, like=self._like)
        if total._like is None:
            total._like = _place_beside(processes.tensor(np.zeros(1)))
        if self._sizes[0] is None:
            total._table, total._samples, total._given = add_up_tables(
                self._table, self._samples, self._given, ignored, total._like, processes
            )
            return total
        total._sums = total._sums_at(total._like)
        own = total._sums if self._sums is None else self._sums
        add_up_sums(own, total._sums, ignored, processes)
        return total

    def reset(self) -> None:
        """Forget all samples. The memory of a table of given size is kept and used again."""
        self._table = None
        self._samples = self._given = 0
        if self._sums is not None:
            self._sums.reset()

    # Reading

    @property
    def table(self) -> Contingency:
        """The contingency table of all samples so far; later samples do not change it.

        It raises ValueError if some samples could not be counted, and says how many and in which range their labels
        are. It also raises if there were samples and none is left after ``ignore_labels`` and weights. This check is a
        host step: one transfer from the device to the CPU; ``unchecked_table`` does not make it. If there were no
        samples at all, it warns: scores of such a table are NaN, because nothing was evaluated. (The scores of two
        empty label vectors are 1.)
        """
        table = self._so_far()
        if check_counted(table, self._given if self._sums is None else self._sums.copy_given(), self._sums):
            return table
        warnings.warn(f"{self} has had no samples: scores of its table are NaN", UserWarning, stacklevel=2)
        return table.with_given(1)

    @property
    def unchecked_table(self) -> Contingency:
        """The table of all samples so far without checks, for loops and CUDA graphs: no data leave the device.

        If some samples could not be counted, ``invalid`` says how many, and scores of the table are NaN. A measure that
        is found on the host raises an error in place of NaN. The same holds if no sample is left, and if there were no
        samples.
        """
        table = self._so_far()
        total = table.backend.host_view(table.total)
        if total is not None and total != 0:
            return table
        given = None if self._sums is None else self._sums.copy_given()
        return table.with_given(self._given + 1) if given is None else replace(table, given=given + 1)

    def _so_far(self) -> Contingency:
        if self._sums is not None:
            return Contingency.from_table(self._sums.table())
        if self._table is not None:
            table = choose_layout(self._table, self._samples)
            own = table.mapped(table.backend.user_array)  # in memory of its own, where it could be written into
            return Contingency.from_table(own)
        none = np.zeros(0, dtype=np.int64) if self._like is None else self._like[:0]
        return Contingency.from_labels(none, none, n_classes=self._sizes[0], n_clusters=self._sizes[1])

    # Checkpoints

    def state_dict(self) -> dict[str, Any]:
        """All that is needed to continue later: numbers, and copies of the arrays, in their own library.

        A NumPy array is stored as its dtype, its shape and a list of its values. So ``torch.load(weights_only=True)``
        can read the state, and text formats such as JSON can store it if the labels are numbers or text.
        """
        state = self._settings()
        if self._sums is not None:
            return state | self._sums.state()
        if self._table is None:
            return state
        arrays = dict(zip(("classes", "clusters", "counts"), self._table.triples(), strict=True))
        arrays |= {"self_pairs": self._table.self_pairs, "invalid": self._table.invalid}
        copies = {name: None if x is None else checkpoint_array(x) for name, x in arrays.items()}
        scales = [None if x is None else list(x) for x in self._table.scales]
        return state | copies | {"samples": self._samples, "given": self._given, "scales": scales}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Continue from ``state``, which :meth:`state_dict` returned; its arrays may be of any library and device.

        It raises TypeError or ValueError, and changes nothing, if the state does not fit this accumulator or is no
        state.
        """
        check_settings(state, self._settings())
        is_fixed = self._sizes[0] is not None
        if not has_samples(state, _OF_SIZES if is_fixed else _OF_LABELS):
            self.reset()
            return
        place = self._place(read_array(state, "counts"))
        if is_fixed:
            sums = self._sums_at(place)
            sums.load(state)
            self._sums = sums
        else:
            samples, given = (read_number(state, name) for name in ("samples", "given"))
            self._table, self._samples, self._given = _read_table(state, place), samples, given
        self._like = place

    def __copy__(self) -> Accumulator:
        """A copy that goes on by itself: sums are added to in place."""
        other = type(self).__new__(type(self))
        vars(other).update(vars(self), _sums=copy.deepcopy(self._sums))
        return other

    def __repr__(self) -> str:
        sizes = "growing" if self._sizes[0] is None else f"{self._sizes[0]} classes x {self._sizes[1]} clusters"
        where = "" if self._like is None else f", {library_of(self._like)}"
        return f"Accumulator({sizes}{where})"

    # Within

    def _settings(self) -> dict[str, Any]:
        """The settings that a checkpoint must have in common with the accumulator that loads it."""
        n_classes, n_clusters = self._sizes
        return {"n_classes": n_classes, "n_clusters": n_clusters, "ignore_labels": self._ignore.as_setting()}

    def _place(self, like: Array) -> Array:
        """An array that marks the library and the device of the table: those of ``like`` for the first batch."""
        return _place_beside(like) if self._like is None else self._like

    def _sums_at(self, place: Array) -> Sums:
        """The sums of a table of given size; before the first batch, new ones."""
        n_classes, n_clusters = self._sizes
        assert n_classes is not None
        assert n_clusters is not None
        return self._sums or Sums.of_nothing(n_classes, n_clusters, place)

    def _check_place(self, data: Array, name: str, given: Any) -> None:
        """Check that a batch is in the library and on the device of the table, if these are known already."""
        backend, own = backend_of(data), self._like
        if own is None:
            return
        check_beside(own, data, name, library_of(data) if given is data else type(given).__name__)
        if own.dtype != backend.widest(data).int:
            raise TypeError(
                f"{name} must have the integer type of the accumulator ({own.dtype}), got {backend.widest(data).int}: "
                "jax_enable_x64 has changed"
            )

    def _add(self, counted: BlockCounts) -> None:
        """Add the table of a batch that has passed ``_check_place``."""
        place = self._place(counted.table.counts)
        if self._sizes[0] is None:
            self._table = counted.table if self._table is None else add_tables(self._table, counted.table)
            self._samples, self._given = self._samples + counted.samples, self._given + counted.given
        else:
            sums = self._sums_at(place)
            sums.add(counted.table, counted.given)
            if sums.raises:
                sums.samples += counted.samples
            self._sums = sums
        self._like = place


def _place_beside(like: Array) -> Array:
    with backend_of(like).lasting():
        return backend_of(like).zeros_beside((1,), backend_of(like).widest(like).int, like)


def _read_table(state: Mapping[str, Any], place: Array) -> Table:
    """The table of a checkpoint of a growing accumulator."""
    classes = read_array(state, "classes")
    length = tuple(classes.shape[:1])
    clusters = read_array(state, "clusters", length)
    counts = read_cell_counts(state, length)
    self_pairs = read_self_pairs(state, counts)
    invalid = None if state["invalid"] is None else read_integers(state, "invalid", ())
    rows, columns = (move_labels(to_host(x), place) for x in (classes, clusters))
    scales = read_scales(state, rows, columns)
    table = from_triples(rows, columns, move_to(counts, place), scales)
    return replace(
        table,
        self_pairs=None if self_pairs is None else move_to(self_pairs, place),
        invalid=None if invalid is None or backend_of(place).on_host else move_to(invalid, place),
    )
