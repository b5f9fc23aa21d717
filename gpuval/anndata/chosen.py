"""Choose which columns of ``adata.obs`` are the clusterings, by names and by patterns."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Container, Iterable, Sequence
from typing import Any

from gpuval.anndata.columns import check_obs_column, read_columns, title_of
from gpuval.anndata.names import listed_names
from gpuval.evaluation._common.columns import matching_columns, why_measured
from gpuval.inputs.codes import as_integers, filled
from gpuval.inputs.labels import read_labels
from gpuval.inputs.options import level_of_user
from gpuval.inputs.selection import ignored_samples
from gpuval.inputs.strings import is_missing


def read_clusterings(
    adata: Any,
    clusterings: Any,
    names: Sequence[str],
    others: Iterable[str | None],
    ignore: tuple[Any, ...],
    why_unfit: Callable[[str, Any], str | None] | None = None,
) -> dict[str, Any]:
    """The clusterings by their names, in the given order, each once.

    ``names`` are the names of all columns, and ``others`` the columns of other arguments. Patterns leave out the
    columns of other arguments. They also leave out columns that hold no labels, or miss some that are not to
    ``ignore``; a warning says why. ``why_unfit`` tells what else is wrong with the labels of a column, or None; it is
    an error of a column that is named.
    """
    must = "clusterings must be names of columns of adata.obs, or patterns such as 'leiden_*'"
    asked = listed_names(clusterings, must, "name of a column of adata.obs")
    taken = set(others)
    matches = {text: _matches(text, names, taken) for text in asked}
    columns = read_columns(adata, (name for found in matches.values() for name in found))
    named = {text for text in asked if text in names}
    left_out = {}
    for name, x in columns.items():
        if name not in named and (reason := _why_no_labels(name, x, ignore)) is not None:
            left_out[name] = reason
        elif why_unfit is not None and (reason := why_unfit(name, x)) is not None:
            if name in named:
                raise ValueError(reason)
            left_out[name] = reason
    kept = {name: x for name, x in columns.items() if name not in left_out}
    said = "".join(f"\n- {reason}" for reason in left_out.values())
    for text, found in matches.items():
        if left_out.keys() >= set(found):
            raise ValueError(f"clusterings must be columns of labels, got {text!r}, which matches none:{said}")
    if left_out:
        warnings.warn(f"clusterings leave out columns that a pattern matches:{said}", stacklevel=level_of_user())
    return kept


def _matches(text: str, names: Sequence[str], others: Container[str | None]) -> list[str]:
    """The columns that a name or a pattern stands for."""
    found = matching_columns(text, "clusterings", names, others, "adata.obs")
    for name in found:
        check_obs_column(name, "clusterings", names)
    return found


def _why_no_labels(name: str, column: Any, ignore: tuple[Any, ...]) -> str | None:
    """What is wrong with a column as labels; None if nothing is. ``ignore`` are the labels that do not count."""
    try:
        vector = read_labels(column, title_of(name))
        is_ignored = ignored_samples(vector, ignore)
        is_missing_label = ignored_samples(vector, tuple(filter(is_missing, ignore))[:1])
        if is_missing_label is not None and is_missing_label.any():
            if is_missing_label.all():
                return f"{vector.name} must have labels, got {vector.size} missing ones"
            vector = filled(vector, is_missing_label)
        as_integers(vector)
        if is_ignored is not None and vector.size and is_ignored.all():
            return f"{vector.name} must have labels that are not ignored, got {vector.size} that are all ignored"
    except (TypeError, ValueError) as error:
        return str(error)
    reason = why_measured(column)
    return None if reason is None else f"{vector.name} {reason}"
