"""The page: its tables and figures, and the template that puts them together."""
