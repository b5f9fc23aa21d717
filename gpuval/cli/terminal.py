"""The terminal: its width and its characters, messages and a progress bar on stderr, which may be closed or full."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Lock, Timer
from types import TracebackType
from typing import Any

from gpuval.display.digits import in_ascii
from gpuval.display.text import ELLIPSIS, shorten, shorten_middle, visible

UNLIMITED = 1 << 20
"""The width of what is no terminal."""


def terminal_width(stream: Any) -> int:
    """Count the columns of a terminal; as many as needed for what is none."""
    return shutil.get_terminal_size().columns if stream is not None and stream.isatty() else UNLIMITED


@dataclass(frozen=True)
class Paper:
    """What text is written on: a terminal, a file, a pipe."""

    width: int = UNLIMITED
    encoding: str = "utf-8"
    is_styled: bool = False
    """Whether it shows what is bold."""

    @classmethod
    def of(cls, stream: Any) -> Paper:
        """What is known of a stream."""
        is_styled = stream.isatty() and os.environ.get("TERM", "") not in ("", "dumb", "unknown")
        return cls(terminal_width(stream), getattr(stream, "encoding", None) or "utf-8", is_styled)

    def has(self, letters: str) -> bool:
        """Whether there are these letters."""
        return self.printable(letters) == letters

    def printable(self, text: str) -> str:
        """A text of users without control characters; letters that are not there are escapes."""
        safe = visible(text)
        try:
            return safe.encode(self.encoding, "backslashreplace").decode(self.encoding)
        except LookupError:
            return safe

    def with_marks(self, text: str) -> str:
        """A text of ours with signs that may not be there: with those of ASCII then."""
        return text if self.has(text) else in_ascii(text)

    def cut(self, text: str, width: int) -> str:
        """A text that takes at most ``width`` columns."""
        short = shorten(text, width)
        if short == text or self.has(ELLIPSIS):
            return short
        return shorten(text, max(width - 2, 1)).removesuffix(ELLIPSIS) + "..."[: max(width - 1, 1)]


# Messages of the command line on stderr: one line for each note, and one for a mistake.

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
    show(f"gpuval: {shorten_middle(line, _WIDEST)}\n")


@contextmanager
def errors_as_messages() -> Iterator[None]:
    """Turn what the library raises at its input into a message of the command line."""
    import click  # only now: that it is missing is told on stderr, too

    try:
        yield
    except MemoryError:
        raise click.ClickException("there is not enough memory") from None
    except (ValueError, TypeError, ImportError) as error:
        raise click.ClickException(str(error)) from error


# Writes text on stderr, which may be closed or full.


def show(text: str) -> None:
    """Write text on stderr, if it is there; what nobody can read changes no exit code."""
    stream = sys.stderr
    if stream is None:
        return
    try:
        stream.write(text)
        stream.flush()
    except OSError:
        sys.stderr = None  # or Python tries what it still holds again at the end of the process, which exits with 120


# A progress bar on a terminal: it appears after two seconds, and disappears at the end.

_WIDEST_NAME = 40

_DELAY = 2.0
"""Seconds that something takes before a bar says so."""


class Steps:
    """A context within which steps are told; where stderr is no terminal, nothing is shown."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._bar: Any = None
        self._task: Any = None
        self._name, self._total, self._done = "", 0, 0
        self._timer: Timer | None = None

    def begin(self, name: str, total: int | None = None) -> None:
        """Go over to the next step, of as many parts if that is known."""
        with self._lock:
            name = shorten(visible(name), _WIDEST_NAME)  # it may have the name of a column in it
            self._name, self._total, self._done = name, total or 0, 0
            if self._bar is not None:
                self._bar.remove_task(self._task)  # rich keeps a total that is taken away from a task
                self._task = self._bar.add_task(name, total=total)

    def advance(self, count: int = 1) -> None:
        """Tell of parts that are done."""
        with self._lock:
            self._done += count
            if self._bar is not None and self._total:
                self._bar.update(self._task, completed=self._done)

    def __enter__(self) -> Steps:
        if sys.stderr is not None and sys.stderr.isatty() and os.environ.get("TERM", "") not in ("dumb", "unknown"):
            self._timer = Timer(_DELAY, self._show)
            self._timer.daemon = True
            self._timer.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._timer is None:
            return
        self._timer.cancel()
        with self._lock:
            self._timer = None
            if self._bar is not None:
                self._bar.stop()

    def _show(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

        with self._lock:
            if self._timer is None:  # all is done, while this was loaded
                return
            columns = TextColumn("{task.description}", markup=False), BarColumn(), TimeElapsedColumn()
            console = Console(file=sys.stderr)
            self._bar = Progress(
                *columns, console=console, transient=True, redirect_stdout=False, redirect_stderr=False
            )
            self._task = self._bar.add_task(self._name, total=self._total or None, completed=self._done)
            self._bar.start()
