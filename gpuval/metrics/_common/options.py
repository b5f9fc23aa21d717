"""What options of measures may be: the option for undefined scores."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, get_args

from gpuval.inputs.options import check_option

Formula = Callable[..., Any]
OnUndefined = Literal["zero", "one", "nan", "skip"]


def check_on_undefined(on_undefined: Any) -> None:
    """Check the option that says what a value that is not defined becomes."""
    check_option("on_undefined", on_undefined, get_args(OnUndefined))
