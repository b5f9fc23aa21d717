"""Comparisons of clusterings against the same truth: which is better, and is the difference more than noise."""
