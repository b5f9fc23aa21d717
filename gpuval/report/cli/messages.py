"""What the command line says on stderr: one line for each note, and one for a mistake."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress

import click

from gpuval.report.cli.terminal import visible

_LONGEST = 2000
"""Letters of a message, which may name columns: a damaged file has names of any length."""


def say(message: str) -> None:
    """Write one line on stderr, if it is there; a message that nobody can read changes no exit code."""
    line = visible(" ".join(message.split()))
    with suppress(OSError):
        click.echo(f"gpuval: {line if len(line) <= _LONGEST else line[:_LONGEST] + ' ...'}", err=True)


@contextmanager
def errors_as_messages() -> Iterator[None]:
    """Turn what the library raises at its input into a message of the command line."""
    try:
        yield
    except MemoryError:
        raise click.ClickException("there is not enough memory") from None
    except (ValueError, TypeError, ImportError) as error:
        raise click.ClickException(str(error)) from error
