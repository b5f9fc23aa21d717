"""Reads ``metrics``: a name or a function, several of these, or a mapping that gives them new names."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

Asked = TypeVar("Asked")


def asked_by_name(metrics: Any, read: Callable[[Any], tuple[str, Asked]], functions: str) -> dict[Any, Asked]:
    """The measures that ``metrics`` stands for, by their names, or by the keys of a mapping.

    ``read`` gives the name and the measure of one that is asked for; ``functions`` says in an error of which kind
    functions are.
    """
    if isinstance(metrics, str) or callable(metrics):
        metrics = (metrics,)
    elif isinstance(metrics, bytes) or not isinstance(metrics, Iterable):
        raise TypeError(
            f"metrics must be a name, or a sequence or mapping of names and functions of {functions}, got {metrics!r}"
        )
    if isinstance(metrics, Mapping):
        asked = {name: read(metric)[1] for name, metric in metrics.items()}
    else:
        asked = {}
        for name, one in map(read, metrics):
            if not are_same(asked.setdefault(name, one), one):
                raise ValueError(
                    f"metrics must be functions of different names, got {name!r} twice; give a mapping from names to "
                    "functions"
                )
    if not asked:
        raise ValueError("metrics must have at least one measure, got none")
    return asked


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


def described(asked: Mapping[Any, tuple[Callable[..., Any], dict[str, Any]]]) -> list[str]:
    """Measures with their options in words that are equal in all processes and files."""
    measures = {name: functools.partial(measure, **options) for name, (measure, options) in asked.items()}
    return [f"{name}: {name_of(measure)}" for name, measure in measures.items()]


def name_of(function: Callable[..., Any]) -> str:
    """The name of a function, or the type of another object that is called; of a partial one with its arguments."""
    if not isinstance(function, functools.partial):
        return str(getattr(function, "__name__", type(function).__name__))
    options = [*map(repr, function.args), *(f"{key}={value!r}" for key, value in function.keywords.items())]
    return f"{name_of(function.func)}({', '.join(options)})"
