"""Many measures of intervals: their names, and their sums over batches."""
