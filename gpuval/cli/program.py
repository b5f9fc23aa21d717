"""Runs a command and returns its exit code, never a traceback.

The exit code is 0 on success; 2 after a mistake of the user, which one line on stderr explains; 1 if the output cannot
be written; 130 after an interrupt.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Sequence
from contextlib import suppress

import click

from gpuval.cli.commands import commands
from gpuval.cli.terminal import NotWrittenError, own_command, say

_COMPLETING = "_GPUVAL_COMPLETE"
"""The variable by which a shell asks for completions."""


def run(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code; where nobody reads on, click exits quietly with 1."""
    if sys.stdout is None:
        say("cannot write: standard output is closed")
        return 1
    if _COMPLETING in os.environ:
        return _complete()
    try:
        _escape_what_cannot_be_written()
        with warnings.catch_warnings(action="ignore"):  # what libraries say of old files is no help here
            code = commands.main(arguments, prog_name="gpuval", standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as error:
        return _fail(error)
    except click.Abort:  # click's word for an interrupt
        return 130
    except NotWrittenError as error:
        say(f"cannot write: {error}")
        return 1
    except OSError as error:  # of the output: those of the input have become messages
        with suppress(OSError):  # what could not be written is not tried again at the end of the process
            sys.stdout.close()
        say(f"cannot write: {error.strerror or error}")
        return 1
    return code if isinstance(code, int) else 0


def _complete() -> int:
    """Tell a shell how a command line may go on; it shows neither messages nor tracebacks."""
    try:
        with warnings.catch_warnings(action="ignore"):
            commands.main([], prog_name="gpuval")
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else 1
    except Exception:  # such as a variable of the shell that is not there
        return 1
    return 0


def _escape_what_cannot_be_written() -> None:
    """Show letters of a label that the output's encoding does not have as escapes, and do not end there."""
    reconfigure = getattr(sys.stdout, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="backslashreplace")


def _fail(error: click.ClickException) -> int:
    message = error.format_message()
    if isinstance(error, click.UsageError):
        command = error.ctx.command_path.removeprefix("gpuval") if error.ctx else ""
        message = f"{message[:1].lower()}{message[1:].rstrip('.')}; see {own_command()}{command} --help"
    say(message)
    return 2
