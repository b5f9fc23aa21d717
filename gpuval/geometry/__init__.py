"""Distances, moments and neighbours of samples, from which internal measures are computed."""
