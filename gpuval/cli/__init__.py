"""The command line: reads columns of labels from a file, and writes a table of scores."""
