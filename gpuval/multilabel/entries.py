"""The labels of samples and what is predicted of them, as users give both: read, checked, and arranged in columns."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeVar

import numpy as np

from gpuval.engines import engine_of
from gpuval.engines.backends import OfOneLibrary, backend_of, detach
from gpuval.inputs.labels import Vector, check_alike, check_beside_or_on_host, check_indexes
from gpuval.inputs.numbers import (
    Form,
    brought,
    check_columns,
    host_views,
    read_booleans,
    read_numbers,
    require_in_memory,
)
from gpuval.inputs.options import out_of_range
from gpuval.inputs.samples import check_weights, is_weight
from gpuval.inputs.selection import read_ignored_numbers, read_weights
from gpuval.multilabel.arrays import MUST_BE, LabelArrays, What
from gpuval.multilabel.label_sets import is_label_sets
from gpuval.numerics import Array
from gpuval.numerics.parallel import parallel_map, slices
from gpuval.numerics.stable import unit_of_sums

Result = TypeVar("Result")

_SUMMED: tuple[What, ...] = ("numbers", "probabilities")
"""What is added up, times weights: a number of weight 0 adds nothing, also if a function of it is infinite."""

_BLOCK = 1 << 16
"""How many entries NumPy goes through at a time."""

FORM = Form("sample", "(n_samples, n_classes)")
SETS = "; give sets where rows hold labels"
"""What to do about lists that are the rows of no matrix."""
_LABELS = replace(FORM, ragged=SETS)
_FORM_WITH_SCORES = replace(
    _LABELS, text="; text goes with predicted labels, y_pred=; with scores give y_true == label"
)
_SCORES = replace(FORM, text="; give predicted labels as y_pred=, which f_score and others take")


@dataclass(frozen=True)
class Entries(OfOneLibrary):
    """The labels of n samples and c classes, and what is predicted of them, in one library."""

    _like = "values"

    values: Array
    """What is predicted, shape (n, c): booleans, or numbers."""
    positives: Array
    """Booleans, shape (n, c): which samples have the class."""
    negatives: Array
    """Booleans, shape (n, c): which do not have it; in neither is what does not count."""
    weights: Array | None
    """The weights of the samples, shape (n,)."""
    wrong: Array | None
    """Booleans, shape (n, c): of which entries nothing can be made; None where values are looked at: then of none."""
    is_broken: Array | None
    """Whether something is wrong with all of them, such as a weight, if values are not looked at."""
    given: Array
    """What results are like."""

    @property
    def classes(self) -> range:
        """The classes, which are the columns."""
        return range(int(self.values.shape[1]))

    def is_any_known(self) -> bool:
        """Whether a label counts; of a device this waits for it."""
        xp = self.backend.xp
        return bool(self.backend.to_host(xp.any(self.positives) | xp.any(self.negatives)))

    def columns(self, of: Of) -> Columns:
        """The entries by class, by sample, in which no sample has a weight of its own, or all in one column."""
        xp, arrays, weights = self.backend.xp, (self.values, self.positives, self.negatives), self.weights
        if of == "classes":
            broken = self._broken(0)
        elif of == "samples":
            arrays = tuple(xp.permute_dims(x, (1, 0)) for x in arrays)
            weights, broken = None, self._broken(1)
        else:
            arrays = tuple(xp.reshape(x, (-1, 1)) for x in arrays)
            broken = self._broken(None)
            broken = None if broken is None else xp.reshape(broken, (1,))
        values, positives, negatives = arrays
        return Columns(values, positives, negatives, weights, broken)

    def map_blocks(self, found: Callable[[Entries], Result]) -> list[Result]:
        """What a function finds of each block of samples, on all cores; elsewhere than in NumPy, of all at once."""
        if not self.backend.on_host:
            return [found(self)]
        return parallel_map(lambda own: found(self._part(own)), _blocks_of(self.values))

    def _part(self, own: slice) -> Entries:
        arrays = {name: getattr(self, name) for name in ("values", "positives", "negatives", "weights")}
        return replace(self, **{name: None if x is None else x[own] for name, x in arrays.items()})

    def _broken(self, axis: int | None) -> Array | None:
        if self.wrong is None:
            return None
        broken = self.backend.xp.any(self.wrong, axis=axis)
        return broken if self.is_broken is None else broken | self.is_broken


def read_dense_entries(
    y_true: Any,
    predicted: Any,
    name: str,
    what: What,
    *,
    mask: Any = None,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    are_all: bool = True,
    needed_by: tuple[str, ...] = (),
) -> Entries:
    """Read labels, and what is predicted of them, the argument ``name``; values are looked at if they lie on the host.

    Gradients are kept of numbers and probabilities, which scores can be differentiated by. Of samples that ``are_all``
    of a call one must count; of a batch or a block none may. Of several measures ``needed_by`` are those that need
    predictions of this kind, which a message names.
    """
    ignored = read_ignored_numbers(ignore_labels, "ignore_labels")
    of_true, of_predicted = (_FORM_WITH_SCORES, _SCORES) if name == "y_score" else (_LABELS, _LABELS)
    arrays = {
        "y_true": detach(read_numbers(y_true, "y_true", of_true)),
        name: read_numbers(predicted, name, of_predicted),
        "mask": None if mask is None else read_booleans(mask, "mask", FORM),
        "sample_weight": None
        if sample_weight is None
        else detach(read_weights(require_in_memory(sample_weight, "sample_weight"))),
    }
    if what in ("labels", "scores"):
        arrays[name] = detach(arrays[name])
    lists = [x for x in ((y_true, predicted) if name == "y_pred" else (y_true,)) if isinstance(x, list | tuple)]
    _check_shapes(arrays, name, are_all=are_all, hint=SETS if lists else "")
    first = Vector("y_true", y_true, arrays["y_true"])
    check_alike(first, Vector(name, predicted, arrays[name]))
    check_indexes(y_true=y_true, **{name: predicted}, mask=mask, sample_weight=sample_weight)
    check_columns(y_true=y_true, **{name: predicted}, mask=mask)
    check_beside_or_on_host(first, mask=arrays["mask"], sample_weight=arrays["sample_weight"])
    if not first.size:
        arrays["sample_weight"] = None  # without samples all sums are 0 in any case
    given = backend_of(first.data).zeros_beside((0,), first.data.dtype, first.data)
    views = host_views(arrays)
    if views is not None:
        return _host_entries(LabelArrays(views, name, what, ignored, are_all, needed_by), given)
    return _device_entries(LabelArrays(brought(arrays, first.data), name, what, ignored, are_all, needed_by), given)


def is_vector(x: Any) -> bool:
    """Whether something that users give is one vector, and no matrix."""
    shape = getattr(x, "shape", None)
    if shape is not None:
        return len(shape) == 1 and not is_label_sets(x)
    if not (hasattr(x, "__len__") and isinstance(x, Iterable)) or isinstance(x, str | bytes | Mapping | Set):
        return False
    first = next((row for row in x if row is not None), 0)  # rows that are not like it are an error later
    return not hasattr(first, "__len__") or isinstance(first, str | bytes) or getattr(first, "shape", None) == ()


def _check_shapes(arrays: dict[str, Any], name: str, *, are_all: bool, hint: str) -> None:
    true, predicted, mask, weights = (arrays[x] for x in ("y_true", name, "mask", "sample_weight"))
    shape = tuple(true.shape)
    if len(shape) == 1 and len(predicted.shape) == 2:
        if predicted.shape[0] != shape[0]:
            raise ValueError(f"{name} must have a row for each sample of y_true ({shape[0]}), got {predicted.shape[0]}")
        if backend_of(true).kind(true) == "bool":
            raise TypeError(
                f"y_true must hold the class of each sample, as integers from 0, where {name} is a matrix, got dtype "
                f"{true.dtype}; give a matrix of labels, or integers"
            )
    elif tuple(predicted.shape) != shape:
        hint = hint if len(shape) == len(predicted.shape) == 2 and shape[0] == predicted.shape[0] else ""
        raise ValueError(f"{name} must have the shape of y_true, {shape}, got {tuple(predicted.shape)}{hint}")
    if mask is not None and tuple(mask.shape) != shape:
        raise ValueError(f"mask must have the shape of y_true, {shape}, got {tuple(mask.shape)}")
    if weights is not None and weights.shape[0] != shape[0]:
        raise ValueError(f"sample_weight must have a weight for each sample ({shape[0]}), got {weights.shape[0]}")
    if 0 in (predicted.shape if are_all else predicted.shape[1:]):
        least = "one sample and one class" if are_all else "one class"
        raise ValueError(f"y_true must have at least {least}, got shape {tuple(predicted.shape)}")


def _blocks_of(x: Array) -> list[slice]:
    """The blocks of samples of a vector or a matrix of NumPy: what is found of one stays in caches."""
    return slices(x.shape[0], max(1, _BLOCK // math.prod(x.shape[1:]))) or [slice(0, 0)]


def _host_entries(given: LabelArrays, like: Array) -> Entries:
    """Entries of NumPy, after a look at all values that count, block by block."""
    parts = parallel_map(lambda own: _block_entries(given.part(own), like), _blocks_of(given.predicted))
    values = given.as_matrix(given.predicted) if given.what != "labels" else _join([x.values for x in parts])
    if given.what in _SUMMED and given.weights is not None and not given.weights.all():
        values = np.where(given.weights[:, None] == 0, 0, values)
    positives, negatives = _join([x.positives for x in parts]), _join([x.negatives for x in parts])
    entries = Entries(values, positives, negatives, given.weights, None, None, like)
    is_any_weight = check_weights(given.weights)
    if given.are_all:
        leaving_out = {"mask": given.arrays["mask"], "ignore_labels": given.ignored or None}
        is_any_known = all(x is None for x in leaving_out.values()) or entries.is_any_known()
        check_some_label_counts(len(given.true), is_any_weight=is_any_weight, is_any_known=is_any_known, **leaving_out)
    return entries


def check_some_label_counts(n_samples: int, *, is_any_weight: bool, is_any_known: bool, **given: Any) -> None:
    """Check that of all samples of a call at least one counts; ``given`` may have left labels out."""
    if not is_any_weight:
        raise ValueError(f"sample_weight must be above 0 for at least one sample, got none of {n_samples}")
    if not is_any_known:
        names = " and ".join(name for name, x in given.items() if x is not None)
        raise ValueError(f"{names} must leave at least one label of y_true, got none left of {n_samples} samples")


def _block_entries(given: LabelArrays, like: Array) -> Entries:
    """Entries of a block."""
    (positives, wrong), (values, wrong_values), counted = given.labels(), given.predictions(), given.count_mask()
    given.check("y_true", wrong, counted, "hold 0 and 1")
    needed_by = f", for {', '.join(given.needed_by)}" if given.needed_by else ""
    given.check(given.name, wrong_values, counted, f"{MUST_BE[given.what]}{needed_by}")
    return _entries(given, positives, values, counted, None, None, like)


def _join(parts: list[Any]) -> Any:
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def _device_entries(given: LabelArrays, like: Array) -> Entries:
    """Entries on a device, or of a graph: what is wrong is marked, and nothing is transferred."""
    backend = given.backend
    xp = backend.xp
    (positives, wrong), (values, wrong_values), counted = given.labels(), given.predictions(), given.count_mask()
    wrong = wrong | wrong_values
    if counted is not None:
        wrong = wrong & (counted[:, None] if len(counted.shape) < len(wrong.shape) else counted)
    is_broken = None
    if (weights := given.weights) is not None:
        is_broken = xp.any(~is_weight(weights)) | out_of_range(weights)
        is_broken = is_broken | ~xp.any(weights != 0) if given.are_all else is_broken
    if given.are_all and counted is not None:
        is_broken = ~xp.any(counted) if is_broken is None else is_broken | ~xp.any(counted)
    return _entries(given, positives, values, counted, wrong, is_broken, like)


def _entries(
    given: LabelArrays,
    positives: Array,
    values: Array,
    counted: Array | None,
    wrong: Array | None,
    is_broken: Array | None,
    like: Array,
) -> Entries:
    xp = given.backend.xp
    values, positives = given.as_matrix(values), given.as_matrix(positives)
    negatives = ~positives
    if counted is not None:
        counted = given.as_matrix(counted)
        positives, negatives = positives & counted, negatives & counted
    if wrong is not None:
        wrong = given.as_matrix(wrong)
        if given.what != "labels":  # a gradient would be NaN where a value is, whether or not it counts
            unfit = wrong if counted is None else wrong | ~counted
            if given.what in _SUMMED and given.weights is not None:
                unfit = unfit | (given.weights == 0)[:, None]
            values = xp.where(unfit, xp.zeros_like(values), values)
    return Entries(values, positives, negatives, given.weights, wrong, is_broken, like)


# Columns of labels and of what is predicted: the classes, the samples, or all entries in one.

Of = Literal["classes", "samples", "entries"]
"""What columns are of: one for each class, one for each sample, or one of all entries."""


@dataclass(frozen=True)
class Columns(OfOneLibrary):
    """The entries of n rows and k columns, of which each is positive or negative, or does not count."""

    _like = "values"

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
    def n_columns(self) -> int:
        """How many columns there are."""
        return int(self.values.shape[1])

    @property
    def count_mask(self) -> Array:
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
        backend, n_rows = self.backend, self.to_unit(self.weight_of_rows())
        places = backend.arange_beside(0, self.n_columns, backend.widest(n_rows).int, n_rows)
        return backend.xp.where(places == 0, n_rows, 0.0)

    def weight_of_rows(self) -> Array:
        """The weight of the rows with an entry that counts."""
        return self.total(self.backend.xp.any(self.count_mask, axis=1)[:, None])

    def to_unit(self, weights: Array) -> Array:
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
        backend, counted = self.backend, self.count_mask
        weights, counts = unit_of_sums(x, backend.xp), counted
        if self.weights is not None:
            own = self.weights[:, None]
            weights, counts = self.real(own) * weights, counted & (own != 0)
        if not (backend.on_host and counts.all()):
            x = backend.xp.where(counts, x, 0.0)
        return backend.sum(x * weights, 0), self.to_unit(self.total(counted))

    def concordance(self) -> tuple[Array, Array, Array]:
        """What ``Engine.concordance`` says of the columns."""
        return engine_of(self.values).concordance(self.values, self.positives, self.negatives, self.weights)

    def precisions(self) -> tuple[Array, Array]:
        """What ``Engine.precisions`` says of the columns."""
        return engine_of(self.values).precisions(self.values, self.positives, self.negatives, self.weights)

    def binned(self, n_bins: int, low: float, high: float) -> tuple[Array, Array]:
        """What ``Engine.binned`` says of the columns."""
        arrays = self.values, self.positives, self.negatives, self.weights
        return engine_of(self.values).binned(*arrays, n_bins, low, high)
