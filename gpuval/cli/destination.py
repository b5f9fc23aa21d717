"""Writes text to standard output, or into a file that appears only when it is complete."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path
from typing import NamedTuple

import click

from gpuval.cli.files.streams import STANDARD_INPUT
from gpuval.cli.terminal import NotWrittenError, Paper
from gpuval.display.files import why_not_writable, write_whole

_ENDINGS = {".csv": "csv", ".json": "json", ".md": "markdown", ".txt": "table"}


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
            write_whole(self.path, text)
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
    """Check, before data is read, that a page can be written into a file; None where no file is named.

    ``read`` is the file that is read, which is not written over.
    """
    if path is None:
        return None
    if str(path) == "-":
        return Destination(None, "html")
    _check_writable(path)
    _check_not_read(path, read)
    return Destination(path, "html")


def _check_writable(path: Path) -> None:
    problem = why_not_writable(path)
    if problem:
        raise ValueError(f"--output {str(path)!r} cannot be written: {problem}")


def _check_not_read(path: Path, read: Path | None) -> None:
    if read is not None and _is_same(path, read):
        raise ValueError(f"--output {str(path)!r} is the file that is read; give another name")
    if read is not None and read.is_dir() and read.resolve() in path.resolve().parents:
        raise ValueError(f"--output {str(path)!r} lies in the store that is read; give another folder")


def _is_same(path: Path, read: Path) -> bool:
    """Whether two names are of one file, which standard input may be, too; what devices give is not written over."""
    try:
        found = path.stat()
        is_read = os.path.samestat(found, os.fstat(0) if str(read) == STANDARD_INPUT else read.stat())
    except OSError:
        return False
    return is_read and stat.S_ISREG(found.st_mode)
