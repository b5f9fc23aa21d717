"""What a sweep is made of: the numbers in names, the measures that are shown, checks, and the legend."""
