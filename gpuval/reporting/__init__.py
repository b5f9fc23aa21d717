"""A report about clusterings as one HTML file: findings in words, tables and plots."""
