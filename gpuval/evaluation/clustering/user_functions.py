"""Checks that a user's function can be a measure: that it takes one table, and no labels."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from typing import Any

from gpuval.evaluation._common.names import name_of
from gpuval.evaluation.clustering.registry import hint_of_namesake

_BY_PLACE = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def check_takes_a_table(function: Callable[..., Any], options: Mapping[str, Any], requirement: str) -> None:
    """Check that a function, which may be partial, can be called with a table and options.

    ``requirement`` begins the message. A function without a signature, such as some of C, is called as it is.
    """
    partial = functools.partial(function, **options)
    try:
        signature = inspect.signature(partial.func)
    except (TypeError, ValueError):
        return
    try:
        signature.bind(*partial.args, None, **partial.keywords)
    except TypeError:
        name = name_of(function)
        if partial.func is function:
            name = f"{name}({', '.join(_arguments(signature))})"
        called = " and ".join(["a Contingency", *(f"{option}=" for option in partial.keywords)])
        hint = hint_of_namesake(name_of(partial.func)) or f"it would be called with {called}"
        raise TypeError(f"{requirement}, got {name}; {hint}") from None


def _arguments(signature: inspect.Signature) -> list[str]:
    """The arguments that may be given by place, and those that must be given by name."""
    parameters = signature.parameters.values()
    needed = [x for x in parameters if x.kind is x.KEYWORD_ONLY and x.default is x.empty]
    return [x.name for x in parameters if x.kind in _BY_PLACE] + [f"{x.name}=" for x in needed]
