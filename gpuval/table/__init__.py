"""The contingency table: how it is built, and the statistics that formulas read of it."""
