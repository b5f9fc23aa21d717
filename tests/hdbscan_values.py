"""Sets of samples, and what ``validity_index`` of hdbscan 0.8.44 gives of them, which is not installed with the tests.

The values are in ``data/hdbscan_validity.json``. To find them again, where hdbscan 0.8.44 is (with NumPy 2.4.6)::

    python tests/hdbscan_values.py
"""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np

VALUES = Path(__file__).parent / "data" / "hdbscan_validity.json"
METRICS = ("euclidean", "sqeuclidean", "cityblock")
SEEDS = range(100)


def samples_of(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Samples, and clusters of 3 or more of them; -1 is noise. Python promises the numbers of a seed."""
    draw = random.Random(seed)
    n, d, k = 20 + int(130 * draw.random()), 1 + int(11 * draw.random()), 2 + int(5 * draw.random())
    apart = (0.0, 1.0, 3.0)[int(3 * draw.random())]
    labels = [*(i % k for i in range(3 * k)), *(int((k + 1) * draw.random()) - 1 for _ in range(n - 3 * k))]
    centres = [[apart * draw.random() for _ in range(d)] for _ in range(k + 1)]
    rows = [[draw.random() + draw.random() + x for x in centres[label]] for label in labels]
    return np.asarray(rows), np.asarray(labels)


if __name__ == "__main__":
    from hdbscan.validity import validity_index

    found = {metric: [float(validity_index(*samples_of(seed), metric=metric)) for seed in SEEDS] for metric in METRICS}
    VALUES.write_text(json.dumps(found, indent=0) + "\n", encoding="utf-8")
