"""Messages of the command line on stderr: one line for each note, and one for a mistake."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import click

from gpuval.cli.stderr import show
from gpuval.display.safe_text import shortened_inside, visible

_WIDEST = 2000
"""Columns of a terminal that a message takes, which may name columns: a damaged file has names of any length."""


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
