"""Numbers as people read them."""

from __future__ import annotations

import math
from typing import Any

_LARGE = 1e10


def number_text(number: Any) -> str:
    """A number of Python: four decimals of a float, a power of ten where it is very large, and no minus before 0."""
    if not isinstance(number, float):
        return str(number)
    return f"{number:.4e}" if _LARGE <= abs(number) < math.inf else f"{round(number, 4) + 0.0:.4f}"
