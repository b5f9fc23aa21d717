"""Texts of wrong calls, each with its error in the lines below it, four spaces to the right."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pytest

import gpuval


def wrong_calls(text: str) -> list[tuple[str, str]]:
    """The calls and their errors; a message may go on in the next line."""
    found = re.findall(r"^(?! |#)(.+)\n((?: {4}.+\n)+)", text, re.MULTILINE)
    return [(call, " ".join(error.split())) for call, error in found]


def assert_raises(call: str, error: str, names: Mapping[str, Any]) -> None:
    """Check that the call, of public names and these, raises an error of this type and with all of this message."""
    public = {name: getattr(gpuval, name) for name in gpuval.__all__}
    with pytest.raises((TypeError, ValueError)) as raised:
        eval(call, {**names, **public})
    assert f"{raised.type.__name__}: {raised.value}" == error
