"""Internal measures: how good a clustering is, judged by the samples alone, without reference labels."""
