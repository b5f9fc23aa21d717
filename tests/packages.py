"""Packages that no test on a GPU needs: each is imported when something of it is first used.

Files with such tests take them from here, so that they can be read where these are missing. A test that uses a missing
one fails.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any


class Package:
    """Has what the module of this name has."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # what doctest asks of everything in a file is no use
            raise AttributeError(name)
        return getattr(import_module(self._name), name)


da = Package("dask.array")
pd = Package("pandas")
pl = Package("polars")
sk = Package("sklearn.metrics")
strict = Package("array_api_strict")
