"""The findings of a report as sentences, and the names in them."""
