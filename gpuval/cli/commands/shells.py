"""The syntax of completions in shells: bash splits words and ignores quotes, fish ends items at commas."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import Any

from click.shell_completion import BashComplete, CompletionItem, FishComplete

_SPLITS_WORDS = "=:@"
"""Letters of a word at which bash splits it, so that they are pieces of their own."""

_NEEDS_ESCAPE = re.compile(r"([^\w@%+=:,./-])")
"""Letters that mean something to bash outside of quotes."""

_NEEDS_ESCAPE_IN_QUOTES = re.compile(r'(["\\$`])')
"""Those that do so inside of double ones."""


class BashWords(BashComplete):
    """As click's, of whole words, and written as the quotes ask for in which they stand."""

    source_template = BashComplete.source_template.replace("COMPREPLY+=($value)", 'COMPREPLY+=("$value")')
    _n_written = 0
    """Letters of the value that stand on the line already, before the piece that bash replaces."""
    _quote = ""
    """What the piece begins with, if that is a quote."""

    def get_completion_args(self) -> tuple[list[str], str]:
        """The words before the last one, and the last one."""
        args, piece = super().get_completion_args()
        pieces = [*args, piece]
        typed = os.environ["COMP_WORDS"].split("\n")[1 : int(os.environ["COMP_CWORD"]) + 1]
        typed = typed if len(typed) == len(pieces) else pieces  # the last one may be missing
        *args, word = _whole_words(pieces, typed)
        value = word.partition("=")[2] if word.startswith("-") and "=" in word else word
        self._n_written = len(value) - (0 if _is_split(typed[-1]) else len(piece))
        self._quote = typed[-1][:1] if typed[-1][:1] in ("'", '"') else ""
        return args, word

    def format_completion(self, item: CompletionItem[Any]) -> str:
        """Write an item; click's script reads a backslash as an escape, so there are two."""
        value = str(item.value)[self._n_written :]
        if self._quote == "'":
            value = value.replace("'", r"'\''")
        else:
            value = (_NEEDS_ESCAPE_IN_QUOTES if self._quote else _NEEDS_ESCAPE).sub(r"\\\1", value)
        return f"{item.type},{value}".replace("\\", "\\\\")


def _whole_words(pieces: Sequence[str], typed: Sequence[str]) -> list[str]:
    """Words out of pieces: one that a word is split at belongs to those beside it, unless it was typed in quotes."""
    words: list[str] = []
    splits = [_is_split(x) for x in typed]
    for was_split, is_split, piece in zip([False, *splits], splits, pieces, strict=False):
        if words and (was_split or is_split):
            words[-1] += piece
        else:
            words.append(piece)
    return words


def _is_split(piece: str) -> bool:
    return piece != "" and not piece.strip(_SPLITS_WORDS)


class FishWords(FishComplete):
    """As click's, with items that have commas, as lists of measures do."""

    source_template = FishComplete.source_template.replace('string split ","', 'string split -m 1 ","')
