"""The findings of a report: scores, the best labelings, and how these divide the classes."""
