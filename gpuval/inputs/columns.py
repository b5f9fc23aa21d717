"""Finds columns by a name or a pattern, and explains what is wrong if there is no such column."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from difflib import get_close_matches
from fnmatch import fnmatchcase
from typing import Any

import numpy as np

from gpuval.display.text import shorten_middle

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


def texts_of_nothing(columns: Iterable[Any]) -> list[str]:
    """The labels of columns of pandas that are texts, and that others write for a missing label, such as "NA"."""
    held = list(columns)
    return [text for text in ("NA", "nan", "NaN", "None") if any(column.isin([text]).any() for column in held)]


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
