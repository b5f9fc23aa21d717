"""Reads ``metrics`` and ``averages`` of labels: names, functions, and mappings of these."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from gpuval.inputs.options import check_option
from gpuval.measures.measure import Measure, measures_in
from gpuval.measures.requests import MeasureRequest, Metric, Metrics, MetricsReader
from gpuval.measures.result import OnUndefined
from gpuval.multilabel import curves, losses, predicted
from gpuval.multilabel._averages import Average
from gpuval.multilabel._inputs import Definition, MeasureSetup
from gpuval.multilabel._measure import read_label_options
from gpuval.multilabel.arrays import What

Averages = Average | Iterable[Average] | None

DEFAULT_AVERAGES_OF_BATCHES = ("macro", "weighted", "micro")
DEFAULT_AVERAGES = (*DEFAULT_AVERAGES_OF_BATCHES, "samples")

_WITH_LABELS = "with the labels, to evaluate, or to an accumulator or its update"


class MultilabelRequest(MeasureRequest):
    """A measure that was asked for, with those of its options that are not the default."""

    __slots__ = ()

    @property
    def definition(self) -> Definition:
        """What the measure is."""
        definition: Definition = self.measure.definition
        return definition

    @property
    def reads(self) -> What:
        """What its predictions must be."""
        return self.definition.reads_with(self.options)

    def wanted(self, on_undefined: OnUndefined | None) -> MeasureSetup:
        """The measure as scores are found by it."""
        return MeasureSetup(self.definition, self.own_options, self.on_undefined(on_undefined))


class _MultilabelReader(MetricsReader[MultilabelRequest]):
    requirement = "metrics must be names or functions of measures of gpuval.multilabel"
    functions = "measures"
    elsewhere = {"average": "as averages=, for all measures"} | dict.fromkeys(
        ("y_true", "y_score", "y_pred", "mask", "sample_weight", "ignore_labels", "n_classes"), _WITH_LABELS
    )
    kind = MultilabelRequest

    def __init__(self, measures: Iterable[Measure]) -> None:
        super().__init__(measures)
        self.without_score = {name.removesuffix("_score"): name for name in self.measures if name != "f_score"}

    def read(self, metrics: Metrics) -> dict[Any, MultilabelRequest]:
        if isinstance(metrics, Mapping):
            for name in metrics:
                _check_key(name)
        return super().read(metrics)

    def read_name(self, given: str) -> tuple[str, MultilabelRequest]:
        """The measure of a name; "f2" stands for F with ``beta=2``."""
        request = self.request_of(given.lower())
        if request is None:
            raise self.unknown(given.lower(), given)
        return _name_of(request), request

    def _read(self, metric: Metric) -> tuple[str, MultilabelRequest]:
        _, request = super()._read(metric)
        return _name_of(request), request

    def known_names(self) -> list[str]:
        return [_name_of(MultilabelRequest(x, {})) for x in self.measures.values()]

    def read_options(self, options: dict[str, Any], measure: Any) -> dict[str, Any]:
        formula = measure.formula
        found, defaults = read_label_options(options, formula, ("on_undefined",)), formula.__kwdefaults__ or {}
        return {name: x for name, x in found.items() if x != defaults[name]}

    def request_of(self, key: str) -> MultilabelRequest | None:
        """The measure of a name in lower case; None if there is no such measure."""
        full = self.shorts.get(key, self.without_score.get(key, key))
        if full in self.measures:
            return MultilabelRequest(self.measures[full], {})
        beta = _beta_of(key.removesuffix("_score"))
        return None if beta is None else self.with_options(predicted.f_score, {"beta": beta})

    def hint(self, key: str) -> str:
        for average in _AVERAGES:
            if key.endswith(f"_{average}") and self.request_of(key.removesuffix(f"_{average}")) is not None:
                return f"give the name of the measure alone, and averages={average!r}"
        return super().hint(key)


READER = _MultilabelReader(measures_in(curves, losses, predicted))
"""Gives the measures by their names, or by the keys of a mapping.

Names are the full ones without "_score"; that of F has its beta, such as "f1" and "f0.5". A function is one of
:mod:`gpuval.multilabel`, or a ``functools.partial`` of such a one with the options of its formula.
"""

_AVERAGES = tuple(
    dict.fromkeys(x for one in READER.measures.values() for x in one.definition.averages if x is not None)
)
"""What averages there are, of any measure."""


def read_averages(
    averages: Averages, asked: Mapping[str, MultilabelRequest], default: tuple[str, ...] = DEFAULT_AVERAGES
) -> tuple[str, ...]:
    """The averages that were asked for, each once, of which every one is that of some measure.

    If none was asked for, those of ``default`` that some measure has.
    """
    there = {x for one in asked.values() for x in one.definition.averages}
    if averages is None:
        return tuple(x for x in default if x in there)
    if isinstance(averages, bytes) or not isinstance(averages, str | Iterable):
        raise TypeError(f"averages must be a name or a sequence of names, got {averages!r}")
    given = (averages,) if isinstance(averages, str) else tuple(averages)
    for x in given:
        check_option("averages", x, _AVERAGES)
        if x not in there:
            raise ValueError(f"averages must be such as one of metrics has, got {x!r} for {', '.join(asked)}")
    return tuple(dict.fromkeys(given))


def score_names(asked: Mapping[str, MultilabelRequest], averages: tuple[str, ...]) -> dict[str, tuple[str, str | None]]:
    """By the name of each score that of its measure and its average, None for a measure that has one score alone."""
    found: dict[str, tuple[str, str | None]] = {}
    for name, one in asked.items():
        own = one.definition.averages
        scores = {f"{name}_{x}": (name, x) for x in averages if x in own} if own else {name: (name, None)}
        for score, what in scores.items():
            if score in found:
                raise ValueError(f"metrics must have names that give each score its own, got {score!r} twice")
            found[score] = what
    return found


def names_of_probabilities(asked: Mapping[str, MultilabelRequest]) -> tuple[str, ...]:
    """The names of the measures that need probabilities."""
    return tuple(name for name, one in asked.items() if one.reads == "probabilities")


def canonical(name: str) -> str:
    """The name that a measure is given of any that it has; another is itself."""
    try:
        return READER.read_name(name)[0]
    except ValueError:
        return name


def _check_key(name: Any) -> None:
    if not isinstance(name, str):
        raise TypeError(f"metrics must be a mapping from names that are strings, got {name!r}")
    if name == "support":
        raise ValueError("metrics must have other names than 'support', the column of how many samples have each class")


def _name_of(one: MultilabelRequest) -> str:
    """The name of a measure with its options: the full one without "_score", and of F with its beta."""
    options = dict(one.options)
    name = one.measure.__name__.removesuffix("_score")
    if one.measure is predicted.f_score:
        name += str(options.pop("beta", 1.0)).removesuffix(".0")
    return f"{name}({', '.join(f'{option}={x!r}' for option, x in options.items())})" if options else name


def _beta_of(key: str) -> float | None:
    """The beta of a name such as "f2" or "f0.5"; None of another name."""
    digits = key[1:].replace(".", "", 1)
    return float(key[1:]) if key[:1] == "f" and digits.isascii() and digits.isdigit() else None
