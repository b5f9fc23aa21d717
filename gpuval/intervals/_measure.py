"""Turns a formula of the overlap of two intervals into a public measure: its arguments, its docstring, and the mean."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, cast

from gpuval.engines import lazily, sum_over_blocks
from gpuval.engines.backends import Backend, OfOneLibrary, backend_of, is_dask, to_host
from gpuval.inputs.features import beyond_floats, may_round
from gpuval.inputs.options import check_flag, check_known_options, out_of_range
from gpuval.inputs.samples import is_weight
from gpuval.intervals.reading import Intervals, check_any_counts, check_form, read_both
from gpuval.measures.documents import publish
from gpuval.measures.means import BlockSums, MeanSums
from gpuval.measures.measure import Family
from gpuval.measures.result import Formula, OnUndefined, as_result, check_on_undefined, value_if_undefined
from gpuval.numerics import Array
from gpuval.numerics.stable import ratio, sum_with_weights, sums_for_means

_INTERVALS = """\
    true_intervals, pred_intervals
        The start and the end of the true and of the predicted interval of each sample, shape (n_samples, 2), or (2,)
        for one sample: arrays of one library and on one device, nested sequences, or data frames of two columns. Start
        and end may be equal or infinite. Dask arrays are read in blocks of rows, whose sums are added up;
        ``return_per_sample`` is then not available.
"""
_COMMON = """\
    mask
        Which samples count: booleans of shape (n_samples,). The other samples may have any intervals.
    sample_weight
        The weight of each sample in the mean, shape (n_samples,), not negative. A sample with the weight 0 does not
        count.
    on_undefined
        The value of a sample for which the measure is not defined, because its intervals differ and are both of
        infinite length: "nan", the default, "zero", "one", or "skip", which leaves the sample out of the mean.
    return_per_sample
        Whether to return the value of each sample, too.
