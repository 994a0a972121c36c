"""One thin module a framework; each imports its framework and the library only."""
