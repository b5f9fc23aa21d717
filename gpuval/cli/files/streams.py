"""Standard input and other pipes. They can be read only once, so their content is kept in a temporary file."""

from __future__ import annotations

import stat
import sys
import weakref
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any, BinaryIO

from gpuval.cli.files.columns import ByteListener, FileError

STANDARD_INPUT = "-"
"""What stands for it on a command line."""

_BLOCK = 1 << 20
_GZIP = b"\x1f\x8b"
_OF_THE_PROCESS = ("/dev/stdin", "/dev/fd/", "/proc/self/fd/")
"""Files that are what the process was given, whatever that is."""


class _StreamCopy:
    """What came out of a stream, in a folder that is gone with this object."""

    def __init__(self, name: str, blocks: Iterator[bytes]) -> None:
        try:
            folder = mkdtemp(prefix="gpuval-")
            weakref.finalize(self, rmtree, folder, ignore_errors=True)
            self.path = Path(folder) / "stream"
            start = b""
            with self.path.open("wb") as file:
                for block in blocks:
                    start = start or block[: len(_GZIP)]
                    file.write(block)
                    if b"\0" in block and start != _GZIP:  # no text, which may have no end
                        break
        except OSError as error:
            raise FileError(f"cannot read {name}: {error.strerror or error}") from None
        self.is_empty = not start
        self.is_compressed = start == _GZIP


def is_stream(path: Path) -> bool:
    """Whether a path stands for standard input, or for a pipe; OSError if there is nothing of this name."""
    if str(path) == STANDARD_INPUT:
        return True
    return stat.S_ISFIFO(path.stat().st_mode) or str(path).startswith(_OF_THE_PROCESS)


def copy_stream(path: Path, name: str, tell: ByteListener) -> _StreamCopy:
    """Read a stream to its end."""
    return _StreamCopy(name, _blocks(path, tell))


def _blocks(path: Path, tell: ByteListener) -> Iterator[bytes]:
    with _open_stream(path) as file:
        while block := file.read(_BLOCK):
            tell(len(block))
            yield block


def _open_stream(path: Path) -> Any:
    if str(path) != STANDARD_INPUT:
        return path.open("rb")
    if sys.stdin is None:
        raise OSError("it is closed")
    stdin: BinaryIO = sys.stdin.buffer
    return nullcontext(stdin)
