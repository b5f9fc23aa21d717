"""Random tables with the class and cluster sizes of a table, as random permutations of the labels give."""
