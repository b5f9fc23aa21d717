"""All that comes from users: labels, weights, counts, samples and options, with every check and every message."""
