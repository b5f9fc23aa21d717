"""Labels and predictions in arrays of one library: which are positive, which do not count, and which are wrong."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from gpuval.engines.backends import OfOneLibrary, backend_of
from gpuval.inputs.labels import Vector
from gpuval.inputs.numbers import place_of
from gpuval.inputs.selection import ignore_mask
from gpuval.numerics import Array

What = Literal["labels", "scores", "numbers", "probabilities"]
"""What predictions are: 0 and 1; scores, of which the order counts; finite numbers; or numbers from 0 to 1."""

MUST_BE = {
    "labels": "hold 0 and 1",
    "scores": "not hold NaN",
    "numbers": "be finite",
    "probabilities": "hold probabilities, from 0 to 1",
}
_LOGITS = "log_loss(from_logits=True) takes logits"
_HINTS = {
    "labels": "; gpuval.multilabel.predicted_labels(y_score) makes labels of scores",
    "probabilities": f"; {_LOGITS}",
}
_OF_SEVERAL = f"; give probabilities, or other metrics; {_LOGITS}"
_UNKNOWN = "; give ignore_labels= or mask= where a label is not known"
_EXCHANGED = "; labels come before what is predicted"
_OTHERS = "; give y_true == label where a class has another label than 1"
_OF_ROWS = ", and sets where rows hold labels"
"""What to do about labels that are NaN or negative, about fractions, and about others, also in a matrix."""


@dataclass(frozen=True)
class LabelArrays(OfOneLibrary):
    """Arrays of one library, by the names of arguments, and what they are to be."""

    _like = "predicted"

    arrays: dict[str, Any]
    name: str
    what: What
    ignored: tuple[Any, ...]
    are_all: bool
    needed_by: tuple[str, ...]
    first: int = 0
    """The row of the first of these samples among all that were given."""

    @property
    def true(self) -> Array:
        """The labels that are true."""
        return self.arrays["y_true"]

    @property
    def predicted(self) -> Array:
        """Labels, scores or probabilities."""
        return self.arrays[self.name]

    @property
    def weights(self) -> Array | None:
        """The weights of the samples; None if each counts once."""
        return self.arrays["sample_weight"]

    def part(self, own: slice) -> LabelArrays:
        """Some of the samples."""
        arrays = {name: None if x is None else x[own] for name, x in self.arrays.items()}
        return replace(self, arrays=arrays, first=own.start)

    def count_mask(self) -> Array | None:
        """Which labels count; None if all do."""
        mask = self.arrays["mask"]
        ignored = None
        if self.ignored:
            xp, shape = self.backend.xp, tuple(self.true.shape)
            ignored = ignore_mask(Vector("y_true", None, xp.reshape(self.true, (-1,))), self.ignored)
            ignored = None if ignored is None else xp.reshape(ignored, shape)
        return mask if ignored is None else (~ignored if mask is None else mask & ~ignored)

    def labels(self) -> tuple[Array, Array]:
        """Which labels are positive, and which are neither that nor negative; in the shape of what is predicted."""
        true, predicted, backend = self.true, self.predicted, self.backend
        xp = backend.xp
        if len(true.shape) == 1 and len(predicted.shape) == 2:
            n_classes = predicted.shape[1]
            classes = backend.arange_beside(0, n_classes, backend.widest(true).int, true)
            wrong = ~((true >= 0) & (true < n_classes))
            if backend.kind(true) == "real":
                wrong = wrong | (xp.trunc(true) != true)
            codes = xp.astype(xp.where(wrong, xp.zeros_like(true), true), backend.widest(true).int)
            is_class = (codes[:, None] == classes[None, :]) & ~wrong[:, None]
            return is_class, xp.broadcast_to(wrong[:, None], tuple(predicted.shape))
        return _as_booleans(true)

    def predictions(self) -> tuple[Array, Array]:
        """What is predicted, labels as booleans, and which of it is not what it must be."""
        predicted, backend = self.predicted, self.backend
        xp, kind = backend.xp, backend.kind(predicted)
        if self.what == "labels":
            return _as_booleans(predicted)
        if self.what == "probabilities" and kind != "bool":
            return predicted, ~((predicted >= 0) & (predicted <= 1))
        if kind != "real":
            return predicted, xp.zeros_like(predicted, dtype=xp.bool)
        return predicted, xp.isnan(predicted) if self.what == "scores" else ~xp.isfinite(predicted)

    def check(self, name: str, wrong: Any, counted: Any, must: str) -> None:
        """Check that nothing is wrong of what counts of an argument, arrays of NumPy."""
        if not wrong.any():
            return
        if counted is not None:
            wrong = wrong & (counted[:, None] if counted.ndim < wrong.ndim else counted)
        if not wrong.any():
            return
        x, where = self.arrays[name], tuple(int(i) for i in np.argwhere(wrong)[0])
        place = self.place(name, where)
        if x.ndim < wrong.ndim:
            found = x[where[0]]
            must, hint = f"the class of each sample, from 0 to below {wrong.shape[1]}", "" if found >= 0 else _UNKNOWN
            raise ValueError(f"{name} must hold {must}, got {found} at {place}{hint}")
        raise ValueError(f"{name} must {must}, got {x[where]} at {place}{self._hint(name, x[where])}")

    def place(self, name: str, where: tuple[int, ...]) -> str:
        """The place of a value of an argument, as text."""
        return place_of((self.first + where[0], *where[1 : self.arrays[name].ndim]))

    def _hint(self, name: str, wrong: Any) -> str:
        """What to do about a value of an argument."""
        if name != "y_true":
            return _OF_SEVERAL if self.needed_by else _HINTS.get(self.what, "")
        if not wrong >= 0:
            return _UNKNOWN
        return _OTHERS + _OF_ROWS * (self.true.ndim == 2) if wrong >= 1 else _EXCHANGED

    def as_matrix(self, x: Array) -> Array:
        """An array as a matrix: a vector is one column."""
        return x[:, None] if len(x.shape) == 1 else x


def _as_booleans(x: Array) -> tuple[Array, Array]:
    """Which of some numbers are 1, and which are neither 0 nor 1."""
    backend = backend_of(x)
    if backend.kind(x) == "bool":
        return x, backend.xp.zeros_like(x)
    is_one = backend.equals(x, 1)
    return is_one, is_one == backend.equals(x, 0)
