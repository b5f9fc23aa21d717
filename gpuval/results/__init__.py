"""What evaluate, compare and inference return: scores by their names, which print as tables and convert to pandas."""
