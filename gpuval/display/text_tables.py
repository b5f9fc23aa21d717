"""Columns of text."""

from __future__ import annotations

from collections.abc import Sequence

from gpuval.display.safe_text import text_width


def aligned(rows: Sequence[Sequence[str]], n_names: int = 1) -> list[list[str]]:
    """Pad the cells of each column to one width.

    The first ``n_names`` columns are left-aligned, the others right-aligned.
    """
    widths = [max(map(text_width, column)) for column in zip(*rows, strict=True)]
    is_name = [place < n_names for place in range(len(widths))]
    return [[_padded(*cell) for cell in zip(row, widths, is_name, strict=True)] for row in rows]


def _padded(cell: str, width: int, is_name: bool) -> str:
    spaces = " " * (width - text_width(cell))
    return cell + spaces if is_name else spaces + cell
