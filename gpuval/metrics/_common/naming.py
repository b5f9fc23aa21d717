"""Error messages in which the arguments have the names that they have in the measure that was called."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from traceback import walk_tb


@contextmanager
def without_ignoring() -> Iterator[None]:
    """Inside this context, error messages do not advise ``ignore_labels=``, for measures that do not have it."""
    with _with_messages(lambda message: re.sub(r"; [^;]*\bignore_labels=[^;]*$", "", message)):
        yield


@contextmanager
def called(**names: str) -> Iterator[None]:
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
    *_, (frame, _) = walk_tb(error.__traceback__)
    return str(frame.f_globals.get("__name__", "")).partition(".")[0] == "gpuval"
