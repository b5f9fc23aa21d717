"""From formulas of ranked lists to public measures: their options, values of queries, and means."""
