"""What the command line says on stderr: one line for each note, and one for a mistake."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import click

from gpuval.display.safe_text import visible
from gpuval.report.cli.stderr import show

_LONGEST = 2000
"""Letters of a message, which may name columns: a damaged file has names of any length."""


class NotWrittenError(Exception):
    """Why a file could not be written."""


def say(message: str) -> None:
    """Write one line on stderr."""
    line = visible(" ".join(message.split()))
    show(f"gpuval: {line if len(line) <= _LONGEST else line[:_LONGEST] + ' ...'}\n")


@contextmanager
def errors_as_messages() -> Iterator[None]:
    """Turn what the library raises at its input into a message of the command line."""
    try:
        yield
    except MemoryError:
        raise click.ClickException("there is not enough memory") from None
    except (ValueError, TypeError, ImportError) as error:
        raise click.ClickException(str(error)) from error
