"""Samples in space and their clusters: what internal measures read of them, a tile of distances at a time."""
