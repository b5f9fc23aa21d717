"""How scores are written, and where: tables as wide as the terminal, Markdown, CSV and JSON."""
