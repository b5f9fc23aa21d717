"""Options of measures: which there are, how other libraries call them, and the option for undefined scores."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Literal, get_args

from gpuval.inputs.options import check_option

Formula = Callable[..., Any]
OnUndefined = Literal["zero", "one", "nan", "skip"]


def check_on_undefined(on_undefined: Any) -> None:
    """Check the option that says what a value that is not defined becomes."""
    check_option("on_undefined", on_undefined, get_args(OnUndefined))


def check_known(
    options: dict[str, Any],
    formula: Formula,
    common: Mapping[str, str],
    others: tuple[str, ...],
    hints: Mapping[str, str] = MappingProxyType({}),
) -> None:
    """Check that a measure has these options.

    ``common`` maps names of other libraries to the names here. ``others`` are options that the measure has in addition
    to those of its formula. ``hints`` say what to do in place of an option that does not exist.
    """
    known = formula.__kwdefaults__ or {}
    for name in options:
        if name not in known:
            takes = f"its own options are {', '.join(known)}" if known else "it has no options of its own"
            takes = hints.get(name, takes)
            if common.get(name) in {*known, *others}:
                takes = f"it is called {common[name]} here"
            raise TypeError(f"{formula.__name__}() got an unexpected keyword argument {name!r}; {takes}")
