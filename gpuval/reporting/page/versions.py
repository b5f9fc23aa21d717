"""The versions of the packages with which a report was made."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version

from gpuval import __version__

_PACKAGES = ("numpy", "scipy", "matplotlib", "pandas", "anndata")


def versions() -> dict[str, str]:
    """The versions of gpuval, of Python, and of the installed packages with which it computes and draws."""
    found = {"gpuval": __version__, "Python": platform.python_version()}
    for name in _PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found
