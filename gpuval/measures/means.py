"""Means of measures over batches, and over the blocks of Dask: sums that add up."""

from __future__ import annotations

import copy
import functools
import operator
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Generic, Self, TypeVar

import numpy as np

from gpuval.engines.backends import backend_of, library_of, move_to
from gpuval.measures.requests import measure_texts
from gpuval.measures.result import OnUndefined, as_result, check_on_undefined
from gpuval.numerics import Array
from gpuval.numerics.stable import add_sums, means_of
from gpuval.streaming.checkpoints import (
    check_beside,
    check_same_settings,
    check_settings,
    checkpoint_array,
    has_samples,
    read_array,
)
from gpuval.streaming.processes import Processes, digest_of, is_distributed


@dataclass(frozen=True)
class MeasureSettings:
    """Measures, and what is the same in all batches: what two accumulators must have in common to be merged."""

    measures: Mapping[Any, Any]
    """The measures, by the names of their scores."""
    on_undefined: OnUndefined | None
    """What a value that is not defined becomes; None for what each measure has by default."""

    def __post_init__(self) -> None:
        if self.on_undefined is not None:
            check_on_undefined(self.on_undefined)

    def others(self) -> dict[str, Any]:
        """What is set besides the measures, by its names."""
        names = [x.name for x in fields(self) if x.name not in ("measures", "on_undefined")]
        return {name: getattr(self, name) for name in (*names, "on_undefined")}

    def as_dict(self) -> dict[str, Any]:
        """The settings by their names, as files store them."""
        others = {name: list(x) if isinstance(x, tuple) else x for name, x in self.others().items()}
        return {"metrics": measure_texts(self.measures)} | others

    def text(self) -> str:
        """What is set besides the measures and is not nothing, as it stands in a call."""
        return "".join(f", {name}={x!r}" for name, x in self.others().items() if x is not None and x != ())


