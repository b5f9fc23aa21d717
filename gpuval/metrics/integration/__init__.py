"""Measures of how well single cells of several batches were integrated: batches mixed, and cell types kept apart."""
