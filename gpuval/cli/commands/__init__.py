"""The commands, and what a shell is told to complete them by."""