"""


class IntervalMeasure(Protocol):
    """A measure of intervals."""

    __name__: str
    formula: Formula
    on_undefined: OnUndefined
    """The default value of a sample for which the measure is not defined."""

    def __call__(
        self,
        true_intervals: Any,
        pred_intervals: Any,
        *,
        mask: Any = None,
        sample_weight: Any = None,
        on_undefined: OnUndefined = "nan",
        return_per_sample: bool = False,
        **options: Any,
    ) -> Any:
        """Evaluate the measure."""


class SampleValues(NamedTuple):
    """The mean over the samples, and the value of each sample: the result with ``return_per_sample=True``."""

    score: Any
    """The mean over the samples."""
    sample_scores: Any
    """The value of each sample, shape (n_samples,); NaN for one that the mask leaves out."""


def interval_metric(formula: Formula) -> IntervalMeasure:
    """Make a public measure of a formula ``f(overlap, *, options)``, which gives a value for each sample."""

    @functools.wraps(formula)
    def score(
        true_intervals: Any,
        pred_intervals: Any,
        *,
        mask: Any = None,
        sample_weight: Any = None,
        on_undefined: OnUndefined = "nan",
        return_per_sample: bool = False,
        **options: Any,
    ) -> Any:
        check_known_options(options, formula)
        check_on_undefined(on_undefined)
        check_flag("return_per_sample", return_per_sample)
        values_of = functools.partial(_values, formula=functools.partial(formula, **options), on_undefined=on_undefined)
        if is_dask(true_intervals) or is_dask(pred_intervals):
            if return_per_sample:
                raise TypeError(
                    "return_per_sample must be False where Dask holds the intervals, as blocks give sums alone: "
                    "compute them"
                )
            return _mean_over_blocks(values_of, true_intervals, pred_intervals, mask, sample_weight)
        given = read_both(true_intervals, pred_intervals, mask, sample_weight)
        checked = given.validate(are_all=True)
        values, weights = values_of(checked.map_arrays(lazily) or checked)
        xp = backend_of(values).xp
        mean = as_result(ratio(*sum_with_weights(values, weights, xp), xp, float("nan")), given.true)
        return SampleValues(mean, as_result(values, given.true)) if return_per_sample else mean

    public = cast(IntervalMeasure, publish(score, formula, (_INTERVALS, "", _COMMON)))
    public.formula, public.on_undefined = formula, "nan"
    return public


INTERVALS = Family("intervals, such as events in time", interval_metric, of_two=True)


def interval_sums(given: Intervals, asked: Iterable[tuple[Formula, OnUndefined]]) -> Array:
    """The sums over the samples of formulas, each with what it is where it has no value, as ``sums_for_means``."""
    overlap, xp = overlap_of(given), given.backend.xp
    return sums_for_means((sum_with_weights(*_values_of(overlap, given, *one), xp) for one in asked), xp)


def _values(given: Intervals, formula: Formula, on_undefined: OnUndefined) -> tuple[Array, Array | None]:
    """The value of each sample, and its weight in the mean, if not all have the same."""
    return _values_of(overlap_of(given), given, formula, on_undefined)


def _values_of(
    overlap: Overlap, given: Intervals, formula: Formula, on_undefined: OnUndefined
) -> tuple[Array, Array | None]:
    """The same, of what the intervals have in common."""
    backend = given.backend
    xp, mask = backend.xp, given.mask
    values, broken = formula(overlap), overlap.broken
    weights = None if given.weights is None else backend.as_real(given.weights, given.true)
    values = xp.where(overlap.undefined, value_if_undefined(on_undefined), values)
    if given.weights is not None:
        broken = broken | xp.any(~is_weight(given.weights)) | out_of_range(given.weights)
    values = xp.where(broken, float("nan"), values)
    counts = mask
    if on_undefined == "skip":
        counts = _both(mask, ~overlap.undefined)
    if mask is not None:
        values = xp.where(mask, values, float("nan"))
    if counts is not None:
        weights = xp.where(counts, xp.ones_like(values) if weights is None else weights, 0.0)
    return values, weights


def _both(mask: Array | None, others: Array) -> Array:
    return others if mask is None else mask & others


# Dask


def _mean_over_blocks(
    values_of: Callable[[Intervals], tuple[Array, Array | None]], true: Any, pred: Any, mask: Any, sample_weight: Any
) -> Any:
    """The mean over samples of which Dask holds some in each block."""
    intervals = {"true_intervals": true, "pred_intervals": pred}
    for name, x in intervals.items():
        if hasattr(x, "chunks"):
            check_form(name, x.shape, may_be_one=False)
    build = functools.partial(_sums_of_block, values_of)
    weighing = {"mask": mask, "sample_weight": sample_weight}
    found: BlockSums[MeanSums] = sum_over_blocks(build, intervals | weighing, tuple(intervals))
    n_counted, n_samples = found.numbers
    check_any_counts(bool(to_host(n_counted > 0)), n_samples, masks=mask is not None, weighs=sample_weight is not None)
    assert found.sums is not None
    return as_result(found.sums.means()[0, ...])


def _sums_of_block(values_of: Callable[[Intervals], tuple[Array, Array | None]], **block: Any) -> BlockSums[MeanSums]:
    """The sums of a block, how many of its samples count, and how many there are."""
    arguments = {"mask": None, "sample_weight": None} | block
    given = read_both(**arguments).validate(are_all=False)
    values, weights = values_of(given)
    backend = backend_of(values)
    sums = sums_for_means([sum_with_weights(values, weights, backend.xp)], backend.xp)
    return BlockSums(MeanSums(sums), (backend.count_true(given.count_mask()), int(values.shape[0])))


# What two intervals have in common, as a share of each: no length overflows, and integers lose no digits.


@dataclass(frozen=True)
class Overlap(OfOneLibrary):
    """What the two intervals of each sample have in common; all of shape (n_samples,)."""

    _like = "of_true"

    of_true: Array
    """Its length as a share of that of the true interval; 0 if this is a point."""
    of_pred: Array
    """Its length as a share of that of the predicted interval; 0 if this is a point."""
    undefined: Array
    """Whether the intervals are different, and both of infinite length; the shares stand for nothing then."""
    broken: Array
    """Whether an interval has a NaN, or an end below its start; the shares stand for nothing then."""


def overlap_of(intervals: Intervals) -> Overlap:
    """The overlap of true and predicted intervals, in the widest floats of their library."""
    true, pred, backend = intervals.true, intervals.pred, intervals.backend
    if backend.kind(true) == backend.kind(pred) == "integer":
        return _integer_overlap(true, pred, backend)
    xp = backend.xp
    a, b, c, d = (x[:, i] for x in (backend.as_real(true, true), backend.as_real(pred, true)) for i in (0, 1))
    are_intervals = (a <= b) & (c <= d)
    differ = are_intervals & ~((a == c) & (b == d))
    undefined = differ & _are_infinite(a, b, xp) & _are_infinite(c, d, xp)
    # Of all that no formula is for, equal intervals stand in the place, so that no value and no gradient is NaN.
    regular = differ & ~undefined
    a, b, c, d = (xp.where(regular, x, xp.full_like(x, i)) for x, i in ((a, 0), (b, 1), (c, 0), (d, 1)))
    start, end = xp.where(a < c, c, a), xp.where(d < b, d, b)
    broken = ~are_intervals
    for x in (true, pred):
        if may_round(x):
            broken = broken | xp.any(beyond_floats(x), axis=1)
    return Overlap(_share(start, end, a, b, xp), _share(start, end, c, d, xp), undefined, broken)


def _are_infinite(start: Array, end: Array, xp: Any) -> Array:
    """Where intervals are of infinite length; a point at infinity is of length 0."""
    return (start < end) & (xp.isinf(start) | xp.isinf(end))


def _share(start: Array, end: Array, a: Array, b: Array, xp: Any) -> Array:
    """The length from ``start`` to ``end`` as a share of that from ``a`` to ``b``, within which these lie."""
    most = float(xp.finfo(a.dtype).max) / 2
    is_large = (xp.abs(a) > most) | (xp.abs(b) > most)
    unit = xp.where(is_large, xp.full_like(a, 0.5), xp.ones_like(a))  # else the length may overflow
    return ratio(_length(start, end, unit, xp), _length(a, b, unit, xp), xp)


def _length(start: Array, end: Array, unit: Array, xp: Any) -> Array:
    """The length from ``start`` to ``end`` times ``unit``, a power of two; 0 if the end is not above the start."""
    is_some = start < end
    return xp.where(is_some, end, 0.0) * unit - xp.where(is_some, start, 0.0) * unit


# Integers, also of two types of which neither holds the numbers of the other


class _Halves(NamedTuple):
    """Integers by halves, rounded down, which the widest type holds whatever theirs is, and what is left: 0 or 1."""

    half: Array
    rest: Array


def _integer_overlap(true: Array, pred: Array, backend: Backend) -> Overlap:
    xp = backend.xp
    a, b, c, d = (_halves(x[:, i], backend) for x in (true, pred) for i in (0, 1))
    start, end = _select(_are_below(a, c), c, a, xp), _select(_are_below(d, b), d, b, xp)
    differ = _are_below(a, c) | _are_below(c, a) | _are_below(b, d) | _are_below(d, b)
    common = _length_of(start, end, backend)
    of_true, of_pred = (xp.where(differ, ratio(common, _length_of(*x, backend), xp), 1.0) for x in ((a, b), (c, d)))
    return Overlap(of_true, of_pred, xp.zeros_like(differ), _are_below(b, a) | _are_below(d, c))


def _halves(x: Array, backend: Backend) -> _Halves:
    xp, wide = backend.xp, backend.widest(x).int
    whole = xp.astype(x, wide)
    half = whole >> 1
    if backend.is_unsigned(x):  # what is beyond the type has become negative
        half = half & int(xp.iinfo(wide).max)
    return _Halves(half, whole & 1)


def _are_below(x: _Halves, y: _Halves) -> Array:
    found: Array = (x.half < y.half) | ((x.half == y.half) & (x.rest < y.rest))
    return found


def _select(where: Array, x: _Halves, y: _Halves, xp: Any) -> _Halves:
    return _Halves(xp.where(where, x.half, y.half), xp.where(where, x.rest, y.rest))


def _length_of(start: _Halves, end: _Halves, backend: Backend) -> Array:
    """The length from ``start`` to ``end``, rounded once; 0 if the end is not above the start.

    Integers do not hold it if it is large, but they hold half of it, without the rest.
    """
    odd = end.rest - start.rest
    half = end.half - start.half + (odd >> 1)  # which rounds down
    length = backend.as_real(half, half) * 2 + backend.as_real(odd & 1, half)
    return backend.xp.where(_are_below(start, end), length, 0.0)
