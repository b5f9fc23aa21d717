"""Write all texts that follow from the code: ``python .ci/generate.py``, or with ``--check`` show how they differ.

These are the lists of public names, the lists of measures in docstrings and on pages of the site, the number of
measures in the README, and the stubs. With ``--check`` the exit status is 1 if a text differs.
"""

from __future__ import annotations

import difflib
import sys
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).parent.parent

WRITTEN = {
    "gpuval/_index.py": "index.with_names",
    "gpuval/intervals/__init__.py": "index.with_names_of_modules",
    "gpuval/multilabel/__init__.py": "index.with_names_of_modules",
    "gpuval/ranking/__init__.py": "index.with_names_of_modules",
    "gpuval/__init__.py": "docstrings.with_families",
    "gpuval/evaluation/evaluation.py": "docstrings.with_short_names",
    "gpuval/ranking/evaluation.py": "docstrings.with_short_names",
    "gpuval/multilabel/evaluation.py": "docstrings.with_short_names",
    "gpuval/__init__.pyi": "stubs.stub",
    "gpuval/intervals/__init__.pyi": "stubs.stub",
    "gpuval/multilabel/__init__.pyi": "stubs.stub",
    "gpuval/ranking/__init__.pyi": "stubs.stub",
    "README.md": "pages.with_number_of_measures",
    "docs/measures.md": "pages.with_measures",
    "docs/which-measure.md": "properties.with_properties",
}
"""By the path of a file the function of ``generators`` that makes its text, of its present text and its path.

The lists of names come first, as all other functions load gpuval. The stubs have docstrings that are written
before.
"""


def wanted_text(path: str, present: str) -> str:
    """The text that a file should have. Its function is loaded only now."""
    module, _, function = WRITTEN[path].partition(".")
    return getattr(import_module(f"generators.{module}"), function)(present, path)  # type: ignore[no-any-return]


def main(arguments: list[str]) -> int:
    """Write the texts, or check them."""
    sys.path.insert(0, str(ROOT))
    check, differs = arguments == ["--check"], False
    for path in WRITTEN:
        file = ROOT / path
        present = file.read_text(encoding="utf-8") if file.exists() else ""
        wanted = wanted_text(path, present)
        if wanted == present:
            continue
        differs = True
        if check:
            lines = present.splitlines(True), wanted.splitlines(True)
            sys.stdout.writelines(difflib.unified_diff(*lines, path, f"{path} (to write)"))
        else:
            file.write_text(wanted, encoding="utf-8")
            print(f"wrote {path}")
    return 1 if check and differs else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
