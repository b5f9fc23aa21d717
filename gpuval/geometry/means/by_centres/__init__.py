"""Mean squared and cosine distances, which follow from the centres of the clusters."""
