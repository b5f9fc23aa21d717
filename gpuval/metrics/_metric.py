"""From a formula of the table to a public measure: what takes labels or a table and returns a score like its input.

A measure is written as a pure function of the table, and ``@measure`` gives it the arguments that build one. That is
the whole protocol: no measure validates labels, and none knows a library.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from typing import Any, Literal, Protocol, cast, overload

import numpy as np

from gpuval.engines.backends import backend_of, is_array, is_dask
from gpuval.inputs import labels as _labels
from gpuval.inputs.options import check_option
from gpuval.inputs.samples import Samples
from gpuval.numerics import Array
from gpuval.table.contingency import Contingency, CountedBlock, counted_block, invalid_if_none_left, table_of_samples
from gpuval.table.fusion import found_fused, tuple_like
from gpuval.table.partition import Side, side
from gpuval.table.view import near, near_labels

_LABELS_TRUE = """\
    labels_true
        The reference labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes; or a
        :class:`Contingency`, instead of both label vectors.
    labels_pred
        The labels to evaluate, shape (n_samples,), of the same library and on the same device.
"""
_LABELS = """\
    labels
        The labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes; or a
        :class:`Contingency`, of which ``of`` names the side.
"""
_BUILDING = """\
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, of types that the labels may be of; samples with such a label on either side do not count.
        An error if no sample is left (NaN on a device where ``n_classes`` is given).
    n_classes{also}
        The size of the table, for integer labels from 0 to below it: with it nothing leaves the device to find it out.
