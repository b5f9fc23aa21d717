"""Makes text of users, such as labels, safe to print: without control characters, and not too wide."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Any

import numpy as np

_CONTROLS = "\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff"
_UNSAFE = re.compile(f"[\x00-\x1f{_CONTROLS}]")
"""Characters that control a terminal, end lines, or turn the direction of writing; and halves of characters."""

_UNSAFE_IN_JSON = re.compile(f"[{_CONTROLS}]")
"""The same but for those that JSON itself escapes."""

ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"

_AS_EMOJI = "\N{VARIATION SELECTOR-16}"
"""Makes an emoji of the letter before it, which is as wide as one then."""


def visible(text: str) -> str:
    r"""Write what would control a terminal as an escape, such as ``\x1b``."""
    return _UNSAFE.sub(lambda match: match[0].encode("unicode_escape").decode(), text)


def visible_json(text: str) -> str:
    r"""Write what would control a terminal as an escape of JSON, such as ``\u009b``."""
    return _UNSAFE_IN_JSON.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def shown_name(name: Any) -> str:
    """A name as people read it: a tuple as its parts, a time of NumPy in the coarsest unit that holds it."""
    return ", ".join(map(_in_words, name)) if isinstance(name, tuple) and name else _in_words(name)


def _in_words(part: Any) -> str:
    return str(np.datetime_as_string(part, unit="auto")) if isinstance(part, np.datetime64) else str(part)


def text_width(text: str) -> int:
    """How many columns of a terminal a text takes: two for a wide letter or an emoji, none for a combining mark."""
    return len(text) if text.isascii() else sum(map(_width, text))


@lru_cache(4096)
def _width(letter: str) -> int:
    if letter in (_AS_EMOJI, "\N{SOFT HYPHEN}"):  # terminals show this hyphen anywhere
        return 1
    category = unicodedata.category(letter)
    if category in ("Mn", "Me") or (category == "Cf" and unicodedata.bidirectional(letter) in ("BN", "ON")):
        return 0  # other letters of "Cf" are signs of Arabic and its kin, which are seen
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


def shortened_inside(text: str, width: int) -> str:
    """A text that takes at most ``width`` columns, at least 2: of a longer one the beginning, an ellipsis and the end.

    Names that begin alike are often told apart by their ends.
    """
    if text_width(text) <= width:
        return text
    end: list[str] = []
    room = (width - 1) // 2
    for letter in reversed(text):
        room -= _width(letter)
        if room < 0:
            break
        end.append(letter)
    while end and (end[-1] == _AS_EMOJI or not _width(end[-1])):  # a mark on the letter that is left out
        end.pop()
    last = "".join(reversed(end))
    return shortened(text, width - text_width(last)) + last
