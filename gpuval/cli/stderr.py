"""Writes text on stderr, which may be closed or full."""

from __future__ import annotations

import sys


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
