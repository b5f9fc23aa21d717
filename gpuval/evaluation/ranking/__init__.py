"""Several measures of a ranking at once: their names, their results, and their sums over batches."""
