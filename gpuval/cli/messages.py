"""Messages of the command line on stderr: one line for each note, and one for a mistake."""

from __future__ import annotations

import shlex
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from gpuval.cli.stderr import show
from gpuval.display.safe_text import shortened_inside, visible

_WIDEST = 2000
"""Columns of a terminal that a message takes, which may name columns: a damaged file has names of any length."""


def own_command() -> str:
    """How a shell calls this program again: by its name only if that finds the same program.

    An environment such as ``.venv`` whose programs are called by their paths is often not on the PATH.
    """
    program = Path(sys.argv[0])
    if program.parts[-2:] == ("gpuval", "__main__.py"):
        return f"{shlex.quote(sys.executable)} -m gpuval"
    if program.stem != "gpuval":  # main() is called from Python
        return "gpuval"
    found = Path(shutil.which("gpuval") or "")
    is_found = found.resolve().with_suffix("") == program.resolve().with_suffix("")  # Windows calls it gpuval.exe
    return "gpuval" if is_found else shlex.quote(str(program))


class NotWrittenError(Exception):
    """Why a file could not be written."""


def say(message: str) -> None:
    """Write one line on stderr; a long one is cut inside, as what helps is often at the end."""
    line = visible(" ".join(message.split()))
    show(f"gpuval: {shortened_inside(line, _WIDEST)}\n")


@contextmanager
def errors_as_messages() -> Iterator[None]:
    """Turn what the library raises at its input into a message of the command line."""
    try:
        yield
    except MemoryError:
        raise click.ClickException("there is not enough memory") from None
    except (ValueError, TypeError, ImportError) as error:
        raise click.ClickException(str(error)) from error
