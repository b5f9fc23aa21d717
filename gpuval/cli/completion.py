"""Completion of a command line: measures, columns of a file, and keys of its embeddings.

Of files no more is read than their headers, and what cannot be read is not completed.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click
from click.shell_completion import BashComplete, CompletionItem, FishComplete, add_completion_class

from gpuval.cli.catalogue import all_measures
from gpuval.cli.files.columns import LabelFile
from gpuval.display.text import visible

# The syntax of completions in shells: bash splits words and ignores quotes, fish ends items at commas.

_SPLITS_WORDS = "=:@"
"""Letters of a word at which bash splits it, so that they are pieces of their own."""

_NEEDS_ESCAPE = re.compile(r"([^\w@%+=:,./-])")
"""Letters that mean something to bash outside of quotes."""

_NEEDS_ESCAPE_IN_QUOTES = re.compile(r'(["\\$`])')
"""Those that do so inside of double ones."""


class _BashWords(BashComplete):
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


class _FishWords(FishComplete):
    """As click's, with items that have commas, as lists of measures do."""

    source_template = FishComplete.source_template.replace('string split ","', 'string split -m 1 ","')


add_completion_class(_BashWords, "bash")
add_completion_class(_FishWords, "fish")


def _quiet(
    find: Callable[[click.Context, str], Sequence[str]], written: Callable[[str], str] = str
) -> Callable[[click.Context, click.Parameter, str], list[CompletionItem[Any]]]:
    """A completion that finds nothing where it fails, and gives no names that steer a terminal.

    Names are compared as they are ``written``: those of measures are in lower case.
    """

    def complete(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem[Any]]:
        try:
            found = find(context, incomplete)
        except Exception:  # whatever is wrong with a file: a shell shows no messages
            return []
        start = written(incomplete)
        return [CompletionItem(x) for x in found if written(x).startswith(start) and visible(x) == x]

    return complete


def _metrics(context: click.Context, incomplete: str) -> list[str]:
    from gpuval.registry.families import METRICS, OF_SAME_NAMES, SHORT_NAMES

    names = [*METRICS, *OF_SAME_NAMES, *SHORT_NAMES, "all"]
    if context.params.get("embeddings"):
        from gpuval.registry.internal import INTERNAL_METRICS, SHORT_INTERNAL_NAMES

        names += [*INTERNAL_METRICS, *SHORT_INTERNAL_NAMES]
    before, comma, _ = incomplete.rpartition(",")
    return [f"{before}{comma}{name}" for name in sorted(names)]


def _measures(context: click.Context, incomplete: str) -> list[str]:
    return list(all_measures())


def _columns(context: click.Context, incomplete: str) -> list[str]:
    return _labels(context).columns()


def _embeddings(context: click.Context, incomplete: str) -> list[str]:
    labels = _labels(context)
    return labels.keys() if labels.has_keys else labels.columns()


def _labels(context: click.Context) -> LabelFile:
    """The file of the command line, which is no argument yet where the option before the cursor lacks its value."""
    from gpuval.cli.files import open_labels

    given = str(context.params.get("file") or context.args[0])
    path = Path(os.path.expandvars(given)).expanduser()  # a shell gives the words as they are typed
    if not (path.is_file() or path.is_dir()):  # what is read once is not read for this
        raise ValueError("no file")
    return open_labels(path, context.params.get("separator"))


complete_metrics = _quiet(_metrics, str.lower)
complete_measures = _quiet(_measures, str.lower)
complete_columns = _quiet(_columns)
complete_embeddings = _quiet(_embeddings)
