"""Tests of independence: p-values of scores, from random tables or from moments."""
