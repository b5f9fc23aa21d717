"""What there is to report: scores, which labelings are best, and what these make of the classes."""
