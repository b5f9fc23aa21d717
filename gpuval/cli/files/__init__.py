"""Opens label files (CSV, TSV, Parquet, and .h5ad and .zarr of AnnData) with the reader of their kind.

Every library is imported where it is needed, so that naming a file costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from stat import S_ISDIR, S_ISREG

from gpuval.cli.files.columns import ByteListener, FileError, LabelFile, tell_nobody
from gpuval.cli.files.h5ad import H5adFile
from gpuval.cli.files.parquet import ParquetFile
from gpuval.cli.files.streams import STANDARD_INPUT, copy_stream, is_stream
from gpuval.cli.files.text import TextFile
from gpuval.cli.files.zarr import ZarrStore

_SEPARATORS = {".csv": ",", ".csv.gz": ",", ".tsv": "\t", ".tsv.gz": "\t"}


_READERS: dict[str, Callable[[Path], LabelFile]] = {".parquet": ParquetFile, ".h5ad": H5adFile, ".zarr": ZarrStore}


def open_labels(path: Path, separator: str | None = None, tell: ByteListener = tell_nobody) -> LabelFile:
    """Choose the reader of ``path`` by its extension, and check that there is something to read.

    Parameters
    ----------
    path
        A file, a folder that is a store of Zarr, a pipe, or "-", which is standard input; of the last two text is
        read, also if it is compressed, and kept on the disk until it is not needed.
    separator
        What stands between the fields of a text; None for a tab in .tsv and a comma in others.
    tell
        Is called with the number of bytes that have been read, again and again, while text is read.
    """
    name = "standard input" if str(path) == STANDARD_INPUT else str(path)
    endings = [*_SEPARATORS, *_READERS]
    ending = next((x for x in endings if path.name.lower().endswith(x)), None)
    try:
        if is_stream(path):
            return _text_of_stream(path, name, ending, separator, tell)
        is_empty = _is_empty(path, ending)
    except OSError as error:
        raise FileError(f"cannot read {name}: {error.strerror or error}") from None
    if ending is None:
        raise FileError(f"cannot read {path}: its extension must be one of {', '.join(endings)}")
    if is_empty:
        raise FileError(f"{path} is empty")
    if ending in _SEPARATORS:
        is_compressed = ending.endswith(".gz")
        return TextFile(path, separator or _SEPARATORS[ending], is_compressed=is_compressed, tell=tell)
    if separator is not None:
        raise ValueError(f"--delimiter is for .csv and .tsv files, got {path}; leave it out")
    return _READERS[ending](path)


def _text_of_stream(path: Path, name: str, ending: str | None, separator: str | None, tell: ByteListener) -> TextFile:
    if ending in _READERS:
        raise FileError(f"cannot read {name}: it is a pipe, of which text is read alone; save it in a file")
    kept = copy_stream(path, name, tell)
    if kept.is_empty:
        raise FileError(f"{name} is empty")
    separator = separator or _SEPARATORS.get(ending or "", ",")
    return TextFile(kept.path, separator, name, kept.is_compressed, tell, keeps=kept)


def _is_empty(path: Path, ending: str | None) -> bool:
    mode = path.stat().st_mode
    if S_ISDIR(mode) and ending == ".zarr":
        return False
    if not (S_ISREG(mode) or S_ISDIR(mode)):
        raise FileError(f"cannot read {path}: it is a device")
    with path.open("rb") as file:
        return not file.read(1)


def is_anndata(path: Path) -> bool:
    """Whether a file is of AnnData, whose samples are cells."""
    return path.suffix.lower() in (".h5ad", ".zarr")
