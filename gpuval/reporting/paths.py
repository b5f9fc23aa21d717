"""Files that a page is written into."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any


def writable(path: Any, name: str) -> Path:
    """A path that an argument of this name gives, if a file can be there."""
    if not isinstance(path, str | os.PathLike):
        raise TypeError(f"{name} must be the path of a file, got {type(path).__name__}")
    found = Path(path)
    if found.is_dir() or not found.parent.is_dir():
        raise ValueError(f"{name} must be a file in a folder that is there, got {str(path)!r}")
    return found
