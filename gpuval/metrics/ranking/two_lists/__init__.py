"""Measures of two ranked lists of items, which have no scores and no relevances."""
