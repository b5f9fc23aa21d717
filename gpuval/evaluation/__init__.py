"""Several measures of several labelings at once: evaluate, compare, pairwise, and scores of integration."""
