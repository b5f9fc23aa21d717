"""Names from users: ``metrics`` of any family, and columns that are found by a name or a pattern."""

from __future__ import annotations

import functools
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from difflib import get_close_matches
from fnmatch import fnmatchcase
from typing import Any, TypeVar

import numpy as np

from gpuval.display.text import shorten_middle

MeasureType = TypeVar("MeasureType")


def measures_by_name(
    metrics: Any, read: Callable[[Any], tuple[str, MeasureType]], functions: str
) -> dict[Any, MeasureType]:
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


def measure_texts(asked: Mapping[Any, tuple[Callable[..., Any], dict[str, Any]]]) -> list[str]:
    """Measures with their options in words that are equal in all processes and files."""
    measures = {name: functools.partial(measure, **options) for name, (measure, options) in asked.items()}
    return [f"{name}: {name_of(measure)}" for name, measure in measures.items()]


def name_of(function: Callable[..., Any]) -> str:
    """The name of a function, or the type of another object that is called; of a partial one with its arguments."""
    if not isinstance(function, functools.partial):
        return str(getattr(function, "__name__", type(function).__name__))
    options = [*map(repr, function.args), *(f"{key}={value!r}" for key, value in function.keywords.items())]
    return f"{name_of(function.func)}({', '.join(options)})"


# Finds columns by a name or a pattern, and explains what is wrong if there is no such column.

_OF_PATTERNS = "*?["
_MOST_LISTED = 12
_FEWEST_COUNTS = 20
"""So many different numbers may be labels whatever they are: a clustering of few samples is never taken for counts."""
_WIDEST_LISTED = 42
"""Columns of a terminal that a name takes with its quotes: a header that is read amiss may be one name."""


def find_columns(
    text: str, argument: str, names: Sequence[str], others: Container[str | None], place: str, notes: Sequence[str] = ()
) -> list[str]:
    """The columns that a name or a pattern stands for, those of a pattern in the order of ``names``.

    A pattern leaves out ``others``, the columns of other arguments. ``place`` is what messages call that which has the
    columns, and ``notes`` are what else there is to say of it.
    """
    if text in names or not any(sign in text for sign in _OF_PATTERNS):
        check_column(text, argument, names, place, notes)
        return [text]
    found = [name for name in names if fnmatchcase(name, text)]
    if not found:
        raise ValueError(
            f"{argument} must be columns of {place}, got {text!r}, which matches none{name_hints(text, names, notes)}"
        )
    free = [name for name in found if name not in others]
    if not free:
        raise ValueError(
            f"{argument} must be columns of {place} that are given for nothing else, got {text!r}, which matches no "
            f"more than {'; '.join([_list_names(found), *notes])}"
        )
    return free


def why_measured(column: Any) -> str | None:
    """Why a column of pandas looks like counts, such as n_genes, or like numbers of the samples; None if it does not.

    Categories, text and booleans are labels. So are at most ``_FEWEST_COUNTS`` different whole numbers, and those that
    look like the codes of clusters: they begin at -1, 0 or 1 (noise may be -1), half of those up to the largest occur,
    and a code has two samples or more on average.
    """
    if hasattr(column.dtype, "categories") or getattr(column.dtype, "kind", "O") not in "iuf":
        return None
    numbers = column.dropna().to_numpy()
    found = np.unique(numbers)
    is_whole = np.isfinite(found).all() and not (found % 1).any()  # what is not whole is no label anyway
    if len(found) <= _FEWEST_COUNTS or not is_whole:
        return None
    first, last = int(found[0]), int(found[-1])
    if -1 <= first <= 1 and 2 * len(found) >= last - first + 1 and 2 * len(found) <= len(numbers):
        return None
    return (
        f"looks like counts or numbers of samples, as it has {len(found)} different whole numbers from {first} to "
        f"{last}; give its full name to take them for labels"
    )


def check_column(name: str, argument: str, names: Sequence[str], place: str, notes: Sequence[str] = ()) -> None:
    """Check that there is a column of this name."""
    if name not in names:
        raise ValueError(f"{argument} must be a column of {place}, got {name!r}{name_hints(name, names, notes)}")


def name_hints(name: str, names: Sequence[str], notes: Sequence[str] = ()) -> str:
    """The end of a message about a name that is none of these: those that are close, notes, and what there is."""
    close = " or ".join(map(repr, get_close_matches(name, names)))
    hint = f" (did you mean {close}?)" if close else ""
    return "; ".join([hint, *notes, f"it has {_list_names(names)}"])


def _list_names(names: Sequence[str]) -> str:
    """The first names, and how many there are if that is more."""
    more = f", ... ({len(names)} in all)" if len(names) > _MOST_LISTED else ""
    first = [shorten_middle(repr(name), _WIDEST_LISTED) for name in names[:_MOST_LISTED]]
    return (", ".join(first) or "none") + more
