"""The formulas: ``external`` of a table, ``internal`` of samples, ``graph`` of edges, ``integration`` of batches."""
