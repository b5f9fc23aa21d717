"""Additions to scores: their intervals, separate scores for values of ``by``, and which labeling is the best."""
