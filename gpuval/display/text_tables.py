"""Columns of text, split into blocks so that none is wider than a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gpuval.display.safe_text import shortened, shortened_inside, text_width, visible

WIDTH = 80
"""Columns of a terminal that all that is printed fits into."""

_WIDEST_NAME = 40
"""Beside several columns."""
_NARROWEST_NAME = 20
"""To what names are shortened, if other cells need not be then."""

_GAP = "  "

Block = list[str]
"""Lines."""


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


def in_blocks(rows: Sequence[Sequence[str]], left: Sequence[int] = (0,), widest_head: int = WIDTH) -> list[Block]:
    """Rows of cells as lines of at most ``WIDTH`` columns, and as many blocks of columns as that takes.

    The first cell of each row, a name, begins its line in every block. What is too long is shortened: names inside,
    those in the first row, too, and other cells at their ends. Of the columns ``left`` the cells are left-aligned.
    """
    head, *body = [[visible(cell) for cell in row[1:]] for row in rows]
    head = [shortened_inside(cell, widest_head) for cell in head]
    beside_all = WIDTH - len(_GAP) - max((text_width(cell) for row in [head, *body] for cell in row), default=0)
    is_room = beside_all >= _NARROWEST_NAME
    most = beside_all if is_room and (len(head) == 1 or beside_all < _WIDEST_NAME) else _WIDEST_NAME
    (first,) = _columns([[shortened_inside(visible(name), most)] for name, *_ in rows], [True])
    room = WIDTH - len(_GAP) - text_width(first[0])
    head = [shortened_inside(cell, room) for cell in head]
    cells = [head, *([shortened(cell, room) for cell in row] for row in body)]
    columns = list(_columns(cells, [place in left for place in range(1, len(head) + 1)]))
    return [_lines([first, *some]) for some in _that_fit(columns, room)]


def _columns(rows: Sequence[Sequence[str]], are_left: Sequence[bool]) -> Iterator[list[str]]:
    """The columns of rows, the cells of each padded to one width."""
    for column, is_left in zip(zip(*rows, strict=True), are_left, strict=True):
        yield [cell for (cell,) in aligned([[cell] for cell in column], int(is_left))]


def _that_fit(columns: Sequence[list[str]], room: int) -> list[list[list[str]]]:
    """Columns in as few runs as there is room for, and these about as wide as each other."""
    fewest = len(_runs(columns, room))
    return next(runs for width in range(room + 1) if len(runs := _runs(columns, width)) == fewest)


def _runs(columns: Sequence[list[str]], room: int) -> list[list[list[str]]]:
    """Columns in runs, each as long as there is room for, and at least of one; one run if there are no columns."""
    runs: list[list[list[str]]] = [[]]
    taken = 0
    for column in columns:
        width = len(_GAP) + text_width(column[0])
        if runs[-1] and taken + width > len(_GAP) + room:
            runs.append([])
            taken = 0
        runs[-1].append(column)
        taken += width
    return runs


def _lines(columns: Sequence[list[str]]) -> Block:
    return [_GAP.join(row).rstrip() for row in zip(*columns, strict=True)]


def n_lines(blocks: Sequence[Block]) -> int:
    """How many lines blocks take, with an empty one between each two."""
    return sum(map(len, blocks)) + len(blocks) - 1


def text_of_blocks(blocks: Sequence[Block]) -> str:
    """Blocks as one text, with an empty line between each two."""
    return "\n\n".join("\n".join(block) for block in blocks)


def wrapped(sentence: str, n_indented: int = 0) -> str:
    """A sentence in lines of at most ``WIDTH`` columns, broken between words; a word that is too long is shortened.

    All of them begin with so many spaces.
    """
    indent = " " * n_indented
    room = WIDTH - n_indented
    lines: list[str] = []
    for word in visible(sentence).split(" "):
        short = shortened(word, room)
        if lines and text_width(lines[-1]) + 1 + text_width(short) <= room:
            lines[-1] += f" {short}"
        else:
            lines.append(short)
    return "\n".join(indent + line for line in lines)
