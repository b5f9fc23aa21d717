"""What a public measure is and what is promised of it, declared once, beside its formula."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from importlib import import_module
from math import inf, isfinite
from types import ModuleType
from typing import Any, Literal

from gpuval._index import NAMES

ARROW = "\N{DOWNWARDS ARROW}"
"""Behind the short name of a measure of which lower values are better."""

Direction = Literal["higher", "lower", ""]
Statistic = Literal["pairs", "information"]
_OfEach = Literal["classes", "clusters", "best_classes"]
"""Values that are returned with labels; "best_classes" are clusters with the class that is the best for each."""
Values = _OfEach | Literal["one", "several", "labels", "labelings", "samples", "matrix", "matching"]
Function = Callable[..., Any]
Options = Mapping[str, Any]
Exchanged = str | tuple[str, Options] | None


@dataclass(frozen=True, eq=False)
class Family:
    """What all measures of a module, or of several, have in common."""

    title: str
    """What lists of measures call it."""
    publish: Callable[..., Function] | None = None
    """Makes a public function of a formula: ``publish(formula, **how)``. Without it that is the function itself."""
    needs: str = ""
    """What its measures take besides two label vectors, in messages."""
    of_two: bool = False
    """Whether they compare two inputs of one kind, which may be identical, and can be exchanged."""
    interval: Literal["bca", "jackknife"] = "bca"
    """How its intervals are found, where nothing else is asked for."""
    follows: Statistic | None = None
    """With fixed sizes of classes and clusters their scores go up or down with this number, and share its p-value."""
    class_weight: float | None = None
    """The power of a class's size that its disorder costs: 2 for pairs, 1 for samples, 0 for equal classes.

    None if its measures are no scores or distances of two partitions.
    """


@dataclass(frozen=True, eq=False)
class Measure:
    """A public measure: its names, and what is promised of it with the options that ``options`` has."""

    name: str
    function: Any = field(repr=False)
    family: Family = field(repr=False)
    short: tuple[str, ...] = ()
    """Short names, in lower case. One that several measures have stands for none of them."""
    title: str = ""
    """What sentences call it; empty for its name."""
    head: str = ""
    """What heads of columns call it; empty for what sentences call it."""
    needs: str = ""
    """What it takes besides two label vectors, in messages: that of its family, or its own."""
    usual: int = 0
    """Its place in the default of evaluations; 0 if it is not among them."""
    voice: int = 0
    """Its place among the measures by which the verdict of a comparison is given; 0 if it is not among them."""
    better: Direction = "higher"
    """Which scores are better; empty if neither end is, as of what describes one labeling, chance, or a table."""
    range: tuple[float, float] = (0.0, 1.0)
    """The lowest and the highest value."""
    identical: float | None = None
    """The value for identical inputs; None where it depends on them."""
    exchanged: Exchanged = None
    """What exchanging the arguments gives: "same", "negated", "transposed", a measure with options; None if nothing."""
    one_sided: bool = False
    """Whether splitting clusters, or joining them, alone makes it better, although no other measure asks the same of
    the other side."""
    adjusted: bool = False
    """Whether its mean over all permutations of the labels is exactly 0."""
    is_metric: bool = False
    """Whether it, or 1 minus it for a score, is a metric."""
    class_weight: float | None = None
    """That of its family, or its own; None for what is no score or distance of two partitions."""
    follows: Statistic | None = None
    """That of its family, or its own, if one end is better."""
    values: Values = "one"
    """"one" number, "several", one for each of some things, or a "matrix" or a "matching"."""
    of_nothing: float = 0.0
    """Of values for each class or cluster: what one without samples has; NaN if a value may be undefined."""
    of_one_labeling: bool = False
    reads_names: bool = False
    """Whether other names for the same classes and clusters change it."""
    needs_counts: bool = False
    """Whether it is defined for tables of counts only."""
    draws: bool = False
    """Whether it may draw random tables."""
    host_steps: int = 0
    """Transfers to the host with the size of the table given."""
    host_steps_found: int = 0
    """Transfers beyond these, and beyond the one for the size, where the size is not given."""
    options: Options = field(default_factory=dict)
    """Those of which this is promised; others have their defaults."""
    tried: Mapping[str, tuple[Any, ...]] = field(default_factory=dict, repr=False)
    """By the name of an option the values besides the default with which the tests hold what is promised."""
    by_options: Mapping[str, Callable[..., Any]] = field(default_factory=dict, repr=False)
    """The facts that options change, as functions of them."""

    @property
    def best(self) -> float | None:
        """The best value; None if there is none, as neither end is better or that end is infinite."""
        best = {"higher": self.range[1], "lower": self.range[0], "": inf}[self.better]
        return best if isfinite(best) else None

    @property
    def sentence_name(self) -> str:
        """What sentences call it."""
        return self.title or self.name.removesuffix("_score").replace("_", " ")

    @property
    def short_head(self) -> str:
        """What heads of columns call it, with an arrow where lower values are better."""
        return (self.head or self.sentence_name) + f" {ARROW}" * (self.better == "lower")

    @property
    def counts(self) -> str:
        """What counts the same: each "sample", each "pair" of samples or each "class"; empty for something else."""
        return {0: "class", 1: "sample", 2: "pair"}.get(self.class_weight, "")  # type: ignore[call-overload,no-any-return]

    @property
    def is_one_sided(self) -> bool:
        """Whether it gets better with the number of clusters, or with their size, however good these are.

        So it is where another measure asks the same of the other side, as completeness does for homogeneity.
        """
        return self.one_sided or isinstance(self.exchanged, tuple)

    @property
    def compares_partitions(self) -> bool:
        """Whether it is one number that compares two partitions, whatever their groups are called."""
        is_of_two = self.values == "one" and not self.of_one_labeling
        return is_of_two and self.family.class_weight is not None and not self.reads_names

    def with_options(self, options: Options) -> Measure:
        """What is promised with options."""
        if not options:
            return self
        return replace(self, options=options, **_facts(self.by_options, self.function, options))


def _facts(by_options: Mapping[str, Function], function: Function, options: Options) -> dict[str, Any]:
    """The facts that options change, with the default of those that are not given."""
    known = {**inspect.unwrap(function).__kwdefaults__, **options} if by_options else options
    return {name: fact(*map(known.__getitem__, _parameters(fact))) for name, fact in by_options.items()}


def _parameters(function: Function) -> tuple[str, ...]:
    code = function.__code__
    return code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]


def measure(family: Family, **declared: Any) -> Callable[[Function], Function]:
    """Make a public measure of a formula, with what is declared of it: fields of :class:`Measure`.

    A field may be a function of options of the formula: ``range=lambda normalized: (0.0, 1.0 if normalized else inf)``.
    Other keywords are those of ``family.publish``. By default a score is best at the end of its range, which two
    identical inputs have.
    """

    def declare(formula: Function) -> Function:
        how = () if family.publish is None else _parameters(family.publish)
        own = {name: x for name, x in declared.items() if name in how}
        public = formula if family.publish is None else family.publish(formula, **own)
        facts = {name: x for name, x in declared.items() if name in _FIELDS or name not in how}
        by_options = {name: x for name, x in facts.items() if callable(x)}
        facts |= _facts(by_options, formula, {})
        plain = Measure(formula.__name__, public, family, **facts, by_options=by_options)
        if family.of_two:
            facts = {"identical": plain.best, "exchanged": "same"} | facts
        if "class_weight" not in facts and plain.compares_partitions and plain.better:
            facts["class_weight"] = family.class_weight
        if "follows" not in facts and plain.compares_partitions and plain.better:
            facts["follows"] = family.follows
        facts = {"needs": family.needs} | facts
        public.measure = Measure(formula.__name__, public, family, **facts, by_options=by_options)  # type: ignore[attr-defined]
        return public

    return declare


_FIELDS = frozenset(Measure.__dataclass_fields__)


def declared(function: Function) -> Measure | None:
    """What is declared of a measure, also of a partial one, with its default options; None of other functions."""
    if isinstance(function, functools.partial):
        return declared(function.func)
    found = getattr(function, "measure", None)
    is_own = isinstance(found, Measure) and found.function is function  # a copy by functools.wraps is none
    return found if is_own else None


# Lists of measures


def measures_in(*modules: ModuleType) -> Iterator[Measure]:
    """The measures among the public names of modules."""
    for module in modules:
        for name in module.__all__:
            if found := declared(getattr(module, name)):
                yield found


def find_measures(*packages: str) -> Iterator[Measure]:
    """The measures in the modules of packages, such as "metrics.external", which are loaded here."""
    for module in NAMES:
        if module.startswith(packages):
            yield from measures_in(import_module(f"gpuval.{module}"))


def usual_names(measures: Iterable[Measure]) -> tuple[str, ...]:
    """The names of the measures that are reported by default, in that order."""
    return tuple(x.name for x in sorted(measures, key=lambda x: x.usual) if x.usual)


def names_by_short(measures: Iterable[Measure]) -> dict[str, tuple[str, ...]]:
    """The names of the measures that have a short name, by that."""
    found: dict[str, tuple[str, ...]] = {}
    for measure in measures:
        for short in measure.short:
            found[short] = (*found.get(short, ()), measure.name)
    return found


def full_names(measures: Iterable[Measure]) -> dict[str, str]:
    """The names of the measures by the short names that they alone have."""
    return {short: names[0] for short, names in names_by_short(measures).items() if len(names) == 1}
