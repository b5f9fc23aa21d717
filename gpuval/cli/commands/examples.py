"""Examples below the help of a command; a test runs each of them."""

from __future__ import annotations


def examples(*lines: str, more: str = "") -> str:
    """Lines as they stand, which click would fill otherwise."""
    return "\n".join(["\b", "Examples:", *(f"  gpuval {line}" for line in lines)]) + more
