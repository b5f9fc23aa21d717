"""Folds text into lines that are no wider than a terminal."""

from __future__ import annotations

import re

from gpuval.display.safe_text import text_width

_INDENT = "  "


def folded_sentence(sentence: str, width: int) -> list[str]:
    """A sentence as lines of at most ``width`` columns, broken between words, and within those that are too long.

    The lines after the first are indented.
    """
    lines = [""]
    for word in re.findall("[^ ]+ *| +", sentence):
        for part in parts_that_fit(word, max(width - len(_INDENT), 2)):
            if text_width(lines[-1]) + text_width(part.rstrip(" ")) <= width:
                lines[-1] += part
            else:
                lines.append(_INDENT + part)
    return [line.rstrip(" ") for line in lines]


def parts_that_fit(text: str, width: int) -> list[str]:
    """A text as parts of at most ``width`` columns, at least 2: of the widest letters."""
    parts, begin, taken = [], 0, 0
    for place, letter in enumerate(text):
        wide = text_width(letter)
        if taken + wide > width:
            parts.append(text[begin:place])
            begin, taken = place, 0
        taken += wide
    return [*parts, text[begin:]]
