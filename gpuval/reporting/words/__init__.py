"""What is found as sentences, and what things are called in them."""
