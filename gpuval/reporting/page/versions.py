"""Of which versions a report is made."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version

from gpuval import __version__

_PACKAGES = ("numpy", "scipy", "matplotlib", "pandas", "anndata")


def versions() -> dict[str, str]:
    """gpuval, Python, and the packages that are installed of those that it computes and draws with."""
    found = {"gpuval": __version__, "Python": platform.python_version()}
    for name in _PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found
