"""The lists of measures in docstrings: those by families in ``help(gpuval)``, and the tables of short names."""

from __future__ import annotations

import re
from collections.abc import Iterable
from textwrap import wrap

from generators.measures import by_family, in_packages
from generators.places import fill

from gpuval.cli.catalogue import Entry

FAMILIES = {
    "External measures": ("metrics.external", "metrics.runs"),
    "Internal measures": ("metrics.internal", "metrics.graph"),
    "Integration of single cells": ("metrics.integration",),
}
"""By the beginning of a paragraph of ``help(gpuval)`` the packages of the measures that are listed below it."""

TABLES = {
    "gpuval/evaluation/evaluation.py": ("metrics.external", "metrics.internal"),
    "gpuval/ranking/evaluation.py": ("ranking",),
    "gpuval/multilabel/evaluation.py": ("multilabel",),
}
"""By the path of a file the packages of the measures in its tables of short names, in their order."""

TABLE = re.compile(r"    =+  =+\n    short +measure\n    =+  =+\n(?:    \w.*\n)*    =+  =+\n")


def with_families(text: str, _: str) -> str:
    """The text of a module whose docstring lists all measures by families."""
    for beginning, packages in FAMILIES.items():
        below = re.compile(rf"(?<=\n)({beginning}(?:.+\n)+\n)(?:    .+\n)*")
        text = fill(below, text, families(in_packages(*packages)) + "\n")
    return text


def families(entries: Iterable[Entry]) -> str:
    """The lines of measures: those of each family with its title, if there are several families."""
    titled = {title: ", ".join(map(name, found)) for title, found in by_family(entries).items()}
    if len(titled) == 1:
        return lines(*titled.values(), "    ")
    return "\n".join(lines(f"{title}: {names}", "        ") for title, names in titled.items())


def lines(text: str, indent: str) -> str:
    """A text as lines, of which all but the first have an indent."""
    found = wrap(text, 120, initial_indent="    ", subsequent_indent=indent, break_on_hyphens=False)
    return "\n".join(found).replace("\xa0", " ")


def name(entry: Entry) -> str:
    """The name of a measure, and its abbreviations: the short names that are no words of it, in capitals."""
    abbreviations = [short.upper() for short in entry.short if f"_{short}_" not in f"_{entry.name}_"]
    return f"{entry.name}\xa0({', '.join(abbreviations)})" if abbreviations else entry.name


def with_short_names(text: str, path: str) -> str:
    """The text of a module whose docstring has a table of short names, or several."""
    return fill(TABLE, text, *map(table, TABLES[path]))


def table(package: str) -> str:
    """The table of the short names of the measures of a package."""
    rows = [(", ".join(x.short), x.measure.name) for x in in_packages(package) if x.short]
    width, width_of_names = (max(map(len, column)) for column in zip(*rows, strict=True))
    rule = ("=" * width, "=" * width_of_names)
    all_rows = [rule, ("short", "measure"), rule, *rows, rule]
    return "".join(f"    {short:{width}}  {name}\n" for short, name in all_rows)
