"""Integration measures for single cells: whether batches are mixed and cell types kept apart."""
