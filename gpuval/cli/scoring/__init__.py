"""Scores of columns: external and internal ones, intervals, and why a column has no scores."""
