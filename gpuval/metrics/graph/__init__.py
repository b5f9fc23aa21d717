"""Measures of the edges of a graph and the labels of its vertices."""
