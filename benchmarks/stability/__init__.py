"""Stability of settings: what it costs, and how often it and other criteria find the number of clusters."""
