"""Integration measures for single cells: whether batches are mixed and cell types kept apart."""

from gpuval.measures.measure import Family

INTEGRATION = Family("integration of single cells")
