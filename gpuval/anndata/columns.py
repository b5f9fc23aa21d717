"""Read columns of ``adata.obs`` by their names, and only those."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from gpuval.evaluation._common.columns import check_column
from gpuval.inputs.containers import type_of


def check_annotated(adata: Any) -> None:
    """Check that there are cells, with annotations and embeddings, as AnnData and MuData have them."""
    if not all(hasattr(adata, name) for name in ("obs", "obsm", "uns")):
        raise TypeError(f"adata must be an AnnData or a MuData, got {type(adata).__name__}")
    if not adata.obs.shape[0]:  # nothing against nothing scores 1, and nobody means that
        raise ValueError("adata must have at least one cell, got none")


def column_names(adata: Any) -> list[str]:
    """The names of the columns of ``adata.obs`` that are text; columns with other names cannot be used.

    They are in the order of the columns. In a file that is read lazily there is no order, because they are made of a
    set.
    """
    columns = set(adata.obs.columns)
    return [name for name in adata.obs if isinstance(name, str) and name in columns]


def check_obs_column(name: Any, argument: str, names: Sequence[str]) -> None:
    """Check that an argument is the name of one column."""
    if not isinstance(name, str):
        raise TypeError(f"{argument} must be the name of a column of adata.obs, got {type_of(name)}")
    check_column(name, argument, names, "adata.obs")
    if names.count(name) > 1:
        raise ValueError(f"{argument} must be one column of adata.obs, got {name!r}, which {names.count(name)} have")


def title_of(name: str) -> str:
    """What messages call a column."""
    return f"adata.obs[{name!r}]"


def read_columns(adata: Any, names: Iterable[str | None]) -> dict[str, Any]:
    """The columns of these names as Series of pandas; None stands for none.

    Of a file that is read lazily, whose columns are xarray's, no others are read.
    """
    wanted = list(dict.fromkeys(name for name in names if name is not None))
    obs = adata.obs
    if hasattr(type(obs), "to_memory"):  # a frame of pandas may have a column of this name
        obs = obs[wanted].to_memory()
    return {name: obs[name] for name in wanted}
