"""Random tables of the class and cluster sizes of a table: what permutations of the labels make of it."""
