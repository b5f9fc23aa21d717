"""Ratios of time and memory to the peers, to the floor and to the targets, in one run: ``python -m benchmarks``."""
