"""Tables of other samples than those that were counted: what the uncertainty of a score is found from."""
