"""Numbers that keep their digits: functions of arrays and their namespace, which know nothing of tables or labels."""

from typing import Any

import numpy as np

Array = Any
"""An array of any supported library; the standard has no common base class to name."""

NDArray = np.ndarray[Any, Any]
"""An array of NumPy."""
