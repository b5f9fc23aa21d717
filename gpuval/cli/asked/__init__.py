"""Options of the command line, and the measures, columns, labels and files that their values name."""
