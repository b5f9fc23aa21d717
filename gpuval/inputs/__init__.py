"""Everything that comes from users: labels, weights, counts, samples and options, with all checks and messages."""
