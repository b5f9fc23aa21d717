"""Measures of several labels beside scikit-learn and torchmetrics: how long they take, and how much memory."""
