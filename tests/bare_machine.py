"""Run a module as where only what a GPU needs is installed: ``python tests/bare_machine.py pytest -m gpu``.

All other packages are as if they were not installed.
"""

from __future__ import annotations

import runpy
import sys
from collections.abc import Iterable, Iterator
from importlib.machinery import ModuleSpec, PathFinder
from importlib.metadata import (
    Distribution,
    MetadataPathFinder,
    PackageNotFoundError,
    packages_distributions,
    requires,
)
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

NEEDED = (
    *("gpuval", "numpy", "scipy", "array-api-compat", "torch", "jax", "cupy-cuda12x", "cupy-cuda13x"),
    *("pytest", "hypothesis"),
)
"""What `pytest -m gpu` and `python -m benchmarks --gpu` need; one CuPy of the two."""


def with_requirements(names: Iterable[str]) -> set[str]:
    """The packages, and those that they bring with them, as far as they are installed."""
    found, waiting = set(), list(names)
    while waiting:
        name = canonicalize_name(waiting.pop())
        if name in found:
            continue
        try:
            requirements = map(Requirement, requires(name) or ())
        except PackageNotFoundError:
            continue
        found.add(name)
        waiting += [x.name for x in requirements if x.marker is None or x.marker.evaluate({"extra": ""})]
    return found


class Finder:
    """Finds modules as Python does, and packages as pip does, but none that is not of those that are there."""

    def __init__(self, there: set[str]) -> None:
        self._there = there
        self._missing = {
            module
            for module, packages in packages_distributions().items()
            if there.isdisjoint(map(canonicalize_name, packages))
        }

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        return None if name.partition(".")[0] in self._missing else PathFinder.find_spec(name, path, target)

    def find_distributions(self, *context: Any) -> Iterator[Distribution]:
        return (x for x in MetadataPathFinder.find_distributions(*context) if canonicalize_name(x.name) in self._there)

    def invalidate_caches(self) -> None:
        PathFinder.invalidate_caches()


def main(module: str) -> None:
    """Run a module as a program, with what follows it on the command line as its arguments."""
    finder = Finder(with_requirements(NEEDED))
    sys.meta_path[:] = [finder if x is PathFinder else x for x in sys.meta_path]
    sys.path[0] = ""  # as `python -m` has it
    del sys.argv[0]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main(sys.argv[1])