class MeansAccumulator:
    """The means of measures over all batches so far: the base of the accumulators of rankings and intervals.

    For each measure it keeps two numbers, as ``sums_for_means`` returns them: the sum of values multiplied by weights,
    and the sum of the weights. A derived class has ``update``, which computes these sums for a batch and gives them to
    ``_add``.
    """

    def __init__(self, settings: MeasureSettings) -> None:
        self._settings = settings
        self._sums: Array | None = None
        self._given: Array | None = None

    def merge(self, other: Self) -> None:
        """Add the batches of another accumulator with the same settings, which is not changed."""
        if not isinstance(other, type(self)):
            kind = type(self).__name__
            raise TypeError(f"other must be a{'n' * (kind[0] in 'AEIOU')} {kind}, got {type(other).__name__}")
        check_same_settings(self._settings.as_dict(), other._settings.as_dict())
        if other._sums is not None and other._given is not None:
            self._add(other._sums, other._given, "other")

    def all_reduce(self, group: Any = None) -> Self:
        """Combine the batches of all processes of ``torch.distributed`` in a new accumulator; this one is not changed.

        Without a process group, as in a run of one process, the result is this accumulator itself. Otherwise each
        process has to call this method, also a process that had no batch. Only sums are exchanged.

        Parameters
        ----------
        group
            The process group; None for all processes.

        Returns
        -------
        accumulator
            The same in each process, in the library and on the device of this accumulator (of PyTorch, if it had no
            batch).
        """
        if group is None and not is_distributed():
            return self
        processes = Processes(group, self._given)
        settings = self._settings.as_dict()
        header = np.asarray([digest_of(tuple(settings.items())), self._sums is not None], dtype=np.int64)
        headers = [x.tolist() for x in processes.gather(processes.tensor(header))]
        if len({digest for digest, _ in headers}) > 1:
            raise ValueError(f"{', '.join(settings)} must be the same in all processes, got different ones")
        nothing = np.zeros((2, 2, len(self._settings.measures)))
        of_all = processes.gather(processes.tensor(nothing if self._sums is None else self._sums, "float64"))
        total = copy.copy(self)
        total.reset()
        given = of_all[0].reshape(-1)[:0].clone() if self._given is None else self._given
        for sums, (_, has_some) in zip(of_all, headers, strict=True):
            if has_some:
                total._add(move_to(sums, place_of_sums(given)), given, "group")
        return total

    def reset(self) -> None:
        """Forget all batches."""
        self._sums = self._given = None

    @property
    def scores(self) -> dict[Any, Any]:
        """The mean of each measure over all batches so far, by its name.

        The means are in the library and on the device of the batches; NaN if nothing counts. Raises ValueError if there
        was no batch.
        """
        if self._sums is None:
            raise ValueError("an accumulator must have had an update before its scores are read, got none")
        means = means_of(self._sums, backend_of(self._sums).xp)
        return {name: as_result(means[i, ...], self._given) for i, name in enumerate(self._settings.measures)}

    def state_dict(self) -> dict[str, Any]:
        """Everything that is needed to continue later: the settings, and copies of the arrays in their own library.

        Arrays of NumPy are stored as :meth:`gpuval.Accumulator.state_dict` stores them.
        """
        state = self._settings.as_dict()
        if self._sums is None or self._given is None:
            return state
        return state | {"sums": checkpoint_array(self._sums, self._given), "given": checkpoint_array(self._given)}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Continue from ``state``, which :meth:`state_dict` returned.

        Raises TypeError or ValueError, and changes nothing, if ``state`` is the state of another accumulator or not a
        state.
        """
        check_settings(state, self._settings.as_dict())
        if not has_samples(state, ("sums", "given")):
            self.reset()
            return
        sums, given = read_array(state, "sums", (2, 2, len(self._settings.measures))), read_array(state, "given", (0,))
        if backend_of(sums).kind(sums) != "real":
            raise ValueError(f"state must have sums of floats, got dtype {sums.dtype}")
        self._sums, self._given = move_to(sums, place_of_sums(given)), backend_of(given).copied(given)

    def __repr__(self) -> str:
        where = "" if self._given is None else f", {library_of(self._given)}"
        return f"{type(self).__name__}([{', '.join(map(str, self._settings.measures))}]{where})"

    # Within

    def _add(self, sums: Array, given: Array, name: str) -> None:
        """Add sums; ``given``, an empty vector, says of what library and device the batch is, the argument ``name``."""
        if self._sums is None or self._given is None:
            self._sums, self._given = sums, backend_of(given).copied(given)  # not a view, which would keep the batch
            return
        check_beside(self._given, given, name, library_of(given))
        backend = backend_of(self._sums)
        sums = sums if backend_of(sums) is backend else move_to(sums, self._sums)
        self._sums = add_sums(self._sums, sums, backend.xp)


def place_of_sums(given: Array) -> Array:
    """An array of the library and device where sums of batches like ``given`` are kept: NumPy, for all on the host."""
    view = backend_of(given).host_view(given)
    return given if view is None else view


# What the blocks that Dask holds add up to.

Sums = TypeVar("Sums")


@dataclass(frozen=True)
class MeanSums:
    """Sums for means, as ``sums_for_means`` has them, which lose no digits when they are added."""

    array: Array

    def __add__(self, other: MeanSums) -> MeanSums:
        return MeanSums(add_sums(self.array, other.array, backend_of(self.array).xp))

    def means(self) -> Array:
        """The means, shape (n,)."""
        return means_of(self.array, backend_of(self.array).xp)


@dataclass(frozen=True)
class BlockSums(Generic[Sums]):
    """The sums of some blocks, and numbers of what is in them."""

    sums: Sums | None
    """None if nothing in the blocks counts."""
    numbers: tuple[Any, ...]

    def __add__(self, other: BlockSums[Sums]) -> BlockSums[Sums]:
        known = [x.sums for x in (self, other) if x.sums is not None]
        sums = functools.reduce(operator.add, known) if known else None
        return BlockSums(sums, tuple(map(operator.add, self.numbers, other.numbers)))
