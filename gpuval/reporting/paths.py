"""Check the path of a file for a page."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from gpuval.display.whole_files import why_not_writable


def checked_path(path: Any, name: str) -> Path:
    """The path that an argument of this name gives, if a file can be written there."""
    if not isinstance(path, str | os.PathLike):
        raise TypeError(f"{name} must be the path of a file, got {type(path).__name__}")
    problem = why_not_writable(Path(path))
    if problem:
        raise ValueError(f"{name} must be a file that can be written, got {str(path)!r}: {problem}")
    return Path(path)
