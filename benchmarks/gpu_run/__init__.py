"""A first run on a GPU, in steps; README.md has them."""
