"""The command line: label columns of a file in, a table of scores out."""
