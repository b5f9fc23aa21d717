"""Measures of intervals: each sample has a true and a predicted interval, which are compared."""
