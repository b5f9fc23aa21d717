"""What the edges of a graph say about labels: sums of weights, numbers of linked pairs, and connected components."""