"""


Formula = Callable[..., Any]
Values = Literal["one", "several"]


class Measure(Protocol):
    """A measure of a table or of two label vectors."""

    __name__: str
    gives_one_number: bool

    def __call__(
        self,
        labels_true: Any,
        labels_pred: Any = None,
        *,
        sample_weight: Any = None,
        ignore_labels: Any = None,
        n_classes: int | None = None,
        n_clusters: int | None = None,
        **options: Any,
    ) -> Any:
        """Evaluate the measure."""


class LabelingMeasure(Protocol):
    """A measure of one label vector, or of one side of a table."""

    __name__: str
    gives_one_number: bool

    def __call__(
        self,
        labels: Any,
        *,
        of: Side = "true",
        sample_weight: Any = None,
        ignore_labels: Any = None,
        n_classes: int | None = None,
        **options: Any,
    ) -> Any:
        """Evaluate the measure."""


@overload
def measure(formula: Formula) -> Measure: ...
@overload
def measure(*, values: Values) -> Callable[[Formula], Measure]: ...
def measure(formula: Formula | None = None, *, values: Values = "one") -> Any:
    """Make a public measure of a formula ``f(table, *, options)`` of numbers: of CPU tensors, NumPy finds them.

    ``values`` says whether the formula gives one number for a table, or several: the attribute ``gives_one_number``.
    """
    if formula is None:
        return functools.partial(_public, may_be_near=True, values=values)
    return _public(formula, may_be_near=True, values=values)


@overload
def table_measure(formula: Formula) -> Measure: ...
@overload
def table_measure(*, values: Values) -> Callable[[Formula], Measure]: ...
def table_measure(formula: Formula | None = None, *, values: Values = "several") -> Any:
    """Make a public measure of a formula that gives tables, or takes arrays, of the library of its table."""
    if formula is None:
        return functools.partial(_public, may_be_near=False, values=values)
    return _public(formula, may_be_near=False, values=values)


def _public(formula: Formula, may_be_near: bool, values: Values) -> Measure:
    @functools.wraps(formula)
    def score(
        labels_true: Any,
        labels_pred: Any = None,
        *,
        sample_weight: Any = None,
        ignore_labels: Any = None,
        n_classes: int | None = None,
        n_clusters: int | None = None,
        **options: Any,
    ) -> Any:
        _check_known(options, formula)
        building = (sample_weight, ignore_labels, n_classes, n_clusters)
        if may_be_near and all(x is None for x in building):
            seen = near_labels(labels_true, labels_pred)
            if seen is not None:
                return _brought_back(formula(as_table(*seen), **options), labels_true)
        table = as_table(labels_true, labels_pred, *building)
        if not may_be_near:
            return finished(formula(table, **options), table)
        return _found_near(formula, table, options)

    public = cast(Measure, _documented(score, formula, _LABELS_TRUE + _BUILDING.format(also=", n_clusters")))
    public.gives_one_number = values == "one"
    return public


def _found_near(formula: Callable[..., Any], table: Contingency, options: dict[str, Any], view: Any = None) -> Any:
    """``formula`` of the table, in NumPy where that may be; ``view`` is what the formula sees of it."""
    seen = near(table)
    if seen is table:
        if view is None and not backend_of(table.counts).on_host:
            table, value = found_fused(formula, table, options)
            if value is not None:
                return value
        return finished(formula(table if view is None else view(table), **options), table)
    with np.errstate(all="ignore") if seen.invalid is not None else nullcontext():  # of which the score is NaN
        value = formula(seen if view is None else view(seen), **options)
    return finished(_brought_back(value, table.counts), table)


def labeling_measure(formula: Callable[..., Any]) -> LabelingMeasure:
    """Make a public measure of a formula ``f(partition, *, options)`` of one labeling."""

    @functools.wraps(formula)
    def score(
        labels: Any,
        *,
        of: Side = "true",
        sample_weight: Any = None,
        ignore_labels: Any = None,
        n_classes: int | None = None,
        **options: Any,
    ) -> Any:
        _check_known(options, formula)
        building = (sample_weight, ignore_labels, n_classes)
        table = labels if isinstance(labels, Contingency) else _table_of_one(labels, *building)
        check_option("of", of, ("true", "pred"))
        if table is labels:
            _check_unused(formula.__name__, building)
        else:
            of = "true"
        return _found_near(formula, invalid_if_none_left(table), options, lambda seen: side(seen, of))

    public = cast(LabelingMeasure, _documented(score, formula, _LABELS + _BUILDING.format(also="")))
    public.gives_one_number = True
    return public


def as_table(
    labels_true: Any,
    labels_pred: Any = None,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> Contingency:
    """The table of the labels, or the table that was given instead of them."""
    if not isinstance(labels_true, Contingency):
        table = Contingency.from_labels(
            labels_true,
            labels_pred,
            sample_weight=sample_weight,
            ignore_labels=ignore_labels,
            n_classes=n_classes,
            n_clusters=n_clusters,
        )
        return invalid_if_none_left(table)
    if labels_pred is not None:
        raise TypeError(f"labels_pred must be left out when a table is given, got {type(labels_pred).__name__}")
    _check_unused("a measure", (sample_weight, ignore_labels, n_classes, n_clusters))
    return invalid_if_none_left(labels_true)


def finished(value: Any, table: Contingency) -> Any:
    """``value`` as it goes out: a scalar on NumPy; NaN where samples of the table could not be counted."""
    if isinstance(value, tuple):
        return _each(value, lambda x: finished(x, table))
    if (
        table.invalid is not None
        and (is_array(value) or backend_of(value).on_host)
        and backend_of(value).kind(value) == "real"
    ):
        valid = table.invalid == 0  # one for each table; a value may have more dimensions
        valid = table.xp.reshape(valid, (*valid.shape, *(1,) * (len(value.shape) - len(valid.shape))))
        value = table.xp.where(valid, value, float("nan"))
    return value[()] if backend_of(value).on_host else value


def _brought_back(value: Any, like: Array) -> Any:
    """What NumPy found, in the library and on the device of ``like``."""
    if isinstance(value, tuple):
        return _each(value, lambda x: _brought_back(x, like))
    return backend_of(like).from_host(value, like)


def _each(values: tuple[Any, ...], function: Callable[[Any], Any]) -> Any:
    """A tuple, or a named one, of what ``function`` makes of each value."""
    return tuple_like(values, map(function, values))


def _check_known(options: dict[str, Any], formula: Callable[..., Any]) -> None:
    """Check, before any work, that a measure has these options: all of them are keywords with a default."""
    known = formula.__kwdefaults__ or {}
    for name in options:
        if name not in known:
            takes = f"its own are {', '.join(known)}" if known else "it has none of its own"
            raise TypeError(f"{formula.__name__}() got an unexpected keyword argument {name!r}; {takes}")


def _table_of_one(
    labels: Any, sample_weight: Any = None, ignore_labels: Any = None, n_classes: int | None = None
) -> Contingency:
    size = None if n_classes is None else _labels.check_size(n_classes, "n_classes")
    ignore = _labels.ignored(ignore_labels)
    if is_dask(labels):
        from gpuval.engines.blocks import from_blocks

        _labels.check_ignored_by_dtype(ignore, {"labels": labels})
        build = functools.partial(_block_of_one, ignore=ignore, size=size)
        counted = from_blocks(build, {"labels": labels, "sample_weight": sample_weight})
        return cast(Contingency, counted.of_all("labels", bool(ignore), sample_weight is not None).table)
    samples = _samples_of_one(labels, sample_weight, ignore)
    _labels.check_ignored(ignore, samples.true)
    return table_of_samples(replace(samples, are_all=True), size, None if size is None else 1)


def _block_of_one(labels: Any, sample_weight: Any = None, *, ignore: tuple[Any, ...], size: int | None) -> CountedBlock:
    return counted_block(_samples_of_one(labels, sample_weight, ignore), size, None if size is None else 1)


def _samples_of_one(labels: Any, sample_weight: Any, ignore: tuple[Any, ...]) -> Samples:
    vector = _labels.read_labels(labels, "labels")
    xp = backend_of(vector.data).xp
    one = _labels.Vector("labels", None, xp.zeros_like(vector.data, dtype=xp.uint8))
    weights = _labels.read_weights(sample_weight, vector)
    return Samples(vector, one, weights, ignore, only_true=True)


def _check_unused(who: str, building: tuple[Any, ...]) -> None:
    names = ("sample_weight", "ignore_labels", "n_classes", "n_clusters")
    for name, value in zip(names, building, strict=False):
        if value is not None:
            raise TypeError(f"{name} must be given where the table is built: {who} of a table takes no {name}=")


def _documented(score: Any, formula: Callable[..., Any], parameters: str) -> Any:
    """Give the public function the docstring and the signature of the whole."""
    own = list(inspect.signature(formula).parameters.values())[1:]
    outer = inspect.signature(score, follow_wrapped=False)
    building = [p for p in outer.parameters.values() if p.kind is not p.VAR_KEYWORD]
    positional = [p for p in building if p.kind is not p.KEYWORD_ONLY]
    keywords = [p for p in building if p.kind is p.KEYWORD_ONLY]
    score.__signature__ = outer.replace(parameters=[*positional, *own, *keywords])
    header = "    Parameters\n    ----------\n"
    if formula.__doc__:
        if header not in formula.__doc__:
            before, returns, after = formula.__doc__.partition("    Returns\n")
            score.__doc__ = f"{before}{header}{parameters}\n{returns}{after}"
        else:
            score.__doc__ = formula.__doc__.replace(header, header + parameters, 1)
    return score
