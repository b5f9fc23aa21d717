"""The library of a score, the option that says what an undefined one becomes, and names in messages."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Literal, get_args

import numpy as np

from gpuval.engines import engine_of, without_waiting
from gpuval.engines.backends import backend_of, is_array
from gpuval.engines.engine import each
from gpuval.inputs.options import check_option
from gpuval.numerics import Array


def as_result(value: Any, like: Array | None = None) -> Any:
    """A value, or each value of a tuple, as it is returned: in the library and on the device of ``like``, if given."""
    if like is None and isinstance(value, np.generic):
        return value
    value = without_waiting(value, are_own=True)
    if isinstance(value, tuple):
        return each(value, lambda x: as_result(x, like))
    if like is not None and not (is_array(value) and backend_of(value) is backend_of(like)):
        return engine_of(like).back(value, like)
    return value[()] if isinstance(value, np.ndarray) else value


# The option of measures that says what an undefined score becomes.

Formula = Callable[..., Any]
OnUndefined = Literal["zero", "one", "nan", "skip"]


def check_on_undefined(on_undefined: Any) -> None:
    """Check the option that says what a value that is not defined becomes."""
    check_option("on_undefined", on_undefined, get_args(OnUndefined))


def value_if_undefined(on_undefined: OnUndefined) -> float:
    """What a value that is not defined becomes."""
    return {"zero": 0.0, "one": 1.0}.get(on_undefined, float("nan"))


# Error messages in which the arguments have the names that they have in the measure that was called.


@contextmanager
def hide_ignore_advice() -> Iterator[None]:
    """Inside this context, error messages do not advise ``ignore_labels=``, for measures that do not have it."""
    with _with_messages(lambda message: re.sub(r"; [^;]*\bignore_labels=[^;]*$", "", message)):
        yield


@contextmanager
def rename_arguments(**names: str) -> Iterator[None]:
    """Inside this context, error messages call arguments by other names; text in quotes is a value, and stays."""
    words = re.compile(rf"(?<![\w'\"])({'|'.join(map(re.escape, names))})(?![\w'\"])")
    with _with_messages(lambda message: words.sub(lambda word: names[word[0]], message)):
        yield


@contextmanager
def _with_messages(changed: Callable[[str], str]) -> Iterator[None]:
    """Inside this context, the messages of gpuval's errors are changed; the errors stay the same objects.

    Errors of the user's own functions and of other libraries are not changed.
    """
    try:
        yield
    except (TypeError, ValueError) as error:
        if _is_message_alone(error) and _is_raised_by_gpuval(error):
            error.args = (changed(error.args[0]),)
        raise


def _is_message_alone(error: Exception) -> bool:
    is_known = type(error) in (TypeError, ValueError) or type(error).__module__.startswith("gpuval.")
    return is_known and len(error.args) == 1 and isinstance(error.args[0], str)


def _is_raised_by_gpuval(error: Exception) -> bool:
    from traceback import walk_tb  # only now: of errors alone

    *_, (frame, _) = walk_tb(error.__traceback__)
    return str(frame.f_globals.get("__name__", "")).partition(".")[0] == "gpuval"
