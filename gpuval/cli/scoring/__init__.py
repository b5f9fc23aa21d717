"""Scores of columns: external ones, intervals, internal ones, and why a column that only a pattern names has none."""
