"""Writes text files completely or not at all."""

from __future__ import annotations

import os
import re
import sys
from contextlib import suppress
from pathlib import Path
from tempfile import mkstemp

_DESCRIPTOR = re.compile(r"(?:/dev|/proc/self)/fd/(\d+)")
"""A file that the process was given open, by its number, which the system's names such as /dev/stdout lead to."""

_MOST_LINKS = 40
"""Symbolic links that are followed from one name to the next, as many as Linux follows."""

_PREFIX = ".gpuval-"
"""How files begin that are written beside the one that is asked for, and then take its place."""


def _descriptor(path: Path) -> int | None:
    """The number of the open file that a name such as /dev/stdout stands for; None for the name of any other file."""
    for _ in range(_MOST_LINKS):
        if found := _DESCRIPTOR.fullmatch(os.path.abspath(path)):
            return int(found[1])
        if not path.is_symlink():
            return None
        path = path.parent / path.readlink()
    return None


def why_not_writable(path: Path) -> str:
    """Say why a file cannot be written; "" if it can. What is written first is a file beside it."""
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


def write_whole(path: Path, text: str) -> None:
    """Write a text into a file, which is there, or other than before, only when all is written."""
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
