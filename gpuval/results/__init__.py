"""Scores by their names, as evaluate, compare and inference return them: computed from a table, and printed."""
