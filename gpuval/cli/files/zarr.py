"""AnnData's .zarr, a folder: columns of obs and embeddings of obsm are read, and everything else stays on disk.

Metadata of groups and arrays are read as they are, in versions 2 and 3, which needs no library; nothing outside the
folder is opened.
"""

from __future__ import annotations

import json
import math
import os
import re
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
    translate_errors,
)

_LONGEST = 64 << 20
"""The most bytes of metadata."""

_CODECS = {
    *("blosc", "bz2", "gzip", "lz4", "lzma", "zlib", "zstd"),
    *("bytes", "crc32", "crc32c", "delta", "endian", "fletcher32", "fixedscaleoffset", "shuffle", "transpose"),
    *("sharding_indexed", "vlen-bytes", "vlen-utf8"),
}
"""What values may be written with. Others could run code when they are read, as pickles do."""

_CHUNK = re.compile(r"(c[./])?\d+([./]\d+)*|c")
"""The path of a chunk within the folder of its array."""


@dataclass(frozen=True)
class _Node:
    """A group or an array."""

    path: Path
    metadata: dict[str, Any]
    attributes: dict[str, Any]
    version: int

    @property
    def is_array(self) -> bool:
        """Whether it holds values."""
        return "shape" in self.metadata

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of its values."""
        return tuple(int(x) for x in self.metadata["shape"])

    @property
    def encoding(self) -> str:
        """What element of AnnData it is."""
        return str(self.attributes.get("encoding-type", "array" if self.is_array else "group"))

    @property
    def type_(self) -> str:
        """The type of its values, as the metadata call it."""
        name = self.metadata["dtype" if self.version == 2 else "data_type"]
        return str(name.get("name") if isinstance(name, dict) else name)

    @property
    def may_be_labels(self) -> bool:
        """Whether values of its type may be labels."""
        if self.version == 2:
            is_list = "vlen-array" in _codecs(self.metadata)
            return not is_list and re.fullmatch(r"[<>|]?[biufOSU]\d*", self.type_) is not None
        names = "bool", "int", "uint", "float", "string", "variable_length", "fixed_length", "null_terminated_bytes"
        return self.type_.startswith(names)

    def members(self) -> list[str]:
        """The names of its groups and arrays, sorted; also those of links, which cannot be opened."""
        with os.scandir(self.path) as entries:
            return sorted(x.name for x in entries if x.is_symlink() or (x.is_dir() and _metadata_of(Path(x.path))))

    def node_at(self, path: str) -> _Node:
        """The group or array at ``path`` within it."""
        place = self.path
        for name in path.split("/"):
            if name in ("", "."):
                continue
            if name == "..":
                raise ValueError(f"{path!r} leads out of the store")
            place = place / name
            if place.is_symlink():
                raise ValueError(f"{name!r} is a link, which is not followed; copy what it leads to into the store")
            if not place.is_dir():
                raise LookupError(f"there is no {name!r} in {place.parent.name!r}")
        return _read_node(place)

    def arrays(self) -> Iterator[_Node]:
        """All arrays within it, or itself."""
        if self.is_array:
            yield self
            return
        for name in self.members():
            yield from self.node_at(name).arrays()

    def check_values(self) -> None:
        """Check that its values are in the store, and written in a way that is safe to read."""
        unknown = sorted(set(_codecs(self.metadata)) - _CODECS)
        if unknown:
            raise ValueError(f"its values are written with {unknown[0]!r}, which is not read; write it without")
        n_stored = 0
        for folder, folders, files in os.walk(self.path):
            for name in [*folders, *files]:
                place = os.path.join(folder, name)
                if os.path.islink(place):
                    raise ValueError(f"{name!r} is a link, which is not followed; copy what it leads to into the store")
            n_stored += sum(os.path.getsize(os.path.join(folder, name)) for name in files)
        digits = re.search(r"\d+", self.type_)
        size = int(digits[0]) // (1 if self.version == 2 else 8) if digits else 8
        size = max(size, 1)
        check_stored(math.prod(self.shape) * size, n_stored, math.prod(self._chunk) * size)
        if {"vlen-utf8", "vlen-bytes"} & set(_codecs(self.metadata)):
            self._check_texts()

    def _check_texts(self) -> None:
        """Check that each chunk has as many texts as it has room for: as many as it says are made, up to 2^32."""
        from numcodecs import get_codec

        if self.version == 2:
            compressors = [x["id"] for x in [self.metadata.get("compressor")] if x]
        else:
            compressors = [x["name"] for x in self.metadata["codecs"] if not x["name"].startswith("vlen")]
        if "sharding_indexed" in compressors:  # whose chunks are not files
            return
        for file in self.path.rglob("*"):
            if _CHUNK.fullmatch(file.relative_to(self.path).as_posix()) is None or not file.is_file():
                continue  # metadata, folders, and what the systems of other machines leave
            content = file.read_bytes()
            for name in reversed(compressors):
                content = content[:-4] if name == "crc32c" else get_codec({"id": name}).decode(content)
            if (count := int.from_bytes(content[:4], "little")) != math.prod(self._chunk):
                raise ValueError(f"a chunk must have {math.prod(self._chunk)} texts, got {count}")

    @property
    def _chunk(self) -> list[int]:
        """The shape of what is read at once: a chunk, or one within a shard, unless other codecs are around that."""
        if self.version == 2:
            return list(map(int, self.metadata["chunks"]))
        of_chunk, codecs = self.metadata["chunk_grid"]["configuration"], self.metadata["codecs"]
        while len(codecs) == 1 and codecs[0]["name"] == "sharding_indexed":
            of_chunk = codecs[0]["configuration"]
            codecs = of_chunk["codecs"]
        return list(map(int, of_chunk["chunk_shape"]))


def _read_node(path: Path) -> _Node:
    """The group or array in a folder."""
    file = _metadata_of(path)
    if file is None:
        raise LookupError(f"{path.name!r} is no group or array of Zarr")
    metadata = _json(file)
    version = 3 if file.name == "zarr.json" else 2
    attributes = metadata.get("attributes") or {} if version == 3 else _json(path / ".zattrs")
    node = _Node(path, metadata, attributes, version)
    if not isinstance(attributes, dict) or (node.is_array and not isinstance(metadata["shape"], list)):
        raise ValueError(f"{file.name} of {path.name!r} has no shape or attributes that can be read")
    return node


def _metadata_of(path: Path) -> Path | None:
    files = (path / name for name in ("zarr.json", ".zarray", ".zgroup"))
    return next((file for file in files if file.is_file()), None)


def _json(file: Path) -> dict[str, Any]:
    if not file.exists():
        return {}
    if file.is_symlink() or file.stat().st_size > _LONGEST:
        raise ValueError(f"{file.name} is a link, or longer than {_LONGEST >> 20} MiB")
    found = json.loads(file.read_bytes())
    if not isinstance(found, dict):
        raise ValueError(f"{file.name} is no object of JSON")
    return found


def _codecs(metadata: dict[str, Any]) -> Iterator[str]:
    """The names of all codecs, also of those within shards."""
    given = [metadata.get("compressor"), *(metadata.get("filters") or [])]
    for key in ("codecs", "index_codecs"):
        given += metadata.get(key) or []
    for codec in given:
        if isinstance(codec, dict):
            yield str(codec.get("id", codec.get("name")))
            if isinstance(configuration := codec.get("configuration"), dict):
                yield from _codecs(configuration)
        elif codec is not None:
            yield str(codec)


# The columns and embeddings of a store


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
        with translate_errors(self.name, ".zarr"):
            names = [str(name) for name in self._obs().attributes["column-order"]]
        check_distinct(self.name, names)
        return names

    def unfit(self, names: Sequence[str]) -> dict[str, str]:
        """Say which of the columns hold no labels, by their type, and what they hold."""
        with translate_errors(self.name, ".zarr"):
            obs = self._obs()
            kinds = {name: _call_for_column(name, _unfit_kind, obs, name) for name in names}
            return {name: kind for name, kind in kinds.items() if kind is not None}

    def read(self, labels: Sequence[str], weight: str | None = None) -> Frame:
        """Read the columns ``labels`` and ``weight``, and nothing else."""
        with translate_errors(self.name, ".zarr"):
            import pandas as pd

            obs = self._obs()
            columns = {name: _call_for_column(name, _column, obs, name) for name in columns_to_read(labels, weight)}
            n_samples = _n_samples(obs)
            for name, values in columns.items():
                if n_samples is not None and len(values) != n_samples:
                    raise ValueError(f"column {name!r} has {len(values)} values for {n_samples} samples")
            frame = pd.DataFrame(columns)
            check_any(self.name, len(frame))
            return relabel(frame, labels, labels_of_element)

    def keys(self) -> list[str]:
        """List the keys of obsm."""
        with translate_errors(self.name, ".zarr"):
            try:
                return _read_node(self.path).node_at("obsm").members()
            except LookupError:
                return []

    def embedding(self, names: Sequence[str]) -> Matrix:
        """Read the matrix of a key of obsm."""
        (key,) = names
        with translate_errors(self.name, ".zarr"):
            node = _read_node(self.path).node_at("obsm").node_at(key)
            try:
                check_embedding_type(node.encoding)
                return as_embedding(_element(node), _n_samples(self._obs()))
            except ValueError as error:
                raise FileError(f"cannot read {self.name} as .zarr: obsm {key!r}: {error}") from None

    def _obs(self) -> _Node:
        if not self.path.is_dir():
            raise FileError(f"cannot read {self.name} as .zarr: it is a file; a store of Zarr is a folder")
        try:
            obs = _read_node(self.path).node_at("obs")
        except LookupError:
            raise FileError(f"{self.name} has no obs: it is no store of AnnData") from None
        if obs.is_array or not isinstance(obs.attributes.get("column-order"), list):
            raise FileError(f"{self.name} has an obs without column-order: it is no store of AnnData")
        return obs


def _call_for_column(name: str, function: Any, *arguments: Any) -> Any:
    """Call a function, and say which column it is about if that fails."""
    try:
        return function(*arguments)
    except ImportError:
        raise
    except Exception as error:  # what is damaged makes a parser raise anything
        raise ValueError(f"column {name!r}: {error}") from None


def _n_samples(obs: _Node) -> int | None:
    """Say how many samples there are, by the index, if there is one to tell."""
    name = obs.attributes.get("_index")
    if not isinstance(name, str) or name not in obs.members():
        return None
    index = obs.node_at(name)
    if index.is_array:
        return index.shape[0]
    parts = PARTS_OF_COLUMNS.get(index.encoding, ())
    return index.node_at(parts[0]).shape[0] if parts else None


def _unfit_kind(obs: _Node, name: str) -> str | None:
    """Say what a column holds that is no labels."""
    member = obs.node_at(name)
    if not member.is_array:
        return None if member.encoding in PARTS_OF_COLUMNS else f"an element of type {member.encoding}"
    if not member.may_be_labels:
        return f"values of type {member.type_}"
    return None if len(member.shape) == 1 else f"values of shape {member.shape}"


def _column(obs: _Node, name: str) -> Any:
    """Read a column: an element, or codes beside the name of their categories (before AnnData 0.8)."""
    import pandas as pd

    member = obs.node_at(name)
    categories = member.attributes.get("categories")
    if not isinstance(categories, str):
        return _element(member)
    return pd.Categorical.from_codes(_element(member), categories=_element(obs.node_at(categories)))


def _element(node: _Node) -> Any:
    """Read an element, all of which is in the store."""
    for array in node.arrays():
        array.check_values()
    if node.encoding == "dataframe":
        check_frame(node.attributes, {name: node.node_at(name).encoding for name in node.members()})
    import zarr
    from anndata.io import read_elem

    if node.is_array:
        return zarr.open_array(str(node.path), mode="r")[...]
    return read_elem(zarr.open_group(str(node.path), mode="r", use_consolidated=False))
