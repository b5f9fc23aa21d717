"""Accumulators: tables and moments that grow batch by batch and can be added up over processes."""
