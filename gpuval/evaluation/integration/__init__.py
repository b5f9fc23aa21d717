"""The scores of an embedding of cells from several batches, as benchmarks of integration report them."""
