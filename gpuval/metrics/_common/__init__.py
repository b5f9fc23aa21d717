"""Shared parts of all kinds of measures: how a formula becomes public, docstrings, and how scores are returned."""
