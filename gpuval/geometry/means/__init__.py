"""Mean distances of samples to clusters, and to the nearest other one."""
