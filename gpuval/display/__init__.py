"""How results are shown to people: text that is safe on a terminal, in columns, and in HTML."""
