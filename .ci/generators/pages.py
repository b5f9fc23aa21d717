"""The number of measures in the README, and the page of all measures."""

from __future__ import annotations

import re
from textwrap import wrap

from generators.measures import all_in_order
from generators.places import fill

WIDTH = 124
"""Of the lines of the page."""


def with_number_of_measures(text: str, _: str) -> str:
    """The text of a page that says how many measures there are."""
    return fill(re.compile(r"\d+(?= measures in all)"), text, str(len(all_in_order())))


def with_measures(text: str, _: str) -> str:
    """The text of a page with lists of roles: one that has a measure has all measures of the same module."""
    return re.sub(r"(?:^\{(?:func|class)\}`.*\n)+", lambda found: completed(found[0]), text, flags=re.MULTILINE)


def completed(text: str) -> str:
    """A list of roles as it is, with those measures of its modules that it lacks."""
    module_of = {f"{{func}}`~gpuval.{x.name}`": x.measure.function.__module__ for x in all_in_order()}
    roles = re.findall(r"\{\w+\}`~gpuval\.[\w.]+`", text)
    modules = list(dict.fromkeys(module_of[role] for role in roles if role in module_of))
    for role, module in module_of.items():
        if module in modules and role not in roles:
            last = max(i for i, x in enumerate(roles) if module_of.get(x) == module)
            roles.insert(last + 1, role)
    return "\n".join(wrap(f"{', '.join(roles)}.", WIDTH, break_on_hyphens=False)) + "\n"
