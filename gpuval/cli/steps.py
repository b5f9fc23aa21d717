"""A progress bar on a terminal: it appears after two seconds, and disappears at the end."""

from __future__ import annotations

import os
import sys
from threading import Lock, Timer
from types import TracebackType
from typing import Any

from gpuval.display.safe_text import shortened, visible

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
            name = shortened(visible(name), _WIDEST_NAME)  # it may have the name of a column in it
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
