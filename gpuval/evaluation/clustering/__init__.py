"""Several measures of clusterings: the scores of one labeling, of many, and of all pairs of labelings."""
