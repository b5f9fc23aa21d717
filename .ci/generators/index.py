"""The public names of gpuval and of its packages, from the ``__all__`` of each module. No module is loaded for it."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from generators.places import fill

PACKAGE = Path(__file__).parents[2] / "gpuval"


def with_names(text: str, _: str) -> str:
    """The text of the index, with the names that the modules have now."""
    before, assigned, names = text.partition("NAMES = ")
    modules = with_new_measures([x for x in ast.literal_eval(names) if path_of(x).exists()])
    entries = {module: sorted(public_names(path_of(module))) for module in modules}
    lines = [f'    "{module}": {as_tuple(names)},\n' for module, names in entries.items() if names]
    return f"{before}{assigned}{{\n{''.join(lines)}}}\n"


def with_new_measures(modules: list[str]) -> list[str]:
    """Modules, and the new ones of measures: each after the last module of its package."""
    for path in sorted((PACKAGE / "metrics").rglob("*.py")):
        module = ".".join(path.relative_to(PACKAGE).with_suffix("").parts)
        if module not in modules and not path.name.startswith("_") and public_names(path):
            package = module.rpartition(".")[0]
            last = max(i for i, x in enumerate(modules) if f"{x}.".startswith(f"{package}."))
            modules.insert(last + 1, module)
    return modules


def with_names_of_modules(text: str, _: str) -> str:
    """The text of a package that takes all names of its modules, with these names in its ``__all__``."""
    modules = re.findall(r"^from gpuval\.(\S+) import \*$", text, re.MULTILINE)
    names = sorted(name for module in modules for name in public_names(path_of(module)))
    lines = "".join(f'    "{name}",\n' for name in names)
    return fill(re.compile(r"(?<=\n__all__ = \[\n)(?:    .+\n)*"), text, lines)


def path_of(module: str) -> Path:
    """The file of a module."""
    return PACKAGE / f"{module.replace('.', '/')}.py"


def public_names(path: Path) -> list[str]:
    """The ``__all__`` of a file, which is a list of its names."""
    for line in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(line, ast.Assign) and ast.unparse(line.targets[0]) == "__all__":
            return list(ast.literal_eval(line.value))
    return []


def as_tuple(names: list[str]) -> str:
    """The code of a tuple of names, as Ruff formats it."""
    if len(names) == 1:
        return f'("{names[0]}",)'
    return "(\n" + "".join(f'        "{name}",\n' for name in names) + "    )"
