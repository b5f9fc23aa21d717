"""Standard errors and confidence intervals of scores, by the jackknife and by the bootstrap."""
