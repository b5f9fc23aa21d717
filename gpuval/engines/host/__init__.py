"""NumPy on the host: labels, tables and scores of arrays in the memory of the host."""
