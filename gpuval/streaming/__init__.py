"""What grows with the samples, batch by batch, and is added up over processes."""
