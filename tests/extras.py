"""The table `project` of pyproject.toml, and what its extras bring."""

import tomllib
from collections.abc import Iterator
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parent.parent
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = PYPROJECT["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]


def brought_by(extra: str) -> Iterator[Requirement]:
    """The requirements of an extra, and of the extras that it is made of."""
    for requirement in map(Requirement, EXTRAS[extra]):
        if requirement.name == "gpuval":
            for other in requirement.extras:
                yield from brought_by(other)
        else:
            yield requirement
