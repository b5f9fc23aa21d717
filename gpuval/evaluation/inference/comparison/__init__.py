"""Which of several clusterings is nearer to one truth, and whether the difference is more than noise."""
