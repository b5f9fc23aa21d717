"""Reads ``metrics`` and ``averages`` of labels: names, functions, and mappings of these."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from gpuval.inputs.options import check_option
from gpuval.measures.names import is_all, name_of
from gpuval.measures.result import OnUndefined, check_on_undefined
from gpuval.multilabel import curves, losses, predicted
from gpuval.multilabel._averages import Average
from gpuval.multilabel._inputs import Definition, LabelMeasure, MeasureSetup
from gpuval.multilabel._measure import read_label_options
from gpuval.multilabel.arrays import What

_NameOrMeasure = str | Callable[..., Any]
MultilabelMetrics = _NameOrMeasure | Iterable[_NameOrMeasure] | Mapping[str, _NameOrMeasure] | None
Averages = Average | Iterable[Average] | None

DEFAULT_MULTILABEL_METRICS = ("precision", "recall", "f1", "roc_auc", "average_precision", "hamming_loss")
DEFAULT_AVERAGES_OF_BATCHES = ("macro", "weighted", "micro")
DEFAULT_AVERAGES = (*DEFAULT_AVERAGES_OF_BATCHES, "samples")

_FAMILIES = (curves, losses, predicted)

MULTILABEL_MEASURES: Mapping[str, LabelMeasure] = MappingProxyType(
    dict(sorted((name, getattr(family, name)) for family in _FAMILIES for name in family.__all__))
)
"""The measures of labels, by their full names, sorted."""

SHORT_MULTILABEL_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "auc": "roc_auc_score",
        "ap": "average_precision_score",
        "hamming": "hamming_loss",
        "mse": "mean_squared_error",
        "brier": "mean_squared_error",
        "mae": "mean_absolute_error",
        "mpr": "mean_probability_rate",
        "mapr": "macro_average_probability_rate",
    }
)
"""Short names of measures of labels, in lower case; besides, a full name may be without its "_score"."""

_WITHOUT_SCORE = MappingProxyType({name.removesuffix("_score"): name for name in MULTILABEL_MEASURES})
_MUST_BE = "metrics must be names or functions of measures of gpuval.multilabel"
_WITH_LABELS = ("y_true", "y_score", "y_pred", "mask", "sample_weight", "ignore_labels", "n_classes")
_AVERAGES = tuple(
    dict.fromkeys(x for one in MULTILABEL_MEASURES.values() for x in one.definition.averages if x is not None)
)
"""What averages there are, of any measure."""


class MultilabelRequest(NamedTuple):
    """A measure that was asked for."""

    measure: LabelMeasure
    options: dict[str, Any]
    """Those of its formula that are not the default, and ``on_undefined`` if that was given."""

    @property
    def definition(self) -> Definition:
        """What the measure is."""
        return self.measure.definition

    @property
    def own_options(self) -> dict[str, Any]:
        """The options of its formula."""
        return {name: x for name, x in self.options.items() if name != "on_undefined"}

    @property
    def reads(self) -> What:
        """What its predictions must be."""
        return self.definition.reads_with(self.options)

    def on_undefined(self, of_all: OnUndefined | None) -> OnUndefined:
        """What 0/0 is: as was asked for this measure, or for all, or by default."""
        return self.options.get("on_undefined") or of_all or self.definition.on_undefined

    def wanted(self, on_undefined: OnUndefined | None) -> MeasureSetup:
        """The measure as scores are found by it."""
        return MeasureSetup(self.definition, self.own_options, self.on_undefined(on_undefined))


def read_multilabel_metrics(metrics: MultilabelMetrics) -> dict[str, MultilabelRequest]:
    """The measures that ``metrics`` stands for, by their names, or by the keys of a mapping.

    Names are the full ones without "_score"; that of F has its beta, such as "f1" and "f0.5". A function is one of
    :mod:`gpuval.multilabel`, or a ``functools.partial`` of such a one with the options of its formula.
    """
    if metrics is None:
        metrics = DEFAULT_MULTILABEL_METRICS
    if is_all(metrics):
        metrics = tuple(MULTILABEL_MEASURES)
    if isinstance(metrics, str) or callable(metrics):
        metrics = (metrics,)
    elif isinstance(metrics, bytes) or not isinstance(metrics, Iterable):
        raise TypeError(
            f"metrics must be a name, or a sequence or mapping of names and functions of measures, got {metrics!r}"
        )
    if isinstance(metrics, Mapping):
        asked = {_as_key(name): _read(metric) for name, metric in metrics.items()}
    else:
        asked = {}
        for one in map(_read, metrics):
            asked[_name_of(one)] = one
    if not asked:
        raise ValueError("metrics must have at least one measure, got none")
    return asked


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
        return _name_of(_read_name(name))
    except ValueError:
        return name


def _as_key(name: Any) -> str:
    if not isinstance(name, str):
        raise TypeError(f"metrics must be a mapping from names that are strings, got {name!r}")
    if name == "support":
        raise ValueError("metrics must have other names than 'support', the column of how many samples have each class")
    return name


def _read(metric: _NameOrMeasure) -> MultilabelRequest:
    if isinstance(metric, str):
        return _read_name(metric)
    if not callable(metric):
        raise TypeError(f"{_MUST_BE}, got {metric!r}")
    function = metric.func if isinstance(metric, functools.partial) else metric
    name = name_of(function)
    if MULTILABEL_MEASURES.get(name) is not function:
        module = getattr(function, "__module__", None)
        other = f"; did you mean gpuval.multilabel.{name}?" if name in MULTILABEL_MEASURES else ""
        raise TypeError(f"{_MUST_BE}, got {name} of {module}{other}")
    if not isinstance(metric, functools.partial):
        return MultilabelRequest(MULTILABEL_MEASURES[name], {})
    if metric.args:
        raise TypeError(f"{_MUST_BE}, got {name_of(metric)}; give the options of {name} alone, by their names")
    return _with_options(MULTILABEL_MEASURES[name], metric.keywords)


def _with_options(measure: LabelMeasure, options: Mapping[str, Any]) -> MultilabelRequest:
    """A measure with options of its formula, after a check of them."""
    name, formula = measure.__name__, measure.definition.formula
    for option in options:
        if option == "average":
            raise TypeError(f"average= must be given as averages=, for all measures, got it with {name} in metrics")
        if option in _WITH_LABELS:
            raise TypeError(
                f"{option}= must be given with the labels, to evaluate, or to an accumulator or its update, got it "
                f"with {name} in metrics"
            )
    of_all = {option: x for option, x in options.items() if option == "on_undefined"}
    for on_undefined in of_all.values():
        check_on_undefined(on_undefined)
    own = {option: x for option, x in options.items() if option not in of_all}
    found = read_label_options(own, formula, ("on_undefined",))
    defaults = formula.__kwdefaults__ or {}
    return MultilabelRequest(measure, {option: x for option, x in found.items() if x != defaults[option]} | of_all)


def _name_of(one: MultilabelRequest) -> str:
    """The name of a measure with its options: the full one without "_score", and of F with its beta."""
    options = dict(one.options)
    name = one.measure.__name__.removesuffix("_score")
    if one.measure is predicted.f_score:
        name += str(options.pop("beta", 1.0)).removesuffix(".0")
    return f"{name}({', '.join(f'{option}={x!r}' for option, x in options.items())})" if options else name


def _read_name(given: str) -> MultilabelRequest:
    """The measure of a name, full or short, in any case; "f2" stands for F with ``beta=2``."""
    key = given.lower()
    found = _find_name(key)
    if found is None:
        raise ValueError(f"{_MUST_BE}, got {given!r}; {_hint(key)}")
    return found


def _find_name(key: str) -> MultilabelRequest | None:
    """The measure of a name in lower case; None if there is no such measure."""
    full = SHORT_MULTILABEL_NAMES.get(key, _WITHOUT_SCORE.get(key, key))
    if full in MULTILABEL_MEASURES and key != "f":
        return MultilabelRequest(MULTILABEL_MEASURES[full], {})
    beta = _beta_of(key.removesuffix("_score"))
    return None if beta is None else _with_options(predicted.f_score, {"beta": beta})


def _beta_of(key: str) -> float | None:
    """The beta of a name such as "f2" or "f0.5"; None of another name."""
    digits = key[1:].replace(".", "", 1)
    return float(key[1:]) if key[:1] == "f" and digits.isascii() and digits.isdigit() else None


def _hint(key: str) -> str:
    """Which measure may be meant."""
    if key == "all":
        return '"all" is given alone, not as one of several'
    for average in _AVERAGES:
        if key.endswith(f"_{average}") and _find_name(key.removesuffix(f"_{average}")) is not None:
            return f"give the name of the measure alone, and averages={average!r}"
    import difflib  # not at the top: it takes a while to load, and few names are wrong

    names = [_name_of(MultilabelRequest(x, {})) for x in MULTILABEL_MEASURES.values()]
    similar = difflib.get_close_matches(key, [*names, *SHORT_MULTILABEL_NAMES])
    return f"did you mean {' or '.join(similar)}?" if similar else f"there are {', '.join(names)}"
