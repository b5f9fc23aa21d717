"""NumPy's loops, for what lies in the memory of the host: labels, tables and scores."""
