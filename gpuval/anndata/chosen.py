"""Which columns of ``adata.obs`` are the clusterings: those that are named, and those that patterns match."""

from __future__ import annotations

import warnings
from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Any

from gpuval.anndata.columns import check_obs_column, read_columns, title_of
from gpuval.inputs.options import level_of_user
from gpuval.inputs.selection import read_ignored
from gpuval.inputs.strings import is_missing
from gpuval.report._common.columns import matching_columns
from gpuval.table.labelings import read_labelings


def read_clusterings(
    adata: Any, clusterings: Any, names: Sequence[str], others: Iterable[str | None], ignore_labels: Any
) -> dict[str, Any]:
    """The clusterings by their names, in the order asked for, each once.

    ``names`` are those of all columns, and ``others`` the columns of other arguments. Patterns leave out these, and
    columns that hold no labels, of which a warning says why.
    """
    asked = _listed(clusterings)
    taken = set(others)
    matches = {text: _matches(text, names, taken) for text in asked}
    columns = read_columns(adata, (name for found in matches.values() for name in found))
    named = {text for text in asked if text in names}
    keeps_missing = not any(map(is_missing, read_ignored(ignore_labels)))
    reasons = {name: _why_no_labels(name, x, keeps_missing) for name, x in columns.items() if name not in named}
    left_out = {name: reason for name, reason in reasons.items() if reason is not None}
    kept = {name: x for name, x in columns.items() if name not in left_out}
    said = "".join(f"\n- {reason}" for reason in left_out.values())
    for text, found in matches.items():
        if left_out.keys() >= set(found):
            raise ValueError(f"clusterings must be columns of labels, got {text!r}, which matches none:{said}")
    if left_out:
        warnings.warn(f"clusterings are without columns that hold no labels:{said}", stacklevel=level_of_user())
    return kept


def _listed(clusterings: Any) -> list[str]:
    """Names and patterns; one alone is a list of it."""
    is_list = isinstance(clusterings, Iterable) and not isinstance(clusterings, str | bytes | Mapping)
    asked = list(clusterings) if is_list else [clusterings]
    for text in asked:
        if not isinstance(text, str):
            raise TypeError(
                f"clusterings must be names of columns of adata.obs, or patterns such as 'leiden_*', got {text!r}"
            )
    if not asked:
        raise ValueError("clusterings must have at least one name of a column of adata.obs, got none")
    return asked


def _matches(text: str, names: Sequence[str], others: Container[str | None]) -> list[str]:
    """The columns that a name or a pattern stands for."""
    found = matching_columns(text, "clusterings", names, others, "adata.obs")
    for name in found:
        check_obs_column(name, "clusterings", names)
    return found


def _why_no_labels(name: str, column: Any, keeps_missing: bool) -> str | None:
    """What is wrong with a column as labels; None if nothing is."""
    try:
        read_labelings({title_of(name): column}, None, None if keeps_missing else [None], None, None)
    except (TypeError, ValueError) as error:
        return str(error)
    return None
