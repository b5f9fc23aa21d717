"""What the command line gives: lists of names, and the command itself, as others can run it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Collection, Sequence
from pathlib import Path


def command_text(module: str, arguments: Sequence[str] | None) -> str:
    """The command that was given, with files by their names: their folders are those of one machine."""
    given = sys.argv[1:] if arguments is None else arguments
    return " ".join(["python -m", module, *(Path(x).name if Path(x).is_absolute() else x for x in given)])


def names(text: str) -> list[str]:
    """The names between commas."""
    return [name for name in text.split(",") if name]


def names_of(known: Collection[str]) -> Callable[[str], list[str]]:
    """What reads names of which each must be known."""

    def read(text: str) -> list[str]:
        found = names(text)
        unknown = [name for name in found if name not in known]
        if unknown:
            raise argparse.ArgumentTypeError(f"must be names out of {', '.join(known)}, got {', '.join(unknown)}")
        return found

    return read
