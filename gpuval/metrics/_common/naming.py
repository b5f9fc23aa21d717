"""What users of other measures call the arguments that messages of samples and tables speak of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_ignoring() -> Iterator[None]:
    """Within, messages of errors say nothing of ``ignore_labels=``, which there is not."""
    try:
        yield
    except (TypeError, ValueError) as error:
        message = re.sub(r"; [^;]*\bignore_labels=[^;]*$", "", str(error))
        raise type(error)(message) from error.__cause__


@contextmanager
def called(**names: str) -> Iterator[None]:
    """Within, messages of errors call each argument by another name; what is in quotes is a value, and stays."""
    try:
        yield
    except (TypeError, ValueError) as error:
        words = "|".join(map(re.escape, names))
        message = re.sub(rf"(?<![\w'\"])({words})(?![\w'\"])", lambda word: names[word[0]], str(error))
        raise type(error)(message) from error.__cause__
