"""Options of measures: which there are, what other libraries call them, and what scores are where there are none."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Literal, get_args

from gpuval.inputs.options import check_option

Formula = Callable[..., Any]
OnUndefined = Literal["zero", "one", "nan", "skip"]


def check_on_undefined(on_undefined: Any) -> None:
    """Check what a value is to be of which there is none."""
    check_option("on_undefined", on_undefined, get_args(OnUndefined))


def check_known(
    options: dict[str, Any],
    formula: Formula,
    common: Mapping[str, str],
    others: tuple[str, ...],
    hints: Mapping[str, str] = MappingProxyType({}),
) -> None:
    """Check that a measure has these options.

    ``common`` are the names that other libraries use and those that these have here; ``others`` are the options that
    the measure has besides those of its formula; ``hints`` say what to do in place of options that there are not.
    """
    known = formula.__kwdefaults__ or {}
    for name in options:
        if name not in known:
            takes = f"its own are {', '.join(known)}" if known else "it has none of its own"
            takes = hints.get(name, takes)
            if common.get(name) in {*known, *others}:
                takes = f"it is called {common[name]} here"
            raise TypeError(f"{formula.__name__}() got an unexpected keyword argument {name!r}; {takes}")
