"""Many measures of clusterings: which there are, and the scores of one labeling, of many, and of all pairs of them."""
