"""Many measures of many labelings, in tables for people and for files, and the command line."""
