"""The options of measures of rankings: what is wrong with them is said before anything is found."""

from __future__ import annotations

from typing import Any, Literal, get_args

from gpuval.inputs.limits import check_size
from gpuval.inputs.options import check_known_options, check_not_negative, check_option
from gpuval.metrics._common.options import Formula

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

Gain = Literal["linear", "exponential"]
Discount = Literal["log2", "jarvelin"]
Divisor = Literal["cutoff", "relevant", "found"]

_CHOICES = {"gain": get_args(Gain), "discount": get_args(Discount), "divisor": get_args(Divisor)}
"""The values of options that have few."""


def read_options(options: dict[str, Any], formula: Formula) -> dict[str, Any]:
    """The options that were given to a measure, as its formula takes them."""
    check_known_options(options, formula, _ELSEWHERE, _COMMON_NAMES)
    for name, x in options.items():
        if name in _CHOICES:
            check_option(name, x, _CHOICES[name])
    found = dict(options)
    if options.get("n") is not None:
        found["n"] = check_size(options["n"], "n", "")
    if options.get("max_relevance") is not None:
        found["max_relevance"] = check_not_negative("max_relevance", options["max_relevance"])
    return found


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
