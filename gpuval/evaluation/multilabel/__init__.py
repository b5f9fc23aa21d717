"""Several measures of labels at once: their names, their scores in one table, and their sums over batches."""
