"""Who is a neighbour of whom: the nearest of each sample, and the edges of graphs, beside the labels of the samples."""
