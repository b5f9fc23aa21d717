"""What the edges of a graph say of labels: sums of their weights, the pairs they link, and components."""
