"""Puts texts where they belong in a file that is otherwise typed."""

from __future__ import annotations

import re


def fill(place: re.Pattern[str], text: str, *fillings: str) -> str:
    """A text with something in each of its places; what a group of the pattern matches stays before it."""
    n_places = len(place.findall(text))
    if n_places != len(fillings):
        raise ValueError(f"a text must have {len(fillings)} of {place.pattern!r} to fill, got {n_places}")
    following = iter(fillings)
    return place.sub(lambda found: "".join(found.groups()) + next(following), text)
