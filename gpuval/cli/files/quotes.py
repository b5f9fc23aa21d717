"""Checks that the quotes of a text file follow RFC 4180, while pyarrow reads it."""

from __future__ import annotations

import gzip
from io import BufferedReader, RawIOBase

from gpuval.cli.files.columns import Told, tell_nobody


class Quotes(RawIOBase):
    """A file whose quotes are checked while it is read, block by block.

    They are paired if the first, third, ... begin a field, the second, fourth, ... end one, and none is left open; a
    quote inside quotes, written twice, ends a field and begins another. They may be right without being paired: ``5"``.
    """

    def __init__(self, file: gzip.GzipFile | BufferedReader, separator: str, tell: Told = tell_nobody) -> None:
        import numpy as np

        self.has_nul = False
        self.n_line_ends = 0
        """How many line ends are inside quotes, if these are paired."""
        self._file = file
        self._tell = tell
        self._is_edge = np.zeros(256, dtype=bool)
        self._is_edge[[ord(x) for x in (separator, "\n", "\r", '"')]] = True
        self._is_wrong = self._is_open = self._has_just_closed = False
        self._previous = b""

    @property
    def are_paired(self) -> bool:
        """Whether all quotes so far are at the edges of fields, and none is open."""
        return not (self._is_wrong or self._is_open)

    def readable(self) -> bool:
        """Say so, as a file must."""
        return True

    def read(self, size: int = -1) -> bytes:
        """Read some bytes, and check the quotes among them."""
        block = self._file.read(size)
        self._tell(len(block))
        self.has_nul |= b"\0" in block
        text = block if self._previous else block.removeprefix(b"\xef\xbb\xbf")
        if text and (self._is_open or self._has_just_closed or b'"' in text):
            self._check(text)
        self._previous = text[-1:] or self._previous
        return block

    def _check(self, block: bytes) -> None:
        import numpy as np

        text = np.frombuffer((self._previous or b"\n") + block, dtype=np.uint8)
        quotes = np.flatnonzero(text[1:] == ord('"')) + 1
        opening, closing = quotes[int(self._is_open) :: 2], quotes[int(not self._is_open) :: 2]
        behind = closing + 1
        behind = np.append(behind[behind < len(text)], [1] if self._has_just_closed else []).astype(int)
        self._is_wrong |= not (self._is_edge[text[opening - 1]].all() and self._is_edge[text[behind]].all())
        line_ends = np.flatnonzero(text[1:] == ord("\n")) + 1
        self.n_line_ends += int(((np.searchsorted(quotes, line_ends) + self._is_open) % 2).sum())
        self._is_open ^= len(quotes) % 2 == 1
        self._has_just_closed = not self._is_open and block.endswith(b'"')
