"""Internal measures beside the external ones, where the samples are given, too."""
