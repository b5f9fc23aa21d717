"""Opens label files (CSV, TSV, Parquet and .h5ad) with the reader of their kind.

Every library is imported where it is needed, so that naming a file costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from stat import S_ISDIR, S_ISREG

from gpuval.report.files.columns import FileError, LabelFile
from gpuval.report.files.h5ad import H5adFile
from gpuval.report.files.parquet import ParquetFile
from gpuval.report.files.text import TextFile

_SEPARATORS = {".csv": ",", ".csv.gz": ",", ".tsv": "\t", ".tsv.gz": "\t"}
_READERS: dict[str, Callable[[Path], LabelFile]] = {".parquet": ParquetFile, ".h5ad": H5adFile}


def open_labels(path: Path, separator: str | None = None) -> LabelFile:
    """Choose the reader of ``path`` by its extension, and check that there is something to read.

    Parameters
    ----------
    path
        A file that can be read more than once.
    separator
        What stands between the fields of a text; None for a comma in .csv and a tab in .tsv.
    """
    is_empty = _is_empty(path)
    endings = [*_SEPARATORS, *_READERS]
    ending = next((x for x in endings if path.name.lower().endswith(x)), None)
    if ending is None:
        raise FileError(f"cannot read {path}: its extension must be one of {', '.join(endings)}")
    if is_empty:
        raise FileError(f"{path} is empty")
    if ending in _SEPARATORS:
        return TextFile(path, separator or _SEPARATORS[ending])
    if separator is not None:
        raise ValueError(f"--delimiter is for .csv and .tsv files, got {path}; leave it out")
    return _READERS[ending](path)


def _is_empty(path: Path) -> bool:
    try:
        mode = path.stat().st_mode
        if not (S_ISREG(mode) or S_ISDIR(mode)):  # to open a pipe is to wait for somebody to write
            raise FileError(f"cannot read {path}: it is a pipe or a device; save it in a file, which is read twice")
        with path.open("rb") as file:
            return not file.read(1)
    except OSError as error:
        raise FileError(f"cannot read {path}: {error.strerror}") from None
