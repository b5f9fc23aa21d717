"""Numbers that keep their digits: functions of arrays and their namespace, which know nothing of tables or labels."""

from typing import Any

Array = Any
"""An array of any supported library; the standard has no common base class to name."""
