"""Measures of rankings beside torchmetrics, scikit-learn and one sort: how long they take, and how much memory."""
