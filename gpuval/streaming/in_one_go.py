"""Steps of which an interrupt finds all done or none."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from operator import call
from typing import Any


def in_one_go(*steps: Callable[[], Any]) -> None:
    """Call functions of C, or partial ones of them, by one call of C.

    Python raises an interrupt between its own instructions, and never within a function of C: so what was counted is
    forgotten where it waited, and is not counted twice.
    """
    deque(map(call, steps), maxlen=0)
