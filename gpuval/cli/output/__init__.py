"""Where scores are written, and how: tables as wide as the terminal, Markdown, CSV and JSON."""
