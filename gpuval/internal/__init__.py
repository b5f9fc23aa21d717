"""The internal measures, functions of samples and their labels."""
