"""Resampled and random tables, which show how uncertain a score is."""
