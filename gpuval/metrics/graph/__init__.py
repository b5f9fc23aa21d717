"""Graph measures: how well labels agree with the edges of a graph of the samples."""
