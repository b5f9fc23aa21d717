"""The labels of samples and what is predicted of them: as users give them, in columns, and counted."""
