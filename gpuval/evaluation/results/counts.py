"""The names of the counts that are shown next to the scores of a labeling."""

from __future__ import annotations

COUNTS = ("n_classes", "n_clusters", "n_samples", "n_dropped")
"""The names of the counts, in the order in which they stand before scores."""
