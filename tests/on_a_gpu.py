"""Which files have tests on a GPU: with ``-m gpu`` no others are read, as what they import may be missing there."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import pytest

SIGN = re.compile(r"^ *def test\w*\([^)]*\bbackend\b|\bmark\.gpu\b", re.MULTILINE)
"""A test of a backend, which may be on a GPU, or the mark itself."""


def is_read(path: Path) -> bool:
    """Whether a file has the sign."""
    return path.parent.name == "cupy_on_cpu" or SIGN.search(path.read_text(encoding="utf-8")) is not None


def never_read(items: Iterable[pytest.Item]) -> list[Path]:
    """The files of tests on a GPU, or on backends of which some are, that do not have it."""
    paths = {x.path for x in items if x.get_closest_marker("gpu") or "backend" in getattr(x, "fixturenames", ())}
    return [path for path in sorted(paths) if not is_read(path)]
