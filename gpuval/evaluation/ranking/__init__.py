"""Many measures of rankings: their names, and their sums over batches."""
