"""How well clusters are connected within and apart from one another, by densities: density-based validation."""
