"""How certain scores and differences are: intervals, tests, and comparisons of clusterings."""
