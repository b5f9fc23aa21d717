"""Comparisons of time with the peers, in one run: ``python -m benchmarks``."""
