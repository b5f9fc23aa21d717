"""Several measures of several labelings at once, with uncertainty, and their results as tables."""
