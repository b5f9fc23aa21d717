"""Several settings of a clusterer: repeated runs, their stability, and rules for the number of clusters."""
