"""What measures of all families have in common: names, docstrings, options, results, and means that add up."""
