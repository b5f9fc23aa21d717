"""Scores by their names, as evaluate, compare and inference return them: how they are found of a table, and printed."""
