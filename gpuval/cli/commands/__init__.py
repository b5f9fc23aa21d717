"""The commands of the command line, and their completion in shells."""
