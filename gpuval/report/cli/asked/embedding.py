"""Which embedding --embedding names: a key of obsm, or columns of numbers."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from fnmatch import fnmatchcase

from gpuval.report.cli.asked.columns import names_listed
from gpuval.report.files.columns import LabelFile


def embedding_names(text: str, labels: LabelFile, columns: Sequence[str], others: set[str | None]) -> list[str]:
    """The key, or the columns in file order; a pattern leaves out ``others``, the columns of other options."""
    if labels.has_keys:
        _check_key(text, labels)
        return [text]
    if text in columns:
        return [text]
    matching = [name for name in columns if name not in others and fnmatchcase(name, text)]
    if not matching:
        raise ValueError(f"--embedding {text!r} matches no column of {labels.name}; {names_listed('it has', columns)}")
    return matching


def _check_key(key: str, labels: LabelFile) -> None:
    keys = labels.keys()
    if key in keys:
        return
    close = " or ".join(map(repr, get_close_matches(key, keys)))
    hint = f" (did you mean {close}?)" if close else ""
    has = names_listed("it has", keys) if keys else "it has none"
    raise ValueError(f"--embedding {key!r} is no key of obsm in {labels.name}{hint}; {has}")
