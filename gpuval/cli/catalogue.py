"""All public measures by families, and the measure that a name stands for."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from importlib import import_module
from typing import NamedTuple

from gpuval.cli.terminal import own_command
from gpuval.measures.measure import Measure, declared

_NAMESPACES = ("ranking", "multilabel", "intervals")


class Entry(NamedTuple):
    """A measure in the list of all."""

    name: str
    """As it is called after ``gpuval.``"""
    measure: Measure
    needs: str | None
    """The option that ``gpuval evaluate`` needs for it, "" for none; None where it is not one of its measures."""

    @property
    def family(self) -> str:
        """The title of its family."""
        return self.measure.family.title

    @property
    def short(self) -> tuple[str, ...]:
        """The short names that stand for it alone."""
        before = self.name.removesuffix(self.measure.name)
        return tuple(x for x in self.measure.short if len(_names_by_short()[before + x]) == 1)

    @property
    def summary(self) -> str:
        """The first line of its text."""
        return next(iter((self.measure.function.__doc__ or "").strip().splitlines()), "")


@functools.cache
def all_measures() -> Mapping[str, Entry]:
    """The measures by their names, family by family."""
    entries = list(_entries())
    titles = list(dict.fromkeys(x.family for x in entries))
    return {x.name: x for x in sorted(entries, key=lambda x: titles.index(x.family))}


def _entries() -> Iterator[Entry]:
    from gpuval.measures.measure import find_measures
    from gpuval.registry.families import OF_EVALUATIONS
    from gpuval.registry.internal import INTERNAL_METRICS

    for measure in find_measures("metrics."):
        needs = "" if measure.name in OF_EVALUATIONS else "--embedding" if measure.name in INTERNAL_METRICS else None
        yield Entry(measure.name, measure, needs)
    for namespace in _NAMESPACES:
        module = import_module(f"gpuval.{namespace}")
        for name in module.__all__:
            if found := declared(getattr(module, name)):
                yield Entry(f"{namespace}.{name}", found, None)


@functools.cache
def _names_by_short() -> Mapping[str, list[str]]:
    """The full names of the measures that have a short name; those of namespaces have the namespace before both."""
    found: dict[str, list[str]] = {}
    for name, entry in all_measures().items():
        for short in entry.measure.short:
            found.setdefault(name.removesuffix(entry.measure.name) + short, []).append(name)
    return found


def entry_named(given: str) -> Entry:
    """The measure that a name stands for: a full or a short one, in any case, with or without its namespace."""
    measures, shorts = all_measures(), _names_by_short()
    key = given.lower().removeprefix("gpuval.")
    meant = [key] if key in measures else shorts.get(key, [])
    if len(meant) != 1:
        places = [f"{namespace}.{key}" for namespace in _NAMESPACES]
        meant = list(dict.fromkeys([*meant, *(name for x in places for name in [x, *shorts.get(x, []), f"{x}_score"])]))
        meant = [x for x in meant if x in measures]
    if len(meant) == 1:
        return measures[meant[0]]
    inside = [x.partition(".")[2] for x in measures if "." in x]
    of_one = [short for short, names in shorts.items() if len(names) == 1]
    similar = meant or get_close_matches(key, [*measures, *inside, *of_one])
    similar = similar or get_close_matches(key, [name for name in measures if key and key in name], cutoff=0)
    hint = f"did you mean {' or '.join(similar)}? " if similar else ""
    lists = f"'{own_command()} metrics' lists them all"
    raise ValueError(f"NAME must be the name of a measure, got {given!r}; {hint}{lists}")
