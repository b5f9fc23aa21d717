"""Beside scores: their intervals, the same for each value that samples have, and which of several labelings is best."""
