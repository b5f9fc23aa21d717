"""The formulas: ``external`` of a table, ``internal`` of samples and labels."""
