"""Several measures of intervals at once: their names, and their sums over batches."""
