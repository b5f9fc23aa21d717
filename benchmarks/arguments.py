"""Lists of names on the command line."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Collection


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
