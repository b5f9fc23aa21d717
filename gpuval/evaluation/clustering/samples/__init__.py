"""Internal measures next to external ones, if the samples are given."""
