"""Writes the pages of the API into ``docs/api``: one for each family, and one for each public name."""

from __future__ import annotations

import importlib
import inspect
import re
from pathlib import Path
from textwrap import indent
from typing import Any

from api_families import GROUPS, NAMESPACES, Family, public_names
from sphinx.application import Sphinx
from sphinx.pycode import ModuleAnalyzer

import gpuval

_INITIAL = re.compile(r"^(\s*\.\. \[\S+\] \w)\.")
"""The beginning of a reference: with a dot behind one letter, docutils sees an item of a list."""


def setup(app: Sphinx) -> dict[str, bool]:
    """Write the pages before Sphinx looks for documents."""
    app.connect("builder-inited", lambda app: write_pages(Path(app.srcdir) / "api"))
    app.connect("autodoc-skip-member", _skip_fields_of_tuples)
    app.connect("autodoc-process-docstring", _keep_text)
    app.connect("missing-reference", _leave_types_unlinked)
    return {"parallel_read_safe": True}


def pages() -> dict[str, str]:
    """The text of each page of the API by its path below ``docs/api``, without the suffix."""
    families = [family for group in GROUPS.values() for family in group]
    found = {"index": _first_page()}
    for family in families:
        names = family.names()
        found[family.slug] = _page_of_family(family, names)
        for module, name in names:
            path = _path_of(module, name)
            if path in found:
                raise ValueError(f"{module}.{name} is in two families")
            found[path] = _page_of_name(module, name)
    n_public = sum(map(len, public_names().values()))
    if len(found) != 1 + len(families) + n_public:
        raise ValueError("a module of public names is in no family of docs/_ext/api_families.py")
    return found


def write_pages(folder: Path) -> None:
    """Write what changed, so that a second build is quick, and remove what is no page any more."""
    found = {folder / f"{path}.rst": text for path, text in pages().items()}
    for path in folder.rglob("*.rst"):
        if path not in found:
            path.unlink()
    for path, text in found.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def _path_of(module: str, name: str) -> str:
    """Classes have a folder of their own: on some file systems Report.rst and report.rst are one file."""
    return f"{'classes' if name[0].isupper() else 'functions'}/{module}.{name}"


def _first_page() -> str:
    parts = [_heading("API", "="), "Every public function and class, from its docstring.\n"]
    for group, families in GROUPS.items():
        parts.append(_heading(group, "-"))
        rows = [(f":doc:`{family.title} <{family.slug}>`", _literal(family.about)) for family in families]
        parts.append(_table(rows))
        slugs = "\n".join(family.slug for family in families)
        parts.append(f".. toctree::\n   :hidden:\n   :caption: {group}\n\n{indent(slugs, '   ')}\n")
    return "\n".join(parts)


def _page_of_family(family: Family, names: list[tuple[str, str]]) -> str:
    parts = [_heading(family.title, "="), f"{_literal(family.about)}\n"]
    modules = sorted({module for module, _ in names})
    for module in modules:
        parts.append(f".. currentmodule:: {module}\n")
        if module.removeprefix("gpuval.") in NAMESPACES:  # what references of docstrings to the module lead to
            parts.append(f".. py:module:: {module}\n")
        rows = [(_link(module, name), _summary(module, name)) for where, name in names if where == module]
        parts.append(_table(rows))
    paths = "\n".join(_path_of(module, name) for module, name in names)
    parts.append(f".. toctree::\n   :hidden:\n\n{indent(paths, '   ')}\n")
    return "\n".join(parts)


def _page_of_name(module: str, name: str) -> str:
    value = getattr(importlib.import_module(module), name)
    short = f"{module}.{name}".removeprefix("gpuval.")
    parts = [_heading(short, "="), f".. currentmodule:: {module}\n"]
    if inspect.isclass(value):
        inherited = ":inherited-members: Mapping, tuple, Metric, Module, object"
        parts.append(f".. autoclass:: {module}.{name}\n   :members:\n   {inherited}\n")
    elif callable(value):
        parts.append(f".. autofunction:: {module}.{name}\n")
    else:
        parts.append(f".. py:data:: {name}\n\n{indent(_text_of_constant(name), '   ')}\n")
    return "\n".join(parts)


def _link(module: str, name: str) -> str:
    value = getattr(importlib.import_module(module), name)
    role = "class" if inspect.isclass(value) else "func" if callable(value) else "data"
    return f":{role}:`{name} <{module}.{name}>`"


def _summary(module: str, name: str) -> str:
    value = getattr(importlib.import_module(module), name)
    text = inspect.getdoc(value) if callable(value) else _text_of_constant(name)
    return (text or "").partition("\n\n")[0].replace("\n", " ")


def _text_of_constant(name: str) -> str:
    """The docstring below a constant."""
    analyzer = ModuleAnalyzer.for_module(f"gpuval.{gpuval._MODULE_OF[name]}")
    return "\n".join(analyzer.find_attr_docs()["", name]).strip()


def _table(rows: list[tuple[str, str]]) -> str:
    lines = "\n".join(f"   * - {left}\n     - {right}" for left, right in rows)
    return f".. list-table::\n   :class: names\n   :widths: auto\n\n{lines}\n"


def _heading(text: str, line: str) -> str:
    return f"{text}\n{line * len(text)}\n"


def _literal(text: str) -> str:
    return text.replace("`", "``")


def _skip_fields_of_tuples(app: Sphinx, what: str, name: str, obj: Any, skip: bool, options: Any) -> bool | None:
    """Fields of named tuples are told in the docstring of the tuple."""
    return True if (inspect.getdoc(obj) or "").startswith("Alias for field number") else None


def _keep_text(app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Escape what reStructuredText would not take for text: absolute values |x|, and initials of authors, as "L."."""
    in_example = False
    for i, line in enumerate(lines):
        in_example = bool(line.strip()) and (in_example or line.lstrip().startswith(">>>"))
        if not in_example:
            parts = _INITIAL.sub(r"\1\\.", line).split("``")
            lines[i] = "``".join(x if i % 2 else x.replace("|", "\\|") for i, x in enumerate(parts))


def _leave_types_unlinked(app: Sphinx, env: Any, node: Any, content: Any) -> Any:
    """Types of signatures are text, unless they are ours; a role of a docstring that leads nowhere stays a warning."""
    parent = node.parent
    while parent is not None and parent.tagname != "desc_signature":
        parent = parent.parent
    return None if parent is None else content
