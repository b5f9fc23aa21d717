"""From formulas of columns to public measures: their options, what they find of columns, and averages."""
