"""Loops over labels in the memory of the host, by NumPy."""
