"""Neighbours of samples: the nearest ones, or the edges of a graph, together with the labels of the samples."""
