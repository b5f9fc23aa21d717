"""Measures of ranked lists: one sort (``Ranked``) serves them all."""
