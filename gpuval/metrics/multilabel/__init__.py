"""Measures of several labels for each sample: of predicted labels, of scores, and of probabilities."""
