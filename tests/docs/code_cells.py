"""The cells of code on a page of the site, and what they compute: ``run(path)`` runs them as the site does."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

CELL = re.compile(r"^```\{code-cell\}[^\n]*\n(.*?)^```$", re.DOTALL | re.MULTILINE)
OPTIONS = re.compile(r"\A(?:---\n.*?^---\n|(?::[^\n]*\n)+)", re.DOTALL | re.MULTILINE)
"""At the beginning of a cell: what tells MyST how to show it."""


def cells_of(path: Path) -> list[str]:
    """The code of each cell of a page, without the options."""
    return [OPTIONS.sub("", cell) for cell in CELL.findall(path.read_text(encoding="utf-8"))]


def run(path: Path) -> tuple[dict[str, Any], list[Any]]:
    """Run all cells in one namespace: the names, and the value that the site shows below each cell (or None)."""
    names: dict[str, Any] = {"__name__": "__main__"}
    shown = []
    for code in cells_of(path):
        tree = ast.parse(code, path.name)
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, path.name, "exec"), names)
        shown.append(last and eval(compile(ast.Expression(last.value), path.name, "eval"), names))
    return names, shown
