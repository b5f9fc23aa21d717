"""How numbers are printed for people."""

from __future__ import annotations

import math
from typing import Any

_SMALL, _LARGE = 5e-5, 1e10
"""Below the first, four decimals are zeros."""


def number_text(number: Any) -> str:
    """A number of Python: four decimals of a float, or a power of ten where they would be zeros or hide its size."""
    if not isinstance(number, float):
        return str(number)
    is_plain = number == 0 or not math.isfinite(number) or _SMALL <= abs(number) < _LARGE
    return f"{number + 0.0:.4f}" if is_plain else f"{number:.4e}"
