"""Scores with their uncertainty: standard errors, intervals, tests and comparisons, from one table."""
