"""The pages of docs/: their code cells run in order, as in the site, and what each prints and shows."""

from __future__ import annotations

import ast
import contextlib
import functools
import io
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt

DOCS = Path(__file__).parent.parent / "docs"
PAGES = {path.name: path.read_text(encoding="utf-8") for path in sorted(DOCS.glob("*.md"))}


def blocks(name: str, kind: str) -> list[str]:
    """The code blocks of a page that begin with this, such as "{code-cell} python" or "sh"."""
    return re.findall(rf"^```{re.escape(kind)}\n(.*?)^```", PAGES[name], re.DOTALL | re.MULTILINE)


def cells(name: str) -> list[str]:
    """The code cells of a page, in their order."""
    return blocks(name, "{code-cell} python")


def rows(name: str, heading: str) -> list[list[str]]:
    """The rows of the table whose head begins with this column, without the head."""
    table = re.search(rf"^\| {re.escape(heading)} \|.*\n\|[ -|]*\n((?:\|.*\n)+)", PAGES[name], re.MULTILINE)
    assert table, f"{name} has no table of {heading}"
    return [[x.strip() for x in line.strip().strip("|").split("|")] for line in table[1].splitlines()]


@dataclass
class Run:
    """What the cells of a page leave: their names, and for each cell what it prints and shows."""

    names: dict[str, Any] = field(default_factory=dict)
    printed: list[str] = field(default_factory=list)
    shown: list[Any] = field(default_factory=list)

    def that_has(self, name: str, text: str) -> tuple[str, Any]:
        """What the one cell with this text prints and shows."""
        (index,) = (i for i, code in enumerate(cells(name)) if text in code)
        return self.printed[index], self.shown[index]


@functools.cache
def ran(name: str) -> Run:
    """The page after all of its cells."""
    run = Run({"__name__": name})
    for code in cells(name):
        tree = ast.parse(code, name)
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        with contextlib.redirect_stdout(io.StringIO()) as out:
            exec(compile(tree, name, "exec"), run.names)
            shown = last and eval(compile(ast.Expression(last.value), name, "eval"), run.names)
        run.printed.append(out.getvalue())
        run.shown.append(shown)
    plt.close("all")
    return run


def numbers(text: str) -> list[float]:
    """The numbers that are printed, each a word of its own."""
    return [float(x) for x in re.findall(r"(?<![\w.])(-?\d+(?:\.\d+)?(?:e-?\d+)?|nan|inf)(?![\w])", text)]
