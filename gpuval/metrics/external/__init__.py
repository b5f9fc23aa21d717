"""Measures of two labelings, each a function of their contingency table."""
