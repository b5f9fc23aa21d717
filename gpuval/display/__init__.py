"""How results are printed: text that is safe on a terminal, in columns, and in HTML."""
