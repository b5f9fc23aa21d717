"""Density-based validation: whether clusters of any shape are dense inside and separated by sparse regions."""
