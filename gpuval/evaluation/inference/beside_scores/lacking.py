"""Warnings about values of ``by`` without samples that count, or without groups for an interval."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from gpuval.inputs.options import level_of_user

Key = tuple[Any, Any]
"""The name of a labeling, and a value of ``by``."""

_MOST = 10
"""Values that a warning names."""


def warn_of_no_samples(names: Sequence[Any], values: Iterable[Any], found: Collection[Key]) -> None:
    """Say which values have no scores of which labelings, among ``names``, as none of their samples counts."""
    _warn(told_of_no_samples(names, values, found))


def told_of_no_samples(names: Sequence[Any], values: Iterable[Any], found: Collection[Key]) -> str:
    """What is said of that; "" where all have scores."""
    lacking = [(name, value) for value in values for name in names if (name, value) not in found]
    return _told("by has values without samples that count, which have no scores:", lacking, names)


def warn_of_one_group(names: Sequence[Any], lacking: Iterable[Key]) -> None:
    """Say which values have no intervals of which labelings, as all of their samples are of one group."""
    _warn(_told("groups must have at least two values for an interval, which is NaN where by is", lacking, names))


def _told(message: str, lacking: Iterable[Key], names: Sequence[Any]) -> str:
    of_value: dict[Any, list[Any]] = {}
    for name, value in lacking:
        of_value.setdefault(value, []).append(name)
    told = [
        repr(value) if len(own) == len(names) else f"{value!r} for {', '.join(map(repr, own))}"
        for value, own in of_value.items()
    ]
    more = f"; and {len(told) - _MOST} more" if len(told) > _MOST else ""
    return f"{message} {'; '.join(told[:_MOST])}{more}" if told else ""


def _warn(message: str) -> None:
    if message:
        warnings.warn(message, stacklevel=level_of_user())
