"""Measures of intervals: a true and a predicted one of each sample, by what they have in common."""
