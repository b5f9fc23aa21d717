"""The smallest distance between clusters and the largest within one."""

from gpuval.geometry.extremes.finding import extremes

__all__ = ["extremes"]
