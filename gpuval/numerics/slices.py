"""What is done part by part."""

from __future__ import annotations


def slices(stop: int, step: int, start: int = 0) -> list[slice]:
    """The parts of what lies from ``start`` to ``stop``, of up to ``step`` each; none of nothing."""
    return [slice(i, min(i + step, stop)) for i in range(start, stop, step)]
