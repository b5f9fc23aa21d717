"""A report of clusterings as one HTML file: what was found, in words, tables and plots."""
