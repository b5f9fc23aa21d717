"""What measures of all kinds have in common: how they become public, their docstrings, and how scores go out."""
