"""Reads ``metrics`` of any family: names, functions, and mappings of these."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic, NamedTuple, TypeVar

from gpuval.measures.measure import Function, Measure, full_names, usual_names
from gpuval.measures.result import OnUndefined, check_on_undefined

Metric = str | Callable[..., Any]
Metrics = Metric | Iterable[Metric] | Mapping[Any, Metric] | None


class MeasureRequest(NamedTuple):
    """A measure that is asked for, or a function of a user, and its options."""

    measure: Any
    """A function, which has a ``formula`` and its ``on_undefined`` if it is one of this library."""
    options: dict[str, Any]
    """Those of its formula, and ``on_undefined`` if that was given; none of a function of a user."""

    @property
    def is_ours(self) -> bool:
        """Whether it is a measure of this library."""
        return hasattr(self.measure, "formula")

    @property
    def own_options(self) -> dict[str, Any]:
        """The options of its formula."""
        return {name: x for name, x in self.options.items() if name != "on_undefined"}

    def on_undefined(self, of_all: OnUndefined | None) -> OnUndefined:
        """What it is where it is not defined: as was asked for this measure, or for all, or by default."""
        default: OnUndefined = self.measure.on_undefined
        return self.options.get("on_undefined") or of_all or default


RequestType = TypeVar("RequestType", bound=MeasureRequest)
MeasureType = TypeVar("MeasureType")


class MetricsReader(Generic[RequestType]):
    """Reads ``metrics`` of one family, whose measures have an ``on_undefined``.

    A derived class says what its names, its options and its messages are.
    """

    requirement: str
    """The beginning of messages, such as "metrics must be names of measures of rankings"."""
    or_functions: str = ""
    """What stands behind it where functions of users are taken, too."""
    functions: str
    """Of which kind functions are, in messages, such as "a Ranked"."""
    elsewhere: Mapping[str, str]
    """By the names of arguments that are not for one measure, where they must be given."""
    kind: type[RequestType]

    def __init__(self, measures: Iterable[Measure]) -> None:
        every = sorted(measures, key=lambda x: x.name)
        self.measures: Mapping[str, Any] = {x.name: x.function for x in every}
        self.shorts = full_names(every)
        self.default: tuple[str, ...] = tuple(map(self.usual_name, usual_names(every)))

    def read(self, metrics: Metrics) -> dict[Any, RequestType]:
        """What ``metrics`` stands for, by the names of scores, or by the keys of a mapping."""
        given = self.default if metrics is None else tuple(self.measures) if is_all(metrics) else metrics
        requirement = f"metrics must be a name, or a sequence or mapping of names and functions of {self.functions}"
        return measures_by_name(given, self._read, requirement)

    def read_name(self, given: str) -> tuple[str, RequestType]:
        """The name of the score, and the measure, of a name in any case."""
        measure = self.find(given.lower(), given)
        return measure.__name__, self.kind(measure, {})

    # What derived classes may replace

    def usual_name(self, name: str) -> str:
        """How the measure of a name is asked for by default."""
        return name

    def known_names(self) -> list[str]:
        """The names that messages show."""
        return list(self.measures)

    def read_options(self, options: dict[str, Any], measure: Any) -> dict[str, Any]:
        """The options of the formula of a measure, after a check of them."""
        raise NotImplementedError

    def read_other(self, metric: Function, function: Function) -> tuple[str, RequestType]:
        """The name and the request of a function, perhaps a partial one, that is no measure of the family."""
        name, module = name_of(function), getattr(function, "__module__", None)
        namespace = next(iter(self.measures.values())).__module__.rpartition(".")[0]
        other = f"; did you mean {namespace}.{name}?" if name in self.measures else ""
        raise TypeError(f"{self.requirement}, got {name} of {module}{other}")

    def hint(self, key: str) -> str:
        """Which measure may be meant."""
        if key == "all":
            return '"all" is given alone, not as one of several'
        import difflib  # not at the top: it takes a while to load, and few names are wrong

        names = self.known_names()
        similar = difflib.get_close_matches(key, list(dict.fromkeys([*names, *self.shorts])))
        return f"did you mean {' or '.join(similar)}?" if similar else f"there are {', '.join(names)}"

    # Within

    def find(self, key: str, given: str) -> Any:
        """The measure of a full or a short name in lower case, which is ``given`` in messages."""
        name = self.shorts.get(key, key)
        if name not in self.measures:
            raise self.unknown(name, given)
        return self.measures[name]

    def unknown(self, key: str, given: str) -> ValueError:
        """The error for a name, in lower case ``key``, that no measure has."""
        return ValueError(f"{self.requirement}, got {given!r}; {self.hint(key)}")

    def with_options(self, measure: Any, options: Mapping[str, Any]) -> RequestType:
        """A measure with options of its formula, and with ``on_undefined``, after a check of them."""
        for name in options:
            if name in self.elsewhere:
                place = self.elsewhere[name]
                raise TypeError(f"{name}= must be given {place}, got it with {measure.__name__} in metrics")
        of_all = {name: x for name, x in options.items() if name == "on_undefined"}
        for on_undefined in of_all.values():
            check_on_undefined(on_undefined)
        own = {name: x for name, x in options.items() if name not in of_all}
        return self.kind(measure, self.read_options(own, measure) | of_all)

    def _read(self, metric: Metric) -> tuple[str, RequestType]:
        if isinstance(metric, str):
            return self.read_name(metric)
        if not callable(metric):
            raise TypeError(f"{self.requirement}{self.or_functions}, got {metric!r}")
        function = metric.func if isinstance(metric, functools.partial) else metric
        name = name_of(function)
        if self.measures.get(name) is not function:
            return self.read_other(metric, function)
        if not isinstance(metric, functools.partial):
            return name, self.kind(function, {})
        if metric.args:
            raise TypeError(
                f"{self.requirement}{self.or_functions}, got {name_of(metric)}; give the options of {name} alone, by "
                "their names"
            )
        return name_of(metric), self.with_options(function, metric.keywords)


# Names and functions


def measures_by_name(
    metrics: Any, read: Callable[[Any], tuple[str, MeasureType]], requirement: str
) -> dict[Any, MeasureType]:
    """The measures that ``metrics`` stands for, by their names, or by the keys of a mapping.

    ``read`` gives the name and the measure of one that is asked for; ``requirement`` begins the error for anything
    else.
    """
    if isinstance(metrics, str) or callable(metrics):
        metrics = (metrics,)
    elif isinstance(metrics, bytes) or not isinstance(metrics, Iterable):
        raise TypeError(f"{requirement}, got {metrics!r}")
    if isinstance(metrics, Mapping):
        measures = {name: read(metric)[1] for name, metric in metrics.items()}
    else:
        measures = {}
        for name, one in map(read, metrics):
            if not are_same(measures.setdefault(name, one), one):
                raise ValueError(
                    f"metrics must be functions of different names, got {name!r} twice; give a mapping from names to "
                    "functions"
                )
    if not measures:
        raise ValueError("metrics must have at least one measure, got none")
    return measures


def are_same(x: Any, y: Any) -> bool:
    """Whether two measures are one function with the same arguments, also if each is a partial one of its own."""
    if isinstance(x, functools.partial) and isinstance(y, functools.partial):
        return are_same((x.func, x.args, x.keywords), (y.func, y.args, y.keywords))
    if isinstance(x, tuple) and isinstance(y, tuple):
        return len(x) == len(y) and all(map(are_same, x, y))
    if isinstance(x, dict) and isinstance(y, dict):
        return x.keys() == y.keys() and all(are_same(x[key], y[key]) for key in x)
    return x is y or (x == y) is True  # of arrays it is an array


def is_all(metrics: Any) -> bool:
    """Whether ``metrics`` stands for all measures."""
    return isinstance(metrics, str) and metrics.lower() == "all"


def measure_texts(requests: Mapping[Any, MeasureRequest]) -> list[str]:
    """Measures with their options in words that are equal in all processes and files."""
    measures = {name: functools.partial(measure, **options) for name, (measure, options) in requests.items()}
    return [f"{name}: {name_of(measure)}" for name, measure in measures.items()]


def name_of(function: Callable[..., Any]) -> str:
    """The name of a function, or the type of another object that is called; of a partial one with its arguments."""
    if not isinstance(function, functools.partial):
        return str(getattr(function, "__name__", type(function).__name__))
    options = [*map(_text_of, function.args), *(f"{key}={_text_of(x)}" for key, x in function.keywords.items())]
    return f"{name_of(function.func)}({', '.join(options)})"


def _text_of(option: Any) -> str:
    """An option in words that are equal in all processes: a function, also one of several, by its name."""
    if isinstance(option, tuple) and any(map(callable, option)):
        return f"({', '.join(map(_text_of, option))})"
    return name_of(option) if callable(option) else repr(option)
