"""Means of interval measures that are updated batch by batch: for loops, streams and checkpoints."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple

from gpuval.intervals import similarity
from gpuval.intervals._measure import IntervalMeasure, interval_sums
from gpuval.intervals.reading import Intervals, read_both
from gpuval.measures.means import MeansAccumulator
from gpuval.measures.names import measure_texts, measures_by_name, name_of
from gpuval.measures.result import Formula, OnUndefined, check_on_undefined
from gpuval.numerics import Array
from gpuval.streaming.checkpoints import constants

__all__ = ["IntervalAccumulator"]


class IntervalAccumulator(MeansAccumulator):
    """Means of interval measures over the samples of many batches; each sample has a true and a predicted interval.

    Use it in an evaluation loop, where not all samples are in memory at once: call ``update`` for each batch, then read
    ``scores``. For each measure it keeps two numbers: the sum of the values of the samples, each multiplied by its
    weight; and the sum of these weights, which differs between measures if ``on_undefined="skip"`` leaves samples out.
    So its memory does not grow with the number of batches, and no interval is kept. Both sums are in the widest float,
    and compensated: the rounding error of each addition is also summed, next to them.

    ``update`` waits for nothing on a device; invalid values there make the scores NaN. On the host invalid values are
    an error, and a batch that is refused changes nothing. Only one thread at a time may call ``update``.

    Parameters
    ----------
    metrics
        Names of measures of :mod:`gpuval.intervals`, with or without "_score", in upper or lower case; or the functions
        themselves, or a ``functools.partial`` of one with its options: ``functools.partial(inclusion_score,
        of="pred")``. A mapping gives the measures new names. By default the symmetric measures: "jaccard", "simpson",
        "braun_blanquet", "sorensen", "kulczynski" and "ochiai".
    on_undefined
        The value of a sample for which the measure is not defined, because its intervals differ and are both of
        infinite length: "nan", "zero", "one", or "skip", which leaves the sample out of the mean. By default the one
        that each of ``metrics`` has: "nan".

    Raises
    ------
    TypeError, ValueError
        For ``metrics`` that are not measures; ``update`` raises them for everything that the measures raise, and for a
        batch of another library or device.

    Examples
    --------
    >>> from gpuval.intervals import IntervalAccumulator
    >>> accumulator = IntervalAccumulator(["jaccard", "simpson"])
    >>> accumulator.update([[0, 4], [2, 3]], [[0, 2], [2, 3]])
    >>> {name: float(score) for name, score in accumulator.scores.items()}
    {'jaccard_score': 0.75, 'simpson_score': 1.0}
    >>> accumulator.update([[0, 4], [0, 4]], [[4, 7], [5, 7]])
    >>> {name: float(score) for name, score in accumulator.scores.items()}
    {'jaccard_score': 0.375, 'simpson_score': 0.5}
    """

    _settings: IntervalSettings

    def __init__(self, metrics: IntervalMetrics = None, *, on_undefined: OnUndefined | None = None) -> None:
        super().__init__(IntervalSettings.read(metrics, on_undefined))

    def update(self, true_intervals: Any, pred_intervals: Any, *, mask: Any = None, sample_weight: Any = None) -> None:
        """Add a batch of samples. It may be empty, or have no sample that counts.

        Parameters
        ----------
        true_intervals, pred_intervals, mask, sample_weight
            As for each measure of :mod:`gpuval.intervals`; arrays in memory, not of Dask.
        """
        given = read_batch(true_intervals, pred_intervals, mask, sample_weight)
        with given.backend.lasting():
            self._add(self._settings.sums(given), given.true[:0, 0], "true_intervals")


# The settings of an accumulator of intervals, which two accumulators must share to be merged.


@dataclass(frozen=True)
class IntervalSettings:
    """Measures of which batches add up, and what is the same in all batches."""

    measures: dict[Any, _IntervalRequest]
    on_undefined: OnUndefined | None

    @classmethod
    def read(cls, metrics: IntervalMetrics, on_undefined: OnUndefined | None) -> IntervalSettings:
        """Check what was given; None stands for the default."""
        asked = _read_interval_metrics(metrics)
        if on_undefined is not None:
            check_on_undefined(on_undefined)
        return cls(asked, on_undefined)

    def as_dict(self) -> dict[str, Any]:
        """The settings by their names, in what files hold."""
        return {"metrics": measure_texts(self.measures), "on_undefined": self.on_undefined}

    def sums(self, given: Intervals) -> Array:
        """The sums of the measures over the samples of a batch; of NumPy for all that lies on the host."""
        return interval_sums(given.validate(are_all=False), map(self._formula, self.measures.values()))

    def _formula(self, one: _IntervalRequest) -> tuple[Formula, OnUndefined]:
        """The formula of a measure with its options, and what it is of a sample for which there is no value."""
        options = {"on_undefined": self.on_undefined or "nan"} | one.options
        own = {name: options[name] for name in one.measure.formula.__kwdefaults__ or {} if name in options}
        return functools.partial(one.measure.formula, **own), options["on_undefined"]


def read_batch(true_intervals: Any, pred_intervals: Any, mask: Any, sample_weight: Any) -> Intervals:
    """Read a batch, as constants to derivatives."""
    arguments = true_intervals, pred_intervals, mask, sample_weight
    outside = "return the values of the samples from there (return_per_sample=True)"
    return read_both(*constants(arguments, outside))


# Reads ``metrics`` of intervals: names, functions, and mappings of these.

_NameOrMeasure = str | Callable[..., Any]
IntervalMetrics = _NameOrMeasure | Iterable[_NameOrMeasure] | Mapping[Any, _NameOrMeasure] | None

DEFAULT_INTERVAL_METRICS = ("jaccard", "simpson", "braun_blanquet", "sorensen", "kulczynski", "ochiai")

INTERVAL_MEASURES: Mapping[str, IntervalMeasure] = MappingProxyType(
    {name: getattr(similarity, name) for name in similarity.__all__}
)
"""The measures of intervals, by their names, sorted."""

_MUST_BE = "metrics must be names or functions of measures of gpuval.intervals"
_OF_A_BATCH = ("true_intervals", "pred_intervals", "mask", "sample_weight")


class _IntervalRequest(NamedTuple):
    """A measure that was asked for."""

    measure: IntervalMeasure
    options: dict[str, Any]
    """Those of its formula, and ``on_undefined`` if that was given."""


def _read_interval_metrics(metrics: IntervalMetrics) -> dict[Any, _IntervalRequest]:
    """The measures that ``metrics`` stands for, by their full names, or by the keys of a mapping.

    A function is one of :mod:`gpuval.intervals`, or a ``functools.partial`` of such a one with its options.
    """
    return measures_by_name(DEFAULT_INTERVAL_METRICS if metrics is None else metrics, _read, "gpuval.intervals")


def _read(metric: _NameOrMeasure) -> tuple[str, _IntervalRequest]:
    """The full name of what was asked for, and its measure."""
    if isinstance(metric, str):
        name = _full_name(metric)
        return name, _IntervalRequest(INTERVAL_MEASURES[name], {})
    if not callable(metric):
        raise TypeError(f"{_MUST_BE}, got {metric!r}")
    given = metric if isinstance(metric, functools.partial) else functools.partial(metric)
    name = name_of(given.func)
    if INTERVAL_MEASURES.get(name) is not given.func:
        raise TypeError(f"{_MUST_BE}, got {name} of {getattr(given.func, '__module__', None)}")
    if given.args:
        raise TypeError(f"{_MUST_BE}, got {name_of(metric)}; give the options of {name} alone, by their names")
    for option in given.keywords:
        if option in _OF_A_BATCH:
            raise TypeError(f"{option}= must be given to update, got it with {name} in metrics")
    if given.keywords.get("return_per_sample"):
        raise TypeError(f"return_per_sample must be False in metrics, as sums alone are kept, got it with {name}")
    given([0, 1], [0, 1])  # which raises for options that there are not
    return name_of(metric), _IntervalRequest(INTERVAL_MEASURES[name], dict(given.keywords))


def _full_name(given: str) -> str:
    """The name of a function, of this one or of one without its "_score", in any case."""
    name = given.lower().removesuffix("_score") + "_score"
    if name in INTERVAL_MEASURES:
        return name
    import difflib  # not at the top: it takes a while to load, and few names are wrong

    names = [x.removesuffix("_score") for x in INTERVAL_MEASURES]
    similar = difflib.get_close_matches(given.lower(), names)
    hint = f"did you mean {' or '.join(similar)}?" if similar else f"there are {', '.join(names)}"
    raise ValueError(f"{_MUST_BE}, got {given!r}; {hint}")
