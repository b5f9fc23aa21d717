"""Reads columns of obs, in its three layouts, and embeddings from AnnData's .h5ad; all else stays on disk.

Nothing outside the file is opened: links to other files, and values that are stored there, are errors.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gpuval.cli.files.columns import (
    PARTS_OF_COLUMNS,
    FileError,
    Frame,
    Matrix,
    as_embedding,
    check_any,
    check_distinct,
    check_embedding_type,
    check_frame,
    check_stored,
    columns_to_read,
    labels_of_element,
    relabel,
    text_of,
    translate_errors,
)

Group = Any
"""A group of h5py."""

Dataset = Any
"""A dataset of h5py."""

_MOST_LINKS = 16
"""The soft links of one path, those that they lead to among them: some lead in a circle, or each to many others."""


@dataclass(frozen=True)
class H5adFile:
    """An AnnData file."""

    path: Path
    notes: list[str] = field(default_factory=list)
    has_keys = True
    n_bytes = None

    @property
    def name(self) -> str:
        """What messages call the file."""
        return str(self.path)

    def columns(self) -> list[str]:
        """List the names of the columns, in file order."""
        with translate_errors(self.name, ".h5ad"), self._open() as file:
            names = _names(self._obs(file))
        check_distinct(self.name, names)
        return names

    def unfit(self, names: Sequence[str]) -> dict[str, str]:
        """Say which of the columns hold no labels, by their type, and what they hold."""
        with translate_errors(self.name, ".h5ad"), self._open() as file:
            obs = self._obs(file)
            kinds = {name: _call_for_column(_unfit_kind, obs, name) for name in names}
            return {name: kind for name, kind in kinds.items() if kind is not None}

    def read(self, labels: Sequence[str], weight: str | None = None) -> Frame:
        """Read the columns ``labels`` and ``weight``, and nothing else."""
        with translate_errors(self.name, ".h5ad"):
            import pandas as pd

            with self._open() as file:
                obs = self._obs(file)
                read = _read_member if _is_group(obs) else _read_field
                columns = {name: _call_for_column(read, obs, name) for name in columns_to_read(labels, weight)}
                _check_lengths(columns, _n_samples(obs))
            frame = pd.DataFrame(columns)
            check_any(self.name, len(frame))
            return relabel(frame, labels, labels_of_element)

    def keys(self) -> list[str]:
        """List the keys of obsm, in file order."""
        with translate_errors(self.name, ".h5ad"), self._open() as file:
            obsm = self._obsm(file)
            return [] if obsm is None else list(obsm)

    def embedding(self, names: Sequence[str]) -> Matrix:
        """Read the matrix of a key of obsm."""
        (key,) = names
        with translate_errors(self.name, ".h5ad"), self._open() as file:
            try:
                return as_embedding(_matrix(_member_at(self._obsm(file), key)), _n_samples(self._obs(file)))
            except ValueError as error:
                raise FileError(f"cannot read {self.name} as .h5ad: obsm {key!r}: {error}") from None

    def _obsm(self, file: Group) -> Any:
        """The group of embeddings; None if there is none, or in the layout that AnnData had before it had groups."""
        obsm = _member_at(file, "obsm") if "obsm" in list(file) else None  # else h5py would look behind links
        return obsm if _is_group(obsm) else None

    def _open(self) -> Any:
        import h5py

        return h5py.File(self.path, "r")

    def _obs(self, file: Group) -> Group | Dataset:
        try:
            obs = _member_at(file, "obs")
        except LookupError:
            raise FileError(f"{self.path} has no /obs: it is no file of AnnData") from None
        if not _is_group(obs):
            _check_dataset(obs)
            if obs.dtype.names is None or obs.ndim != 1:
                raise FileError(f"{self.path} has an /obs without columns: it is no file of AnnData")
        elif "column-order" not in obs.attrs:
            raise FileError(f"{self.path} has an /obs without column-order: it is no file of AnnData")
        return obs


# Opening, by links that stay in the file.


def _member_at(start: Group, path: str) -> Any:
    """Open what is at ``path``; h5py by itself would follow a link to any other file."""
    from h5py import h5l

    place = start.file["/"] if path.startswith("/") else start
    names, n_links = path.split("/")[::-1], 0
    while names:
        name = names.pop()
        if name in ("", "."):
            continue
        links = _links(place, name)
        kind = links.get_info(name.encode()).type
        if kind == h5l.TYPE_SOFT:
            n_links += 1
            if n_links > _MOST_LINKS:
                raise ValueError(f"the links to {path!r} lead in a circle, or are more than {_MOST_LINKS}")
            target = links.get_val(name.encode()).decode()
            place = start.file["/"] if target.startswith("/") else place
            names += target.split("/")[::-1]
        elif kind == h5l.TYPE_HARD:
            place = place[name]
        else:
            raise ValueError(f"{name!r} is a link to another file, which is not followed; copy it into this one")
    return place


def _links(place: Group, name: str) -> Any:
    if not _is_group(place) or not place.id.links.exists(name.encode()):
        raise LookupError(f"there is no {name!r} in {place.name!r}")
    return place.id.links


def _is_group(x: Any) -> bool:
    import h5py

    return isinstance(x, h5py.Group)


def _check_dataset(dataset: Any) -> None:
    """Check that the values are in the file, and not only said to be."""
    import h5py

    if not isinstance(dataset, h5py.Dataset) or dataset.shape is None:
        raise ValueError("it holds no values")
    if dataset.is_virtual or dataset.external:
        raise ValueError("its values are in another file, which is not opened; copy them into this one")
    size = dataset.dtype.itemsize
    check_stored(dataset.size * size, dataset.id.get_storage_size(), math.prod(dataset.chunks or ()) * size)


# Columns.


def _names(obs: Group | Dataset) -> list[str]:
    if not _is_group(obs):
        return [name for name in obs.dtype.names if name != "index"]
    return [text_of(name) for name in obs.attrs["column-order"]]


def _n_samples(obs: Group | Dataset) -> int | None:
    """Say how many samples there are, by the index, if there is one to tell."""
    if not _is_group(obs):
        return int(obs.shape[0])
    name = obs.attrs.get("_index")
    if name is None or not obs.id.links.exists(text_of(name).encode()):
        return None
    part = next(_parts(_member_at(obs, text_of(name))), None)
    return None if part is None or _is_group(part) else int(part.shape[0])


def _check_lengths(columns: dict[str, Any], n_samples: int | None) -> None:
    for name, values in columns.items():
        if n_samples is not None and len(values) != n_samples:
            raise ValueError(f"column {name!r} has {len(values)} values for {n_samples} samples")


def _call_for_column(read: Any, obs: Group | Dataset, name: str) -> Any:
    """Read a column, and say which it is if that fails."""
    try:
        return read(obs, name)
    except ImportError:
        raise
    except Exception as error:  # a damaged file makes a parser raise anything
        raise ValueError(f"column {name!r}: {error}") from None


def _unfit_kind(obs: Group | Dataset, name: str) -> str | None:
    """Say what a column holds that is no labels."""
    import h5py

    if not _is_group(obs):
        dtype, shape = obs.dtype[name], obs.shape
    elif _is_group(member := _member_at(obs, name)):
        kind = _kind(member)
        if kind not in PARTS_OF_COLUMNS:
            return f"an element of type {kind}"
        kinds = (_unfit_type(part.dtype) for part in _parts(member) if isinstance(part, h5py.Dataset))
        return next(filter(None, kinds), None)
    else:
        dtype, shape = member.dtype, member.shape
    return _unfit_type(dtype) or (None if len(shape or ()) == 1 else f"values of shape {shape}")


def _unfit_type(dtype: Any) -> str | None:
    """Say what values of a type are, if they are no labels."""
    import h5py

    if (items := h5py.check_vlen_dtype(dtype)) not in (None, str, bytes):
        return f"lists of type {items}"
    if dtype.kind not in "biufSO" or h5py.check_ref_dtype(dtype) is not None:
        return f"values of type {dtype}"
    return None


def _read_field(obs: Dataset, name: str) -> Any:
    """Read a column of a compound /obs, whose categories are in /uns (before AnnData 0.7)."""
    values = obs.fields(name)[()]
    try:
        categories = _member_at(obs.file, f"uns/{name}_categories")
    except LookupError:
        return values
    return _categorical(values, categories)


def _read_member(obs: Group, name: str) -> Any:
    """Read a column of a group /obs: an element, or codes that point at their categories (0.7)."""
    import h5py

    member = _member_at(obs, name)
    for part in _parts(member):
        _check_dataset(part)
    if "encoding-type" in member.attrs:
        from anndata.io import read_elem

        return read_elem(member)
    values, categories = member[()], member.attrs.get("categories")
    if categories is None:
        return values
    if not isinstance(categories, h5py.Reference):
        raise ValueError("its categories are nowhere in the file")
    return _categorical(values, obs[categories])


def _matrix(element: Group | Dataset) -> Any:
    """Read an element of obsm, all of which is in the file."""
    from anndata.io import read_elem

    check_embedding_type(_kind(element))
    members = [_member_at(element, name) for name in element] if _is_group(element) else [element]
    inner = [_member_at(group, name) for group in filter(_is_group, members) for name in group]
    for member in members + inner:
        if not _is_group(member):
            _check_dataset(member)
        elif member not in members:
            raise ValueError("it must be a matrix of numbers, got groups within groups")
    if _kind(element) == "dataframe":
        check_frame(element.attrs, {name: _kind(member) for name, member in zip(element, members, strict=True)})
    return read_elem(element)


def _kind(element: Group | Dataset) -> str:
    """What element of AnnData it is."""
    return text_of(element.attrs.get("encoding-type", "group" if _is_group(element) else "array"))


def _parts(column: Group | Dataset) -> Iterator[Any]:
    """The datasets that a column is made of; its categories may be made of values and a mask."""
    for part in _parts_of_element(column):
        yield from _parts_of_element(part)


def _parts_of_element(element: Group | Dataset) -> Iterator[Any]:
    """What an element is made of; itself, if it is a dataset, or a group that is no column."""
    kind = text_of(element.attrs.get("encoding-type", "")) if _is_group(element) else ""
    names = PARTS_OF_COLUMNS.get(kind, ())
    if not names:
        yield element
    for name in names:
        yield _member_at(element, name)


def _categorical(codes: Any, categories: Dataset) -> Any:
    import pandas as pd

    _check_dataset(categories)
    return pd.Categorical.from_codes(codes, categories=categories[()])
