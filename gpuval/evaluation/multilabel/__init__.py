"""Many measures of labels: their names, their scores in one table, and their sums over batches."""
