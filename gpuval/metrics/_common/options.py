"""The option of measures that says what an undefined score becomes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, get_args

from gpuval.inputs.options import check_option

Formula = Callable[..., Any]
OnUndefined = Literal["zero", "one", "nan", "skip"]


def check_on_undefined(on_undefined: Any) -> None:
    """Check the option that says what a value that is not defined becomes."""
    check_option("on_undefined", on_undefined, get_args(OnUndefined))
