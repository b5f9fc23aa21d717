"""The extensions of Sphinx in ``docs/_ext``, as modules."""

import importlib
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
SITE = ROOT / "site"

BUILD = "python -m sphinx -W --keep-going docs site"


def extension(name):
    """An extension by the name that ``docs/conf.py`` has for it."""
    folder = str(ROOT / "docs" / "_ext")
    if folder not in sys.path:
        sys.path.append(folder)
    return importlib.import_module(name)
