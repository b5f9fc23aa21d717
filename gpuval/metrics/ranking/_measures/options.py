"""The options of measures of rankings: what is wrong with them is said before anything is found."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, get_args

from gpuval.inputs.limits import check_size
from gpuval.inputs.options import check_not_negative, check_option

_ELSEWHERE = {
    "k": "n",
    "top_k": "n",
    "preds": "y_score",
    "target": "y_true",
    "indexes": "queries",
    "empty_target_action": "on_undefined",
    "ignore_ties": "ties",
    "log_base": "discount",
    "ignore_index": "ignore_relevance",
}
"""What other libraries call arguments, and what these are called here."""

_COMMON_NAMES = ("y_true", "y_score", "queries", "ties", "on_undefined", "ignore_relevance")

OnUndefined = Literal["zero", "one", "nan", "skip"]
Gain = Literal["linear", "exponential"]
Discount = Literal["log2", "jarvelin"]
Formula = Callable[..., Any]

_CHOICES = {"gain": get_args(Gain), "discount": get_args(Discount)}
"""The values of options that have few."""


def read_options(options: dict[str, Any], formula: Formula) -> dict[str, Any]:
    """The options that were given to a measure, as its formula takes them."""
    _check_known(options, formula)
    for name, x in options.items():
        if name in _CHOICES:
            check_option(name, x, _CHOICES[name])
    found = dict(options)
    if options.get("n") is not None:
        found["n"] = check_size(options["n"], "n", "")
    if options.get("max_relevance") is not None:
        found["max_relevance"] = check_not_negative("max_relevance", options["max_relevance"])
    return found


def _check_known(options: dict[str, Any], formula: Formula) -> None:
    """Check that a measure has these options."""
    known = formula.__kwdefaults__ or {}
    for name in options:
        if name not in known:
            takes = f"its own are {', '.join(known)}" if known else "it has none of its own"
            if _ELSEWHERE.get(name) in {*known, *_COMMON_NAMES}:
                takes = f"it is called {_ELSEWHERE[name]} here"
            raise TypeError(f"{formula.__name__}() got an unexpected keyword argument {name!r}; {takes}")


def check_on_undefined(on_undefined: Any) -> None:
    """Check what the value of a query is to be for which there is none."""
    check_option("on_undefined", on_undefined, get_args(OnUndefined))


def check_adds_up(formula: Formula, options: dict[str, Any], hint: str = "") -> None:
    """Check that a measure of batches, or of blocks, needs nothing that only all of them together tell.

    ``hint`` says where a measure can be given that has what is missing.
    """
    if options.get("max_relevance") is None and "max_relevance" in (formula.__kwdefaults__ or {}):
        name = formula.__name__
        raise ValueError(
            f"max_relevance must be given to {name} for batches or blocks, of which each may have another largest "
            f"relevance, got None; {hint}functools.partial({name}, max_relevance=...) is a measure with it"
        )
