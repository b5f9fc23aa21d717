"""Whether intervals and tests keep what they promise, and how long they take."""
