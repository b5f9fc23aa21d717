"""What reports of all kinds have in common: how measures are asked for, and means that grow batch by batch."""
