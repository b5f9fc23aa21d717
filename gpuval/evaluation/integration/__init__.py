"""The scores with which single-cell benchmarks judge an embedding of cells from several batches."""
