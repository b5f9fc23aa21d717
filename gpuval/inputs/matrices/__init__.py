"""Matrices as users give them: tables of counts, samples and their features, and numbers of any kind."""
