"""Steps that an interrupt (Ctrl-C) cannot separate: after it, all of them are done, or none."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from operator import call
from typing import Any


def in_one_go(*steps: Callable[[], Any]) -> None:
    """Call several C functions, or ``partial`` objects of them, by a single call of a C function.

    Python raises an interrupt between its own instructions, and never inside a C function. So samples cannot be counted
    and still be kept as waiting, which would count them twice.
    """
    deque(map(call, steps), maxlen=0)
