"""Columns of labels and of what is predicted: the classes, the samples, or all entries in one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from gpuval.engines.backends import Backend, backend_of
from gpuval.numerics import Array
from gpuval.numerics.stable import unit_of_sums

Of = Literal["classes", "samples", "entries"]
"""What columns are of: one for each class, one for each sample, or one of all entries."""


@dataclass(frozen=True)
class Columns:
    """The entries of n rows and k columns, of which each is positive or negative, or does not count."""

    values: Array
    """What is predicted, shape (n, k): booleans, or scores."""
    positives: Array
    """Booleans, shape (n, k): which entries have the label."""
    negatives: Array
    """Booleans, shape (n, k): which entries do not have it."""
    weights: Array | None
    """The weight of each sample. A column of all entries has those of a sample one after the other."""
    broken: Array | None
    """Booleans, shape (k,): in which columns something is wrong, so that their score is NaN; None if in none."""

    @property
    def backend(self) -> Backend:
        """The array library."""
        return backend_of(self.values)

    @property
    def counted(self) -> Array:
        """Which entries count."""
        return self.positives | self.negatives

    @property
    def n_positives(self) -> Array:
        """The weight of the positive entries of each column."""
        return self.total(self.positives)

    @property
    def n_rows_in_the_first(self) -> Array:
        """The weight of the rows with an entry that counts, for the first column, and 0 for the others.

        So the sum over the columns is the weight of all rows, in the unit of sums.
        """
        backend, xp = self.backend, self.backend.xp
        n_rows = self.in_unit(self.total(xp.any(self.counted, axis=1)[:, None]))
        places = backend.arange_beside(0, int(self.values.shape[1]), backend.widest(n_rows).int, n_rows)
        return xp.where(places == 0, n_rows, 0.0)

    def in_unit(self, weights: Array) -> Array:
        """Sums of weights as real numbers, in the unit of sums."""
        weights = self.real(weights)
        return weights * unit_of_sums(weights, self.backend.xp)

    def real(self, x: Array) -> Array:
        """Numbers or booleans in the widest float."""
        return self.backend.as_real(x, self.values)

    def total(self, which: Array) -> Array:
        """The weight of the entries for which a boolean is true, for each column: integers where the weights are."""
        backend, xp = self.backend, self.backend.xp
        if self.weights is None:
            return backend.count_true(which, 0)
        weights = self.weights[:, None]
        return backend.sum(xp.where(which, weights, xp.zeros_like(weights)), 0)

    def sums(self, x: Array) -> tuple[Array, Array]:
        """For each column the sum of real numbers over the entries that count, times their weights, and that of these.

        Both are in the unit of sums. Numbers of entries that do not count may be anything.
        """
        backend, counted = self.backend, self.counted
        unit = unit_of_sums(x, backend.xp)
        weights = None if self.weights is None else self.real(self.weights)[:, None] * unit
        counts = counted if weights is None else counted & (self.weights[:, None] != 0)
        if not (backend.on_host and counts.all()):
            x = backend.xp.where(counts, x, 0.0)
        return backend.sum(x * (unit if weights is None else weights), 0), self.in_unit(self.total(counted))
