"""How wide a terminal is, and text that is safe to show on one."""

from __future__ import annotations

import re
import shutil
from typing import Any

UNLIMITED = 1 << 20
"""The width of what is no terminal."""

_CONTROLS = "\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff"
_UNSAFE = re.compile(f"[\x00-\x1f{_CONTROLS}]")
"""Characters that control a terminal, end lines, or turn the direction of writing; and halves of characters."""

_UNSAFE_IN_JSON = re.compile(f"[{_CONTROLS}]")
"""The same but for those that JSON itself escapes."""


def visible(text: str) -> str:
    r"""Write what would control a terminal as an escape, such as ``\x1b``."""
    return _UNSAFE.sub(lambda match: match[0].encode("unicode_escape").decode(), text)


def visible_json(text: str) -> str:
    r"""Write what would control a terminal as an escape of JSON, such as ``\u009b``."""
    return _UNSAFE_IN_JSON.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def terminal_width(stream: Any) -> int:
    """Count the columns of a terminal; as many as needed for what is none."""
    return shutil.get_terminal_size().columns if stream is not None and stream.isatty() else UNLIMITED
