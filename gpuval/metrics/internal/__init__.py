"""Measures of samples and their clusters, without a reference."""
