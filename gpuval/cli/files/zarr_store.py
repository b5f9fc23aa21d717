"""Reads columns of obs and embeddings of obsm from AnnData's .zarr, a folder; everything else stays on disk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gpuval.cli.files.columns import (
    FileError,
    Frame,
    Matrix,
    check_any,
    check_distinct,
    reading,
    relabeled,
    wanted,
)
from gpuval.cli.files.elements import (
    PARTS_OF_COLUMNS,
    as_embedding,
    check_embedding_type,
    check_frame,
    labels_of_element,
)
from gpuval.cli.files.zarr_nodes import Node, read_node


@dataclass(frozen=True)
class ZarrStore:
    """A store of AnnData, of version 2 or 3 of Zarr."""

    path: Path
    notes: list[str] = field(default_factory=list)
    has_keys = True
    n_bytes = None

    @property
    def name(self) -> str:
        """What messages call the store."""
        return str(self.path)

    def columns(self) -> list[str]:
        """List the names of the columns, in their order."""
        with reading(self.name, ".zarr"):
            names = [str(name) for name in self._obs().attributes["column-order"]]
        check_distinct(self.name, names)
        return names

    def unfit(self, names: Sequence[str]) -> dict[str, str]:
        """Say which of the columns hold no labels, by their type, and what they hold."""
        with reading(self.name, ".zarr"):
            obs = self._obs()
            kinds = {name: _of_column(name, _unfit_kind, obs, name) for name in names}
            return {name: kind for name, kind in kinds.items() if kind is not None}

    def read(self, labels: Sequence[str], weight: str | None = None) -> Frame:
        """Read the columns ``labels`` and ``weight``, and nothing else."""
        with reading(self.name, ".zarr"):
            import pandas as pd

            obs = self._obs()
            columns = {name: _of_column(name, _column, obs, name) for name in wanted(labels, weight)}
            n_samples = _n_samples(obs)
            for name, values in columns.items():
                if n_samples is not None and len(values) != n_samples:
                    raise ValueError(f"column {name!r} has {len(values)} values for {n_samples} samples")
            frame = pd.DataFrame(columns)
            check_any(self.name, len(frame))
            return relabeled(frame, labels, labels_of_element)

    def keys(self) -> list[str]:
        """List the keys of obsm."""
        with reading(self.name, ".zarr"):
            try:
                return read_node(self.path).opened("obsm").members()
            except LookupError:
                return []

    def embedding(self, names: Sequence[str]) -> Matrix:
        """Read the matrix of a key of obsm."""
        (key,) = names
        with reading(self.name, ".zarr"):
            node = read_node(self.path).opened("obsm").opened(key)
            try:
                check_embedding_type(node.encoding)
                return as_embedding(_element(node), _n_samples(self._obs()))
            except ValueError as error:
                raise FileError(f"cannot read {self.name} as .zarr: obsm {key!r}: {error}") from None

    def _obs(self) -> Node:
        if not self.path.is_dir():
            raise FileError(f"cannot read {self.name} as .zarr: it is a file; a store of Zarr is a folder")
        try:
            obs = read_node(self.path).opened("obs")
        except LookupError:
            raise FileError(f"{self.name} has no obs: it is no store of AnnData") from None
        if obs.is_array or not isinstance(obs.attributes.get("column-order"), list):
            raise FileError(f"{self.name} has an obs without column-order: it is no store of AnnData")
        return obs


def _of_column(name: str, function: Any, *arguments: Any) -> Any:
    """Call a function, and say which column it is about if that fails."""
    try:
        return function(*arguments)
    except ImportError:
        raise
    except Exception as error:  # what is damaged makes a parser raise anything
        raise ValueError(f"column {name!r}: {error}") from None


def _n_samples(obs: Node) -> int | None:
    """Say how many samples there are, by the index, if there is one to tell."""
    name = obs.attributes.get("_index")
    if not isinstance(name, str) or name not in obs.members():
        return None
    index = obs.opened(name)
    if index.is_array:
        return index.shape[0]
    parts = PARTS_OF_COLUMNS.get(index.encoding, ())
    return index.opened(parts[0]).shape[0] if parts else None


def _unfit_kind(obs: Node, name: str) -> str | None:
    """Say what a column holds that is no labels."""
    member = obs.opened(name)
    if not member.is_array:
        return None if member.encoding in PARTS_OF_COLUMNS else f"an element of type {member.encoding}"
    if not member.may_be_labels:
        return f"values of type {member.type_}"
    return None if len(member.shape) == 1 else f"values of shape {member.shape}"


def _column(obs: Node, name: str) -> Any:
    """Read a column: an element, or codes beside the name of their categories (before AnnData 0.8)."""
    import pandas as pd

    member = obs.opened(name)
    categories = member.attributes.get("categories")
    if not isinstance(categories, str):
        return _element(member)
    return pd.Categorical.from_codes(_element(member), categories=_element(obs.opened(categories)))


def _element(node: Node) -> Any:
    """Read an element, all of which is in the store."""
    for array in node.arrays():
        array.check_values()
    if node.encoding == "dataframe":
        check_frame(node.attributes, {name: node.opened(name).encoding for name in node.members()})
    import zarr
    from anndata.io import read_elem

    if node.is_array:
        return zarr.open_array(str(node.path), mode="r")[...]
    return read_elem(zarr.open_group(str(node.path), mode="r", use_consolidated=False))
