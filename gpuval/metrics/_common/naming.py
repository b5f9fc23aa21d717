"""What users of other measures call the arguments that messages of samples and tables speak of."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from traceback import walk_tb


@contextmanager
def without_ignoring() -> Iterator[None]:
    """Within, messages of errors say nothing of ``ignore_labels=``, which there is not."""
    with _with_messages(lambda message: re.sub(r"; [^;]*\bignore_labels=[^;]*$", "", message)):
        yield


@contextmanager
def called(**names: str) -> Iterator[None]:
    """Within, messages of errors call each argument by another name; what is in quotes is a value, and stays."""
    words = re.compile(rf"(?<![\w'\"])({'|'.join(map(re.escape, names))})(?![\w'\"])")
    with _with_messages(lambda message: words.sub(lambda word: names[word[0]], message)):
        yield


@contextmanager
def _with_messages(changed: Callable[[str], str]) -> Iterator[None]:
    """Within, errors of gpuval have changed messages, and stay the same objects, with their tracebacks.

    Those that users' own functions and other libraries raise pass as they are.
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
