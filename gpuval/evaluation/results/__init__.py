"""The results of evaluations: scores by their names, and how they are printed, compared and converted to tables."""
