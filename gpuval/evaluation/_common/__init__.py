"""Shared by all evaluations: how measures are asked for, and means that are updated batch by batch."""
