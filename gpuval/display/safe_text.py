"""Text of users, such as labels, as it may be shown: without control characters, as wide as there is room for."""

from __future__ import annotations

import re
import unicodedata

_CONTROLS = "\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff"
_UNSAFE = re.compile(f"[\x00-\x1f{_CONTROLS}]")
"""Characters that control a terminal, end lines, or turn the direction of writing; and halves of characters."""

_UNSAFE_IN_JSON = re.compile(f"[{_CONTROLS}]")
"""The same but for those that JSON itself escapes."""

ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"


def visible(text: str) -> str:
    r"""Write what would control a terminal as an escape, such as ``\x1b``."""
    return _UNSAFE.sub(lambda match: match[0].encode("unicode_escape").decode(), text)


def visible_json(text: str) -> str:
    r"""Write what would control a terminal as an escape of JSON, such as ``\u009b``."""
    return _UNSAFE_IN_JSON.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def text_width(text: str) -> int:
    """How many columns of a terminal a text takes: two for a wide letter or an emoji, none for a combining mark."""
    return len(text) if text.isascii() else sum(map(_width, text))


def _width(letter: str) -> int:
    if unicodedata.category(letter) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1


def shortened(text: str, width: int) -> str:
    """A text that takes at most ``width`` columns, at least 1: of a longer one the beginning and an ellipsis."""
    if text_width(text) <= width:
        return text
    kept, room = [], width - 1
    for letter in text:
        room -= _width(letter)
        if room < 0:
            break
        kept.append(letter)
    return "".join([*kept, ELLIPSIS])
