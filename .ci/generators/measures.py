"""All public measures, in the order of the lists that are written."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

from gpuval.cli.catalogue import Entry, all_measures


@cache
def all_in_order() -> tuple[Entry, ...]:
    """All measures: those of a family together, of it those of a module, in the order in which that defines them."""
    entries = list(all_measures().values())
    modules = [x.measure.function.__module__ for x in entries]
    families = [x.family for x in entries]

    def place(x: Entry) -> tuple[int, int, int]:
        function = x.measure.function
        return families.index(x.family), modules.index(function.__module__), line_of(function)

    return tuple(sorted(entries, key=place))


def line_of(function: Callable[..., Any]) -> int:
    """The line of its file in which a function begins."""
    return inspect.unwrap(function).__code__.co_firstlineno


def in_packages(*packages: str) -> list[Entry]:
    """The measures in the modules of packages, such as "metrics.external"."""
    prefixes = tuple(f"gpuval.{package}." for package in packages)
    return [x for x in all_in_order() if f"{x.measure.function.__module__}.".startswith(prefixes)]


def by_family(entries: Iterable[Entry]) -> dict[str, list[Entry]]:
    """Measures by the titles of their families."""
    families: dict[str, list[Entry]] = {}
    for x in entries:
        families.setdefault(x.family, []).append(x)
    return families
