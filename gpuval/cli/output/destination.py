"""Where text goes: to standard output, or into a file, which is there only when all of it is."""

from __future__ import annotations

import os
import re
import stat
import sys
from contextlib import suppress
from pathlib import Path
from tempfile import mkstemp
from typing import NamedTuple

import click

from gpuval.cli.files.streams import STANDARD_INPUT
from gpuval.cli.messages import NotWrittenError
from gpuval.cli.terminal import Paper

_ENDINGS = {".csv": "csv", ".json": "json", ".md": "markdown", ".txt": "table"}


_DESCRIPTOR = re.compile(r"(?:/dev|/proc/self)/fd/(\d+)")
"""A file that the process was given open, by its number, which the system's names such as /dev/stdout lead to."""

_MOST_LINKS = 40
"""Symbolic links that are followed from one name to the next, as many as Linux follows."""

_PREFIX = ".gpuval-"
"""How files begin that are written beside the one that is asked for, and then take its place."""


class Destination(NamedTuple):
    """A file, or standard output, and the form that is written."""

    path: Path | None
    form: str

    @property
    def paper(self) -> Paper:
        """What is known of where the text goes."""
        return Paper.of(sys.stdout) if self.path is None else Paper()

    def write(self, text: str) -> None:
        """Write all of a text, or nothing."""
        if self.path is None:
            click.echo(text, nl=False)
            return
        try:
            _write_file(self.path, text)
        except OSError as error:
            raise NotWrittenError(f"{self.path}: {error.strerror or error}") from None


def destination(path: Path | None, form: str | None, read: Path | None = None) -> Destination:
    """Check, before data is read, that a file can be written, and which form it is to have.

    ``read`` is the file that is read, which is not written over.
    """
    if path is None or str(path) == "-":
        return Destination(None, form or "table")
    _check_writable(path)
    guessed = form or _ENDINGS.get(path.suffix.lower())
    if guessed is None:
        raise ValueError(f"--output {str(path)!r} must end in one of {', '.join(_ENDINGS)}; or give --format")
    _check_not_read(path, read)
    return Destination(path, guessed)


def page_destination(path: Path | None, read: Path | None = None) -> Destination | None:
    """The same for a page of HTML, whatever its file ends in; None where no file is named."""
    if path is None or str(path) == "-":
        return None if path is None else Destination(None, "html")
    _check_writable(path)
    _check_not_read(path, read)
    return Destination(path, "html")


def _check_writable(path: Path) -> None:
    problem = _problem(path)
    if problem:
        raise ValueError(f"--output {str(path)!r} cannot be written: {problem}")


def _check_not_read(path: Path, read: Path | None) -> None:
    if read is not None and _is_same(path, read):
        raise ValueError(f"--output {str(path)!r} is the file that is read; give another name")


def _is_same(path: Path, read: Path) -> bool:
    """Whether two names are of one file, which standard input may be, too; what devices give is not written over."""
    try:
        found = path.stat()
        is_read = os.path.samestat(found, os.fstat(0) if str(read) == STANDARD_INPUT else read.stat())
    except OSError:
        return False
    return is_read and stat.S_ISREG(found.st_mode)


def _descriptor(path: Path) -> int | None:
    """The number of the open file that a name such as /dev/stdout stands for; None for the name of any other file."""
    for _ in range(_MOST_LINKS):
        if found := _DESCRIPTOR.fullmatch(os.path.abspath(path)):
            return int(found[1])
        if not path.is_symlink():
            return None
        path = path.parent / path.readlink()
    return None


def _problem(path: Path) -> str:
    """Why a file cannot be written, if so: what is written first is a file beside it."""
    try:
        if _descriptor(path) is not None:
            return "" if path.exists() else "it is not open"
        if path.is_dir():
            return "it is a folder"
        if path.exists() and not os.access(path, os.W_OK):
            return "there is no permission to write over it"
        if path.exists() and not path.is_file():  # a pipe or a device
            return ""
        folder = path.resolve().parent
        if not folder.is_dir():
            return f"there is no folder {str(folder)!r}"
        number, name = mkstemp(prefix=_PREFIX, dir=folder)
        os.close(number)
        os.unlink(name)
    except (OSError, RuntimeError, ValueError) as error:
        return str(getattr(error, "strerror", None) or error)
    return ""


def _write_file(path: Path, text: str) -> None:
    number = _descriptor(path)
    if number is not None:  # where others may have written, and write on
        with suppress(AttributeError):  # it is None where it is closed
            sys.stdout.flush()
        with open(number, "w", encoding="utf-8", errors="backslashreplace", newline="\n", closefd=False) as file:
            file.write(text)
        return
    if path.exists() and not path.is_file():  # a pipe or a device, which cannot be replaced
        path.write_text(text, encoding="utf-8", newline="\n")
        return
    whole = path.resolve()
    number, name = mkstemp(prefix=_PREFIX, dir=whole.parent)
    try:
        with open(number, "w", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(number)
        os.chmod(name, whole.stat().st_mode & 0o777 if whole.exists() else 0o666 & ~_mask())
        os.replace(name, whole)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise


def _mask() -> int:
    """What the process takes away from the permissions of new files."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
