"""How wide a terminal is."""

from __future__ import annotations

import shutil
from typing import Any

UNLIMITED = 1 << 20
"""The width of what is no terminal."""


def terminal_width(stream: Any) -> int:
    """Count the columns of a terminal; as many as needed for what is none."""
    return shutil.get_terminal_size().columns if stream is not None and stream.isatty() else UNLIMITED
