"""Groups and arrays of a Zarr store, which is a folder, by their metadata in versions 2 and 3.

Their metadata are read as they are, which needs no library; nothing outside the folder is opened.
"""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gpuval.cli.files.elements import check_stored

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
class Node:
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

    def opened(self, path: str) -> Node:
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
        return read_node(place)

    def arrays(self) -> Iterator[Node]:
        """All arrays within it, or itself."""
        if self.is_array:
            yield self
            return
        for name in self.members():
            yield from self.opened(name).arrays()

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


def read_node(path: Path) -> Node:
    """The group or array in a folder."""
    file = _metadata_of(path)
    if file is None:
        raise LookupError(f"{path.name!r} is no group or array of Zarr")
    metadata = _json(file)
    version = 3 if file.name == "zarr.json" else 2
    attributes = metadata.get("attributes") or {} if version == 3 else _json(path / ".zattrs")
    node = Node(path, metadata, attributes, version)
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
