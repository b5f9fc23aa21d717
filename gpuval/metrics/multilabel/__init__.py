"""Measures for samples with several labels: of predicted labels, of scores, and of probabilities."""
