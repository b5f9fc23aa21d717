"""The formulas: ``external`` of a table, ``internal`` of samples, ``graph`` of edges, ``integration`` of batches.

Those of several labelings of the same samples are in ``runs``.
"""
