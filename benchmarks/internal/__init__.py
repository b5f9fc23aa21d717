"""Internal measures against scikit-learn, point by point: ``python -m benchmarks.internal``."""
