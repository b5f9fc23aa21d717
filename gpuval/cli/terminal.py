"""The width of a terminal, and the characters that a stream can write."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from typing import Any

from gpuval.display.safe_text import ELLIPSIS, shortened, visible

UNLIMITED = 1 << 20
"""The width of what is no terminal."""


def terminal_width(stream: Any) -> int:
    """Count the columns of a terminal; as many as needed for what is none."""
    return shutil.get_terminal_size().columns if stream is not None and stream.isatty() else UNLIMITED


@dataclass(frozen=True)
class Paper:
    """What text is written on: a terminal, a file, a pipe."""

    width: int = UNLIMITED
    encoding: str = "utf-8"
    is_styled: bool = False
    """Whether it shows what is bold."""

    @classmethod
    def of(cls, stream: Any) -> Paper:
        """What is known of a stream."""
        is_styled = stream.isatty() and os.environ.get("TERM", "") not in ("", "dumb", "unknown")
        return cls(terminal_width(stream), getattr(stream, "encoding", None) or "utf-8", is_styled)

    def has(self, letters: str) -> bool:
        """Whether there are these letters."""
        return self.written(letters) == letters

    def written(self, text: str) -> str:
        """A text of users without control characters; letters that are not there are escapes."""
        safe = visible(text)
        try:
            return safe.encode(self.encoding, "backslashreplace").decode(self.encoding)
        except LookupError:
            return safe

    def cut(self, text: str, width: int) -> str:
        """A text that takes at most ``width`` columns."""
        short = shortened(text, width)
        if short == text or self.has(ELLIPSIS):
            return short
        return shortened(text, max(width - 2, 1)).removesuffix(ELLIPSIS) + "..."[: max(width - 1, 1)]
