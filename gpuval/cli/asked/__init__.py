"""What is asked for: options, and the measures, columns, labels and files that their texts name."""
