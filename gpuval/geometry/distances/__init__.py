"""Distances, a tile at a time: of samples in any library, of sparse samples, or precomputed."""
