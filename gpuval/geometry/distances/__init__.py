"""Distances by the tile, from samples in any library, sparse samples, or distances that are given."""
